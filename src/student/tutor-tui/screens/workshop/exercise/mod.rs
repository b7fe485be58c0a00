/*! An exercise: the code, the goals, and an explanation of the first unmet goal.

```text
 workshop ▸ 2 Good advice                                    repair · tried once
 ─ good-advice.cu, broken ────────────────┬─ Which line is at fault? ↑↓ and Enter ─
    8 │     __shared__ float A_tile[…];   │ "Pad your tiles, that avoids …"
    9 │     __shared__ float B_tile[…];   │ ✔ compiles
 ▸ 24 │     A_tile[ty][tx] = …            │ ✔ runs to its end
   25 │     B_tile[ty][tx] = …            │ ✘ requests no more memory than needed
 ⏎ this line  ↑↓ move  h hint  Esc back  ? help
```

With 100 or more columns the two parts are side by side, else one above the other (`z` gives either part the whole screen).
The screen shows only real results: the worker runs the broken kernel and every choice ([`trial`]). A solution counts as
saved once the store has confirmed it.
*/

mod changes;
mod choices;
mod draft;
mod estimate;
mod keys;
mod layout;
mod listing;
mod pattern;
mod render;
mod report;
mod stepper;
mod trial;

use crate::app::FolderEvent;
use crate::effect::FolderCommand;
use crate::prelude::*;
use draft::{Draft, Stage, folder_key};
use estimate::Estimating;
use report::Part;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use trial::{Ended, Pack, Reaction, Subjected, Trial};
use tutor_exec::judge::{Finding, Verdict};
use tutor_exec::protocol::{DeviceKind, ExecError, ExecErrorKind, Reply};
use tutor_exercises::pack::Texts;
use tutor_exercises::{Answer, Exercise, Judgement, Work, is_starter};
use tutor_progress::Try;
use tutor_support::words::Sentence;

#[derive(Debug)]
pub struct ExerciseScreen {
    pub id: String,
    draft: Draft,
    pack: Pack,
    trial: Option<Trial>,
    /// Verdict on the broken kernel of a repair.
    symptom: Option<Verdict>,
    result: Option<TrialResult>,
    /// The estimated time of the kernel in `result`.
    estimating: Option<Estimating>,
    /// The last judged solutions, the latest first.
    tries: Vec<Try>,
    shows: Shows,
    zoom: Zoom,
    /// First visible row of the code; `None` for the position of the most important line.
    code_scroll: Option<usize>,
    report_scroll: usize,
    /// The part of the report that the next frame must show.
    follow: Cell<Option<Part>>,
    /// Reason why a command on the student's folder failed.
    problem: Option<String>,
    /// True if the editor is to open the file once it exists.
    edit_when_made: bool,
}

/// Result and duration of a trial.
#[derive(Debug)]
struct TrialResult {
    outcome: Result<Box<Judgement>, ExecError>,
    /// The judged PTX; empty if it did not compile.
    ptx: String,
    took: Duration,
}

/// What the area of the code shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shows {
    Own,
    /// What changed since the last try.
    Changes,
    Solution,
}

/// What the screen shows if code and report are not side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zoom {
    Both,
    Report,
    Code,
}

impl ExerciseScreen {
    /// Opens the exercise with this id, if it exists.
    pub fn open(id: &str, context: &Context) -> Option<(Self, Vec<Effect>)> {
        let data = context.data;
        let exercise = data.exercise(id)?;
        let mut screen = Self {
            id: id.to_owned(),
            draft: Draft::new(exercise, &data.drafts),
            pack: None,
            trial: None,
            symptom: None,
            result: None,
            estimating: None,
            tries: Vec::new(),
            shows: Shows::Own,
            zoom: Zoom::Both,
            code_scroll: None,
            report_scroll: 0,
            follow: Cell::new(None),
            problem: None,
            edit_when_made: false,
        };
        let mut effects = vec![Effect::Store(StoreRequest::Tries { exercise: id.to_owned() })];
        match &exercise.work {
            Work::Repair(_) => effects.extend(screen.begin(Subjected::Broken, context)),
            Work::Fill(_) => {}
            Work::Write(_) => effects.push(screen.folder(FolderCommand::Watch, data)),
        }
        Some((screen, effects))
    }

    pub fn leave(&self) -> Vec<Effect> {
        let watched = matches!(self.draft, Draft::Own { .. }).then_some(Effect::LeaveFolder);
        let estimate = self.estimating.as_ref().and_then(Estimating::stop);
        self.trial.as_ref().map(Trial::stop).into_iter().chain(estimate).chain(watched).collect()
    }

