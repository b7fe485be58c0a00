//! Exports IMS QTI 2.1: one `assessmentItem` per question, and a manifest (IMS Content Packaging 1.1).

use super::posed::{Key, Posed};
use super::{escaped, number, to_html, to_line};
use std::fmt::Write as _;
use tutor_course::Level;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const XMLNS: &str = "xmlns=\"http://www.imsglobal.org/xsd/imsqti_v2p1\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.imsglobal.org/xsd/imsqti_v2p1 http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd\"";

/// The parts of a question, in the order that an item requires.
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
}

pub(super) fn write(
    (course, level): (&str, &Level),
    questions: &[Posed],
    remarks: &mut Vec<String>,
) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut resources = String::new();
    for question in questions {
        let Some(item) = item(question, remarks) else { continue };
        let id = format!("{}-{}", level.id, question.name.replace('/', "-"));
        let name = format!("{id}.xml");
        let _ = writeln!(
            resources,
            "<resource identifier=\"r-{id}\" type=\"imsqti_item_xmlv2p1\" href=\"{name}\"><file href=\"{name}\"/></resource>"
        );
        files.push((name, written(&id, question, &item)));
    }
    let manifest = format!(
        "{HEAD}<manifest xmlns=\"http://www.imsglobal.org/xsd/imscp_v1p1\" identifier=\"m-{}-{}\">\n<metadata><schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion></metadata>\n<organizations/>\n<resources>\n{resources}</resources>\n</manifest>\n",
        escaped(course),
        escaped(&level.id)
    );
    files.insert(0, ("imsmanifest.xml".to_owned(), manifest));
    files
}

fn item(question: &Posed, remarks: &mut Vec<String>) -> Option<Item> {
    let name = &question.name;
    Some(match &question.key {
        Key::Choice { one, choices } => {
            let most = u32::from(*one);
            let id = |at: usize| format!("c{}", at + 1);
            let shown: String = choices
                .iter()
                .enumerate()
                .map(|(at, choice)| {
                    format!("<simpleChoice identifier=\"{}\">{}</simpleChoice>\n", id(at), to_line(&choice.text))
                })
                .collect();
            let right = choices.iter().enumerate().filter(|(_, choice)| choice.correct).map(|(at, _)| id(at)).collect();
            let replies: Vec<_> = choices
                .iter()
                .enumerate()
                .filter(|(_, choice)| !choice.why.trim().is_empty())
                .map(|(at, choice)| (id(at), choice.why.clone()))
                .collect();
            Item {
                cardinality: if *one { "single" } else { "multiple" },
                base: "identifier",
                right,
                interaction: format!(
                    "<choiceInteraction responseIdentifier=\"RESPONSE\" shuffle=\"true\" maxChoices=\"{most}\">\n{shown}</choiceInteraction>"
                ),
                replies,
                ..Item::default()
            }
        }
        Key::Number { value, tolerance, unit, slips, why } => {
            if *tolerance > 0.0 {
                remarks.push(format!(
                    "{name}: QTI's `equal` takes the tolerance {} here; some programs leave it out.",
                    number(tolerance * value.abs())
                ));
            }
            let unit = escaped(unit.as_deref().unwrap_or_default());
            Item {
                cardinality: "single",
                base: "float",
                right: vec![number(*value)],
                interaction: format!(
                    "<p><textEntryInteraction responseIdentifier=\"RESPONSE\" expectedLength=\"12\"/> {unit}</p>"
                ),
                replies: slips.iter().map(|(slip, why)| (number(*slip), why.clone())).collect(),
                otherwise: why.clone(),
                ..Item::default()
            }
        }
        Key::Words { accept, slips, why } => Item {
            cardinality: "single",
            base: "string",
            right: accept.iter().take(1).cloned().collect(),
            mapped: accept.clone(),
            interaction: "<p><textEntryInteraction responseIdentifier=\"RESPONSE\" expectedLength=\"24\"/></p>"
                .to_owned(),
            replies: slips.clone(),
            otherwise: why.clone(),
        },
        Key::Blanks { .. } => {
            remarks.push(format!(
                "{name}: left out: an item here has one response, and blanks are several; Moodle's XML has them."
            ));
            return None;
        }
        Key::Order { items, why } => {
            let id = |at: usize| format!("e{}", at + 1);
            let mut shown: Vec<(usize, &String)> = items.iter().enumerate().collect();
            shown.sort_by_key(|(_, text)| *text);
            let shown: String = shown
                .iter()
                .map(|(at, text)| {
                    format!("<simpleChoice identifier=\"{}\">{}</simpleChoice>\n", id(*at), to_line(text))
                })
                .collect();
            Item {
                cardinality: "ordered",
                base: "identifier",
                right: (0..items.len()).map(id).collect(),
                interaction: format!(
                    "<orderInteraction responseIdentifier=\"RESPONSE\" shuffle=\"true\">\n{shown}</orderInteraction>"
                ),
                otherwise: why.clone(),
                ..Item::default()
            }
        }
        Key::Pairs { pairs, spare, why } => {
            let side = |letter: char, texts: &mut dyn Iterator<Item = &str>| -> String {
                let choice = |(at, text): (usize, &str)| {
                    format!(
                        "<simpleAssociableChoice identifier=\"{letter}{}\" matchMax=\"1\">{}</simpleAssociableChoice>\n",
                        at + 1,
                        to_line(text)
                    )
                };
                format!("<simpleMatchSet>\n{}</simpleMatchSet>\n", texts.enumerate().map(choice).collect::<String>())
            };
            let left = side('l', &mut pairs.iter().map(|(left, _)| left.as_str()));
            let right =
                side('r', &mut pairs.iter().map(|(_, right)| right.as_str()).chain(spare.iter().map(String::as_str)));
            Item {
                cardinality: "multiple",
                base: "directedPair",
                right: (1..=pairs.len()).map(|at| format!("l{at} r{at}")).collect(),
                interaction: format!(
                    "<matchInteraction responseIdentifier=\"RESPONSE\" shuffle=\"true\" maxAssociations=\"{}\">\n{left}{right}</matchInteraction>",
                    pairs.len()
                ),
                otherwise: why.clone(),
                ..Item::default()
            }
        }
    })
}

