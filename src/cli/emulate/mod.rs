//! `emulate`: any kernel of any PTX file, on the emulator.

mod hazards;
mod show;

use super::{Exit, output};
use crate::author::render;
use crate::course::Problem;
use crate::simt::{
    self, Arg, BufferId, Control, Counts, Fault, FaultKind, Hazard, Kernel, Launch, LineCounts, Measure, Memory,
    Module, Options, Stats,
};
use hazards::Shown;
use serde::Serialize;
use show::Show;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Arguments of `emulate`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// PTX text.
    file: PathBuf,
    /// Kernel to run.
    #[arg(long, value_name = "NAME")]
    entry: String,
    /// Blocks.
    #[arg(long, default_value = "1,1,1", value_name = "X,Y,Z", value_parser = extent)]
    grid: [u32; 3],
    /// Threads of a block.
    #[arg(long, default_value = "1,1,1", value_name = "X,Y,Z", value_parser = extent)]
    block: [u32; 3],
    /// Bytes of dynamic shared memory.
    #[arg(long, default_value_t = 0, value_name = "BYTES")]
    shared: u64,
    /// A parameter, in order: u32:7, s32:-1, u64:7, f32:1.5, f64:1.5, u8:1, s8:-1, u16:7, s16:-1, hex:0011… (a
    /// structure or array by value), buf:zeros:BYTES, buf:hex:0011…, buf:file:PATH, buf:f32:rand:COUNT:SEED.
    #[arg(long = "arg", value_name = "ARG")]
    args: Vec<String>,
    /// What to measure beside the results.
    #[arg(long, default_value = "counts")]
    measure: Measured,
    /// Stop a block after this many warp instructions, as it is probably endless.
    #[arg(long, value_name = "N", default_value_t = STEPS)]
    steps: u64,
    /// Most bytes of a thread's stack, for calls that are recursive or through pointers.
    #[arg(long, value_name = "BYTES")]
    stack: Option<u64>,
    /// End at the first read of shared or local memory that nothing has written; else such reads give zero.
    #[arg(long)]
    uninitialised: bool,
    /// Print the buffers as numbers of this kind, the first so many of each [default: 64]: f32, s32, u32, f64 or hex,
    /// e.g. f32:16.
    #[arg(long, value_name = "KIND[:COUNT]", value_parser = Show::read)]
    show: Option<Show>,
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

/// The end of the help.
pub(super) const EXAMPLES: &str = "\
Example, for `.entry add(.param .u64 x, .param .u32 n)`:
  matmul-tutor emulate add.ptx --entry add --grid 4 --block 256 \\
      --arg buf:f32:rand:1024:1 --arg u32:1024 --measure all --show f32:16

Exit codes: 0 it ran; 1 it faulted; 2 the PTX or the call is wrong.";

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Measured {
    /// Results only.
    None,
    /// What accesses cost.
    Counts,
    /// Hazards too.
    All,
}

/// Most bytes of all buffers together for which hazards between blocks are looked for.
const MOST_WATCHED: u64 = 64 << 20;
/// Hazards for which two ways are tried.
const MOST_SHOWN: usize = 4;

fn extent(text: &str) -> Result<[u32; 3], String> {
    let mut extent = [1u32; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("at most three numbers: X,Y,Z".to_owned());
    }
    for (out, part) in extent.iter_mut().zip(parts) {
        *out = part.trim().parse().map_err(|_| format!("`{part}` is not a number"))?;
    }
    Ok(extent)
}

/// Most bytes of all buffers together.
const MOST_BYTES: u64 = 8 << 30;
/// Longest file for one buffer.
const MOST_FILE_BYTES: u64 = 1 << 30;
/// Longest PTX; a million instructions take some 50 MB.
const LONGEST_PTX: u64 = 128 << 20;
/// Warp instructions of a block before it is taken to be endless: minutes of work, at most.
const STEPS: u64 = 1 << 32;

#[derive(Serialize)]
struct Success {
    ok: bool,
    buffers: Vec<String>,
    /// With `--show`: the numbers of each buffer, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<Vec<Vec<String>>>,
    counts: Option<Counts>,
    hazards: Vec<Hazard>,
    /// For the first hazards, in their order: two values that come out in two ways, or why there are none.
    witnesses: Vec<Shown>,
    /// What the kernel printed.
    output: String,
    stats: Stats,
}

