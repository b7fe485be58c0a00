//! Multiply-adds per second of the emulator on one core, compared with a simple Rust product in the same run.
//!
//! `cargo bench --bench throughput -- [n=512] [NAME…] [FILE.ptx,BX,BY,COLUMNS,ROWS…]`: each kernel of `product.ptx`
//! instruction by instruction, with fused regions, with counts, and with hazards too. A PTX file gives a different kernel, with its
//! block and with how much of C a block computes. Its parameters are A, B, C, then up to six numbers that are all n
//! (sizes and pitches), then 1 and 0 (the factors of A·B and C).
#![allow(clippy::print_stdout, reason = "a table on the terminal")]

use ptx_emulator::{Arg, Control, Fault, Kernel, Launch, Measure, Memory, Module, Options, run};
use std::sync::LazyLock;
use std::time::Instant;

/// A kernel to measure, with its block and the columns and rows of C that a block computes.
struct Subject {
    kernel: Kernel,
    block: [u32; 2],
    tile: [u32; 2],
}

/// Returns the kernels of `product.ptx`.
fn own() -> Result<Vec<Subject>, Fault> {
    let module = Module::parse(include_str!("product.ptx"))?;
    let subject = |name| Ok(Subject { kernel: module.kernel(name)?, block: [16; 2], tile: [16; 2] });
    ["naive", "tiled"].into_iter().map(subject).collect()
}

/// Reads `FILE.ptx,BX,BY,COLUMNS,ROWS`. Returns its first kernel.
fn other(word: &str) -> Option<Subject> {
    let mut parts = word.split(',');
    let module = Module::parse(&std::fs::read_to_string(parts.next()?).ok()?).ok()?;
    let kernel = module.kernel(module.kernels().next()?).ok()?;
    let mut number = || parts.next()?.parse().ok();
    Some(Subject { kernel, block: [number()?, number()?], tile: [number()?, number()?] })
}

impl Subject {
    /// Multiplies two n × n matrices. Returns the seconds that the fastest of three runs takes.
    fn seconds(&self, n: u32, values: &[f32], measure: Measure, unfused: bool) -> Result<f64, Fault> {
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            let mut memory = Memory::new();
            let buffers = ["A", "B", "C"].map(|name| Arg::Buffer(memory.add_f32(name, values)));
            let mut args = buffers.to_vec();
            args.extend(std::iter::repeat_n(Arg::S32(n as i32), 6));
            args.extend([Arg::F32(1.0), Arg::F32(0.0)]);
            args.truncate(self.kernel.params().len());
            let [columns, rows] = self.tile.map(|extent| n.div_ceil(extent));
            let [x, y] = self.block;
            let launch = Launch { grid: [columns, rows, 1], block: [x, y, 1], args, ..Launch::default() };
            let options = Options { measure, unfused, threads: Some(1), ..Options::default() };
            let began = seconds();
            run(&self.kernel, &launch, &mut memory, &options, &Control::default())?;
            best = best.min(seconds() - began);
        }
        Ok(best)
    }
}

/// Returns how long this thread has been on a core, where the system tells, so that other work on the machine counts less.
/// Otherwise it returns how long the program has been running.
fn seconds() -> f64 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let on_core = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = on_core.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    nanoseconds.map_or_else(|| BEGAN.elapsed().as_secs_f64(), |spent| spent as f64 * 1e-9)
}

/// Adds rows of B times elements of A: the loop that a programmer writes first who knows about caches.
fn plain(n: usize, a: &[f32], b: &[f32]) -> f64 {
    let began = seconds();
    let mut c = vec![0.0f32; n * n];
    for row in 0..n {
        for k in 0..n {
            let scale = a[row * n + k];
            for column in 0..n {
                c[row * n + column] += scale * b[k * n + column];
            }
        }
    }
    std::hint::black_box(&c);
    seconds() - began
}

fn main() -> Result<(), Fault> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let n = words.iter().find_map(|word| word.strip_prefix("n=")?.parse().ok()).unwrap_or(512u32);
    let (files, names): (Vec<&String>, Vec<&String>) =
        words.iter().filter(|word| !word.contains('=')).partition(|word| word.contains(".ptx"));
    let wanted = |subject: &Subject| match names.as_slice() {
        [] => files.is_empty(),
        names => names.iter().any(|name| *name == subject.kernel.name()),
    };
    let subjects = own()?.into_iter().filter(wanted).chain(files.iter().filter_map(|word| other(word)));

    let values: Vec<f32> = (0..n * n).map(|i| (i.wrapping_mul(7919) % 1000) as f32 / 500.0 - 1.0).collect();
    let rate = |seconds: f64| format!("{:.2e}", f64::from(n).powi(3) / seconds);
    println!("{:34} {:>12}", "loop in plain Rust", rate(plain(n as usize, &values, &values)));
    println!("{:34} {:>12} {:>12} {:>12} {:>12}", "multiply-adds/s", "unfused", "fused", "counts", "hazards");
    for subject in subjects {
        let unfused = subject.seconds(n, &values, Measure::None, true)?;
        let [fused, counts, hazards] = [Measure::None, Measure::Counts, Measure::All]
            .map(|measure| subject.seconds(n, &values, measure, false).map_or_else(|fault| fault.to_string(), rate));
        println!("{:34} {:>12} {fused:>12} {counts:>12} {hazards:>12}", subject.kernel.name(), rate(unfused));
    }
    Ok(())
}
