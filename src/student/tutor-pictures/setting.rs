//! What a picture may know of the world around it.

use std::sync::Arc;
use tutor_course::Course;
use tutor_exec::latency::Latencies;
use tutor_exec::protocol::Description;
use tutor_exec::run_record::RunRecord;
use tutor_exec::tuned::Tuned;
use tutor_kernels::{Catalog, Kernel};

/// Everything that a new picture may use.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// Devices and libraries, if the worker has answered.
    pub description: Option<&'a Description>,
    /// The course, if there is one.
    pub course: Option<&'a Course>,
    /// The course's kernels, which may be an instructor's.
    pub catalog: &'a Catalog,
    /// The fastest correct run of each kernel on each device.
    pub best_runs: &'a [RunRecord],
    /// Latencies of the student's GPU, if they were measured.
    pub latencies: Option<&'a Arc<Latencies>>,
    /// The variants that were tuned on this machine.
    pub tuned: Option<&'a Arc<Tuned>>,
}

impl<'a> Setting<'a> {
    /// Creates a setting that knows only a catalogue.
    pub fn new(catalog: &'a Catalog) -> Self {
        Self { description: None, course: None, catalog, best_runs: &[], latencies: None, tuned: None }
    }
}

impl Setting<'_> {
    /// Replaces a kernel by the catalogue's edition, if only their texts differ.
    pub(crate) fn translate(self, kernel: &mut Kernel) {
        if let Some(known) = self.catalog.kernel(&kernel.id).filter(|known| known.runs_as(kernel)) {
            kernel.clone_from(known);
        }
    }
}
