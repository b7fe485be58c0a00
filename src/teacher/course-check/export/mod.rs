/*! Exports a level's questions to other programs: all variants with their keys, and the reasons as feedback.

A remark names each question that a format cannot express completely. A question with parameters becomes several
questions, each with its own numbers.
*/

mod gift;
mod moodle;
mod posed;
mod qti;

use posed::{Posed, posed};
use tutor_course::Level;

/// Format of exported questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// Moodle's text format GIFT.
    Gift,
    /// Moodle XML.
    MoodleXml,
    /// IMS Question and Test Interoperability 2.1: a folder of items with a manifest.
    Qti,
}

/// The result of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// Names and texts of the files. A format with a single file has an empty name.
    pub files: Vec<(String, String)>,
    /// Number of questions.
    pub questions: usize,
    /// What the format cannot express, by question.
    pub remarks: Vec<String>,
}

/// Exports the questions of a level. Returns `None` if the level has no readable quiz.
pub fn export(course: &str, level: &Level, format: ExportFormat) -> Option<Exported> {
    let quiz = level.quiz()?;
    let mut remarks = Vec::new();
    let questions: Vec<Posed> = quiz
        .slots
        .iter()
        .flat_map(|slot| slot.variants.iter().map(move |variant| (slot, variant)))
        .flat_map(|(slot, variant)| posed(slot, variant, &mut remarks))
        .collect();
    let of = (course, level);
    let files = match format {
        ExportFormat::Gift => vec![(String::new(), gift::write(of, &questions, &mut remarks))],
        ExportFormat::MoodleXml => vec![(String::new(), moodle::write(of, &questions, &mut remarks))],
        ExportFormat::Qti => qti::write(of, &questions, &mut remarks),
    };
    Some(Exported { files, questions: questions.len(), remarks })
}

/// Escapes text for XML content and attributes, and for HTML. Control characters were removed when the text was read.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// Converts Markdown to HTML that is also well-formed XML.
fn to_html(markdown: &str) -> String {
    let known = pulldown_cmark::Options::ENABLE_TABLES | pulldown_cmark::Options::ENABLE_STRIKETHROUGH;
    let mut out = String::new();
    let mut inline = 0;
    // HTML in the Markdown is escaped. Only this function writes tags.
    for event in pulldown_cmark::Parser::new_ext(markdown, known) {
        use pulldown_cmark::{Event, Tag, TagEnd};
        match event {
            Event::Start(Tag::Paragraph) => out.push_str("<p>"),
            Event::End(TagEnd::Paragraph) => out.push_str("</p>"),
            Event::Start(Tag::CodeBlock(_)) => out.push_str("<pre>"),
            Event::End(TagEnd::CodeBlock) => out.push_str("</pre>"),
            Event::Start(Tag::Emphasis) => out.push_str("<em>"),
            Event::End(TagEnd::Emphasis) => out.push_str("</em>"),
            Event::Start(Tag::Strong) => out.push_str("<strong>"),
            Event::End(TagEnd::Strong) => out.push_str("</strong>"),
            Event::Start(Tag::List(_)) => out.push_str("<ul>"),
            Event::End(TagEnd::List(_)) => out.push_str("</ul>"),
            Event::Start(Tag::Item) => out.push_str("<li>"),
            Event::End(TagEnd::Item) => out.push_str("</li>"),
            Event::Start(Tag::Table(_)) => out.push_str("<table><tbody>"),
            Event::End(TagEnd::Table) => out.push_str("</tbody></table>"),
            Event::Start(Tag::TableHead | Tag::TableRow) => out.push_str("<tr>"),
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => out.push_str("</tr>"),
            Event::Start(Tag::TableCell) => out.push_str("<td>"),
            Event::End(TagEnd::TableCell) => out.push_str("</td>"),
            Event::Code(code) => out.push_str(&format!("<code>{}</code>", escaped(&code))),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                inline += 1;
                out.push_str(&escaped(&text));
            }
            Event::SoftBreak => out.push(' '),
            Event::HardBreak => out.push_str("<br/>"),
            _ => {}
        }
    }
    if inline == 0 && out.is_empty() { escaped(markdown) } else { out }
}

/// Converts Markdown of one line, without a paragraph around it.
fn to_line(markdown: &str) -> String {
    let html = to_html(markdown);
    let bare = html.strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>"));
    match bare {
        Some(bare) if !bare.contains("<p>") => bare.to_owned(),
        _ => html,
    }
}

/// Formats a number for programs.
fn number(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 { format!("{value:.0}") } else { format!("{value}") }
}

#[cfg(test)]
mod tests;
