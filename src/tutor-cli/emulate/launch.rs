//! The launch that options or a file describe: entry, geometry, buffers and arguments.

use super::arguments::{Arguments, read, wrong_call};
use crate::bounds::{between, bytes, extent};
use crate::limits::Limits;
use ptx_emulator::{Arg, BufferId, Control, Device, Fault, FaultKind, Kernel, Launch, Memory, Module, Outcome};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tutor_support::text::decode;
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
    /// The GPU whose limits apply: t4, a100, rtx-4090, h100, h200 or b200 [default: h200].
    #[arg(long, value_name = "GPU", value_parser = device)]
    pub(crate) device: Option<Device>,
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
    /// are not given. For `race`, also arch, include, seeds and uninitialised.
    #[arg(long, value_name = "FILE")]
    pub(crate) launch: Option<PathBuf>,
    /// What this file has for `race`.
    #[arg(skip)]
    pub(crate) for_race: ForRace,
    /// Stop after this many warp instructions in all blocks and launches together, including the search for hazard
    /// witnesses. The default is about twenty seconds of a simple loop.
    #[arg(long, value_name = "N", default_value_t = 1 << 31)]
    pub(crate) steps: u64,
    /// Stop after this many seconds, 0.01 to 86400.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = between("seconds", 0.01, 86_400.0), allow_negative_numbers = true)]
    pub(crate) seconds: f64,
    /// Several launches in order on the same buffers, from the file of `--launch`.
    #[arg(skip)]
    pub(crate) launches: Vec<One>,
    /// For one of these launches: whether it may start before the launch before it has ended, if the file says so.
    #[arg(skip)]
    pub(crate) dependent: Option<bool>,
}

/// What a file of `--launch` may state for `race` only.
#[derive(Debug, Clone, Default)]
pub(crate) struct ForRace {
    pub(crate) arch: Option<String>,
    pub(crate) include: Vec<PathBuf>,
    pub(crate) seeds: Option<u16>,
    pub(crate) uninitialised: bool,
}

/// The file of `--launch`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a mapping of one launch, such as `grid: [8]`")]
struct Described {
    entry: Option<String>,
    grid: Option<Vec<u32>>,
    block: Option<Vec<u32>>,
    shared: Option<u64>,
    device: Option<String>,
    cooperative: bool,
    buffers: BTreeMap<String, String>,
    args: Vec<String>,
    launches: Vec<One>,
    arch: Option<String>,
    include: Vec<PathBuf>,
    seeds: Option<u16>,
    uninitialised: bool,
}

/// Returns the GPU with this name.
fn device(name: &str) -> Result<Device, String> {
    let mut known = Device::NAMED.into_iter();
    let names = || Device::NAMED.map(|(name, _)| name).join(", ");
    known
        .find(|(known, _)| *known == name)
        .map(|(_, device)| device)
        .ok_or_else(|| t!("emulate-device", names = names()))
}

/// One of several launches in the file of `--launch`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct One {
    entry: Option<String>,
    grid: Option<Vec<u32>>,
    block: Option<Vec<u32>>,
    shared: Option<u64>,
    cooperative: bool,
    /// Whether the host lets it start before the launch before it has ended.
    dependent: Option<bool>,
    args: Vec<String>,
}

