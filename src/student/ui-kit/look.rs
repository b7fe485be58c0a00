//! The look of the screen (theme, line drawing, time), and small building blocks for all screens.

use super::action::{Action, Hint, is_for_bar};
use super::code::Highlights;
use super::theme::Theme;
use crate::prelude::*;
use ratatui::style::Modifier;
use ratatui::widgets::Paragraph;
use std::sync::LazyLock;
use std::time::Duration;
use unicode_segmentation::UnicodeSegmentation;

/// Minimum size of a screen that the tutor draws on.
pub const SMALLEST: (u16, u16) = (60, 18);
/// Maximum width of running text, in cells.
pub const TEXT_WIDTH: u16 = 72;

/// Maximum number of hints on the key bar. Students would not read a longer bar.
const MAX_HINTS: usize = 7;

/// What every `render` gets.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    pub theme: &'a Theme,
    /// True if only ASCII is drawn.
    pub ascii: bool,
    /// Time since the tutor started. Animations depend on it.
    pub now: Duration,
    /// Code colours that are ready.
    pub highlights: &'a Highlights,
}

impl<'a> Look<'a> {
    pub fn style(&self, meaning: Meaning) -> Style {
        self.theme.style(meaning)
    }

    /// Returns text in a meaning's style.
    pub fn span<'t>(&self, meaning: Meaning, text: impl Into<std::borrow::Cow<'t, str>>) -> Span<'t> {
        Span::styled(text, self.style(meaning))
    }

    /// Returns the drawn sign, or its ASCII replacement with `--ascii`.
    pub fn sign<'s>(&self, drawn: &'s str, ascii: &'s str) -> &'s str {
        if self.ascii { ascii } else { drawn }
    }

    pub fn right(&self) -> Span<'static> {
        self.span(Meaning::Right, if self.ascii { "+" } else { "✔" })
    }

    pub fn wrong(&self) -> Span<'static> {
        self.span(Meaning::Wrong, if self.ascii { "x" } else { "✘" })
    }

    pub fn warning(&self) -> Span<'static> {
        self.span(Meaning::Warning, if self.ascii { "!" } else { "▲" })
    }

    /// Returns sign and meaning of a cost: right if it is the best possible, else a warning.
    pub fn cost(&self, best: bool) -> (Span<'static>, Meaning) {
        if best { (self.right(), Meaning::Right) } else { (self.warning(), Meaning::Warning) }
    }

    /// Returns the mark before the selected row, or blanks before the others.
    pub fn cursor(&self, selected: bool) -> Span<'static> {
        match (selected, self.ascii) {
            (false, _) => Span::raw("  "),
            (true, false) => self.span(Meaning::Accent, "▸ "),
            (true, true) => self.span(Meaning::Accent, "> "),
        }
    }

    /// Highlights the row under the cursor over `width` cells.
    ///
    /// If the theme reverses colours for this, the row gets a single style, because coloured pieces would have
    /// backgrounds of their own.
    pub fn selected<'t>(&self, mut line: Line<'t>, width: u16) -> Line<'t> {
        let style = self.style(Meaning::Selected);
        let flat = style.add_modifier.contains(Modifier::REVERSED);
        for span in &mut line.spans {
            span.style = if flat { style } else { style.patch(span.style) };
        }
        let rest = usize::from(width).saturating_sub(line.width());
        line.spans.push(Span::styled(" ".repeat(rest), style));
        line
    }

    /// Returns `─ title ──────` over the whole width, with the title in `meaning`.
    pub fn rule<'t>(&self, title: &str, meaning: Meaning, width: u16) -> Line<'t> {
        let dash = self.sign("─", "-");
        let border = self.style(Meaning::Border);
        if title.is_empty() {
            return Line::styled(dash.repeat(width.into()), border);
        }
        let title = truncate(title, usize::from(width).saturating_sub(6), self.ascii);
        let rest = usize::from(width).saturating_sub(title.width() + 4);
        Line::from(vec![
            Span::styled(format!("{dash} "), border),
            Span::styled(title, self.style(meaning)),
            Span::styled(format!(" {}{dash}", dash.repeat(rest)), border),
        ])
    }

    /// Returns a bar of `width` cells, filled to `fraction` (0 to 1) in eighths of a cell, or in whole cells with
    /// `--ascii`.
    pub fn bar(&self, fraction: f64, width: u16) -> Vec<Span<'static>> {
        let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 0.0 };
        let width = usize::from(width);
        let eighths = (fraction * width as f64 * 8.0).round() as usize;
        let (full, part) = (eighths / 8, eighths % 8);
        if self.ascii {
            let full = full + usize::from(part >= 4);
            return vec![
                self.span(Meaning::Bar, "#".repeat(full)),
                self.span(Meaning::BarEmpty, ".".repeat(width.saturating_sub(full))),
            ];
        }
        let mut filled = "█".repeat(full);
        if part > 0 {
            filled.push(['▏', '▎', '▍', '▌', '▋', '▊', '▉'][part - 1]);
        }
        let rest = width.saturating_sub(full + usize::from(part > 0));
        vec![self.span(Meaning::Bar, filled), self.span(Meaning::BarEmpty, "░".repeat(rest))]
    }

    /// Returns a bar of `width` cells with a mark at `mark` (0 to 1). The part past the mark has another colour.
    pub fn bar_past(&self, fraction: f64, mark: f64, width: u16) -> Vec<Span<'static>> {
        let filled = self.bar(fraction, width).swap_remove(0).content.into_owned();
        let (width, used) = (usize::from(width), filled.chars().count());
        let mark = (mark.clamp(0.0, 1.0) * width as f64) as usize;
        if used > mark {
            let (before, past): (String, String) =
                (filled.chars().take(mark).collect(), filled.chars().skip(mark).collect());
            let rest = Span::raw(" ".repeat(width - used));
            return vec![self.span(Meaning::Bar, before), self.span(Meaning::Right, past), rest];
        }
        let sign = if mark < width { self.sign("┊", "|") } else { "" };
        vec![
            self.span(Meaning::Bar, filled),
            Span::raw(" ".repeat(mark - used)),
            self.span(Meaning::Muted, sign),
            Span::raw(" ".repeat(width.saturating_sub(mark + 1))),
        ]
    }

    /// Returns a thin bar of whole cells, such as for "page 3 of 9".
    pub fn thin_bar(&self, done: usize, of: usize, width: u16) -> Vec<Span<'static>> {
        let width = usize::from(width);
        let full = if of == 0 { 0 } else { (done * width).div_ceil(of).min(width) };
        vec![
            self.span(Meaning::Bar, self.sign("▓", "#").repeat(full)),
            self.span(Meaning::BarEmpty, self.sign("░", ".").repeat(width - full)),
        ]
    }

    /// Returns the key bar with the [`most_important`] hints. The list contains the column, the width and the click's action of
    /// each part.
    pub fn key_bar(&self, hints: Vec<Hint>, width: u16) -> (Line<'static>, Vec<(u16, u16, Action)>) {
        let (mut spans, mut places, mut x) = (vec![Span::raw(" ")], Vec::new(), 1);
        for hint in most_important(hints, width) {
            let label = (format!(" {}  ", hint.label), hint.of_label(), Meaning::Muted);
            let keys = hint.keys.into_iter().map(|(key, action)| (key, action, Meaning::Key));
            for (text, action, meaning) in keys.chain([label]) {
                let cells = text.width() as u16;
                let shown = text.trim_end().width() as u16;
                places.extend(action.map(|action| (x, shown, action)));
                x += cells;
                spans.push(self.span(meaning, text));
            }
        }
        // If the last key reaches the edge, only the blanks after it are cut.
        let full = usize::from(x) >= width.into();
        if let Some(last) = spans.last_mut().filter(|_| full) {
            last.content = last.content.trim_end().to_owned().into();
        }
        (Line::from(spans), places)
    }
}

