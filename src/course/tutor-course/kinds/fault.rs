/*! Find the planted fault: the line and its consequence.

The student sees a region of a kernel without directives and without comments, which could reveal the fault. The kernel is from the
course, from the built-in catalogue, or from `assets/faults`, whose entries are built-in kernels with an edit. `check` runs the kernel
on the emulator and proves that the fault exists: the emulator finds races of the stated kinds, stops with the stated fault, or
computes an incorrect result. `check` also proves that the fault is in the lines marked as correct answers. Either the same run names
these lines, or the kernel `beside` is correct and its source differs only in these lines.
*/

use super::choices::Choice;
use super::{QuestionRules, text_of, unknown_id};
use crate::lint::Path;
use crate::prelude::*;
use std::sync::Arc;
use tutor_kernels::HazardName;
use tutor_kernels::{Catalog, Kernel};

/// A planted fault.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Fault {
    /// Id of a kernel with the fault: one of the course, a built-in one, or one of `assets/faults`.
    pub kernel: At<String>,
    /// The kernel itself, if the course defines it.
    #[serde(skip)]
    pub own: Option<Arc<Kernel>>,
    /// In a course that `seal` wrote: the lines to show, in place of the kernel's.
    #[serde(default)]
    pub code: Vec<String>,
    /// The region to show; the whole file if absent.
    pub region: Option<At<String>>,
    /// Part of each line that is a correct answer.
    pub lines: Vec<At<String>>,
    /// The reason for a wrong line.
    pub why: String,
    /// The possible consequences. One of them is correct.
    pub consequences: Vec<Choice>,
    /// The kinds of races that the emulator finds, no more and no fewer.
    #[serde(default)]
    pub races: Vec<HazardName>,
    /// The fault with which the emulator stops. If there are neither this field nor races, the result is incorrect.
    pub stops: Option<StopName>,
    /// A correct kernel whose source differs only in the lines that are correct answers. Required if only the
    /// result is incorrect.
    pub beside: Option<At<String>>,
    /// Square size of the run, 64 by default.
    #[serde(default = "number::<64>")]
    pub size: u32,
}

/// A fault with which the emulator stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopName {
    /// An access outside of the matrices, or of shared memory.
    OutOfBounds,
    /// An address that is not a multiple of the access's size.
    Misaligned,
    /// A read of memory that was never written.
    Uninitialised,
    /// Threads wait at a barrier that other threads never reach.
    DivergentBarrier,
    /// Threads wait at an `mbarrier` whose phase never completes.
    Mbarrier,
    /// Blocks wait in loops for something that never happens.
    Livelock,
}

/// Code with a fault as a student sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suspects {
    /// The lines; the first is number 1.
    pub code: Vec<String>,
    /// The possible consequences, in shuffled order.
    pub consequences: Vec<Item>,
}

impl Fault {
    /// Returns the kernel with the fault, if it exists.
    pub fn faulty(&self) -> Option<&Kernel> {
        let known = || Catalog::built_in().kernel(&self.kernel).or_else(|| Catalog::faulty().kernel(&self.kernel));
        self.own.as_deref().or_else(known)
    }

    /// True if `seal` replaced the kernel by its code.
    pub fn is_sealed(&self) -> bool {
        !self.code.is_empty() && Choice::are_sealed(&self.consequences)
    }

    /// Returns the lines to show, each with its number in the kernel's file.
    pub fn code(&self) -> Vec<(u32, String)> {
        if !self.code.is_empty() {
            return (1..).zip(self.code.iter().cloned()).collect();
        }
        let Some(kernel) = self.faulty() else { return Vec::new() };
        let region = self.region.as_ref().and_then(|name| kernel.source.region(name));
        let bare = |line: &str| line.split("//").next().unwrap_or_default().trim_end().to_owned();
        let lines = kernel.source.lines(region).map(|(number, line)| (number, bare(line)));
        let lines: Vec<(u32, String)> =
            lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')).collect();
        let margin = lines.iter().map(|(_, line)| line.len() - line.trim_start().len()).min().unwrap_or(0);
        lines.into_iter().map(|(number, line)| (number, line[margin..].to_owned())).collect()
    }

    /// True if a line is a correct answer.
    fn holds(&self, line: &str) -> bool {
        self.lines.iter().any(|piece| line.contains(piece.value.as_str()))
    }

    /// Returns the numbers of the correct lines in the kernel's file.
    pub fn places(&self) -> Vec<u32> {
        self.code().into_iter().filter(|(_, line)| self.holds(line)).map(|(number, _)| number).collect()
    }
}

/// Returns the index of the line that an answer names.
fn line_of(view: &Suspects, given: &[String]) -> Option<usize> {
    let number: usize = given.first()?.trim().parse().ok()?;
    number.checked_sub(1).filter(|at| *at < view.code.len())
}

impl QuestionRules for Fault {
    type Authored = Self;
    type Shown = Suspects;
    type Response = Vec<String>;
    const NAME: &'static str = "fault";

