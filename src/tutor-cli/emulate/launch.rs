//! The launch that options or a file describe: entry, geometry, buffers and arguments.

use super::arguments::{Arguments, read, wrong_call};
use crate::bounds::{between, bytes, extent};
use crate::limits::Limits;
use ptx_emulator::{Arg, BufferId, Control, Fault, FaultKind, Kernel, Launch, Memory, Module, Outcome};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tutor_support::words::Sentence;
use tutor_support::{t, yaml};

/// Maximum size of a file that describes a launch.
const MAX_FILE_BYTES: u64 = 1 << 20;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct LaunchArgs {
    /// The kernel to run, by its name in the PTX or in the source [default: the only one].
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Blocks in the grid.
    #[arg(long, value_name = "X,Y,Z", value_parser = extent)]
    pub(crate) grid: Option<[u32; 3]>,
    /// Threads per block.
    #[arg(long, value_name = "X,Y,Z", value_parser = extent)]
    pub(crate) block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory [default: 0].
    #[arg(long, value_name = "BYTES")]
    pub(crate) shared: Option<u64>,
    /// Run all blocks at the same time, so that `grid.sync()` works.
    #[arg(long)]
    pub(crate) cooperative: bool,
    /// A parameter, in order: u32:7, s32:-1, u64:7, f32:1.5, f64:1.5, u8:1, s8:-1, u16:7, s16:-1, hex:0011… (a
    /// structure or array by value), struct:u32:7,ptr:A+16 (its members, aligned), buf:zeros:BYTES, buf:hex:0011…,
    /// buf:file:PATH, buf:f32:rand:COUNT:SEED, buf:u32:mod:COUNT:N (0 to N-1 again and again), ptr:NAME+BYTES (a
    /// place in a `--buffer`, or in the buffer of argument NAME), map:NAME:TYPE:DIMS:BOX:SWIZZLE (a tensor map of a
    /// `--buffer`, such as map:A:f16:64x128:64x64:128).
    #[arg(long = "arg", value_name = "ARG")]
    pub(crate) args: Vec<String>,
    /// A buffer without a parameter, for `ptr` and `map`: NAME=zeros:BYTES, or another kind of `buf`.
    #[arg(long = "buffer", value_name = "NAME=VALUE")]
    pub(crate) buffers: Vec<String>,
    /// Memory that the buffers and the search for hazards may take together. K, M and G are units.
    #[arg(long, value_name = "SIZE", default_value = "8G", value_parser = bytes)]
    pub(crate) memory: u64,
    /// A YAML file with any of the keys entry, grid, block, shared, cooperative, buffers and args, for options that
    /// are not given.
    #[arg(long, value_name = "FILE")]
    pub(crate) launch: Option<PathBuf>,
    /// Stop after this many warp instructions in all blocks and launches together, including the search for hazard
    /// witnesses. The default is about twenty seconds of a simple loop.
    #[arg(long, value_name = "N", default_value_t = 1 << 31)]
    pub(crate) steps: u64,
    /// Stop after this many seconds, 0.01 to 86400.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = between("seconds", 0.01, 86_400.0), allow_negative_numbers = true)]
    pub(crate) seconds: f64,
}

/// The file of `--launch`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Described {
    entry: Option<String>,
    grid: Option<Vec<u32>>,
    block: Option<Vec<u32>>,
    shared: Option<u64>,
    cooperative: bool,
    buffers: BTreeMap<String, String>,
    args: Vec<String>,
}

/// A launch with its buffers in `memory`.
pub(crate) struct Bound {
    pub(crate) launch: Launch,
    pub(crate) memory: Memory,
    /// The buffers of the arguments, in order.
    pub(crate) buffers: Vec<BufferId>,
    /// Bytes of all buffers.
    pub(crate) bytes: u64,
    /// Bytes that `--memory` allows beyond them.
    pub(crate) left: u64,
}

/// Describes which blocks a launch checked before it ran out of memory. `None` if another fault ended it.
pub(crate) fn until_then(outcome: &Outcome, launch: &Launch) -> Option<String> {
    outcome.fault.as_ref().filter(|fault| fault.kind == FaultKind::HazardBudget)?;
    let all = launch.grid.iter().map(|n| u64::from(*n)).product::<u64>();
    Some(t!("emulate-checked-until", done = outcome.finished, all))
}

/// Maximum memory of a compiler, in bytes.
const MAX_COMPILER_BYTES: u64 = 4 << 30;

impl LaunchArgs {
    /// Returns the limits on the compiler of the file.
    pub(crate) fn limits(&self) -> Limits {
        Limits { time: Duration::from_secs_f64(self.seconds), bytes: self.memory.min(MAX_COMPILER_BYTES) }
    }

