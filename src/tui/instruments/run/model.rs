//! What a run knows: a column for each kernel, filled by the worker's replies or from a recording.

use crate::course::CountRow;
use crate::exec::cublas_name;
use crate::exec::protocol::{Device, DeviceKind, ExecErrorKind, Reply, Shape, Subject, Timing, Verification};
use crate::exec::recorded::Recording;
use crate::kernels::{Catalog, Elements};
use crate::mastery::RunRecord;
use crate::simt::{Counts, Hazard};

/// Most batches that a spark line shows, so no more need be kept.
const KEPT: usize = 240;

/// One kernel.
#[derive(Debug, Clone, Default)]
pub(crate) struct Column {
    pub(crate) kernel: String,
    pub(crate) title: String,
    pub(crate) level: String,
    pub(crate) elements: Elements,
    /// Batches, ms per launch, oldest first.
    pub(crate) samples: Vec<f64>,
    pub(crate) timing: Option<Timing>,
    pub(crate) verification: Option<Verification>,
    pub(crate) counts: Option<Counts>,
    /// Absent while nobody has looked.
    pub(crate) hazards: Option<Vec<Hazard>>,
}

/// How far the launch is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Phase {
    /// Nothing was launched at this size.
    Idle,
    Running(u64),
    /// All replies came, or the student stopped it.
    Over {
        cancelled: bool,
    },
    /// What happened and what to do.
    Failed(String, Option<String>),
}

/// A kernel that may be its level's best: one that is not meant to be wrong.
#[derive(Debug, Clone)]
pub(crate) struct Rival {
    pub(crate) kernel: String,
    pub(crate) level: String,
    pub(crate) elements: Elements,
}

/// Everything on the screen.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) columns: Vec<Column>,
    pub(crate) cublas: Column,
    pub(crate) n: u32,
    pub(crate) sizes: Vec<u32>,
    pub(crate) rows: Vec<CountRow>,
    pub(crate) phase: Phase,
    pub(crate) device: Option<Device>,
    /// Why not on CUDA.
    pub(crate) why_not: Option<String>,
    /// Notes of the worker on this launch.
    pub(crate) notes: Vec<String>,
    pub(crate) progress: Option<(String, f64)>,
    /// Whether the device here cannot run these kernels.
    unable: bool,
    recordings: &'static [Recording],
}

/// Where the times on the screen come from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    /// Measured by this run.
    Live,
    /// From a file, on the device it names.
    Recorded(&'static Recording),
    /// There are none.
    None,
}

/// A time to show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Time {
    pub(crate) median_ms: f64,
    pub(crate) low_ms: f64,
    pub(crate) high_ms: f64,
}

impl Time {
    /// Half of the interval's width, relative to the median.
    pub(crate) fn spread(self) -> f64 {
        (self.high_ms - self.low_ms) / 2.0 / self.median_ms
    }
}

impl Model {
    pub(crate) fn new(
        kernels: &[String],
        n: u32,
        sizes: &[u32],
        rows: &[CountRow],
        catalog: &Catalog,
        recordings: &'static [Recording],
    ) -> Self {
        let column = |id: &String| {
            let known = catalog.kernel(id);
            Column {
                kernel: id.clone(),
                title: known.map_or_else(|| id.clone(), |kernel| kernel.title.clone()),
                level: known.map_or_else(String::new, |kernel| kernel.level.clone()),
                elements: known.map_or(Elements::F32, |kernel| kernel.elements),
                ..Column::default()
            }
        };
        let mut sizes = sizes.to_vec();
        if !sizes.contains(&n) {
            sizes.push(n);
            sizes.sort_unstable();
        }
        let columns: Vec<Column> = kernels.iter().map(column).collect();
        let elements = columns.first().map_or(Elements::F32, |column| column.elements);
        Self {
            columns,
            cublas: Column { title: cublas_name(elements).into(), elements, ..Column::default() },
            n,
            sizes,
            rows: rows.to_vec(),
            phase: Phase::Idle,
            device: None,
            why_not: None,
            notes: Vec::new(),
            progress: None,
            unable: false,
            recordings,
        }
    }

