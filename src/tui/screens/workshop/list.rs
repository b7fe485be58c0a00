//! The exercises of a course, level by level.

use super::kind_name;
use crate::mastery::Worked;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::{Effect, Go};
use crate::tui::look::{Look, draw, pad, split_top, truncate, two_ends};
use crate::tui::markdown;
use crate::tui::screens::help::Sign;
use crate::tui::screens::{Context, Hit, Hits, body_of, first_row};
use crate::tui::theme::Meaning;
use crate::tui::world::World;
use crate::workshop::Exercise;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// Columns from which on what is to be done stands beside the list.
const WIDE: u16 = 110;
/// Cells of the columns of kind and state.
const KIND: usize = 9;
const STATE: usize = 16;
/// Rows that a screenful moves.
const SCREENFUL: usize = 10;

/// The list.
#[derive(Debug)]
pub struct Workshop {
    /// The exercise under the cursor.
    pub cursor: usize,
}

/// How far an exercise is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum State {
    /// Nothing was handed in.
    New,
    /// So many solutions were handed in, and none passed.
    Tried(u32),
    /// It was passed.
    Passed,
    /// It was passed, fast enough for a star.
    Starred,
}

impl State {
    /// Of what the store knows.
    pub(in crate::tui) fn of(worked: &Worked) -> Self {
        match (worked.starred, worked.passed, worked.tries) {
            (true, ..) => Self::Starred,
            (_, true, _) => Self::Passed,
            (.., 0) => Self::New,
            (.., tries) => Self::Tried(tries),
        }
    }

    /// In a word or two.
    pub(in crate::tui) fn name(self) -> String {
        match self {
            Self::New => t!("exercise-new"),
            Self::Tried(tries) => t!("exercise-tried", tries = tries),
            Self::Passed => t!("exercise-passed"),
            Self::Starred => t!("workshop-starred"),
        }
    }

    /// The sign before it.
    pub(in crate::tui) fn sign(self, look: &Look) -> Span<'static> {
        match self {
            Self::New => Span::raw(" "),
            Self::Tried(_) => look.span(Meaning::Muted, look.sign("○", "o").to_owned()),
            Self::Passed => look.right(),
            Self::Starred => look.span(Meaning::Right, look.sign("★", "*").to_owned()),
        }
    }
}

/// How many exercises there are, how many of them were passed, and how many have a star.
pub(in crate::tui) fn tally<'w>(exercises: impl Iterator<Item = &'w Exercise>, world: &World) -> [usize; 3] {
    let mut tally = [0; 3];
    for exercise in exercises {
        let worked = world.worked(&exercise.id);
        tally[0] += 1;
        tally[1] += usize::from(worked.passed);
        tally[2] += usize::from(worked.starred);
    }
    tally
}

/// A row of the list.
enum Row<'w> {
    /// The name of a level, by its index.
    Level(usize),
    /// An exercise, by its index.
    Exercise(usize, &'w Exercise),
}

fn rows(world: &World) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut level = None;
    for (at, exercise) in world.exercises.iter().enumerate() {
        let own = world.level(&exercise.level).map(|(level, _)| level);
        if own != level {
            level = own;
            rows.extend(own.map(Row::Level));
        }
        rows.push(Row::Exercise(at, exercise));
    }
    rows
}

impl Workshop {
    /// The list, its cursor on the first exercise that is left in a level, or in the open ones.
    pub fn open(level: Option<usize>, world: &World) -> Self {
        let wanted = |exercise: &Exercise| match level {
            Some(level) => world.course.levels.get(level).is_some_and(|known| known.id == exercise.level),
            None => world.level(&exercise.level).is_some_and(|(level, _)| world.locked_by(level).is_none()),
        };
        let left = |exercise: &&Exercise| wanted(exercise) && !world.worked(&exercise.id).passed;
        let place = |found: &dyn Fn(&&Exercise) -> bool| world.exercises.iter().position(|exercise| found(&exercise));
        // Of a level that is done, its first.
        let cursor = place(&left).or_else(|| place(&|exercise: &&Exercise| wanted(exercise)));
        Self { cursor: cursor.unwrap_or(0) }
    }

    /// What works now.
    pub fn actions(&self, world: &World) -> Vec<Action> {
        let count = world.exercises.len();
        let mut actions = Vec::new();
        if count > 0 {
            actions.push(Action::Confirm);
        }
        if count > 1 {
            actions.extend([Action::Up, Action::Down]);
        }
        actions.push(Action::Back);
        if self.cursor > 0 {
            actions.extend([Action::PageUp, Action::First]);
        }
        if self.cursor + 1 < count {
            actions.extend([Action::PageDown, Action::Last]);
        }
        actions
    }

