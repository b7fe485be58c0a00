/*! Rules of a course as a whole: what a level is made of, and what a page may take for granted.

They hold for the original edition, whose pages are read in order. A page that breaks one on purpose names the rule in
its `allow`.
*/

use crate::author::rules::severity;
use crate::course::lint::{Lint, Path};
use crate::course::{CourseFile, Edition, File, LessonFile, Page, Problem, Recall, Show, Tag};
use crate::text::words;
use std::sync::Arc;

/// The rules that a page may break by name.
pub(super) const ALLOWED: [&str; 3] = ["page-idle", "term-too-early", "answer-given-away"];
/// Predictions in the author's order from which on their right choices can lean.
const LEAN_LEAST: usize = 6;
/// Words that say nothing of which choice is right.
const IDLE: [&str; 16] =
    ["about", "some", "the", "a", "an", "good", "less", "than", "nearly", "only", "just", "of", "in", "at", "to", "as"];

pub(super) fn check(edition: &Edition) -> Vec<Problem> {
    let course = edition.course.as_ref().ok().and_then(|file| Some((file, file.value.as_ref()?)));
    let lessons: Vec<Option<&Arc<File<LessonFile>>>> =
        edition.levels.iter().map(|level| level.lesson.as_ref().ok().filter(|file| !file.left_out)).collect();
    let mut problems = Vec::new();
    let mut before: Vec<&LessonFile> = Vec::new();
    for (at, file) in lessons.iter().enumerate() {
        let Some((file, lesson)) = file.and_then(|file| Some((file, file.value.as_ref()?))) else { continue };
        let mut lint = Lint::new(file, severity);
        // What lies beneath is its author's; what replaces pages of it is no lesson by itself.
        if edition.levels.get(at).is_some_and(|level| level.used.is_some()) {
            before.push(lesson);
            continue;
        }
        level(&mut lint, lesson, edition.levels.get(at).is_some_and(|level| level.quiz.is_some()));
        let map = course.map_or_else(Vec::new, |(_, course)| on_the_map(course));
        let root = Path::default().to("pages");
        for (index, page) in lesson.pages.iter().enumerate() {
            let path = root.to(index);
            for rule in &page.allow {
                lint.reference("unknown-name", "rule that a page may break:", rule, ALLOWED.into_iter());
            }
            idle(&mut lint, page, &path);
            given_away(&mut lint, page, &lesson.pages[..index], &map, &path);
            let later = lessons[at + 1..].iter().flatten().filter_map(|file| file.value.as_ref());
            too_early(&mut lint, page, &lesson.pages[index + 1..], lesson, &before, later, &path);
        }
        problems.extend(lint.into_problems());
        before.push(lesson);
    }
    if let Some((file, _)) = course {
        let mut lint = Lint::new(file, severity);
        lean(&mut lint, &before);
        problems.extend(lint.into_problems());
    }
    problems
}

fn allows(page: &Page, rule: &str) -> bool {
    page.allow.iter().any(|allowed| allowed.value == rule)
}

/// A level looks back, shows something, and ends with a gate.
fn level(lint: &mut Lint<'_>, lesson: &LessonFile, gated: bool) {
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
            lint.tell("level-lacks", &path, format!("No page of the level has a {what}."), help);
        }
    }
    if !gated {
        let message = "The level has no gate.";
        lint.tell("level-lacks", &lesson.level, message, "Name its `quiz` in `course.yaml`.");
    }
}

/// A page of code asks for something.
fn idle(lint: &mut Lint<'_>, page: &Page, path: &Path<'_>) {
    let asks = page.predict.is_some() || page.why.is_some() || !page.recall.is_empty();
    if matches!(page.show, Some(Show::Code(_))) && !asks && !allows(page, "page-idle") {
        let message = format!("On the page `{}` there is code and nothing to do.", page.id.value);
        lint.tell("page-idle", &path.to("show"), message, "Ask for a value, an operand or a line with `predict`.");
    }
}

