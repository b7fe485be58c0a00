/*! Analyses how a class answered each question, with the item statistics of classical test theory.

Only the first attempt of each student at each gate counts, because later attempts benefit from seen answers.
*/

use super::attempt::AttemptKind;
use super::handed_in::{HandedAttempt, HandedIn, HandedItem};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Minimum number of answers. With fewer, a correlation is noise and is not shown.
pub const MIN_ANSWERS: usize = 20;
/// A choice with a smaller share does not work as a distractor (Haladyna and Downing, "How many options is enough for a
/// multiple-choice test item?", 1993).
pub const IDLE_SHARE: f64 = 0.05;
/// A question is too hard if fewer than this share answer correctly, as by guessing among four choices, and the upper bound
/// of the interval is below [`HARD_BOUND`]: four incorrect answers of four are enough, and three of three are not.
const HARD: f64 = 0.25;
const HARD_BOUND: f64 = 0.5;
/// The share of the class in its best and in its weakest group (Kelley, "The selection of upper and lower groups for the
/// validation of test items", 1939).
const GROUP: f64 = 0.27;
/// A question with a smaller discrimination index is poor (Ebel and Frisbie, *Essentials of Educational Measurement*, 5th
/// edition, 1991).
const POOR: f64 = 0.2;
/// The step in which the report shows a correlation. What it shows as 0 is not negative.
const SHOWN: f64 = 0.01;
/// Minimum number of students who give the same incorrect answer before that is suspicious.
const MIN_SAME: usize = 3;
/// Maximum number of typed answers that are listed for a question.
const MAX_TYPED: usize = 20;
/// A question is too easy if the lower bound of the interval of its correct answers exceeds this share.
const EASY: f64 = 0.9;

/// The statistics of one variant of a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemAnalysis {
    pub level: String,
    pub slot: String,
    pub variant: String,
    /// Students who got it in their first attempt.
    pub n: usize,
    /// The share of correct answers, which is the difficulty index of classical test theory.
    pub facility: f64,
    /// The 95 % confidence interval of that share (Wilson, "Probable inference, the law of succession, and statistical
    /// inference", 1927).
    pub interval: [f64; 2],
    /// The item-rest correlation: Pearson's correlation of a correct answer here with the number of correct answers to
    /// the other questions of the attempt. Null with fewer than [`MIN_ANSWERS`] answers, or if one of the two does not vary.
    pub item_rest: Option<f64>,
    /// The discrimination index: the facility among the 27 % with the most correct answers to the other questions, minus that
    /// among the 27 % with the fewest. Null with fewer than [`MIN_ANSWERS`] answers.
    pub discrimination: Option<f64>,
    /// Every shown choice with its counts. For an order or for pairs, every place or partner that a student gave.
    pub choices: Vec<ChoiceAnalysis>,
    /// What students typed, the most frequent first: at most 20 texts, numbers, fillings or lines.
    pub typed: Vec<TypedAnswer>,
    /// The median of the answering times, in seconds.
    pub median_seconds: Option<f64>,
    /// The replies to incorrect answers with their counts, the most frequent first.
    pub misconceptions: Vec<(String, usize)>,
    /// Problems that an author should look at.
    pub flags: Vec<Flag>,
}

/// A choice of a question, the place of an item in an order (`2: wait`), or a pair (`left: right`).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChoiceAnalysis {
    pub id: String,
    /// True if a correct answer contains this choice.
    pub key: bool,
    /// Number of students who chose it.
    pub taken: usize,
    /// The share of students who chose it, in the third with the most correct answers in the attempt.
    /// Null with fewer than [`MIN_ANSWERS`] answers.
    pub upper: Option<f64>,
    /// The same share in the third with the fewest correct answers.
    pub lower: Option<f64>,
    /// True for a distractor that hardly any student chooses; always false with fewer than [`MIN_ANSWERS`] answers.
    pub idle: bool,
}