#[derive(Serialize)]
struct Failure {
    ok: bool,
    error: Fault,
    /// What was found before the fault, and the two ways of the first of them.
    hazards: Vec<Hazard>,
    witnesses: Vec<Shown>,
    output: String,
}

impl Failure {
    /// As any command tells a failure, with what only an emulator knows besides.
    fn document(&self) -> serde_json::Result<serde_json::Value> {
        let mut document = serde_json::to_value(self)?;
        if let Some(error) = document.get_mut("error").and_then(serde_json::Value::as_object_mut) {
            error.entry("help").or_insert_with(|| serde_json::Value::Null);
            for nowhere in ["file", "line", "column"] {
                let value = error.entry(nowhere).or_insert_with(|| serde_json::Value::Null);
                if *value == 0 || *value == "" {
                    *value = serde_json::Value::Null;
                }
            }
        }
        Ok(document)
    }

    fn new(error: Fault) -> Self {
        Self { ok: false, error, hazards: Vec::new(), witnesses: Vec::new(), output: String::new() }
    }
}

/// Runs a kernel and tells what came of it.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    match emulate(args) {
        Ok(success) => {
            if args.json {
                output::json(&success)?;
            } else {
                tell(&success, args.show)?;
            }
            Ok(Exit::Done)
        }
        Err(failure) => {
            let kind = failure.error.kind;
            let wrong_call = matches!(kind, FaultKind::Parse | FaultKind::Unsupported | FaultKind::Launch);
            let exit = if wrong_call { Exit::Usage } else { Exit::Failed };
            if args.json {
                output::json(&failure.document()?)?;
                return Ok(exit);
            }
            tell_printed(&failure.output)?;
            hazards::tell(&failure.hazards, &failure.witnesses)?;
            Ok(explain(&args.file, &failure.error, exit))
        }
    }
}

/// Tells what is wrong, with the line of the PTX if it is that.
fn explain(file: &Path, fault: &Fault, exit: Exit) -> Exit {
    let wrong_text = matches!(fault.kind, FaultKind::Parse | FaultKind::Unsupported);
    let place = format!("Line {}, column {}: ", fault.line, fault.column);
    match (wrong_text, fault.message.strip_prefix(&place), read(file, LONGEST_PTX)) {
        (true, Some(message), Ok(bytes)) => {
            let text = String::from_utf8_lossy(&bytes);
            let code = if fault.kind == FaultKind::Parse { "parse" } else { "unsupported" };
            let mut problem = Problem::error(code, shown(&file.display().to_string()), shown(&capital(message)));
            problem = problem.at(&text, fault.line, fault.column, 1);
            if let Some(help) = not_ptx(&bytes) {
                problem = problem.help(help);
            }
            output::note(format_args!("{}", render(&problem, false)));
            exit
        }
        _ => super::failure(exit, &shown(&fault.message), None),
    }
}

/// What to do with a file that is something else.
fn not_ptx(bytes: &[u8]) -> Option<&'static str> {
    let has = |word: &str| bytes.windows(word.len()).any(|found| found == word.as_bytes());
    if bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"\x50\xed\x55\xba") {
        Some("This is a compiled program. `cuobjdump -ptx FILE` shows the PTX in it, if it has any.")
    } else if has(".version") {
        None
    } else if has("__global__") {
        Some("This is CUDA C++. `nvcc -ptx FILE`, or NVRTC, compiles it to PTX.")
    } else {
        Some("PTX begins with `.version`; `nvcc -ptx FILE.cu` writes it.")
    }
}

/// A stranger's text, without control characters.
fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn wrong_call(message: String) -> Fault {
    let kind = FaultKind::Launch;
    Fault { kind, message, line: 0, column: 0, file: String::new(), thread: None, block: None }
}

