//! Exports IMS QTI 2.1: one `assessmentItem` per question, and a manifest (IMS Content Packaging 1.1).

use crate::html::{to_html, to_line};
use crate::posed::{Key, Posed};
use crate::questions::{Remarks, number, within};
use tutor_course::Level;
use tutor_support::t;
use tutor_support::xml::{DECLARATION, element, escaped};

const QTI: &str = "http://www.imsglobal.org/xsd/imsqti_v2p1";
const SCHEMA: &str =
    "http://www.imsglobal.org/xsd/imsqti_v2p1 http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd";
const PACKAGE: &str = "http://www.imsglobal.org/xsd/imscp_v1p1";

/// The parts of a question.
#[derive(Default)]
struct Item {
    cardinality: &'static str,
    base: &'static str,
    right: Vec<String>,
    /// Other accepted responses, worth one point each.
    mapped: Vec<String>,
    interaction: String,
    /// Responses and the replies to them.
    replies: Vec<(String, String)>,
    otherwise: String,
    /// Other correct numbers, to which a response must be equal.
    rounded: Vec<f64>,
    /// Absolute tolerances of the correct number and of the responses in `replies`. Empty for other responses.
    within: Vec<String>,
}

pub(super) fn write(
    (course, level): (&str, &Level),
    questions: &[Posed],
    remarks: &mut Remarks,
) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut resources = String::from("\n");
    for question in questions {
        let Some(item) = item(question, remarks) else { continue };
        let id = format!("{}-{}", level.id, question.name.replace('/', "-"));
        let name = format!("{id}.xml");
        let resource = [("identifier", &*format!("r-{id}")), ("type", "imsqti_item_xmlv2p1"), ("href", &name)];
        resources += &(element("resource", &resource, &element("file", &[("href", &name)], "")) + "\n");
        files.push((name, document(&id, question, &item)));
    }
    let schema = element("schema", &[], "QTIv2.1 Package") + &element("schemaversion", &[], "1.0.0");
    let parts =
        [element("metadata", &[], &schema), element("organizations", &[], ""), element("resources", &[], &resources)];
    let manifest = [("xmlns", PACKAGE), ("identifier", &format!("m-{course}-{}", level.id))];
    let manifest = format!("{DECLARATION}{}\n", element("manifest", &manifest, &parts.join("\n")));
    files.insert(0, ("imsmanifest.xml".to_owned(), manifest));
    files
}

/// Returns the element in which a student answers.
fn interaction(name: &str, attributes: &[(&str, &str)], choices: &str) -> String {
    element(name, &[&[("responseIdentifier", "RESPONSE")], attributes].concat(), choices)
}

/// Returns choices of Markdown, with identifiers that consist of a letter and a number from 1.
fn choices<'a>(
    name: &str,
    letter: char,
    more: &[(&str, &str)],
    texts: impl Iterator<Item = (usize, &'a str)>,
) -> String {
    let choice = |(at, text): (usize, &str)| {
        element(name, &[&[("identifier", &*format!("{letter}{}", at + 1))], more].concat(), &to_line(text)) + "\n"
    };
    texts.map(choice).collect()
}

