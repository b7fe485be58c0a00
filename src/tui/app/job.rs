//! The launch under way, as the worker's replies tell it.

use super::{Job, Model};
use crate::exec::protocol::{LaunchRequest, Reply, Subject};
use crate::mastery::RunRecord;
use crate::t;
use crate::tui::effect::{Effect, Keep};
use crate::tui::world::Unheard;
use std::time::Duration;

impl Job {
    /// A launch that was just asked for.
    pub fn new(request: LaunchRequest, since: Duration) -> Self {
        let results = vec![(None, None); request.programs.len()];
        Self { request, since, doing: None, device: None, results }
    }

    /// What is worth remembering of it.
    fn records(&self) -> Vec<RunRecord> {
        let Some(device) = &self.device else { return Vec::new() };
        let shape = self.request.shape;
        self.request
            .programs
            .iter()
            .zip(&self.results)
            // A student's own edit is not the catalogue's kernel.
            .filter(|(program, (time, verified))| program.ptx.is_none() && (time.is_some() || verified.is_some()))
            .map(|(program, (time, verified))| RunRecord {
                kernel: program.kernel.clone(),
                shape: [shape.m, shape.n, shape.k],
                device: device.name.clone(),
                driver: device.driver.clone(),
                median_ms: *time,
                verified: *verified,
            })
            .collect()
    }
}

/// Takes a reply into account.
pub(super) fn reply(model: &mut Model, reply: &Reply) -> Vec<Effect> {
    match reply {
        Reply::Description(description) => {
            model.world.description = Some(description.clone());
            model.dirty = true;
            return Vec::new();
        }
        Reply::Silent { id: 0, seconds, .. } => {
            model.world.unheard = Some(Unheard::Silent { seconds: *seconds });
            model.dirty = true;
            return Vec::new();
        }
        Reply::Failed { id: 0, error } => {
            model.world.unheard = Some(Unheard::Lost(error.clone()));
            model.dirty = true;
            return vec![Effect::Say(error.message.clone())];
        }
        _ => {}
    }
    let Some(job) = model.job.as_mut() else { return Vec::new() };
    let mine = job.request.id;
    match reply {
        Reply::Started { id, device, .. } if *id == mine => job.device = Some(device.clone()),
        Reply::Progress { id, doing, fraction } if *id == mine => job.doing = Some((doing.clone(), *fraction)),
        Reply::Silent { id, seconds, limit } if *id == mine => {
            let (seconds, limit) = (format!("{seconds:.0}"), format!("{limit:.0}"));
            let fraction = job.doing.as_ref().map_or(0.0, |(_, fraction)| *fraction);
            job.doing = Some((t!("app-worker-silent", seconds = seconds, limit = limit), fraction));
        }
        Reply::Timed { id, subject: Subject::Program(at), timing } if *id == mine => {
            if let Some(result) = job.results.get_mut(*at) {
                result.0 = Some(timing.median_ms);
            }
        }
        Reply::Verified { id, program, verification } if *id == mine => {
            if let Some(result) = job.results.get_mut(*program) {
                result.1 = Some(verification.verified);
            }
        }
        Reply::Finished { id, cancelled } if *id == mine => {
            model.dirty = true;
            let job = model.job.take();
            let records = job.filter(|_| !cancelled).map_or_else(Vec::new, |job| job.records());
            return records.into_iter().map(|record| Effect::Keep(Keep::Ran(record))).collect();
        }
        Reply::Failed { id, error } if *id == mine => {
            model.dirty = true;
            model.job = None;
            return vec![Effect::Say(error.message.clone())];
        }
        _ => return Vec::new(),
    }
    model.dirty = true;
    Vec::new()
}
