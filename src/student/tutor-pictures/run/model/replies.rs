//! What the worker's replies change in a run.

use super::{Live, Model, Phase, Timed};
use crate::prelude::*;
use tutor_course::CountRow;
use tutor_exec::protocol::{Device, DeviceKind, ExecErrorKind, Reply, Subject};

/// Maximum number of batches that are kept, which is the maximum of a sparkline.
const KEPT: usize = 240;

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

    fn take(&mut self, text: &str, cut: u64) {
        for line in text.lines() {
            if self.lines.len() < Self::SHOWN {
                self.lines.push(tutor_support::text::line(line).into_owned());
            } else {
                self.more += 1;
            }
        }
        self.cut = self.cut.saturating_add(cut);
    }
}

impl Model {
    /// Handles a reply; true if it changed anything.
    pub(crate) fn reply(&mut self, reply: &Reply) -> bool {
        if let Reply::Description(description) = reply {
            self.device = Some(description.device.clone());
            self.why_not = description.why_not_cuda.as_ref().map(ToString::to_string);
            return true;
        }
        let Some(running) = self.running() else { return false };
        match reply {
            Reply::Started { id, device, note, .. } if *id == running => {
                self.started(device, note.as_ref().map(ToString::to_string));
            }
            Reply::Progress { id, doing, fraction } if *id == running => {
                self.progress = Some((doing.to_string(), *fraction));
            }
            Reply::Sample { id, subject, ms, .. } if *id == running => {
                let Some(timed) = self.timed(*subject) else { return false };
                timed.samples.push(*ms);
                let excess = timed.samples.len().saturating_sub(KEPT);
                timed.samples.drain(..excess);
            }
            Reply::Timed { id, subject, timing } if *id == running => {
                let Some(timed) = self.timed(*subject) else { return false };
                timed.timing = Some(*timing);
            }
            Reply::Conditions { id, conditions } if *id == running => {
                let Some(live) = &mut self.live else { return false };
                live.mhz = Some(conditions.sm_mhz[1]);
            }
            Reply::Verified { id, program, verification } if *id == running => {
                let verification = Some(verification.clone());
                match &mut self.live {
                    Some(live) => {
                        let Some(timed) = live.columns.get_mut(*program) else { return false };
                        timed.verification = verification;
                    }
                    None => {
                        let Some(found) = self.emulated.columns.get_mut(*program) else { return false };
                        found.verification = verification;
                    }
                }
            }
            Reply::Counted { id, program, counts, hazards, .. } if *id == running => {
                let looked = self.rows.contains(&CountRow::Hazards);
                let Some(found) = self.emulated.columns.get_mut(*program) else { return false };
                found.counts = Some(counts.clone());
                found.hazards = looked.then(|| hazards.clone());
            }
            Reply::Estimated { id, program, estimated, .. } if *id == running => {
                let estimates = self.estimates.as_mut().and_then(|found| found.columns.get_mut(*program));
                let Some(column) = estimates else { return false };
                *column = Some(estimated.clone());
            }
            Reply::Instead { id, program, kernel, why } if *id == running => {
                let Some(compared) = self.kernels.get(*program) else { return false };
                self.notes.push(t!("run-instead", kernel = compared.kernel, why, other = kernel));
            }
            Reply::Skipped { id, error, .. } if *id == running => self.notes.push(error.message.to_string()),
            // Several programs may send the same note.
            Reply::Printed { id, text, cut, .. } if *id == running => self.printed.take(text, *cut),
            Reply::Note { id, text } if *id == running && !self.notes.contains(&text.to_string()) => {
                self.notes.push(text.to_string());
            }
            Reply::Finished { id, cancelled } if *id == running => {
                self.phase = Phase::Over { cancelled: *cancelled };
                self.progress = None;
            }
            Reply::Failed { id, error } if *id == running => {
                self.phase = Phase::Failed(error.message.to_string(), error.help.as_ref().map(ToString::to_string));
                if error.kind == ExecErrorKind::NoDevice {
                    (self.live, self.recorded) = (None, self.recording());
                }
                self.progress = None;
            }
            _ => return false,
        }
        true
    }

    fn started(&mut self, device: &Device, note: Option<String>) {
        self.device = Some(device.clone());
        self.why_not = note;
        (self.live, self.recorded) = match device.kind {
            DeviceKind::Cuda => {
                let columns = vec![Timed::default(); self.kernels.len()];
                let (cublas, default) = (Timed::default(), Timed::default());
                (Some(Live { device: device.clone(), columns, cublas, default, mhz: None }), None)
            }
            DeviceKind::Emulator => (None, self.recording()),
        };
    }

    fn timed(&mut self, subject: Subject) -> Option<&mut Timed> {
        let live = self.live.as_mut()?;
        match subject {
            Subject::Program(at) => live.columns.get_mut(at),
            Subject::Cublas => Some(&mut live.cublas),
            Subject::CublasDefault => Some(&mut live.default),
        }
    }
}
