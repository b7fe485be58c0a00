/*! The first screen of a new student: a few lines of two kernels, and the question which kernel is faster.

```text
    matmul-tutor     How fast is your GPU's matrix product, and why?

    Two kernels compute the same matrix product. One of them is 13 times as fast. Which?

    ╭──────────────────────────────────────────────────────────────────────╮
    │   a  const int row = blockIdx.y * BLOCK + threadIdx.x;               │
    │      const int col = blockIdx.x * BLOCK + threadIdx.y;               │
    ╰──────────────────────────────────────────────────────────────────────╯
    …
    ✔ Yes, it is b.
    a  275.7 ms  ██████████████████████████████████████████
    b  21.25 ms  ███▏
    Recorded on NVIDIA H200, …
```

The course map is behind it. The answer is not stored, because the student has not read anything yet.
*/

use super::lesson::text::letter;
use super::{body_of, inner_of};
use crate::plain::{heading, unstyled};
use crate::prelude::*;
use tutor_course::Welcome as Question;
use tutor_exec::recorded::Recording;
use tutor_kernels::Kernel;
use tutor_support::IN_A_PAGE;
use tutor_support::figures::duration;
use ui_kit::action::Key;
use ui_kit::keys::KeyCode;
use ui_kit::look::{TEXT_WIDTH, draw, pad_left};

/// Cells before the code in a card: border, mark, letter and blanks.
const BEFORE_CODE: usize = 7;
/// Usual number of rows after the answer.
const ROWS: u16 = 22;
/// Widths of a time and of the bars, in cells.
const TIME: usize = 8;
const BAR: u16 = 44;
/// Maximum number of optional pages that the screen offers.
const MOST_ORIGINS: usize = 5;

#[derive(Debug, Default)]
pub struct Welcome {
    /// The index of the chosen kernel.
    chosen: Option<usize>,
}

