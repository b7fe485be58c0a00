/*! What the tutor and its worker process say to each other: one JSON document a line.

The worker never prints anything else on stdout. A launch streams replies until
[`Reply::Finished`] or [`Reply::Failed`]; replies of different launches carry their `id`.
*/

pub use super::fault::{ExecError, ExecErrorKind, Stop};
pub use super::judge::{JudgeRequest, Verdict};
pub use super::program::{KernelSpec, Program};
use ptx_emulator::{Counts, Event, Hazard};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use tutor_base::sentence;
use tutor_base::text;
use tutor_base::words::Sentence;
pub use tutor_kernels::nvrtc::Looked;
use tutor_kernels::{Constants, Elements};

/// Parent to worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Which devices and libraries are there; answered by [`Reply::Description`].
    Describe,
    /// Runs one kernel, or several interleaved.
    Launch(LaunchRequest),
    /// Compiles CUDA C++ to PTX with NVRTC; answered by [`Reply::Compiled`] or [`Reply::Failed`].
    Compile {
        /// Chosen by the parent.
        id: u64,
        /// Name shown in diagnostics and `.loc`.
        file: String,
        /// CUDA C++.
        source: String,
        /// What to compile for, e.g. `sm_90a` (default: every GPU that the kernels run on).
        #[serde(default)]
        arch: Option<String>,
        /// Macros.
        #[serde(default)]
        constants: Constants,
    },
    /// Runs one block of a kernel with a hazard in two orders of its warps, on the emulator; answered by
    /// [`Reply::Witnessed`] and [`Reply::Finished`], or by [`Reply::Failed`].
    Witness(Box<WitnessRequest>),
    /// Judges a kernel on the emulator, on many shapes; answered by [`Reply::Judged`] and [`Reply::Finished`], or by
    /// [`Reply::Failed`].
    Judge(Box<JudgeRequest>),
    /// Stops the launch with this id as soon as possible.
    Cancel {
        /// The launch.
        id: u64,
    },
}

/// See [`Request::Witness`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessRequest {
    /// Chosen by the parent.
    pub id: u64,
    /// The kernel with the hazard.
    pub kernel: Program,
    /// Its correct counterpart, traced in the order that does the harm.
    pub correct: Program,
    /// Seed of the random inputs.
    pub seed: u64,
}

/// A hazard, and what two warps did in two orders. All values were read or written in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WitnessReport {
    /// Extents that were run: one block of C, three tiles along k.
    pub shape: Shape,
    /// All hazards of the run.
    pub hazards: Vec<Hazard>,
    /// The witnessed one.
    pub hazard: Hazard,
    /// Byte offset in shared memory of the word that is read right and wrong.
    pub address: u32,
    /// The warp that writes it.
    pub writer: u32,
    /// The warp that reads it.
    pub reader: u32,
    /// Shared accesses and barriers of both warps, in the order that makes the read wrong.
    pub wrong: Vec<Event>,
    /// In the order that makes it right.
    pub right: Vec<Event>,
    /// The correct kernel, in the order that makes the other one's read wrong.
    pub correct: Vec<Event>,
}

/// Where to run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// CUDA if it is there, else the emulator.
    #[default]
    Auto,
    /// A GPU, or an error.
    Cuda,
    /// The embedded emulator.
    Emulator,
}

/// Extents of `C[m×n] = alpha · A[m×k] · B[k×n] + beta · C`, row-major.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Rows of A and C.
    pub m: u32,
    /// Columns of B and C.
    pub n: u32,
    /// Columns of A, rows of B.
    pub k: u32,
}

impl Shape {
    /// A square product.
    pub const fn square(n: u32) -> Self {
        Self { m: n, n, k: n }
    }

    /// Floating-point operations of the product: `2·m·n·k`.
    pub fn flop(self) -> f64 {
        2.0 * f64::from(self.m) * f64::from(self.n) * f64::from(self.k)
    }
}

/// What a batch system says of the job in which a worker is to run; empty where it did not say anything yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Queued {
    /// Its number.
    pub job: String,
    /// Its state, e.g. `PENDING`, in Slurm's words.
    pub state: String,
    /// Why it waits, e.g. `Priority`.
    pub reason: String,
}

