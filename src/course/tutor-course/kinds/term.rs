/*! Compares a typed term with a known one. The term may be part of a short sentence (`It is called a warp`, `워프라고 합니다`), and in
Korean it may have particles. White space and hyphens inside a long word do not matter (`BF 16`, `thread block`).
*/

use super::korean::{by_sound, in_plain_style, is_korean, without_endings, without_stop};
use super::normal::{is_hyphen, normal};

/// Verbs of `워프라고 합니다` and the like, without their `라고`.
const CALLED: &str = "합니다|한다|해요|하죠|함|부릅니다|부른다|불러요|부름|말합니다|말한다|말해요";

/// Verbs of `패리티를 지정한다` and the like, which name the object without a claim about it.
const NAMES: &str = "뜻한다|뜻함|의미한다|의미함|나타낸다|나타냄|나타내요|가리킨다|가리킴|지정한다|지정함|사용한다|사용함|쓴다|써요|전달한다|전달함|넘긴다|준다";

/// Verbs of `스필이 발생한다` and the like.
const OCCURS: &str = "발생한다|발생하였다|발생함|일어난다|일어났다|생긴다|생겼다|된다|되었다|됨";

/// Nouns of `스필 현상` and the like. They say only what kind of thing the term before them is.
const KINDS: &str = "형식|포맷|값|현상|연산|처리|방식|기법|것";

/// Words before the noun of an answer.
const LEADS: [&str; 12] = [
    "정답은 ",
    "답은 ",
    "정답: ",
    "답: ",
    "그것은 ",
    "그건 ",
    "그것을 ",
    "이것은 ",
    "이건 ",
    "이것을 ",
    "이걸 ",
    "이를 ",
];

/// One of something: `한 워프`, `워프 하나`.
const ONE_BEFORE: [&str; 3] = ["하나의 ", "한 개의 ", "한 "];
const ONE_AFTER: [&str; 2] = [" 하나", " 한 개"];

/// True if a typed answer equals the known one.
pub(super) fn same(typed: &str, known: &str) -> bool {
    let (typed, known) = (normal(typed).replace('’', "'"), normal(known));
    if typed == known {
        return true;
    }
    let (joined, key) = (joined(&known), key(&known));
    let is_known = |text: &str| {
        english(text.trim()).iter().any(|form| self::joined(form) == joined)
            || is_korean(text)
                && forms(text.trim()).iter().any(|form| !form.is_empty() && self::key(&normal(form)) == key)
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

/// Returns the text, and the term of `It is called a warp` or `the bf16 format`.
fn english(text: &str) -> Vec<&str> {
    let subject = ["it ", "it's ", "this ", "that ", "that's ", "they ", "they're ", "these ", "the answer "];
    let verb = ["is called ", "are called ", "is known as ", "are known as ", "called ", "is ", "are ", "means "];
    let kind = [" format", " value", " operation"];
    let said = subject
        .iter()
        .find_map(|lead| Some((text.strip_prefix(lead)?, lead.contains('\''))))
        .and_then(|(rest, is)| verb.iter().find_map(|verb| rest.strip_prefix(verb)).or_else(|| is.then_some(rest)));
    let mut forms = vec![text];
    forms.extend(said.or_else(|| verb.iter().find_map(|verb| text.strip_prefix(verb))));
    for form in forms.clone() {
        forms.extend(["a ", "an ", "the ", "one "].iter().find_map(|article| form.strip_prefix(article)));
    }
    for form in forms.clone() {
        forms.extend(kind.iter().find_map(|kind| form.strip_suffix(kind)));
    }
    forms
}

/// Returns the texts whose form a Korean text may be.
fn forms(typed: &str) -> Vec<String> {
    let typed = without_stop(typed);
    let typed = LEADS.iter().find_map(|lead| typed.strip_prefix(lead)).or_else(|| after_topic(typed)).unwrap_or(typed);
    let mut forms = vec![typed.to_owned(), in_plain_style(typed)];
    let rules: [fn(&str) -> Vec<String>; 6] =
        [without_verb, |form| vec![in_plain_style(form)], without_verb, without_endings, without_kind, single];
    for rule in rules {
        let more: Vec<String> = forms.iter().flat_map(|form| rule(form)).collect();
        forms.extend(more);
        forms.sort_unstable();
        forms.dedup();
    }
    forms
}

/// Returns what follows the topic of `이 묶음은 워프입니다`.
fn after_topic(typed: &str) -> Option<&str> {
    let (topic, rest) = typed.strip_prefix("이 ")?.split_once(' ')?;
    topic.ends_with(['은', '는', '을', '를']).then(|| rest.trim_start())
}

/// Returns the noun of `워프라고 합니다`, `패리티를 뜻한다` or `스필이 발생한다`, and the verb of `발산한다고 합니다`.
fn without_verb(typed: &str) -> Vec<String> {
    let before = |verbs: &'static str, particles: &[&str]| {
        let ends = verbs.split('|').filter_map(|verb| typed.strip_suffix(verb)).map(str::trim_end);
        ends.filter_map(|text| particles.iter().find_map(|particle| text.strip_suffix(particle)))
            .map(|noun| noun.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    let said: Vec<String> = before(CALLED, &["고"]).into_iter().filter(|clause| clause.ends_with('다')).collect();
    let called = before(CALLED, &["이라고", "라고", "이라", "라", "을", "를"]);
    [said, called, before(NAMES, &["을", "를"]), before(OCCURS, &["이", "가"])].concat()
}

/// Returns the term of `외적 연산`, `패리티값` or `워프라는 것`.
fn without_kind(typed: &str) -> Vec<String> {
    let term = KINDS.split('|').filter_map(|kind| typed.strip_suffix(kind)).map(str::trim_end);
    term.map(|term| ["이라는", "라는"].iter().find_map(|end| term.strip_suffix(end)).unwrap_or(term).to_owned())
        .collect()
}

fn single(typed: &str) -> Vec<String> {
    let one = ONE_BEFORE.iter().find_map(|one| typed.strip_prefix(one));
    one.or_else(|| ONE_AFTER.iter().find_map(|one| typed.strip_suffix(one))).map(str::to_owned).into_iter().collect()
}

/// Returns the form in which Korean texts are compared: without spaces and without the particle `의` between words, in
/// the plain style and by sound.
fn key(text: &str) -> String {
    let joined = joined(text);
    let words: Vec<&str> = joined.split_whitespace().collect();
    let last = words.len().saturating_sub(1);
    let together: String = words
        .iter()
        .enumerate()
        .map(|(at, word)| word.strip_suffix('의').filter(|noun| at < last && !noun.is_empty()).unwrap_or(word))
        .collect();
    in_plain_style(&together).chars().map(by_sound).collect()
}

/// The fewest letters of a word that may be written as several.
const LONG: usize = 5;

/// Returns a normal text without the spaces and hyphens that writers disagree about: between a word of at least two letters
/// and a number, and in a long text of letters and digits.
fn joined(text: &str) -> String {
    let all: Vec<char> = text.chars().collect();
    let letter = |at: usize| all.get(at).is_some_and(|c| c.is_alphabetic());
    let gap = |at: usize| all[at] == ' ' || is_hyphen(all[at]);
    let before_number =
        |at: usize| at > 1 && letter(at - 1) && letter(at - 2) && all.get(at + 1).is_some_and(char::is_ascii_digit);
    let kept: String = (0..all.len()).filter(|&at| !(gap(at) && before_number(at))).map(|at| all[at]).collect();
    let long = kept.chars().filter(|c| c.is_alphabetic()).count() >= LONG
        && kept.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ');
    if long { kept.replace(' ', "") } else { kept }
}
