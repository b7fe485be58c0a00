/*! Lays out Markdown as lines: headings, lists, tables, code, quotes, emphasis, inline code.

`pulldown-cmark` does the parsing. This module does the layout, because tables and code must be correct in narrow
columns and with wide characters. HTML is shown as text, because the author of a course may be a stranger.

A page is laid out whenever it is drawn. So both steps must take time in proportion to its length, for any content. The
parser limits how far it searches for the ends of links, code and HTML, and how deeply links and tables nest. This
module does not indent blocks deeper than `MAX_DEPTH`, and it shows only the columns of a table that fit. The course
limits the length of a page ([`tutor_course::MAX_PAGE_BYTES`]).
*/

mod table;

use super::sheet::to_ascii;
use super::wrap::{Run, wrap, wrap_code};
use crate::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use ratatui::style::Modifier;
use std::borrow::Cow;

/// Lays out Markdown in `width` cells.
pub fn render(markdown: &str, width: u16, look: &Look) -> Vec<Line<'static>> {
    let mut layout = Layout {
        look,
        width,
        lines: Vec::new(),
        runs: Vec::new(),
        styles: vec![look.style(Meaning::Text)],
        frames: Vec::new(),
        table: None,
        code: false,
    };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        layout.event(event);
    }
    layout.flush();
    while layout.lines.last().is_some_and(|line| line.width() == 0) {
        layout.lines.pop();
    }
    if look.ascii {
        for span in layout.lines.iter_mut().flat_map(|line| &mut line.spans) {
            if span.content.contains(UNBROKEN) {
                span.content = span.content.replace(UNBROKEN, " ").into();
            }
        }
    }
    layout.lines
}

/// Maximum depth of nested lists and quotes that are indented.
const MAX_DEPTH: usize = 16;

/// Blanks at which a line does not break.
const UNBROKEN: [char; 2] = ['\u{a0}', '\u{202f}'];

/// Replaces signs that the terminal may lack, with `--ascii` only. Letters of other scripts and non-breaking blanks
/// remain.
pub fn spelled<'t>(text: &'t str, look: &Look) -> Cow<'t, str> {
    if !look.ascii || text.is_ascii() {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '…' => out.push_str("..."),
            '≥' => out.push_str(">="),
            '≤' => out.push_str("<="),
            '≠' => out.push_str("!="),
            '≈' => out.push('~'),
            '÷' => out.push('/'),
            '−' => out.push('-'),
            '²' => out.push_str("^2"),
            '³' => out.push_str("^3"),
            '‘' | '’' => out.push('\''),
            '⌈' | '⌉' | '⌊' | '⌋' => out.push('|'),
            c => out.push(c),
        }
    }
    to_ascii(&out).into()
}

/// A block that indents its contents.
enum Indent {
    /// A list and the number of its next item; None for bullets.
    List(Option<u64>),
    /// An item, and its mark until that is drawn.
    Item {
        mark: Option<String>,
        width: usize,
    },
    Quote,
}

struct Layout<'a> {
    look: &'a Look<'a>,
    width: u16,
    lines: Vec<Line<'static>>,
    runs: Vec<Run>,
    styles: Vec<Style>,
    frames: Vec<Indent>,
    table: Option<Vec<Vec<Vec<Run>>>>,
    code: bool,
}

