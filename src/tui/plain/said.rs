//! What is on the screen, as lines.

use super::typed::{explained, offers};
use crate::t;
use crate::tui::app::{Model, Overlay, Screen};
use crate::tui::markdown;
use crate::tui::screens::lesson::text::flow;
use crate::tui::screens::lesson::{Focus, Lesson};
use crate::tui::screens::{Context, gate, glossary, pages, palette, search};
use crate::tui::world::pages as pages_of;
use crate::tui::wrap::wrap_text;
use crate::words::speaking;
use ratatui::style::Style;
use ratatui::text::Line;

/// Cells that a line takes at most.
const WIDTH: u16 = 78;

/// What was said last, so that only what is new is said again.
#[derive(Debug, Default)]
pub struct Reader {
    place: String,
    lines: Vec<String>,
    message: Option<String>,
}

impl Reader {
    /// What to say now: all of a new place, and of the same place from the paragraph that changed first; then a
    /// message, if there is a new one, and what can be typed.
    pub fn news(&mut self, model: &Model) -> Vec<String> {
        speaking(model.words, || {
            let (place, lines) = (place(model), lines(model));
            let from = if place == self.place {
                let same = lines.iter().zip(&self.lines).take_while(|(new, old)| new == old).count();
                let changed = same < lines.len();
                if changed {
                    lines[..same].iter().rposition(String::is_empty).map_or(0, |blank| blank + 1)
                } else {
                    same
                }
            } else {
                0
            };
            let mut news: Vec<String> = lines[from..].to_vec();
            (self.place, self.lines) = (place, lines);
            let message = model.message.as_ref().map(|message| message.text.clone());
            if message != self.message {
                news.extend(message.iter().map(|text| format!("* {text}")));
                self.message = message;
            }
            if !news.is_empty() {
                news.extend(wrapped(&format!("({})", offers(model))));
            }
            news
        })
    }
}

/// A sentence in lines of at most [`WIDTH`] cells.
fn wrapped(text: &str) -> impl Iterator<Item = String> {
    plain(wrap_text(text, Style::new(), WIDTH))
}

/// Which screen this is: another one is said from its beginning.
fn place(model: &Model) -> String {
    let screen = match model.screens.last() {
        Some(Screen::Lesson(lesson)) => format!("lesson {} {}", lesson.level, lesson.page),
        Some(Screen::Quiz(quiz)) => format!("quiz {} {}", quiz.attempt.id, quiz.attempt.position),
        Some(Screen::Exercise(exercise)) => format!("exercise {}", exercise.id),
        Some(Screen::Variants(variants)) => {
            format!("variant {} {} {}", variants.level, variants.slot, variants.variant)
        }
        Some(other) => format!("{:?}", std::mem::discriminant(other)),
        None => String::new(),
    };
    let overlay = model.overlays.last().map(std::mem::discriminant);
    format!("{screen} {overlay:?}")
}

/// What a screen shows, as lines of at most 78 cells.
pub fn lines(model: &Model) -> Vec<String> {
    let context = model.context();
    if let Some(overlay) = model.overlays.last() {
        return over(model, overlay, &context);
    }
    let mut lines = match model.screens.last() {
        Some(Screen::Map(map)) => self::map(map.cursor, &context),
        Some(Screen::Lesson(page)) => lesson(page, &context),
        Some(Screen::Quiz(quiz)) => quiz.plain(WIDTH, &context),
        Some(Screen::Outcome(outcome)) => outcome.plain(WIDTH, &context),
        Some(Screen::Bench(bench)) => bench.instrument.describe(),
        Some(Screen::Workshop(workshop)) => workshop.plain(WIDTH, &context),
        Some(Screen::Exercise(exercise)) => exercise.plain(WIDTH, &context),
        Some(Screen::Variants(variants)) => variants.plain(WIDTH, &context),
        Some(Screen::Problem(problem)) => {
            let mut lines = heading(&problem.title);
            lines.extend(wrapped(&problem.message));
            lines.extend(problem.help.iter().flat_map(|help| wrapped(help)));
            lines
        }
        None => Vec::new(),
    };
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    lines
}

fn heading(title: &str) -> Vec<String> {
    vec![String::new(), format!("== {title}")]
}

fn plain(lines: impl IntoIterator<Item = Line<'static>>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| line.to_string().trim_end().to_owned())
}

