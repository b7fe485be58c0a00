/*! A trial: the steps from an answer to a judgement.

The PTX of a choice is in the pack; the worker compiles a written source. Then the worker judges the PTX. On a GPU, if there
is a star to win, it also races the kernel. Each step is an effect, and the reply to it starts the next step.
*/

use crate::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use tutor_exec::judge::{Finding, Judged, Verdict};
use tutor_exec::protocol::{ExecError, ExecErrorKind, LaunchRequest, Queued, Reply};
use tutor_exec::results::LaunchResults;
use tutor_exercises::pack::Texts;
use tutor_exercises::{Answer, BROKEN, Exercise, Judgement, Language};
use tutor_kernels::nvrtc::Compiled;
use tutor_pictures::launch_id;
use tutor_support::sentence;
use tutor_support::words::Sentence;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Subjected {
    /// The broken kernel of a repair, which is not an answer.
    Broken,
    Answer(Answer),
}

#[derive(Debug)]
pub(super) struct Trial {
    pub(super) of: Subjected,
    /// Id of its requests to the worker.
    id: u64,
    pub(super) since: Duration,
    /// Progress, from 0 to 1.
    pub(super) fraction: f64,
    /// The PTX to judge, once compiled.
    pub(super) ptx: String,
    /// The worker's position in a queue, if it waits for a machine.
    queued: Option<Queued>,
    step: Step,
}

#[derive(Debug)]
enum Step {
    Unpacking,
    Compiling,
    Judging,
    Racing { judgement: Box<Judgement>, race: Box<LaunchResults> },
}

/// How a trial reacts to a reply.
pub(super) enum Reaction {
    Nothing,
    More,
    Next(Vec<Effect>),
    /// The trial has ended with a result or an error.
    Ended(Result<Ended, ExecError>),
}

pub(super) enum Ended {
    Symptom(Verdict),
    Judged(Box<Judgement>),
}

/// The compiled choices, once read.
pub(super) type Pack = Option<Result<Arc<Texts>, Sentence>>;

impl Trial {
    /// Begins a trial. Also returns its first step.
    pub(super) fn begin(of: Subjected, exercise: &Exercise, pack: &Pack, now: Duration) -> (Self, Reaction) {
        let mut trial = Self {
            of,
            id: launch_id(),
            since: now,
            fraction: 0.0,
            ptx: String::new(),
            queued: None,
            step: Step::Unpacking,
        };
        let reaction = match pack {
            None => Reaction::Next(vec![Effect::Unpack(exercise.id.clone())]),
            Some(pack) => trial.unpacked(exercise, pack),
        };
        (trial, reaction)
    }

    pub(super) fn stop(&self) -> Effect {
        Effect::CancelLaunch(self.id)
    }

    pub(super) fn doing(&self) -> String {
        if let Some(queued) = &self.queued {
            return queued.describe().to_string();
        }
        match (&self.step, &self.of) {
            (Step::Unpacking, _) => t!("workshop-unpacking"),
            (Step::Compiling, _) => t!("workshop-compiling"),
            (Step::Judging, Subjected::Broken) => t!("workshop-running-broken"),
            (Step::Judging, Subjected::Answer(_)) => t!("workshop-judging"),
            (Step::Racing { .. }, _) => t!("workshop-racing"),
        }
    }

