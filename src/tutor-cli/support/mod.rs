//! Code that the subcommands share: general options, exit codes, standard output, and a worker for a command.

pub(super) mod ansi;
pub(super) mod bounds;
pub(super) mod costs;
pub(super) mod estimating;
pub(super) mod excel;
mod globals;
pub(super) mod help;
pub(super) mod language;
pub(super) mod limits;
pub(super) mod locale;
pub(super) mod output;
pub(super) mod product;
pub(super) mod progress;
pub(super) mod session;

pub(super) use globals::list_what_is_used;
pub use globals::{Exit, Globals};
pub use language::Lang;
pub(super) use tutor_support::text::read as read_text;

/// Quotes a word for a shell, if that is necessary.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_word_reaches_the_program_as_it_is() {
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("--seed=7"), "--seed=7");
    }
}