fn emulate(args: &Args) -> Result<Success, Box<Failure>> {
    let refused = |fault| Box::new(Failure::new(fault));
    let (kernel, launch, mut memory, buffers, bytes) = prepare(args).map_err(refused)?;
    let measure = match args.measure {
        Measured::None => Measure::None,
        Measured::Counts => Measure::Counts,
        Measured::All => Measure::All,
    };
    let all = measure == Measure::All;
    let global_hazards = all && bytes <= MOST_WATCHED;
    let (step_budget, stack_bytes) = (Some(args.steps), args.stack);
    let options = Options {
        measure,
        step_budget,
        global_hazards,
        stack_bytes,
        fault_on_uninitialised_shared: args.uninitialised,
        fault_on_uninitialised_local: args.uninitialised,
        ..Options::default()
    };
    let before = all.then(|| memory.clone());
    let outcome = simt::attempt(&kernel, &launch, &mut memory, &options, &Control::default()).map_err(refused)?;
    let run = outcome.run;
    let shown = run.hazards.iter().take(MOST_SHOWN);
    let witnesses = before.map_or_else(Vec::new, |before| {
        shown.map(|hazard| Shown::new(simt::witness(&kernel, &launch, &before, hazard))).collect()
    });
    if let Some(error) = outcome.fault {
        let (hazards, output) = (run.hazards, run.output);
        return Err(Box::new(Failure { ok: false, error, hazards, witnesses, output }));
    }
    let shown = args.show.map(|show| buffers.iter().map(|id| show.numbers(memory.read(*id))).collect());
    let buffers = buffers.into_iter().map(|id| hex(memory.read(id))).collect();
    Ok(Success {
        ok: true,
        buffers,
        shown,
        counts: run.counts,
        hazards: run.hazards,
        witnesses,
        output: run.output,
        stats: run.stats,
    })
}

/// Kernel, launch, memory with its buffers in the order of the arguments, and their bytes.
fn prepare(args: &Args) -> Result<(Kernel, Launch, Memory, Vec<BufferId>, u64), Fault> {
    let text = read(&args.file, LONGEST_PTX)
        .map_err(|error| wrong_call(format!("`{}` cannot be read: {error}.", args.file.display())))?;
    let kernel = Module::parse(&String::from_utf8_lossy(&text))?.kernel(&args.entry)?;
    let mut memory = Memory::new();
    let mut left = MOST_BYTES;
    let mut buffers = Vec::new();
    let mut launch_args = Vec::new();
    for (index, text) in args.args.iter().enumerate() {
        let arg =
            argument(text, index, &mut memory, &mut left).map_err(|why| wrong_call(format!("--arg {text}: {why}.")))?;
        if let Arg::Buffer(id) = arg {
            buffers.push(id);
        }
        launch_args.push(arg);
    }
    let launch = Launch { grid: args.grid, block: args.block, dynamic_shared: args.shared, args: launch_args };
    Ok((kernel, launch, memory, buffers, MOST_BYTES - left))
}

