//! Applies messages to the model and returns effects.

use super::input::{BLIND, act};
use super::{Message, OverlayKind, StoreBlocked, job};
use crate::effect::into_effects;
use crate::prelude::*;
use crate::screens::map::Map;
use crate::screens::outcome::OutcomeScreen;
use crate::screens::problem::ProblemPage;
use crate::screens::quiz::Quiz;
use crate::screens::workshop::ExerciseScreen;
use std::time::Duration;
use tutor_exec::protocol::Reply;
use tutor_pictures::Picture;
use tutor_progress::{Begun, Prediction, Predictions, Progress};
use tutor_support::words::speaking;

/// Time that a message stays on the last line, unless a key is pressed.
const MESSAGE: Duration = Duration::from_secs(6);

/// Applies a message to the model. Returns the effects for the runtime.
pub fn update(model: &mut Model, msg: impl Into<Msg>) -> Vec<Effect> {
    speaking(model.words, || dispatch(model, msg.into()))
}

fn dispatch(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let below = model.screens.len() > 1;
    let effects = handle(model, msg);
    if !model.motion {
        picture(model, |picture| picture.skip_motion());
    }
    let mut effects = apply_effects(model, effects);
    let opens = |effect: &Effect| matches!(effect, Effect::Store(request) if request.opens_screen());
    if model.ends_on_map && below && model.screens.len() == 1 && !effects.iter().any(opens) {
        effects.extend(act(model, Action::Quit));
    }
    effects.extend(with_screen(model, |screen, context| screen.note_done(context)).into_iter().flatten());
    effects.extend(colours(model));
    effects.retain(|effect| match effect {
        Effect::Store(request) if request.opens_screen() && model.saving.has(request) => false,
        Effect::Store(request) => {
            if request.opens_screen() && model.saving.refused().is_some() {
                say(model, t!("app-waits-for-store"));
            }
            model.saving.ask(request.clone(), model.now);
            true
        }
        _ => true,
    });
    effects
}

/// Shows a sentence on the last line.
fn say(model: &mut Model, text: String) {
    (model.dirty, model.message) = (true, Some(Message { text, until: model.now + MESSAGE }));
}

/// Shows a notice that the student did not ask for.
fn notice(model: &mut Model, page: ProblemPage) {
    model.show(page);
    model.noticed = Some(model.now).filter(|now| model.typed.is_some_and(|typed| *now < typed + BLIND));
}

fn handle(model: &mut Model, msg: Msg) -> Vec<Effect> {
    // Every report may change what the screen shows. The others decide themselves.
    model.dirty |= !matches!(msg, Msg::Input(_) | Msg::Worker(_));
    match msg {
        Msg::Input(input) => return super::input::handle(model, input),
        Msg::Worker(reply) => return worker(model, &reply),
        Msg::Highlighted { file, lines } => {
            if let Some(oldest) = model.highlights.insert(file, &lines) {
                // Its colours must be requested again when it is shown again.
                model.asked.remove(&oldest);
            }
        }
        Msg::Language(words) => model.words = words,
        Msg::Reloaded(data) => {
            super::go::reloaded(model, *data);
            return vec![Effect::Store(StoreRequest::Look)];
        }
        Msg::Go(go) => return vec![Effect::Go(go)],
        // Who takes an exam does not mend its course.
        Msg::Checked(all) => model.data.problems = if model.data.course.exam.is_empty() { all } else { Vec::new() },
        Msg::Known(known) => model.data.learn(*known),
        Msg::Review(queue) => model.data.review = queue,
        Msg::Saved => {
            let was_blocked = model.saving.saved();
            if model.saving.is_empty() && model.overlay() == Some(OverlayKind::Unsaved) {
                return vec![Effect::Quit];
            }
            if was_blocked {
                return vec![Effect::Say(t!("app-saved-again"))];
            }
        }
        Msg::StoreBlocked(blocked) => {
            let StoreBlocked { why, help, waits } = blocked.clone();
            if model.saving.block(blocked) && !waits {
                let help = Some(format!("{help} {}", t!("app-kept-until-saved")));
                notice(model, ProblemPage { title: t!("app-unsaved-title"), message: why, help });
            }
        }
        Msg::Progress(progress) => {
            let opened = opened(&model.data.progress, &progress);
            model.data.progress = *progress;
            super::go::on_the_map(model, Map::follow);
            if let (Some(Screen::Exercise(_)), Some((level, content))) =
                (model.screens.last(), opened.and_then(|id| model.data.level(&id)))
            {
                return vec![Effect::Say(t!("workshop-opened", level = level + 1, title = &content.title))];
            }
        }
        Msg::Worked(worked) => {
            model.data.worked = worked;
            for screen in &mut model.screens {
                if let Screen::Lesson(lesson) = screen {
                    lesson.offer_again(&model.data);
                }
            }
        }
        Msg::Tries { exercise, tries } => {
            with_exercise(model, Some(&exercise), |screen, _| screen.known_tries(tries));
        }
        Msg::Unpacked { exercise, texts } => {
            return with_exercise(model, Some(&exercise), |screen, context| screen.unpacked(&texts, context))
                .unwrap_or_default();
        }
        Msg::Folder { exercise, file, event } => {
            return with_exercise(model, Some(&exercise), |screen, context| screen.found(&file, event, context))
                .unwrap_or_default();
        }
        Msg::BestRuns(runs) => model.data.take_best_runs(runs),
        Msg::Begun(begun) => return begin(model, *begun),
        Msg::Over(attempt) => {
            model.screens.retain(|screen| !matches!(screen, Screen::Quiz(quiz) if quiz.attempt.id == attempt));
        }
        Msg::Submitted(outcome) => {
            model.outcome = Some(outcome.clone());
            if let Some(Screen::Quiz(quiz)) = model.screens.last() {
                // The store also deletes the drafts when the attempt ends.
                let drafts = &mut model.data.drafts;
                quiz.attempt
                    .questions
                    .iter()
                    .for_each(|question| drop(drafts.remove(&quiz.attempt.draft_key(question))));
                let screen = OutcomeScreen::new(quiz.level, *outcome, &quiz.attempt);
                model.screens.pop();
                model.show(screen);
            }
        }
        Msg::Say(text) => return vec![Effect::Say(text)],
        Msg::Problem(problem) => notice(model, problem),
    }
    Vec::new()
}

