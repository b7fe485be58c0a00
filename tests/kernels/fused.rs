//! Fused stretches against the same code instruction by instruction: results, registers, counts, hazards and faults
//! are the same, in the project's kernels and in random programs.

use crate::emulator::{Problem, Product, Random};
use crate::support::{KERNELS, asset, launch};
use ptx_emulator::{Arg, Control, Fault, Launch, Measure, Memory, Module, Options, Run, run};
use std::fmt::Write;

/// How a run ended, without the time it took, and what the buffers hold then.
type Outcome = (Result<Run, Fault>, Vec<Vec<u8>>);

fn outcome(kernel: &ptx_emulator::Kernel, options: &Options, set: impl Fn(&mut Memory) -> Launch) -> Outcome {
    let mut memory = Memory::new();
    let launch = set(&mut memory);
    let buffers: Vec<_> =
        launch.args.iter().filter_map(|arg| if let Arg::Buffer(id) = arg { Some(*id) } else { None }).collect();
    let mut outcome = run(kernel, &launch, &mut memory, options, &Control::default());
    if let Ok(run) = &mut outcome {
        run.stats.seconds = 0.0;
    }
    (outcome, buffers.into_iter().map(|id| memory.read(id).to_vec()).collect())
}

fn agree(kernel: &ptx_emulator::Kernel, what: &str, set: impl Fn(&mut Memory) -> Launch) -> Outcome {
    let mut last = None;
    for measure in [Measure::None, Measure::Counts, Measure::All] {
        let options = Options { measure, threads: Some(1), step_budget: Some(1 << 20), ..Options::default() };
        let fused = outcome(kernel, &options, &set);
        let unfused = outcome(kernel, &Options { unfused: true, ..options }, &set);
        assert!(fused.0 == unfused.0, "{what}: {:?}\n{:?}", fused.0, unfused.0);
        assert!(fused.1 == unfused.1, "{what}: the results differ");
        last = Some(fused);
    }
    last.unwrap()
}

#[test]
fn the_projects_kernels_do_the_same_fused_and_unfused() {
    for name in KERNELS {
        let kernel = asset(name);
        for (m, n, k) in [(16, 32, 48), (33, 20, 37)] {
            let problem = Problem { m, n, k, extra: [1, 2, 0], alpha: 1.25, beta: -0.5 };
            let mut product = Product::new(problem, 11);
            product.a[5] = f32::NAN;
            product.b[7] = f32::INFINITY;
            product.b[40] = f32::MIN_POSITIVE / 8.0;
            let (outcome, _) = agree(&kernel, name, |memory| launch(name, &product, memory).0);
            outcome.unwrap();
        }
    }
}

const FLOATS: u64 = 10;
const SHARED: u64 = 4096;
/// Bytes of the buffers that a program reads and writes.
const INPUT: usize = 1 << 14;

/// Writes a random program: sums of products, register tiles, address arithmetic, accesses of every width, loops and
/// branches. Registers are few, so that they alias in every way. `wild` lets an access go wrong now and then.
struct Author {
    random: Random,
    text: String,
    labels: u32,
    wild: bool,
}

impl Author {
    fn below(&mut self, n: u64) -> u64 {
        (self.random.bits() >> 33) % n
    }

