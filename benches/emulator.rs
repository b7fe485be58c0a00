//! Multiply-adds per second of the emulator, compared with a simple Rust product in the same run.
//!
//! `cargo bench --bench emulator -- [NAME…] [COLUMN…] [n=512] [threads=1] [FILE.ptx,BX,BY,COLUMNS,ROWS…]`: each kernel of the
//! catalogue instruction by instruction, plain, with counts, and with hazards too. Names are ends of kernels' names; a
//! file is a different kernel with the same parameters, its block, and how much of C a block computes.
#![allow(clippy::print_stdout, reason = "a table on the terminal")]

use ptx_emulator::{Arg, BufferId, Control, Launch, Measure, Memory, Module, Options, TensorMap, run};
use std::sync::OnceLock;
use std::time::Instant;
use tutor_kernels::{Catalog, Elements, Swizzle, TensorMaps};

/// A number of the command line, `NAME=NUMBER`.
fn given(name: &str, otherwise: usize) -> usize {
    let number = |word: String| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok();
    std::env::args().find_map(number).unwrap_or(otherwise)
}

/// Number of rows of the square matrices.
fn n() -> usize {
    static SIZE: OnceLock<usize> = OnceLock::new();
    *SIZE.get_or_init(|| given("n", 512))
}

/// The columns to measure; `load` only measures the loading time.
const COLUMNS: [&str; 5] = ["unfused", "plain", "counts", "all", "load"];

/// A kernel to measure.
struct Subject {
    name: String,
    ptx: String,
    entry: String,
    block: [u32; 3],
    grid: [u32; 3],
    shared_bytes: u32,
    element_bytes: usize,
    maps: TensorMaps,
}

impl Subject {
    /// Returns the tensor maps that precede its buffers in the arguments.
    fn maps(&self, memory: &Memory, buffers: [BufferId; 3]) -> impl Iterator<Item = Arg> {
        let element = if self.element_bytes == 4 { ptx_emulator::Element::F32 } else { ptx_emulator::Element::Bf16 };
        self.maps.each().filter_map(move |(name, map)| {
            let address = memory.address(buffers["ABC".find(name).unwrap_or(0)]);
            let stride = (n() * self.element_bytes) as u64;
            let mut made = TensorMap::tiled(address, element, &[n() as u64; 2], &[stride], &map.extent).ok()?;
            made.swizzle = match map.swizzle {
                Swizzle::None => ptx_emulator::Swizzle::None,
                Swizzle::B32 => ptx_emulator::Swizzle::B32,
                Swizzle::B64 => ptx_emulator::Swizzle::B64,
                Swizzle::B128 => ptx_emulator::Swizzle::B128,
            };
            Some(Arg::TensorMap(made))
        })
    }
}

fn catalogue() -> Vec<Subject> {
    let kernels = Catalog::built_in().kernels().iter();
    let subject = |kernel: &tutor_kernels::Kernel| {
        let geometry = kernel.geometry(n() as u32, n() as u32, n() as u32).ok()?;
        Some(Subject {
            name: kernel.id.clone(),
            ptx: kernel.ptx.as_deref()?.to_owned(),
            entry: kernel.entry.clone(),
            block: geometry.block,
            grid: geometry.grid,
            shared_bytes: kernel.shared_bytes,
            element_bytes: if matches!(kernel.elements, Elements::F32 | Elements::Tf32) { 4 } else { 2 },
            maps: kernel.tensor_maps,
        })
    };
    kernels.filter_map(subject).collect()
}

