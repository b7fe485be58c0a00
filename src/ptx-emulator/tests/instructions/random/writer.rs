//! Writes a random program. The same seed always gives the same text.

use super::instructions::{ANYWHERE, HALF, TOGETHER};
use crate::support::Random;
use std::fmt::Write as _;

/// Registers in which a program computes: 32-bit, 64-bit and 16-bit ones, and predicates.
const NARROW: u64 = 8;
const WIDE: u64 = 4;
const SHORT: u64 = 4;
const PREDICATES: u64 = 3;

/// Threads per block. The third size has a warp with eight threads.
const BLOCKS: [u32; 4] = [64, 96, 40, 128];

/// Tables in constant and global memory, which all programs of a PTX file share.
pub(crate) const TABLES: &str = ".const .align 4 .u32 numbers[16] = {1, 0xffffffff, 31, 0x80000000, 0x3f800000, 7, 0x7f800000, 65535,\n\
    0x9e3779b9, 3, 0x00400000, 0xc2280000, 100, 0x7fffffff, 0x3c003c00, 0};\n\
    .global .align 8 .u64 words[8] = {1, 0x8000000000000000, 0x3ff8000000000000, 0xffffffff, 63, 0x7ff0000000000000, 0, 0x0123456789abcdef};\n";

/// Returns the number of threads per block of a program.
pub(crate) fn threads(seed: u64) -> u32 {
    BLOCKS[(seed % 4) as usize]
}

struct Writer {
    random: Random,
    text: String,
    labels: u32,
    functions: u64,
    seed: u64,
}

/// The position of a statement in a program.
#[derive(Clone, Copy)]
struct Here {
    /// Levels of branches that may still be nested.
    depth: u32,
    /// True if all threads of the block come here, the same number of times.
    together: bool,
    /// True in the body of a function, which has only registers.
    function: bool,
}

/// Returns the kernel `p<seed>` and its functions.
pub(crate) fn program(seed: u64) -> String {
    let random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut writer = Writer { random, text: String::new(), labels: 0, functions: 0, seed };
    for _ in 0..8 {
        writer.random.bits();
    }
    if seed % 3 == 1 {
        writer.function();
        writer.function();
    }
    writer.entry();
    writer.text
}

impl Writer {
    fn pick(&mut self, count: u64) -> u64 {
        (self.random.bits() >> 20) % count
    }

    fn one(&mut self, prefix: &str, count: u64) -> String {
        format!("%{prefix}{}", 1 + self.pick(count))
    }

