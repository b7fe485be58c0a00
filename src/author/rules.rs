//! The rules of the check, one line each. Codes are stable: scripts may rely on them.

use crate::course::Severity::{self, Error, Warning};

/// A rule of the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Stable name.
    pub code: &'static str,
    /// How bad breaking it is.
    pub severity: Severity,
    /// What the rule asks for.
    pub asks: &'static str,
    /// Whether a course may allow itself to break it: not where something could then not be read or told apart, nor where
    /// a page would state what the machine denies.
    pub allowable: bool,
}

/// How bad breaking the rule of this code is.
pub(super) fn severity(code: &str) -> Severity {
    RULES.iter().find(|rule| rule.code == code).map_or(Error, |rule| rule.severity)
}

const fn error(code: &'static str, asks: &'static str) -> Rule {
    Rule { code, severity: Error, asks, allowable: true }
}

/// A rule without which a part of the course is not there.
const fn form(code: &'static str, asks: &'static str) -> Rule {
    Rule { allowable: false, ..error(code, asks) }
}

/// A rule without which a page states what the machine denies.
const fn denied(code: &'static str, asks: &'static str) -> Rule {
    form(code, asks)
}

const fn warning(code: &'static str, asks: &'static str) -> Rule {
    Rule { code, severity: Warning, asks, allowable: true }
}

/// All rules, by what they look at.
pub const RULES: &[Rule] = &[
    // The form of a file.
    form("yaml", "A file is one YAML document."),
    form("duplicate-key", "A field is given once."),
    form("too-large", "A file is small and not nested deeply."),
    form("control-character", "No text holds a character that can deceive a terminal."),
    form("unknown-field", "A field is one of those that its type has."),
    form("missing-field", "A field that has no default is given."),
    form("wrong-type", "A value is of its field's type."),
    form("unknown-name", "A name of a fixed list is one of that list."),
    form("missing-file", "A file that `course.yaml` names exists inside of the course."),
    form("extends", "A course extends one that can be read, uses levels that it has, and has an id of its own."),
    warning("unnamed-file", "A lesson or quiz is named by `course.yaml`."),
    form("too-many", "Lists stay short enough to be shown."),
    form("bad-allow", "What a course allows is a rule that it may break, with a reason."),
    warning("allow-idle", "What a course allows is broken somewhere."),
    // Names and references.
    form("bad-id", "An id is made of lower-case letters, digits, hyphens and underscores."),
    form("duplicate-id", "An id is unique where it is used."),
    form("level-mismatch", "A file belongs to the level that names it."),
    warning("id-vanished", "An id that students have progress under stays, or is named in a `was` (`check --since`)."),
    form("bad-language", "A language is a code such as `en` or `ko`, given once."),
    error("unknown-objective", "An objective that is referred to exists in the level."),
    error("unknown-page", "A page that a slot refers to exists in the level."),
    error("unknown-kernel", "A kernel that is referred to is in the catalogue."),
    error("unknown-exercise", "An exercise that is referred to is one of the course's."),
    error("unknown-region", "A region that is shown exists in the kernel's file."),
    error("note-not-found", "The text that a note is anchored to occurs in the code that is shown."),
    form("catalog", "The catalogue of kernels can be read."),
    // Kernels.
    denied("ptx-missing", "A kernel of the course is compiled, and so are its variants."),
    denied("ptx-stale", "A PTX was made of the source, the constants and for the GPU that the catalogue gives it."),
    denied("kernel-fault", "A kernel comes to its end on the emulator."),
    denied("kernel-result", "A kernel is right, or is wrong as `expected_wrong` says."),
    denied("kernel-hazard", "A kernel has the hazard that the catalogue states, and no other."),
    warning("unknown-level", "A kernel belongs to a level of the course."),
    // Pages.
    error("empty-text", "A text says something."),
    error("one-line", "A title, a term and a name are one line."),
    error("bad-expression", "An expression can be read and uses only the names known there."),
    error("bad-show", "What a page shows has values in range."),
    error("hazard-kernel", "A hazard is shown with a kernel that has it and one that has not."),
    error("predict-choices", "A prediction has two to six choices, exactly one of them correct."),
    error("bad-claim", "A claim can be checked."),
    warning("ladder-unrecorded", "The kernels of a level's ladder have recorded times."),
    denied("claim-failed", "What a page claims is what the machine measures."),
    denied("recording-of-another-kernel", "What a page takes from a recording was recorded of the very kernel."),
    warning("page-too-long", "A page has at most 120 words."),
    warning("title-too-long", "A title fits into the page list."),
    warning("markdown", "Text uses only the Markdown that is shown: headings, lists, tables, code, emphasis."),
    warning("objective-untaught", "An objective is served by a page."),
    error("why-points", "A why has a model answer of two to six points."),
    // Teaching.
    warning("level-lacks", "A level has recall questions, a picture and a gate."),
    warning("page-idle", "A page of code asks for something."),
    warning("term-too-early", "A page uses no term that is introduced after it."),
    warning("answer-given-away", "The right choice of a prediction is not seen before it is asked for."),
    warning("answers-lean", "Choices that keep their order have the right one now here, now there."),
    // Quizzes.
    error("bad-gate", "A gate asks for 1 to 100 percent."),
    error("empty-quiz", "A level has questions, for without them nobody passes it."),
    error(
        "too-few-variants",
        "A slot has at least three variants, or one numeric question with three sets of numbers.",
    ),
    error("choice-key", "A single choice has exactly one right choice, a multiple choice a right and a wrong one."),
    error("choice-why", "A wrong choice says why it is wrong."),
    error("cloze-blanks", "The marks `___1___`, `___2___` … in the code match the blanks."),
    error("numeric-parameter", "Parameters have names, finite values and a use."),
    error("numeric-formula", "A formula can be computed for all values of its parameters."),
    error("numeric-tolerance", "A tolerance is between 0 and 0.2, and an exact answer is short enough to type."),
    error("numeric-slip", "A slip differs from the right answer."),
    error("text-accept", "A text question accepts something, and not its own slips."),
    error("predict-count", "What a question asks to predict can be counted."),
    error("fault-proof", "A planted fault is proved by races, by a stop, or by a right kernel beside it."),
    error("fault-lines", "The lines with the fault stand in the code, and it has other lines."),
    error("order-items", "There are at least three events to put in order."),
    error("match-pairs", "There are at least three pairs to match, each with a partner of its own."),
    warning("objective-uncovered", "Every objective of a level is asked for by a slot."),
    warning("bloom-spread", "Eight slots spread over Bloom's levels 1-1-3-2-1."),
    // Exercises.
    error("exercise-not-built", "What a student may choose in an exercise is compiled."),
    error("exercise", "Each text of an exercise passes, or fails by the goal that it names."),
    error("hint-not-reached", "A hint is for something that a wrong text has."),
    warning("mutant-survives", "The judge of an exercise lets no slip pass."),
    // Editions.
    error("edition-differs", "A translation asks and shows the same, and has the same right answers."),
    warning("edition-numbers", "A translation states the same numbers."),
    warning("edition-outdated", "A page that says which original it translates translates the one there is."),
    warning("edition-missing", "A translation has all pages and questions of the original."),
];