    /// Continues after the pack was read, or could not be.
    pub(super) fn unpacked(&mut self, exercise: &Exercise, pack: &Result<Arc<Texts>, Sentence>) -> Reaction {
        if !matches!(self.step, Step::Unpacking) {
            return Reaction::Nothing;
        }
        let no = |why: Sentence| {
            let message = sentence!("exercise-not-built", id = exercise.id.as_str(), why);
            ExecError::new(ExecErrorKind::Invalid, message).help(sentence!("exercise-not-built-help"))
        };
        let texts = match pack {
            Ok(texts) => texts,
            Err(why) => return Reaction::Ended(Err(no(why.clone()))),
        };
        let choice = match &self.of {
            Subjected::Broken => BROKEN.to_owned(),
            Subjected::Answer(Answer::Source(text)) if exercise.language == Language::Ptx => {
                return self.judge(exercise, texts, text.clone().into());
            }
            Subjected::Answer(Answer::Source(text)) => {
                self.step = Step::Compiling;
                let request = exercise.compiling(self.id, exercise.file_name(), text.clone());
                return Reaction::Next(vec![Effect::Compile(Box::new(request))]);
            }
            Subjected::Answer(answer) => exercise.choice(answer).unwrap_or_default(),
        };
        match texts.get(&choice) {
            Some(ptx) => self.judge(exercise, texts, ptx.clone().into()),
            None => Reaction::Ended(Err(no(sentence!("exercise-no-choice", choice)))),
        }
    }

    fn judge(&mut self, exercise: &Exercise, texts: &Texts, text: Compiled) -> Reaction {
        let solution = texts.get(&exercise.solution()).map_or("", String::as_str);
        let request = exercise.judging(self.id, &text, solution, 0);
        (self.ptx, self.step) = (text.ptx, Step::Judging);
        Reaction::Next(vec![Effect::Judge(Box::new(request))])
    }

    pub(super) fn reply(&mut self, reply: &Reply, exercise: &Exercise, pack: &Pack, gpu: bool) -> Reaction {
        if let Reply::Waiting { id, queued } = reply {
            self.queued = (*id == self.id).then(|| queued.clone());
            return Reaction::More;
        }
        self.queued = None;
        if let Step::Racing { judgement, race } = &mut self.step {
            if !race.apply(reply) {
                return Reaction::Nothing;
            }
            self.fraction = race.fraction();
            if race.is_running() {
                return Reaction::More;
            }
            judgement.raced(exercise, &self.ptx, race);
            return Reaction::Ended(Ok(Ended::Judged(judgement.clone())));
        }
        match (reply, &self.step) {
            (Reply::Progress { id, fraction, .. }, _) if *id == self.id => {
                self.fraction = *fraction;
                Reaction::More
            }
            (Reply::Compiled { id, compiled }, Step::Compiling) if *id == self.id => match pack {
                Some(Ok(texts)) => self.judge(exercise, &Arc::clone(texts), compiled.clone()),
                _ => Reaction::Nothing,
            },
            (Reply::Judged { id, judged }, Step::Judging) if *id == self.id => {
                self.judged(judged.clone(), exercise, gpu)
            }
            (Reply::Failed { id, error }, Step::Compiling)
                if *id == self.id && error.kind == ExecErrorKind::Compile =>
            {
                let verdict = Verdict::Failed(Box::new(Finding::not_compiled(error)));
                self.judged(verdict.into(), exercise, gpu)
            }
            (Reply::Failed { id, error }, _) if *id == self.id => Reaction::Ended(Err(error.clone())),
            _ => Reaction::Nothing,
        }
    }

    fn judged(&mut self, judged: Judged, exercise: &Exercise, gpu: bool) -> Reaction {
        let Subjected::Answer(answer) = &self.of else { return Reaction::Ended(Ok(Ended::Symptom(judged.verdict))) };
        let mut judgement = Judgement::new(exercise, answer.clone(), judged);
        if judgement.passed()
            && let Some(request) = exercise.race(self.id, &self.ptx, 0)
        {
            if gpu {
                let judgement = Box::new(judgement);
                // A new id, so that the end of the judging request does not end the race.
                self.id = launch_id();
                let request = LaunchRequest { id: self.id, ..request };
                self.step = Step::Racing { judgement, race: Box::new(LaunchResults::of(&request)) };
                return Reaction::Next(vec![Effect::StarLaunch(Box::new(request))]);
            }
            judgement.faster = exercise.star.as_ref().map(|(rung, _)| sentence!("exercise-star-no-gpu", rung));
        }
        Reaction::Ended(Ok(Ended::Judged(Box::new(judgement))))
    }
}
