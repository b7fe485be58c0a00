//! Rules of a quiz.

use super::known::Known;
use super::{claims, shows};
use tutor_course::lint::{Lint, Path};
use tutor_course::{AnswerSpec, Bloom, Choice, Counting, QuizFile, Slot};
use tutor_kernels::Catalog;

/// Minimum variants per slot, so that a second attempt does not repeat the first.
const MIN_VARIANTS: usize = 3;

/// Target distribution of eight slots over Bloom's levels.
const SPREAD: [(Bloom, usize); 5] =
    [(Bloom::Remember, 1), (Bloom::Understand, 1), (Bloom::Apply, 3), (Bloom::Analyse, 2), (Bloom::Evaluate, 1)];

/// Minimum number of single choices before the lengths of their choices are compared.
const MIN_SINGLES: usize = 6;

/// Checks a quiz. `partial` is true for a translation, or if parts were left out, so that missing parts are not
/// reported.
pub(super) fn check(
    lint: &mut Lint<'_>,
    quiz: &QuizFile,
    level: &str,
    known: Option<&Known>,
    partial: bool,
    catalog: &Catalog,
) {
    let root = Path::default();
    if quiz.level.value != level {
        let message =
            format!("This file names the level `{}`, but `course.yaml` assigns it to `{level}`.", quiz.level.value);
        lint.report("level-mismatch", &quiz.level, message, "Make the two agree.");
    }
    if quiz.slots.is_empty() {
        let help = "A gate needs questions: eight slots for a gate of 7.";
        lint.report("empty-quiz", &root.to("slots"), "The quiz has no slot, so no student can pass the level.", help);
    }
    lint.at_most(QuizFile::MAX_SLOTS, "slots", quiz.slots.len(), &root.to("slots"));
    lint.ids("slot", quiz.slots.iter().map(|slot| &slot.id));
    for (index, slot) in quiz.slots.iter().enumerate() {
        check_slot(lint, slot, &root.to("slots").to(index), known, partial, catalog);
    }
    if partial {
        return;
    }
    if let Some(known) = known {
        for objective in &known.objectives {
            if !quiz.slots.is_empty() && !quiz.slots.iter().any(|slot| slot.objective.value == *objective) {
                let message = format!("No slot asks for the objective `{objective}`.");
                lint.report("objective-uncovered", &root.to("slots"), message, "");
            }
        }
    }
    let counts = SPREAD.map(|(bloom, _)| quiz.slots.iter().filter(|slot| slot.bloom == bloom).count());
    if quiz.slots.len() == 8 && counts != SPREAD.map(|(_, wanted)| wanted) {
        let shown = counts.map(|count| count.to_string()).join("-");
        let message = format!("The slots spread {shown} from remember to evaluate, not 1-1-3-2-1.");
        lint.report("bloom-spread", &root.to("slots"), message, "");
    }
    longest(lint, quiz, &root.to("slots"));
}

/// Reports if the correct choice is the longest one in at least half of the single choices.
fn longest(lint: &mut Lint<'_>, quiz: &QuizFile, path: &Path<'_>) {
    let length = |choice: &Choice| choice.text.chars().count();
    let gives_away = |choices: &&Vec<Choice>| {
        let wrong = choices.iter().filter(|choice| !choice.correct).map(length).max();
        choices.iter().any(|choice| choice.correct && Some(length(choice)) > wrong)
    };
    let variants = quiz.slots.iter().flat_map(|slot| &slot.variants);
    let singles: Vec<&Vec<Choice>> = variants
        .filter_map(|variant| match &variant.answer {
            AnswerSpec::Single(choices) => Some(choices),
            _ => None,
        })
        .collect();
    let count = singles.iter().filter(|choices| gives_away(choices)).count();
    if singles.len() >= MIN_SINGLES && 2 * count >= singles.len() {
        let message = format!("In {count} of {} single choices the correct choice is the longest.", singles.len());
        lint.report("keys-longest", path, message, "Shorten some, or make other choices as long.");
    }
}

fn check_slot(
    lint: &mut Lint<'_>,
    slot: &Slot,
    path: &Path<'_>,
    known: Option<&Known>,
    partial: bool,
    catalog: &Catalog,
) {
    if let Some(known) = known {
        lint.reference("unknown-objective", "objective", &slot.objective, known.objectives.iter().map(String::as_str));
        lint.reference("unknown-page", "page", &slot.page, known.pages.iter().map(String::as_str));
        if known.optional.contains(&slot.page.value) {
            let message =
                format!("The slot `{}` needs the page `{}`, which is optional.", slot.id.value, slot.page.value);
            lint.report("optional-page", &slot.page, message, "Name a page that every student reads.");
        }
    }
    lint.at_most(Slot::MAX_VARIANTS, "variants", slot.variants.len(), &path.to("variants"));
    lint.ids("variant", slot.variants.iter().map(|variant| &variant.id));
    let asked: usize = slot.variants.iter().map(|variant| variant.answer.asks().min(MIN_VARIANTS)).sum();
    if asked < MIN_VARIANTS && !partial {
        let questions = if asked == 1 { "question" } else { "different questions" };
        let message = format!("The slot `{}` can ask {asked} {questions}, fewer than three.", slot.id.value);
        let help = "Add variants, or give a numeric question three sets of numbers.";
        lint.report("too-few-variants", &slot.id, message, help);
    }
    for (index, variant) in slot.variants.iter().enumerate() {
        let path = path.to("variants").to(index);
        lint.text("The question", &variant.ask, &path.to("ask"));
        lint.text("The explanation", &variant.because, &path.to("because"));
        lint.markdown(&variant.ask, &path.to("ask"));
        lint.markdown(&variant.because, &path.to("because"));
        references(lint, &variant.answer, &path.to("answer"), catalog);
        variant.answer.check(lint, variant, &path);
        claims::check(lint, &variant.claims, &path.to("claims"), catalog);
    }
}

/// Reports the kernels of an answer that do not exist, and accesses that nothing can make.
fn references(lint: &mut Lint<'_>, answer: &AnswerSpec, path: &Path<'_>, catalog: &Catalog) {
    let known = catalog.kernels().iter().map(|kernel| kernel.id.as_str());
    match answer {
        AnswerSpec::Fault(fault) if !fault.is_sealed() => {
            if let Some(beside) = &fault.beside {
                lint.reference("unknown-kernel", "kernel", beside, known.clone());
            }
            let faulty = Catalog::faulty().kernels().iter().map(|kernel| kernel.id.as_str());
            lint.reference("unknown-kernel", "kernel", &fault.kernel, known.chain(faulty));
        }
        AnswerSpec::Predict(predicted) => {
            let path = path.to("predict").to("of");
            match &predicted.of {
                Counting::Banks(view) => {
                    shows::banks(lint, view, &path.to("banks"));
                    view.kernel.iter().for_each(|id| shows::kernel(lint, id, catalog));
                }
                Counting::Coalescing(view) => shows::coalescing(lint, view, &path.to("coalescing")),
                Counting::Wavefronts(access) | Counting::Sectors(access) => {
                    lint.reference("unknown-kernel", "kernel", &access.kernel, known);
                    let own = catalog.kernel(&access.kernel).is_some()
                        && Catalog::built_in().kernel(&access.kernel).is_none();
                    if let (true, Err(why)) = (own, predicted.of.count()) {
                        lint.report("predict-count", &access.kernel, why, "`check` counts it, and compares.");
                    }
                }
            }
        }
        _ => {}
    }
}
