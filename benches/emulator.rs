//! Multiply-adds per second of the emulator, beside a plain Rust product in the same run.
//!
//! `cargo bench --bench emulator -- [NAME…] [COLUMN…]`: one core, n = 512, each kernel instruction by instruction, plain,
//! with counts, and with hazards too. Names are ends of kernels' names.
#![allow(clippy::print_stdout, reason = "a table on the terminal")]

use matmul_tutor::simt::{Arg, Control, Launch, Measure, Memory, Module, Options, run};
use std::time::Instant;

const N: usize = 512;
const COLUMNS: [&str; 4] = ["unfused", "plain", "counts", "all"];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let values: Vec<f32> = (0..N * N).map(|i| (i * 7919 % 1000) as f32 / 500.0 - 1.0).collect();
    let fma = (N * N * N) as f64;
    println!("{:34} {:>12}", "plain Rust loop", rate(fma, best(|| plain(&values, &values))));
    let folder = format!("{}/assets/ptx", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .map(|all| all.flatten().filter_map(|f| f.file_name().into_string().ok()).collect())
        .unwrap_or_default();
    names.sort();
    println!("{:34} {:>12} {:>12} {:>12} {:>12} {:>9}", "FMA/s of", "unfused", "plain", "counts", "all", "load, ms");
    for name in names.iter().filter_map(|name| name.strip_suffix(".ptx")) {
        let mut names = wanted.iter().filter(|w| !COLUMNS.contains(&w.as_str())).peekable();
        if names.peek().is_some() && !names.any(|w| name.ends_with(w.as_str())) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(format!("{folder}/{name}.ptx")) else { continue };
        let began = Instant::now();
        let Ok(kernel) = Module::parse(&text).and_then(|module| module.kernel(name)) else { continue };
        let load = began.elapsed().as_secs_f64() * 1e3;
        let side = if name.contains("naive") || name.contains("tiled32") { 32 } else { 16 };
        let tiles = N.div_ceil(side) as u32;
        let (block, grid) = match name {
            "sgemm_row_per_block" => ([1024, 1, 1], [N as u32, 1, 1]),
            _ => ([side as u32, side as u32, 1], [tiles, tiles, 1]),
        };
        let mut rates = Vec::new();
        let only: Vec<&String> = wanted.iter().filter(|w| COLUMNS.contains(&w.as_str())).collect();
        let runs = [(Measure::None, true), (Measure::None, false), (Measure::Counts, false), (Measure::All, false)];
        for ((measure, unfused), column) in runs.into_iter().zip(COLUMNS) {
            if !only.is_empty() && !only.iter().any(|only| *only == column) {
                rates.push(String::new());
                continue;
            }
            let seconds = best(|| {
                let mut memory = Memory::new();
                let buffers = ["A", "B", "C"].map(|name| Arg::Buffer(memory.add_f32(name, &values)));
                let mut args = buffers.to_vec();
                args.extend([Arg::S32(N as i32); 6]);
                args.extend([Arg::F32(1.0), Arg::F32(0.0)]);
                let launch = Launch { grid, block, dynamic_shared: 0, args };
                let options = Options { measure, unfused, threads: Some(1), ..Options::default() };
                if let Err(fault) = run(&kernel, &launch, &mut memory, &options, &Control::default()) {
                    println!("{name}: {fault}");
                }
            });
            rates.push(rate(fma, seconds));
        }
        println!("{name:34} {:>12} {:>12} {:>12} {:>12} {load:>9.2}", rates[0], rates[1], rates[2], rates[3]);
    }
}

fn rate(work: f64, seconds: f64) -> String {
    format!("{:.2e}", work / seconds)
}

fn best(mut work: impl FnMut()) -> f64 {
    let began = Instant::now();
    (0..3)
        .map(|_| {
            let before = on_core(began);
            work();
            on_core(began) - before
        })
        .fold(f64::INFINITY, f64::min)
}

/// Seconds that this thread was on a core, where the system tells, so that other work on the machine counts less;
/// else seconds since `began`.
fn on_core(began: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| began.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

/// Rows of B times elements of A, as a programmer writes it first who knows about caches.
fn plain(a: &[f32], b: &[f32]) {
    let mut c = vec![0.0f32; N * N];
    for row in 0..N {
        for k in 0..N {
            let scale = a[row * N + k];
            for column in 0..N {
                c[row * N + column] += scale * b[k * N + column];
            }
        }
    }
    std::hint::black_box(&c);
}
