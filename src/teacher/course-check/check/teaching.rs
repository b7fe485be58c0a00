/*! Rules for a course as a whole: the parts of a level, and what a page may take for granted.

The rules apply to the original edition, whose pages students read in order. A page that breaks a rule on purpose names
the rule in its `allow`.
*/

use super::markdown;
use crate::rules::severity;
use std::collections::BTreeSet;
use std::sync::Arc;
use tutor_course::lint::{Lint, Path};
use tutor_course::{CourseFile, Edition, File, LessonFile, Page, Problem, Recall, Show, Tag};
use tutor_support::text::words;

/// The rules that a page's `allow` may name.
pub(super) const ALLOWED: [&str; 8] = [
    "page-idle",
    "term-too-early",
    "answer-given-away",
    "cause-unproved",
    "number-differs",
    "key-stands-out",
    "key-within-noise",
    "wavefronts-unproved",
];
/// Maximum number of pages of a level.
const MAX_PAGES: usize = 22;
/// Maximum estimated time for the pages of a level.
const MAX_MINUTES: f64 = 45.0;
/// Reading speed behind the estimate. A prediction or a written answer adds 1.5 minutes, and a picture adds 1.
const WORDS_PER_MINUTE: f64 = 200.0;
const SHORTEN: &str = "Merge or remove pages, or make what goes further `optional: true`.";
/// Minimum number of predictions with fixed order before the positions of their correct choices are compared.
const MIN_PREDICTIONS: usize = 6;
/// Words that do not help to identify the correct choice.
const IDLE: [&str; 16] =
    ["about", "some", "the", "a", "an", "good", "less", "than", "nearly", "only", "just", "of", "in", "at", "to", "as"];

/// A lesson with its texts split into words once, because each page is compared with many others.
struct LessonWords<'a> {
    lesson: &'a LessonFile,
    pages: Vec<PageWords<'a>>,
    /// The terms of its glossary, as written and as words.
    terms: Vec<(&'a str, Vec<String>)>,
}

/// A lesson with its file.
type Read<'a> = (&'a Arc<File<LessonFile>>, LessonWords<'a>);

/// A page with its texts split into words.
struct PageWords<'a> {
    page: &'a Page,
    /// Words of its running text.
    prose: Vec<String>,
    /// Words of each bold part of that text.
    bold: Vec<Vec<String>>,
    /// Words of each text that the page shows, without insignificant words.
    shown: Vec<Vec<String>>,
}

impl<'a> LessonWords<'a> {
    fn of(lesson: &'a LessonFile) -> Self {
        let terms = lesson.glossary.iter().map(|known| (known.term.as_str(), words(&known.term))).collect();
        Self { lesson, pages: lesson.pages.iter().map(PageWords::of).collect(), terms }
    }
}

impl<'a> PageWords<'a> {
    fn of(page: &'a Page) -> Self {
        let texts = prose(page);
        let bold = texts.iter().flat_map(|text| text.split("**").skip(1).step_by(2));
        Self {
            page,
            prose: texts.iter().flat_map(|text| words(text)).collect(),
            bold: bold.map(words).collect(),
            shown: shown_of(page).into_iter().map(significant_words).collect(),
        }
    }

    /// True if the page sets a term in bold, alone or with other words.
    fn has_in_bold(&self, term: &[String]) -> bool {
        self.bold.iter().any(|bold| mentions(bold, term))
    }
}

pub(super) fn check(edition: &Edition) -> Vec<Problem> {
    let course = edition.course.as_ref().ok().and_then(|file| Some((file, file.value.as_ref()?)));
    let lessons: Vec<Option<Read<'_>>> = edition
        .levels
        .iter()
        .map(|level| {
            let file = level.lesson.as_ref().ok().filter(|file| !file.left_out)?;
            Some((file, LessonWords::of(file.value.as_ref()?)))
        })
        .collect();
    let map = course.map_or_else(Vec::new, |(_, course)| on_the_map(course));
    let mut problems = Vec::new();
    let mut before: Vec<&LessonWords<'_>> = Vec::new();
    for (at, (level, lesson)) in edition.levels.iter().zip(&lessons).enumerate() {
        let Some((file, lesson)) = lesson else { continue };
        // The author of the base course checks the base course's levels. Pages that replace some of its pages are not a
        // lesson by themselves.
        if level.inherited.is_none() {
            let mut lint = Lint::new(file, severity);
            made_of(&mut lint, lesson.lesson, level.quiz.is_some());
            too_long(&mut lint, lesson.lesson);
            let later = lessons[at + 1..].iter().flatten().map(|(_, lesson)| lesson);
            let unexplained = unexplained(lesson, &before, later);
            let root = Path::default().to("pages");
            for (index, page) in lesson.pages.iter().enumerate() {
                let path = root.to(index);
                for rule in &page.page.allow {
                    lint.reference("unknown-name", "rule that a page may break:", rule, ALLOWED.into_iter());
                }
                idle(&mut lint, page.page, &path);
                given_away(&mut lint, page.page, &lesson.pages[..index], &map, &path);
                too_early(&mut lint, lesson, index, &before, &unexplained, &path);
            }
            problems.extend(lint.into_problems());
        }
        before.push(lesson);
    }
    if let Some((file, _)) = course {
        let mut lint = Lint::new(file, severity);
        lean(&mut lint, &before);
        problems.extend(lint.into_problems());
    }
    problems
}

