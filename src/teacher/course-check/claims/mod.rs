/*! Verifies claims: compares statements of the pages with what the machine does.

A claim about a described access needs only the cost rules. A claim about a kernel needs a run. One launch per kernel
and size on the emulator serves all claims about it ([`Runs`]). With a GPU, claims about correct and incorrect results
are verified there, too.
*/

mod bounds;
mod emulated;
mod estimates;
mod faults;
mod judge;
mod outcome;
mod recordings;
mod runs;

pub use bounds::CauseRow;
use outcome::Outcome;
pub(crate) use recordings::SAME_TIME;
pub(super) use runs::NoRun;
pub use runs::{Launcher, Runs};

use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use tutor_course::{
    AccessClaim, AnswerSpec, At, Claim, Counting, Edition, File, Files, KernelAccess, Predicted, Problem, QuizFile,
    Variant,
};
use tutor_kernels::Catalog;
use tutor_support::text;

/// Numbers of claims. The field names are those of the command line's JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ClaimCounts {
    pub run: u32,
    /// Checked claims that are true.
    pub held: u32,
    /// Checked claims that are false.
    pub failed: u32,
    /// Claims that could not be checked.
    pub skipped: u32,
}

/// The results for all claims of a course.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClaimReport {
    pub counts: ClaimCounts,
    pub problems: Vec<Problem>,
    /// Reasons why claims could not be checked, with the number of claims for each.
    pub skipped: BTreeMap<String, u32>,
    /// Causes that name a bound: what it predicts, next to what was recorded.
    pub causes: Vec<CauseRow>,
}

/// Checks all claims of a course.
pub fn claims(files: &Files, catalog: &Catalog, runs: &mut Runs<'_>) -> ClaimReport {
    let mut report = ClaimReport::default();
    for edition in &files.editions {
        for (file, claim) in claims_of(edition) {
            report.take(file, (claim.line, claim.column), judge::judge(claim, catalog, runs));
        }
        if let Ok(file) = &edition.course
            && let Some(welcome) = file.value.as_ref().and_then(|course| course.welcome.as_ref())
        {
            let place = (welcome.faster.line, welcome.faster.column);
            report.take((&file.name, &file.text), place, judge::judge(&welcome.claim(), catalog, runs));
        }
        for (file, answer) in answers_of(edition) {
            match answer {
                AnswerSpec::Fault(fault) if !fault.is_sealed() => {
                    let kernel = &fault.kernel;
                    report.take(file, (kernel.line, kernel.column), faults::fault(fault, catalog, runs));
                }
                AnswerSpec::Predict(predicted) => {
                    if let Some((claim, kernel)) = stated(predicted, catalog) {
                        report.take(file, (kernel.line, kernel.column), judge::judge(&claim, catalog, runs));
                    }
                }
                _ => {}
            }
        }
    }
    report.causes = std::mem::take(&mut runs.causes);
    let counts = &mut report.counts;
    counts.run = counts.held + counts.failed;
    report
}

impl ClaimReport {
    fn take(&mut self, (file, text): (&str, &str), (line, column): (u32, u32), outcome: Outcome) {
        let mut fail = |problem: Problem| {
            self.counts.failed += 1;
            self.problems.push(problem.at(text, line, column, 1));
        };
        match outcome {
            Outcome::Held => self.counts.held += 1,
            Outcome::Failed(sentence) => {
                let problem = Problem::error("claim-failed", file, sentence);
                fail(problem.help("Correct the page and its claim, or the kernel."));
            }
            Outcome::OfAnother(sentence) => {
                let help = "Leave the claim out, or give the kernel an id of its own: recordings belong to the kernel that \
                            they were made of.";
                fail(Problem::error("recording-of-another-kernel", file, sentence).help(help));
            }
            Outcome::Skipped(why) => {
                self.counts.skipped += 1;
                *self.skipped.entry(text::lines(&why).into_owned()).or_default() += 1;
            }
        }
    }
}

/// Returns the count that the author states for a kernel of the course, as a claim, and the place of the kernel.
fn stated<'a>(predicted: &'a Predicted, catalog: &Catalog) -> Option<(Claim, &'a At<String>)> {
    let access = predicted.of.of_kernel()?;
    let built_in = Catalog::built_in().kernel(&access.kernel);
    if access.is.is_none() && catalog.kernel(&access.kernel) == built_in {
        return None;
    }
    let per_request = predicted.of.count().ok()?;
    let KernelAccess { kernel, at, op, size, .. } = access.clone();
    // Authors round a mean.
    let within = if per_request.fract() == 0.0 { 0.0 } else { 0.005 };
    let claim = AccessClaim { kernel, at, op, per_request, within, size };
    let claim = match predicted.of {
        Counting::Sectors(_) => Claim::Sectors(claim),
        _ => Claim::Wavefronts(claim),
    };
    Some((claim, &access.kernel))
}

/// Returns the claims of an edition, each with its file's name and text.
fn claims_of(edition: &Edition) -> impl Iterator<Item = ((&str, &str), &At<Claim>)> {
    edition.levels.iter().flat_map(|level| {
        let lesson = level.own_lesson().and_then(|file| file.as_ref().ok());
        let quiz = level.own_quiz().and_then(|file| file.as_ref().ok());
        let pages = lesson.into_iter().flat_map(|file| {
            let pages = file.value.iter().flat_map(|lesson| &lesson.pages);
            pages.flat_map(|page| &page.claims).map(|claim| ((file.name.as_str(), file.text.as_str()), claim))
        });
        let variants = quiz.into_iter().flat_map(variants_of);
        pages.chain(variants.flat_map(|(place, variant)| variant.claims.iter().map(move |claim| (place, claim))))
    })
}

/// Returns the answers of an edition's questions, each with its file's name and text.
fn answers_of(edition: &Edition) -> impl Iterator<Item = ((&str, &str), &AnswerSpec)> {
    let quizzes = edition.levels.iter().filter_map(|level| level.own_quiz()?.as_ref().ok());
    quizzes.flat_map(variants_of).map(|(place, variant)| (place, &variant.answer))
}

fn variants_of(file: &Arc<File<QuizFile>>) -> impl Iterator<Item = ((&str, &str), &Variant)> {
    let slots = file.value.iter().flat_map(|quiz| &quiz.slots);
    slots.flat_map(|slot| &slot.variants).map(|variant| ((file.name.as_str(), file.text.as_str()), variant))
}
