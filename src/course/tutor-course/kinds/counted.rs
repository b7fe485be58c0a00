/*! Words around a number: what is counted (`72개의 SM`, `lane 25`), a Korean counter (`630개`), and the rest of a sentence
(`약 2배 빠릅니다`).
*/

use super::korean::without_stop;
use super::korean_number::in_words;
use super::unit::{is_measured, plain};

/// Counters: words that follow a number of things. The first seven count things of any kind.
const COUNTERS: [&str; 21] = [
    "번째", "개", "번", "회", "가지", "차례", "종류", "배", "줄", "칸", "쌍", "단계", "장", "곳", "묶음", "명", "대",
    "군데", "조각", "행", "열",
];
const GENERAL: &[&str] = COUNTERS.split_at(7).0;

/// Things that a course counts, in Korean and in English. They may stand before the number, after it or after the counter.
const THINGS: [(&str, &str); 27] = [
    ("블록", "block"),
    ("스레드", "thread"),
    ("워프", "warp"),
    ("레인", "lane"),
    ("타일", "tile"),
    ("섹터", "sector"),
    ("뱅크", "bank"),
    ("요청", "request"),
    ("명령", "instruction"),
    ("명령어", "instruction"),
    ("레지스터", "register"),
    ("라인", "line"),
    ("원소", "element"),
    ("웨이브프론트", "wavefront"),
    ("워드", "word"),
    ("스테이지", "stage"),
    ("그룹", "group"),
    ("프래그먼트", "fragment"),
    ("곱", "product"),
    ("곱셈", "product"),
    ("웨이브", "wave"),
    ("행", "row"),
    ("열", "column"),
    ("스케일", "scale"),
    ("패리티", "parity"),
    ("SM", "SM"),
    ("FMA", "FMA"),
];

/// Words that announce a number or make it approximate.
const ABOUT_BEFORE: [&str; 21] = [
    "정답은",
    "답은",
    "정답:",
    "답:",
    "약",
    "대략",
    "거의",
    "모두",
    "총",
    "최대",
    "최소",
    "전체의",
    "≈",
    "~",
    "about ",
    "approximately ",
    "approx. ",
    "roughly ",
    "around ",
    "the answer is ",
    "answer:",
];
const ABOUT_AFTER: [&str; 3] = ["쯤", "정도", "가량"];

/// Verbs of a sentence around a number: `630개가 필요합니다`. They may follow without a space.
const VERBS: &str = "필요합니다|필요하다|필요해요|필요|듭니다|든다|됩니다|된다|돼요|나옵니다|나온다|있습니다|있다|in total|total|are needed|is needed|needed";

/// Parts of a verb that turns the meaning of a number round, or makes it a limit.
const TURNING: &str = "않|아니|못|없|느|줄|늘|작|적|많|크|큽|커|모자|부족|넘|초과|이상|이하|미만";

fn is_counter(unit: &str) -> bool {
    COUNTERS.contains(&unit)
}

/// Returns the English name of a thing, `None` if it is unknown.
fn thing(name: &str) -> Option<&'static str> {
    let name = plain(name);
    THINGS.iter().find(|(korean, english)| name == *korean || name == plain(english)).map(|(_, english)| *english)
}

/// True if the things `name` are what the question asks for. `original` is the unit's name in the original's language. The unit
/// `개` alone leaves open what it counts.
fn is_asked(name: &str, asked: Option<&str>, original: Option<&str>) -> bool {
    let Some(found) = thing(name) else { return false };
    match original.and_then(thing).or_else(|| asked.and_then(thing)) {
        Some(known) => found == known,
        None => asked.is_none_or(|asked| GENERAL.contains(&asked)),
    }
}

/// True if `unit` is a counter, a thing or both (`개`, `블록`, `개의 블록`, `번 레인`), which fits the unit of a question about a number
/// of things. A question without a unit takes every counter.
pub(super) fn counts(unit: &str, asked: Option<&str>, original: Option<&str>) -> bool {
    if asked.is_some_and(is_measured) {
        return false;
    }
    let after = COUNTERS.iter().find_map(|counter| Some((*counter, unit.strip_prefix(counter)?)));
    let fits = |counter: &str| match asked {
        Some(asked) if asked == counter => true,
        Some(asked) => GENERAL.contains(&counter) && (GENERAL.contains(&asked) || !is_counter(asked)),
        None => true,
    };
    let named = |name: &str| is_asked(name, asked, original);
    match after.map(|(counter, rest)| (counter, rest.strip_prefix('의').unwrap_or(rest).trim())) {
        Some((counter, "")) => fits(counter),
        Some((counter, name)) => fits(counter) && named(name),
        None => asked.is_some() && named(unit),
    }
}