pub(super) fn allows(page: &Page, rule: &str) -> bool {
    page.allow.iter().any(|allowed| allowed.value == rule)
}

/// Checks that a level recalls earlier material, shows a picture, and ends with a gate.
fn made_of(lint: &mut Lint<'_>, lesson: &LessonFile, gated: bool) {
    let path = Path::default().to("pages");
    if lesson.pages.is_empty() {
        return;
    }
    let picture = |page: &Page| page.show.as_ref().is_some_and(|show| !matches!(show, Show::Code(_) | Show::Run(_)));
    let recalls = lesson.pages.iter().any(|page| !page.recall.is_empty());
    let lacks = [
        ("recall", "Ask what came before, to be answered from memory.", recalls),
        ("picture", "`show` something other than `code` or `run`.", lesson.pages.iter().any(picture)),
    ];
    for (what, help, there) in lacks {
        if !there {
            lint.report("level-lacks", &path, format!("No page of the level has a {what}."), help);
        }
    }
    if !gated {
        let message = "The level has no gate.";
        lint.report("level-lacks", &lesson.level, message, "Name its `quiz` in `course.yaml`.");
    }
}

/// Returns the estimated minutes for reading a page: its words at [`WORDS_PER_MINUTE`], and the time for its tasks.
fn minutes(page: &Page) -> f64 {
    // A student reads the question with all choices, and one reply.
    let predict = page.predict.as_ref().map_or(0, |predict| {
        let choices = predict.choices.iter().map(|choice| markdown::words(&choice.text)).sum::<usize>();
        let reply = predict.choices.iter().find(|choice| choice.correct).map_or(0, |it| markdown::words(&it.reply));
        markdown::words(&predict.ask) + choices + reply
    });
    let recalls = page.recall.iter().flat_map(|recall| [&recall.ask, &recall.answer]);
    let why = page.why.iter().flat_map(|why| [&why.ask, &why.model]);
    let texts = [&page.text, &page.after].into_iter().chain(recalls).chain(why);
    let words = predict + texts.map(|text| markdown::words(text)).sum::<usize>();
    let questions = usize::from(page.predict.is_some()) + usize::from(page.why.is_some());
    let tasks = 1.5 * questions as f64
        + f64::from(u8::from(page.show.as_ref().is_some_and(|show| !matches!(show, Show::Code(_)))));
    words as f64 / WORDS_PER_MINUTE + tasks
}

/// Reports a level with too many pages, or with too much to read. Optional pages do not count.
fn too_long(lint: &mut Lint<'_>, lesson: &LessonFile) {
    let path = Path::default().to("pages");
    let pages = lesson.regular().count();
    if pages > MAX_PAGES {
        let message = format!("The level has {pages} pages, more than {MAX_PAGES}.");
        lint.report("level-too-long", &path, message, SHORTEN);
    }
    let minutes = lesson.regular().map(minutes).sum::<f64>().round();
    if minutes > MAX_MINUTES {
        let message = format!("The level takes about {minutes} minutes, more than {MAX_MINUTES}.");
        lint.report("level-too-long", &path, message, SHORTEN);
    }
}

/// Reports a page with code but without a task.
fn idle(lint: &mut Lint<'_>, page: &Page, path: &Path<'_>) {
    let asks = page.predict.is_some() || page.why.is_some() || !page.recall.is_empty();
    if matches!(page.show, Some(Show::Code(_))) && !asks && !allows(page, "page-idle") {
        let message = format!("On the page `{}` there is code and nothing to do.", page.id.value);
        lint.report("page-idle", &path.to("show"), message, "Ask for a value, an operand or a line with `predict`.");
    }
}