    /// Returns two different registers of a kind.
    fn two(&mut self, prefix: &str, count: u64) -> [String; 2] {
        let first = self.pick(count);
        let second = (first + 1 + self.pick(count - 1)) % count;
        [first, second].map(|index| format!("%{prefix}{}", 1 + index))
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}_{}", self.seed, self.labels)
    }

    fn line(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    fn instruction(&mut self, of: &[&str], here: Here) {
        let text = loop {
            let text = of[self.pick(of.len() as u64) as usize];
            // A function has access neither to the kernel's memory nor to its thread indices.
            if !here.function || !["[", "cvta"].iter().any(|word| text.contains(word)) {
                break text;
            }
        };
        let ([d, c], [a, b]) = (self.two("r", NARROW), self.two("r", NARROW));
        let ([h, i], [p, q]) = (self.two("h", SHORT), self.two("p", PREDICATES));
        let [w, x, y] = [0; 3].map(|_| self.one("w", WIDE));
        let (g, m) = (self.one("h", SHORT), self.pick(8));
        let n = 1 + 2 * self.pick(16);
        let mut text = text.replace("{m}*4", &(4 * (m + self.seed % 4)).to_string());
        for (name, value) in [
            ("{d}", d),
            ("{c}", c),
            ("{a}", a),
            ("{b}", b),
            ("{g}", g),
            ("{h}", h),
            ("{i}", i),
            ("{p}", p),
            ("{q}", q),
            ("{w}", w),
            ("{x}", x),
            ("{y}", y),
            ("{m}", m.to_string()),
            ("{n}", n.to_string()),
            ("{lb}", "{".to_owned()),
            ("{rb}", "}".to_owned()),
        ] {
            text = text.replace(name, &value);
        }
        self.line(&text);
    }

    /// Writes a condition to `%q1` that differs between threads.
    fn condition(&mut self) {
        let [a, b] = self.two("r", NARROW);
        let relation = ["lt.s32", "hi.u32", "ne.s32", "leu.f32"][self.pick(4) as usize];
        self.line(&format!("setp.{relation} %q1, {a}, {b};"));
    }

    fn statements(&mut self, count: u64, here: Here) {
        for _ in 0..count {
            self.statement(count, here);
        }
    }

    fn statement(&mut self, count: u64, here: Here) {
        let apart = Here { depth: here.depth.saturating_sub(1), together: false, ..here };
        match self.pick(24) {
            0..=2 if here.depth > 0 => self.branch(count, apart),
            3 | 4 if here.depth > 0 => self.repeat(count, apart),
            5 if here.depth > 0 => self.choose(count, apart),
            6 | 7 if here.depth > 0 && here.together => self.count(count, Here { together: true, ..apart }),
            8 if here.together && threads(self.seed).is_multiple_of(32) => self.halves(here),
            9 | 10 if self.functions > 0 && !here.function => self.call(),
            11..=15 if here.together => self.instruction(&TOGETHER, here),
            _ => self.instruction(&ANYWHERE, here),
        }
    }

    fn branch(&mut self, count: u64, inside: Here) {
        let (other, end) = (self.label(), self.label());
        self.condition();
        self.line(&format!("@!%q1 bra {other};"));
        self.statements(count / 2, inside);
        if self.pick(3) == 0 {
            self.line(&format!("{other}:"));
            return;
        }
        self.line(&format!("bra {end};\n{other}:"));
        self.statements(count / 3, inside);
        self.line(&format!("{end}:"));
    }

    /// Writes a loop of at most three iterations; some threads leave early.
    fn repeat(&mut self, count: u64, inside: Here) {
        let (start, end) = (self.label(), self.label());
        let counter = format!("%n{}", self.labels);
        self.line(&format!("{{ .reg .u32 {counter}; mov.u32 {counter}, 0;\n{start}:"));
        self.statements(count / 2, inside);
        self.condition();
        self.line(&format!("@%q1 bra {end};"));
        self.statements(count / 4, inside);
        self.line(&format!(
            "add.u32 {counter}, {counter}, 1; setp.lt.u32 %q1, {counter}, 3; @%q1 bra {start};\n{end}: }}"
        ));
    }

    /// Writes a loop of two iterations for every thread.
    fn count(&mut self, count: u64, inside: Here) {
        let start = self.label();
        let counter = format!("%n{}", self.labels);
        self.line(&format!("{{ .reg .u32 {counter}; mov.u32 {counter}, 0;\n{start}:"));
        self.statements(count / 2, inside);
        self.line(&format!("add.u32 {counter}, {counter}, 1; setp.lt.u32 %q1, {counter}, 2; @%q1 bra {start}; }}"));
    }

    /// Writes a branch to one of four targets, by a table.
    fn choose(&mut self, count: u64, inside: Here) {
        let (ways, end) = ([0; 4].map(|_| self.label()), self.label());
        let of = self.one("r", NARROW);
        self.line(&format!("{{ T{end}: .branchtargets {};", ways.join(", ")));
        self.line(&format!("and.b32 %t1, {of}, 3; brx.idx %t1, T{end};"));
        for (at, way) in ways.iter().enumerate() {
            self.line(&format!("{way}:"));
            self.statements(1 + count / 6, inside);
            // The second target falls through to the third.
            if at != 1 && at != 3 {
                self.line(&format!("bra {end};"));
            }
        }
        self.line(&format!("{end}: }}"));
    }

    /// Writes different code for the two halves of each warp, each with its own mask.
    fn halves(&mut self, here: Here) {
        let (other, end) = (self.label(), self.label());
        self.line("mov.u32 %t1, %laneid; setp.lt.u32 %q1, %t1, 16; selp.b32 %t3, 0xffff, 0xffff0000, %q1; selp.b32 %t4, 0, 16, %q1;");
        self.line(&format!("@!%q1 bra {other};"));
        for _ in 0..3 {
            self.instruction(&HALF, here);
        }
        self.line(&format!("bra {end};\n{other}:"));
        for _ in 0..3 {
            self.instruction(&HALF, here);
        }
        // The threads of a warp meet before the next instruction that needs them all.
        self.line(&format!("{end}: bar.warp.sync %m;"));
    }

    fn call(&mut self) {
        let callee = self.pick(self.functions);
        let ([d, a], x) = (self.two("r", NARROW), self.one("w", WIDE));
        self.line(&format!(
            "{{ .param .b32 one; .param .align 8 .b64 two; .param .b32 back; st.param.b32 [one], {a}; st.param.b64 [two], {x};\n\
            call (back), f{}_{callee}, (one, two);\nld.param.b32 {d}, [back]; }}",
            self.seed
        ));
    }

    fn registers(&mut self) {
        self.line(
            ".reg .b32 %r<9>; .reg .b64 %w<5>; .reg .b16 %h<5>; .reg .pred %p<4>;\n\
            .reg .b32 %t<5>; .reg .b64 %u<3>; .reg .b16 %k<3>; .reg .pred %q<3>;",
        );
    }

    /// Initialises all registers from the 32-bit register `%r1` and the 64-bit register `%w1`.
    fn spread(&mut self) {
        self.line(
            "mov.b64 {%r2, %r3}, %w1; xor.b32 %r4, %r1, %r2; mov.u32 %r5, 3; mov.b32 %r6, 0f3fc00000; mov.u32 %r7, 31;\n\
            add.u32 %r8, %r3, %r1; mov.b64 %w2, {%r1, %r4}; mov.f64 %w3, 0d3ff8000000000000; mov.u64 %w4, 7;\n\
            mov.b32 {%h1, %h2}, %r1; mov.b16 %h3, 0x3c00; cvt.u16.u32 %h4, %r3;\n\
            setp.lt.s32 %p1, %r1, %r2; setp.ne.u32 %p2, %r3, 0; setp.eq.u32 %p3, %r5, 3;",
        );
    }

    /// Combines all registers into `%w1`.
    fn gather(&mut self) {
        for register in 2..=NARROW {
            self.line(&format!("mad.lo.u32 %r1, %r1, 0x01000193, %r{register};"));
        }
        for register in 1..=SHORT {
            self.line(&format!("cvt.u32.u16 %t1, %h{register}; mad.lo.u32 %r1, %r1, 0x01000193, %t1;"));
        }
        for register in 1..=PREDICATES {
            self.line(&format!("selp.u32 %t1, 5, 9, %p{register}; mad.lo.u32 %r1, %r1, 0x01000193, %t1;"));
        }
        for register in 2..=WIDE {
            self.line(&format!("mad.lo.u64 %w1, %w1, 0x100000001b3, %w{register};"));
        }
        self.line("cvt.u64.u32 %u1, %r1; shl.b64 %u1, %u1, 17; xor.b64 %w1, %w1, %u1;");
    }

    /// Writes a function of two values, which some threads leave early.
    fn function(&mut self) {
        let name = format!("f{}_{}", self.seed, self.functions);
        let early = self.label();
        let _ = writeln!(self.text, ".func (.param .b32 back) {name} (.param .b32 one, .param .align 8 .b64 two)\n{{");
        self.registers();
        self.line("ld.param.b32 %r1, [one]; ld.param.b64 %w1, [two];");
        self.spread();
        let here = Here { depth: 1, together: false, function: true };
        self.statements(4, here);
        self.condition();
        self.line(&format!("@%q1 bra {early};\nst.param.b32 [back], %r4; ret;\n{early}:"));
        self.statements(4, here);
        self.gather();
        self.line("cvt.u32.u64 %r1, %w1; st.param.b32 [back], %r1; ret;\n}");
        self.functions += 1;
    }

    fn entry(&mut self) {
        let seed = self.seed;
        let _ = writeln!(self.text, ".visible .entry p{seed}(.param .u64 in, .param .u64 out)\n{{");
        self.registers();
        self.line(&format!(
            ".reg .b32 %i, %s, %m, %cells, %slots; .reg .b64 %sw, %l, %o, %b, %n;\n\
            .shared .align 16 .b8 slots{seed}[2048]; .shared .align 16 .b8 cells{seed}[64]; .local .align 16 .b8 room{seed}[64];\n\
            mov.u32 %i, %tid.x; mov.u32 %slots, slots{seed}; mad.lo.u32 %s, %i, 16, %slots; cvt.u64.u32 %sw, %s;\n\
            mov.u32 %cells, cells{seed}; mov.u64 %l, room{seed}; mov.u32 %t1, 0;\n\
            st.local.v4.b32 [%l], {{%t1, %t1, %t1, %t1}}; st.local.v4.b32 [%l+16], {{%t1, %t1, %t1, %t1}};\n\
            st.local.v4.b32 [%l+32], {{%t1, %t1, %t1, %t1}}; st.local.v4.b32 [%l+48], {{%t1, %t1, %t1, %t1}};\n\
            st.shared.v4.b32 [%s], {{%t1, %t1, %t1, %t1}};\n\
            setp.lt.u32 %q1, %i, 16; mad.lo.u32 %t2, %i, 4, %cells; @%q1 st.shared.b32 [%t2], %t1;\n\
            mov.u32 %t1, %ctaid.x; mov.u32 %t2, %ntid.x; mad.lo.u32 %t3, %t1, %t2, %i;\n\
            ld.param.u64 %n, [in]; mad.wide.u32 %n, %t3, 16, %n;\n\
            ld.param.u64 %b, [out]; mad.wide.u32 %b, %t1, 64, %b; ld.param.u64 %o, [out]; mad.wide.u32 %o, %t3, 128, %o;\n\
            add.s64 %o, %o, 128;\n\
            and.b32 %t1, %i, 0xffe0; sub.u32 %t1, %t2, %t1; min.u32 %t1, %t1, 32; sub.u32 %t1, 32, %t1; mov.u32 %m, -1; shr.u32 %m, %m, %t1;\n\
            ld.global.u32 %r1, [%n]; ld.global.u64 %w1, [%n+8];"
        ));
        self.spread();
        self.line("bar.sync 0;");
        // A third of the programs have no branches.
        let (count, depth) = match seed % 3 {
            0 => (36, 0),
            1 => (14, 2),
            _ => (13, 3),
        };
        self.statements(count, Here { depth, together: true, function: false });
        self.gather();
        self.line(
            "bar.warp.sync %m; bar.sync 0; ld.local.v2.b64 {%u1, %u2}, [%l+16]; xor.b64 %w1, %w1, %u1; xor.b64 %w2, %w2, %u2;\n\
            ld.shared.v2.b64 {%u1, %u2}, [%s]; xor.b64 %w1, %w1, %u1; xor.b64 %w2, %w2, %u2;\n\
            and.b32 %t1, %i, 7; mad.lo.u32 %t1, %t1, 8, %cells; ld.shared.b64 %u1, [%t1]; add.s64 %w2, %w2, %u1;\n\
            st.global.v2.b64 [%o], {%w1, %w2}; ret;\n}",
        );
    }
}
