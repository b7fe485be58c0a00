/*! The course map: the levels, what unlocks them, the student's progress, and the next step.

With 110 or more columns, the levels are on the left, and the ladder and the student's record are on the right:

```text
 matmul-tutor                                                              emulator (no NVIDIA driver)
 How fast is your GPU's matrix product, and why?

 ✔ 1 One thread per element    14/14  8/8 passed    share of cuBLAS, n = 4096    ○ recorded  ● your runs
     Why does swapping x and y …                    100 % ┤┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ cuBLAS ┄
 ▸ 2 Shared-memory tiling       7/24  needs 7 of 8   10 % ┤      ○ 13
     Why fetch a book once, …                         1 % ┤ ○ 1.0        ░░░   ░░░   ░░░   ░░░
                                                          └────┬─────────┬───────┬─────────┬────────
 Next: level 2, page 8 of 24, “Who waits for whom?”            1         2       3         4
 ⏎ open  n continue  p pages  g quiz  b banks  q quit  ? help
```

With fewer columns they are stacked. The map hides how fast a level's kernels are until [`AppData::may_show_speed`] is true.
*/

mod ladder;
mod list;
mod record;

use super::gate::in_exam;
use super::help::Sign;
use super::welcome::Welcome;
use super::{body_of, first_row, mark_below, step};
use crate::app::locked_by;
use crate::app_data::page_index;
use crate::plain::{heading, unstyled};
use crate::prelude::*;
pub(crate) use list::percent;
use list::{List, Room};
use record::{next_step, workshop};
use tutor_progress::AttemptKind;
use ui_kit::action::Key;
use ui_kit::keys::KeyCode;
use ui_kit::look::{draw, split_bottom, split_top};

/// Minimum number of columns for the ladder next to the levels.
const WIDE: u16 = 110;
/// With more rows than this, the map shows the course's question and the bugs that shipped.
const ROOMY: u16 = 21;
/// Minimum number of visible rows of the list.
const MIN_LEVEL_ROWS: usize = 9;

#[derive(Debug)]
pub struct Map {
    /// Index of the level under the cursor.
    pub cursor: usize,
    /// True if the cursor follows the next step. It stops when the student moves the cursor.
    follows: bool,
}

/// Returns the level of the next step.
fn next_level(data: &AppData) -> Option<usize> {
    data.progress.next.as_ref().and_then(|next| data.level(&next.level)).map(|(at, _)| at)
}

impl Map {
    /// Returns the map with the cursor on the level of the next step.
    pub fn new(data: &AppData) -> Self {
        Self { cursor: next_level(data).unwrap_or(0), follows: true }
    }

    /// Moves the cursor to the next step when the student comes back from a level.
    pub fn come_back(&mut self, data: &AppData) {
        self.follows = true;
        self.follow(data);
    }

    pub fn follow(&mut self, data: &AppData) {
        if self.follows
            && let Some(next) = next_level(data)
        {
            self.cursor = next;
        }
    }

