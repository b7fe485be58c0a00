//! Names of students, folders and files, compared as people see them.

use crate::text::is_forbidden;
use unicode_normalization::UnicodeNormalization as _;

/// Returns a name without differences that nobody sees: in its compatibility form (Unicode, NFKC, which composes what a Mac
/// decomposes), without characters that show nothing, and with single blanks.
pub fn visible(name: &str) -> String {
    // A character that is only white space is still a blank.
    let shown = |c: &char| c.is_whitespace() || !is_forbidden(*c) && !is_ignorable(*c);
    let shown: String = name.chars().filter(shown).nfkc().collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the form of a name in which two names are the same if they differ only in case or in what nobody sees.
pub fn folded(name: &str) -> String {
    visible(name).to_lowercase()
}

/// True for the characters with the property `Default_Ignorable_Code_Point` that [`is_forbidden`] does not name, and for
/// the empty Braille pattern.
fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
    )
}

/// True if a name has letters of several alphabets that look alike: Latin, Greek, Cyrillic, Armenian, Cherokee.
pub fn mixes_alphabets(name: &str) -> bool {
    let alphabet = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Some("Latin"),
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Some("Greek"),
        '\u{400}'..='\u{52f}' => Some("Cyrillic"),
        '\u{531}'..='\u{587}' => Some("Armenian"),
        '\u{13a0}'..='\u{13fd}' => Some("Cherokee"),
        _ => None,
    };
    let mut found = name.chars().filter_map(alphabet);
    let first = found.next();
    found.any(|other| Some(other) != first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_makes_no_other_name() {
        for name in [
            "Zoë\u{fe0f} Lovelace",
            "Zo\u{34f}ë Lovelace",
            "Zoe\u{34f}\u{308} Lovelace",
            "Zoë\u{a0}Lovelace",
            "Zoë\tLovelace\r\n",
            "Zoë  Lovelace\u{3164}",
            "Zoë \u{200b}Lovelace",
            "Ｚoë Lovelace",
        ] {
            assert_eq!(visible(name), "Zoë Lovelace", "{name:?}");
        }
        assert_ne!(visible("Zoé Lovelace"), visible("Zoë Lovelace"));
        assert_eq!(visible("\u{1100}\u{1175}\u{11b7}\u{1106}\u{1175}\u{11ab}\u{1109}\u{116e}"), "김민수");
        assert_eq!(folded("ŁUKASZ Żak"), folded("łukasz Z\u{307}ak"));
    }

    #[test]
    fn mixed_alphabets_are_found() {
        assert!(mixes_alphabets("Ad\u{430} Lovelace") && mixes_alphabets("\u{391}da"));
        for name in ["Zoë Lovelace", "Ада Лавлейс", "김민수 (Kim)", "Ζωή"] {
            assert!(!mixes_alphabets(name), "{name}");
        }
    }
}
