//! Messages from the worker to the parent.

use super::{Shape, Verification};
use crate::baseline::Baseline;
use crate::estimate::Estimated;
use crate::fault::ExecError;
use crate::judge::Judged;
use ptx_emulator::{Counts, Event, Hazard, Undefined};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use tutor_kernels::Elements;
use tutor_kernels::nvrtc::{Compiled, Looked};
use tutor_support::figures::duration;
use tutor_support::sentence;
use tutor_support::text;
use tutor_support::words::Sentence;

/// A hazard, and the actions of two warps in two orders. All values were read or written in a real run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WitnessReport {
    /// Extents of the run: one block of C, three tiles along K.
    pub shape: Shape,
    /// All hazards of the run.
    pub hazards: Vec<Hazard>,
    /// The hazard that the two orders show.
    pub hazard: Hazard,
    /// Byte offset in shared memory of the word whose value depends on the order.
    pub address: u32,
    /// The warp that writes the word.
    pub writer: u32,
    /// The warp that reads the word.
    pub reader: u32,
    /// Shared accesses and barriers of both warps, in the order in which the read is wrong.
    pub wrong: Vec<Event>,
    /// The same in the order in which the read is correct.
    pub right: Vec<Event>,
    /// The same for the correct kernel, in the order in which the other kernel's read is wrong.
    pub correct: Vec<Event>,
}

/// The status of the job in which a worker is to run, as reported by a batch system. Fields are empty until it has
/// reported them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Queued {
    pub job: String,
    /// State in Slurm's terms, e.g. `PENDING`.
    pub state: String,
    /// Reason for the wait, e.g. `Priority`.
    pub reason: String,
}

impl Queued {
    /// Describes briefly what the worker waits for.
    pub fn describe(&self) -> Sentence {
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

/// What a sample times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// Index in `programs`.
    Program(usize),
    /// cuBLAS, on elements of the launch's type: the faster of its default choice and the best of its candidates.
    Cublas,
    /// cuBLAS's default choice.
    CublasDefault,
}

/// The device that runs a launch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// CUDA or emulator.
    pub kind: DeviceKind,
    /// Name as the driver reports it, e.g. `NVIDIA H200`; `SIMT emulator` for the emulator.
    pub name: String,
    /// Driver version, e.g. `580.159.03`; absent for the emulator.
    pub driver: Option<String>,
    /// Compute capability, e.g. `[9, 0]`; absent for the emulator.
    pub capability: Option<[u32; 2]>,
    /// Multiprocessors; absent for the emulator.
    pub multiprocessors: Option<u32>,
    /// Highest clock of the SMs in MHz; absent for the emulator.
    pub clock_mhz: Option<u32>,
}

impl Device {
    /// Makes a device with only a kind and a name.
    pub fn named(kind: DeviceKind, name: &str) -> Self {
        let (name, driver, capability, multiprocessors, clock_mhz) = (name.to_owned(), None, None, None, None);
        Self { kind, name, driver, capability, multiprocessors, clock_mhz }
    }
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

/// The available devices and libraries. Each library has its version, or the reason why it cannot be used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// The device that `auto` chooses.
    pub device: Device,
    /// Why `auto` did not choose CUDA; absent if it did.
    pub why_not_cuda: Option<Sentence>,
    /// What to do about it, if there is something.
    #[serde(default)]
    pub cuda_help: Option<Sentence>,
    /// Newest CUDA version that the driver supports, e.g. `13.0`; absent without a GPU.
    pub cuda: Option<String>,
    /// NVRTC's version, or why it cannot be used.
    pub nvrtc: Result<String, Sentence>,
    /// Each place that was searched for NVRTC; empty if the worker has another version.
    #[serde(default)]
    pub nvrtc_places: Vec<Looked>,
    /// cuBLAS's version, or why it cannot be used.
    pub cublas: Result<String, Sentence>,
    /// What limits the harm that a kernel can do if it breaks out of its interpreter or driver.
    pub sandbox: Option<Sandbox>,
}

