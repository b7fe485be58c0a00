/*! Answers typed in Korean. A noun may have a particle or be part of a short sentence (`워프라고 합니다`). Spaces are optional, because
writers disagree about them. Numbers may have counters and myriads, and may be written in words (`육백삼십`).

Texts without a Korean letter are unaffected, so other languages work as before.
*/

use super::korean_number::in_words;
use super::normal::normal;

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
         하기|된다|됨",
    ),
    (OpenOrL, "로"),
    (FinalNotL, "으로"),
];

/// Counters: words that follow a number of things.
const COUNTERS: [&str; 21] = [
    "개", "번", "회", "배", "가지", "줄", "칸", "쌍", "단계", "장", "곳", "차례", "종류", "묶음", "명", "대", "군데",
    "조각", "번째", "행", "열",
];

/// Things that a course counts. Where the unit is a counter, they may stand before the number or in place of the counter.
const COUNTED: &str = "블록|스레드|워프|레인|타일|섹터|뱅크|요청|명령|명령어|레지스터|라인|원소|\
                       웨이브프론트|워드|스테이지|그룹|프래그먼트|곱|곱셈";

/// Verbs of a sentence around a number: `630개가 필요합니다`.
const VERBS: &str = "필요합니다|필요하다|필요해요|듭니다|든다|됩니다|된다|돼요|나옵니다|나온다|있습니다|있다";

/// Words around a number that make it approximate or announce it.
const ABOUT_BEFORE: [&str; 8] = ["정답은", "답은", "정답:", "답:", "약", "대략", "거의", "모두"];
const ABOUT_AFTER: [&str; 3] = ["쯤", "정도", "가량"];

/// Verbs of `워프라고 합니다` and the like, without their `라고`.
const CALLED: [&str; 12] =
    ["합니다", "한다", "해요", "하죠", "함", "부릅니다", "부른다", "불러요", "부름", "말합니다", "말한다", "말해요"];

/// Words before the noun of an answer.
const LEADS: [&str; 6] = ["정답은 ", "답은 ", "정답: ", "답: ", "그것은 ", "그건 "];

/// One of something: `한 워프`, `워프 하나`.
const ONE_BEFORE: [&str; 3] = ["하나의 ", "한 개의 ", "한 "];
const ONE_AFTER: [&str; 2] = [" 하나", " 한 개"];

/// True if a text contains a Korean letter.
fn is_korean(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}'))
}

/// Removes words before a number: `약` (about), and the name of the counted things as in `웨이브프론트는 8개`.
pub(super) fn without_beginning<'t>(text: &'t str, unit: Option<&str>) -> &'t str {
    let about =
        |text: &'t str| ABOUT_BEFORE.iter().find_map(|about| text.strip_prefix(about)).map_or(text, str::trim_start);
    let text = about(text);
    let Some(unit) = unit.map(str::trim).filter(|unit| is_korean(unit)) else { return text };
    let things = COUNTED.split('|').filter(|_| is_counter(unit));
    let after = std::iter::once(unit).chain(things).filter_map(|thing| text.strip_prefix(thing));
    let number = after
        .map(|rest| rest.strip_prefix(['은', '는', '이', '가']).unwrap_or(rest).trim_start_matches([':', '=', ' ']));
    number
        .map(about)
        .find(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) || in_words(rest).is_some())
        .unwrap_or(text)
}

/// Returns what follows a number without verb and vagueness: `개` for `개 정도가 필요합니다`.
pub(super) fn without_verb(text: &str) -> &str {
    let text = text.trim_end_matches(['.', '!', ' ']);
    let Some(text) = VERBS.split('|').find_map(|verb| text.strip_suffix(verb)) else { return without_about(text) };
    let text = text.trim_end();
    without_about(text.strip_suffix(['이', '가']).unwrap_or(text))
}

fn without_about(text: &str) -> &str {
    let endings = ["입니다", "이다", "예요", "이에요", ""];
    let about = endings
        .iter()
        .filter_map(|ending| text.strip_suffix(ending))
        .find_map(|text| ABOUT_AFTER.iter().find_map(|about| text.strip_suffix(about)));
    about.map_or(text, str::trim_end)
}

