//! Moves from screen to screen.

use super::{Overlay, OverlayKind};
use crate::app_data::page_index;
use crate::prelude::*;
use crate::screens::lesson::Lesson;
use crate::screens::map::Map;
use crate::screens::picture_screen::PictureScreen;
use crate::screens::problem::ProblemPage;
use crate::screens::variants::Variants;
use crate::screens::welcome::Welcome;
use crate::screens::workshop::{ExerciseScreen, Workshop};
use tutor_course::{Level, Problem, Show};
use tutor_progress::{AttemptKind, LevelProgress};

/// Goes to a place, or shows why that is not possible.
pub(super) fn go(model: &mut Model, to: &Go) -> Vec<Effect> {
    // A launch belongs to the screen that started it.
    let mut effects = super::job::cancel(model);
    if let (Some(Screen::Exercise(exercise)), Go::Back | Go::Map | Go::Exercise(_)) = (model.screens.last(), to) {
        effects.extend(exercise.leave());
    }
    let refused = match *to {
        Go::Page { level, .. } | Go::Pages { level } => closed(model, level),
        Go::Variant { .. } if !model.data.course.all_open => None,
        Go::Gate { level } | Go::Quiz { level, .. } | Go::Variant { level, .. } => no_quiz(model, level),
        _ => None,
    };
    if let Some(refused) = refused {
        effects.extend(refused);
        return effects;
    }
    // The question of the first screen is not on the way back from another screen.
    if *to != Go::Back {
        model.screens.retain(|screen| !matches!(screen, Screen::Welcome(_)));
    }
    match *to {
        Go::Workshop(level) => {
            let workshop = Workshop::open(level, &model.data);
            model.show(workshop);
        }
        Go::Exercise(ref id) => effects.extend(open_exercise(model, id)),
        Go::Stepper => {
            let context = model.context();
            let stepper = match model.screens.last() {
                Some(Screen::Exercise(screen)) => {
                    screen.exercise(&context).and_then(|exercise| screen.stepper(exercise, context.data.setting()))
                }
                _ => None,
            };
            if let Some(stepper) = stepper {
                let (screen, asked) = PictureScreen::stepper(stepper);
                model.show(screen);
                effects.extend(asked);
            }
        }
        Go::Back => {
            if model.screens.len() > 1 {
                let left = model.screens.pop();
                if matches!(left, Some(Screen::Lesson(_) | Screen::Quiz(_) | Screen::Outcome(_))) {
                    on_the_map(model, Map::come_back);
                }
            }
        }
        Go::Map => {
            model.screens.truncate(1);
            on_the_map(model, Map::come_back);
        }
        Go::Page { level, page } => effects.extend(open_page(model, level, page)),
        Go::Pages { level } => {
            let cursor = match model.screens.last() {
                Some(Screen::Lesson(lesson)) if lesson.level == level => lesson.page,
                _ => model.data.next_page(level).unwrap_or(0),
            };
            model.overlays.push(Overlay { cursor: Some(cursor), ..Overlay::new(OverlayKind::Pages { level }) });
        }
        Go::Gate { level } if model.data.course.all_open => {
            model.show(Variants { level, slot: 0, variant: 0, scroll: 0 });
        }
        // Students must not see the correct answers.
        Go::Variant { .. } if !model.data.course.all_open => {}
        Go::Variant { level, slot, variant } => model.show(Variants { level, slot, variant, scroll: 0 }),
        // Resumes an open attempt, but asks before a new one, because a key may be pressed by mistake.
        Go::Gate { level } if !model.data.progress_of(level).is_some_and(|progress| progress.under_way) => {
            model.lay_over(OverlayKind::Gate { level });
        }
        Go::Gate { level } => effects.extend(begin(model, level, AttemptKind::Gate)),
        Go::Quiz { level, kind } => effects.extend(begin(model, level, kind)),
        Go::Review => effects.push(Effect::Store(StoreRequest::Review)),
        Go::Welcome => model.show(Welcome::default()),
        Go::Banks => {
            let banks = PictureScreen::banks(&model.context());
            model.screens.extend(banks.map(Screen::from));
        }
        Go::SpeedContest => {
            if let Some((screen, asked)) = PictureScreen::contest(&model.context()) {
                model.show(screen);
                effects.extend(asked);
                if !model.motion {
                    super::update::picture(model, |picture| picture.skip_motion());
                }
            }
        }
    }
    effects
}

