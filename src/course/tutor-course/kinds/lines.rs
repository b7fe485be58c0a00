//! Answers on one line: items by their letters or ids.

use crate::prelude::*;

pub(super) fn letters() -> impl Iterator<Item = char> {
    'a'..='z'
}

/// Returns the letter of an item, or the id if no item has it.
pub(super) fn letter(id: &str, items: &[Item]) -> String {
    let found = letters().zip(items).find(|(_, item)| item.id == *id);
    found.map_or_else(|| id.to_owned(), |(letter, _)| letter.to_string())
}

/// Lists ids with their texts, for a form.
pub(super) fn listed(items: &[Item]) -> Vec<String> {
    items.iter().map(|item| format!("  {}: {}", item.id, item.text)).collect()
}

/// Returns the id for a letter. Any other text may be an id and is returned unchanged.
pub(super) fn id(typed: &str, items: &[Item]) -> String {
    let item = letters().zip(items).find(|(letter, _)| typed.eq_ignore_ascii_case(&letter.to_string()));
    item.map_or_else(|| typed.to_owned(), |(_, item)| item.id.clone())
}

/// Returns an error if an id names no choice.
pub(super) fn known(ids: &[String], items: &[Item]) -> Result<(), Sentence> {
    let Some(unknown) = ids.iter().find(|&id| items.iter().all(|item| item.id != *id)) else { return Ok(()) };
    let Some((last, _)) = letters().zip(items).last() else { return Ok(()) };
    Err(sentence!("cli-quiz-no-choice", typed = text::lines(unknown), last))
}

/// Reads letters or ids. `a c`, `a,c` and `ac` are the same letters. Ids must be separated.
pub(super) fn ids(typed: &str, items: &[Item]) -> Vec<String> {
    let words: Vec<&str> = typed.split([' ', ',', '\t']).filter(|word| !word.is_empty()).collect();
    let is_letters = |word: &str| word.chars().all(|c| letters().zip(items).any(|(l, _)| l.eq_ignore_ascii_case(&c)));
    match words.as_slice() {
        [word] if !items.iter().any(|item| item.id == *word) && is_letters(word) => {
            word.chars().map(|letter| id(&letter.to_string(), items)).collect()
        }
        words => words.iter().map(|word| id(word, items)).collect(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::kinds) fn items(names: &[&str]) -> Vec<Item> {
        names.iter().map(|name| Item { id: (*name).into(), text: (*name).into() }).collect()
    }

    #[test]
    fn a_letter_that_stands_for_no_choice_is_refused_with_the_letters_there_are() {
        let items = items(&["x-first", "y-first"]);
        let told = |typed: &str| known(&[id(typed, &items)], &items).err();
        assert_eq!(
            told("2").map(|told| told.to_string()).as_deref(),
            Some("There is no choice `2`; type letters from a to b.")
        );
        assert_eq!(told("B"), None);
        assert_eq!(told("y-first"), None);
        assert!(known(&ids("a c", &items), &items).is_err());
    }
}