impl From<Device> for Description {
    /// Describes a device without libraries.
    fn from(device: Device) -> Self {
        let (nvrtc, cublas) = (Err(Sentence::default()), Err(Sentence::default()));
        Self {
            device,
            why_not_cuda: None,
            cuda_help: None,
            cuda: None,
            nvrtc,
            nvrtc_places: Vec::new(),
            cublas,
            sandbox: None,
        }
    }
}

/// What the sandbox prevents the worker from doing, whatever runs in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    /// There is no GPU. The worker writes no file, reads only libraries, opens no connection and starts no program.
    Emulator {
        /// True if the system restricts access to files (Landlock).
        files: bool,
        /// True if the system prevents connections and other programs (seccomp).
        calls: bool,
    },
    /// The worker writes only what the driver writes, opens no connection to other machines and starts no program.
    Gpu {
        /// True if the system restricts access to other files (Landlock).
        files: bool,
        /// True if the system prevents connections and other programs (seccomp).
        calls: bool,
    },
    /// The user switched it off.
    Off,
    /// This system does not have one.
    NotHere,
}

/// How timed launches reach the GPU.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Submission {
    /// The host submits them one by one to a stream. A short launch then also takes the host's time.
    #[default]
    Stream,
    /// The host submits them together as a CUDA graph. The time contains only work of the GPU.
    Graph,
}

impl Submission {
    /// True if the host submits the launches one by one.
    pub fn is_stream(&self) -> bool {
        *self == Self::Stream
    }
}

/// A time per launch with its interval.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Median of the batches, in ms per launch.
    pub median_ms: f64,
    /// Lower end of the median's 95 % interval.
    pub low_ms: f64,
    /// Upper end of the interval.
    pub high_ms: f64,
    pub launches: u64,
    /// How they reached the GPU.
    #[serde(default)]
    pub submission: Submission,
    /// Median time in ms that the host takes to submit one launch to a stream, if it was measured.
    pub host_ms: Option<f64>,
}

impl Timing {
    /// Says what a launch, and one of cuBLAS, costs the host. Returns `None` if the times contain it.
    pub fn host_cost(&self, cublas: Option<Self>) -> Option<Sentence> {
        let host = |timing: Self| timing.host_ms.filter(|_| timing.submission == Submission::Graph).map(duration);
        let own = host(*self)?;
        Some(match cublas.and_then(host) {
            Some(cublas) => sentence!("exec-host-both", own, cublas),
            None => sentence!("exec-host", own),
        })
    }
}

/// Minimum, median and maximum of the GPU's clock and power while kernels were timed, read about ten times per second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Clock of the SMs, in MHz.
    pub sm_mhz: [u32; 3],
    /// Power of the board, in watts.
    pub watts: [f64; 3],
}