/// Opens an exercise if its level is open. It replaces an exercise on the screen.
fn open_exercise(model: &mut Model, id: &str) -> Vec<Effect> {
    let level = model.data.exercise(id).and_then(|exercise| model.data.level(&exercise.level)).map(|(at, _)| at);
    if let Some(refused) = level.and_then(|level| locked(model, level)) {
        return vec![refused];
    }
    let Some((exercise, effects)) = ExerciseScreen::open(id, &model.context()) else {
        return vec![Effect::Say(t!("exercise-none", id))];
    };
    if matches!(model.screens.last(), Some(Screen::Exercise(_))) {
        model.screens.pop();
    }
    if let Some(Screen::Workshop(workshop)) = model.screens.last_mut()
        && let Some(at) = model.data.exercises.iter().position(|exercise| exercise.id == id)
    {
        workshop.cursor = at;
    }
    model.show(exercise);
    effects
}

/// Calls `update` on the map if the map is on the screen.
pub(super) fn on_the_map(model: &mut Model, update: impl FnOnce(&mut Map, &AppData)) {
    if let [Screen::Map(map)] = model.screens.as_mut_slice() {
        update(map, &model.data);
    }
}

fn open_page(model: &mut Model, level: usize, page: usize) -> Vec<Effect> {
    let (lesson, effects) = Lesson::open(level, page, &model.context());
    if matches!(model.screens.last(), Some(Screen::Lesson(_))) {
        model.screens.pop();
    }
    model.show(lesson);
    effects
}

/// The page that the student is reading, with the ids that find it again after the course is reloaded.
#[derive(Debug)]
pub struct Reading {
    level: String,
    page: Option<String>,
    show: Option<Show>,
    lesson: Box<Lesson>,
}

impl Reading {
    fn of(lesson: Box<Lesson>, data: &AppData) -> Option<Self> {
        let level = data.course.levels.get(lesson.level)?;
        let page = pages(level).get(lesson.page);
        let (id, show) = (page.map(|page| page.id.value.clone()), page.and_then(|page| page.show.clone()));
        Some(Self { level: level.id.clone(), page: id, show, lesson })
    }

    /// Returns the indices of the page in the reloaded course, or those of the page now in its position. `None` if the
    /// page may be one that a mistake in the file leaves out.
    fn locate(&self, data: &AppData) -> Option<(usize, usize)> {
        let (at, level) = data.level(&self.level)?;
        let by_id = self.page.as_ref().and_then(|page| page_index(level, page));
        if by_id.is_none() && mistake(level, data).is_some() {
            return None;
        }
        Some((at, by_id.or_else(|| pages(level).len().checked_sub(1).map(|last| last.min(self.lesson.page)))?))
    }
}

/// Returns the first problem that was found while a level's lesson was read.
fn mistake<'a>(level: &Level, data: &'a AppData) -> Option<&'a Problem> {
    data.course.problems.iter().find(|problem| level.lesson_file.as_ref() == Some(&problem.file))
}

/// Removes the page from the stack of screens and returns it. If a broken lesson or a broken `course.yaml` hid the page,
/// returns the hidden page.
fn take_reading(model: &mut Model) -> Option<Reading> {
    let lost = model.lost.take();
    match model.screens.pop() {
        Some(Screen::Lesson(lesson)) => Reading::of(lesson, &model.data),
        Some(Screen::Problem(_)) if lost.is_some() => lost,
        Some(Screen::Map(map)) if lost.is_some() => {
            model.screens.push(Screen::Map(map));
            lost
        }
        other => {
            model.screens.extend(other);
            None
        }
    }
}

