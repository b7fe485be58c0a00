//! Searches the pages of the open levels.

use super::glossary;
use crate::prelude::*;
use tutor_course::{Page, Term};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub level: usize,
    pub page: usize,
    /// The text around the first match; empty if only the title matches.
    pub around: String,
}

/// Returns the pages that contain all typed words: first those with all words in the title, each part in reading order.
pub fn search(data: &AppData, typed: &str) -> Vec<Found> {
    let words: Vec<Vec<String>> = typed.split_whitespace().map(|word| synonyms(data, word)).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (level, content) in data.course.levels.iter().enumerate() {
        if data.locked_by(level).is_some() {
            continue;
        }
        for (at, page) in pages(content).iter().enumerate() {
            let title = squeezed(&page.title);
            let predicted = data.predictions.contains_key(&(content.id.clone(), page.id.value.clone()));
            let text = seen_text(page, predicted);
            let body = squeezed(&text);
            let any = |text: &str, words: &[String]| words.iter().any(|word| text.contains(word));
            if words.iter().all(|words| any(&title, words) || any(&body, words)) {
                let in_title = words.iter().all(|words| any(&title, words));
                let around = words.iter().flatten().find_map(|word| around(&text, &body, word)).unwrap_or_default();
                found.push((!in_title, Found { level, page: at, around }));
            }
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, found)| found).collect()
}

/// Returns a text as it is searched: in lower case, without spaces and hyphens, which people put in different places.
pub(super) fn squeezed(text: &str) -> String {
    text.chars().filter(|c| is_searched(*c)).flat_map(char::to_lowercase).collect()
}

fn is_searched(c: char) -> bool {
    !c.is_whitespace() && c != '-'
}

/// Returns a typed word, and the terms of the course that it is another word for.
fn synonyms(data: &AppData, word: &str) -> Vec<String> {
    let word = squeezed(word);
    let same = |term: &&Term| term.also.iter().any(|also| squeezed(also) == word);
    let terms = glossary::terms(data).map(|(_, term)| term).filter(same).map(|term| squeezed(&term.term));
    let mut all: Vec<String> = terms.collect();
    all.insert(0, word);
    all
}

/// Explains an empty result: what to type, or how many locked levels were not searched.
pub fn nothing(data: &AppData, typed: &str) -> String {
    if typed.trim().is_empty() {
        return t!("search-how");
    }
    let locked = (0..data.course.levels.len()).filter(|level| data.locked_by(*level).is_some()).count();
    format!("{}\n{}", t!("search-nothing"), t!("search-not-searched", locked))
}

/// Returns the text of a page as the student sees it, without what a prediction or a recall question still hides.
pub(super) fn seen_text(page: &Page, predicted: bool) -> String {
    let mut text = page.text.clone();
    for recall in &page.recall {
        text.push_str("\n\n");
        text.push_str(&recall.ask);
    }
    if let Some(predict) = &page.predict {
        text.push_str("\n\n");
        text.push_str(&predict.ask);
    }
    if page.predict.is_none() || predicted {
        text.push_str("\n\n");
        text.push_str(&page.after);
    }
    markdown::strip_markdown(&text)
}

fn around(text: &str, body: &str, word: &str) -> Option<String> {
    let before = body[..body.find(word)?].chars().count();
    // Lower case may have another length, so the position may be inexact. It moves to a character boundary.
    let at = text.char_indices().filter(|(_, c)| is_searched(*c)).nth(before).map_or(text.len(), |(at, _)| at);
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at.min(text.len())) {
            at -= 1;
        }
        at.min(text.len())
    };
    let start = boundary(at.saturating_sub(24));
    let start = if start == 0 { 0 } else { text[start..].find(' ').map_or(start, |space| start + space + 1) };
    let end = boundary((at + word.len() + 60).min(text.len()));
    Some(text[start.min(end)..end].to_owned())
}

/// Returns the row of a found page.
pub fn row(found: &Found, selected: bool, width: u16, context: &Context) -> Line<'static> {
    let look: &Look = &context.look;
    let level = context.data.course.levels.get(found.level);
    let title = level.and_then(|level| pages(level).get(found.page)).map_or("", |page| page.title.as_str());
    let number = level.map_or(0, |level| page_number(level, found.page));
    let head = format!("{}.{number} {title}  ", found.level + 1);
    let room = usize::from(width).saturating_sub(2);
    let head = truncate(&head, room, look.ascii);
    let rest = room.saturating_sub(unicode_width::UnicodeWidthStr::width(head.as_str()));
    let line = Line::from(vec![
        look.cursor(selected),
        look.span(Meaning::Text, head),
        look.span(Meaning::Muted, truncate(&found.around, rest, look.ascii)),
    ]);
    if selected { look.selected(line, width) } else { line }
}