    fn lesson_file<'w>(&self, data: &'w AppData) -> Option<&'w std::path::PathBuf> {
        data.lesson_paths.get(&data.course.levels.get(self.cursor)?.id)
    }

    /// Opens the level's next page. If all pages are done, opens its exercise or gate; if the level is done, its first page.
    fn open(&self, context: &Context) -> Effect {
        let (data, level) = (context.data, self.cursor);
        let (Some(content), Some(progress)) = (data.course.levels.get(level), data.progress_of(level)) else {
            return Effect::Say(t!("map-no-levels"));
        };
        match data.next_page(level) {
            Some(page) => Effect::Go(Go::Page { level, page }),
            None if pages(content).is_empty() || progress.done() => Effect::Go(Go::Page { level, page: 0 }),
            None if progress.exercise_left() => Effect::Go(Go::Workshop(Some(level))),
            None => Effect::Go(Go::Gate { level }),
        }
    }

    /// Draws the list and its foot, and the ladder below if it fits.
    fn stacked(&self, frame: &mut Frame, area: Rect, context: &Context, hits: &mut Hits) {
        let used = self.levels(frame, area, context, hits);
        let (_, below) = split_top(area, used + 1);
        if below.height >= ladder::MIN_HEIGHT && ladder::fits(context) {
            ladder::draw_in(frame, Rect { height: below.height.min(22), ..below }, self.cursor, context);
        }
    }

    /// Draws the list of levels and its foot. Returns the number of rows used.
    fn levels(&self, frame: &mut Frame, area: Rect, context: &Context, hits: &mut Hits) -> u16 {
        let count = context.data.course.levels.len();
        let list = List::new(context, area.width);
        let heading = list.heading(&context.look);
        let (top, rest) = split_top(area, heading.len() as u16);
        draw(frame, top, heading);
        let blocks = |room: Room| -> Vec<Vec<Line<'static>>> {
            (0..count).map(|at| list.block(at, context, at == self.cursor, room)).collect()
        };
        let rows = |blocks: &[Vec<Line>]| blocks.iter().map(Vec::len).sum::<usize>();
        let mut foot = record::foot(self.cursor, false, context, area.width);
        let roomy = [Room::Questions, Room::OneRow].into_iter().map(blocks);
        let blocks = match roomy.into_iter().find(|all| rows(all) + foot.len() <= rest.height.into()) {
            Some(blocks) => blocks,
            None => {
                let asked = record::foot(self.cursor, true, context, area.width);
                // The question is also on the level's first page, so it is the first to go.
                if asked.len() + 1 + count.min(MIN_LEVEL_ROWS) <= rest.height.into() {
                    foot = asked;
                }
                foot.insert(0, Line::default());
                blocks(Room::Rows)
            }
        };
        // The foot never displaces the list.
        foot.truncate(usize::from(rest.height).saturating_sub(count.min(MIN_LEVEL_ROWS)));
        let room = usize::from(rest.height) - foot.len();
        let first = if rows(&blocks) <= room { 0 } else { first_row(self.cursor, count, room) };
        let (mut lines, mut below) = (Vec::new(), count - first);
        for (at, block) in blocks.into_iter().enumerate().skip(first) {
            if lines.len() + block.len() > room {
                break;
            }
            below -= 1;
            let (y, height) = (rest.y + lines.len() as u16, block.len().saturating_sub(1).max(1) as u16);
            hits.push((Rect { y, height, ..rest }, Hit::Row(at)));
            lines.extend(block);
        }
        let (rows, _) = split_top(rest, lines.len() as u16 + 1);
        lines.extend(foot);
        let used = lines.len() as u16;
        draw(frame, rest, lines);
        if below > 0 {
            mark_below(frame, rows, below, |count| t!("lesson-more-below", count), &context.look);
        }
        top.height + used
    }
}