/// Returns at most seven of the hints, most important first and help last, as many as fit into `width` cells. The way forward and
/// help are never left out.
pub fn most_important(mut hints: Vec<Hint>, width: u16) -> Vec<Hint> {
    hints.retain(|hint| is_for_bar(hint.action));
    if let Some(at) = hints.iter().position(|hint| hint.action == Action::Help) {
        let help = hints.remove(at);
        hints.push(help);
    }
    let cells = |hint: &Hint| hint.text().width() + 2;
    let must = |hint: &Hint| matches!(hint.action, Action::Help | Action::NextPage | Action::Continue);
    let kept: Vec<usize> = hints.iter().filter(|hint| must(hint)).map(cells).collect();
    let mut room = usize::from(width).saturating_sub(1 + kept.iter().sum::<usize>());
    let mut most = MAX_HINTS.saturating_sub(kept.len());
    hints.retain(|hint| {
        let fits = must(hint) || most > 0 && cells(hint) <= room;
        if !must(hint) {
            (most, room) = if fits { (most - 1, room - cells(hint)) } else { (0, room) };
        }
        fits
    });
    hints
}

/// Returns left and right text on one row. The left text is truncated if necessary.
pub fn two_ends<'t>(mut left: Vec<Span<'t>>, right: Vec<Span<'t>>, width: u16) -> Line<'t> {
    let cells = |spans: &[Span]| spans.iter().map(Span::width).sum::<usize>();
    let room = usize::from(width).saturating_sub(cells(&right) + 1);
    while cells(&left) > room {
        let Some(last) = left.pop() else { break };
        let before = cells(&left);
        if before < room {
            left.push(Span::styled(truncate(&last.content, room - before, false), last.style));
            break;
        }
    }
    let gap = usize::from(width).saturating_sub(cells(&left) + cells(&right));
    left.push(Span::raw(" ".repeat(gap)));
    left.extend(right);
    Line::from(left)
}