fn worker(model: &mut Model, reply: &Reply) -> Vec<Effect> {
    let effects = job::reply(model, reply);
    let shown = picture(model, |picture| picture.reply(reply));
    // A trial continues even while another screen covers the exercise.
    let judged = with_exercise(model, None, |exercise, context| exercise.reply(reply, context));
    let (changed, more) = judged.unwrap_or_default();
    let shown = shown.unwrap_or(false) || changed;
    model.dirty |= shown;
    // The last line does not repeat what the picture shows.
    let mut effects: Vec<Effect> =
        effects.into_iter().filter(|effect| !(shown && matches!(effect, Effect::Say(_)))).collect();
    effects.extend(more);
    effects.extend(picture(model, |picture| into_effects(picture.go_on())).unwrap_or_default());
    effects.extend(job::begin_held(model));
    effects
}

/// Returns the id of the first level that was locked before and is open now.
fn opened(before: &Progress, after: &Progress) -> Option<String> {
    let open = |progress: &Progress, id: &str| progress.level(id).is_some_and(|level| !level.locked);
    let found = after.levels.iter().find(|level| !level.locked && !open(before, &level.id));
    found.map(|level| level.id.clone())
}

fn begin(model: &mut Model, begun: Begun) -> Vec<Effect> {
    let (attempt, resumed) = match begun {
        Begun::New(attempt) => (attempt, false),
        Begun::Resumed(attempt) => (attempt, true),
        Begun::Stale(error) => {
            model.show(ProblemPage {
                title: t!("quiz-cannot-go-on"),
                message: error.message.into(),
                help: Some(error.help.into()),
            });
            return Vec::new();
        }
    };
    let level = model.data.level(&attempt.level).map(|(level, _)| level);
    let Some(quiz) = model.data.quiz(&attempt.level) else { return Vec::new() };
    let given = attempt.answers.len();
    let quiz = Quiz::open(level, attempt, Some(quiz), &model.data.drafts);
    let drafted = quiz.drafts.len();
    model.show(quiz);
    let text = t!("quiz-goes-on", given, drafted);
    if resumed { vec![Effect::Say(text)] } else { Vec::new() }
}

/// Calls `f` with the picture of the topmost screen, if it has one.
pub(super) fn picture<R>(model: &mut Model, f: impl FnOnce(&mut dyn Picture) -> R) -> Option<R> {
    model.screens.last_mut()?.picture().map(f)
}

