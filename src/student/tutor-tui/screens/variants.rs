/*! The author's view of a level's quiz: every variant of each question with its correct answer and the reasons.

```text
 2 Shared-memory tiling ▸ quiz                 question 3 of 8 · variant 1 of 3
 ─ s3 / a: apply, cost, page books ──────────────────────────────────────────────
 A block of 32×8 threads reads smem[ty][tx] …

 ✘ one wavefront
   The rows lie in different banks …
 ✔ eight wavefronts

 Eight rows of …
 → next variant  ← previous variant  ↑↓ question  e edit  g quiz  P practise
```
*/

use super::quiz::bloom_name;
use super::{draw_scrolled, indent, inner_of, mark_below, step};
use crate::prelude::*;
use tutor_course::{Reason, Slot, Variant};
use tutor_progress::{AttemptKind, Keyed, keyed};
use ui_kit::look::{TEXT_WIDTH, draw, split_top, two_ends};
use ui_kit::markdown;
use ui_kit::wrap::{Run, hang, wrap_code, wrap_text};

/// The variant on the screen. After a file was read again, the indices may be too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variants {
    pub level: usize,
    pub slot: usize,
    pub variant: usize,
    pub scroll: usize,
}

impl Variants {
    fn slots<'a>(&self, context: &Context<'a>) -> &'a [Slot] {
        let quiz = context.data.course.levels.get(self.level).and_then(|level| level.quiz());
        quiz.map_or(&[], |quiz| &quiz.slots)
    }

    /// Returns the visible slot and variant, with their indices.
    fn shown<'a>(&self, context: &Context<'a>) -> Option<(usize, &'a Slot, usize, &'a Variant)> {
        let slots = self.slots(context);
        let slot = self.slot.min(slots.len().checked_sub(1)?);
        let variants = &slots.get(slot)?.variants;
        let variant = self.variant.min(variants.len().saturating_sub(1));
        Some((slot, slots.get(slot)?, variant, variants.get(variant)?))
    }

    /// Returns all variants of the quiz in order, and the position of the visible one.
    fn steps(&self, context: &Context) -> (Vec<(usize, usize)>, Option<usize>) {
        let slots = self.slots(context).iter().enumerate();
        let all: Vec<(usize, usize)> =
            slots.flat_map(|(slot, of)| (0..of.variants.len()).map(move |variant| (slot, variant))).collect();
        let here = self.shown(context).map(|(slot, _, variant, _)| (slot, variant));
        let at = here.and_then(|here| all.iter().position(|step| *step == here));
        (all, at)
    }

    /// Returns the effect that opens the variant in its file.
    fn file(&self, context: &Context) -> Option<Effect> {
        let level = context.data.course.levels.get(self.level)?;
        let (_, _, _, variant) = self.shown(context)?;
        let file = context.data.quiz_paths.get(&level.id)?.clone();
        Some(Effect::Edit { file, line: variant.id.line.max(1), column: variant.id.column.max(1) })
    }

    fn max_scroll(&self, context: &Context) -> usize {
        let area = inner_of(context.size);
        self.lines(area.width, context).len().saturating_sub(usize::from(area.height.saturating_sub(2)))
    }

    fn heading(&self, width: u16, context: &Context) -> Vec<Line<'static>> {
        let look = &context.look;
        let title = context.data.course.levels.get(self.level).map_or("", |level| level.title.as_str());
        let left = vec![
            look.span(Meaning::Muted, format!("{} {title} ", self.level + 1)),
            look.span(Meaning::Border, look.sign("▸ ", "> ").to_owned()),
            look.span(Meaning::Title, t!("quiz-preview")),
        ];
        let Some((at, slot, number, variant)) = self.shown(context) else {
            return vec![Line::from(left), look.rule("", Meaning::Accent, width)];
        };
        let place = t!(
            "quiz-variant-of",
            question = at + 1,
            questions = self.slots(context).len(),
            variant = number + 1,
            variants = slot.variants.len()
        );
        let tag = t!(
            "quiz-variant-about",
            id = format!("{}/{}", slot.id.value, variant.id.value),
            bloom = bloom_name(slot.bloom),
            objective = slot.objective.as_str(),
            page = slot.page.as_str()
        );
        let right = vec![look.span(Meaning::Muted, place)];
        vec![two_ends(left, right, width), look.rule(&tag, Meaning::Accent, width)]
    }

    fn lines(&self, width: u16, context: &Context) -> Vec<Line<'static>> {
        let (look, width) = (&context.look, width.min(TEXT_WIDTH));
        let Some((_, _, _, variant)) = self.shown(context) else {
            let problem = context.data.course.levels.get(self.level).and_then(|level| level.quiz_problem());
            let text = problem.map_or_else(|| t!("quiz-no-question"), ToString::to_string);
            return wrap_text(&text, look.style(Meaning::Warning), width);
        };
        let Keyed { ask, parameters, code, reasons, because } = keyed(variant);
        let mut lines = markdown::render(&ask, width, look);
        if !parameters.is_empty() {
            let numbers: Vec<String> = parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            lines.extend(wrap_text(
                &t!("quiz-variant-numbers", numbers = numbers.join(", ")),
                look.style(Meaning::Muted),
                width,
            ));
        }
        lines.push(Line::default());
        if let Some(code) = &code {
            let run = |line: &str| [Run::new(format!("    {line}"), look.style(Meaning::Code))];
            lines.extend(code.lines().flat_map(|line| wrap_code(&run(line), usize::from(width))));
            lines.push(Line::default());
        }
        lines.extend(reasons.iter().flat_map(|reason| reason_lines(reason, width, look)));
        lines.push(Line::default());
        lines.extend(markdown::render(&because, width, look));
        lines
    }
}