/// An answer that students typed, and the numbers in the question if they were drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TypedAnswer {
    pub text: String,
    /// Number of students who typed it.
    pub times: usize,
    pub correct: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// No student answers it correctly, or hardly one: the key may be wrong.
    TooHard,
    /// At least half of the students give the same incorrect answer, and fewer the correct one: the key may be wrong.
    SameWrongAnswer,
    /// Nearly all students answer it correctly.
    TooEasy,
    /// Students who answer it correctly tend to answer other questions incorrectly.
    NegativeDiscrimination,
    /// Good students answer it correctly hardly more often than weak ones.
    PoorDiscrimination,
    /// In the best third, more students choose a distractor than the key.
    DistractorBeatsKey,
}

/// Returns the first attempt of each student at each gate, with the student's index.
pub fn first_attempts(class: &[HandedIn]) -> Vec<(usize, &HandedAttempt)> {
    let mut first: BTreeMap<(usize, &str), &HandedAttempt> = BTreeMap::new();
    for (student, work) in class.iter().enumerate() {
        for attempt in work.attempts.iter().filter(|attempt| attempt.kind == AttemptKind::Gate) {
            let known = first.entry((student, &attempt.level)).or_insert(attempt);
            if attempt.started_at < known.started_at {
                *known = attempt;
            }
        }
    }
    first.into_iter().map(|((student, _), attempt)| (student, attempt)).collect()
}

/// Returns the statistics of every variant that was asked, by level, slot and variant.
pub fn analyse(class: &[HandedIn]) -> Vec<ItemAnalysis> {
    let mut asked: BTreeMap<[&str; 3], Vec<(&HandedAttempt, &HandedItem)>> = BTreeMap::new();
    for (_, attempt) in first_attempts(class) {
        for item in &attempt.items {
            asked.entry([&attempt.level, &item.slot, &item.variant]).or_default().push((attempt, item));
        }
    }
    asked.into_iter().map(|(names, answers)| item(names, answers)).collect()
}

