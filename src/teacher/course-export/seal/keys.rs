//! Removes the key of each question from the tree of a quiz.

use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use tutor_course::{Fnv, SEALED};

/// The code of each question about a planted fault, by slot and variant.
pub(super) type Codes = BTreeMap<[String; 2], Vec<String>>;

/// Removes the keys from a quiz's tree. Adds a remark for each key that its author's ids give away.
pub(super) fn strip(quiz: &mut Json, codes: &Codes, remarks: &mut Vec<String>) {
    let slots = quiz.get_mut("slots").and_then(Json::as_array_mut);
    for slot in slots.into_iter().flatten() {
        let name = slot.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
        let variants = slot.get_mut("variants").and_then(Json::as_array_mut);
        for variant in variants.into_iter().flatten().filter_map(Json::as_object_mut) {
            variant.insert("because".to_owned(), SEALED.into());
            // The digest in `of` also covers the key.
            ["claims", "of"].iter().for_each(|field| drop(variant.remove(*field)));
            let id = variant.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
            let answer = variant.get_mut("answer").and_then(Json::as_object_mut);
            for (kind, spec) in answer.into_iter().flatten() {
                if gives_away(kind, spec) {
                    remarks.push(format!("{name}/{id}: the ids give the key away. Students see the ids."));
                }
                answer_of(kind, spec, codes.get(&[name.clone(), id.clone()]));
            }
        }
    }
}

/// True if an id says only whether a choice is correct, such as `wrong-2`, or if all ids of the wrong choices begin so. An
/// id such as `wrong-size` may describe the choice. Also true if events are numbered in their order, or if a pair has one id for
/// both sides.
fn gives_away(kind: &str, spec: &Json) -> bool {
    let all = |list: &'static str| spec.get(list).unwrap_or(spec).as_array().into_iter().flatten();
    match kind {
        "match" => all("left").any(|side| side["id"].is_string() && side["id"] == side["is"]),
        "order" => {
            let ids: Vec<&str> = all("items").filter_map(|event| event["id"].as_str()).collect();
            ids.is_sorted() && ids.len() > 1
        }
        _ => [(true, &["correct", "right", "key", "true"][..]), (false, &["wrong", "false"])].into_iter().any(
            |(correct, words)| {
                let of = all("consequences").filter(|choice| (choice["correct"] == true) == correct);
                let ids = of.filter_map(|choice| choice["id"].as_str());
                let rests: Vec<_> = ids.map(|id| words.iter().find_map(|word| id.strip_prefix(word))).collect();
                let alone = |rest: &&str| rest.trim_matches(|c: char| !c.is_ascii_alphabetic()).is_empty();
                rests.iter().flatten().any(alone) || rests.len() > 1 && rests.iter().all(Option::is_some)
            },
        ),
    }
}

/// Sorts a list by hashes of its ids, so that its order tells nothing about the key, and is the same in a translation.
fn shuffle(list: Option<&mut Json>) {
    if let Some(list) = list.and_then(Json::as_array_mut) {
        list.sort_by_key(|entry| {
            let mut hash = Fnv::default();
            hash.text(entry.get("id").and_then(Json::as_str).unwrap_or_default());
            // Similar ids have similar hashes; their products differ in the upper bits, too.
            (hash.0 ^ hash.0 >> 29).wrapping_mul(0x94d0_49bb_1331_11eb)
        });
    }
}

/// Removes what distinguishes the correct choice from the others.
fn choices(all: &mut Json) {
    shuffle(Some(all));
    for choice in all.as_array_mut().into_iter().flatten().filter_map(Json::as_object_mut) {
        choice.remove("correct");
        choice.insert("why".to_owned(), SEALED.into());
    }
}

/// Removes the key from an answer's tree.
fn answer_of(kind: &str, spec: &mut Json, code: Option<&Vec<String>>) {
    if matches!(kind, "single" | "multiple") {
        return choices(spec);
    }
    let Some(fields) = spec.as_object_mut() else { return };
    fields.remove("slips");
    if fields.contains_key("why") {
        fields.insert("why".to_owned(), SEALED.into());
    }
    match kind {
        "numeric" => drop(fields.insert("formula".to_owned(), "0".into())),
        "text" => drop(fields.insert("accept".to_owned(), json!(["?"]))),
        "cloze" => {
            let blanks = fields.get_mut("blanks").and_then(Json::as_array_mut);
            blanks.into_iter().flatten().for_each(|blank| *blank = json!({ "accept": ["?"], "why": SEALED }));
        }
        "order" => shuffle(fields.get_mut("items")),
        "match" => {
            shuffle(fields.get_mut("right"));
            let left = fields.get_mut("left").and_then(Json::as_array_mut);
            left.into_iter().flatten().for_each(|side| side["is"] = SEALED.into());
        }
        "predict" => {
            let one = json!({ "banks": { "rows": 1, "pitch": 1, "row": "0", "column": "0", "block": [1, 1] } });
            fields.insert("of".to_owned(), one);
        }
        "fault" => {
            // A kernel next to its edits would show the line. The question has the text alone.
            fields.insert("code".to_owned(), code.cloned().unwrap_or_default().into());
            fields.insert("kernel".to_owned(), SEALED.into());
            fields.insert("lines".to_owned(), json!([""]));
            ["races", "stops", "beside", "region"].iter().for_each(|field| drop(fields.remove(*field)));
            fields.get_mut("consequences").into_iter().for_each(choices);
        }
        // Without a rule for the kind, an exam that cannot be read is better than one with its keys.
        _ => fields.clear(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_rule_that_hides_its_key() {
        for kind in tutor_course::QuestionKind::NAMES {
            let mut spec = json!({ "slips": [], "kept": true });
            answer_of(kind, &mut spec, None);
            assert_eq!(spec["kept"], true, "nothing hides the key of `{kind}`");
        }
    }
}
