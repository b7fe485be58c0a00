//! The list of a course's exercises: level by level, then the series *Bugs that shipped*.

use crate::plain::heading;
use crate::prelude::*;
use crate::screens::help::Sign;
use crate::screens::workshop::{ExerciseState, kind_name};
use crate::screens::{first_row, inner_of, step};
use tutor_exercises::Exercise;
use ui_kit::look::{draw, pad, split_top};

/// Minimum number of columns for the task next to the list.
const WIDE: u16 = 110;
/// Widths of the columns of kind and state in cells.
const KIND: usize = 9;
const STATE: usize = 16;
/// Rows that Page Up and Page Down move the cursor.
const SCREENFUL: usize = 10;

#[derive(Debug)]
pub struct Workshop {
    /// Index of the exercise under the cursor.
    pub cursor: usize,
}

/// Counts the exercises, those that the student has passed, and those with a star.
pub(crate) fn tally<'w>(exercises: impl Iterator<Item = &'w Exercise>, data: &AppData) -> [usize; 3] {
    let mut tally = [0; 3];
    for exercise in exercises {
        let worked = data.worked(&exercise.id);
        tally[0] += 1;
        tally[1] += usize::from(worked.passed);
        tally[2] += usize::from(worked.starred);
    }
    tally
}

/// Counts the exercises of the series *Bugs that shipped*, like [`tally`].
pub(crate) fn shipped(data: &AppData) -> [usize; 3] {
    tally(data.exercises.iter().filter(|exercise| exercise.found.is_some()), data)
}

enum Row<'w> {
    /// The title of a level, by its index.
    Level(usize),
    /// The title of the series *Bugs that shipped*.
    Shipped,
    /// An exercise, by its index.
    Exercise(usize, &'w Exercise),
}

fn rows(data: &AppData) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut last = None;
    for (at, exercise) in data.exercises.iter().enumerate() {
        // The series is the last part of the list. Its exercises are of several levels.
        let part = data.level(&exercise.level).map(|(level, _)| level).filter(|_| exercise.found.is_none());
        if last.replace(part) != Some(part) {
            rows.push(part.map_or(Row::Shipped, Row::Level));
        }
        rows.push(Row::Exercise(at, exercise));
    }
    rows
}

impl Workshop {
    /// Returns the list with the cursor on the first unpassed exercise of a level, or of all open levels if `level` is `None`.
    pub fn open(level: Option<usize>, data: &AppData) -> Self {
        let wanted = |exercise: &Exercise| match level {
            Some(level) => data.course.levels.get(level).is_some_and(|known| known.id == exercise.level),
            None => data.level(&exercise.level).is_some_and(|(level, _)| data.locked_by(level).is_none()),
        };
        let left =
            |exercise: &&Exercise| wanted(exercise) && !exercise.needs_program() && !data.worked(&exercise.id).passed;
        let place = |found: &dyn Fn(&&Exercise) -> bool| data.exercises.iter().position(|exercise| found(&exercise));
        // If all are passed, the cursor is on the first.
        let cursor = place(&left).or_else(|| place(&|exercise: &&Exercise| wanted(exercise)));
        Self { cursor: cursor.unwrap_or(0) }
    }
}

impl Component for Workshop {
    fn actions(&self, context: &Context) -> Vec<Action> {
        let count = context.data.exercises.len();
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

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let count = context.data.exercises.len().max(1);
        match action {
            Action::Up => self.cursor = step(Some(self.cursor), -1, count),
            Action::Down => self.cursor = step(Some(self.cursor), 1, count),
            Action::PageUp => self.cursor = self.cursor.saturating_sub(SCREENFUL),
            Action::PageDown => self.cursor = (self.cursor + SCREENFUL).min(count - 1),
            Action::First => self.cursor = 0,
            Action::Last => self.cursor = count - 1,
            Action::Confirm => {
                let exercise = context.data.exercises.get(self.cursor);
                return exercise.map(|exercise| Effect::Go(Go::Exercise(exercise.id.clone()))).into_iter().collect();
            }
            Action::Back => return vec![Effect::Go(Go::Back)],
            _ => {}
        }
        Vec::new()
    }

    fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        let (data, look, area) = (context.data, &context.look, inner_of(context.size));
        let (top, rest) = split_top(area, 1);
        let name = vec![look.span(Meaning::Title, t!("workshop-title"))];
        let counts = vec![look.span(Meaning::Muted, sum(context))];
        draw(frame, top, vec![two_ends(name, counts, area.width)]);
        if data.exercises.is_empty() {
            draw(frame, rest, vec![Line::from(look.span(Meaning::Muted, t!("workshop-none")))]);
            return;
        }
        let wide = context.size.width >= WIDE;
        let left = if wide { rest.width * 3 / 5 } else { rest.width };
        let list = Rect { width: left, ..rest };
        let rows = rows(data);
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
        if wide && let Some(exercise) = data.exercises.get(self.cursor) {
            let aside = Rect { x: list.right() + 2, width: rest.width - left - 2, ..rest };
            draw(frame, aside, about(exercise, aside.width, context));
        }
    }

    fn text_lines(&self, width: u16, context: &Context) -> Vec<String> {
        let mut lines = heading(&format!("{}: {}", t!("workshop-title"), sum(context)));
        for row in rows(context.data) {
            // A blank line makes each level a paragraph, so that only the changed level is printed again.
            let number = match row {
                Row::Level(_) | Row::Shipped => {
                    lines.push(String::new());
                    String::new()
                }
                Row::Exercise(at, _) => format!("{:>3} ", at + 1),
            };
            let text = line(&row, self.cursor, width.saturating_sub(4), context).to_string();
            lines.push(format!("{number}{}", text.trim_end()));
        }
        lines
    }

    fn signs(&self, context: &Context) -> Vec<Sign> {
        let look = &context.look;
        vec![
            (look.sign("✔", "+"), t!("exercise-passed")),
            (look.sign("★", "*"), t!("workshop-sign-star")),
            (look.sign("○", "o"), t!("workshop-sign-tried")),
        ]
    }

    fn click(&mut self, hit: Hit, _: Position, context: &Context) -> Vec<Effect> {
        let Hit::Row(row) = hit else { return Vec::new() };
        let there = std::mem::replace(&mut self.cursor, row) == row;
        if there { self.act(Action::Confirm, context) } else { Vec::new() }
    }

    fn scroll_by(&mut self, rows: isize, context: &Context) -> Vec<Effect> {
        self.act(if rows < 0 { Action::Up } else { Action::Down }, context)
    }

    fn rows_to_take(&self, context: &Context) -> usize {
        context.data.exercises.len()
    }

    fn take(&mut self, row: usize, context: &Context) -> Vec<Effect> {
        self.cursor = row;
        self.act(Action::Confirm, context)
    }
}

/// Returns the summary, e.g. `3 of 57 passed, 1 ★`.
pub(super) fn sum(context: &Context) -> String {
    let [of, passed, starred] = tally(context.data.exercises.iter(), context.data);
    t!("workshop-sum", passed, of, starred, star = context.look.sign("★", "*"))
}

fn line(row: &Row, cursor: usize, width: u16, context: &Context) -> Line<'static> {
    let (data, look) = (context.data, &context.look);
    match row {
        Row::Level(level) => {
            let Some(content) = data.course.levels.get(*level) else { return Line::default() };
            let own = data.exercises.iter().filter(|one| one.level == content.id && one.found.is_none());
            let [of, passed, _] = tally(own, data);
            let state = match data.locked_by(*level).and_then(|by| data.level(by)) {
                Some((by, _)) => t!("map-locked", gate = by + 1),
                None => t!("workshop-level-sum", passed, of),
            };
            let title = format!("{} {}: {state}", level + 1, content.title);
            look.rule(&title, Meaning::Heading, width)
        }
        Row::Shipped => {
            let [of, passed, _] = shipped(data);
            look.rule(&t!("workshop-shipped", passed, of), Meaning::Heading, width)
        }
        Row::Exercise(at, exercise) => {
            let selected = *at == cursor;
            let level = data.level(&exercise.level).map(|(level, _)| level);
            let locked = level.is_none_or(|level| data.locked_by(level).is_some());
            let text = match (locked, selected) {
                (true, _) => Meaning::Muted,
                (false, true) => Meaning::Strong,
                (false, false) => Meaning::Text,
            };
            let state = ExerciseState::of(&data.worked(&exercise.id));
            let name = markdown::spelled(&exercise.title, look);
            let name = match (level, &exercise.found) {
                (Some(level), Some(_)) => format!("{}: {name}", level + 1),
                _ => name.into_owned(),
            };
            let title = usize::from(width).saturating_sub(5 + KIND + STATE).max(1);
            let state_name = match state {
                ExerciseState::New if locked => t!("workshop-locked"),
                ExerciseState::New if exercise.needs_program() => t!("web-elsewhere"),
                _ => state.name(),
            };
            let row = Line::from(vec![
                look.cursor(selected),
                state.sign(look),
                Span::raw(" "),
                look.span(Meaning::Muted, pad(&kind_name(exercise.kind()), KIND)),
                look.span(text, pad(&truncate(&name, title - 1, look.ascii), title)),
                look.span(Meaning::Muted, truncate(&state_name, STATE, look.ascii)),
            ]);
            if selected { look.selected(row, width) } else { row }
        }
    }
}

/// Describes the task of an exercise, and how its kind of exercise works.
fn about(exercise: &Exercise, width: u16, context: &Context) -> Vec<Line<'static>> {
    let look = &context.look;
    let mut lines = vec![look.rule(&markdown::spelled(&exercise.title, look), Meaning::Title, width), Line::default()];
    lines.extend(markdown::render(&exercise.assignment(), width, look));
    lines.push(Line::default());
    let how = match &exercise.work {
        _ if exercise.needs_program() => t!("web-about-elsewhere"),
        tutor_exercises::Work::Repair(_) => t!("workshop-about-repair"),
        tutor_exercises::Work::Fill(_) => t!("workshop-about-fill"),
        tutor_exercises::Work::Write(_) => t!("workshop-about-write"),
    };
    lines.extend(markdown::render(&how, width, look).into_iter().map(|line| line.style(look.style(Meaning::Muted))));
    lines
}
