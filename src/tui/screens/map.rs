/*! The course map: levels, what opens them, how far each is, what comes next.

```text
 matmul-tutor                                      emulator (no NVIDIA driver)
 How fast is your GPU's matrix product, and why?
                                     of cuBLAS on
   level                        H200, recorded      pages        gate
 ✔ 1 One thread per element       1 → 12 %  ▏█▌   9/9 ████████   8/8 passed
 ▸ 2 Shared-memory tiling             18 %  ▏█▊   7/19 ███░░░░   needs 7 of 8
 Next: level 2, page 8 of 19, “Who waits for whom?”
 ⏎ continue  ↑↓ level  p pages  g gate  b banks  ? help  q quit
```
*/

use super::{Context, Hits, body_of, first_row};
use crate::course::{Level, Problem};
use crate::mastery::{AttemptKind, LevelProgress};
use crate::tui::action::Action;
use crate::tui::effect::{Effect, Go};
use crate::tui::look::{Look, draw, pad, pad_left, split_top, truncate, two_ends};
use crate::tui::markdown;
use crate::tui::screens::Hit;
use crate::tui::theme::Meaning;
use crate::tui::world::{Share, World, page_index, pages};
use crate::tui::wrap::wrap_text;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// Rows above which the course's own sentence has its place.
const ROOMY: u16 = 21;
/// Rows of the list that always show.
const LEVELS_LEAST: u16 = 3;
/// Narrowest screen with the column of recorded shares.
const WIDE: u16 = 76;

/// The course map.
#[derive(Debug)]
pub struct Map {
    /// Index of the level under the cursor.
    pub cursor: usize,
}

impl Map {
    /// The map with the cursor on the level that comes next.
    pub fn new(world: &World) -> Self {
        let next = world.progress.next.as_ref().and_then(|next| world.level(&next.level));
        Self { cursor: next.map_or(0, |(at, _)| at) }
    }

    /// What works now.
    pub fn actions(&self, world: &World) -> Vec<Action> {
        use Action::*;
        let mut actions = vec![Confirm, Up, Down];
        let stands = world.stands(self.cursor);
        if stands.is_some_and(|stands| !stands.locked) {
            actions.push(Pages);
            if stands.is_some_and(|stands| stands.gated) {
                actions.extend([Gate, Practice]);
            }
        }
        actions.extend([Banks, Quit, Search, PageUp, PageDown, First, Last, Edit]);
        actions
    }