impl Component for Map {
    fn actions(&self, context: &Context) -> Vec<Action> {
        let data = context.data;
        use Action::*;
        let levels = data.course.levels.len();
        let progress = data.progress_of(self.cursor);
        let open = progress.is_some_and(|progress| !progress.locked);
        let mut actions = Vec::new();
        let mut offer = |when: bool, offered: &[Action]| {
            if when {
                actions.extend_from_slice(offered);
            }
        };
        offer(open, &[Confirm]);
        offer(upcoming(data).is_some(), &[Continue]);
        offer(open, &[Pages]);
        offer(open && progress.is_some_and(|progress| progress.gated), &[Gate]);
        offer(data.review.due > 0, &[Review]);
        offer(!data.exercises.is_empty(), &[Workshop]);
        offer(data.ladder.len() > 1, &[Contest]);
        offer(true, &[Banks, Quit]);
        offer(levels > 1, &[Up, Down]);
        let practice = data.course.exam.is_empty();
        offer(practice && open && progress.is_some_and(|progress| progress.gated), &[Practice]);
        offer(self.cursor > 0, &[First]);
        offer(self.cursor + 1 < levels, &[Last]);
        offer(self.lesson_file(data).is_some(), &[Edit]);
        offer(Welcome::is_offered(data), &[FirstQuestion]);
        actions
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let levels = context.data.course.levels.len().max(1);
        let level = self.cursor;
        let mut to = |cursor: usize| {
            (self.cursor, self.follows) = (cursor, false);
            Vec::new()
        };
        match action {
            Action::Up => to(step(Some(level), -1, levels)),
            Action::Down => to(step(Some(level), 1, levels)),
            Action::First => to(0),
            Action::Last => to(levels - 1),
            Action::Confirm => vec![self.open(context)],
            Action::Continue => upcoming(context.data).map(|step| Effect::Go(step.go())).into_iter().collect(),
            Action::Pages => vec![Effect::Go(Go::Pages { level })],
            Action::Gate => vec![Effect::Go(Go::Gate { level })],
            Action::Practice => vec![Effect::Go(Go::Quiz { level, kind: AttemptKind::Practice })],
            Action::Review => vec![Effect::Go(Go::Review)],
            Action::Workshop => vec![Effect::Go(Go::Workshop(None))],
            Action::Contest => vec![Effect::Go(Go::SpeedContest)],
            Action::Banks => vec![Effect::Go(Go::Banks)],
            Action::FirstQuestion => vec![Effect::Go(Go::Welcome)],
            Action::Edit => {
                let file = self.lesson_file(context.data).cloned();
                file.map(|file| Effect::Edit { file, line: 1, column: 1 }).into_iter().collect()
            }
            Action::Quit => vec![Effect::Quit],
            _ => Vec::new(),
        }
    }

    fn silent(&self, key: Key, context: &Context) -> Option<String> {
        match key {
            Key::Char('v') if context.data.review.due == 0 => Some(t!("map-nothing-due")),
            Key::Char('g' | 'p' | 'P') | Key::Code(KeyCode::Enter) => locked_by(context.data, self.cursor),
            _ => None,
        }
    }

    fn signs(&self, context: &Context) -> Vec<Sign> {
        let look = &context.look;
        let mut signs = Vec::new();
        if context.data.course.exam.is_empty() {
            signs.push((look.sign("✔", "+"), t!("map-sign-done")));
        }
        if ladder::fits(context) {
            signs.push((look.sign("○", "o"), t!("map-sign-recorded")));
            signs.push((look.sign("●", "*"), t!("map-sign-yours")));
            signs.push((look.sign("░", "."), t!("map-sign-hidden")));
        }
        signs
    }

    fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        let (data, look, body) = (context.data, &context.look, body_of(context.size));
        let area = Rect { x: body.x + 1, width: body.width.saturating_sub(2), ..body };
        let width = area.width;
        let name = vec![look.span(Meaning::Accent, "matmul-tutor")];
        let room = usize::from(width).saturating_sub(16);
        let device = vec![look.span(Meaning::Muted, truncate(&data.device_line(), room, look.ascii))];
        let mut head = vec![two_ends(name, device, width)];
        head.extend(wrap_text(&data.course.title, look.style(Meaning::Title), width));
        if area.height > ROOMY {
            head.extend(wrap_text(&data.course.question, look.style(Meaning::Muted), width));
        }
        head.push(Line::default());
        let (top, rest) = split_top(area, head.len() as u16);
        draw(frame, top, head);
        if context.size.width < WIDE {
            self.stacked(frame, rest, context, hits);
            return;
        }
        let left = (rest.width * 9 / 20).clamp(50, 72);
        let right = Rect { x: rest.x + left + 4, width: rest.width - left - 4, ..rest };
        let used = self.levels(frame, Rect { width: left, ..rest }, context, hits);
        let (_, free) = split_top(Rect { width: left, ..rest }, used + 2);
        let rows = super::pages::brief(self.cursor, None, left, free.height.into(), context);
        // A row that can be clicked is a level.
        super::pages::draw_brief(frame, free, rows, &mut Vec::new());
        let record = record::table(data, right.width, look);
        let (above, below) = split_bottom(right, record.len() as u16 + 1);
        ladder::draw_in(frame, above, self.cursor, context);
        draw(frame, Rect { y: below.y + 1, height: below.height.saturating_sub(1), ..below }, record);
    }

    fn text_lines(&self, width: u16, context: &Context) -> Vec<String> {
        let data = context.data;
        let mut lines = heading(&data.course.title);
        lines.extend(unstyled(markdown::render(&data.course.question, width, &context.look)));
        lines.push(String::new());
        for (at, level) in data.course.levels.iter().enumerate() {
            let Some(progress) = data.progress_of(at) else { continue };
            let mark = if at == self.cursor { "> " } else { "  " };
            let state = match data.locked_by(at).and_then(|by| data.level(by)) {
                Some((by, _)) => t!("plain-locked", gate = by + 1),
                None => {
                    let gate = match (progress.gated, progress.passed) {
                        (false, _) => t!("plain-no-gate"),
                        _ if !data.course.exam.is_empty() => in_exam(progress),
                        (true, true) => t!("plain-passed"),
                        (true, false) if progress.exercise_left() => t!("plain-exercise-left"),
                        (true, false) => {
                            t!("plain-needs", required = progress.required, questions = progress.questions)
                        }
                    };
                    t!("plain-pages", read = progress.pages.read, total = progress.pages.total, gate)
                }
            };
            lines.push(format!("{mark}{} {}: {state}", at + 1, level.title));
        }
        if let Some(level) = data.course.levels.get(self.cursor) {
            lines.extend(unstyled(markdown::render(&level.question, width, &context.look)));
        }
        lines.extend(unstyled(markdown::render(&next_step(data), width, &context.look)));
        if !data.exercises.is_empty() {
            let texts = workshop(data, &context.look);
            lines.extend(texts.iter().flat_map(|text| unstyled(markdown::render(text, width, &context.look))));
        }
        lines.extend([String::new(), data.device_line()]);
        lines
    }

    fn click(&mut self, hit: Hit, _: Position, context: &Context) -> Vec<Effect> {
        let Hit::Row(row) = hit else { return Vec::new() };
        let there = std::mem::replace(&mut self.cursor, row) == row;
        if there { self.act(Action::Confirm, context) } else { Vec::new() }
    }

    fn scroll_by(&mut self, rows: isize, context: &Context) -> Vec<Effect> {
        self.act(if rows < 0 { Action::Up } else { Action::Down }, context)
    }
}

enum Step<'w> {
    /// Read the page with this index and title.
    Page { level: usize, page: usize, title: &'w str },
    /// Take the level's gate, or resume it.
    Gate { level: usize, under_way: bool },
    /// Pass one of the exercises that the level requires in addition to the quiz.
    Exercise { level: usize },
}

impl Step<'_> {
    fn go(&self) -> Go {
        match *self {
            Step::Page { level, page, .. } => Go::Page { level, page },
            Step::Gate { level, .. } => Go::Gate { level },
            Step::Exercise { level } => Go::Workshop(Some(level)),
        }
    }
}

fn upcoming(data: &AppData) -> Option<Step<'_>> {
    let next = data.progress.next.as_ref()?;
    let (level, content) = data.level(&next.level)?;
    let under_way = data.progress_of(level).is_some_and(|progress| progress.under_way);
    Some(match next.page.as_deref().and_then(|page| page_index(content, page)) {
        Some(page) if !under_way => {
            let all = pages(content);
            Step::Page { level, page, title: &all[page].title }
        }
        _ if next.exercise && !under_way => Step::Exercise { level },
        _ => Step::Gate { level, under_way },
    })
}
