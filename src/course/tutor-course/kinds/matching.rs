//! Match pairs: each left-hand side with its right-hand side.

use super::{QuestionRules, SEALED, listed, repeated, text_of, unknown_id};
use crate::lint::Path;
use crate::prelude::*;

/// Pairs to be matched.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Matching {
    /// Left-hand sides, shown in this order.
    #[schemars(length(min = 3))]
    pub left: Vec<LeftSide>,
    /// Right-hand sides, shown shuffled. Each belongs to at most one left-hand side; some may belong to none.
    #[schemars(length(min = 3, max = MAX_PARTNERS))]
    pub right: Vec<RightSide>,
    /// Typical wrong pairs.
    #[serde(default)]
    pub slips: Vec<PairSlip>,
    /// The reason for any other wrong pair.
    pub why: String,
}

/// A left-hand side of a [`Matching`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct LeftSide {
    /// Stable id, unique among the left-hand sides.
    pub id: At<String>,
    /// Markdown, short.
    pub text: String,
    /// The id of its right-hand side.
    pub is: At<String>,
}

/// A right-hand side of a [`Matching`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RightSide {
    /// Stable id, unique among the right-hand sides. Students see it in files of answers, so it must not reveal the
    /// partner.
    pub id: At<String>,
    /// Markdown, short.
    pub text: String,
}

/// A typical wrong pair.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct PairSlip {
    /// The left-hand side's id.
    pub left: At<String>,
    /// The id of the right-hand side with which it was wrongly matched.
    pub right: At<String>,
    /// Names the misconception and corrects it.
    pub why: String,
}

/// Maximum number of right-hand sides, which are named by the letters a to h.
const MAX_PARTNERS: usize = 8;

/// Both sides as a student sees them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sides {
    /// The left-hand sides, in the author's order.
    pub left: Vec<Item>,
    /// The right-hand sides, in shuffled order. Some may belong to none.
    pub right: Vec<Item>,
}

impl QuestionRules for Matching {
    type Authored = Self;
    type Shown = Sides;
    /// Maps left ids to right ids.
    type Response = BTreeMap<String, String>;
    const NAME: &'static str = "match";

    fn items(spec: &Matching) -> Vec<Item> {
        spec.right.iter().map(|item| Item { id: item.id.value.clone(), text: item.text.clone() }).collect()
    }
    fn order_reveals_answer(spec: &Matching, order: &[String]) -> bool {
        // Each right-hand side is next to its partner.
        spec.left.iter().zip(order).all(|(left, right)| left.is.value == *right)
    }
    fn view(spec: &Matching, items: Vec<Item>) -> Sides {
        let left = |item: &LeftSide| Item { id: item.id.value.clone(), text: item.text.clone() };
        Sides { left: spec.left.iter().map(left).collect(), right: items }
    }
    fn shown(view: &Sides) -> &[Item] {
        &view.right
    }
    fn usable(spec: &Matching, _: &Parameters) -> bool {
        let known = |left: &LeftSide| left.is.value == SEALED || spec.right.iter().any(|right| right.id == left.is);
        spec.left.len() > 1 && spec.left.iter().all(known)
    }
    fn fingerprint(spec: &Matching, hash: &mut Fnv) {
        let mut pairs: Vec<(&str, &str)> =
            spec.left.iter().map(|l| (l.id.value.as_str(), l.is.value.as_str())).collect();
        pairs.sort_unstable();
        for (left, right) in pairs {
            hash.text(left);
            hash.text(right);
        }
    }
    fn expects(_: &Sides) -> Sentence {
        sentence!("mastery-takes-match")
    }
    fn problem(view: &Sides, pairs: &BTreeMap<String, String>) -> Option<Sentence> {
        let fault = pairs
            .iter()
            .find_map(|(left, right)| unknown_id(left, &view.left).or_else(|| unknown_id(right, &view.right)));
        let open = view.left.iter().filter(|item| !pairs.contains_key(&item.id)).count();
        fault.or_else(|| repeated(pairs.values())).or_else(|| (open > 0).then(|| sentence!("mastery-match-open", open)))
    }
    fn grade(spec: &Matching, _: &Parameters, pairs: &BTreeMap<String, String>) -> Result<Verdict, Sentence> {
        let wrong = |left: &&LeftSide| pairs.get(&left.id.value) != Some(&left.is.value);
        let Some(left) = spec.left.iter().find(wrong) else { return Ok(Ok(())) };
        let given = pairs.get(&left.id.value);
        let slip = spec.slips.iter().find(|slip| slip.left == left.id && Some(&slip.right.value) == given);
        let why = slip.map_or(&spec.why, |slip| &slip.why);
        let why = t!("mastery-mismatched", left = left.text.trim(), why = why.as_str());
        Ok(Err((Miss::Mismatched(left.id.value.clone()), why)))
    }
    fn describe_answer(view: &Sides, pairs: &BTreeMap<String, String>) -> Vec<String> {
        let pair = |left: &Item| {
            let right = pairs.get(&left.id).map_or_else(|| "…".to_owned(), |id| text_of(id, &view.right));
            format!("{}: {right}", left.text.trim())
        };
        view.left.iter().map(pair).collect()
    }
    fn listing(view: &Sides) -> Vec<String> {
        let mut listing = listed(&view.left);
        listing.push(t!("cli-quiz-form-match-with"));
        listing.extend(listed(&view.right));
        listing
    }
    fn form(view: &Sides) -> String {
        let pairs: Vec<String> = view.left.iter().map(|left| format!("{}: …", left.id)).collect();
        t!("cli-quiz-form-match", pairs = pairs.join(", "))
    }
    fn reasons(spec: &Matching, _: &Parameters) -> Vec<Reason> {
        let right = Self::items(spec);
        let pair = |left: &LeftSide, id: &str| format!("{}: {}", left.text.trim(), text_of(id, &right));
        let slip = |slip: &PairSlip| {
            let left = spec.left.iter().find(|left| left.id == slip.left)?;
            Some(Reason::wrong(pair(left, &slip.right), &slip.why))
        };
        let pairs = spec.left.iter().map(|left| Reason::right(pair(left, &left.is)));
        let alone = right.iter().filter(|item| spec.left.iter().all(|left| left.is.value != item.id));
        let alone = alone.map(|item| {
            let answer = t!("quiz-no-partner", text = item.text.trim());
            Reason { right: false, answer, why: None }
        });
        let others = spec.slips.iter().filter_map(slip).chain([Reason::other(&spec.why)]);
        pairs.chain(alone).chain(others).collect()
    }