fn item([level, slot, variant]: [&str; 3], mut answers: Vec<(&HandedAttempt, &HandedItem)>) -> ItemAnalysis {
    let n = answers.len();
    let right = answers.iter().filter(|(_, item)| item.correct).count();
    let pairs: Vec<[f64; 2]> = answers
        .iter()
        .map(|(attempt, item)| {
            let own = f64::from(u8::from(item.correct));
            [own, f64::from(attempt.correct) - own]
        })
        .collect();
    // The best attempts come first; among equal ones, the earlier student.
    answers.sort_by_key(|(attempt, _)| std::cmp::Reverse(attempt.correct));
    let third = n / 3;
    let (upper, lower) = (&answers[..third], &answers[n - third..]);
    let share = |of: &[(&HandedAttempt, &HandedItem)], id: &str| {
        let taken = of.iter().filter(|(_, item)| took(item, id)).count();
        (n >= MIN_ANSWERS).then(|| taken as f64 / of.len() as f64)
    };
    let arranged = answers.iter().any(|(_, item)| item.is_arranged());
    let shown = |item: &HandedItem| if arranged { item.taken() } else { item.choices.clone() };
    let ids: BTreeSet<String> = answers.iter().flat_map(|(_, item)| shown(item)).collect();
    let choices: Vec<ChoiceAnalysis> = ids
        .into_iter()
        .map(|id| {
            let taken = answers.iter().filter(|(_, item)| took(item, &id)).count();
            let key = answers.iter().any(|(_, item)| item.correct && took(item, &id));
            let idle = !key && !arranged && n >= MIN_ANSWERS && (taken as f64) < IDLE_SHARE * n as f64;
            ChoiceAnalysis { key, taken, upper: share(upper, &id), lower: share(lower, &id), idle, id }
        })
        .collect();
    let item_rest = if n >= MIN_ANSWERS { correlation(&pairs) } else { None };
    let facility = if n == 0 { 0.0 } else { right as f64 / n as f64 };
    let interval = wilson(right, n);
    let discrimination = (n >= MIN_ANSWERS).then(|| {
        let mut rest: Vec<[f64; 2]> = pairs.clone();
        rest.sort_by(|one, other| other[1].total_cmp(&one[1]));
        let group = (n as f64 * GROUP).round() as usize;
        let right = |of: &[[f64; 2]]| of.iter().map(|pair| pair[0]).sum::<f64>() / group as f64;
        right(&rest[..group]) - right(&rest[n - group..])
    });
    let mut texts: BTreeMap<String, (String, usize, bool)> = BTreeMap::new();
    for (text, correct) in answers.iter().filter_map(|(_, item)| Some((item.typed()?, item.correct))) {
        let known = texts.entry(text.to_lowercase()).or_insert((text, 0, false));
        (known.1, known.2) = (known.1 + 1, known.2 || correct);
    }
    let mut typed: Vec<TypedAnswer> =
        texts.into_values().map(|(text, times, correct)| TypedAnswer { text, times, correct }).collect();
    typed.sort_by_key(|answer| std::cmp::Reverse(answer.times));
    let mut flags = Vec::new();
    if facility < HARD && interval[1] < HARD_BOUND {
        flags.push(Flag::TooHard);
    }
    let wrong_choices = choices.iter().filter(|choice| !choice.key && !arranged).map(|choice| choice.taken);
    let wrong_texts = typed.iter().filter(|answer| !answer.correct).map(|answer| answer.times);
    if wrong_choices.chain(wrong_texts).any(|times| times >= MIN_SAME && 2 * times >= n && times > right) {
        flags.push(Flag::SameWrongAnswer);
    }
    typed.truncate(MAX_TYPED);
    if interval[0] > EASY {
        flags.push(Flag::TooEasy);
    }
    if item_rest.is_some_and(|item_rest| item_rest < -SHOWN / 2.0) {
        flags.push(Flag::NegativeDiscrimination);
    } else if discrimination.is_some_and(|index| index < POOR) && !flags.contains(&Flag::TooEasy) {
        flags.push(Flag::PoorDiscrimination);
    }
    let best_key = choices.iter().filter(|choice| choice.key).filter_map(|choice| choice.upper).fold(0.0, f64::max);
    if choices.iter().any(|choice| !choice.key && choice.upper.is_some_and(|upper| upper > best_key)) {
        flags.push(Flag::DistractorBeatsKey);
    }
    let mut whys: BTreeMap<&str, usize> = BTreeMap::new();
    for why in answers.iter().filter_map(|(_, item)| item.why.as_deref()).filter(|why| !why.trim().is_empty()) {
        *whys.entry(why).or_default() += 1;
    }
    let mut misconceptions: Vec<(String, usize)> =
        whys.into_iter().map(|(why, times)| (why.to_owned(), times)).collect();
    misconceptions.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    ItemAnalysis {
        level: level.to_owned(),
        slot: slot.to_owned(),
        variant: variant.to_owned(),
        n,
        facility,
        interval,
        item_rest,
        discrimination,
        choices,
        typed,
        median_seconds: median(answers.iter().filter_map(|(_, item)| item.seconds).collect()),
        misconceptions,
        flags,
    }
}

fn took(item: &HandedItem, id: &str) -> bool {
    item.taken().iter().any(|taken| taken == id)
}

