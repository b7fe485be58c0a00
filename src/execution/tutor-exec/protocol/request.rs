//! Messages from the parent to the worker.

use crate::baseline::Baseline;
use crate::estimate::EstimateRequest;
use crate::judge::JudgeRequest;
use crate::program::Program;
use gemm_reference::Shape;
use serde::{Deserialize, Serialize};
use tutor_kernels::Constants;

/// A message from the parent to the worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Asks which devices and libraries are available; answered by [`super::Reply::Description`].
    Describe,
    /// Runs one kernel, or several interleaved.
    Launch(LaunchRequest),
    /// Compiles CUDA C++ to PTX with NVRTC; answered by [`super::Reply::Compiled`] or [`super::Reply::Failed`].
    Compile(CompileRequest),
    /// Runs one block of a kernel with a hazard in two orders of its warps, on the emulator; answered by
    /// [`super::Reply::Witnessed`] and [`super::Reply::Finished`], or by [`super::Reply::Failed`].
    Witness(Box<WitnessRequest>),
    /// Judges a kernel on the emulator, on many shapes; answered by [`super::Reply::Judged`] and
    /// [`super::Reply::Finished`], or by [`super::Reply::Failed`].
    Judge(Box<JudgeRequest>),
    /// Stops the launch with this id as soon as possible.
    Cancel {
        /// Id of the launch.
        id: u64,
    },
}

impl Request {
    /// Returns the id of the request; 0 for the description.
    pub fn id(&self) -> u64 {
        match self {
            Self::Describe => 0,
            Self::Launch(launch) => launch.id,
            Self::Witness(witness) => witness.id,
            Self::Judge(judge) => judge.id,
            Self::Compile(compile) => compile.id,
            Self::Cancel { id } => *id,
        }
    }
}

/// See [`Request::Compile`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CompileRequest {
    /// Id chosen by the parent.
    pub id: u64,
    /// Name shown in diagnostics and `.loc`.
    pub file: String,
    /// CUDA C++ source.
    pub source: String,
    /// Target architecture, e.g. `sm_90a` (default: every GPU that the kernels support).
    pub arch: Option<String>,
    /// Macros and their values.
    #[serde(default)]
    pub constants: Constants,
    /// Names as written in `#include`, and texts of the headers. The compiler can read no file.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// C++ expressions that name kernels, such as `sum<float>`, if there are several of a name.
    #[serde(default)]
    pub instances: Vec<String>,
    /// Other options of the compiler.
    #[serde(default)]
    pub extra: Vec<String>,
    /// True to leave the line of each instruction out of the PTX.
    #[serde(default)]
    pub without_lines: bool,
    /// True to compile without optimisation (`--device-debug`).
    #[serde(default)]
    pub unoptimised: bool,
    /// True to ask no assembler, because only the text is wanted.
    #[serde(default)]
    pub unassembled: bool,
    /// True to compile a second time, without optimisation.
    #[serde(default)]
    pub also_unoptimised: bool,
}

/// See [`Request::Witness`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessRequest {
    /// Id chosen by the parent.
    pub id: u64,
    /// The kernel with the hazard.
    pub kernel: Program,
    /// Its correct counterpart, traced in the order that changes a value in `kernel`.
    pub correct: Program,
    /// Seed of the random inputs.
    pub seed: u64,
}

/// See [`Request::Launch`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LaunchRequest {
    /// Id chosen by the parent. All replies have it.
    pub id: u64,
    /// One program, or several to compare on the same data.
    pub programs: Vec<Program>,
    /// Extents.
    pub shape: Shape,
    /// Factor of the product.
    pub alpha: f64,
    /// Factor of the old C.
    pub beta: f64,
    /// Where to run.
    pub on: Target,
    /// Seed of the random inputs and, on the emulator, of the order in which warps run. With another seed, a kernel
    /// with a race may produce other wrong elements, as on a GPU. Counts and hazards do not depend on the seed.
    pub seed: u64,
    /// True to measure time (only on a GPU).
    pub time: bool,
    /// Maximum time in seconds for timing each program.
    pub seconds: f64,
    /// True to time cuBLAS alternately with the programs, if its library is available.
    pub cublas: bool,
    /// What earlier launches of this shape found to be the library's fastest choice. The supervisor fills it in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<Baseline>,
    /// True to compare every element with the reference.
    pub verify: bool,
    /// True to count on the emulator: wavefronts, sectors, FLOP, bytes.
    pub counts: bool,
    /// True to look for hazards on the emulator.
    pub hazards: bool,
    /// The GPU and the shape for which to estimate times, if any.
    pub estimate: Option<Box<EstimateRequest>>,
}

impl LaunchRequest {
    /// True if the launch estimates times and does nothing else.
    pub fn only_estimates(&self) -> bool {
        self.estimate.is_some() && !(self.time || self.verify || self.counts || self.hazards)
    }

    /// Makes a request of A B with seed 1 that does not time, verify or count anything.
    pub fn new(id: u64, programs: Vec<Program>, shape: Shape) -> Self {
        Self { id, programs, shape, alpha: 1.0, seed: 1, ..Self::default() }
    }
}

/// Where to run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// CUDA if available, else the emulator.
    #[default]
    Auto,
    /// A GPU, or an error.
    Cuda,
    /// The embedded emulator.
    Emulator,
}