fn written(id: &str, question: &Posed, item: &Item) -> String {
    let value = |text: &String| format!("<value>{}</value>", escaped(text));
    let mut out = format!(
        "{HEAD}<assessmentItem {XMLNS} identifier=\"{id}\" title=\"{}\" adaptive=\"false\" timeDependent=\"false\">\n",
        escaped(&question.name)
    );
    let _ = write!(
        out,
        "<responseDeclaration identifier=\"RESPONSE\" cardinality=\"{}\" baseType=\"{}\">\n<correctResponse>{}</correctResponse>\n",
        item.cardinality,
        item.base,
        item.right.iter().map(value).collect::<String>()
    );
    if !item.mapped.is_empty() {
        let entries: String = item
            .mapped
            .iter()
            .map(|text| format!("<mapEntry mapKey=\"{}\" mappedValue=\"1\" caseSensitive=\"false\"/>", escaped(text)))
            .collect();
        let _ = writeln!(out, "<mapping lowerBound=\"0\" upperBound=\"1\" defaultValue=\"0\">{entries}</mapping>");
    }
    out += "</responseDeclaration>\n<outcomeDeclaration identifier=\"SCORE\" cardinality=\"single\" baseType=\"float\"><defaultValue><value>0</value></defaultValue></outcomeDeclaration>\n<outcomeDeclaration identifier=\"FEEDBACK\" cardinality=\"multiple\" baseType=\"identifier\"/>\n";
    let _ = write!(out, "<itemBody>\n{}\n{}\n</itemBody>\n", to_html(&question.ask), item.interaction);
    out += "<responseProcessing>\n<responseCondition>\n<responseIf>";
    let response = "<variable identifier=\"RESPONSE\"/>";
    let within = match &question.key {
        Key::Number { value, tolerance, slips, .. } if *tolerance > 0.0 => {
            let values = std::iter::once(value).chain(slips.iter().map(|(slip, _)| slip));
            values.map(|value| number(tolerance * value.abs())).collect()
        }
        _ => Vec::new(),
    };
    // The correct answer is the first one, and the replies follow.
    let equal = |at: usize, to: &str| match within.get(at) {
        Some(within) => {
            format!("<equal toleranceMode=\"absolute\" tolerance=\"{within} {within}\">{response}{to}</equal>")
        }
        None if item.base == "float" => format!("<equal toleranceMode=\"exact\">{response}{to}</equal>"),
        None => format!("<match>{response}{to}</match>"),
    };
    let right = if item.mapped.is_empty() {
        equal(0, "<correct identifier=\"RESPONSE\"/>")
    } else {
        "<gt><mapResponse identifier=\"RESPONSE\"/><baseValue baseType=\"float\">0</baseValue></gt>".to_owned()
    };
    let said = |feedback: &str| {
        format!(
            "<setOutcomeValue identifier=\"FEEDBACK\"><multiple><variable identifier=\"FEEDBACK\"/><baseValue baseType=\"identifier\">{feedback}</baseValue></multiple></setOutcomeValue>"
        )
    };
    let _ = writeln!(
        out,
        "{right}<setOutcomeValue identifier=\"SCORE\"><baseValue baseType=\"float\">1</baseValue></setOutcomeValue>{}</responseIf>",
        said("right")
    );
    if !item.otherwise.trim().is_empty() {
        let _ = writeln!(out, "<responseElse>{}</responseElse>", said("wrong"));
    }
    out += "</responseCondition>\n";
    for (at, (to, _)) in item.replies.iter().enumerate() {
        let base = format!("<baseValue baseType=\"{}\">{}</baseValue>", item.base, escaped(to));
        let met = if item.cardinality == "multiple" {
            format!("<member>{base}{response}</member>")
        } else {
            equal(at + 1, &base)
        };
        let _ = writeln!(
            out,
            "<responseCondition><responseIf>{met}{}</responseIf></responseCondition>",
            said(&format!("reply{}", at + 1))
        );
    }
    out += "</responseProcessing>\n";
    let modal = |feedback: &str, text: &str| {
        format!(
            "<modalFeedback outcomeIdentifier=\"FEEDBACK\" identifier=\"{feedback}\" showHide=\"show\">{}</modalFeedback>\n",
            to_html(text)
        )
    };
    out += &modal("right", &question.because);
    if !item.otherwise.trim().is_empty() {
        out += &modal("wrong", &item.otherwise);
    }
    for (at, (_, why)) in item.replies.iter().enumerate() {
        out += &modal(&format!("reply{}", at + 1), why);
    }
    out + "</assessmentItem>\n"
}