/// A line, and what a click on it does.
type Row = (Line<'static>, Option<Hit>);

/// The question with its kernels, in the order of the catalogue.
struct Asked<'w> {
    question: &'w Question,
    kernels: [&'w Kernel; 2],
    code: [Vec<&'w str>; 2],
    /// Index of the faster kernel.
    faster: usize,
}

impl<'w> Asked<'w> {
    fn of(data: &'w AppData) -> Option<Self> {
        let question = data.course.welcome.as_ref().filter(|_| data.course.exam.is_empty())?;
        let named = [&question.faster, &question.slower];
        let mut known = data.catalog.kernels().iter().filter(|kernel| named.iter().any(|id| id.value == kernel.id));
        let kernels = [known.next()?, known.next()?];
        let code = kernels.map(|kernel| question.lines(kernel));
        let faster = usize::from(kernels[1].id == question.faster.value);
        code.iter().all(|code| !code.is_empty()).then_some(Self { question, kernels, code, faster })
    }

    /// Returns the recording and the median times in ms. `None` without a recording of both kernels, or before a page in a
    /// browser has the kernels' PTX.
    fn times(&self) -> Option<(&'static Recording, [f64; 2])> {
        let Question { device, size, .. } = self.question;
        let recording = Recording::built_in().iter().find(|of| of.device == device.value)?;
        let [a, b] = self.kernels.map(|kernel| recording.row(kernel, *size).map(|row| row.time.median_ms));
        Some((recording, [a?, b?]))
    }

    /// Returns a line of the code of kernel `at`. The characters that differ from the other kernel's line stand out.
    fn code_line(&self, at: usize, line: usize, look: &Look) -> Vec<Span<'static>> {
        let [own, other] = [at, 1 - at].map(|at| self.code[at].get(line).copied().unwrap_or_default());
        let mut others = other.chars();
        let styled = own.chars().map(|c| (c, if others.next() == Some(c) { Meaning::Code } else { Meaning::Accent }));
        styled.map(|(c, meaning)| look.span(meaning, c.to_string())).collect()
    }
}

impl Welcome {
    /// True if the course has such a question, and its kernels can be shown.
    pub fn is_offered(data: &AppData) -> bool {
        Asked::of(data).is_some()
    }

    /// Returns the rows. A tight screen has no frames and fewer blank rows.
    fn rows(&self, context: &Context, width: u16, tight: bool) -> Vec<Row> {
        let (data, look) = (context.data, &context.look);
        let Some(asked) = Asked::of(data) else { return Vec::new() };
        let text =
            |text: &str, meaning| wrap_text(text, look.style(meaning), width).into_iter().map(|line| (line, None));
        let mut rows: Vec<Row> = Vec::new();
        let title = truncate(&data.course.title, usize::from(width).saturating_sub(14), look.ascii);
        let name = vec![look.span(Meaning::Accent, "matmul-tutor")];
        rows.push((two_ends(name, vec![look.span(Meaning::Muted, title)], width), None));
        let blank = |rows: &mut Vec<Row>, wanted: bool| rows.extend(wanted.then(Row::default));
        blank(&mut rows, !tight);
        rows.extend(text(&asked.question.ask, Meaning::Title));
        blank(&mut rows, !tight);
        for at in [0, 1] {
            rows.extend(self.card(&asked, at, width, tight, look));
            blank(&mut rows, tight || at == 1);
        }
        if self.chosen.is_some() {
            rows.extend(self.verdict(&asked, context, width, tight));
        } else {
            rows.extend(text(&t!("welcome-press", page = usize::from(IN_A_PAGE)), Meaning::Text));
            blank(&mut rows, true);
            rows.extend(text(&data.course.question, Meaning::Muted));
        }
        rows
    }

    fn card(&self, asked: &Asked, at: usize, width: u16, tight: bool, look: &Look) -> Vec<Row> {
        let inner = usize::from(width).saturating_sub(2);
        let [corners, low, dash, side] = match (tight, look.ascii) {
            (true, _) => ["", "", "", " "],
            (_, true) => ["++", "++", "-", "|"],
            _ => ["╭╮", "╰╯", "─", "│"],
        };
        let (meaning, mark) = match self.chosen {
            None => (Meaning::Focus, None),
            Some(_) if at == asked.faster => (Meaning::Right, Some(look.right())),
            Some(chosen) if chosen == at => (Meaning::Wrong, Some(look.wrong())),
            Some(_) => (Meaning::Border, None),
        };
        let edge = |corners: &str| {
            let mut ends = corners.chars().map(String::from);
            let line = dash.repeat(inner);
            look.span(meaning, [ends.next().unwrap_or_default(), line, ends.next().unwrap_or_default()].concat())
        };
        let hit = self.chosen.is_none().then_some(Hit::Choice(at));
        let mut rows = Vec::new();
        rows.extend((!tight).then(|| (Line::from(edge(corners)), hit)));
        for line in 0..asked.code[at].len() {
            let head = match line {
                0 => {
                    vec![mark.clone().unwrap_or(Span::raw(" ")), look.span(Meaning::Key, format!(" {}  ", letter(at)))]
                }
                _ => vec![Span::raw(" ".repeat(BEFORE_CODE - 2))],
            };
            let mut left = vec![look.span(meaning, format!("{side} "))];
            left.extend(head);
            left.extend(asked.code_line(at, line, look));
            rows.push((two_ends(left, vec![look.span(meaning, side.to_owned())], width), hit));
        }
        rows.extend((!tight).then(|| (Line::from(edge(low)), hit)));
        rows
    }

    /// Returns what a student sees after the choice: the answer, the recorded times, and the way to the first level.
    fn verdict(&self, asked: &Asked, context: &Context, width: u16, tight: bool) -> Vec<Row> {
        let look = &context.look;
        let (right, fast) = (self.chosen == Some(asked.faster), letter(asked.faster).to_string());
        let text =
            |text: &str, meaning| wrap_text(text, look.style(meaning), width).into_iter().map(|line| (line, None));
        let said = if right { t!("welcome-right", letter = fast) } else { t!("welcome-wrong", letter = fast) };
        let mut rows: Vec<Row> = text(&said, if right { Meaning::Right } else { Meaning::Strong }).collect();
        if let Some((recording, times)) = asked.times() {
            let longest = times[0].max(times[1]);
            for (at, ms) in times.into_iter().enumerate() {
                let mut row = vec![
                    look.span(Meaning::Key, letter(at).to_string()),
                    look.span(Meaning::Text, format!("  {}  ", pad_left(&duration(ms), TIME))),
                ];
                row.extend(look.bar(ms / longest, BAR));
                rows.push((Line::from(row), None));
            }
            let Recording { device, driver, date, .. } = recording;
            rows.extend(text(&t!("welcome-recorded", device, driver, date, n = asked.question.size), Meaning::Muted));
        }
        let Some(level) = context.data.course.levels.first() else { return rows };
        rows.extend((!tight).then(Row::default));
        rows.extend(text(&t!("welcome-why", level = 1, title = &level.title), Meaning::Text));
        let enter = Key::Code(KeyCode::Enter).name(look.ascii);
        let button =
            Span::styled(format!(" {enter}  {} ", t!("welcome-begin", level = 1)), look.style(Meaning::Selected));
        rows.push((Line::from(button), Some(Hit::Action(Action::BeginNext))));
        let origins = origins(context);
        if !origins.is_empty() {
            rows.extend((!tight).then(Row::default));
            rows.extend(text(&t!("welcome-origins"), Meaning::Text));
        }
        for (at, title) in origins.into_iter().enumerate() {
            let row = vec![look.span(Meaning::Key, format!("{}  ", letter(at))), look.span(Meaning::Text, title)];
            rows.push((Line::from(row), Some(Hit::Choice(at))));
        }
        rows
    }

    /// Answers the question, or, after that, opens an optional page to begin with.
    fn choose(&mut self, at: usize) -> Vec<Effect> {
        if self.chosen.is_some() {
            return vec![Effect::Go(Go::Page { level: 0, page: 1 + at })];
        }
        self.chosen = Some(at);
        Vec::new()
    }
}

/// Returns the titles of the optional pages after the first page, for students who come from another language or library, if the
/// screen has room for them.
fn origins(context: &Context) -> Vec<String> {
    let level = context.data.course.levels.first().filter(|_| context.size.height >= ROWS);
    let optional = level.into_iter().flat_map(|level| pages(level).iter().skip(1)).take_while(|page| page.optional);
    optional.take(MOST_ORIGINS).map(|page| page.title.clone()).collect()
}

impl Component for Welcome {
    fn actions(&self, context: &Context) -> Vec<Action> {
        let begin = context.data.course.levels.first().map(|_| Action::BeginNext);
        match self.chosen {
            None => vec![Action::Choose(0), Action::Choose(1), Action::ShowMap],
            Some(_) => {
                let origins = (0..origins(context).len()).map(|at| Action::Choose(at as u8));
                begin.into_iter().chain(origins).chain([Action::ShowMap]).collect()
            }
        }
    }

    fn act(&mut self, action: Action, _: &Context) -> Vec<Effect> {
        match action {
            Action::Choose(at) => self.choose(at.into()),
            Action::BeginNext => vec![Effect::Go(Go::Page { level: 0, page: 0 })],
            Action::ShowMap => vec![Effect::Go(Go::Map)],
            _ => Vec::new(),
        }
    }

    fn silent(&self, key: Key, _: &Context) -> Option<String> {
        let onward = matches!(key, Key::Char('n') | Key::Code(KeyCode::Enter));
        (onward && self.chosen.is_none()).then(|| t!("welcome-choose"))
    }

    fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        let area = inner_of(context.size);
        let width = area.width.min(TEXT_WIDTH);
        let mut rows = self.rows(context, width, false);
        if rows.len() > area.height.into() {
            rows = self.rows(context, width, true);
        }
        // The answer must not move the question.
        let above = area.height.saturating_sub(ROWS) / 3;
        let x = area.x + (area.width - width) / 2;
        for (y, (line, hit)) in (area.y + above..body_of(context.size).bottom()).zip(rows) {
            let place = Rect { x, y, width, height: 1 };
            // Of a button, only its text can be clicked.
            let cells = (line.width() as u16).min(width);
            hits.extend(hit.map(|hit| (Rect { width: cells, ..place }, hit)));
            draw(frame, place, vec![line]);
        }
    }

    fn text_lines(&self, width: u16, context: &Context) -> Vec<String> {
        let Some(asked) = Asked::of(context.data) else { return Vec::new() };
        let text = |text: &str| unstyled(wrap_text(text, context.look.style(Meaning::Text), width)).collect::<Vec<_>>();
        let mut lines = heading(&context.data.course.title);
        lines.extend(text(&context.data.course.question));
        lines.push(String::new());
        lines.extend(text(&asked.question.ask));
        for (at, code) in asked.code.iter().enumerate() {
            lines.push(String::new());
            lines.extend(code.iter().map(|line| format!("{}  {line}", letter(at))));
        }
        if self.chosen.is_some() {
            lines.push(String::new());
            let rows = self.verdict(&asked, context, width, true).into_iter();
            lines.extend(unstyled(rows.filter(|(_, hit)| !matches!(hit, Some(Hit::Action(_)))).map(|(line, _)| line)));
        }
        lines
    }

    fn click(&mut self, hit: Hit, _: Position, _: &Context) -> Vec<Effect> {
        if let Hit::Choice(at) = hit { self.choose(at) } else { Vec::new() }
    }
}