    fn float(&mut self) -> String {
        format!("%f{}", self.below(FLOATS))
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "        {line}").unwrap();
    }

    fn shared_address(&mut self, align: u64) -> String {
        let mut offset = self.below(SHARED / 2 / align) * align;
        if self.wild && self.below(150) == 0 {
            offset = [SHARED, 3 * SHARED, 2, offset + 1][self.below(4) as usize];
        }
        match self.below(5) {
            // %rd1…%rd3 are moved by the program; %r5 is the same as %rd3 with 32 bits.
            4 => format!("[%r5+{offset}]"),
            which => format!("[%rd{}+{offset}]", 1 + which % 3),
        }
    }

    fn global_address(&mut self, align: u64) -> String {
        let mut offset = self.below(INPUT as u64 / 4 / align) * align;
        if self.wild && self.below(150) == 0 {
            offset = [INPUT as u64 * 2, 1, offset + 2][self.below(3) as usize];
        }
        format!("[%rd{}+{offset}]", 5 + self.below(2))
    }

    fn products(&mut self) {
        let (x, y) = (1 + self.below(3), 1 + self.below(3));
        let mut sum = self.float();
        for _ in 0..1 + self.below(12) {
            let (f, g) = (self.float(), self.float());
            let next = if self.below(3) == 0 { sum.clone() } else { self.float() };
            let (i, j) = (4 * self.below(200), 4 * self.below(200));
            self.line(&format!("ld.shared.f32 {f}, [%rd{x}+{i}];"));
            self.line(&format!("ld.shared.f32 {g}, [%rd{y}+{j}];"));
            let (a, b) = if self.below(2) == 0 { (&f, &g) } else { (&g, &f) };
            let line = format!("fma.rn.f32 {next}, {a}, {b}, {sum};");
            self.line(&line);
            sum = next;
        }
    }

    /// A loop that only computes a product; now and then with an instruction that such a loop does not have.
    fn rolled(&mut self) {
        self.labels += 1;
        let label = self.labels;
        let bound = 1 + self.below(12);
        self.line("mov.u32 %r8, 0;");
        // How often the lanes go round differs in one of four.
        let rounds = ["min.u32 %r9, %r4", "mov.u32 %r9", "mov.u32 %r9", "mov.u32 %r9"][self.below(4) as usize];
        self.line(&format!("{rounds}, {bound};"));
        let last = 1 + self.below(3);
        self.line(&format!("add.s64 %rd10, %rd{last}, {};", 16 * bound));
        writeln!(self.text, "$L{label}:").unwrap();
        let address = |author: &mut Self| match author.below(4) {
            0 => "%r5".to_owned(),
            _ => format!("%rd{}", 1 + author.below(3)),
        };
        let (x, y, sum) = (address(self), address(self), self.float());
        for _ in 0..1 + self.below(3) {
            let (f, g) = (self.float(), self.float());
            let (i, j) = (4 * self.below(100), 4 * self.below(100));
            self.line(&format!("ld.shared.f32 {f}, [{x}+{i}];"));
            self.line(&format!("ld.shared.f32 {g}, [{y}+{j}];"));
            self.line(&format!("fma.rn.f32 {sum}, {f}, {g}, {sum};"));
        }
        for moved in [x, y] {
            let by = [4i64, 16, 64, -4][self.below(4) as usize];
            let by = if self.wild && self.below(20) == 0 { [1000, -400, 2][self.below(3) as usize] } else { by };
            match self.below(5) {
                0 => {}
                _ if moved.starts_with("%rd") => self.line(&format!("add.s64 {moved}, {moved}, {by};")),
                _ => self.line(&format!("add.s32 {moved}, {moved}, {by};")),
            }
        }
        match self.below(9) {
            0 => self.line(&format!("mul.f32 {sum}, {sum}, %f0;")),
            1 => self.line("add.s64 %rd11, %rd1, %rd2;"),
            2 => self.line("xor.b32 %r2, %r2, %r8;"),
            _ => {}
        }
        self.line("add.s32 %r8, %r8, 1;");
        self.line("setp.lt.u32 %p4, %r8, %r9;");
        // The loop ends by an address, too.
        if self.below(4) == 0 {
            self.line(&format!("setp.ne.s64 %p5, %rd{last}, %rd10;"));
            self.line("and.pred %p4, %p4, %p5;");
        }
        self.line(&format!("@%p4 bra $L{label};"));
    }

    /// Loads of words near each other in global memory, among other things.
    fn window(&mut self) {
        let (rd, first) = (5 + self.below(2), 4 * self.below(200));
        for _ in 0..2 + self.below(4) {
            let (d, offset) = (self.float(), first + 4 * self.below(6));
            self.line(&format!("ld.global.f32 {d}, [%rd{rd}+{offset}];"));
            (0..self.below(3)).for_each(|_| self.one());
        }
    }

    fn one(&mut self) {
        let (d, a, b, c) = (self.float(), self.float(), self.float(), self.float());
        let line = match self.below(16) {
            0..3 => format!("fma.rn.f32 {d}, {a}, {b}, {c};"),
            3 => format!("ld.shared.f32 {d}, {};", self.shared_address(4)),
            4 => format!("ld.shared.v2.f32 {{%f0, %f1}}, {};", self.shared_address(8)),
            5 => format!("ld.shared.v4.f32 {{%f5, %f2, %f3, %f4}}, {};", self.shared_address(16)),
            6 => format!("ld.global.f32 {d}, {};", self.global_address(4)),
            7 => format!("ld.global.nc.v4.f32 {{%f6, %f7, %f8, %f9}}, {};", self.global_address(16)),
            8 => format!("st.shared.f32 {}, {a};", self.shared_address(4)),
            9 => format!("st.shared.v4.f32 {}, {{%f0, %f1, %f2, %f3}};", self.shared_address(16)),
            10 => format!("add.s64 %rd{0}, %rd{0}, {1};", 1 + self.below(3), 16 * self.below(8)),
            11 => format!("add.s64 %rd5, %rd5, {};", [16i64, 64, -16][self.below(3) as usize]),
            12 => format!("mad.lo.s32 %r2, %r2, {}, %r1;", self.below(9)),
            13 => format!("@{}%p1 add.f32 {d}, {a}, {b};", ["", "!"][self.below(2) as usize]),
            14 => format!("setp.lt.s32 %p1, %r1, {};", self.below(70)),
            _ => format!("min.f32 {d}, {a}, {b};"),
        };
        self.line(&line);
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..2 + self.below(5) {
            match self.below(10) {
                0..2 => self.products(),
                9 => self.rolled(),
                2 => self.window(),
                3..7 => (0..1 + self.below(10)).for_each(|_| self.one()),
                7 if depth < 2 => {
                    self.labels += 1;
                    let label = self.labels;
                    let bound = self.below(70);
                    self.line(&format!("setp.gt.u32 %p2, %r1, {bound};"));
                    self.line(&format!("@%p2 bra $L{label};"));
                    self.block(depth + 1);
                    writeln!(self.text, "$L{label}:").unwrap();
                }
                8 if depth == 0 => {
                    self.labels += 1;
                    let label = self.labels;
                    self.line("mov.u32 %r3, 0;");
                    writeln!(self.text, "$L{label}:").unwrap();
                    self.block(1);
                    self.line("bar.sync 0;");
                    self.line("add.s32 %r3, %r3, 1;");
                    self.line("setp.lt.s32 %p3, %r3, 3;");
                    self.line(&format!("@%p3 bra $L{label};"));
                }
                _ => {}
            }
        }
    }

    fn program(seed: u64) -> String {
        let mut author =
            Self { random: Random(seed * 2 + 1), text: String::new(), labels: 0, wild: seed.is_multiple_of(3) };
        (0..20).for_each(|_| {
            author.random.bits();
        });
        // How the three shared addresses lie: side by side, all at one place, in two rows, far apart.
        for rd in 1..4 {
            let scale = [
                "mul.wide.u32 %rd0, %r1, 4",
                "mov.u64 %rd0, 64",
                "mul.wide.u32 %rd0, %r4, 64",
                "mul.wide.u32 %rd0, %r1, 16",
            ][author.below(4) as usize];
            author.line(&format!("{scale};"));
            author.line(&format!("add.s64 %rd{rd}, %rd0, %rd7;"));
        }
        author.line("cvt.u32.u64 %r5, %rd3;");
        for rd in 5..7 {
            let step = [4, 16, 0][author.below(3) as usize];
            author.line(&format!("mul.wide.u32 %rd0, %r1, {step};"));
            author.line(&format!("add.s64 %rd{rd}, %rd8, %rd0;"));
        }
        for f in 0..FLOATS {
            author.line(&format!("ld.global.f32 %f{f}, [%rd8+{}];", 4 * f));
        }
        author.line("st.shared.v4.f32 [%rd3], {%f0, %f1, %f2, %f3};".replace("[%rd3]", "[%rd4]").as_str());
        author.line("bar.sync 0;");
        author.block(0);
        let mut end = String::new();
        for f in 0..FLOATS {
            writeln!(end, "        st.global.f32 [%rd9+{}], %f{f};", 4 * f).unwrap();
        }
        for (slot, rd) in [1, 2, 3, 5, 6].iter().enumerate() {
            writeln!(end, "        st.global.u64 [%rd9+{}], %rd{rd};", 40 + 8 * slot).unwrap();
        }
        format!(
            ".version 8.0
            .target sm_75
            .address_size 64
            .visible .entry random(.param .u64 in, .param .u64 out) {{
                .reg .u64 %rd<16>; .reg .u32 %r<10>; .reg .f32 %f<{FLOATS}>; .reg .pred %p<6>;
                .shared .align 16 .b8 tile[{SHARED}];
                mov.u64 %rd7, tile;
                mov.u32 %r1, %tid.x;
                shr.u32 %r4, %r1, 4;
                ld.param.u64 %rd8, [in];
                ld.param.u64 %rd9, [out];
                mov.u32 %r6, %ctaid.x;
                mov.u32 %r7, %ntid.x;
                mad.lo.s32 %r6, %r6, %r7, %r1;
                mul.wide.u32 %rd0, %r6, 80;
                add.s64 %rd9, %rd9, %rd0;
                and.b32 %r6, %r1, 63;
                mul.wide.u32 %rd0, %r6, 16;
                add.s64 %rd4, %rd7, %rd0;
                setp.lt.s32 %p1, %r1, 20;
            {}{end}        ret;
            }}",
            author.text
        )
    }
}

