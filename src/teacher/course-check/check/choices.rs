/*! Rules for questions: what gives the correct choice away, and what a question states without a proof.

They read English, so they apply to the original edition. All are warnings. A page that breaks one on purpose names it in its
`allow`.

- A correct choice stands out if it is the only one with a hedge of a kind, or the only one with or without a reason.
- A correct choice is within the noise if a wrong one states a time that the recording hardly distinguishes from it.
- A reply that states wavefronts needs a claim that counts them.
- A verdict in a gate is common sense if it needs hardly a word of the lessons. The list is for authors to reword.
*/

use super::teaching::{allows, mentions, within};
use crate::claims::SAME_TIME;
use crate::rules::severity;
use std::collections::BTreeMap;
use tutor_course::lint::{Lint, Location, Path};
use tutor_course::{
    AnswerSpec, At, Claim, Counting, Edition, Page, Problem, QuizFile, RecordedClaim, RecordedFigure, SweepClaim,
    SweepFigure, Variant,
};
use tutor_exec::recorded::{RecordedTime, Recording};
use tutor_exec::sweep::{Sweep, SweepPoint};
use tutor_kernels::Catalog;
use tutor_support::text::words;

/// Hedges by kind. A wrong choice with a hedge of the same kind hides that of the correct one.
const HEDGES: [&[&str]; 3] =
    [&["less than", "at most", "but to", "but by", "but only"], &["more than", "at least"], &["about"]];
/// What begins the reason of a choice.
const REASONS: [&str; 9] =
    [", because ", ", since ", ": ", ", so ", ", which ", ", as ", ", until ", ", then ", ", a "];
const NUMERALS: [&str; 13] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
/// How a question asks for a verdict.
const VERDICTS: [&str; 5] = ["what do you", "colleague", "report", "reviewer", "which one first"];
/// Terms of the first lesson that every later text uses.
const EVERYDAY: [&str; 8] = ["kernel", "thread", "launch", "sm", "cublas", "fma", "flop", "register"];
/// Maximum number of terms, and of terms and numbers together, in a verdict that needs no lesson.
const FEW: [usize; 2] = [2, 4];

/// A question with one correct choice.
struct Choices<'a> {
    key: &'a str,
    wrong: Vec<&'a str>,
}

impl<'a> Choices<'a> {
    /// Returns the place of the correct choice and the choices. `None` if not exactly one is correct, or there are only two.
    fn of(all: impl Iterator<Item = (&'a str, bool)> + Clone) -> Option<(usize, Self)> {
        let mut keys = all.clone().enumerate().filter(|(_, (_, correct))| *correct);
        let (Some((at, (key, _))), None) = (keys.next(), keys.next()) else { return None };
        let wrong: Vec<&str> = all.filter(|(_, correct)| !correct).map(|(text, _)| text).collect();
        (wrong.len() > 1).then_some((at, Self { key, wrong }))
    }

    /// Says how the correct choice differs from all others in form.
    fn stands_out(&self) -> Option<String> {
        let reasoned = |text: &&str| REASONS.iter().any(|reason| text.contains(reason));
        match (reasoned(&self.key), self.wrong.iter().filter(|text| reasoned(text)).count()) {
            (true, 0) => return Some("the only one with a reason".to_owned()),
            (false, count) if count == self.wrong.len() => return Some("the only one without a reason".to_owned()),
            _ => {}
        }
        let has = |text: &str, kind: &[&str]| kind.iter().any(|hedge| within(&words(text), &words(hedge)));
        let hedges = |kind: &&&[&str]| has(self.key, kind) && !self.wrong.iter().any(|text| has(text, kind));
        HEDGES.iter().find(hedges).map(|kind| format!("the only one with a hedge such as \"{}\"", kind[0]))
    }

    /// Returns a wrong choice that the recordings of the page's claims hardly distinguish from the correct one.
    fn within_noise(&self, claims: &[At<Claim>], catalog: &Catalog) -> Option<&'a str> {
        claims.iter().find_map(|claim| match &claim.value {
            Claim::Recorded(recorded) => {
                let [low, high] = interval(recorded, catalog)?;
                let scale = if matches!(recorded.states, RecordedFigure::Gflops(_)) { 1000.0 } else { 1.0 };
                let inside = |stated: f64| (low / (1.0 + SAME_TIME)..=high * (1.0 + SAME_TIME)).contains(&stated);
                let states = |text: &&&str| {
                    shapes_joined(text)
                        .iter()
                        .filter_map(|word| number(word))
                        .any(|it| inside(it) || inside(scale * it))
                };
                states(&&self.key).then(|| self.wrong.iter().find(states).copied()).flatten()
            }
            Claim::Sweep(sweep) => self.within_sweep(sweep, catalog),
            _ => None,
        })
    }