/// A launch with its buffers in `memory`.
pub(crate) struct Bound {
    pub(crate) launch: Launch,
    pub(crate) memory: Memory,
    /// The buffers of the arguments, in order.
    pub(crate) buffers: Vec<BufferId>,
    /// Those of `--buffer`, in order.
    pub(crate) named: Vec<(String, BufferId)>,
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
        let time = Duration::from_secs_f64(self.seconds);
        Limits { time, ends: Some(Instant::now() + time), bytes: self.memory.min(MAX_COMPILER_BYTES) }
    }

    /// Returns this with the seconds that are left.
    pub(crate) fn remaining(&self, started: Instant) -> Self {
        Self { seconds: (self.seconds - started.elapsed().as_secs_f64()).max(0.01), ..self.clone() }
    }

    /// Adds what the file of `--launch` states.
    pub(crate) fn completed(&self) -> Result<Self, Fault> {
        let Some(path) = &self.launch else { return Ok(self.clone()) };
        let refused = |why: Sentence| wrong_call(t!("emulate-launch", file = path.display().to_string(), why));
        let text = read(path, MAX_FILE_BYTES).map_err(|error| refused(error.into()))?;
        let (text, _) = decode(text).map_err(refused)?;
        let file: Described = yaml::read_typed(&text).map_err(|fault| refused(fault.to_string().into()))?;
        let extent = |list: &Option<Vec<u32>>| {
            extents(list.as_deref()).ok_or_else(|| refused(t!("emulate-launch-extent").into()))
        };
        if file.launches.iter().any(|one| extents(one.grid.as_deref()).and(extents(one.block.as_deref())).is_none()) {
            return Err(refused(t!("emulate-launch-extent").into()));
        }
        let mut buffers: Vec<String> = file.buffers.iter().map(|(name, value)| format!("{name}={value}")).collect();
        buffers.extend(self.buffers.iter().cloned());
        Ok(Self {
            entry: self.entry.clone().or(file.entry),
            grid: self.grid.or(extent(&file.grid)?),
            block: self.block.or(extent(&file.block)?),
            shared: self.shared.or(file.shared),
            device: match (&self.device, file.device) {
                (None, Some(name)) => Some(device(&name).map_err(|why| refused(why.into()))?),
                (own, _) => own.clone(),
            },
            cooperative: self.cooperative || file.cooperative,
            args: if self.args.is_empty() { file.args } else { self.args.clone() },
            buffers,
            launch: None,
            launches: file.launches,
            for_race: ForRace {
                arch: file.arch,
                include: file.include,
                seeds: file.seeds,
                uninitialised: file.uninitialised,
            },
            ..self.clone()
        })
    }

    /// Returns the launches of the file, each with the options that it does not state.
    pub(crate) fn each(&self) -> impl Iterator<Item = Self> {
        self.launches.iter().map(|one| Self {
            entry: one.entry.clone().or_else(|| self.entry.clone()),
            grid: self.grid.or(extents(one.grid.as_deref()).flatten()),
            block: self.block.or(extents(one.block.as_deref()).flatten()),
            shared: self.shared.or(one.shared),
            cooperative: self.cooperative || one.cooperative,
            dependent: one.dependent,
            args: if self.args.is_empty() { one.args.clone() } else { self.args.clone() },
            launches: Vec::new(),
            ..self.clone()
        })
    }

    /// Returns the GPU whose limits apply.
    pub(crate) fn device(&self) -> Device {
        self.device.clone().unwrap_or_default()
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

    /// Allocates the buffers without a parameter.
    pub(crate) fn arguments(&self) -> Result<Arguments, Fault> {
        let mut arguments = Arguments::new(self.memory);
        for text in &self.buffers {
            arguments.buffer(text).map_err(|why| wrong_call(t!("emulate-buffer-option", text, why)))?;
        }
        Ok(arguments)
    }

    /// Makes the launch of a kernel and its buffers.
    pub(crate) fn bind(&self, kernel: &Kernel) -> Result<Bound, Fault> {
        let mut arguments = self.arguments()?;
        let named = arguments.all();
        let (launch, buffers) = self.bind_in(kernel, &mut arguments)?;
        let (bytes, left) = (self.memory - arguments.left, arguments.left);
        Ok(Bound { launch, buffers, named, memory: arguments.memory, bytes, left })
    }

    /// Makes the launch of a kernel. Returns the buffers of its arguments, too.
    pub(crate) fn bind_in(&self, kernel: &Kernel, arguments: &mut Arguments) -> Result<(Launch, Vec<BufferId>), Fault> {
        let mut args = Vec::new();
        let mut buffers = Vec::new();
        arguments.restart();
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
        Ok((launch, buffers))
    }
}

/// Returns a list of up to three extents as an extent. `None` if it has another length.
#[expect(clippy::option_option, reason = "a list that is wrong, and none")]
fn extents(list: Option<&[u32]>) -> Option<Option<[u32; 3]>> {
    match list {
        None => Some(None),
        Some([x]) => Some(Some([*x, 1, 1])),
        Some([x, y]) => Some(Some([*x, *y, 1])),
        Some([x, y, z]) => Some(Some([*x, *y, *z])),
        Some(_) => None,
    }
}

/// Maximum size of a PTX file; a million instructions take about 50 MB.
const MAX_PTX_BYTES: u64 = 128 << 20;

/// Reads a PTX or CUDA file as text. If its encoding is not clear, other letters than ASCII are replaced: they
/// are in comments.
pub(crate) fn text_of(file: &Path) -> Result<String, Fault> {
    let bytes = read(file, MAX_PTX_BYTES)
        .map_err(|error| wrong_call(t!("emulate-not-read", file = file.display().to_string(), why = error)))?;
    let lossy = String::from_utf8_lossy(&bytes).into_owned();
    Ok(decode(bytes).map_or(lossy, |(text, _)| text))
}

/// Names the option for dynamic shared memory, if a launch without any has left the shared memory of a kernel that uses
/// it.
pub(crate) fn lacks_shared(fault: &Fault, kernel: &Kernel, launch: &Launch) -> Option<String> {
    let outside = fault.kind == FaultKind::OutOfBounds && fault.message.contains("shared memory");
    (outside && launch.dynamic_shared == 0 && kernel.has_dynamic_shared()).then(|| t!("emulate-lacks-shared"))
}

/// Names what the host must allow before this launch (CUDA C++ Programming Guide, Shared Memory and Thread Block Clusters).
pub(crate) fn opt_ins(kernel: &Kernel, launch: &Launch) -> impl Iterator<Item = String> {
    let shared = (launch.dynamic_shared > 48 << 10).then(|| t!("emulate-opt-in-shared", bytes = launch.dynamic_shared));
    let blocks = kernel.cluster_blocks();
    shared.into_iter().chain((blocks > 8).then(|| t!("emulate-opt-in-cluster", blocks)))
}

/// Returns arguments for the parameters that have none: `integer` for an integer, and for a pointer a buffer of the
/// numbers below `modulus`, which is large enough for `n` threads.
pub(crate) fn guessed(kernel: &Kernel, given: usize, n: u32, modulus: u32, integer: u32) -> Vec<String> {
    let words = u64::from(n).saturating_mul(n.into()).clamp(1 << 14, 1 << 20) + 64;
    let of = |ty: &str, bytes: u32| match (ty, bytes) {
        ("f32", _) => "f32:1.5".to_owned(),
        ("f64", _) => "f64:1.5".to_owned(),
        ("u64" | "s64" | "b64", _) => format!("buf:u32:mod:{words}:{modulus}"),
        (_, 4) => format!("u32:{integer}"),
        (_, bytes) => format!("hex:{}", "00".repeat(bytes as usize)),
    };
    kernel.params().iter().skip(given).map(|param| of(&param.ty, param.bytes)).collect()
}
