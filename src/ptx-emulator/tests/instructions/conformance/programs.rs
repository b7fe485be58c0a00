//! Random programs, straight-line and branching, reproducible by seed.

use super::form::{Form, exact};
use super::inputs::Kind::*;
use crate::support::Random;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// Number of programs in the table.
const PROGRAMS: u64 = 60;
/// Registers in which a program computes: 32-bit `%t1…` and 64-bit `%u1…`.
const NARROW: u64 = 8;
const WIDE: u64 = 4;

// Sums and products have `.rn`, because otherwise the assembler may fuse them. Integer instructions compute the shift
// amounts, because the assembler treats a register that has only held floats as a float. It also replaces the maximum
// of a value and itself by the value, even for NaN, so the two operands are different registers. It may exchange the
// factors of a product, which changes the result if both are NaN in double precision. So at most one of them is.
/// Instructions with `d a b c` for 32-bit registers and `w x y` for 64-bit registers.
static INSTRUCTIONS: LazyLock<Vec<&str>> = LazyLock::new(|| crate::statements::rows(include_str!("programs.txt")));

/// The text of a program, and the next free label.
struct Writer {
    random: Random,
    text: String,
    labels: u32,
}

impl Writer {
    fn pick(&mut self, count: u64) -> u64 {
        (self.random.bits() >> 20) % count
    }

    fn narrow(&mut self) -> String {
        format!("%t{}", 1 + self.pick(NARROW))
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    fn instruction(&mut self) {
        let mut text = INSTRUCTIONS[self.pick(INSTRUCTIONS.len() as u64) as usize].to_owned();
        // Two results of one instruction must be different registers.
        let d = self.narrow();
        let mut c = self.narrow();
        while c == d {
            c = self.narrow();
        }
        text = text.replace("{d}", &d).replace("{c}", &c);
        let a = self.narrow();
        let mut b = self.narrow();
        while b == a {
            b = self.narrow();
        }
        text = text.replace("{a}", &a).replace("{b}", &b);
        for operand in ["{w}", "{x}", "{y}"] {
            let register = format!("%u{}", 1 + self.pick(WIDE));
            text = text.replace(operand, &register);
        }
        self.text += &text.replace("{lb}", "{").replace("{rb}", "}");
        self.text.push('\n');
    }

    /// Writes a condition to `%p3` that differs between threads.
    fn condition(&mut self) {
        let (a, b) = (self.narrow(), self.narrow());
        let relation = ["lt.s32", "hi.u32", "ne.s32", "leu.f32"][self.pick(4) as usize];
        let _ = writeln!(self.text, "setp.{relation} %p3, {a}, {b};");
    }

    fn statements(&mut self, count: u64, depth: u32) {
        for _ in 0..count {
            match self.pick(12) {
                0 | 1 if depth > 0 => {
                    let (other, end) = (self.label(), self.label());
                    self.condition();
                    let _ = writeln!(self.text, "@!%p3 bra {other};");
                    self.statements(count / 2, depth - 1);
                    let _ = writeln!(self.text, "bra {end};\n{other}:");
                    self.statements(count / 3, depth - 1);
                    let _ = writeln!(self.text, "{end}:");
                }
                2 if depth > 0 => {
                    // At most three iterations; some threads leave early.
                    let (start, end) = (self.label(), self.label());
                    let counter = format!("%n{}", self.labels);
                    let _ = writeln!(self.text, "{{ .reg .u32 {counter}; mov.u32 {counter}, 0;\n{start}:");
                    self.statements(count / 2, depth - 1);
                    self.condition();
                    let _ = writeln!(
                        self.text,
                        "@%p3 bra {end};\nadd.u32 {counter}, {counter}, 1; setp.lt.u32 %p3, {counter}, 3; @%p3 bra {start};\n{end}: }}"
                    );
                }
                _ => self.instruction(),
            }
        }
    }
}

pub(crate) fn forms() -> Vec<Form> {
    (0..PROGRAMS)
        .map(|seed| {
            let mut writer = Writer {
                random: Random(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0x2545_f491_4f6c_dd1d)),
                text: "mov.b32 %t1, A; mov.b32 %t2, B; mov.b32 %t3, C; mov.b32 %t4, E; mov.u32 %t5, 3;\n\
                    mov.f32 %t6, 0f3fc00000; xor.b32 %t7, A, B; mov.u32 %t8, 31; mov.b64 %u1, {A, B}; mov.b64 %u2, {C, E};\n\
                    mov.f64 %u3, 0d3ff8000000000000; mov.u64 %u4, 7; setp.eq.u32 %p2, A, A;\n"
                    .to_owned(),
                labels: 0,
            };
            // Half of the programs have no branches.
            let (count, depth) = if seed % 2 == 0 { (40, 0) } else { (14, 3) };
            writer.statements(count, depth);
            for register in 2..=NARROW {
                let _ = writeln!(writer.text, "mad.lo.u32 %t1, %t1, 0x01000193, %t{register};");
            }
            for register in 2..=WIDE {
                let _ = writeln!(writer.text, "mad.lo.u64 %u1, %u1, 0x100000001b3, %u{register};");
            }
            writer.text += "cvt.u64.u32 %u2, %t1; shl.b64 %u2, %u2, 17; xor.b64 D, %u1, %u2;";
            let mut form = exact(writer.text, &[I32; 4], I64);
            form.name = format!("program {seed}");
            form
        })
        .collect()
}