    /// Does one of [`Self::actions`].
    pub fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let levels = context.world.course.levels.len();
        let last = levels.saturating_sub(1);
        let level = self.cursor;
        match action {
            Action::Up => self.cursor = self.cursor.saturating_sub(1),
            Action::Down => self.cursor = (self.cursor + 1).min(last),
            Action::First | Action::PageUp => self.cursor = 0,
            Action::Last | Action::PageDown => self.cursor = last,
            Action::Confirm => return vec![self.open(context)],
            Action::Pages => return vec![Effect::Go(Go::Pages { level })],
            Action::Gate => return vec![Effect::Go(Go::Gate { level })],
            Action::Practice => return vec![Effect::Go(Go::Quiz { level, kind: AttemptKind::Practice })],
            Action::Banks => return vec![Effect::Go(Go::Banks)],
            Action::Edit => {
                let Some(level) = context.world.course.levels.get(level) else { return Vec::new() };
                return vec![match context.world.lesson_paths.get(&level.id) {
                    Some(file) => Effect::Edit { file: file.clone(), line: 1 },
                    None => Effect::Say("The course is built in; `matmul-tutor new DIR` copies it to edit.".into()),
                }];
            }
            Action::Quit => return vec![Effect::Quit],
            _ => {}
        }
        Vec::new()
    }

    /// Goes on reading; a level that is read through asks for its gate, or opens at its first page once that is passed.
    fn open(&self, context: &Context) -> Effect {
        let world = context.world;
        let (Some(level), Some(stands)) = (world.course.levels.get(self.cursor), world.stands(self.cursor)) else {
            return Effect::Say("The course has no levels.".into());
        };
        match world.next_page(self.cursor) {
            Some(page) => Effect::Go(Go::Page { level: self.cursor, page }),
            None if pages(level).is_empty() || stands.done() => Effect::Go(Go::Page { level: self.cursor, page: 0 }),
            None => Effect::Go(Go::Gate { level: self.cursor }),
        }
    }

    /// Draws the map.
    pub fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        let (world, look, area) = (context.world, &context.look, body_of(context.size));
        let width = area.width.saturating_sub(2);
        let area = Rect { x: area.x + 1, width, ..area };
        let name = vec![look.span(Meaning::Accent, "matmul-tutor")];
        let room = usize::from(width).saturating_sub(16);
        let device = vec![look.span(Meaning::Muted, truncate(&world.device_line(), room, look.ascii))];
        let mut head = vec![two_ends(name, device, width)];
        head.extend(wrap_text(&world.course.title, look.style(Meaning::Title), width));
        if area.height > ROOMY {
            head.extend(wrap_text(&world.course.question, look.style(Meaning::Text), width));
        }
        head.push(Line::default());
        let columns = Columns::new(world, width);
        head.extend(columns.heading(world, look));
        let (top, rest) = split_top(area, head.len() as u16);
        draw(frame, top, head);
        let levels = &world.course.levels;
        let mut foot = self.foot(context, width);
        // Whatever is to be told, the list stays.
        let least = (levels.len() as u16).min(LEVELS_LEAST);
        foot.truncate(rest.height.saturating_sub(least + 1).into());
        let rows = rest.height.saturating_sub(foot.len() as u16 + 1);
        let first = first_row(self.cursor, levels.len(), rows.into());
        let mut lines = Vec::new();
        for (at, level) in levels.iter().enumerate().skip(first).take(rows.into()) {
            hits.push((Rect { y: rest.y + lines.len() as u16, height: 1, ..rest }, Hit::Row(at)));
            let mut line = columns.row(at, level, world, look, at == self.cursor);
            if at == self.cursor {
                line = line.style(look.style(Meaning::Selected));
            }
            lines.push(line);
        }
        let used = lines.len() as u16;
        draw(frame, Rect { height: used, ..rest }, lines);
        let at = rest.y + used + 1;
        let bottom = area.y + area.height;
        draw(frame, Rect { y: at.min(bottom), height: bottom.saturating_sub(at), ..rest }, foot);
    }

    /// What is below the list: the level under the cursor, and the next step.
    fn foot(&self, context: &Context, width: u16) -> Vec<Line<'static>> {
        let (world, look) = (context.world, &context.look);
        let mut lines = Vec::new();
        let mut told: Vec<&Problem> = Vec::new();
        if let Some(level) = world.course.levels.get(self.cursor) {
            lines.extend(wrap_text(&level.question, look.style(Meaning::Emphasis), width));
            if let Some(by) = world.locked_by(self.cursor).and_then(|by| world.level(by)) {
                let text = format!("Locked: pass the gate of level {} ({}) to open it.", by.0 + 1, by.1.title);
                lines.extend(wrap_text(&text, look.style(Meaning::Muted), width));
            }
            for problem in
                [level.lesson.as_ref().err().map(|problem| &**problem), level.quiz_problem()].into_iter().flatten()
            {
                told.push(problem);
                lines.extend(wrap_text(&problem.to_string(), look.style(Meaning::Warning), width));
                if let Some(help) = &problem.help {
                    lines.extend(wrap_text(help, look.style(Meaning::Muted), width));
                }
            }
        }
        if !world.course.levels.is_empty() {
            lines.push(Line::default());
            lines.extend(markdown::render(&next_step(world), width, look));
        }
        // What a broken file leaves out is missed by nobody unless it is told.
        let course: Vec<String> =
            world.course.problems.iter().filter(|problem| !told.contains(problem)).map(ToString::to_string).collect();
        let kernels: Vec<String> = world.kernel_problems.iter().map(ToString::to_string).collect();
        let first: Vec<&str> = course.first().into_iter().chain(kernels.first()).map(String::as_str).collect();
        if !first.is_empty() {
            lines.push(Line::default());
            let more = match course.len() + kernels.len() - first.len() {
                0 => String::new(),
                count => format!(" And {count} more."),
            };
            let text = format!("{}{more} `matmul-tutor check` lists all problems of the course.", first.join("\n\n"));
            lines.extend(
                markdown::render(&text, width, look).into_iter().map(|l| l.patch_style(look.style(Meaning::Warning))),
            );
        }
        lines
    }
}

/// One sentence: what to do next.
pub(in crate::tui) fn next_step(world: &World) -> String {
    let Some(next) = &world.progress.next else {
        return "Every gate is passed, every page is open to be read again.".to_owned();
    };
    let Some((at, level)) = world.level(&next.level) else { return String::new() };
    let number = at + 1;
    let under_way = world.stands(at).is_some_and(|stands| stands.under_way);
    match next.page.as_deref().and_then(|page| page_index(level, page)) {
        _ if under_way => format!("**Next:** go on with the gate of level {number}; your answers are kept (`g`)."),
        Some(page) => {
            let (of, title) = (pages(level).len(), &pages(level)[page].title);
            format!("**Next:** level {number}, page {} of {of}, “{title}”", page + 1)
        }
        None => format!("**Next:** the gate of level {number} (`g`)."),
    }
}

/// Widths of the columns.
struct Columns {
    title: usize,
    share: bool,
    bar: u16,
}