    /// The same for a claim about the variant that the correct choice names.
    fn within_sweep(&self, claim: &SweepClaim, catalog: &Catalog) -> Option<&'a str> {
        let figure = match &claim.states {
            SweepFigure::Best(name) => name,
            _ => &claim.of.as_ref()?.value,
        };
        if !names(self.key, figure) {
            return None;
        }
        let sweep = Sweep::recorded(catalog.kernel(&claim.kernel)?, claim.size)?;
        let time = |text: &str| {
            let named = sweep.points.iter().filter(|point| names(text, &point.variant));
            let timing = |point: &SweepPoint| point.time.map(|time| [time.low_ms, time.high_ms]);
            named.filter_map(timing).min_by(|a, b| a[0].total_cmp(&b[0]))
        };
        let [low, high] = time(self.key)?;
        let near = |other: [f64; 2]| other[0] <= high * (1.0 + SAME_TIME) && low <= other[1] * (1.0 + SAME_TIME);
        self.wrong.iter().find(|text| time(text).is_some_and(near)).copied()
    }
}

/// True if a choice such as `64 × 128` names a variant such as `64x128` or `64x128_in_3_stages`.
fn names(text: &str, variant: &str) -> bool {
    let tile = variant.split('_').next().unwrap_or(variant);
    shapes_joined(text).iter().any(|word| word == variant || word == tile)
}

/// Returns the words of a text, with a shape such as `64 × 128` as one word.
fn shapes_joined(text: &str) -> Vec<String> {
    words(&text.replace(" × ", "x"))
}

/// Returns the interval of a recorded figure.
fn interval(claim: &RecordedClaim, catalog: &Catalog) -> Option<[f64; 2]> {
    let recording = Recording::built_in().iter().find(|recording| recording.device == claim.device.value)?;
    let row = |id: &str| recording.row(catalog.kernel(id)?, claim.size);
    let found = row(&claim.kernel)?;
    let around = |figure: f64, time: &RecordedTime| {
        [figure * time.median_ms / time.high_ms, figure * time.median_ms / time.low_ms]
    };
    let time = &found.time;
    Some(match &claim.states {
        RecordedFigure::Gflops(_) => around(time.gflops, time),
        RecordedFigure::PercentOfCublas(_) => around(100.0 * recording.cublas_ms(found)? / time.median_ms, time),
        RecordedFigure::Speedup(speedup) => {
            let slower = &row(&speedup.over)?.time;
            [slower.low_ms / time.high_ms, slower.high_ms / time.low_ms]
        }
        RecordedFigure::Wrong(_) => return None,
    })
}

fn number(word: &str) -> Option<f64> {
    let numeral = NUMERALS.iter().position(|numeral| *numeral == word).map(|value| value as f64);
    numeral.or_else(|| word.parse().ok().filter(|_| word.starts_with(|c: char| c.is_ascii_digit())))
}

/// Returns the numbers of wavefronts that a text states. "More than two wavefronts" states none, and "fit into one wavefront"
/// states none, unlike "take one wavefront".
fn wavefronts(text: &str) -> Vec<f64> {
    let words = words(&text.replace(',', ""));
    let stated = |at: usize| {
        let before = at.checked_sub(1).map_or("", |before| words[before].as_str());
        number(&words[at]).filter(|_| before != "than" && (words[at] != "one" || before.starts_with("take")))
    };
    let ends = |pair: &[String]| matches!(pair[1].as_str(), "wavefront" | "wavefronts");
    words.windows(2).enumerate().filter(|(_, pair)| ends(pair)).filter_map(|(at, _)| stated(at)).collect()
}

