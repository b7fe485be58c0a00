//! The rules of `check`. Codes are stable, because scripts may depend on them.

use tutor_course::Severity::{self, Error, Warning};
use tutor_support::words::Sentence;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    pub code: &'static str,
    pub severity: Severity,
    /// True if a course may allow itself to break the rule. False if the course could then not be read or identified,
    /// or if a page would contradict the machine.
    pub allowable: bool,
}

impl Rule {
    /// Returns the requirement of the rule, in the current language.
    pub fn asks(&self) -> String {
        Sentence::of_key(self.key()).to_string()
    }

    /// Returns the message key of that requirement.
    pub fn key(&self) -> String {
        format!("rule-{}", self.code)
    }
}

/// Returns the severity of the rule with this code.
pub(super) fn severity(code: &str) -> Severity {
    RULES.iter().find(|rule| rule.code == code).map_or(Error, |rule| rule.severity)
}

const fn error(code: &'static str) -> Rule {
    Rule { code, severity: Error, allowable: true }
}

/// Returns a rule whose violation removes a part of the course.
const fn form(code: &'static str) -> Rule {
    Rule { allowable: false, ..error(code) }
}

/// Returns a rule whose violation makes a page contradict the machine.
const fn denied(code: &'static str) -> Rule {
    form(code)
}

const fn warning(code: &'static str) -> Rule {
    Rule { code, severity: Warning, allowable: true }
}

/// All rules, grouped by what they check.
pub const RULES: &[Rule] = &[
    // The form of a file.
    form("yaml"),
    form("duplicate-key"),
    form("too-large"),
    warning("cut-text"),
    form("control-character"),
    form("unknown-field"),
    warning("retired-field"),
    form("missing-field"),
    form("wrong-type"),
    form("unknown-name"),
    form("missing-file"),
    form("extends"),
    warning("unnamed-file"),
    form("too-many"),
    form("bad-allow"),
    warning("allow-idle"),
    // Names and references.
    form("bad-id"),
    form("duplicate-id"),
    form("level-mismatch"),
    warning("id-vanished"),
    form("bad-language"),
    error("unknown-objective"),
    error("unknown-page"),
    error("unknown-kernel"),
    error("unknown-exercise"),
    error("unknown-region"),
    error("note-not-found"),
    form("catalog"),
    // Kernels.
    denied("ptx-missing"),
    denied("ptx-stale"),
    denied("kernel-fault"),
    denied("kernel-result"),
    denied("kernel-hazard"),
    warning("unknown-level"),
    // Pages.
    error("empty-text"),
    error("one-line"),
    error("bad-expression"),
    error("bad-show"),
    error("hazard-kernel"),
    error("predict-choices"),
    error("bad-claim"),
    warning("ladder-unrecorded"),
    denied("claim-failed"),
    denied("recording-of-another-kernel"),
    error("optional-page"),
    warning("page-too-long"),
    warning("title-too-long"),
    warning("markdown"),
    warning("objective-untaught"),
    error("why-points"),
    // Teaching.
    warning("level-lacks"),
    warning("level-too-long"),
    warning("page-idle"),
    warning("term-too-early"),
    warning("answer-given-away"),
    warning("answers-lean"),
    warning("cause-unproved"),
    warning("number-differs"),
    // Questions.
    warning("key-stands-out"),
    warning("key-within-noise"),
    warning("wavefronts-unproved"),
    warning("common-sense"),
    // Quizzes.
    error("bad-gate"),
    error("empty-quiz"),
    error("too-few-variants"),
    error("choice-key"),
    error("choice-why"),
    error("cloze-blanks"),
    error("numeric-parameter"),
    error("numeric-formula"),
    error("numeric-tolerance"),
    error("numeric-slip"),
    error("text-accept"),
    error("predict-count"),
    error("fault-proof"),
    error("fault-lines"),
    error("order-items"),
    error("match-pairs"),
    warning("objective-uncovered"),
    warning("bloom-spread"),
    warning("keys-longest"),
    // Exercises.
    error("exercise-not-built"),
    error("exercise"),
    error("hint-not-reached"),
    warning("mutant-survives"),
    // Editions.
    error("edition-differs"),
    warning("edition-numbers"),
    warning("edition-outdated"),
    warning("edition-missing"),
];