fn map(cursor: usize, context: &Context) -> Vec<String> {
    let world = context.world;
    let mut lines = heading(&world.course.title);
    lines.extend(plain(markdown::render(&world.course.question, WIDTH, &context.look)));
    lines.push(String::new());
    for (at, level) in world.course.levels.iter().enumerate() {
        let Some(stands) = world.stands(at) else { continue };
        let mark = if at == cursor { "> " } else { "  " };
        let state = match world.locked_by(at).and_then(|by| world.level(by)) {
            Some((by, _)) => t!("plain-locked", gate = by + 1),
            None => {
                let gate = match (stands.gated, stands.passed) {
                    (false, _) => t!("plain-no-gate"),
                    (true, true) => t!("plain-passed"),
                    (true, false) if stands.exercise_left() => t!("plain-exercise-left"),
                    (true, false) => t!("plain-needs", required = stands.required, questions = stands.questions),
                };
                t!("plain-pages", read = stands.pages.read, total = stands.pages.total, gate = gate)
            }
        };
        lines.push(format!("{mark}{} {}: {state}", at + 1, level.title));
    }
    if let Some(level) = world.course.levels.get(cursor) {
        lines.extend(plain(markdown::render(&level.question, WIDTH, &context.look)));
    }
    lines.extend(plain(markdown::render(&crate::tui::screens::map::next_step(world), WIDTH, &context.look)));
    if !world.exercises.is_empty() {
        lines.extend(plain(markdown::render(
            &crate::tui::screens::map::workshop(world, &context.look),
            WIDTH,
            &context.look,
        )));
    }
    lines.extend([String::new(), world.device_line()]);
    lines
}

fn lesson(lesson: &Lesson, context: &Context) -> Vec<String> {
    let (Some(level), Some(page)) = (context.world.course.levels.get(lesson.level), lesson.content(context)) else {
        return Vec::new();
    };
    let place = t!(
        "plain-page",
        level = lesson.level + 1,
        page = lesson.page + 1,
        of = pages_of(level).len(),
        title = &page.title
    );
    let mut lines = heading(&place);
    lines.extend(plain(flow(lesson, context, WIDTH).lines.iter().cloned()));
    if let Some(code) = &lesson.code {
        lines.push(format!("-- {}", code.title(&context.world.catalog)));
        let rows = code.rows(&context.world.catalog, WIDTH, &context.look);
        let region = rows.region.clone().unwrap_or(0..rows.lines.len());
        lines.extend(plain(rows.lines.get(region).unwrap_or_default().iter().cloned()));
    }
    if let Some(picture) = &lesson.instrument
        && lesson.shows_picture(context)
    {
        lines.push(format!("-- {}", t!("plain-picture", name = picture.name())));
        if lesson.focus == Focus::Picture {
            lines.extend(picture.describe());
        } else {
            lines.push(t!("plain-use-picture"));
        }
    }
    lines
}

/// The rows of a list over the screen.
pub(super) fn overlay_rows(model: &Model) -> Vec<String> {
    let (context, actions) = (model.context(), model.actions());
    match model.overlays.last() {
        Some(Overlay::Palette { field, .. }) => {
            let found = palette::matching(field.text(), &actions);
            let works = found.into_iter().filter(|(_, works)| *works);
            works.map(|(entry, _)| entry.about()).collect()
        }
        Some(Overlay::Pages { level, .. }) => plain(pages::rows(*level, usize::MAX, WIDTH - 4, &context)).collect(),
        Some(Overlay::Search { field, .. }) => {
            let found = search::search(context.world, field.text());
            plain(found.iter().map(|found| search::row(found, false, WIDTH - 4, &context))).collect()
        }
        Some(Overlay::Help(_)) => {
            explained(model).into_iter().flat_map(|line| wrapped(&line).collect::<Vec<_>>()).collect()
        }
        Some(Overlay::Problems { .. }) => {
            let told = |problem: &crate::course::Problem| match &problem.help {
                Some(help) => format!("{problem} {help}"),
                None => problem.to_string(),
            };
            context.world.problems.iter().map(told).collect()
        }
        Some(Overlay::Leaving) => vec![t!("app-leaving")],
        Some(Overlay::Gate { level }) => plain(gate::rows(*level, WIDTH, &context)).collect(),
        Some(Overlay::Glossary { field, .. }) => {
            let found = glossary::matching(model, field.text());
            found.iter().map(|entry| format!("{}: {}", entry.term.term, entry.term.means)).collect()
        }
        None => Vec::new(),
    }
}

fn over(model: &Model, overlay: &Overlay, context: &Context) -> Vec<String> {
    let rows = overlay_rows(model);
    let (title, numbered) = match overlay {
        Overlay::Help(_) => (t!("plain-help"), false),
        Overlay::Gate { .. } => (t!("plain-gate"), false),
        Overlay::Palette { .. } => (t!("plain-palette"), true),
        Overlay::Glossary { .. } => (t!("plain-glossary"), false),
        Overlay::Pages { .. } => (t!("plain-list"), true),
        Overlay::Search { field, .. } if rows.is_empty() => {
            let mut lines = heading(&t!("plain-search"));
            lines.push(search::nothing(context.world, field.text()));
            return lines;
        }
        Overlay::Search { .. } => (t!("plain-search"), true),
        Overlay::Problems { .. } => (t!("problems-title"), true),
        Overlay::Leaving => (t!("app-leaving-title"), false),
    };
    let mut lines = heading(&title);
    lines.extend(
        rows.into_iter().enumerate().map(
            |(at, row)| {
                if numbered { format!("{:>3} {}", at + 1, row.trim_start()) } else { row }
            },
        ),
    );
    if let Overlay::Pages { level, .. } = overlay {
        lines.extend(plain(pages::by_objective(*level, WIDTH - 4, context)));
    }
    lines
}
