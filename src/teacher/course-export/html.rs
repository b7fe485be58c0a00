//! Markdown as HTML that is also well-formed XML.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use tutor_support::xml::{element, escaped};

pub(super) fn to_html(markdown: &str) -> String {
    let known = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut out = String::new();
    let mut inline = 0;
    // HTML in the Markdown is escaped. Only this function writes tags.
    for event in Parser::new_ext(markdown, known) {
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
            Event::Code(code) => out.push_str(&element("code", &[], &escaped(&code))),
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

/// Returns a text for Moodle and the name of its format. It is Markdown, or HTML if it contains something like `sum<float>`: Moodle
/// would take that for a tag and remove it.
pub(super) fn for_moodle(markdown: &str) -> (&'static str, String) {
    let markdown = markdown.trim();
    let tag = |event| matches!(event, Event::Html(_) | Event::InlineHtml(_));
    match Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH).any(tag) {
        true => ("html", to_line(markdown)),
        false => ("markdown", markdown.to_owned()),
    }
}

/// Converts Markdown of one line, without a paragraph around it.
pub(super) fn to_line(markdown: &str) -> String {
    let html = to_html(markdown);
    let bare = html.strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>"));
    match bare {
        Some(bare) if !bare.contains("<p>") => bare.to_owned(),
        _ => html,
    }
}