    pub(crate) fn running(&self) -> Option<u64> {
        if let Phase::Running(id) = self.phase { Some(id) } else { None }
    }

    /// Forgets all results; a launch with this id begins.
    pub(crate) fn begin(&mut self, id: u64) {
        self.forget();
        self.phase = Phase::Running(id);
    }

    /// Another size: what is on the screen belongs to the old one.
    pub(crate) fn resize(&mut self, n: u32) {
        self.n = n;
        self.forget();
        self.phase = Phase::Idle;
    }

    fn forget(&mut self) {
        for column in self.columns.iter_mut().chain([&mut self.cublas]) {
            column.samples.clear();
            column.timing = None;
            column.verification = None;
            column.counts = None;
            column.hazards = None;
        }
        self.notes.clear();
        self.progress = None;
        self.unable = false;
    }

    pub(crate) fn next_size(&self) -> u32 {
        let at = self.sizes.iter().position(|size| *size == self.n).map_or(0, |at| at + 1);
        self.sizes.get(at % self.sizes.len().max(1)).copied().unwrap_or(self.n)
    }

    /// Takes a reply; true if it changed anything.
    pub(crate) fn reply(&mut self, reply: &Reply) -> bool {
        if let Reply::Description(description) = reply {
            self.device = Some(description.device.clone());
            self.why_not.clone_from(&description.why_not_cuda);
            return true;
        }
        let Some(running) = self.running() else { return false };
        match reply {
            Reply::Started { id, device, note, .. } if *id == running => {
                self.device = Some(device.clone());
                self.why_not.clone_from(note);
            }
            Reply::Progress { id, doing, fraction } if *id == running => {
                self.progress = Some((doing.clone(), *fraction));
            }
            Reply::Sample { id, subject, ms, .. } if *id == running => {
                let Some(column) = self.subject(*subject) else { return false };
                column.samples.push(*ms);
                let excess = column.samples.len().saturating_sub(KEPT);
                column.samples.drain(..excess);
            }
            Reply::Timed { id, subject, timing } if *id == running => {
                let Some(column) = self.subject(*subject) else { return false };
                column.timing = Some(*timing);
            }
            Reply::Verified { id, program, verification } if *id == running => {
                let Some(column) = self.columns.get_mut(*program) else { return false };
                column.verification = Some(verification.clone());
            }
            Reply::Counted { id, program, counts, hazards, .. } if *id == running => {
                let looked = self.rows.contains(&CountRow::Hazards);
                let Some(column) = self.columns.get_mut(*program) else { return false };
                column.counts = Some(counts.clone());
                column.hazards = looked.then(|| hazards.clone());
            }
            Reply::Instead { id, program, kernel, why } if *id == running => {
                let Some(column) = self.columns.get_mut(*program) else { return false };
                self.notes.push(format!("{} does not take this shape ({why}): {kernel} ran instead.", column.kernel));
                column.kernel.clone_from(kernel);
            }
            Reply::Skipped { id, error, .. } if *id == running => self.notes.push(error.message.clone()),
            // Each program may note the same thing.
            Reply::Note { id, text } if *id == running && !self.notes.contains(text) => self.notes.push(text.clone()),
            Reply::Finished { id, cancelled } if *id == running => {
                self.phase = Phase::Over { cancelled: *cancelled };
                self.progress = None;
            }
            Reply::Failed { id, error } if *id == running => {
                self.phase = Phase::Failed(error.message.clone(), error.help.clone());
                self.unable = error.kind == ExecErrorKind::NoDevice;
                self.progress = None;
            }
            _ => return false,
        }
        true
    }

    fn subject(&mut self, subject: Subject) -> Option<&mut Column> {
        match subject {
            Subject::Program(at) => self.columns.get_mut(at),
            Subject::Cublas => Some(&mut self.cublas),
        }
    }

    pub(crate) fn on_gpu(&self) -> bool {
        self.device.as_ref().is_some_and(|device| device.kind == DeviceKind::Cuda)
    }