impl Component for Variants {
    fn actions(&self, context: &Context) -> Vec<Action> {
        let (all, at) = self.steps(context);
        let mut actions = Vec::new();
        actions.extend(at.filter(|at| at + 1 < all.len()).map(|_| Action::NextVariant));
        actions.extend(at.filter(|at| *at > 0).map(|_| Action::PreviousVariant));
        if self.slots(context).len() > 1 {
            actions.extend([Action::Up, Action::Down]);
        }
        actions.extend(self.file(context).map(|_| Action::Edit));
        actions.extend([Action::Gate, Action::Practice]);
        actions.extend((self.scroll < self.max_scroll(context)).then_some(Action::PageDown));
        actions.extend((self.scroll > 0).then_some(Action::PageUp));
        actions.push(Action::Back);
        actions
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let (all, at) = self.steps(context);
        let (level, slots) = (self.level, self.slots(context).len());
        let taken = |kind| vec![Effect::Go(Go::Quiz { level, kind })];
        let to = match action {
            Action::NextVariant => at.and_then(|at| all.get(at + 1)).copied(),
            Action::PreviousVariant => at.and_then(|at| all.get(at.checked_sub(1)?)).copied(),
            Action::Up => Some((step(Some(self.slot), -1, slots), 0)),
            Action::Down => Some((step(Some(self.slot), 1, slots), 0)),
            Action::PageDown => return self.scroll_by(8, context),
            Action::PageUp => return self.scroll_by(-8, context),
            Action::Edit => return self.file(context).into_iter().collect(),
            Action::Gate => return taken(AttemptKind::Gate),
            Action::Practice => return taken(AttemptKind::Practice),
            Action::Back => return vec![Effect::Go(Go::Back)],
            _ => None,
        };
        if let Some((slot, variant)) = to {
            (self.slot, self.variant, self.scroll) = (slot, variant, 0);
        }
        Vec::new()
    }

    fn render(&self, frame: &mut Frame, context: &Context, _: &mut Hits) {
        let area = inner_of(context.size);
        let (head, body) = split_top(area, 2);
        draw(frame, head, self.heading(area.width, context));
        let lines = self.lines(area.width, context);
        let scroll = self.scroll.min(lines.len().saturating_sub(usize::from(body.height)));
        let below = lines.len().saturating_sub(scroll + usize::from(body.height));
        draw_scrolled(frame, body, &lines, scroll);
        if below > 0 && body.height > 0 {
            mark_below(frame, body, below, |count| t!("quiz-more-below", count), &context.look);
        }
    }

    fn text_lines(&self, width: u16, context: &Context) -> Vec<String> {
        let lines = self.heading(width, context).into_iter().chain(self.lines(width, context));
        lines.map(|line| line.to_string()).collect()
    }

    fn location(&self) -> String {
        format!("{} {} {}", self.level, self.slot, self.variant)
    }

    fn scroll_by(&mut self, rows: isize, context: &Context) -> Vec<Effect> {
        self.scroll = self.scroll.saturating_add_signed(rows).min(self.max_scroll(context));
        Vec::new()
    }
}

fn reason_lines(reason: &Reason, width: u16, look: &Look) -> Vec<Line<'static>> {
    let sign = if reason.right { look.right() } else { look.wrong() };
    let (room, rest) = (width.saturating_sub(2), Span::raw("  "));
    let before = Span::styled(format!("{} ", sign.content), sign.style);
    let answer = markdown::render(reason.answer.trim(), room, look);
    let mut lines = hang(answer, &before, &rest);
    for why in reason.why.iter().filter(|why| !why.trim().is_empty()) {
        lines.extend(indent(markdown::render(why, room.saturating_sub(2), look), 4));
    }
    lines
}