impl Queued {
    /// Describes in a few words what the worker waits for.
    pub fn told(&self) -> Sentence {
        let Self { job, state, reason } = self;
        match (job.is_empty(), reason.is_empty()) {
            (true, _) => sentence!("exec-waiting-slurm"),
            (false, true) => sentence!("exec-waiting-job", job = job.as_str(), state = state.as_str()),
            (false, false) => {
                sentence!("exec-waiting-reason", job = job.as_str(), state = state.as_str(), reason = reason.as_str())
            }
        }
    }
}

/// See [`Request::Launch`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LaunchRequest {
    /// Chosen by the parent; all replies carry it.
    pub id: u64,
    /// One, or several to compare on the same data.
    pub programs: Vec<Program>,
    /// Extents.
    pub shape: Shape,
    /// Scales the product.
    pub alpha: f32,
    /// Scales the old C.
    pub beta: f32,
    /// Where.
    pub on: Target,
    /// Seed of the random inputs and, on the emulator, of the order in which warps run: a kernel with a race may have
    /// other wrong elements with another seed, as on a GPU. Counts and hazards do not depend on it.
    pub seed: u64,
    /// Measure time (on a GPU only).
    pub time: bool,
    /// Most seconds spent timing each program.
    pub seconds: f64,
    /// Time cuBLAS interleaved, if its library is there.
    pub cublas: bool,
    /// Compare every element with the reference.
    pub verify: bool,
    /// Count on the emulator: wavefronts, sectors, FLOP, bytes.
    pub counts: bool,
    /// Look for hazards on the emulator.
    pub hazards: bool,
}

/// Whose time a sample is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// Index in `programs`.
    Program(usize),
    /// cuBLAS, on elements of the launch's type.
    Cublas,
}

/// The device that runs a launch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// CUDA or emulator.
    pub kind: DeviceKind,
    /// As the driver names it, e.g. `NVIDIA H200`; for the emulator, `SIMT emulator`.
    pub name: String,
    /// Driver version, e.g. `580.159.03`; absent for the emulator.
    pub driver: Option<String>,
    /// Compute capability, e.g. `[9, 0]`; absent for the emulator.
    pub capability: Option<[u32; 2]>,
    /// Multiprocessors; absent for the emulator.
    #[serde(default)]
    pub multiprocessors: Option<u32>,
    /// Highest clock of the multiprocessors in MHz; absent for the emulator.
    #[serde(default)]
    pub clock_mhz: Option<u32>,
}

/// CUDA or emulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceKind {
    /// A GPU.
    Cuda,
    /// The embedded emulator.
    Emulator,
}

/// What is there; each library with its path or version, or the reason why not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// The device that `auto` takes.
    pub device: Device,
    /// Why `auto` did not get CUDA; absent if it did.
    pub why_not_cuda: Option<Sentence>,
    /// Newest CUDA version that the driver supports, e.g. `13.0`; absent without a GPU.
    #[serde(default)]
    pub cuda: Option<String>,
    /// NVRTC's version, or why it cannot be used.
    pub nvrtc: Result<String, Sentence>,
    /// Each place in which NVRTC was looked for; empty if the worker is of another version.
    #[serde(default)]
    pub nvrtc_places: Vec<Looked>,
    /// cuBLAS's version, or why it cannot be used.
    pub cublas: Result<String, Sentence>,
    /// What keeps a kernel that breaks out of its interpreter or driver from doing harm.
    #[serde(default)]
    pub sandbox: Option<Sandbox>,
}

/// What the worker cannot do any more, whatever runs in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    /// There is no GPU: it writes no file, reads none but libraries, opens no connection and starts no program.
    Emulator {
        /// Whether the system keeps it from files (Landlock).
        files: bool,
        /// Whether the system keeps it from connections and programs (seccomp).
        calls: bool,
    },
    /// It writes only what the driver writes, opens no connection to other machines and starts no program.
    Gpu {
        /// Whether the system keeps it from other files (Landlock).
        files: bool,
        /// Whether the system keeps it from connections and programs (seccomp).
        calls: bool,
    },
    /// It was left out on purpose.
    Off,
    /// This system has none.
    NotHere,
}