    fn check(lint: &mut Lint<'_>, spec: &Matching, _: &Variant, path: &Path<'_>) {
        lint.text("The reason", &spec.why, &path.to("why"));
        lint.ids("left-hand side", spec.left.iter().map(|item| &item.id));
        lint.ids("right-hand side", spec.right.iter().map(|item| &item.id));
        lint.at_most(MAX_PARTNERS, "right-hand sides", spec.right.len(), &path.to("right"));
        if spec.left.len() < 3 {
            let message = format!("{} pairs are too few to be matched.", spec.left.len());
            lint.report("match-pairs", &path.to("left"), message, "Give at least three.");
        }
        lint.texts("match-pairs", "left-hand side", spec.left.iter().map(|item| item.text.as_str()), &path.to("left"));
        lint.texts(
            "match-pairs",
            "right-hand side",
            spec.right.iter().map(|item| item.text.as_str()),
            &path.to("right"),
        );
        for (index, item) in spec.left.iter().enumerate().filter(|(_, item)| item.is.value != SEALED) {
            let known = spec.right.iter().map(|right| right.id.value.as_str());
            lint.reference("match-pairs", "right-hand side", &item.is, known);
            if spec.left.iter().take(index).any(|other| other.is == item.is) {
                let message = format!("`{}` belongs to two left-hand sides.", item.is.value);
                lint.report("match-pairs", &item.is, message, "A right-hand side has at most one partner.");
            }
        }
        for (index, slip) in spec.slips.iter().enumerate() {
            let path = path.to("slips");
            let path = path.to(index);
            lint.text("The reason", &slip.why, &path.to("why"));
            lint.reference(
                "match-pairs",
                "left-hand side",
                &slip.left,
                spec.left.iter().map(|left| left.id.value.as_str()),
            );
            lint.reference(
                "match-pairs",
                "right-hand side",
                &slip.right,
                spec.right.iter().map(|right| right.id.value.as_str()),
            );
            if spec.left.iter().any(|left| left.id == slip.left && left.is == slip.right) {
                let message =
                    format!("`{}` and `{}` are a slip, but also a correct pair.", slip.left.value, slip.right.value);
                lint.report("match-pairs", &slip.right, message, "");
            }
            if spec.slips.iter().take(index).any(|other| other.left == slip.left && other.right == slip.right) {
                let message = format!("The slip `{}` and `{}` is given twice.", slip.left.value, slip.right.value);
                lint.report("match-pairs", &slip.right, message, "");
            }
        }
    }
}