/// Returns the numbers of wavefronts that claims prove.
fn proved(claims: &[At<Claim>]) -> Vec<f64> {
    let of = |claim: &At<Claim>| match &claim.value {
        Claim::Banks(banks) => Some(banks.wavefronts.into()),
        Claim::Wavefronts(access) => Some(access.per_request),
        Claim::Bound(bound) => bound.is,
        _ => None,
    };
    claims.iter().filter_map(of).collect()
}

/// Reports a text that states a number of wavefronts that is not among the proved ones.
fn unproved<'p>(lint: &mut Lint<'_>, text: &str, proved: &[f64], help: &str, at: impl Into<Location<'p>>) {
    let known = |stated: f64| proved.iter().any(|proof| (proof - stated).abs() <= SAME_TIME * proof);
    if let Some(stated) = wavefronts(text).into_iter().find(|stated| !known(*stated)) {
        let plural = if stated == 1.0 { "" } else { "s" };
        let message = format!("The text states {stated} wavefront{plural}, and nothing here counts them.");
        lint.report("wavefronts-unproved", at, message, help);
    }
}

pub(super) fn check(edition: &Edition, catalog: &Catalog) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut terms: Vec<Vec<String>> = Vec::new();
    for level in &edition.levels {
        if let Ok(file) = &level.lesson
            && let Some(lesson) = &file.value
        {
            let new = lesson.glossary.iter().map(|known| words(&known.term));
            terms.extend(new.filter(|term| !EVERYDAY.contains(&term.concat().as_str())));
            let mut lint = Lint::new(file, severity);
            for (index, page) in lesson.pages.iter().enumerate().filter(|_| level.inherited.is_none()) {
                prediction(&mut lint, page, &Path::default().to("pages").to(index), catalog);
            }
            problems.extend(lint.into_problems());
        }
        if let Some(Ok(file)) = level.own_quiz()
            && let Some(quiz) = &file.value
        {
            let mut lint = Lint::new(file, severity);
            gate(&mut lint, quiz, &terms);
            problems.extend(lint.into_problems());
        }
    }
    problems
}

/// Checks the prediction of a page.
fn prediction(lint: &mut Lint<'_>, page: &Page, path: &Path<'_>, catalog: &Catalog) {
    let Some(predict) = &page.predict else { return };
    let path = path.to("predict").to("choices");
    let all = predict.choices.iter().map(|choice| (choice.text.as_str(), choice.correct));
    if let Some((at, choices)) = Choices::of(all) {
        let place = path.to(at).to("text");
        if !allows(page, "key-stands-out") {
            stands_out(lint, &choices, &place);
        }
        let rival = choices.within_noise(&page.claims, catalog).filter(|_| !allows(page, "key-within-noise"));
        if let Some(rival) = rival {
            let message = format!("The recording does not separate the correct choice from \"{}\".", rival.trim());
            let help = "Ask for what the intervals decide, such as what is certainly slower.";
            lint.report("key-within-noise", &place, message, help);
        }
    }
    if !allows(page, "wavefronts-unproved") {
        let proved = [proved(&page.claims), wavefronts(&predict.ask)].concat();
        for (index, choice) in predict.choices.iter().enumerate() {
            let help =
                "Add a claim `banks`, `wavefronts` or `bound`. `allow: [wavefronts-unproved]` if none can count it.";
            unproved(lint, &choice.reply, &proved, help, &path.to(index).to("reply"));
        }
    }
}

fn stands_out<'p>(lint: &mut Lint<'_>, choices: &Choices<'_>, at: impl Into<Location<'p>>) {
    if let Some(how) = choices.stands_out() {
        let message = format!("The correct choice \"{}\" is {how}.", choices.key.trim());
        lint.report("key-stands-out", at, message, "Give a wrong choice the same form, or the correct one another.");
    }
}

