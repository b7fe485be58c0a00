//! Recorded speeds on the map: the ladder of the levels' kernels, and the levels' shares of cuBLAS.

use super::app_data::{Rung, Share};
use crate::prelude::*;
use std::collections::BTreeMap;
use tutor_course::{Course, Level};
use tutor_exec::recorded::Recording;
use tutor_kernels::{Catalog, Elements, Kernel};

impl AppData {
    /// Takes ladder and shares from the recording whose GPU is most similar to this one, if this one is known.
    pub fn show_recording(&mut self) {
        let device = self.description.as_ref().map(|description| &description.device);
        let Some(recording) = Recording::nearest(device) else { return };
        (self.ladder, self.shares_at) = ladder(&self.course, &self.catalog, recording);
        self.shares = shares(&self.course, &self.ladder);
        self.cublas = recording.against.name(Elements::F32).to_string();
        self.recorded_on = Some(recording.device.trim_start_matches("NVIDIA ").to_owned());
    }
}

/// Returns the kernels of the levels' ladders at the largest size that was recorded for all of them, so that they can be
/// compared. A kernel that several levels name belongs to the first of them.
fn ladder(course: &Course, catalog: &Catalog, recording: &Recording) -> (Vec<Rung>, Option<u32>) {
    let mut named: Vec<(usize, &Kernel)> = Vec::new();
    for (level, content) in course.levels.iter().enumerate() {
        let kernels = content.ladder.iter().filter_map(|id| catalog.kernel(id));
        for kernel in kernels.filter(|kernel| !recording.sizes(kernel).is_empty()) {
            if !named.iter().any(|(_, other)| other.id == kernel.id) {
                named.push((level, kernel));
            }
        }
    }
    let rungs = |n: u32| -> Option<Vec<Rung>> {
        let rung = |(level, kernel): &(usize, &Kernel)| {
            let row = recording.row(kernel, n)?;
            let share = recording.share_of_cublas(kernel, n)?;
            let cublas_ms = recording.cublas_ms(row)?;
            Some(Rung { level: *level, kernel: kernel.id.clone(), elements: row.elements, share, cublas_ms })
        };
        named.iter().map(rung).collect()
    };
    let sizes = named.first().map_or_else(Vec::new, |(_, kernel)| recording.sizes(kernel));
    let of_all = sizes.into_iter().rev().find_map(|n| Some((rungs(n)?, n)));
    of_all.map_or((Vec::new(), None), |(rungs, n)| (rungs, Some(n)))
}

/// Returns the shares of the slowest and the fastest kernel of each level.
fn shares(course: &Course, ladder: &[Rung]) -> BTreeMap<String, Share> {
    let share = |level: &Level| {
        let kernels = || ladder.iter().filter(|rung| level.ladder.contains(&rung.kernel)).map(|rung| rung.share);
        let (low, high) = (kernels().reduce(f64::min)?, kernels().reduce(f64::max)?);
        Some((level.id.clone(), Share { low, high }))
    };
    course.levels.iter().filter_map(share).collect()
}
