//! Measures the length of a text.

use pulldown_cmark::{Event, Options, Parser, Tag};

/// Counts the words of the prose in a text, without code blocks and tables.
pub(super) fn words(text: &str) -> usize {
    use pulldown_cmark::TagEnd;
    let mut skipped = 0u32;
    let mut words = 0;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::Table(_)) => skipped += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Table) => skipped = skipped.saturating_sub(1),
            Event::Text(text) | Event::Code(text) if skipped == 0 => {
                // A sign between two numbers is not a word.
                words += text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
            }
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
        assert_eq!(words("One two **three** `four`.\n\n```\na b c\n```\n\n| a | b |\n|---|---|\n| c | d |\n"), 4);
    }
}