/// What the map says of the course before any page is read.
fn on_the_map(course: &CourseFile) -> Vec<(String, &str)> {
    let levels = course.levels.iter().flat_map(|level| [level.title.as_str(), level.question.as_str()]);
    [course.title.as_str(), course.question.as_str()]
        .into_iter()
        .chain(levels)
        .map(|text| ("the map".to_owned(), text))
        .collect()
}

/// The words of a choice that tell it from the others: before its reason, without those that say nothing.
fn telling(text: &str) -> Vec<String> {
    let ends = [", as ", ", for ", ", with ", ", which "];
    let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    told(&text[..end])
}

fn told(text: &str) -> Vec<String> {
    words(text).into_iter().filter(|word| !IDLE.contains(&word.as_str())).collect()
}

fn within(text: &[String], part: &[String]) -> bool {
    !part.is_empty() && text.windows(part.len()).any(|window| window == part)
}

/// The right choice does not stand where it is seen before: on the map, on an earlier page of the level, in this one's
/// text. A number alone is looked for on this page and the one before, as numbers come again; and where a wrong choice
/// stands as well, nothing is given away.
fn given_away(lint: &mut Lint<'_>, page: &Page, earlier: &[Page], map: &[(String, &str)], path: &Path<'_>) {
    let Some(predict) = page.predict.as_ref().filter(|_| !allows(page, "answer-given-away")) else { return };
    let Some((at, right)) = predict.choices.iter().enumerate().find(|(_, choice)| choice.correct) else { return };
    let key = telling(&right.text);
    let number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    let telling_enough = (key.len() >= 2 && key.iter().any(number)) || key.len() >= 3;
    let lone_number = key.len() == 1 && key.iter().all(|word| word.len() >= 3 && number(word));
    let asked = told(&predict.ask);
    if !(telling_enough || lone_number) || within(&asked, &key) {
        return;
    }
    let mut seen: Vec<(String, &str)> = if lone_number { Vec::new() } else { map.to_vec() };
    let from = if lone_number { earlier.len().saturating_sub(1) } else { 0 };
    seen.extend(earlier.iter().skip(from).flat_map(shown_of));
    seen.push((format!("the page `{}` itself", page.id.value), &page.text));
    let wrong: Vec<Vec<String>> =
        predict.choices.iter().filter(|choice| !choice.correct).map(|choice| telling(&choice.text)).collect();
    let gives = |text: &str| {
        let text = told(text);
        within(&text, &key) && !wrong.iter().any(|wrong| within(&text, wrong))
    };
    if let Some((place, _)) = seen.iter().find(|(_, text)| gives(text)) {
        let message = format!("The right choice \"{}\" stands on {place}, which is seen before.", right.text.trim());
        let help = "Ask for another number, or say it there later. `allow: [answer-given-away]` if it is meant so.";
        lint.tell("answer-given-away", &path.to("predict").to("choices").to(at).to("text"), message, help);
    }
}

/// All that a page that was read has shown.
fn shown_of(page: &Page) -> Vec<(String, &str)> {
    let mut texts = vec![page.text.as_str(), page.after.as_str()];
    texts.extend(page.recall.iter().flat_map(|Recall { ask, answer }| [ask.as_str(), answer.as_str()]));
    let replies = page.predict.iter().flat_map(|predict| &predict.choices).filter(|choice| choice.correct);
    texts.extend(replies.map(|choice| choice.reply.as_str()));
    if let Some(Show::Code(view)) = &page.show {
        texts.extend(view.notes.iter().map(|note| note.note.as_str()));
    }
    let place = format!("the page `{}`", page.id.value);
    texts.into_iter().map(|text| (place.clone(), text)).collect()
}