/// Applies the effects that concern only the model. Returns the others, for the runtime.
fn apply_effects(model: &mut Model, requested: Vec<Effect>) -> Vec<Effect> {
    let mut effects = Vec::new();
    for effect in requested {
        match effect {
            Effect::Go(go) => {
                model.dirty = true;
                let more = super::go::go(model, &go);
                effects.extend(apply_effects(model, more));
            }
            Effect::Say(text) => say(model, text),
            Effect::Launch(mut request) => {
                request.programs.iter_mut().for_each(|program| program.complete(&model.data.catalog));
                effects.extend(job::launch(model, request));
            }
            // A picture cancels its launch, which the worker does not know yet.
            Effect::CancelLaunch(id) if model.job.as_ref().is_some_and(|job| job.held && job.request.id == id) => {
                effects.extend(job::cancel(model));
            }
            mut other => {
                if matches!(other, Effect::Store(StoreRequest::PageOpened { .. })) {
                    // The student has left the page that started the launch.
                    effects.extend(job::cancel(model));
                }
                if prepare(model, &mut other) {
                    effects.push(other);
                }
            }
        }
    }
    effects
}

/// Completes the kernels of a request, and makes the change that the store is about to save in the model, too.
///
/// Returns false if the effect would change nothing.
fn prepare(model: &mut Model, effect: &mut Effect) -> bool {
    match effect {
        Effect::StarLaunch(request) => {
            request.programs.iter_mut().for_each(|program| program.complete(&model.data.catalog));
        }
        Effect::Witness(request) => {
            request.kernel.complete(&model.data.catalog);
            request.correct.complete(&model.data.catalog);
        }
        Effect::Store(StoreRequest::Predicted { level, page, choice, correct }) => {
            let made = Prediction { choice: *choice, correct: *correct };
            let known = model.data.predictions.entry((level.clone(), page.clone()));
            known.or_insert(Predictions::once(made)).latest = made;
            with_screen(model, |screen, context| {
                if let Screen::Lesson(lesson) = screen {
                    lesson.hold_back(context);
                    lesson.follow(context);
                }
            });
        }
        Effect::Store(StoreRequest::Hinted { exercise, hint }) => {
            // Noted at once, so that asking twice opens the next hint.
            let hints = &mut model.data.worked.entry(exercise.clone()).or_default().hints;
            if !hints.contains(hint) {
                hints.push(*hint);
                hints.sort_unstable();
            }
        }
        Effect::Store(StoreRequest::Explained { level, page, explanation }) => {
            model.data.explanations.insert((level.clone(), page.clone()), explanation.clone());
        }
        Effect::Store(StoreRequest::Draft { key, text }) => {
            let drafts = &mut model.data.drafts;
            let before = match &text {
                Some(text) => drafts.insert(key.clone(), text.clone()),
                None => drafts.remove(key),
            };
            // The store has the same drafts, so an unchanged draft is not written again.
            return before != *text;
        }
        _ => {}
    }
    true
}

/// Requests the colours of the code on the screen, once per file.
fn colours(model: &mut Model) -> Vec<Effect> {
    let Some(wanted) = model.screen().map(|screen| screen.wants(&model.context())) else { return Vec::new() };
    let new = |request: &ui_kit::code::HighlightRequest| {
        !model.highlights.has(&request.file) && model.asked.insert(request.file.clone())
    };
    wanted.into_iter().filter(new).map(Effect::Highlight).collect()
}

/// Splits the model into the screens, to be changed, and the context that they may read.
fn split(model: &mut Model) -> (&mut Vec<Screen>, Context<'_>) {
    let Model { screens, data, saving, theme, ascii, now, highlights, size, started, .. } = model;
    let look = Look { theme, ascii: *ascii, now: *now, highlights };
    (screens, Context { data, saving, look, size: *size, started })
}

/// Calls `f` with the topmost exercise that has this id (any if `None`), even if other screens cover it, and the context.
fn with_exercise<R>(
    model: &mut Model,
    id: Option<&str>,
    f: impl FnOnce(&mut ExerciseScreen, &Context) -> R,
) -> Option<R> {
    let (screens, context) = split(model);
    screens
        .iter_mut()
        .rev()
        .find_map(|screen| match screen {
            Screen::Exercise(exercise) if id.is_none_or(|id| exercise.id == id) => Some(exercise),
            _ => None,
        })
        .map(|exercise| f(exercise, &context))
}

/// Calls `f` with the topmost screen and the context.
pub(super) fn with_screen<R>(model: &mut Model, f: impl FnOnce(&mut Screen, &Context) -> R) -> Option<R> {
    let (screens, context) = split(model);
    screens.last_mut().map(|screen| f(screen, &context))
}
