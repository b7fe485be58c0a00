/*! Korean grammar that typed answers need. A noun may have particles and endings (`워프에서는`, `워프입니다`), and a verb has a polite and
a plain style. Spaces are optional, because writers disagree about them.

Texts without a Korean letter are unaffected, so other languages work as before.
*/

pub(super) const CODE: &str = "ko";

/// The end of the word that a particle or an ending may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    Any,
    /// A syllable with a final consonant.
    Final,
    /// A syllable without a final consonant.
    Open,
    /// A syllable without a final consonant, or with ㄹ.
    OpenOrL,
    /// A syllable with a final consonant other than ㄹ.
    FinalNotL,
}

use After::{Any, Final, FinalNotL, Open, OpenOrL};

/// Particles and endings that may follow a noun without changing its meaning, with `|` between them.
pub(super) const PARTICLES: [(After, &str); 5] = [
    (Final, "을|이|은|과|이나|이랑"),
    (Open, "를|가|는|와|나|랑|다|예요|에요|요|야|죠|지요|라고요"),
    (
        Any,
        "의|에|에서|에게|까지|부터|만|도|때문|때문에|이다|입니다|임|이에요|이예요|이요|이야|이죠|이지요|이라고요|인 것 같습니다|인 것 같아요|들|한다|하다|함|\
         하기|하였다|된다|됨|되었다|되었음|시킨다|시키다|시킴|시키기",
    ),
    (OpenOrL, "로"),
    (FinalNotL, "으로"),
];

/// True if a text contains a Korean letter.
pub(super) fn is_korean(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}'))
}

/// Removes white space and the marks that end a sentence.
pub(super) fn without_stop(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '!', '?', ' '])
}

/// Returns the text without its particles and endings, in every possible way.
pub(super) fn without_endings(text: &str) -> Vec<String> {
    let mut left = Vec::new();
    let mut rest = vec![without_stop(text).to_owned()];
    // A word has at most two, as in `에서는` and `까지입니다`.
    for _ in 0..2 {
        let particles = || PARTICLES.iter().flat_map(|(after, all)| all.split('|').map(|of| (of, *after)));
        rest = rest.iter().flat_map(|text| particles().filter_map(|(of, after)| without(text, of, after))).collect();
        left.extend(rest.iter().cloned());
    }
    if text.ends_with(['.', '!', '?']) {
        left.insert(0, without_stop(text).to_owned());
    }
    left
}

fn without(text: &str, particle: &str, after: After) -> Option<String> {
    let stem = text.strip_suffix(particle)?.trim_end();
    let fits = match stem.chars().next_back().and_then(last_consonant) {
        // A particle may follow any word that does not end in a Korean syllable: its pronunciation is unknown, or it is
        // a quotation.
        None => true,
        Some(consonant) => match after {
            Any => true,
            Final => consonant != 0,
            Open => consonant == 0,
            OpenOrL => matches!(consonant, 0 | RIEUL),
            FinalNotL => !matches!(consonant, 0 | RIEUL),
        },
    };
    fits.then(|| stem.to_owned())
}

const NIEUN: u32 = 4;
const RIEUL: u32 = 8;
const BIEUP: u32 = 17;

/// Returns the number of a syllable's final consonant, or 0 if it has none. `None` if the character is not a Korean
/// syllable.
fn last_consonant(c: char) -> Option<u32> {
    syllable(c).map(|number| number % 28)
}

/// Returns the number of a syllable in Unicode's order: (initial · 21 + vowel) · 28 + final consonant (The Unicode
/// Standard, section 3.12).
fn syllable(c: char) -> Option<u32> {
    matches!(c, '\u{ac00}'..='\u{d7a3}').then(|| u32::from(c) - 0xac00)
}

/// Returns a sentence with its last verb in the plain style: `스필되었다` for `스필됐습니다`.
pub(super) fn in_plain_style(text: &str) -> String {
    let text = text.replace('됐', "되었").replace('했', "하였");
    let endings = [
        ("습니다", "다"),
        ("었어요", "었다"),
        ("았어요", "았다"),
        ("었음", "었다"),
        ("해요", "한다"),
        ("돼요", "된다"),
    ];
    let plain =
        endings.iter().find_map(|(polite, plain)| text.strip_suffix(polite).map(|stem| format!("{stem}{plain}")));
    plain.or_else(|| present(&text)).unwrap_or(text)
}

/// Turns a polite ending in the present tense into the plain one: `버립니다` into `버린다`.
fn present(text: &str) -> Option<String> {
    let stem = text.strip_suffix("니다")?;
    let last = stem.chars().next_back().filter(|last| last_consonant(*last) == Some(BIEUP))?;
    let plain = char::from_u32(u32::from(last) - BIEUP + NIEUN)?;
    Some(format!("{}{plain}다", &stem[..stem.len() - last.len_utf8()]))
}

/// Returns a character such that spellings of a foreign word with the same sound become equal: `젼` and `전`, `새` and `세`.
///
/// After ㅈ, ㅉ and ㅊ, a vowel with a glide sounds as without it, and correct spelling leaves the glide out (National
/// Institute of Korean Language, 외래어 표기법, chapter 3, section 1, item 4). Most speakers do not distinguish ㅐ and ㅔ.
pub(super) fn by_sound(c: char) -> char {
    let Some(number) = syllable(c) else { return c };
    let (initial, vowel, last) = (number / 588, number / 28 % 21, number % 28);
    // The vowels ㅑ ㅒ ㅕ ㅖ ㅛ ㅠ have the numbers 2, 3, 6, 7, 12, 17.
    let vowel = match (initial, vowel) {
        (12..=14, 2) => 0,
        (12..=14, 3 | 7) => 5,
        (12..=14, 6) => 4,
        (12..=14, 12) => 8,
        (12..=14, 17) => 13,
        (_, 1) => 5,
        (_, vowel) => vowel,
    };
    char::from_u32(0xac00 + initial * 588 + vowel * 28 + last).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_taken_off_from_behind_and_two_at_most() {
        assert!(without_endings("개입니다.").contains(&"개".to_owned()));
        assert!(without_endings("블록에서는").contains(&"블록".to_owned()));
        assert!(!without_endings("블록까지에서는").contains(&"블록".to_owned()));
        assert_eq!(without_endings("bytes"), [] as [&str; 0]);
    }
}