/// A file's bytes; one without an end, such as a device, is refused like one that is too long.
fn read(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(std::io::Error::other(format!("it is longer than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn unhex(text: &str) -> Result<Vec<u8>, String> {
    if !text.len().is_multiple_of(2) {
        return Err("an odd number of hexadecimal digits".to_owned());
    }
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits.ok_or_else(|| "not hexadecimal".to_owned())?;
    Ok(digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

/// One `--arg`.
fn argument(text: &str, index: usize, memory: &mut Memory, left: &mut u64) -> Result<Arg, String> {
    fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
        text.parse().map_err(|_| format!("`{text}` is not such a number"))
    }
    let (kind, value) = text.split_once(':').ok_or("a kind and a value are expected, as in u32:7")?;
    Ok(match kind {
        "u32" => Arg::U32(number(value)?),
        "s32" => Arg::S32(number(value)?),
        "u64" => Arg::U64(number(value)?),
        "f32" => Arg::F32(number(value)?),
        "f64" => Arg::F64(number(value)?),
        "u8" => Arg::Bytes(number::<u8>(value)?.to_le_bytes().as_slice().into()),
        "s8" => Arg::Bytes(number::<i8>(value)?.to_le_bytes().as_slice().into()),
        "u16" => Arg::Bytes(number::<u16>(value)?.to_le_bytes().as_slice().into()),
        "s16" => Arg::Bytes(number::<i16>(value)?.to_le_bytes().as_slice().into()),
        "hex" => Arg::Bytes(unhex(value)?.into()),
        "buf" => Arg::Buffer(buffer(value, &format!("argument {index}"), memory, left)?),
        _ => return Err(format!("`{kind}` is not one of u8, s8, u16, s16, u32, s32, u64, f32, f64, hex, buf")),
    })
}

fn buffer(text: &str, name: &str, memory: &mut Memory, left: &mut u64) -> Result<BufferId, String> {
    let mut reserve = |bytes: u64| {
        *left = left
            .checked_sub(bytes)
            .ok_or_else(|| format!("the buffers would need more than {} GiB", MOST_BYTES >> 30))?;
        Ok::<(), String>(())
    };
    let (kind, value) =
        text.split_once(':').ok_or("a buffer is zeros:BYTES, hex:…, file:PATH or f32:rand:COUNT:SEED")?;
    match kind {
        "zeros" => {
            let bytes: u64 = value.parse().map_err(|_| format!("`{value}` is not a number of bytes"))?;
            reserve(bytes)?;
            Ok(memory.add(name, &vec![0; bytes as usize]))
        }
        "hex" => {
            let bytes = unhex(value)?;
            reserve(bytes.len() as u64)?;
            Ok(memory.add(name, &bytes))
        }
        "file" => {
            let bytes = read(value.as_ref(), MOST_FILE_BYTES).map_err(|error| error.to_string())?;
            reserve(bytes.len() as u64)?;
            Ok(memory.add(name, &bytes))
        }
        "f32" => {
            let mut parts = value.split(':');
            let (Some("rand"), Some(count), Some(seed), None) =
                (parts.next(), parts.next(), parts.next(), parts.next())
            else {
                return Err("random numbers are f32:rand:COUNT:SEED".to_owned());
            };
            let count: u64 = count.parse().map_err(|_| format!("`{count}` is not a count"))?;
            let seed: u64 = seed.parse().map_err(|_| format!("`{seed}` is not a seed"))?;
            reserve(count.saturating_mul(4))?;
            Ok(memory.add_f32(name, &random(count as usize, seed)))
        }
        _ => Err(format!("`{kind}` is not one of zeros, hex, file, f32")),
    }
}

/// Multiples of 2⁻²³ in -1…1 by SplitMix64 (Steele, Lea and Flood 2014), the same for a seed everywhere.
fn random(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    (0..count).map(|_| (next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0).collect()
}

/// Line in the source where it is known, else in the PTX.
fn source_line(line: &LineCounts) -> u32 {
    if line.place.line == 0 { line.place.ptx_line } else { line.place.line }
}

/// Memory accesses, those of one source line and kind taken together: an unrolled loop is one line.
fn accesses(lines: &[LineCounts]) -> Vec<LineCounts> {
    let mut out: Vec<LineCounts> = Vec::new();
    for line in lines.iter().filter(|line| line.requests != 0) {
        let same = |sum: &&mut LineCounts| {
            sum.place.file == line.place.file
                && source_line(sum) == source_line(line)
                && sum.op == line.op
                && sum.bytes == line.bytes
        };
        match out.iter_mut().find(same) {
            None => out.push(line.clone()),
            Some(sum) => {
                sum.requests += line.requests;
                sum.wavefronts += line.wavefronts;
                sum.wavefronts_ideal += line.wavefronts_ideal;
                sum.sectors += line.sectors;
                sum.sectors_ideal += line.sectors_ideal;
            }
        }
    }
    out
}

/// What a kernel prints is a stranger's text: no control characters but the ends of lines reach the terminal.
fn tell_printed(text: &str) -> std::io::Result<()> {
    for line in text.lines() {
        output::line(format_args!("{}", shown(line)))?;
    }
    Ok(())
}

fn tell(success: &Success, show: Option<Show>) -> std::io::Result<()> {
    tell_printed(&success.output)?;
    let stats = &success.stats;
    output::line(format_args!(
        "{} warp instructions, {} thread instructions, {:.3} s on this machine",
        stats.warp_instructions, stats.thread_instructions, stats.seconds
    ))?;
    if let Some(counts) = &success.counts {
        let totals = &counts.totals;
        output::line(format_args!(
            "shared: {} bytes in {} wavefronts (ideal {}); global: {} bytes in {} sectors (ideal {}); {} FLOP; {} barriers",
            totals.shared_bytes,
            totals.wavefronts,
            totals.wavefronts_ideal,
            totals.global_bytes,
            totals.sectors,
            totals.sectors_ideal,
            totals.flop,
            totals.barriers
        ))?;
        for line in accesses(&counts.lines) {
            let (cost, ideal, unit) = match line.op.ends_with(".shared") {
                true => (line.wavefronts, line.wavefronts_ideal, "wavefronts"),
                false => (line.sectors, line.sectors_ideal, "sectors"),
            };
            output::line(format_args!(
                "  line {:>4}  {:<12} {:>2} bytes  {:>10} requests  {cost:>10} {unit:<10} (ideal {ideal})",
                source_line(&line),
                line.op,
                line.bytes,
                line.requests
            ))?;
        }
    }
    hazards::tell(&success.hazards, &success.witnesses)?;
    for (index, buffer) in success.buffers.iter().enumerate() {
        if let Some((show, numbers)) = show.zip(success.shown.as_ref().and_then(|shown| shown.get(index))) {
            output::line(format_args!("buffer {index}, {} bytes, as {}", buffer.len() / 2, show.name()))?;
            for line in show.lines(numbers, buffer.len() / 2) {
                output::line(format_args!("{line}"))?;
            }
            continue;
        }
        let start = buffer.get(..64).unwrap_or(buffer);
        let more = if buffer.len() > start.len() { "…" } else { "" };
        output::line(format_args!("buffer {index}, {} bytes: {start}{more}", buffer.len() / 2))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_as_the_contract_has_them() {
        let mut memory = Memory::new();
        let mut left = MOST_BYTES;
        let mut read = |text: &str| argument(text, 0, &mut memory, &mut left);
        assert_eq!(read("u32:7"), Ok(Arg::U32(7)));
        assert_eq!(read("s32:-1"), Ok(Arg::S32(-1)));
        assert_eq!(read("f32:1.5"), Ok(Arg::F32(1.5)));
        assert_eq!(read("s8:-2"), Ok(Arg::Bytes([0xfe].into())));
        assert_eq!(read("u16:258"), Ok(Arg::Bytes([2, 1].into())));
        assert_eq!(read("hex:0011ff"), Ok(Arg::Bytes([0, 0x11, 0xff].into())));
        assert!(matches!(read("buf:zeros:16"), Ok(Arg::Buffer(_))));
        assert!(matches!(read("buf:hex:0011ff"), Ok(Arg::Buffer(_))));
        assert!(matches!(read("buf:f32:rand:4:1"), Ok(Arg::Buffer(_))));
        for bad in [
            "",
            "u32",
            "u32:x",
            "u32:-1",
            "u8:256",
            "hex:0",
            "buf:hex:0",
            "buf:hex:zz",
            "buf:zeros:99999999999999",
            "buf:f32:rand:1",
            "i8:1",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_loads_of_an_unrolled_loop_are_told_as_one_line() {
        let load = |ptx_line| LineCounts {
            place: crate::simt::Place { file: "a.cu".into(), line: 44, ptx_line },
            op: "ld.shared".into(),
            bytes: 4,
            warp_instructions: 8,
            requests: 8,
            wavefronts: 16,
            wavefronts_ideal: 8,
            sectors: 0,
            sectors_ideal: 0,
        };
        let store = LineCounts { op: "st.shared".into(), ..load(3) };
        let told = accesses(&[load(1), load(2), store]);
        let told: Vec<_> = told.iter().map(|line| (line.op.as_str(), line.requests, line.wavefronts)).collect();
        assert_eq!(told, [("ld.shared", 16, 32), ("st.shared", 8, 16)]);
    }

    #[test]
    fn hexadecimal_goes_there_and_back() {
        assert_eq!(unhex("00ff10").map(|bytes| hex(&bytes)), Ok("00ff10".to_owned()));
    }
}