/// Draws lines from the top of `area` and clips the rest.
pub fn draw(frame: &mut Frame, area: Rect, lines: Vec<Line>) {
    frame.render_widget(Paragraph::new(lines), area);
}

/// Splits `area` into its first rows and the rest.
pub fn split_top(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let top = Rect { height: rows, ..area };
    (top, Rect { y: area.y + rows, height: area.height - rows, ..area })
}

/// Splits `area` into the rest and its last rows.
pub fn split_bottom(area: Rect, rows: u16) -> (Rect, Rect) {
    let (top, bottom) = split_top(area, area.height - rows.min(area.height));
    (top, bottom)
}

/// Returns `text` in at most `width` cells. If it is longer, it ends with an ellipsis.
pub fn truncate(text: &str, width: usize, ascii: bool) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let end = if ascii { "~" } else { "…" };
    let mut out = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        if used + grapheme.width() + 1 > width {
            break;
        }
        used += grapheme.width();
        out.push_str(grapheme);
    }
    if width > 0 {
        out.push_str(end);
    }
    out
}

/// Pads `text` on the right to `width` cells, or truncates it.
pub fn pad(text: &str, width: usize) -> String {
    let mut out = truncate(text, width, false);
    out.push_str(&" ".repeat(width.saturating_sub(out.width())));
    out
}

/// Pads `text` on the left to `width` cells.
pub fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
}