/// Removes words before a number: `약` (about), `e =`, and the name of the counted things as in `웨이브프론트는 8개` and `lane 25`.
pub(super) fn without_beginning<'t>(text: &'t str, asked: Option<&str>, original: Option<&str>) -> &'t str {
    let text = about(named(about(text)));
    let (asked, original) = (asked.map(str::trim), original.map(str::trim));
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let names = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|length| *length <= end);
    let after = names.filter_map(|length| {
        let (name, rest) = text.split_at(length);
        // `열` is a column, but also the ten of `열여덟`.
        let ten = || in_words(name).is_some_and(|(_, rest)| rest.is_empty()) && in_words(rest.trim_start()).is_some();
        ((asked == Some(name) || is_asked(name, asked, original)) && !ten()).then_some(rest)
    });
    let number = after
        .map(|rest| rest.strip_prefix(['은', '는', '이', '가']).unwrap_or(rest).trim_start_matches([':', '=', ' ']));
    number.map(about).find(|rest| begins_number(rest)).unwrap_or(text)
}

fn begins_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) || in_words(text).is_some()
}

fn about(mut text: &str) -> &str {
    while let Some(rest) = ABOUT_BEFORE.iter().find_map(|about| text.strip_prefix(about)) {
        text = rest.trim_start();
    }
    text
}

/// Returns the number of `e = 22`.
fn named(text: &str) -> &str {
    let is_name = |name: &str| {
        let word = name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        word && thing(name).is_none()
    };
    text.split_once('=').filter(|(before, _)| is_name(before.trim())).map_or(text, |(_, after)| after.trim_start())
}

/// Returns the denominator and the number of `바이트당 0.33 FLOP`.
pub(super) fn per(text: &str) -> (Option<&str>, &str) {
    let found = text
        .split_once('당')
        .filter(|(unit, rest)| !unit.contains(char::is_whitespace) && begins_number(rest.trim_start()));
    found.map_or((None, text), |(unit, rest)| (Some(unit), rest.trim_start()))
}

/// Returns what may be the unit after a number: all of it, and without the verb and vagueness of `개 정도가 필요합니다`.
pub(super) fn units(behind: &str) -> Vec<&str> {
    let bare = without_stop(behind);
    let short = VERBS.split('|').find_map(|verb| bare.strip_suffix(verb)).map(str::trim_end);
    let short = short.map(|text| text.strip_suffix(['이', '가']).unwrap_or(text));
    let mut units = vec![behind.trim(), bare];
    units.extend(short);
    // The verb of the question: `2배 빠릅니다`, `128번 가져와야 합니다`.
    let mut rest = bare;
    let mut auxiliary = false;
    while let Some((before, word)) = rest.rsplit_once(' ')
        && (is_verb(word) || auxiliary && word.ends_with('야'))
    {
        rest = before.trim_end();
        units.push(rest);
        auxiliary = !auxiliary && matches!(word, "합니다" | "한다" | "해요" | "됩니다" | "된다");
        if !auxiliary {
            break;
        }
    }
    let vague: Vec<&str> = units.iter().filter_map(|unit| without_about(unit)).collect();
    units.extend(vague);
    units
}

fn is_verb(word: &str) -> bool {
    word.ends_with(['다', '요', '함', '됨'])
        && !["입니다", "이다", "예요", "에요"].iter().any(|copula| word.ends_with(copula))
        && !TURNING.split('|').any(|part| word.contains(part))
}

fn without_about(text: &str) -> Option<&str> {
    let endings = ["입니다", "이다", "예요", "이에요", "가", "이", "를", "만", ""];
    let about = endings
        .iter()
        .filter_map(|ending| text.strip_suffix(ending))
        .find_map(|text| ABOUT_AFTER.iter().find_map(|about| text.strip_suffix(about)));
    about.map(str::trim_end)
}