#[test]
fn random_programs_do_the_same_fused_and_unfused() {
    let special = [f32::NAN, f32::INFINITY, -0.0, f32::MIN_POSITIVE / 4.0, f32::MAX, -1.0e-30];
    let (mut ran, mut faults) = (0, 0);
    for seed in 1..=250u64 {
        let text = Author::program(seed);
        let kernel = Module::parse(&text).and_then(|module| module.kernel("random"));
        let kernel = kernel.unwrap_or_else(|fault| panic!("{fault}\n{text}"));
        let mut random = Random(seed);
        let mut input = random.f32s(INPUT / 4);
        for value in special {
            let at = random.bits() as usize % input.len();
            input[at] = value;
        }
        let threads = [32, 64, 48, 96, 33][seed as usize % 5];
        let set = |memory: &mut Memory| {
            let (from, to) = (memory.add_f32("in", &input), memory.add("out", &vec![0; 2 * 96 * 80]));
            let args = vec![Arg::Buffer(from), Arg::Buffer(to)];
            Launch { grid: [2, 1, 1], block: [threads, 1, 1], args, ..Launch::default() }
        };
        match agree(&kernel, &format!("seed {seed}\n{text}"), set).0 {
            Ok(_) => ran += 1,
            Err(_) => faults += 1,
        }
    }
    assert!(ran > 60 && faults > 10, "{ran} programs ran to their end, {faults} faulted");
}

/// The same tests in a process that does not use AVX2 and FMA: what an older processor runs.
#[test]
fn without_avx2_results_counts_and_faults_are_the_same() {
    if std::env::var_os("PTX_EMULATOR_SIMD").is_some() {
        return;
    }
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    let output = command.args(["fused::", "products::"]).env("PTX_EMULATOR_SIMD", "off").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