/// A time with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Median of the batches, per launch.
    pub median_ms: f64,
    /// Lower end of the median's 95 % interval.
    pub low_ms: f64,
    /// Upper end.
    pub high_ms: f64,
    /// Launches timed.
    pub launches: u64,
}

/// What the GPU was like while kernels were timed, read about ten times a second: lowest, median, highest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Clock of the multiprocessors in MHz.
    pub sm_mhz: [u32; 3],
    /// Power of the board in watts.
    pub watts: [f64; 3],
}

/// Comparison of every element with the reference.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// Whether all elements are right.
    pub verified: bool,
    /// Elements of C.
    pub elements: u64,
    /// Wrong ones: outside the tolerance, NaN, or never written.
    pub mismatches: u64,
    /// Largest relative error over the elements that are finite.
    pub max_rel_err: f64,
    /// What every element was compared with, e.g. `float64 on the host`.
    #[serde(default)]
    pub against: Sentence,
    /// Hash of the bits of C in 16 hexadecimal digits: equal on two devices if the results are bit-equal.
    #[serde(default)]
    pub hash: String,
}

/// Worker to parent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// Answer to [`Request::Describe`].
    Description(Description),
    /// The launch has a device.
    Started {
        /// The launch.
        id: u64,
        /// Where it runs.
        device: Device,
        /// Why not on CUDA, if `auto` did not get it.
        note: Option<Sentence>,
        /// Type of the elements of A, B and C.
        #[serde(default)]
        elements: Elements,
    },
    /// A kernel that does not take this shape is replaced by the one that does.
    Instead {
        /// The launch.
        id: u64,
        /// Index in `programs`.
        program: usize,
        /// The kernel that is run.
        kernel: String,
        /// A clause, e.g. `lda = 100 is no multiple of 8`.
        why: Sentence,
    },
    /// This device cannot run one of the programs; the others go on.
    Skipped {
        /// The launch.
        id: u64,
        /// Index in `programs`.
        program: usize,
        /// Why, and what to do.
        error: ExecError,
    },
    /// How far a long step is.
    Progress {
        /// The launch.
        id: u64,
        /// What is being done, e.g. `emulating sgemm_tiled`.
        doing: Sentence,
        /// 0 to 1.
        fraction: f64,
    },
    /// One timed batch.
    Sample {
        /// The launch.
        id: u64,
        /// Whose.
        subject: Subject,
        /// Per launch.
        ms: f64,
        /// Launches in the batch.
        launches: u32,
    },
    /// The time so far; sent as it improves, and finally.
    Timed {
        /// The launch.
        id: u64,
        /// Whose.
        subject: Subject,
        /// Median and interval.
        timing: Timing,
    },
    /// What the GPU was like while the kernels were timed, if it can be read.
    Conditions {
        /// The launch.
        id: u64,
        /// Clock and power.
        conditions: Conditions,
    },
    /// A result was compared.
    Verified {
        /// The launch.
        id: u64,
        /// Index in `programs`.
        program: usize,
        /// The outcome.
        verification: Verification,
    },
    /// Counts (and hazards, if asked for) of a program.
    Counted {
        /// The launch.
        id: u64,
        /// Index in `programs`.
        program: usize,
        /// Counts.
        counts: Counts,
        /// Hazards.
        hazards: Vec<Hazard>,
        /// Seconds the emulator took.
        seconds: f64,
    },
    /// A part of what the kernel printed with `printf`.
    Printed {
        /// The launch.
        id: u64,
        /// Index in `programs`; absent if the device does not tell whose it is.
        program: Option<usize>,
        /// As it was printed, control characters too.
        text: String,
        /// Bytes after it that are left out.
        cut: u64,
    },
    /// Said by the parent: the worker has been silent for a while.
    #[serde(skip)]
    Silent {
        /// The request that is being worked on; 0 for [`Request::Describe`].
        id: u64,
        /// How long.
        seconds: f64,
        /// How long it may be silent before it is stopped.
        limit: f64,
    },
    /// Said by the parent: the worker waits for its machine in a queue.
    #[serde(skip)]
    Waiting {
        /// The request that waits for it; 0 for [`Request::Describe`].
        id: u64,
        /// What the batch system says.
        queued: Queued,
    },
    /// Something to know about the launch that is not an error, e.g. that only some blocks were counted.
    Note {
        /// The launch.
        id: u64,
        /// A sentence.
        text: Sentence,
    },
    /// Answer to [`Request::Compile`].
    Compiled {
        /// The compilation.
        id: u64,
        /// PTX.
        ptx: String,
        /// Warnings.
        log: String,
    },
    /// Answer to [`Request::Witness`].
    Witnessed {
        /// The request.
        id: u64,
        /// The hazard with both orders.
        report: Box<WitnessReport>,
    },
    /// Answer to [`Request::Judge`].
    Judged {
        /// The request.
        id: u64,
        /// What was found.
        verdict: Verdict,
    },
    /// The launch is over.
    Finished {
        /// The launch.
        id: u64,
        /// Whether it was cancelled.
        cancelled: bool,
    },
    /// The launch or compilation failed.
    Failed {
        /// The launch or compilation.
        id: u64,
        /// What happened and what to do.
        error: ExecError,
    },
}