/// Returns the words that the map shows before any page is read.
fn on_the_map(course: &CourseFile) -> Vec<Vec<String>> {
    let levels = course.levels.iter().flat_map(|level| [level.title.as_str(), level.question.as_str()]);
    [course.title.as_str(), course.question.as_str()].into_iter().chain(levels).map(significant_words).collect()
}

/// Returns the words of a choice that distinguish it: those before its reason, without insignificant words.
fn telling(text: &str) -> Vec<String> {
    let ends = [", as ", ", because ", ", for ", ", with ", ", which "];
    let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    significant_words(&text[..end])
}

fn significant_words(text: &str) -> Vec<String> {
    words(text).into_iter().filter(|word| !IDLE.contains(&word.as_str())).collect()
}

pub(super) fn within(text: &[String], part: &[String]) -> bool {
    !part.is_empty() && text.windows(part.len()).any(|window| window == part)
}

/// Reports a correct choice that students have already seen: on the map, on an earlier page of the level, or in this
/// page's text. A lone number is searched for only on this page and the previous one, because numbers often recur. A
/// text that also contains an incorrect choice gives nothing away.
fn given_away(lint: &mut Lint<'_>, page: &Page, earlier: &[PageWords<'_>], map: &[Vec<String>], path: &Path<'_>) {
    let Some(predict) = page.predict.as_ref().filter(|_| !allows(page, "answer-given-away")) else { return };
    let Some((at, right)) = predict.choices.iter().enumerate().find(|(_, choice)| choice.correct) else { return };
    let key = telling(&right.text);
    let number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    let telling_enough = (key.len() >= 2 && key.iter().any(number)) || key.len() >= 3;
    let lone_number = key.len() == 1 && key.iter().all(|word| word.len() >= 3 && number(word));
    let asked = significant_words(&predict.ask);
    if !(telling_enough || lone_number) || within(&asked, &key) {
        return;
    }
    let wrong: Vec<Vec<String>> =
        predict.choices.iter().filter(|choice| !choice.correct).map(|choice| telling(&choice.text)).collect();
    let gives = |text: &[String]| within(text, &key) && !wrong.iter().any(|wrong| within(text, wrong));
    let from = if lone_number { earlier.len().saturating_sub(1) } else { 0 };
    let given = |page: &&PageWords<'_>| page.shown.iter().any(|text| gives(text));
    let place = if !lone_number && map.iter().any(|text| gives(text)) {
        "the map".to_owned()
    } else if let Some(before) = earlier.iter().skip(from).find(given) {
        format!("the page `{}`", before.page.id.value)
    } else if gives(&significant_words(&page.text)) {
        format!("the page `{}` itself", page.id.value)
    } else {
        return;
    };
    let message = format!("The correct choice \"{}\" is on {place}, which students see earlier.", right.text.trim());
    let help = "Ask for another number, or say it there later. `allow: [answer-given-away]` if it is meant so.";
    lint.report("answer-given-away", &path.to("predict").to("choices").to(at).to("text"), message, help);
}

/// Returns the texts that a finished page has shown.
fn shown_of(page: &Page) -> Vec<&str> {
    let mut texts = vec![page.text.as_str(), page.after.as_str()];
    texts.extend(page.recall.iter().flat_map(|Recall { ask, answer }| [ask.as_str(), answer.as_str()]));
    let replies = page.predict.iter().flat_map(|predict| &predict.choices).filter(|choice| choice.correct);
    texts.extend(replies.map(|choice| choice.reply.as_str()));
    if let Some(Show::Code(view)) = &page.show {
        texts.extend(view.notes.iter().map(|note| note.note.as_str()));
    }
    texts
}

/// Returns the terms that only later lessons explain, each once.
fn unexplained<'t, 'a: 't>(
    lesson: &LessonWords<'a>,
    before: &[&LessonWords<'a>],
    later: impl Iterator<Item = &'t LessonWords<'a>>,
) -> Vec<&'t (&'a str, Vec<String>)> {
    let known = before.iter().copied().chain([lesson]).flat_map(|lesson| &lesson.terms);
    let mut known: BTreeSet<&[String]> = known.map(|(_, term)| term.as_slice()).collect();
    let terms = later.flat_map(|lesson| &lesson.terms);
    terms.filter(|(_, term)| known.insert(term)).collect()
}

