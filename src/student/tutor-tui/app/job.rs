//! The current launch, updated by the worker's replies.

use super::Job;
use super::update::picture;
use crate::app_data::NoWorkerReply;
use crate::effect::into_effects;
use crate::prelude::*;
use std::time::Duration;
use tutor_exec::protocol::{LaunchRequest, Reply, Subject};
use tutor_exec::run_record::RunRecord;

impl Job {
    /// Returns a launch that has just been requested.
    pub fn new(request: LaunchRequest, since: Duration) -> Self {
        let results = vec![(None, None); request.programs.len()];
        Self { request, since, held: false, doing: None, device: None, results }
    }

    fn stop(&self) -> Effect {
        Effect::CancelLaunch(self.request.id)
    }

    /// Returns the results that the store keeps.
    fn records(&self) -> Vec<RunRecord> {
        let Some(device) = &self.device else { return Vec::new() };
        let shape = self.request.shape;
        self.request
            .programs
            .iter()
            .zip(&self.results)
            // A source that the student edited is not the catalogue's kernel.
            .filter(|(program, (time, verified))| program.ptx.is_none() && (time.is_some() || verified.is_some()))
            .map(|(program, (time, verified))| RunRecord {
                // All variants count as the same kernel.
                kernel: program.kernel.split('@').next().unwrap_or_default().to_owned(),
                shape: [shape.m, shape.n, shape.k],
                device: device.name.clone(),
                driver: device.driver.clone(),
                median_ms: *time,
                verified: *verified,
            })
            .collect()
    }
}

/// Starts a launch, which replaces the current one.
///
/// The best request depends on the device. So while the device is unknown, the launch is held, and
/// [`begin_held`] asks the picture again.
pub(super) fn launch(model: &mut Model, request: Box<LaunchRequest>) -> Vec<Effect> {
    let mut effects: Vec<Effect> = model.job.as_ref().filter(|job| !job.held).map(Job::stop).into_iter().collect();
    let data = &mut model.data;
    // The queue may now have a machine, even if it had none before.
    let asks = data.queues && matches!(data.no_reply, Some(NoWorkerReply::Unasked | NoWorkerReply::Lost(_)));
    if asks && data.description.is_none() {
        data.no_reply = None;
        effects.push(Effect::Describe);
    }
    let held = !is_device_known(model);
    (model.dirty, model.job) = (true, Some(Job { held, ..Job::new((*request).clone(), model.now) }));
    if !held {
        effects.push(Effect::Launch(request));
    }
    effects
}

fn is_device_known(model: &Model) -> bool {
    model.data.description.is_some() || matches!(model.data.no_reply, Some(NoWorkerReply::Lost(_)))
}

/// Once the device is known, returns the effect that starts the held launch.
///
/// Takes a new request from the picture if it makes one, because the request may depend on the device.
pub(super) fn begin_held(model: &mut Model) -> Option<Effect> {
    if !is_device_known(model) {
        return None;
    }
    let held = model.job.take_if(|job| job.held)?;
    let mut again = Vec::new();
    picture(model, |picture| again = picture.act(Action::Launch));
    let again = into_effects(again).into_iter().find(|effect| matches!(effect, Effect::Launch(_)));
    Some(again.unwrap_or_else(|| Effect::Launch(Box::new(held.request))))
}

/// Stops the current launch. The worker does not know a held launch, so only the model forgets it.
pub(super) fn cancel(model: &mut Model) -> Vec<Effect> {
    let Some(held) = model.job.take_if(|job| job.held) else {
        return model.job.as_ref().map(Job::stop).into_iter().collect();
    };
    model.dirty = true;
    picture(model, |picture| {
        picture.reply(&Reply::Finished { id: held.request.id, cancelled: true });
    });
    // No launch waits for a machine any more.
    if model.data.queues { vec![Effect::CancelLaunch(0)] } else { Vec::new() }
}

/// Updates the model with a reply from the worker. Replies with id 0 are about the description.
pub(super) fn reply(model: &mut Model, reply: &Reply) -> Vec<Effect> {
    let data = &mut model.data;
    let mut effects = Vec::new();
    match reply {
        Reply::Description(description) => {
            data.description = Some(description.clone());
            data.show_recording();
        }
        Reply::Silent { id: 0, seconds, .. } => data.no_reply = Some(NoWorkerReply::Silent { seconds: *seconds }),
        Reply::Waiting { id: 0, queued } => data.no_reply = Some(NoWorkerReply::Queued(queued.clone())),
        Reply::Finished { id: 0, .. } => data.no_reply = Some(NoWorkerReply::Unasked),
        Reply::Failed { id: 0, error } => {
            data.no_reply = Some(NoWorkerReply::Lost(error.clone()));
            effects.push(Effect::Say(error.message.to_string()));
        }
        _ => return launch_reply(model, reply),
    }
    model.dirty = true;
    effects
}

/// Updates the current launch with a reply to it.
fn launch_reply(model: &mut Model, reply: &Reply) -> Vec<Effect> {
    let Some(job) = model.job.as_mut() else { return Vec::new() };
    let mine = job.request.id;
    match reply {
        Reply::Started { id, device, .. } if *id == mine => job.device = Some(device.clone()),
        Reply::Progress { id, doing, fraction } if *id == mine => job.doing = Some((doing.to_string(), *fraction)),
        Reply::Silent { id, seconds, limit } if *id == mine => {
            let (seconds, limit) = (format!("{seconds:.0}"), format!("{limit:.0}"));
            let fraction = job.doing.as_ref().map_or(0.0, |(_, fraction)| *fraction);
            job.doing = Some((t!("app-worker-silent", seconds, limit), fraction));
        }
        Reply::Waiting { id, queued } if *id == mine => job.doing = Some((queued.describe().to_string(), 0.0)),
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
            return records.into_iter().map(|record| Effect::Store(StoreRequest::Ran(record))).collect();
        }
        Reply::Failed { id, error } if *id == mine => {
            model.dirty = true;
            model.job = None;
            return vec![Effect::Say(error.message.to_string())];
        }
        _ => return Vec::new(),
    }
    model.dirty = true;
    Vec::new()
}