impl Reply {
    /// Reads a line from a worker. Because the worker may be any program, forbidden characters are replaced in all texts: in
    /// the keys of sentences and in their arguments too.
    ///
    /// # Errors
    /// If the line is not a reply.
    pub fn read(line: &[u8]) -> serde_json::Result<Self> {
        let escaped = line.windows(2).any(|pair| matches!(pair, [b'\\', b'u' | b'b' | b'f' | b'r']));
        if !escaped && std::str::from_utf8(line).is_ok_and(|line| !line.contains(text::is_forbidden)) {
            return serde_json::from_slice(line);
        }
        let mut reply = serde_json::from_slice(line)?;
        clean(&mut reply);
        serde_json::from_value(reply)
    }
}

fn clean(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(cleaned) = text::lines(text) {
                *text = cleaned;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(clean),
        Value::Object(fields) => fields.values_mut().for_each(clean),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_survives_the_way_from_the_worker() {
        let why = sentence!("kernels-no-multiple", name = "lda", value = 100, by = 8);
        let text = sentence!("exec-shape", kernel = "k", why = why) + " " + "verbatim";
        let note = Reply::Note { id: 7, text };
        assert_eq!(Reply::read(&serde_json::to_vec(&note).unwrap()).unwrap(), note);
    }

    #[test]
    fn a_reply_is_read_without_what_must_not_be_shown() {
        let note = |text: &str| Reply::Note { id: 7, text: text.into() };
        for (line, text) in [
            (r#"{"note":{"id":7,"text":"16×16"}}"#.to_owned(), "16×16"),
            (r#"{"note":{"id":7,"text":"a\u001b[2J\u202eb\r"}}"#.to_owned(), "a\u{fffd}[2J\u{fffd}b\u{fffd}"),
            ("{\"note\":{\"id\":7,\"text\":\"a\u{9b}b\"}}".to_owned(), "a\u{fffd}b"),
            (r#"{"note":{"id":7,"text":"two\nlines\u0041"}}"#.to_owned(), "two\nlinesA"),
        ] {
            assert_eq!(Reply::read(line.as_bytes()).unwrap(), note(text), "{line}");
        }
        let line = r#"{"note":{"id":7,"text":{"key":"no\u001bkey","with":{"n":5,"k\u001b":["\u202ea",{"key":"b"}]}}}}"#;
        let Reply::Note { text, .. } = Reply::read(line.as_bytes()).unwrap() else { panic!("{line}") };
        assert_eq!(text.to_string(), "no\u{fffd}key: \u{fffd}ab, 5");
        assert!(Reply::read(br#"{"note":{"id":7,"text":5}}"#).is_err(), "a number is not a sentence");
        assert!(Reply::read(b"{\"note\":{}}").is_err() && Reply::read(b"\xff\x1b").is_err());
    }
}