/// A page uses no term that only a later level explains, or that a later page of its level introduces in bold.
fn too_early<'a>(
    lint: &mut Lint<'_>,
    page: &Page,
    after: &[Page],
    lesson: &LessonFile,
    before: &[&LessonFile],
    later: impl Iterator<Item = &'a LessonFile>,
    path: &Path<'_>,
) {
    // Goals announce what comes, and a summary may look ahead.
    if matches!(page.tag, Tag::Preview | Tag::Summary) || allows(page, "term-too-early") {
        return;
    }
    let used = prose(page);
    let used_words: Vec<String> = used.iter().flat_map(|text| words(text)).collect();
    let explained = |term: &str| {
        before.iter().copied().chain([lesson]).any(|lesson| lesson.glossary.iter().any(|known| same(&known.term, term)))
    };
    for term in later.flat_map(|lesson| &lesson.glossary).filter(|term| !explained(&term.term)) {
        let bold = |page: &Page| prose(page).iter().any(|text| in_bold(text, &term.term));
        let introduced = before.iter().flat_map(|lesson| &lesson.pages).chain(lesson_before(lesson, page)).any(bold);
        if mentions(&used_words, &term.term) && !introduced && !bold(page) {
            tell_early(lint, page, &term.term, "a later level explains", path);
        }
    }
    for term in &lesson.glossary {
        let bold = |page: &Page| prose(page).iter().any(|text| in_bold(text, &term.term));
        if mentions(&used_words, &term.term)
            && !bold(page)
            && !lesson_before(lesson, page).iter().any(bold)
            && let Some(introduced) = after.iter().find(|later| bold(later))
        {
            let where_ = format!("the page `{}` introduces", introduced.id.value);
            tell_early(lint, page, &term.term, &where_, path);
        }
    }
}

fn lesson_before<'a>(lesson: &'a LessonFile, page: &Page) -> &'a [Page] {
    let at = lesson.pages.iter().position(|other| other.id.value == page.id.value).unwrap_or(0);
    &lesson.pages[..at]
}

fn tell_early(lint: &mut Lint<'_>, page: &Page, term: &str, who: &str, path: &Path<'_>) {
    let message = format!("The page `{}` uses \"{term}\", which {who}.", page.id.value);
    let help = "Introduce it here in bold, or use a plain word. `allow: [term-too-early]` if another sense is meant.";
    lint.tell("term-too-early", &path.to("id"), message, help);
}

/// The running text of a page.
fn prose(page: &Page) -> Vec<&str> {
    let mut texts = vec![page.text.as_str(), page.after.as_str()];
    if let Some(predict) = &page.predict {
        texts.push(&predict.ask);
        texts.extend(predict.choices.iter().flat_map(|choice| [choice.text.as_str(), choice.reply.as_str()]));
    }
    texts.extend(page.recall.iter().flat_map(|recall| [recall.ask.as_str(), recall.answer.as_str()]));
    texts
}

fn same(one: &str, other: &str) -> bool {
    words(one) == words(other)
}

/// Whether a text mentions a term, in singular or plural.
fn mentions(text: &[String], term: &str) -> bool {
    let term = words(term);
    let equal = |word: &String, of: &String| word == of || word.strip_suffix('s') == Some(of);
    !term.is_empty()
        && text.windows(term.len()).any(|window| {
            let (last, first) = (term.len() - 1, &term[..term.len() - 1]);
            window[..last] == *first && equal(&window[last], &term[last])
        })
}

/// Whether a text sets a term in bold, alone or among other words.
fn in_bold(text: &str, term: &str) -> bool {
    text.split("**").skip(1).step_by(2).any(|bold| mentions(&words(bold), term))
}

/// Choices that keep the author's order do not have the right one at the same place.
fn lean(lint: &mut Lint<'_>, lessons: &[&LessonFile]) {
    let pages = lessons.iter().flat_map(|lesson| &lesson.pages);
    let places: Vec<usize> = pages
        .filter_map(|page| page.predict.as_ref().filter(|predict| !predict.shuffle))
        .filter_map(|predict| predict.choices.iter().position(|choice| choice.correct))
        .collect();
    for place in 0..6 {
        let here = places.iter().filter(|at| **at == place).count();
        if places.len() >= LEAN_LEAST && 2 * here > places.len() {
            let letter = char::from(b'a' + place as u8);
            let message = format!(
                "Of {} predictions whose choices keep their order, {here} have the right one at {letter}.",
                places.len()
            );
            let help = "Move some, or leave `shuffle: false` out.";
            lint.tell("answers-lean", &Path::default().to("levels"), message, help);
        }
    }
}