impl Columns {
    fn new(world: &World, width: u16) -> Self {
        let share = width + 2 >= WIDE && !world.shares.is_empty();
        let bar: u16 = if width > 100 { 14 } else { 7 };
        let fixed = 4 + if share { 19 } else { 0 } + 6 + 1 + usize::from(bar) + 2 + 16;
        let widest = world.course.levels.iter().map(|level| level.title.width()).max().unwrap_or(0);
        Self { title: usize::from(width).saturating_sub(fixed).clamp(8, widest.max(8) + 2), share, bar }
    }

    fn heading(&self, world: &World, look: &Look) -> Vec<Line<'static>> {
        let muted = look.style(Meaning::Muted);
        let mut lines = Vec::new();
        let mut second = format!("    {}", pad("level", self.title));
        if self.share {
            let on = world.recorded_on.as_deref().unwrap_or("a GPU");
            let at = world.shares_at.map_or_else(String::new, |n| format!(", n = {n}"));
            let above = pad_left(&format!("of cuBLAS{at}"), 18);
            lines.push(Line::styled(format!("{}{above}", " ".repeat(4 + self.title)), muted));
            second.push_str(&pad(&pad_left(&format!("{on}, recorded"), 18), 19));
        }
        second.push_str(&pad(&pad_left("pages", 6), 9 + usize::from(self.bar)));
        second.push_str("gate");
        lines.push(Line::styled(second, muted));
        lines
    }

    fn row(&self, at: usize, level: &Level, world: &World, look: &Look, selected: bool) -> Line<'static> {
        let Some(stands) = world.stands(at) else { return Line::default() };
        let text = if stands.locked { Meaning::Muted } else { Meaning::Text };
        let broken = level.lesson.is_err();
        let mark = match (selected, stands.done() && !broken) {
            (true, _) => look.cursor(true),
            (false, true) => Span::styled(format!("{} ", look.right().content), look.style(Meaning::Right)),
            (false, false) => look.cursor(false),
        };
        let mut spans = vec![mark, look.span(text, format!("{} {}", at + 1, pad(&level.title, self.title)))];
        if self.share {
            spans.extend(share(world.shares.get(&level.id), look));
        }
        let read = format!("{}/{}", stands.pages.read, stands.pages.total);
        let read = if broken {
            "broken".to_owned()
        } else if stands.locked {
            String::new()
        } else {
            read
        };
        spans.push(look.span(if broken { Meaning::Warning } else { text }, pad_left(&read, 6)));
        spans.push(Span::raw(" "));
        if stands.locked || broken {
            spans.push(Span::raw(" ".repeat(self.bar.into())));
        } else {
            let fraction = f64::from(stands.pages.read) / f64::from(stands.pages.total.max(1));
            spans.extend(look.bar(fraction, self.bar));
        }
        spans.push(Span::raw("  "));
        spans.push(self.gate(level, stands, world, look));
        Line::from(spans)
    }

    fn gate(&self, level: &Level, stands: &LevelProgress, world: &World, look: &Look) -> Span<'static> {
        let best = stands.best.as_ref();
        if let Some(by) = stands.unlocked_by.as_deref().and_then(|by| world.level(by)) {
            return look.span(Meaning::Muted, format!("locked by gate {}", by.0 + 1));
        }
        if level.quiz.is_none() {
            return look.span(Meaning::Muted, "no gate");
        }
        if level.quiz_problem().is_some() {
            return look.span(Meaning::Warning, "broken");
        }
        match (stands.passed, best) {
            (true, Some(best)) => look.span(Meaning::Right, format!("{}/{} passed", best.correct, best.questions)),
            (true, None) => look.span(Meaning::Right, "passed"),
            _ if stands.under_way => look.span(Meaning::Accent, "under way"),
            (false, Some(best)) => {
                look.span(Meaning::Text, format!("{}/{}, needs {}", best.correct, best.questions, stands.required))
            }
            (false, None) => look.span(Meaning::Text, format!("needs {} of {}", stands.required, stands.questions)),
        }
    }
}

fn share(share: Option<&Share>, look: &Look) -> Vec<Span<'static>> {
    let Some(share) = share else { return vec![Span::raw(" ".repeat(19))] };
    let percent =
        |share: f64| if share < 0.095 { format!("{:.1}", share * 100.0) } else { format!("{:.0}", share * 100.0) };
    let arrow = look.sign("→", ">");
    let (low, high) = (percent(share.low), percent(share.high));
    let text = if low == high { format!("{high} %") } else { format!("{low} {arrow} {high} %") };
    let mut spans = vec![look.span(Meaning::Text, format!("{}  ", pad_left(&text, 13)))];
    spans.extend(look.bar(share.high, 3));
    spans.push(Span::raw(" "));
    spans
}