/// Reports a term that only a later level explains, or that a later page of the level introduces in bold.
fn too_early(
    lint: &mut Lint<'_>,
    lesson: &LessonWords<'_>,
    index: usize,
    before: &[&LessonWords<'_>],
    unexplained: &[&(&str, Vec<String>)],
    path: &Path<'_>,
) {
    let page = &lesson.pages[index];
    // Goals announce later pages, and a summary may look ahead.
    if matches!(page.page.tag, Tag::Preview | Tag::Summary) || allows(page.page, "term-too-early") {
        return;
    }
    let (earlier, after) = (&lesson.pages[..index], &lesson.pages[index + 1..]);
    // A student may have left out an optional page.
    let introduces = |other: &PageWords<'_>, term: &[String]| {
        other.has_in_bold(term) && (page.page.optional || !other.page.optional)
    };
    for (shown, term) in unexplained {
        if mentions(&page.prose, term)
            && !page.has_in_bold(term)
            && !before.iter().flat_map(|lesson| &lesson.pages).chain(earlier).any(|page| introduces(page, term))
        {
            tell_early(lint, page.page, shown, "a later level explains", path);
        }
    }
    for (shown, term) in &lesson.terms {
        if mentions(&page.prose, term)
            && !page.has_in_bold(term)
            && !earlier.iter().any(|page| introduces(page, term))
            && let Some(introduced) = after.iter().chain(earlier).find(|other| other.has_in_bold(term))
        {
            let optional = if introduced.page.optional { "optional " } else { "" };
            let who = format!("the {optional}page `{}` introduces", introduced.page.id.value);
            tell_early(lint, page.page, shown, &who, path);
        }
    }
}

fn tell_early(lint: &mut Lint<'_>, page: &Page, term: &str, who: &str, path: &Path<'_>) {
    let message = format!("The page `{}` uses \"{term}\", which {who}.", page.id.value);
    let help = "Introduce it here in bold, or use a plain word. `allow: [term-too-early]` if another sense is meant.";
    lint.report("term-too-early", &path.to("id"), message, help);
}

/// Returns the running text of a page.
fn prose(page: &Page) -> Vec<&str> {
    let mut texts = vec![page.text.as_str(), page.after.as_str()];
    if let Some(predict) = &page.predict {
        texts.push(&predict.ask);
        texts.extend(predict.choices.iter().flat_map(|choice| [choice.text.as_str(), choice.reply.as_str()]));
    }
    texts.extend(page.recall.iter().flat_map(|recall| [recall.ask.as_str(), recall.answer.as_str()]));
    texts
}

/// True if a text mentions a term, in singular or plural.
pub(super) fn mentions(text: &[String], term: &[String]) -> bool {
    let equal = |word: &String, of: &String| word == of || word.strip_suffix('s') == Some(of);
    let Some((last, first)) = term.split_last() else { return false };
    text.windows(term.len()).any(|window| equal(&window[first.len()], last) && window[..first.len()] == *first)
}

/// Reports if most predictions with fixed order have the correct choice at the same position.
fn lean(lint: &mut Lint<'_>, lessons: &[&LessonWords<'_>]) {
    let pages = lessons.iter().flat_map(|told| &told.lesson.pages);
    let places: Vec<usize> = pages
        .filter_map(|page| page.predict.as_ref().filter(|predict| !predict.shuffle))
        .filter_map(|predict| predict.choices.iter().position(|choice| choice.correct))
        .collect();
    for place in 0..6 {
        let here = places.iter().filter(|at| **at == place).count();
        if places.len() >= MIN_PREDICTIONS && 2 * here > places.len() {
            let letter = char::from(b'a' + place as u8);
            let message = format!(
                "Of {} predictions with a fixed order of choices, {here} have the correct one at {letter}.",
                places.len()
            );
            let help = "Move some, or leave `shuffle: false` out.";
            lint.report("answers-lean", &Path::default().to("levels"), message, help);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::minutes;

    #[test]
    fn reading_predictions_answers_and_pictures_take_time() {
        let minutes = |page: &str| minutes(&tutor_support::yaml::read_typed(page).unwrap());
        let words = "word ".repeat(100);
        assert_eq!(minutes(&format!("{{ id: a, title: T, tag: why, text: {words} }}")), 0.5);
        let choice = format!("{{ text: {words}, correct: true, reply: {words} }}, {{ text: b, reply: {words} }}");
        let asked = minutes(&format!("{{ id: a, title: T, tag: why, predict: {{ ask: a, choices: [{choice}] }} }}"));
        assert!((asked - 1.5 - 202.0 / 200.0).abs() < 1e-9, "the reply to a wrong choice is not read: {asked}");
        let show = |show: &str| minutes(&format!("{{ id: a, title: T, tag: why, show: {show} }}"));
        assert_eq!(show("{ library: { books: 9, desk: 3 } }"), 1.0);
        assert_eq!(show("{ code: { kernel: sgemm_tiled } }"), 0.0);
    }
}
