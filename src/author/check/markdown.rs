//! Markdown that the tutor does not show as meant.

use super::lint::{Lint, Path};
use pulldown_cmark::{Event, Options, Parser, Tag};

/// Reports what the renderer would show as plain text or drop. Only once for a text.
pub(super) fn check(lint: &mut Lint<'_>, text: &str, path: &Path<'_>) {
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        let (what, help) = match event {
            Event::Html(html) | Event::InlineHtml(html) => {
                (format!("HTML (`{}`)", html.trim()), "In code, put it between backticks.")
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                (format!("a link (`{dest_url}`)"), "A terminal has no links: name the source in words.")
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                (format!("an image (`{dest_url}`)"), "Use `show` for the one picture of a page.")
            }
            _ => continue,
        };
        let message = format!("The text holds {what}, which is not shown as such.");
        return lint.tell("markdown", path, message, help);
    }
}

/// Words of the prose of a text; code blocks and tables are looked at, not read.
pub(super) fn words(text: &str) -> usize {
    use pulldown_cmark::TagEnd;
    let mut skipped = 0u32;
    let mut words = 0;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::Table(_)) => skipped += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Table) => skipped = skipped.saturating_sub(1),
            Event::Text(text) | Event::Code(text) if skipped == 0 => words += text.split_whitespace().count(),
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn code_and_tables_do_not_count_as_words() {
        assert_eq!(words("One two **three** `four`.\n\n```\na b c\n```\n\n| a | b |\n|---|---|\n| c | d |\n"), 5);
    }
}