    /// Does one of [`Self::actions`].
    pub fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let count = context.world.exercises.len().max(1);
        match action {
            Action::Up => self.cursor = (self.cursor + count - 1) % count,
            Action::Down => self.cursor = (self.cursor + 1) % count,
            Action::PageUp => self.cursor = self.cursor.saturating_sub(SCREENFUL),
            Action::PageDown => self.cursor = (self.cursor + SCREENFUL).min(count - 1),
            Action::First => self.cursor = 0,
            Action::Last => self.cursor = count - 1,
            Action::Confirm => {
                let exercise = context.world.exercises.get(self.cursor);
                return exercise.map(|exercise| Effect::Go(Go::Exercise(exercise.id.clone()))).into_iter().collect();
            }
            Action::Back => return vec![Effect::Go(Go::Back)],
            _ => {}
        }
        Vec::new()
    }

    /// A row was clicked: the cursor goes there, and if it was there the exercise opens.
    pub fn click(&mut self, row: usize, context: &Context) -> Vec<Effect> {
        let there = std::mem::replace(&mut self.cursor, row) == row;
        if there { self.act(Action::Confirm, context) } else { Vec::new() }
    }

    /// The signs that it draws.
    pub fn signs(context: &Context) -> Vec<Sign> {
        let look = &context.look;
        vec![
            (look.sign("✔", "+"), t!("exercise-passed")),
            (look.sign("★", "*"), t!("workshop-sign-star")),
            (look.sign("○", "o"), t!("workshop-sign-tried")),
        ]
    }

    /// The list as lines.
    pub fn plain(&self, width: u16, context: &Context) -> Vec<String> {
        let mut lines = vec![String::new(), format!("== {}", head(context)), String::new()];
        for row in rows(context.world) {
            lines.push(line(&row, self.cursor, width, context).to_string().trim_end().to_owned());
        }
        lines
    }

    /// Draws the list.
    pub fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        let (world, look, body) = (context.world, &context.look, body_of(context.size));
        let area = Rect { x: 1, width: body.width.saturating_sub(2), ..body };
        let (top, rest) = split_top(area, 1);
        let name = vec![look.span(Meaning::Title, t!("workshop-title"))];
        let counts = vec![look.span(Meaning::Muted, sum(context))];
        draw(frame, top, vec![two_ends(name, counts, area.width)]);
        if world.exercises.is_empty() {
            draw(frame, rest, vec![Line::from(look.span(Meaning::Muted, t!("workshop-none")))]);
            return;
        }
        let wide = context.size.width >= WIDE;
        let left = if wide { rest.width * 3 / 5 } else { rest.width };
        let list = Rect { width: left, ..rest };
        let rows = rows(world);
        let under = |row: &Row| matches!(row, Row::Exercise(at, _) if *at == self.cursor);
        let at = rows.iter().position(under).unwrap_or(0);
        let first = first_row(at, rows.len(), list.height.into());
        for (y, row) in rows.iter().skip(first).take(list.height.into()).enumerate() {
            let place = Rect { y: list.y + y as u16, height: 1, ..list };
            draw(frame, place, vec![line(row, self.cursor, left, context)]);
            if let Row::Exercise(at, _) = row {
                hits.push((place, Hit::Row(*at)));
            }
        }
        if wide && let Some(exercise) = world.exercises.get(self.cursor) {
            let aside = Rect { x: list.right() + 2, width: rest.width - left - 2, ..rest };
            draw(frame, aside, about(exercise, aside.width, context));
        }
    }
}

fn head(context: &Context) -> String {
    format!("{}: {}", t!("workshop-title"), sum(context))
}

/// `3 of 57 passed, 1 ★`.
pub(super) fn sum(context: &Context) -> String {
    let [of, passed, starred] = tally(context.world.exercises.iter(), context.world);
    t!("workshop-sum", passed = passed, of = of, starred = starred, star = context.look.sign("★", "*"))
}

fn line(row: &Row, cursor: usize, width: u16, context: &Context) -> Line<'static> {
    let (world, look) = (context.world, &context.look);
    match row {
        Row::Level(level) => {
            let Some(content) = world.course.levels.get(*level) else { return Line::default() };
            let own = world.exercises.iter().filter(|exercise| exercise.level == content.id);
            let [of, passed, _] = tally(own, world);
            let state = match world.locked_by(*level).and_then(|by| world.level(by)) {
                Some((by, _)) => t!("map-locked", gate = by + 1),
                None => t!("workshop-level-sum", passed = passed, of = of),
            };
            let title = format!("{} {}: {state}", level + 1, content.title);
            look.rule(&title, Meaning::Heading, width)
        }
        Row::Exercise(at, exercise) => {
            let selected = *at == cursor;
            let locked = world.level(&exercise.level).is_none_or(|(level, _)| world.locked_by(level).is_some());
            let text = match (locked, selected) {
                (true, _) => Meaning::Muted,
                (false, true) => Meaning::Strong,
                (false, false) => Meaning::Text,
            };
            let state = State::of(&world.worked(&exercise.id));
            let title = usize::from(width).saturating_sub(5 + KIND + STATE);
            let name = if locked && state == State::New { t!("workshop-locked") } else { state.name() };
            let row = Line::from(vec![
                look.cursor(selected),
                state.sign(look),
                Span::raw(" "),
                look.span(Meaning::Muted, pad(&kind_name(exercise.kind()), KIND)),
                look.span(text, pad(&truncate(&markdown::spelled(&exercise.title, look), title, look.ascii), title)),
                look.span(Meaning::Muted, truncate(&name, STATE, look.ascii)),
            ]);
            if selected { look.selected(row, width) } else { row }
        }
    }
}

/// What is to be done in an exercise, and what it needs.
fn about(exercise: &Exercise, width: u16, context: &Context) -> Vec<Line<'static>> {
    let look = &context.look;
    let mut lines = vec![look.rule(&markdown::spelled(&exercise.title, look), Meaning::Title, width), Line::default()];
    lines.extend(markdown::render(&exercise.task, width, look));
    lines.push(Line::default());
    let how = match &exercise.work {
        crate::workshop::Work::Repair(_) => t!("workshop-about-repair"),
        crate::workshop::Work::Fill(_) => t!("workshop-about-fill"),
        crate::workshop::Work::Write(_) => t!("workshop-about-write"),
    };
    lines.extend(markdown::render(&how, width, look).into_iter().map(|line| line.style(look.style(Meaning::Muted))));
    lines
}
