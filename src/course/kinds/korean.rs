/*! Answers typed in Korean. A noun may have a particle. Spaces are optional, because writers disagree about them. Numbers may have
counters and myriads.

Texts without a Korean letter are unaffected, so other languages work as before.
*/

use super::normal::normal;

pub(super) const CODE: &str = "ko";

/// The end of the word that a particle or an ending may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
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

/// Particles and endings that may follow a noun without changing its meaning.
const PARTICLES: [(After, &[&str]); 5] = [
    (Final, &["을", "이", "은", "과", "이나", "이랑", "이에요", "이예요", "이요", "이야"]),
    (Open, &["를", "가", "는", "와", "나", "랑", "다", "예요", "에요", "요", "야"]),
    (
        Any,
        &[
            "의",
            "에",
            "에서",
            "에게",
            "까지",
            "부터",
            "만",
            "도",
            "때문",
            "때문에",
            "이다",
            "입니다",
            "임",
            "라고합니다",
        ],
    ),
    (OpenOrL, &["로"]),
    (FinalNotL, &["으로"]),
];

/// Counters: words that follow a number of things.
const COUNTERS: [&str; 18] = [
    "개", "번", "회", "배", "가지", "줄", "칸", "쌍", "단계", "장", "곳", "차례", "종류", "묶음", "명", "대", "군데",
    "조각",
];

/// True if a text contains a Korean letter.
fn is_korean(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}'))
}

/// Removes words before a number: `약` (about), and the name of the counted things as in `웨이브프론트는 8개`.
pub(super) fn without_beginning<'t>(text: &'t str, unit: Option<&str>) -> &'t str {
    let number = text.strip_prefix('약').map_or(text, str::trim_start);
    let Some(unit) = unit.map(str::trim).filter(|unit| is_korean(unit)) else { return number };
    let after = number.strip_prefix(unit).map(|rest| rest.trim_start_matches(['은', '는', '이', '가', ':', '=', ' ']));
    after.map_or(number, |after| after.strip_prefix('약').map_or(after, str::trim_start))
}

pub(super) fn is_counter(unit: &str) -> bool {
    COUNTERS.contains(&unit)
}