/// Checks the questions of a quiz. `terms` are those that its level and earlier ones explain.
fn gate(lint: &mut Lint<'_>, quiz: &QuizFile, terms: &[Vec<String>]) {
    for variant in quiz.slots.iter().flat_map(|slot| &slot.variants) {
        let mut proofs = proved(&variant.claims);
        if let AnswerSpec::Predict(predicted) = &variant.answer
            && matches!(predicted.of, Counting::Banks(_) | Counting::Wavefronts(_))
        {
            proofs.extend(predicted.of.count().ok());
        }
        // What the question itself gives needs no proof.
        if variant.ask.contains("wavefront") {
            proofs.extend(words(&variant.ask).iter().filter_map(|word| number(word)));
        }
        let reasons = variant.answer.reasons(&BTreeMap::new());
        for text in reasons.iter().filter_map(|reason| reason.why.as_ref()).chain([&variant.because]) {
            unproved(lint, text, &proofs, "Add a claim `banks` or `wavefronts` to the question.", &variant.id);
        }
        let AnswerSpec::Single(all) = &variant.answer else { continue };
        let all = all.iter().map(|choice| (choice.text.as_str(), choice.correct));
        let Some((_, choices)) = Choices::of(all) else { continue };
        stands_out(lint, &choices, &variant.id);
        if needs_no_lesson(variant, &choices, terms) {
            let message = format!("The verdict `{}` can be found without the lesson.", variant.id.value);
            let help =
                "Let the choices differ in what the lesson teaches: name its terms, a line of code or an access.";
            lint.report("common-sense", &variant.id, message, help);
        }
    }
}

/// True if a question asks for a verdict, its correct choice has no term, and the rest has few terms, few numbers and no code.
fn needs_no_lesson(variant: &Variant, choices: &Choices<'_>, terms: &[Vec<String>]) -> bool {
    let ask = words(&variant.ask);
    let asks = VERDICTS.iter().any(|verdict| mentions(&ask, &words(verdict)));
    let shown = [&[choices.key], choices.wrong.as_slice()].concat().join(" ; ");
    if !asks || shown.contains('`') || variant.ask.contains("```") || variant.ask.contains("|--") {
        return false;
    }
    let numbers = ask.iter().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).count();
    let whole = [ask, words(&shown)].concat();
    let mut used: Vec<&Vec<String>> = terms.iter().filter(|term| mentions(&whole, term)).collect();
    used.sort_unstable();
    used.dedup();
    let key = words(choices.key);
    // Of `bank` and `bank conflict`, one counts.
    let longest = used.iter().filter(|term| !used.iter().any(|other| other != *term && within(other, term))).count();
    longest <= FEW[0] && longest + numbers <= FEW[1] && !used.iter().any(|term| mentions(&key, term))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_stands_out_by_its_hedge_or_by_its_reason() {
        let how = |texts: [&str; 3]| {
            let (at, choices) = Choices::of(texts.into_iter().enumerate().map(|(at, text)| (text, at == 1))).unwrap();
            assert_eq!(at, 1);
            choices.stands_out().unwrap_or_default()
        };
        assert!(how(["twice as fast", "faster, but less than twice", "slower"]).contains("hedge"));
        assert!(how(["about 4", "about 8", "16"]).is_empty());
        assert!(how(["A, because b", "C", "D, as e"]).ends_with("without a reason"));
        assert!(how(["A", "C: e", "D"]).ends_with("with a reason"));
        assert!(how(["A", "C, because e", "D, so f"]).is_empty());
    }

    #[test]
    fn a_number_of_wavefronts_is_read_as_a_word_or_in_digits() {
        let text =
            "Four lanes take **4** wavefronts, at most 1,024 wavefronts, more than two wavefronts, twelve wavefronts.";
        assert_eq!(wavefronts(text), [4.0, 1024.0, 12.0]);
        assert_eq!(wavefronts("It takes one wavefront, and fits into one wavefront of L1 wavefronts."), [1.0]);
    }
}