/// Returns Wilson's 95 % confidence interval of a share.
pub fn wilson(right: usize, n: usize) -> [f64; 2] {
    const Z: f64 = 1.959_963_984_540_054;
    if n == 0 {
        return [0.0, 1.0];
    }
    let (n, share) = (n as f64, right as f64 / n as f64);
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    [((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0)]
}

/// Returns Pearson's correlation. `None` if one of the two does not vary.
fn correlation(pairs: &[[f64; 2]]) -> Option<f64> {
    let n = pairs.len() as f64;
    let mean = |at: usize| pairs.iter().map(|pair| pair[at]).sum::<f64>() / n;
    let (x, y) = (mean(0), mean(1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|pair| of(pair[0] - x, pair[1] - y)).sum::<f64>();
    let (xx, yy, xy) = (sum(&|x, _| x * x), sum(&|_, y| y * y), sum(&|x, y| x * y));
    (xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        len if len % 2 == 1 => values.get(middle).copied(),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn answered(correct: bool, taken: &str, score: u32, seconds: f64) -> HandedAttempt {
        let item = HandedItem {
            slot: "s".to_owned(),
            variant: "v".to_owned(),
            correct,
            choices: ["a", "b", "c"].map(str::to_owned).to_vec(),
            parameters: BTreeMap::new(),
            answer: json!({ "single": taken }),
            why: (!correct).then(|| format!("not {taken}")),
            seconds: Some(seconds),
        };
        HandedAttempt {
            level: "l".to_owned(),
            kind: AttemptKind::Gate,
            seed: 1,
            started_at: "2026-01-01T00:00:00Z".to_owned(),
            submitted_at: "2026-01-01T00:10:00Z".to_owned(),
            correct: score,
            questions: 8,
            required: 7,
            items: vec![item],
        }
    }

    fn student(attempts: Vec<HandedAttempt>) -> HandedIn {
        HandedIn {
            version: 1,
            course: "c".to_owned(),
            course_version: String::new(),
            program: String::new(),
            student: String::new(),
            exam: String::new(),
            exported_at: String::new(),
            attempts,
            pages: BTreeMap::new(),
            predictions: BTreeMap::new(),
            exercises: BTreeMap::new(),
        }
    }

    #[test]
    fn a_class_of_thirty_by_hand() {
        // Eighteen are correct with 6 to 8 points, nine choose `b` with 2 or 3, and three leave it open with 1.
        let mut class: Vec<HandedIn> = Vec::new();
        for at in 0..18 {
            class.push(student(vec![answered(true, "a", 6 + at % 3, 10.0)]));
        }
        for at in 0..9 {
            class.push(student(vec![answered(false, "b", 2 + at % 2, 30.0)]));
        }
        for _ in 0..3 {
            class.push(student(vec![answered(false, "", 1, 50.0)]));
        }
        let all = analyse(&class);
        let [item] = &all[..] else { panic!("{all:?}") };
        assert_eq!((item.n, item.facility, item.median_seconds), (30, 0.6, Some(10.0)));
        // From statsmodels' proportion_confint(18, 30, method="wilson").
        assert!(
            (item.interval[0] - 0.423_2).abs() < 1e-3 && (item.interval[1] - 0.754_1).abs() < 1e-3,
            "{:?}",
            item.interval
        );
        assert!(item.item_rest.unwrap() > 0.9, "{:?}", item.item_rest);
        let choice = |id: &str| item.choices.iter().find(|choice| choice.id == id).unwrap();
        assert!(choice("a").key && choice("a").upper == Some(1.0) && choice("a").lower == Some(0.0));
        assert!(!choice("b").key && choice("b").lower == Some(0.7) && !choice("b").idle && choice("c").idle);
        assert_eq!(item.misconceptions, [("not b".to_owned(), 9), ("not ".to_owned(), 3)]);
        assert_eq!(item.flags, []);
    }

    #[test]
    fn only_first_attempts_at_the_gate_count() {
        let again = HandedAttempt { started_at: "2026-01-02T00:00:00Z".to_owned(), ..answered(true, "a", 8, 1.0) };
        let practice = HandedAttempt { kind: AttemptKind::Practice, ..answered(true, "a", 8, 1.0) };
        let all = analyse(&[student(vec![practice, again, answered(false, "b", 0, 9.0)])]);
        assert_eq!((all.len(), all[0].n, all[0].facility, all[0].item_rest), (1, 1, 0.0, None));
    }

    #[test]
    fn places_in_an_order_and_pairs_are_counted_one_by_one() {
        let of = |correct: bool, answer: Value| {
            let mut attempt = answered(correct, "", u32::from(correct), 1.0);
            attempt.items[0].answer = answer;
            student(vec![attempt])
        };
        let taken = |class: &[HandedIn]| -> Vec<(String, usize, bool)> {
            let choices = analyse(class).remove(0).choices.into_iter();
            choices.map(|choice| (choice.id, choice.taken, choice.key)).collect()
        };
        let order = |ids: [&str; 3]| json!({ "order": ids });
        let class = [of(true, order(["b", "a", "c"])), of(false, order(["a", "b", "c"])), of(false, Value::Null)];
        let wanted = [("1: a", 1, false), ("1: b", 1, true), ("2: a", 1, true), ("2: b", 1, false), ("3: c", 2, true)];
        assert_eq!(taken(&class), wanted.map(|(id, taken, key)| (id.to_owned(), taken, key)));
        let class = [of(true, json!({ "pairs": { "x": "b", "y": "a" } })), of(false, json!({ "pairs": { "x": "b" } }))];
        let wanted = [("x: b", 2, true), ("y: a", 1, true)];
        assert_eq!(taken(&class), wanted.map(|(id, taken, key)| (id.to_owned(), taken, key)));
    }

    #[test]
    fn typed_answers_show_a_wrong_key() {
        let of = |correct: bool, answer: Value, t: Option<f64>| {
            let mut attempt = answered(correct, "", u32::from(correct), 1.0);
            let item = &mut attempt.items[0];
            (item.choices, item.answer) = (Vec::new(), answer);
            item.parameters.extend(t.map(|t| ("t".to_owned(), t)));
            student(vec![attempt])
        };
        let typed = |class: &[HandedIn]| {
            let ItemAnalysis { typed, flags, .. } = analyse(class).remove(0);
            let shown = |of: TypedAnswer| format!("{} × {}{}", of.times, of.text, if of.correct { " *" } else { "" });
            (typed.into_iter().map(shown).collect::<Vec<_>>(), flags)
        };
        let text = |text: &str| json!({ "text": text });
        // A wrong key: nobody is correct, and most type the same.
        let class = ["lane", "Lane ", "warp", "lane"].map(|word| of(false, text(word), None));
        assert_eq!(
            typed(&class),
            (vec!["3 × lane".into(), "1 × warp".into()], vec![Flag::TooHard, Flag::SameWrongAnswer])
        );
        // A number whose parameter is drawn: one of twelve is correct.
        let number = |at: usize| of(at == 0, json!({ "numeric": (at % 4 * 32).to_string() }), Some((at % 4) as f64));
        let (shown, flags) = typed(&(0..12).map(number).collect::<Vec<_>>());
        assert_eq!((shown[0].as_str(), flags), ("3 × 0 (t = 0) *", vec![Flag::TooHard]));
        let class = [of(true, json!({ "cloze": ["i", " k "] }), None), of(false, json!({ "line": 3 }), None)];
        assert_eq!(typed(&class), (vec!["1 × 3".into(), "1 × i | k *".into()], vec![]));
        assert_eq!(typed(&[of(false, Value::Null, None), of(false, text(" "), None)]).0, Vec::<String>::new());
    }

    #[test]
    fn odd_questions_are_told() {
        // The best students choose `b`; the worst ones are correct.
        let of = |right: bool, score| student(vec![answered(right, if right { "a" } else { "b" }, score, 1.0)]);
        let class: Vec<HandedIn> = (0..30).map(|at| of(at >= 15, if at < 15 { 7 } else { 2 })).collect();
        let flags = [Flag::NegativeDiscrimination, Flag::DistractorBeatsKey];
        assert_eq!((&*analyse(&class)[0].flags, analyse(&class)[0].discrimination), (&flags[..], Some(-1.0)));
        // Half of the good and half of the weak students are correct.
        let rest = |at: u32| if at < 20 { 6 } else { 2 };
        let level: Vec<HandedIn> = (0..40).map(|at| of(at % 2 == 0, rest(at) + u32::from(at % 2 == 0))).collect();
        let item = analyse(&level).remove(0);
        assert!((item.discrimination.unwrap() - 1.0 / 11.0).abs() < 1e-9);
        assert_eq!(item.flags, [Flag::PoorDiscrimination]);
        let easy: Vec<HandedIn> = (0..60).map(|at| of(true, 3 + at % 5)).collect();
        assert_eq!(analyse(&easy)[0].flags, [Flag::TooEasy]);
    }
}