/// Returns the text without its particles and endings, in every possible way.
pub(super) fn without_endings(text: &str) -> Vec<String> {
    let mut left = Vec::new();
    let mut rest = vec![text.trim_end_matches(['.', '!', '?', ' ']).to_owned()];
    // A word has at most two, as in `에서는` and `까지입니다`.
    for _ in 0..2 {
        let particles = || PARTICLES.iter().flat_map(|(after, particles)| particles.iter().map(|of| (*of, *after)));
        rest = rest.iter().flat_map(|text| particles().filter_map(|(of, after)| without(text, of, after))).collect();
        left.extend(rest.iter().cloned());
    }
    if text.ends_with(['.', '!', '?']) {
        left.insert(0, text.trim_end_matches(['.', '!', '?', ' ']).to_owned());
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

const RIEUL: u32 = 8;

/// Returns the number of a syllable's final consonant, or 0 if it has none. `None` if the character is not a Korean
/// syllable.
fn last_consonant(c: char) -> Option<u32> {
    matches!(c, '\u{ac00}'..='\u{d7a3}').then(|| (u32::from(c) - 0xac00) % 28)
}

/// True if a typed answer is the known one. In Korean, particles and spaces are optional. The answer may also be in
/// both languages, one of them in brackets.
pub(super) fn same(typed: &str, known: &str) -> bool {
    let (typed, known) = (normal(typed), normal(known));
    if typed == known {
        return true;
    }
    if !is_korean(&typed) {
        return false;
    }
    let known = squeezed(&known);
    let is_known = |text: &str| {
        let candidates = std::iter::once(text.to_owned()).chain(without_endings(text));
        candidates.into_iter().any(|text| !text.trim().is_empty() && squeezed(&normal(&text)) == known)
    };
    if is_known(&typed) {
        return true;
    }
    // In `병합(coalescing)을`, the brackets repeat the term in the other language.
    let Some((before, inside)) = typed.split_once('(') else { return false };
    let (inside, after) = inside.split_once(')').unwrap_or((inside, ""));
    let term = is_korean(before) && !is_korean(inside) && !inside.trim().is_empty();
    term && (is_known(&format!("{before}{after}")) || is_known(inside))
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// A number with several Korean magnitude signs: `1억 3천4백만`.
#[derive(Debug, Default)]
pub(super) struct Sum {
    /// The sum up to the last 만, 억 or 조.
    total: f64,
    /// The sum after that sign.
    section: f64,
    /// The last sign below 만 in this section. `large` is the last sign from 만 on.
    small: Option<f64>,
    large: Option<f64>,
}

const SMALL: [(char, f64); 3] = [('천', 1e3), ('백', 1e2), ('십', 1e1)];
const LARGE: [(char, f64); 3] = [('조', 1e12), ('억', 1e8), ('만', 1e4)];

impl Sum {
    /// True if a sign has occurred.
    pub(super) fn begun(&self) -> bool {
        self.small.is_some() || self.large.is_some()
    }

    /// Adds a number with the signs after it. Returns the text after the signs, or `None` if no fitting sign follows.
    pub(super) fn take<'a>(&mut self, number: f64, rest: &'a str) -> Option<&'a str> {
        let mut after = rest.trim_start();
        let sign = |text: &str, signs: &[(char, f64)]| {
            let first = text.chars().next()?;
            signs.iter().find(|(sign, _)| *sign == first).map(|(_, value)| *value)
        };
        let small = sign(after, &SMALL);
        if let Some(value) = small {
            if self.small.is_some_and(|last| value >= last) {
                return None;
            }
            self.section += number * value;
            self.small = Some(value);
            after = after[3..].trim_start();
        }
        if let Some(value) = sign(after, &LARGE) {
            let number = if small.is_some() { 0.0 } else { number };
            let fits = self.small.is_none_or(|last| number < last) && self.large.is_none_or(|last| value < last);
            if !fits {
                return None;
            }
            self.total += (self.section + number) * value;
            (self.section, self.small, self.large) = (0.0, None, Some(value));
            return Some(&after[3..]);
        }
        small.map(|_| after)
    }

    /// Returns the sum with a last part that has no sign. `None` if that part does not fit after the last sign, or if
    /// `rest` begins with a sign.
    pub(super) fn end(&self, number: f64, rest: &str) -> Option<f64> {
        let last = self.small.or(self.large)?;
        let signed = SMALL.iter().chain(&LARGE).any(|(sign, _)| rest.trim_start().starts_with(*sign));
        (number < last && !signed).then(|| self.total() + number)
    }

    /// Returns the sum.
    pub(super) fn total(&self) -> f64 {
        self.total + self.section
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_particle_spaces_and_the_other_language_do_not_make_an_answer_wrong() {
        for (known, typed) in [
            (
                "병합",
                &[
                    "병합",
                    "병합을",
                    "병합이",
                    "병합은",
                    "병합의",
                    "병합입니다.",
                    "병합 입니다",
                    "병합이에요",
                    "병합으로",
                    "병합(coalescing)",
                    "\u{1107}\u{1167}\u{11bc}\u{1112}\u{1161}\u{11b8}을",
                ][..],
            ),
            ("타일", &["타일로", "타일이다"]),
            ("메모리", &["메모리다"]),
            ("공유 메모리", &["메모리에서는", "공유메모리", "공유 메모리에서", "공유메모리에서는", "공유 메모리를"]),
            ("공유메모리", &["공유 메모리"]),
            ("뱅크 충돌", &["뱅크충돌 때문에", "뱅크 충돌 때문입니다"]),
            ("배리어", &["배리어와"]),
            ("coalescing", &["coalescing입니다", "Coalescing을", "병합(coalescing)을", "병합 (coalescing)"]),
            ("write after read", &["write after read입니다"]),
            ("WAR", &["WAR이다"]),
            ("__syncthreads()", &["`__syncthreads()`를", "__syncthreads를"]),
            ("32", &["32로"]),
            ("레인 31", &["레인 31까지"]),
        ] {
            for typed in typed {
                // Half of the term is a different term.
                let expected = *typed != "메모리에서는";
                assert_eq!(same(typed, known), expected, "{typed} for {known}");
            }
        }
    }

    #[test]
    fn another_answer_stays_another() {
        for (typed, known) in [
            ("경로", "경"),
            ("", "병합"),
            ("을", "병합"),
            ("을", ""),
            ("병합 접근", "병합"),
            ("비병합", "병합"),
            ("타일를을이", "타일"),
            ("레지스터", "레지스터 블로킹"),
            ("스레드 블록", "스레드"),
            ("a b", "ab"),
            ("broadcasts", "broadcast"),
            ("병합이 아니다", "병합"),
            ("외적", "내적"),
            ("쓰기 후 읽기", "읽기 후 쓰기"),
            ("(병합)", "coalescing"),
            ("내적(병합)", "병합"),
        ] {
            assert!(!same(typed, known), "{typed} for {known}");
        }
    }

    #[test]
    fn endings_are_taken_off_from_behind_and_two_at_most() {
        assert!(without_endings("개입니다.").contains(&"개".to_owned()));
        assert!(without_endings("블록에서는").contains(&"블록".to_owned()));
        assert!(!without_endings("블록까지에서는").contains(&"블록".to_owned()));
        assert_eq!(without_endings("bytes"), [] as [&str; 0]);
        assert!(is_counter("개") && !is_counter("바이트") && !is_counter(""));
    }
}