    fn items(spec: &Fault) -> Vec<Item> {
        let item = |choice: &Choice| Item { id: choice.id.value.clone(), text: choice.text.clone() };
        spec.consequences.iter().map(item).collect()
    }
    fn view(spec: &Fault, items: Vec<Item>) -> Suspects {
        Suspects { code: spec.code().into_iter().map(|(_, line)| line).collect(), consequences: items }
    }
    fn shown(view: &Suspects) -> &[Item] {
        &view.consequences
    }
    fn usable(spec: &Fault, _: &Parameters) -> bool {
        let right = spec.consequences.iter().filter(|choice| choice.correct).count();
        !spec.places().is_empty() && right == 1 || Choice::are_sealed(&spec.consequences)
    }
    fn fingerprint(spec: &Fault, hash: &mut Fnv) {
        for (_, line) in spec.code() {
            hash.text(&line);
            hash.text(if spec.holds(&line) { "1" } else { "0" });
        }
        Choice::fingerprint(&spec.consequences, hash);
    }
    fn expects(_: &Suspects) -> Sentence {
        sentence!("mastery-takes-fault")
    }
    fn problem(view: &Suspects, given: &Vec<String>) -> Option<Sentence> {
        let [_, consequence] = given.as_slice() else { return Some(Self::expects(view)) };
        if line_of(view, given).is_none() {
            return Some(sentence!("mastery-fault-line", last = view.code.len()));
        }
        if consequence.is_empty() {
            return Some(sentence!("mastery-fault-consequence"));
        }
        unknown_id(consequence, &view.consequences)
    }
    /// Grades the line first. If it is wrong, the consequence is only a guess.
    fn grade(spec: &Fault, _: &Parameters, given: &Vec<String>) -> Result<Verdict, Sentence> {
        let view = Self::view(spec, Self::items(spec));
        let line = line_of(&view, given).and_then(|at| view.code.get(at));
        if !line.is_some_and(|line| spec.holds(line)) {
            return Ok(Err((Miss::Other, spec.why.clone())));
        }
        let chosen = spec.consequences.iter().find(|choice| Some(&choice.id.value) == given.get(1));
        Ok(match chosen {
            Some(choice) if choice.correct => Ok(()),
            Some(choice) => Err((Miss::WrongChoice(choice.id.value.clone()), choice.why.clone().unwrap_or_default())),
            None => Err((Miss::Malformed, Self::expects(&view).to_string())),
        })
    }
    fn describe_answer(view: &Suspects, given: &Vec<String>) -> Vec<String> {
        let line = line_of(view, given).and_then(|at| Some((at + 1, view.code.get(at)?)));
        let line = line.map(|(number, line)| format!("{number}: `{}`", line.trim()));
        let consequence = given.get(1).filter(|id| !id.is_empty()).map(|id| text_of(id, &view.consequences));
        line.into_iter().chain(consequence).collect()
    }
    fn shown_code(view: &Suspects) -> Option<String> {
        Some(numbered(view))
    }
    fn listing(view: &Suspects) -> Vec<String> {
        [numbered(view)].into_iter().chain(super::listed(&view.consequences)).collect()
    }
    fn form(_: &Suspects) -> String {
        t!("cli-quiz-form-fault")
    }
    fn reasons(spec: &Fault, _: &Parameters) -> Vec<Reason> {
        let line = |(_, line): &(u32, String)| Reason::right(format!("`{}`", line.trim()));
        let lines = spec.code();
        let right = lines.iter().filter(|(_, line)| spec.holds(line)).map(line);
        let other = Reason::wrong(t!("quiz-any-other-line"), &spec.why);
        right.chain([other]).chain(spec.consequences.iter().map(Choice::reason)).collect()
    }

    fn check(lint: &mut Lint<'_>, spec: &Fault, _: &Variant, path: &Path<'_>) {
        lint.text("The reason", &spec.why, &path.to("why"));
        lint.markdown(&spec.why, &path.to("why"));
        let Some(kernel) = spec.faulty() else { return };
        if let Some(region) = spec.region.as_ref() {
            let known = kernel.source.regions().iter().map(|region| region.name.as_str());
            lint.reference("unknown-region", "region", region, known);
        }
        if spec.races.is_empty() && spec.stops.is_none() && spec.beside.is_none() {
            let message = format!("Nothing proves the fault of `{}`.", spec.kernel.value);
            let help = "State its `races`, its fault in `stops`, or a correct kernel in `beside`.";
            lint.report("fault-proof", &spec.kernel, message, help);
        }
        if !spec.races.is_empty() && spec.stops.is_some() {
            let message = format!("`{}` stops, so no races of it are found.", spec.kernel.value);
            lint.report("fault-proof", &spec.kernel, message, "State `races` or `stops`.");
        }
        let code = spec.code();
        for piece in &spec.lines {
            if !code.iter().any(|(_, line)| line.contains(piece.value.as_str())) {
                let message = format!("`{}` does not occur in the code that is shown.", piece.value);
                lint.report("fault-lines", piece, message, "Copy a piece of the line; comments are not shown.");
            }
        }
        let right = spec.places().len();
        if spec.lines.is_empty() || right == code.len() {
            let message = format!("{right} of {} lines count as correct answers.", code.len());
            let help = "Name the lines with the fault, and show other lines, too.";
            lint.report("fault-lines", &path.to("lines"), message, help);
        }
        let key = "Mark one, and give at least one wrong one.";
        let possible = |right, all| right == 1 && all > 1;
        Choice::check(lint, ["consequence", key], &spec.consequences, possible, &path.to("consequences"));
    }
}

/// Returns the code with a number before each line.
fn numbered(view: &Suspects) -> String {
    let rows = (1..).zip(&view.code).map(|(number, line)| format!("{number:>2}  {}", text::line(line)));
    rows.collect::<Vec<String>>().join("\n")
}