/// A message from the worker to the parent. `id` is the id of the request, and `program` an index in its `programs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// Answer to [`super::Request::Describe`].
    Description(Description),
    /// The launch has a device.
    Started {
        id: u64,
        /// The device on which it runs.
        device: Device,
        /// Why it does not run on CUDA, if `auto` did not choose it.
        note: Option<Sentence>,
        /// Type of the elements of A, B and C.
        #[serde(default)]
        elements: Elements,
    },
    /// Another kernel replaces one that does not take this shape.
    Instead {
        id: u64,
        program: usize,
        /// The kernel that runs instead.
        kernel: String,
        /// A clause, e.g. `lda = 100 is not a multiple of 8`.
        why: Sentence,
    },
    /// This device cannot run one of the programs. The others continue.
    Skipped {
        id: u64,
        program: usize,
        /// The reason, with help.
        error: ExecError,
    },
    /// Progress of a long step.
    Progress {
        id: u64,
        /// The current step, e.g. `emulating sgemm_tiled`.
        doing: Sentence,
        /// Completed fraction, 0 to 1.
        fraction: f64,
    },
    /// One timed batch.
    Sample {
        id: u64,
        subject: Subject,
        /// Time in ms per launch.
        ms: f64,
        /// Number of launches in the batch.
        launches: u32,
    },
    /// The current time of a subject. It is sent as it improves, and once at the end.
    Timed {
        id: u64,
        subject: Subject,
        /// Median and interval.
        timing: Timing,
    },
    /// The fastest choice of the library for this product, to be kept and sent with the next launch of this shape.
    Baseline { id: u64, baseline: Box<Baseline> },
    /// Clock and power of the GPU while the kernels were timed, if they can be read.
    Conditions { id: u64, conditions: Conditions },
    /// The result of a program was compared.
    Verified { id: u64, program: usize, verification: Verification },
    /// Counts of a program, and its hazards if they were requested.
    Counted {
        id: u64,
        program: usize,
        counts: Counts,
        hazards: Vec<Hazard>,
        /// Other undefined behaviour, if hazards were requested.
        #[serde(default)]
        undefined: Vec<Undefined>,
        /// Seconds the emulator took.
        seconds: f64,
    },
    /// The estimated time of a program on a GPU, which may be absent, or why there is none.
    Estimated { id: u64, program: usize, device: String, estimated: Result<Box<Estimated>, Sentence> },
    /// Output of the kernel's `printf`, or a part of it.
    Printed {
        id: u64,
        /// Index in `programs`; absent if the device does not report which program printed it.
        program: Option<usize>,
        /// The text as printed, including control characters.
        text: String,
        /// Number of bytes after the text that were dropped.
        cut: u64,
    },
    /// Sent by the parent: the worker has sent nothing for a while.
    #[serde(skip)]
    Silent {
        /// Id of the current request; 0 for [`super::Request::Describe`].
        id: u64,
        /// Seconds since the last reply.
        seconds: f64,
        /// Seconds without a reply after which the worker is stopped.
        limit: f64,
    },
    /// Sent by the parent: the worker waits for its machine in a queue.
    #[serde(skip)]
    Waiting {
        /// Id of the waiting request; 0 for [`super::Request::Describe`].
        id: u64,
        /// Status from the batch system.
        queued: Queued,
    },
    /// A remark about the launch that is not an error, e.g. that only some blocks were counted.
    Note { id: u64, text: Sentence },
    /// Answer to [`super::Request::Compile`].
    Compiled {
        id: u64,
        #[serde(flatten)]
        compiled: Compiled,
    },
    /// Answer to [`super::Request::Witness`].
    Witnessed {
        id: u64,
        /// The hazard with both orders.
        report: Box<WitnessReport>,
    },
    /// Answer to [`super::Request::Judge`].
    Judged { id: u64, judged: Judged },
    /// The launch is over.
    Finished { id: u64, cancelled: bool },
    /// The launch or compilation failed.
    Failed {
        id: u64,
        /// What happened, with help.
        error: ExecError,
    },
}

impl Reply {
    /// Returns the id of the request that it answers; 0 for the description.
    pub fn id(&self) -> u64 {
        match self {
            Self::Description(_) => 0,
            Self::Started { id, .. }
            | Self::Instead { id, .. }
            | Self::Skipped { id, .. }
            | Self::Progress { id, .. }
            | Self::Sample { id, .. }
            | Self::Timed { id, .. }
            | Self::Baseline { id, .. }
            | Self::Conditions { id, .. }
            | Self::Verified { id, .. }
            | Self::Counted { id, .. }
            | Self::Estimated { id, .. }
            | Self::Printed { id, .. }
            | Self::Silent { id, .. }
            | Self::Waiting { id, .. }
            | Self::Note { id, .. }
            | Self::Compiled { id, .. }
            | Self::Witnessed { id, .. }
            | Self::Judged { id, .. }
            | Self::Finished { id, .. }
            | Self::Failed { id, .. } => *id,
        }
    }

    /// True if no other reply to the request follows.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Description(_) | Self::Finished { .. } | Self::Failed { .. } | Self::Compiled { .. })
    }

    /// Reads a line from a worker. The worker may be any program, so forbidden characters are replaced in all texts,
    /// including the keys and arguments of sentences.
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
        let text = sentence!("exec-shape", kernel = "k", why) + " " + "verbatim";
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