/// Returns the parts of a question. `None` if an item cannot express it.
fn item(question: &Posed, remarks: &mut Remarks) -> Option<Item> {
    let name = &question.name;
    let shuffle = ("shuffle", "true");
    Some(match &question.key {
        Key::Choice { one, choices: all } => {
            let id = |at: usize| format!("c{}", at + 1);
            let shown = choices("simpleChoice", 'c', &[], all.iter().map(|choice| &*choice.text).enumerate());
            let numbered = || (0..).zip(all);
            let replies = numbered().filter(|(_, choice)| !choice.why.trim().is_empty());
            Item {
                cardinality: if *one { "single" } else { "multiple" },
                base: "identifier",
                right: numbered().filter(|(_, choice)| choice.correct).map(|(at, _)| id(at)).collect(),
                interaction: interaction(
                    "choiceInteraction",
                    &[shuffle, ("maxChoices", if *one { "1" } else { "0" })],
                    &shown,
                ),
                replies: replies.map(|(at, choice)| (id(at), choice.why.clone())).collect(),
                ..Item::default()
            }
        }
        Key::Number { value, tolerance, rounded, unit, slips, why } => {
            if *tolerance > 0.0 {
                remarks.about(name, &t!("export-qti-tolerance", within = within(*value, *tolerance)));
            }
            if let Some(unit) = unit {
                remarks.about(name, &t!("export-qti-unit", unit));
            }
            let values = std::iter::once(value).chain(slips.iter().map(|(slip, _)| slip));
            let entry = interaction("textEntryInteraction", &[("expectedLength", "12")], "");
            let unit = escaped(unit.as_deref().unwrap_or_default());
            Item {
                cardinality: "single",
                base: "float",
                right: vec![number(*value)],
                rounded: rounded.clone(),
                interaction: element("p", &[], &format!("{entry} {unit}")),
                replies: slips.iter().map(|(slip, why)| (number(*slip), why.clone())).collect(),
                otherwise: why.clone(),
                within: values.map(|value| within(*value, *tolerance)).collect(),
                ..Item::default()
            }
        }
        Key::Words { accept, slips, why } => Item {
            cardinality: "single",
            base: "string",
            right: accept.iter().take(1).cloned().collect(),
            mapped: accept.clone(),
            interaction: element("p", &[], &interaction("textEntryInteraction", &[("expectedLength", "24")], "")),
            replies: slips.clone(),
            otherwise: why.clone(),
            ..Item::default()
        },
        Key::Blanks { .. } => {
            remarks.leave_out(name, &t!("export-qti-blanks"));
            return None;
        }
        Key::Order { items, why } => {
            let mut shown: Vec<(usize, &str)> = items.iter().map(String::as_str).enumerate().collect();
            shown.sort_by_key(|(_, text)| *text);
            let shown = choices("simpleChoice", 'e', &[], shown.into_iter());
            Item {
                cardinality: "ordered",
                base: "identifier",
                right: (1..=items.len()).map(|at| format!("e{at}")).collect(),
                interaction: interaction("orderInteraction", &[shuffle], &shown),
                otherwise: why.clone(),
                ..Item::default()
            }
        }
        Key::Pairs { pairs, spare, why } => {
            let once = [("matchMax", "1")];
            let left = pairs.iter().map(|(left, _)| left.as_str());
            let right = pairs.iter().map(|(_, right)| right).chain(spare).map(String::as_str);
            let sides = [
                choices("simpleAssociableChoice", 'l', &once, left.enumerate()),
                choices("simpleAssociableChoice", 'r', &once, right.enumerate()),
            ];
            let sides = sides.map(|side| element("simpleMatchSet", &[], &side)).join("\n");
            let most = [shuffle, ("maxAssociations", &*pairs.len().to_string())];
            Item {
                cardinality: "multiple",
                base: "directedPair",
                right: (1..=pairs.len()).map(|at| format!("l{at} r{at}")).collect(),
                interaction: interaction("matchInteraction", &most, &sides),
                otherwise: why.clone(),
                ..Item::default()
            }
        }
    })
}

/// Returns the document of an item. Its elements have the order that the schema requires.
fn document(id: &str, question: &Posed, item: &Item) -> String {
    let parts = [
        declarations(item),
        element("itemBody", &[], &[to_html(&question.ask), item.interaction.clone()].join("\n")),
        processing(item),
        replies(question, item),
    ];
    let attributes = [
        ("xmlns", QTI),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ("xsi:schemaLocation", SCHEMA),
        ("identifier", id),
        ("title", &question.name),
        ("adaptive", "false"),
        ("timeDependent", "false"),
    ];
    format!("{DECLARATION}{}\n", element("assessmentItem", &attributes, &parts.join("\n")))
}

fn value(text: &str) -> String {
    element("value", &[], &escaped(text))
}