/// Calls `with` with a look without colours, to measure or describe a picture without drawing it.
pub fn with_mono_look<T: Default>(with: impl FnOnce(&Look) -> T) -> T {
    static THEME: LazyLock<Option<Theme>> = LazyLock::new(|| Theme::named("mono").ok());
    let highlights = Highlights::default();
    let look = THEME.as_ref().map(|theme| Look { theme, ascii: false, now: Duration::ZERO, highlights: &highlights });
    look.map_or_else(T::default, |look| with(&look))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look<'a>(theme: &'a Theme, highlights: &'a Highlights, ascii: bool) -> Look<'a> {
        Look { theme, ascii, now: Duration::ZERO, highlights }
    }

    #[test]
    fn a_wide_character_is_never_cut_in_half() {
        assert_eq!(truncate("공유 메모리", 6, false), "공유 …");
        assert_eq!(truncate("공유 메모리", 5, false), "공유…");
        assert_eq!(truncate("공유", 4, false), "공유");
        assert_eq!(pad("공유", 6), "공유  ");
    }

    #[test]
    fn a_bar_has_the_requested_width_at_every_fraction() {
        let (theme, highlights) = (Theme::named("mono").unwrap(), Highlights::default());
        for ascii in [false, true] {
            let look = look(&theme, &highlights, ascii);
            for fraction in [0.0, 0.01, 0.18, 0.5, 0.999, 1.0, 7.0, f64::NAN] {
                let cells: usize = look.bar(fraction, 10).iter().map(Span::width).sum();
                assert_eq!(cells, 10, "{fraction}");
            }
        }
    }

    #[test]
    fn a_selected_row_is_filled_and_flat_where_it_is_reversed() {
        let highlights = Highlights::default();
        for (name, styles) in [("mono", 1), ("sixteen", 1), ("dark", 3)] {
            let theme = Theme::named(name).unwrap();
            let look = look(&theme, &highlights, false);
            let row = Line::from(vec![look.span(Meaning::Muted, "2 "), look.wrong(), Span::raw(" tiling")]);
            let row = look.selected(row, 20);
            assert_eq!(row.width(), 20);
            let mut seen: Vec<Style> = row.spans.iter().map(|span| span.style).collect();
            seen.dedup();
            assert_eq!(seen.len(), styles, "{name}: {seen:?}");
            assert!(seen.iter().all(|style| style.bg == theme.style(Meaning::Selected).bg), "{name}");
        }
    }

    fn bar(actions: &[Action], width: u16) -> (String, Vec<(u16, u16, Action)>) {
        let (theme, highlights) = (Theme::named("mono").unwrap(), Highlights::default());
        let look = look(&theme, &highlights, false);
        let (line, places) = look.key_bar(super::super::action::hints(actions, false, false), width);
        (line.to_string().trim_end().to_owned(), places)
    }

    #[test]
    fn the_key_bar_keeps_help_when_it_is_narrow() {
        let actions = [Action::Confirm, Action::Pages, Action::Gate, Action::Quit, Action::Help];
        assert_eq!(bar(&actions, 24).0, " ⏎ open  ? help");
    }

    #[test]
    fn the_key_bar_has_seven_keys_at_most_and_no_housekeeping() {
        let mut actions = vec![Action::QuitNow, Action::Redraw, Action::Help, Action::Palette, Action::Suspend];
        actions.extend([Action::NextTheme, Action::NextLanguage, Action::Confirm, Action::Pages, Action::Gate]);
        actions.extend([Action::Practice, Action::Banks, Action::Zoom, Action::Edit, Action::Quit]);
        let (line, places) = bar(&actions, 200);
        assert_eq!(line, " ⏎ open  p pages  g quiz  P practise  b banks  z zoom  ? help");
        assert_eq!(places.len(), 14);
    }

    #[test]
    fn a_key_bar_that_fills_its_row_is_not_cut() {
        let line = bar(&[Action::Confirm, Action::Help], 17).0;
        assert_eq!(line, " ⏎ open  ? help");
        let (theme, highlights) = (Theme::named("mono").unwrap(), Highlights::default());
        let hints = super::super::action::hints(&[Action::Confirm, Action::Help], false, false);
        let (bar, _) = look(&theme, &highlights, false).key_bar(hints, 17);
        assert_eq!(two_ends(bar.spans, Vec::new(), 17).to_string().trim_end(), line);
    }

    #[test]
    fn each_clickable_part_of_the_key_bar_covers_its_key() {
        let (line, places) = bar(&[Action::StepBack, Action::StepForward, Action::Help], 80);
        assert_eq!(line, " ←→ step  ? help");
        let expected = [
            (1, 1, Action::StepBack),
            (2, 1, Action::StepForward),
            (3, 5, Action::StepForward),
            (10, 1, Action::Help),
            (11, 5, Action::Help),
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn the_left_end_gives_way_to_the_right() {
        let line = two_ends(vec![Span::raw("a very long title")], vec![Span::raw("3/9")], 12);
        assert_eq!(line.to_string(), "a very … 3/9");
    }
}