    /// Adds what the file of `--launch` states.
    pub(crate) fn completed(&self) -> Result<Self, Fault> {
        let Some(path) = &self.launch else { return Ok(self.clone()) };
        let refused = |why: Sentence| wrong_call(t!("emulate-launch", file = path.display().to_string(), why));
        let text = read(path, MAX_FILE_BYTES).map_err(|error| refused(error.into()))?;
        let text = String::from_utf8(text).map_err(|error| refused(error.to_string().into()))?;
        let file: Described = yaml::read_typed(&text).map_err(|fault| refused(fault.to_string().into()))?;
        let extent = |list: Option<Vec<u32>>| match list.as_deref() {
            None => Ok(None),
            Some([x]) => Ok(Some([*x, 1, 1])),
            Some([x, y]) => Ok(Some([*x, *y, 1])),
            Some([x, y, z]) => Ok(Some([*x, *y, *z])),
            Some(_) => Err(refused(t!("emulate-launch-extent").into())),
        };
        let mut buffers: Vec<String> = file.buffers.iter().map(|(name, value)| format!("{name}={value}")).collect();
        buffers.extend(self.buffers.iter().cloned());
        Ok(Self {
            entry: self.entry.clone().or(file.entry),
            grid: self.grid.or(extent(file.grid)?),
            block: self.block.or(extent(file.block)?),
            shared: self.shared.or(file.shared),
            cooperative: self.cooperative || file.cooperative,
            args: if self.args.is_empty() { file.args } else { self.args.clone() },
            buffers,
            launch: None,
            ..self.clone()
        })
    }

    /// Returns the limits on steps and time.
    pub(crate) fn control(&self) -> Control<'static> {
        Control::default().steps(self.steps).time(Duration::from_secs_f64(self.seconds))
    }

    /// Returns the kernel that is named, or the only one.
    pub(crate) fn kernel(&self, module: &Module) -> Result<Kernel, Fault> {
        let all: Vec<&str> = module.kernels().collect();
        match (&self.entry, all.as_slice()) {
            (Some(name), _) => Ok(module.named(name)?),
            (None, [only]) => Ok(module.kernel(only)?),
            (None, []) => Err(wrong_call(t!("emulate-no-kernel"))),
            _ => Err(wrong_call(t!("emulate-no-entry", kernels = module.names()))),
        }
    }

    /// Makes the launch of a kernel and its buffers.
    pub(crate) fn bind(&self, kernel: &Kernel) -> Result<Bound, Fault> {
        let mut arguments = Arguments::new(self.memory);
        for text in &self.buffers {
            arguments.buffer(text).map_err(|why| wrong_call(t!("emulate-buffer-option", text, why)))?;
        }
        let mut args = Vec::new();
        let mut buffers = Vec::new();
        for (at, text) in self.args.iter().enumerate() {
            let arg = arguments.argument(text).map_err(|why| wrong_call(t!("emulate-arg", text, why)))?;
            let other = match arg {
                Arg::F32(_) | Arg::F64(_) => ['u', 's'],
                Arg::U32(_) | Arg::S32(_) | Arg::U64(_) => ['f'; 2],
                _ => [' '; 2],
            };
            if let Some(param) = kernel.params().get(at).filter(|param| param.ty.starts_with(other)) {
                let why = t!("emulate-arg-type", name = param.name.as_str(), kind = param.ty.as_str());
                return Err(wrong_call(t!("emulate-arg", text, why)));
            }
            if let Arg::Buffer(id) = arg {
                buffers.push(id);
            }
            args.push(arg);
        }
        let launch = Launch {
            grid: self.grid.unwrap_or([1; 3]),
            block: self.block.unwrap_or([1; 3]),
            dynamic_shared: self.shared.unwrap_or(0),
            args,
            cooperative: self.cooperative,
        };
        let bytes = self.memory - arguments.left;
        Ok(Bound { launch, memory: arguments.memory, buffers, bytes, left: arguments.left })
    }
}

/// Maximum size of a PTX file; a million instructions take about 50 MB.
pub(crate) const MAX_PTX_BYTES: u64 = 128 << 20;

/// Reads a PTX or CUDA file as text.
pub(crate) fn text_of(file: &Path) -> Result<String, Fault> {
    let text = read(file, MAX_PTX_BYTES)
        .map_err(|error| wrong_call(t!("emulate-not-read", file = file.display().to_string(), why = error)))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns arguments for the parameters that have none: `n` for an integer, and for a pointer a buffer of the numbers
/// below `modulus`.
pub(crate) fn guessed(kernel: &Kernel, given: usize, n: u32, modulus: u32) -> Vec<String> {
    let words = u64::from(n).saturating_mul(n.into()).clamp(1 << 14, 1 << 20) + 64;
    let of = |ty: &str, bytes: u32| match (ty, bytes) {
        ("f32", _) => "f32:1.5".to_owned(),
        ("f64", _) => "f64:1.5".to_owned(),
        ("u64" | "s64" | "b64", _) => format!("buf:u32:mod:{words}:{modulus}"),
        (_, 4) => format!("u32:{n}"),
        (_, bytes) => format!("hex:{}", "00".repeat(bytes as usize)),
    };
    kernel.params().iter().skip(given).map(|param| of(&param.ty, param.bytes)).collect()
}