/// Returns the declarations of the response and of the outcomes: the points, and the replies to show.
fn declarations(item: &Item) -> String {
    let declared = |name: &str, id: &str, cardinality: &str, base: &str, inner: &str| {
        element(name, &[("identifier", id), ("cardinality", cardinality), ("baseType", base)], inner)
    };
    let right: String = item.right.iter().map(|right| value(right)).collect();
    let mut response = element("correctResponse", &[], &right);
    if !item.mapped.is_empty() {
        let entry = |text: &String| {
            element("mapEntry", &[("mapKey", text), ("mappedValue", "1"), ("caseSensitive", "false")], "")
        };
        let entries: String = item.mapped.iter().map(entry).collect();
        response += &element("mapping", &[("lowerBound", "0"), ("upperBound", "1"), ("defaultValue", "0")], &entries);
    }
    [
        declared("responseDeclaration", "RESPONSE", item.cardinality, item.base, &response),
        declared("outcomeDeclaration", "SCORE", "single", "float", &element("defaultValue", &[], &value("0"))),
        declared("outcomeDeclaration", "FEEDBACK", "multiple", "identifier", ""),
    ]
    .join("\n")
}

fn variable(id: &str) -> String {
    element("variable", &[("identifier", id)], "")
}

fn base_value(base: &str, text: &str) -> String {
    element("baseValue", &[("baseType", base)], &escaped(text))
}

fn set_outcome(id: &str, inner: &str) -> String {
    element("setOutcomeValue", &[("identifier", id)], inner)
}

/// Returns an element that adds a reply to those to show.
fn show(reply: &str) -> String {
    set_outcome("FEEDBACK", &element("multiple", &[], &(variable("FEEDBACK") + &base_value("identifier", reply))))
}

/// Returns the rules that grade a response and select the replies to it.
fn processing(item: &Item) -> String {
    let condition = |inner: &str| element("responseCondition", &[], inner) + "\n";
    // The correct response has number 0, and those with replies follow.
    let exactly = |both: &str| element("equal", &[("toleranceMode", "exact")], both);
    let equal = |number: usize, to: &str| {
        let both = variable("RESPONSE") + to;
        match item.within.get(number).map(String::as_str) {
            Some("0") => exactly(&both),
            Some(within) => {
                let tolerance = format!("{within} {within}");
                element("equal", &[("toleranceMode", "absolute"), ("tolerance", &tolerance)], &both)
            }
            None => element("match", &[], &both),
        }
    };
    let response = ("identifier", "RESPONSE");
    let right = if item.mapped.is_empty() {
        let correct = equal(0, &element("correct", &[response], ""));
        let rounded =
            item.rounded.iter().map(|it| exactly(&(variable("RESPONSE") + &base_value("float", &number(*it)))));
        let rounded: String = rounded.collect();
        if rounded.is_empty() { correct } else { element("or", &[], &(correct + &rounded)) }
    } else {
        element("gt", &[], &(element("mapResponse", &[response], "") + &base_value("float", "0")))
    };
    let point = set_outcome("SCORE", &base_value("float", "1"));
    let mut grading = element("responseIf", &[], &[right, point, show("right")].concat());
    if !item.otherwise.trim().is_empty() {
        grading += &element("responseElse", &[], &show("wrong"));
    }
    let mut rules = condition(&grading);
    for (number, (to, _)) in (1..).zip(&item.replies) {
        let base = base_value(item.base, to);
        let met = match item.cardinality {
            "multiple" => element("member", &[], &(base + &variable("RESPONSE"))),
            _ => equal(number, &base),
        };
        rules += &condition(&element("responseIf", &[], &(met + &show(&format!("reply{number}")))));
    }
    element("responseProcessing", &[], &rules)
}

/// Returns the replies that [`processing`] selects.
fn replies(question: &Posed, item: &Item) -> String {
    let reply = |id: &str, text: &str| {
        let attributes = [("outcomeIdentifier", "FEEDBACK"), ("identifier", id), ("showHide", "show")];
        element("modalFeedback", &attributes, &to_html(text)) + "\n"
    };
    let mut all = reply("right", &question.because);
    if !item.otherwise.trim().is_empty() {
        all += &reply("wrong", &item.otherwise);
    }
    for (number, (_, why)) in (1..).zip(&item.replies) {
        all += &reply(&format!("reply{number}"), why);
    }
    all
}
