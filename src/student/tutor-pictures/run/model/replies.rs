//! What the worker's replies change in a run.

use super::Model;
use crate::prelude::*;
use tutor_exec::protocol::{DeviceKind, ExecErrorKind, Reply};

/// Output of kernels: the first lines, and how many lines and bytes were cut.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Printed {
    pub(crate) lines: Vec<String>,
    pub(crate) more: usize,
    pub(crate) cut: u64,
}

impl Printed {
    /// Maximum number of lines shown.
    const SHOWN: usize = 8;
}

impl Model {
    /// Handles a reply; true if it changed anything.
    pub(crate) fn reply(&mut self, reply: &Reply) -> bool {
        if let Reply::Description(description) = reply {
            self.device = Some(description.device.clone());
            self.why_not = description.why_not_cuda.as_ref().map(ToString::to_string);
            return true;
        }
        if !self.launch.as_mut().is_some_and(|launch| launch.apply(reply)) {
            return false;
        }
        match reply {
            Reply::Started { device, note, .. } => {
                self.device = Some(device.clone());
                self.why_not = note.as_ref().map(ToString::to_string);
                self.recorded = if device.kind == DeviceKind::Emulator { self.recording() } else { None };
            }
            Reply::Failed { error, .. } if error.kind == ExecErrorKind::NoDevice => self.recorded = self.recording(),
            _ => {}
        }
        true
    }

    /// Returns the sentences below a launch: the kernels that were replaced or skipped, and the worker's notes.
    pub(crate) fn notes(&self) -> Vec<String> {
        let Some(launch) = &self.launch else { return Vec::new() };
        let about = self.kernels.iter().zip(&launch.programs).flat_map(|(compared, found)| {
            let instead = found.instead.as_ref();
            let instead = instead.map(|(kernel, why)| t!("run-instead", kernel = compared.kernel, why, other = kernel));
            instead.into_iter().chain(found.skipped.as_ref().map(|error| error.message.to_string()))
        });
        about.chain(launch.notes.iter().map(ToString::to_string)).collect()
    }

    /// Returns the output of the launch's kernels.
    pub(crate) fn printed(&self) -> Printed {
        let mut printed = Printed::default();
        for part in self.launch.iter().flat_map(|launch| &launch.printed) {
            for line in part.text.lines() {
                if printed.lines.len() < Printed::SHOWN {
                    printed.lines.push(tutor_support::text::line(line).into_owned());
                } else {
                    printed.more += 1;
                }
            }
            printed.cut = printed.cut.saturating_add(part.cut);
        }
        printed
    }
}
