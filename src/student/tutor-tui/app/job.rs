//! The current launch, updated by the worker's replies.

use super::Job;
use super::update::picture;
use crate::app_data::NoWorkerReply;
use crate::effect::into_effects;
use crate::prelude::*;
use std::time::Duration;
use tutor_exec::protocol::{LaunchRequest, Program, Reply};
use tutor_exec::results::{LaunchResults, LaunchState, ProgramResults};
use tutor_exec::run_record::RunRecord;

impl Job {
    /// Returns a launch that has just been requested.
    pub fn new(request: LaunchRequest, since: Duration) -> Self {
        Self { results: LaunchResults::of(&request), request, since, held: false }
    }

    fn stop(&self) -> Effect {
        Effect::CancelLaunch(self.request.id)
    }

    /// Describes what the worker does now, with its completed fraction.
    pub(crate) fn doing(&self) -> Option<(String, f64)> {
        let results = &self.results;
        if let Some(queued) = &results.queued {
            return Some((queued.describe().to_string(), 0.0));
        }
        if let Some([seconds, limit]) = results.silent {
            let (seconds, limit) = (format!("{seconds:.0}"), format!("{limit:.0}"));
            return Some((t!("app-worker-silent", seconds, limit), results.fraction()));
        }
        results.progress.as_ref().map(|(doing, fraction)| (doing.to_string(), *fraction))
    }

    /// Returns the results that the store keeps.
    fn records(&self) -> Vec<RunRecord> {
        let Some(device) = &self.results.device else { return Vec::new() };
        let shape = self.request.shape;
        let record = |(program, found): (&Program, &ProgramResults)| {
            let (median_ms, wrong) = (found.timed.median_ms(), found.wrong_elements());
            // A source that the student edited is not the catalogue's kernel.
            (program.ptx.is_none() && (median_ms.is_some() || wrong.is_some())).then(|| RunRecord {
                // All variants count as the same kernel.
                kernel: program.kernel.split('@').next().unwrap_or_default().to_owned(),
                shape: [shape.m, shape.n, shape.k],
                device: device.name.clone(),
                driver: device.driver.clone(),
                median_ms,
                verified: wrong.map(|wrong| wrong == 0),
            })
        };
        self.request.programs.iter().zip(&self.results.programs).filter_map(record).collect()
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
    let Some(job) = &mut model.job else { return Vec::new() };
    if !job.results.apply(reply) {
        return Vec::new();
    }
    model.dirty = true;
    let effects = match &job.results.state {
        LaunchState::Running => return Vec::new(),
        LaunchState::Over { cancelled: true } => Vec::new(),
        LaunchState::Over { cancelled: false } => {
            job.records().into_iter().map(|record| Effect::Store(StoreRequest::Ran(record))).collect()
        }
        LaunchState::Failed(error) => vec![Effect::Say(error.message.to_string())],
    };
    model.job = None;
    effects
}