/// Replaces the course after it was read again.
///
/// The student stays on the same page if it still exists. Its picture keeps its state if neither it nor a kernel has changed.
pub(super) fn reloaded(model: &mut Model, data: AppData) {
    let reading = take_reading(model);
    let before = std::mem::replace(&mut model.data, data);
    let (kernels, others) = (before.catalog.kernels(), model.data.catalog.kernels());
    let same_kernels =
        kernels.len() == others.len() && kernels.iter().zip(others).all(|(kernel, other)| kernel.runs_as(other));
    let data = &mut model.data;
    (data.description, data.no_reply, data.queues) = (before.description, before.no_reply, before.queues);
    data.show_recording();
    // These are valid until the new check and the store report.
    (data.problems, data.progress, data.student) = (before.problems, before.progress, before.student);
    (data.review, data.worked, data.drafts) = (before.review, before.worked, before.drafts);
    (data.predictions, data.explanations) = (before.predictions, before.explanations);
    data.take_best_runs(before.best_runs);
    model.highlights.clear();
    model.asked.clear();
    if let Some(Screen::Map(map)) = model.screens.first_mut() {
        map.cursor = map.cursor.min(model.data.course.levels.len().saturating_sub(1));
    } else {
        model.screens.insert(0, Map::new(&model.data).into());
    }
    reword(model);
    let Some(reading) = reading else { return };
    if let Some((level, page)) = reading.locate(&model.data) {
        let now = model.data.course.levels.get(level).and_then(|level| pages(level).get(page));
        let same = same_kernels && now.is_some_and(|now| wordless(&now.show) == wordless(&reading.show));
        let lesson = reading.lesson.read_again(level, page, same, &model.context());
        model.show(lesson);
    } else {
        if let Some((_, content)) = model.data.level(&reading.level) {
            let page = match (&content.lesson, mistake(content, &model.data), &reading.page) {
                (Err(problem), _, _) => Some(broken(&t!("app-lesson-broken", title = &content.title), problem)),
                (_, Some(problem), Some(id)) => Some(broken(&t!("app-page-broken", page = id), problem)),
                _ => None,
            };
            model.screens.extend(page.map(Screen::from));
        }
        model.lost = Some(reading);
    }
}

/// Lets the screens update the texts that they have copied from the course.
fn reword(model: &mut Model) {
    let Model { screens, data, .. } = model;
    for screen in screens {
        screen.reword(data);
    }
}

/// Returns a page's picture without its texts, which change with the language.
fn wordless(show: &Option<Show>) -> Option<Show> {
    let mut show = show.clone();
    if let Some(Show::Code(view)) = &mut show {
        view.notes.iter_mut().for_each(|note| note.note.clear());
    }
    show
}

/// Returns effects that explain why a level's pages cannot be read; `None` if they can.
fn closed(model: &mut Model, level: usize) -> Option<Vec<Effect>> {
    if let Some(refused) = locked(model, level) {
        return Some(vec![refused]);
    }
    let content = model.data.course.levels.get(level)?;
    let page = match &content.lesson {
        Err(problem) => broken(&t!("app-lesson-broken", title = &content.title), problem),
        Ok(lesson) if lesson.pages.is_empty() => {
            return Some(vec![Effect::Say(t!("app-no-pages"))]);
        }
        Ok(_) => return None,
    };
    model.show(page);
    Some(Vec::new())
}

/// Returns effects that explain why a level's quiz cannot be taken; `None` if it can.
fn no_quiz(model: &mut Model, level: usize) -> Option<Vec<Effect>> {
    let content = model.data.course.levels.get(level)?;
    if let Some(refused) = locked(model, level) {
        return Some(vec![refused]);
    }
    if content.quiz.is_none() {
        return Some(vec![Effect::Say(t!("app-no-gate", title = &content.title))]);
    }
    let page = broken(&t!("app-quiz-broken", title = &content.title), content.quiz_problem()?);
    model.show(page);
    Some(Vec::new())
}

fn begin(model: &Model, level: usize, kind: AttemptKind) -> Option<Effect> {
    let level = model.data.course.levels.get(level)?.id.clone();
    Some(Effect::Store(StoreRequest::Begin { level, kind }))
}

fn locked(model: &Model, level: usize) -> Option<Effect> {
    locked_by(&model.data, level).map(Effect::Say)
}

/// Says what opens a locked level; `None` if it is open.
pub(crate) fn locked_by(data: &AppData, level: usize) -> Option<String> {
    let by = data.locked_by(level)?;
    let (at, gate) = data.level(by)?;
    let exercise = data.progress_of(at).is_some_and(LevelProgress::exercise_left);
    Some(if exercise {
        t!("app-locked-exercise", level = at + 1, title = &gate.title)
    } else {
        t!("app-locked", level = at + 1, title = &gate.title)
    })
}

fn broken(title: &str, problem: &tutor_course::Problem) -> ProblemPage {
    let mut message = problem.to_string();
    if let Some(snippet) = &problem.snippet {
        message.push_str(&format!("\n\n{} │ {}", problem.line, snippet.trim_end()));
    }
    let check = t!("app-check");
    let help = problem.help.as_ref().map_or_else(|| check.clone(), |help| format!("{help}\n{check}"));
    ProblemPage { title: title.to_owned(), message, help: Some(help) }
}