/// `FILE.ptx,BX,BY,COLUMNS,ROWS`.
fn file(text: &str) -> Option<Subject> {
    let mut parts = text.split(',');
    let path = parts.next()?;
    let mut number = || parts.next()?.parse::<u32>().ok();
    let (bx, by, columns, rows) = (number()?, number()?, number()?, number()?);
    let ptx = std::fs::read_to_string(path).ok()?;
    let entry = Module::parse(&ptx).ok()?.kernels().next()?.to_owned();
    let tiles = |extent: u32| (n() as u32).div_ceil(extent);
    let (block, grid) = ([bx, by, 1], [tiles(columns), tiles(rows), 1]);
    Some(Subject {
        name: entry.clone(),
        ptx,
        entry,
        block,
        grid,
        shared_bytes: 0,
        element_bytes: 4,
        maps: TensorMaps::default(),
    })
}

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-') && !arg.contains('=')).collect();
    let (columns, words): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| COLUMNS.contains(&word.as_str()));
    let (files, names): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word.contains(".ptx"));
    let mut subjects: Vec<Subject> = files.iter().filter_map(|text| file(text)).collect();
    let all = names.is_empty() && files.is_empty();
    subjects
        .extend(catalogue().into_iter().filter(|s| all || names.iter().any(|name| s.name.ends_with(name.as_str()))));
    let values: Vec<f32> = (0..n() * n()).map(|i| (i * 7919 % 1000) as f32 / 500.0 - 1.0).collect();
    let (fma, threads) = (n().pow(3) as f64, given("threads", 1));
    println!("{:34} {:>12}", "plain Rust loop", rate(fma, best(|| plain(&values, &values))));
    println!("{:34} {:>12} {:>12} {:>12} {:>12} {:>9}", "FMA/s of", "unfused", "plain", "counts", "all", "load, ms");
    for subject in &subjects {
        let name = &subject.name;
        let parse = || Module::parse(&subject.ptx).and_then(|module| module.kernel(&subject.entry));
        let load = best(|| drop(parse())).min(best(|| drop(parse()))) * 1e3;
        let kernel = match parse() {
            Ok(kernel) => kernel,
            Err(fault) => {
                println!("{name:34} {fault}");
                continue;
            }
        };
        let bytes: Vec<u8> =
            values.iter().flat_map(|v| v.to_le_bytes()[4 - subject.element_bytes..].to_vec()).collect();
        let runs = [(Measure::None, true), (Measure::None, false), (Measure::Counts, false), (Measure::All, false)];
        let mut rates = Vec::new();
        for ((measure, unfused), column) in runs.into_iter().zip(COLUMNS) {
            if !columns.is_empty() && !columns.iter().any(|only| only == column) {
                rates.push(String::new());
                continue;
            }
            let seconds = best(|| {
                let mut memory = Memory::new();
                let buffers = ["A", "B", "C"].map(|name| memory.add(name, &bytes));
                let mut args: Vec<Arg> = subject.maps(&memory, buffers).collect();
                args.extend(buffers.map(Arg::Buffer));
                args.extend(std::iter::repeat_n(Arg::S32(n() as i32), 6));
                args.extend([Arg::F32(1.0), Arg::F32(0.0)]);
                let dynamic_shared = subject.shared_bytes.into();
                let launch =
                    Launch { grid: subject.grid, block: subject.block, dynamic_shared, args, ..Launch::default() };
                let options = Options { measure, unfused, threads: Some(threads), ..Options::default() };
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
    let times = if n() > 1024 { 1 } else { 3 };
    (0..times)
        .map(|_| {
            let before = on_core(began);
            work();
            on_core(began) - before
        })
        .fold(f64::INFINITY, f64::min)
}

/// Seconds that this thread was on a core, where it is alone and the system tells, so that other work on the machine
/// counts less; else seconds since `began`.
fn on_core(began: Instant) -> f64 {
    #[cfg(unix)]
    if given("threads", 1) == 1 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `clock_gettime` writes only to `time`.
        if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) } == 0 {
            return time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9;
        }
    }
    began.elapsed().as_secs_f64()
}

/// Rows of B times elements of A, as a programmer writes it first who knows about caches.
fn plain(a: &[f32], b: &[f32]) {
    let n = n();
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
}