/// True if the unit names things that the counter `asked` can count: `블록`, or `개의 블록`.
pub(super) fn counts(unit: &str, asked: &str) -> bool {
    let thing = unit.strip_prefix(asked).and_then(|rest| rest.strip_prefix('의')).unwrap_or(unit);
    is_counter(asked) && COUNTED.split('|').any(|counted| counted == thing.trim())
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
        let particles = || PARTICLES.iter().flat_map(|(after, all)| all.split('|').map(|of| (of, *after)));
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

const NIEUN: u32 = 4;
const RIEUL: u32 = 8;
const BIEUP: u32 = 17;

/// Returns the number of a syllable's final consonant, or 0 if it has none. `None` if the character is not a Korean
/// syllable.
fn last_consonant(c: char) -> Option<u32> {
    matches!(c, '\u{ac00}'..='\u{d7a3}').then(|| (u32::from(c) - 0xac00) % 28)
}

/// True if a typed answer equals the known one. In Korean, particles and spaces are optional, and the answer may be a
/// short sentence with the name. It may also be in both languages, one of them in brackets.
pub(super) fn same(typed: &str, known: &str) -> bool {
    let (typed, known) = (normal(typed), normal(known));
    if typed == known {
        return true;
    }
    let key = key(&known);
    let is_known = |text: &str| {
        let text = text.trim();
        [text, without_lead(text)].contains(&known.as_str())
            || is_korean(text)
                && forms(text).iter().any(|form| !form.trim().is_empty() && self::key(&normal(form)) == key)
    };
    if is_known(&typed) {
        return true;
    }
    // In `병합(coalescing)을`, the brackets repeat the term in the other language.
    bracketed(&typed).is_some_and(|(outside, inside)| {
        is_korean(&outside) != is_korean(&inside) && (is_known(&outside) || is_known(&inside))
    })
}

/// Returns the two parts of `워프(warp)라고 합니다`: `워프라고 합니다` and `warp`. None of them is empty.
pub(super) fn bracketed(typed: &str) -> Option<(String, String)> {
    let (before, inside) = typed.split_once('(')?;
    let (inside, after) = inside.split_once(')').unwrap_or((inside, ""));
    let (before, inside) = (before.trim(), inside.trim());
    (!before.is_empty() && !inside.is_empty()).then(|| (format!("{before}{after}"), inside.to_owned()))
}

/// Returns the noun of `It is called a warp`.
fn without_lead(text: &str) -> &str {
    let leads =
        ["it is called ", "it's called ", "this is called ", "they are called ", "it is ", "it's ", "they are "];
    let text = leads.iter().find_map(|lead| text.strip_prefix(lead)).unwrap_or(text);
    ["a ", "an ", "the "].iter().find_map(|article| text.strip_prefix(article)).unwrap_or(text)
}

/// Returns the texts that the typed one may be a form of.
fn forms(typed: &str) -> Vec<String> {
    let typed = LEADS.iter().find_map(|lead| typed.strip_prefix(lead)).unwrap_or(typed);
    let mut forms = vec![typed.to_owned()];
    forms.extend(without_quotation(typed));
    let one = |text: &String| {
        let after = ONE_BEFORE.iter().find_map(|one| text.strip_prefix(one));
        after.or_else(|| ONE_AFTER.iter().find_map(|one| text.strip_suffix(one))).map(str::to_owned)
    };
    let inflected: Vec<String> = forms.iter().flat_map(|form| without_endings(form)).collect();
    forms.extend(inflected);
    let single: Vec<String> = forms.iter().filter_map(one).collect();
    forms.extend(single);
    forms
}

/// Returns the noun of `워프라고 합니다` or `패리티를 말한다`.
fn without_quotation(typed: &str) -> Option<String> {
    let typed = typed.trim_end_matches(['.', '!', '?', ' ']);
    let quoted = CALLED.iter().filter_map(|verb| typed.strip_suffix(verb)).map(str::trim_end);
    let particles = ["이라고", "라고", "이라", "라", "을", "를"];
    let noun =
        quoted.flat_map(|quoted| particles.iter().filter_map(move |particle| quoted.strip_suffix(particle))).next()?;
    (!noun.trim().is_empty()).then(|| noun.trim_end().to_owned())
}

/// Returns the form in which Korean texts are compared: without spaces and without the particle `의` between words, in
/// the plain style.
fn key(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let last = words.len().saturating_sub(1);
    let joined: String = words
        .iter()
        .enumerate()
        .map(|(at, word)| word.strip_suffix('의').filter(|noun| at < last && !noun.is_empty()).unwrap_or(word))
        .collect();
    let joined = joined.replace('됐', "되었").replace('했', "하였");
    let past = [("었습니다", "었다"), ("였습니다", "였다"), ("었어요", "었다"), ("었음", "었다")];
    let plain =
        past.iter().find_map(|(polite, plain)| joined.strip_suffix(polite).map(|stem| format!("{stem}{plain}")));
    plain.or_else(|| in_plain_style(&joined)).unwrap_or(joined)
}

/// Turns the polite ending of a verb into the plain one: `버립니다` into `버린다`.
fn in_plain_style(text: &str) -> Option<String> {
    let stem = text.strip_suffix("니다")?;
    let last = stem.chars().next_back().filter(|last| last_consonant(*last) == Some(BIEUP))?;
    let plain = char::from_u32(u32::from(last) - BIEUP + NIEUN)?;
    Some(format!("{}{plain}다", &stem[..stem.len() - last.len_utf8()]))
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
        assert!(is_counter("개") && !is_counter("바이트") && !is_counter(""));
    }
}