    /// Recorded times only where there is no GPU that can measure, and never beside live ones.
    pub(crate) fn source(&self) -> Source {
        if self.columns.iter().any(|column| column.timing.is_some() || !column.samples.is_empty()) {
            return Source::Live;
        }
        if self.on_gpu() && !self.unable {
            return Source::None;
        }
        let holds =
            |recording: &&Recording| self.columns.iter().any(|column| recording.row(&column.kernel, self.n).is_some());
        self.recordings.iter().find(holds).map_or(Source::None, Source::Recorded)
    }

    pub(crate) fn time(&self, column: &Column) -> Option<Time> {
        match self.source() {
            Source::Live => column.timing.as_ref().map(|timing| Time {
                median_ms: timing.median_ms,
                low_ms: timing.low_ms,
                high_ms: timing.high_ms,
            }),
            Source::Recorded(recording) => {
                let time = &recording.row(&column.kernel, self.n)?.time;
                Some(Time { median_ms: time.median_ms, low_ms: time.low_ms, high_ms: time.high_ms })
            }
            Source::None => None,
        }
    }

    pub(crate) fn cublas_ms(&self) -> Option<f64> {
        match self.source() {
            Source::Live => self.cublas.timing.map(|timing| timing.median_ms),
            Source::Recorded(recording) => recording.cublas_at(self.n, self.cublas.elements).map(|time| time.median_ms),
            Source::None => None,
        }
    }

    pub(crate) fn gflops(&self, ms: f64) -> f64 {
        Shape::square(self.n).flop() / (ms * 1e6)
    }

    /// The fastest right kernel of the highest level shown and its time: among the recorded ones, or among those
    /// that the student ran on this device, now or before (`runs`). `rivals` are those of the catalogue, in order.
    pub(crate) fn best(&self, rivals: &[Rival], runs: &[RunRecord]) -> Option<(String, f64)> {
        let shown = |level: &str| self.columns.iter().any(|column| column.level == level);
        let level = &rivals.iter().rfind(|rival| shown(&rival.level))?.level;
        let competes = |kernel: &str| {
            let same = |rival: &&Rival| rival.level == *level && rival.elements == self.cublas.elements;
            rivals.iter().filter(same).any(|rival| rival.kernel == kernel)
        };
        let candidates: Vec<(String, f64)> = match self.source() {
            Source::Recorded(recording) => (recording.rows.iter())
                .filter(|row| row.time.n == self.n && row.mismatches == 0 && row.elements == self.cublas.elements)
                .filter(|row| competes(&row.kernel))
                .map(|row| (row.kernel.clone(), row.time.median_ms))
                .collect(),
            Source::Live => {
                let now = (self.columns.iter())
                    .filter(|column| column.verification.as_ref().is_some_and(|known| known.verified))
                    .filter_map(|column| Some((column.kernel.clone(), self.time(column)?.median_ms)));
                let here = |run: &&RunRecord| {
                    let device = self.device.as_ref();
                    run.shape == [self.n; 3] && device.is_some_and(|d| d.name == run.device && d.driver == run.driver)
                };
                let before = runs.iter().filter(here).filter_map(|run| Some((run.kernel.clone(), run.median_ms?)));
                now.chain(before).filter(|(kernel, _)| competes(kernel)).collect()
            }
            Source::None => Vec::new(),
        };
        // One kernel alone would be compared with itself.
        let others = candidates.iter().any(|(kernel, _)| self.columns.iter().any(|column| column.kernel != *kernel));
        if !others {
            return None;
        }
        candidates.into_iter().min_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// Wrong elements of all elements, from this run or from the recording.
    pub(crate) fn result(&self, column: &Column) -> Option<Verification> {
        if column.verification.is_some() {
            return column.verification.clone();
        }
        let Source::Recorded(recording) = self.source() else { return None };
        let row = recording.row(&column.kernel, self.n)?;
        Some(Verification {
            verified: row.mismatches == 0,
            elements: u64::from(self.n) * u64::from(self.n),
            mismatches: row.mismatches,
            ..Verification::default()
        })
    }

    /// Lowest and highest batch of all kernels: bounds that all spark lines share.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        let all = self.columns.iter().flat_map(|column| &column.samples);
        all.fold((f64::INFINITY, 0.0), |(low, high), &ms| (low.min(ms), high.max(ms)))
    }
}