impl Layout<'_> {
    fn event(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code => self.code_lines(&text),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.push(&text, self.style(), false),
            Event::Code(text) => self.push(&text, self.style().patch(self.look.style(Meaning::InlineCode)), true),
            Event::SoftBreak => self.push(" ", self.style(), false),
            Event::HardBreak => self.push("\n", self.style(), false),
            Event::Rule => {
                self.flush();
                self.blank();
                let rule = self.look.rule("", Meaning::Border, self.width_left());
                self.emit(vec![rule]);
                self.blank();
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag) {
        match tag {
            Tag::Paragraph => self.blank_between(),
            Tag::Heading { .. } => {
                self.blank_between();
                self.styled(Meaning::Heading);
            }
            Tag::Strong => self.styled(Meaning::Strong),
            Tag::Emphasis => self.styled(Meaning::Emphasis),
            Tag::Strikethrough => {
                let style = self.style().add_modifier(Modifier::CROSSED_OUT);
                self.styles.push(style);
            }
            Tag::List(first) => {
                self.flush();
                if self.frames.is_empty() {
                    self.blank_between();
                }
                self.frames.push(Indent::List(*first));
            }
            Tag::Item => {
                self.flush();
                let mark = match self.frames.last_mut() {
                    Some(Indent::List(Some(number))) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => self.look.sign("• ", "- ").to_owned(),
                };
                self.frames.push(Indent::Item { width: mark.width(), mark: Some(mark) });
            }
            Tag::BlockQuote(_) => {
                self.blank_between();
                self.frames.push(Indent::Quote);
            }
            Tag::CodeBlock(_) => {
                self.flush();
                self.blank_between();
                self.code = true;
            }
            Tag::Table(_) => {
                self.flush();
                self.blank_between();
                self.table = Some(Vec::new());
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.push(Vec::new());
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.flush(),
            TagEnd::Heading(_) => {
                self.flush();
                self.styles.pop();
            }
            TagEnd::Strong | TagEnd::Emphasis | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::List(_) | TagEnd::Item | TagEnd::BlockQuote(_) => {
                self.flush();
                self.frames.pop();
            }
            TagEnd::CodeBlock => self.code = false,
            TagEnd::TableCell => {
                let runs = std::mem::take(&mut self.runs);
                if let Some(row) = self.table.as_mut().and_then(|table| table.last_mut()) {
                    row.push(runs);
                }
            }
            TagEnd::Table => {
                if let Some(rows) = self.table.take() {
                    let lines = table::lines(&rows, self.width_left(), self.look);
                    self.emit(lines);
                }
            }
            _ => {}
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn styled(&mut self, meaning: Meaning) {
        self.styles.push(self.style().patch(self.look.style(meaning)));
    }

    fn push(&mut self, text: &str, style: Style, whole: bool) {
        self.runs.push(Run { text: spelled(text, self.look).into_owned(), style, whole });
    }

    /// Returns the number of cells that the indentation leaves.
    fn width_left(&self) -> u16 {
        let used: usize = self
            .frames
            .iter()
            .take(MAX_DEPTH)
            .map(|frame| match frame {
                Indent::List(_) => 0,
                Indent::Item { width, .. } => *width,
                Indent::Quote => 2,
            })
            .sum();
        self.width.saturating_sub(used as u16).max(8)
    }

    fn flush(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        let lines = wrap(&runs, self.width_left());
        self.emit(lines);
    }

    /// Adds lines with their indentation. Only the first line of an item has its mark.
    fn emit(&mut self, lines: Vec<Line<'static>>) {
        for line in lines {
            let mut spans = Vec::new();
            for frame in self.frames.iter_mut().take(MAX_DEPTH) {
                match frame {
                    Indent::List(_) => {}
                    Indent::Item { mark, width } => spans.push(match mark.take() {
                        Some(mark) => Span::styled(mark, self.look.style(Meaning::Muted)),
                        None => Span::raw(" ".repeat(*width)),
                    }),
                    Indent::Quote => {
                        spans.push(Span::styled(
                            self.look.sign("│ ", "| ").to_owned(),
                            self.look.style(Meaning::Border),
                        ));
                    }
                }
            }
            spans.extend(line.spans);
            self.lines.push(Line::from(spans));
        }
    }

    fn code_lines(&mut self, text: &str) {
        let style = self.look.style(Meaning::Code);
        let (room, look) = (usize::from(self.width_left()), self.look);
        let rows = |line: &str| {
            wrap_code(&[Run::new(format!("  {}", spelled(line, look).replace('\t', "    ")), style)], room)
        };
        let lines = text.lines().flat_map(rows).collect();
        self.emit(lines);
    }

    fn blank(&mut self) {
        if self.lines.last().is_some_and(|line| line.width() > 0) {
            self.lines.push(Line::default());
        }
    }

    /// Adds a blank line before a block, except before an item's first block.
    fn blank_between(&mut self) {
        let at_mark = matches!(self.frames.last(), Some(Indent::Item { mark: Some(_), .. }));
        if !at_mark {
            self.flush();
            self.blank();
        }
    }
}

/// Returns the text of `markdown` on one line without its markup.
pub fn strip_markdown(markdown: &str) -> String {
    let mut text = String::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(part) | Event::Code(part) | Event::Html(part) | Event::InlineHtml(part) => text.push_str(&part),
            Event::End(TagEnd::Strong | TagEnd::Emphasis | TagEnd::Strikethrough | TagEnd::Link) => {}
            Event::SoftBreak | Event::HardBreak | Event::End(_) | Event::Rule => text.push(' '),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the first line of `markdown` for a list. Skips code blocks unless there is nothing else.
pub fn opening(markdown: &str, look: &Look) -> String {
    let mut code = false;
    let prose: Vec<&str> = (markdown.lines())
        .filter(|line| {
            let fence = line.trim_start().starts_with("```");
            code ^= fence;
            !code && !fence
        })
        .collect();
    let prose = prose.join("\n");
    let text = if prose.trim().is_empty() { markdown } else { &prose };
    // This is wider than any terminal; the caller truncates the line.
    render(text, 400, look).first().map(|line| line.to_string().trim().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(markdown: &str, width: u16) -> Vec<String> {
        let text = |line: &Line| line.to_string().trim_end().to_owned();
        crate::look::with_mono_look(|look| render(markdown, width, look).iter().map(text).collect())
    }

    #[test]
    fn a_question_opens_with_its_prose_not_with_its_code() {
        let opening = |markdown: &str| crate::look::with_mono_look(|look| opening(markdown, look));
        assert_eq!(opening("```\nfor y in 0..H\n```\nWhich loops\ncan run?"), "Which loops can run?");
        assert_eq!(opening("What is a **warp**?"), "What is a warp?");
        assert_eq!(opening("```\nx = 1\n```"), "x = 1");
        assert_eq!(opening(""), "");
    }

    #[test]
    fn plain_words_have_no_marks() {
        let text = "is **coalesced**.\n\n- in `words`, _not_ bytes\n\n| a | b |\n|---|---|\n| c | d |";
        assert_eq!(strip_markdown(text), "is coalesced. in words, not bytes a b c d");
    }

    #[test]
    fn blocks_are_separated_indented_and_wrapped() {
        let cases: [(&str, u16, &[&str]); 6] = [
            ("one\ntwo\n\nthree", 20, &["one two", "", "three"]),
            (
                "Two:\n\n1. first item is long\n2. second\n   - inner",
                14,
                &["Two:", "", "1. first item", "   is long", "2. second", "   • inner"],
            ),
            // The widest cell of a table wraps, and a wide character takes two cells.
            (
                "| kernel | wavefronts |\n|---|---|\n| tiled | one for each row |",
                20,
                &["kernel  wavefronts", "──────  ────────────", "tiled   one for each", "        row"],
            ),
            ("| 커널 | n |\n|---|---|\n| abcd | 1 |", 20, &["커널  n", "────  ─", "abcd  1"]),
            // Code keeps its lines, and HTML is only text.
            (
                "before\n```\nfor (;;)\n    x;\n```\n<b>after</b>",
                30,
                &["before", "", "  for (;;)", "      x;", "", "<b>after</b>"],
            ),
            ("```\nx = ceil_div(n, blockDim.x)\n```", 22, &["  x = ceil_div(n,", "      blockDim.x)"]),
        ];
        for (markdown, width, expected) in cases {
            assert_eq!(lines(markdown, width), expected);
        }
    }

    /// Texts of `bytes` bytes that are difficult for a Markdown parser or layout.
    fn stumbling_blocks(bytes: usize) -> Vec<String> {
        let units = ">¦> ¦1. ¦- ¦x¦<a>¦<a ¦_a ¦*a_ ¦**a ¦~~a ¦[a](¦[¦![¦](¦[a][¦&a;¦&amp;¦`¦``a` ¦<!--¦<![CDATA[¦<?\
            ¦a|¦\n-¦***a¦_a**b¦<a b='¦```\n¦> ```\n¦[](a \"¦a/¦가¦\u{301}¦\u{1f468}¦a \u{301}¦    x\n";
        let mut texts: Vec<String> = units.split('¦').map(|unit| unit.repeat(bytes / unit.len())).collect();
        let side = bytes.isqrt();
        texts.push(format!("{}\n", ">".repeat(side)).repeat(side));
        texts.push((0..side).map(|depth| format!("{}- a\n", " ".repeat(depth))).collect());
        let columns = bytes / 8;
        texts.push(format!("{}|\n{}|\n{}|\n", "|a".repeat(columns), "|-".repeat(columns), "|a".repeat(2 * columns)));
        texts.push(format!("{}|\n{}|\n{}", "|a".repeat(columns), "|-".repeat(columns), "|\n".repeat(2 * columns)));
        texts.push(format!("|a|b|\n|-|-|\n|{}|b|\n", "x".repeat(bytes)));
        texts.push(format!("```\n{}\n```\n", "ab ".repeat(bytes / 3)));
        texts.push((0..bytes / 20).map(|at| format!("[a{at}]: b\n")).chain(["[a1]".repeat(bytes / 8)]).collect());
        texts
    }

    #[test]
    fn the_layout_is_proportional_to_the_length_of_the_text() {
        const BYTES: usize = tutor_course::MAX_TEXT_BYTES;
        for text in stumbling_blocks(BYTES) {
            for width in [20, 72] {
                let lines = crate::look::with_mono_look(|look| render(&text, width, look));
                let drawn: usize = lines.iter().flat_map(|line| &line.spans).map(|span| 1 + span.content.len()).sum();
                assert!(drawn <= 40 * BYTES, "{drawn} of {:?}…", text.chars().take(20).collect::<String>());
            }
        }
    }

    #[test]
    fn in_ascii_the_signs_of_prose_are_spelled_and_letters_stay() {
        let row = |text: &str, width, at: usize| {
            crate::look::with_mono_look(|look| render(text, width, &Look { ascii: true, ..*look })[at].to_string())
        };
        let text = "“2\u{a0}×\u{202f}3” – a…b · n ≥ 4 ÷ 2² ≤ 9 → 책";
        assert_eq!(row(text, 60, 0), "\"2 x 3\" - a...b * n >= 4 / 2^2 <= 9 -> 책");
        assert_eq!(row("abcd 2\u{a0}×\u{a0}3", 8, 1), "2 x 3");
    }

    #[test]
    fn emphasis_and_code_have_the_styles_of_their_meaning() {
        crate::look::with_mono_look(|look| {
            let line = &render("a **b** `c`", 20, look)[0];
            let style = |text: &str| line.spans.iter().find(|span| span.content == text).map(|span| span.style);
            assert_eq!(style("b"), Some(look.style(Meaning::Text).patch(look.style(Meaning::Strong))));
            assert_eq!(style("c"), Some(look.style(Meaning::Text).patch(look.style(Meaning::InlineCode))));
        });
    }
}
