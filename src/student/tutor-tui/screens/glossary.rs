/*! The glossary of the course: first the terms on the screen, then all others.

```text
 sector                                                                    level 1
   32 bytes of memory, aligned to 32: what the caches fetch at least.
```
*/

use super::indent;
use super::lesson::Lesson;
use super::search::{seen_text, squeezed};
use crate::prelude::*;
use tutor_course::Term;

/// A term of the course.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry<'a> {
    /// The term and its meaning.
    pub term: &'a Term,
    /// Index of the level that introduces the term.
    pub level: usize,
    /// True if the page on the screen uses the term.
    pub here: bool,
}

/// Returns the terms that contain the typed text: those on the screen first, each part in alphabetical order.
pub fn matching<'a>(model: &'a Model, typed: &str) -> Vec<Entry<'a>> {
    let text = match model.screen() {
        Some(Screen::Lesson(lesson)) => on_page(lesson, &model.context()),
        _ => String::new(),
    };
    let typed = squeezed(typed);
    let fits = |term: &Term| {
        let inside = typed.width() > 2 && squeezed(&term.means).contains(&typed);
        inside || term.also.iter().chain([&term.term]).any(|name| squeezed(name).contains(&typed))
    };
    let mut found: Vec<Entry> = terms(&model.data)
        .filter(|(_, term)| fits(term))
        .map(|(level, term)| Entry { term, level, here: mentions(&text, &term.term) })
        .collect();
    // A term that begins with the typed text comes before all others.
    let rank = |entry: &Entry| (!squeezed(&entry.term.term).starts_with(&typed), !entry.here);
    found.sort_by_key(|entry| (rank(entry), entry.term.term.to_lowercase(), entry.level));
    found
}

/// Returns the rows of the entries, and the first row of the entry under the cursor.
pub fn rows(entries: &[Entry], cursor: usize, width: u16, look: &Look) -> (Vec<Line<'static>>, usize) {
    if entries.is_empty() {
        return (vec![Line::styled(t!("glossary-nothing"), look.style(Meaning::Muted))], 0);
    }
    let (mut rows, mut at) = (Vec::new(), 0);
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            rows.push(Line::default());
        }
        if index == cursor {
            at = rows.len();
        }
        let place = match entry.here {
            true => t!("glossary-here"),
            false => t!("glossary-level", level = entry.level + 1),
        };
        let left = vec![look.cursor(index == cursor), look.span(Meaning::Heading, entry.term.term.clone())];
        rows.push(two_ends(left, vec![look.span(Meaning::Muted, place)], width));
        rows.extend(indent(markdown::render(&entry.term.means, width.saturating_sub(4), look), 4));
    }
    (rows, at)
}

/// Returns all terms, each with the index of the level that introduces it.
pub(super) fn terms(data: &AppData) -> impl Iterator<Item = (usize, &Term)> {
    data.course.levels.iter().enumerate().flat_map(|(at, level)| {
        let glossary = level.lesson.as_ref().map_or(&[][..], |lesson| &lesson.glossary);
        glossary.iter().map(move |term| (at, term))
    })
}

/// Returns the text that a page shows now.
fn on_page(lesson: &Lesson, context: &Context) -> String {
    lesson.content(context).map_or_else(String::new, |page| {
        format!("{} {}", page.title, seen_text(page, lesson.pending(context).is_none()))
    })
}

/// Returns rows for a page's margin: the terms that it uses, in alphabetical order, each once.
pub fn margin(lesson: &Lesson, width: u16, most: usize, context: &Context) -> Vec<Line<'static>> {
    let (look, text) = (&context.look, on_page(lesson, context));
    let mut used: Vec<(usize, &Term)> = terms(context.data).collect();
    used.retain(|(_, term)| mentions(&text, &term.term));
    // Of several explanations, the one of this level or of the last level before it is shown.
    let age = |level: usize| lesson.level.checked_sub(level).unwrap_or(usize::MAX);
    used.sort_by_key(|(level, term)| (term.term.to_lowercase(), age(*level)));
    used.dedup_by_key(|(_, term)| term.term.to_lowercase());
    let mut rows = vec![look.rule(&t!("glossary-of-page"), Meaning::Muted, width)];
    for (_, term) in used {
        let mut entry = vec![Line::default(), Line::from(look.span(Meaning::Strong, format!("  {}", term.term)))];
        let means = markdown::render(&term.means, width.saturating_sub(6), look);
        let muted = means.into_iter().map(|line| line.patch_style(look.style(Meaning::Muted))).collect();
        entry.extend(indent(muted, 4));
        if rows.len() + entry.len() > most {
            break;
        }
        rows.extend(entry);
    }
    if rows.len() > 1 { rows } else { Vec::new() }
}

/// True if `text` contains `term` as a word, also in the plural. Abbreviations must match in upper case.
fn mentions(text: &str, term: &str) -> bool {
    let abbreviation = term.chars().any(char::is_uppercase);
    let (text, term) =
        if abbreviation { (text.to_owned(), term.to_owned()) } else { (text.to_lowercase(), term.to_lowercase()) };
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(&term).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let rest = &text[at + term.len()..];
        let plural = |ending: &str| rest.strip_prefix(ending).filter(|rest| !rest.starts_with(inside));
        let rest = plural("es").or_else(|| plural("s")).unwrap_or(rest);
        !before.is_some_and(inside) && !rest.starts_with(inside)
    })
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_term_is_found_as_a_word_and_in_the_plural() {
        assert!(mentions("two warps of a block", "warp"));
        assert!(mentions("A Warp waits", "warp"));
        assert!(!mentions("warped", "warp"));
        assert!(mentions("132 SMs", "SM"));
        assert!(!mentions("a smaller tile", "SM"));
        assert!(mentions("bank conflicts cost", "bank conflict"));
        assert!(mentions("many reuse classes", "class"));
    }
}