    pub fn exercise<'w>(&self, context: &Context<'w>) -> Option<&'w Exercise> {
        context.data.exercise(&self.id)
    }

    fn folder(&self, command: FolderCommand, data: &AppData) -> Effect {
        let dir = data.drafts.get(&folder_key(&self.id)).map(PathBuf::from);
        Effect::Folder { exercise: self.id.clone(), dir, command }
    }

    /// Begins a trial, which replaces a running one.
    fn begin(&mut self, of: Subjected, context: &Context) -> Vec<Effect> {
        let Some(exercise) = self.exercise(context).filter(|exercise| !exercise.needs_program()) else {
            return Vec::new();
        };
        let mut effects: Vec<Effect> = self.trial.take().as_ref().map(Trial::stop).into_iter().collect();
        effects.extend(self.estimating.take().as_ref().and_then(Estimating::stop));
        let (trial, reaction) = Trial::begin(of, exercise, &self.pack, context.look.now);
        // The task stays visible while the broken kernel runs.
        if trial.of != Subjected::Broken {
            self.follow.set(Some(Part::Verdict));
        }
        self.trial = Some(trial);
        effects.extend(self.react(reaction, context));
        effects
    }

    /// Updates the screen after a step of the trial.
    fn react(&mut self, reaction: Reaction, context: &Context) -> Vec<Effect> {
        let ended = match reaction {
            Reaction::Nothing | Reaction::More => return Vec::new(),
            Reaction::Next(effects) => return effects,
            Reaction::Ended(ended) => ended,
        };
        let ended_at = context.look.now;
        let trial = self.trial.take().map(|trial| (trial.ptx, ended_at.saturating_sub(trial.since)));
        let (ptx, took) = trial.unwrap_or_default();
        match ended {
            Ok(Ended::Symptom(verdict)) => {
                self.symptom = Some(verdict);
                Vec::new()
            }
            Ok(Ended::Judged(judgement)) => {
                let mut effects = self.keep(&judgement, context);
                if judgement.passed() {
                    effects.extend(self.estimate(&ptx, context));
                }
                self.show_result(TrialResult { outcome: Ok(judgement), ptx, took });
                effects
            }
            Err(error) => {
                self.show_result(TrialResult { outcome: Err(error), ptx, took });
                Vec::new()
            }
        }
    }

    /// Begins to estimate a kernel that passed.
    fn estimate(&mut self, ptx: &str, context: &Context) -> Option<Effect> {
        let (estimating, effect) = Estimating::begin(self.exercise(context)?, ptx)?;
        self.estimating = Some(estimating);
        Some(effect)
    }

    fn show_result(&mut self, result: TrialResult) {
        self.result = Some(result);
        self.follow.set(Some(Part::Verdict));
        if let Draft::Cure { stage, .. } = &mut self.draft {
            *stage = Stage::Judged;
        }
        (self.shows, self.code_scroll) = (Shows::Own, None);
    }

    /// Returns the effect that saves the judged solution. An unchanged file that was saved before is not saved again.
    fn keep(&self, judgement: &Judgement, context: &Context) -> Vec<Effect> {
        let Some(exercise) = self.exercise(context) else { return Vec::new() };
        let answer = match &judgement.answer {
            Answer::Source(text) => text.clone(),
            _ => self.draft.form(exercise),
        };
        let tried = judgement.tried(&answer);
        let again = matches!(judgement.answer, Answer::Source(_)) && self.tries.first() == Some(&tried);
        if again { Vec::new() } else { vec![Effect::Store(StoreRequest::Tried { exercise: self.id.clone(), tried })] }
    }

    /// Takes the compiled choices, or the reason why they cannot be read, and continues the trial.
    pub fn unpacked(&mut self, texts: &Result<Arc<Texts>, Sentence>, context: &Context) -> Vec<Effect> {
        self.pack = Some(texts.clone());
        let (Some(exercise), Some(trial)) = (self.exercise(context), self.trial.as_mut()) else { return Vec::new() };
        let reaction = trial.unpacked(exercise, texts);
        self.react(reaction, context)
    }

    /// Handles a reply from the worker. Returns whether the screen now looks different, and effects.
    pub fn reply(&mut self, reply: &Reply, context: &Context) -> (bool, Vec<Effect>) {
        if let Reply::Description(known) = reply {
            return (true, if known.nvrtc.is_ok() { self.compiler_came(context) } else { Vec::new() });
        }
        if self.estimating.as_mut().is_some_and(|estimating| estimating.reply(reply)) {
            return (true, Vec::new());
        }
        let (Some(exercise), Some(trial)) = (self.exercise(context), self.trial.as_mut()) else {
            return (false, Vec::new());
        };
        let gpu = context.data.description.as_ref().is_some_and(|known| known.device.kind == DeviceKind::Cuda);
        let reaction = trial.reply(reply, exercise, &self.pack, gpu);
        let changed = !matches!(reaction, Reaction::Nothing);
        (changed, self.react(reaction, context))
    }

    /// Judges a source that could not be judged before because there was no compiler.
    fn compiler_came(&mut self, context: &Context) -> Vec<Effect> {
        let missing =
            |result: &TrialResult| result.outcome.as_ref().is_err_and(|error| error.kind == ExecErrorKind::NoDevice);
        match &self.draft {
            Draft::Own { text: Some(text), .. } if self.result.as_ref().is_some_and(missing) => {
                let answer = Answer::Source(text.clone());
                self.begin(Subjected::Answer(answer), context)
            }
            _ => Vec::new(),
        }
    }

    /// Takes the last judged solutions from the store.
    pub fn known_tries(&mut self, tries: Vec<Try>) {
        self.tries = tries;
    }

    /// Handles an event in the student's folder.
    pub fn found(&mut self, file: &Path, event: FolderEvent, context: &Context) -> Vec<Effect> {
        let Some(exercise) = self.exercise(context) else { return Vec::new() };
        let Draft::Own { file: known, text } = &mut self.draft else { return Vec::new() };
        *known = Some(file.to_owned());
        let dir = file.parent().map(|dir| dir.display().to_string());
        let here = Effect::Store(StoreRequest::Draft { key: folder_key(&self.id), text: dir });
        self.problem = None;
        match event {
            FolderEvent::NotBegun => {
                *text = None;
                Vec::new()
            }
            FolderEvent::Made if std::mem::take(&mut self.edit_when_made) => {
                let Work::Write(write) = &exercise.work else { return vec![here] };
                vec![here, Effect::EditOwn { file: file.to_owned(), line: todo(&write.starter) }]
            }
            FolderEvent::Made => vec![here],
            FolderEvent::Reset(kept) => {
                (self.result, self.estimating, self.code_scroll) = (None, None, None);
                vec![Effect::Say(t!("workshop-reset", kept = kept.display().to_string()))]
            }
            FolderEvent::Failed(why) => {
                (self.problem, self.edit_when_made) = (Some(why), false);
                Vec::new()
            }
            FolderEvent::Saved(Err(why)) => {
                self.problem = Some(why.to_string());
                Vec::new()
            }
            FolderEvent::Saved(Ok(saved)) => {
                *text = Some(saved.clone());
                if is_starter(exercise, &saved) {
                    // The unchanged starter code is not a try.
                    let stop: Vec<Effect> = self.trial.take().as_ref().map(Trial::stop).into_iter().collect();
                    self.result = None;
                    return stop.into_iter().chain([here]).collect();
                }
                let mut effects = self.begin(Subjected::Answer(Answer::Source(saved)), context);
                effects.push(here);
                effects
            }
        }
    }

    /// Returns the judgement of the last judged answer, unless the trial failed.
    fn judgement(&self) -> Option<&Judgement> {
        self.result.as_ref()?.outcome.as_deref().ok()
    }

    /// Returns the last finding: for the student's answer or, before there is one, for the broken kernel.
    fn finding(&self) -> Option<&Finding> {
        let verdict = match &self.result {
            Some(_) => self.judgement().map(|judgement| &judgement.verdict),
            None => self.symptom.as_ref(),
        };
        match verdict? {
            Verdict::Failed(finding) => Some(finding),
            Verdict::Passed => None,
        }
    }

    /// True if the last judged answer passed.
    fn passed(&self) -> bool {
        self.judgement().is_some_and(Judgement::passed)
    }

    /// Returns the next exercise: the first open, unpassed one after this one, else before it.
    fn next<'w>(&self, data: &'w AppData) -> Option<&'w Exercise> {
        let at = data.exercises.iter().position(|exercise| exercise.id == self.id)?;
        let open = |exercise: &&Exercise| {
            let level = data.level(&exercise.level).map(|(level, _)| level);
            let can = level.is_some_and(|level| data.locked_by(level).is_none()) && !exercise.needs_program();
            can && !data.worked(&exercise.id).passed
        };
        let (before, behind) = data.exercises.split_at(at);
        behind.iter().skip(1).find(open).or_else(|| before.iter().find(open))
    }
}

/// Returns the line of the first `TODO` (1-based), or 1.
fn todo(source: &str) -> u32 {
    (1..).zip(source.lines()).find(|(_, line)| line.contains("TODO")).map_or(1, |(line, _)| line)
}
