/*! From a student's submission to the judge's request.

A chosen answer has its PTX in the pack. A written source is compiled first, which is the first goal.
*/

use super::exercise::{Exercise, Work};
use super::written::{FaultName, Hint, When};
use ptx_emulator::{FaultKind, Rule};
use std::collections::BTreeMap;
use std::sync::Arc;
use tutor_exec::fault::hazard_kind;
use tutor_exec::judge::{Cause, Finding, Goal, JudgeRequest, Verdict};
use tutor_exec::protocol::{CompileRequest, Program};
use tutor_kernels::nvrtc::Compiled;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// For a repair: the faulty line, and the id of a cure.
    Cure {
        /// 1-based.
        line: u32,
        cure: String,
    },
    /// For a fill-in: the id of a filling for each hole, in the order of the holes.
    Fillings(Vec<String>),
    /// For a kernel to write: its text.
    Source(String),
}

/// What is wrong with a submitted form, with the name of the missing or unknown item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Malformed {
    Missing(String),
    /// A field, its unknown id, and the known ids.
    Unknown(String, String, Vec<String>),
    /// The text is not a form.
    NoForm(String),
}

impl Exercise {
    /// Parses a form: YAML with `line` and `cure` for a repair, or a filling for each hole.
    pub fn answer(&self, form: &str) -> Result<Answer, Malformed> {
        let fields = |form: &str| {
            let node = tutor_support::yaml::read(form).map_err(|fault| Malformed::NoForm(fault.message))?;
            let tutor_support::yaml::Value::Map(entries) = node.value else {
                return Err(Malformed::NoForm("It is not a list of fields like `name: value`.".to_owned()));
            };
            let text = |node: &tutor_support::yaml::Node| match &node.value {
                tutor_support::yaml::Value::Text(text) => Some(text.clone()),
                tutor_support::yaml::Value::Integer(number) => Some(number.to_string()),
                _ => None,
            };
            Ok(entries
                .iter()
                .filter_map(|(key, value)| Some((text(key)?, text(value)?)))
                .collect::<BTreeMap<String, String>>())
        };
        match &self.work {
            Work::Write(_) => Ok(Answer::Source(form.to_owned())),
            Work::Repair(repair) => {
                let fields = fields(form)?;
                let field = |name: &str| fields.get(name).cloned().ok_or_else(|| Malformed::Missing(name.to_owned()));
                let line = field("line")?;
                let line = line.parse().map_err(|_| Malformed::Unknown("line".to_owned(), line, Vec::new()))?;
                let cure = field("cure")?;
                let known: Vec<String> = repair.cures.iter().map(|cure| cure.id.clone()).collect();
                if !known.contains(&cure) {
                    return Err(Malformed::Unknown("cure".to_owned(), cure, known));
                }
                Ok(Answer::Cure { line, cure })
            }
            Work::Fill(fill) => {
                let fields = fields(form)?;
                let chosen = fill.holes.iter().map(|hole| {
                    let id = fields.get(&hole.id).cloned().ok_or_else(|| Malformed::Missing(hole.id.clone()))?;
                    let known: Vec<String> = hole.fillings.iter().map(|(id, ..)| id.clone()).collect();
                    if known.contains(&id) { Ok(id) } else { Err(Malformed::Unknown(hole.id.clone(), id, known)) }
                });
                Ok(Answer::Fillings(chosen.collect::<Result<_, _>>()?))
            }
        }
    }

    /// Returns the name of the choice that an answer selects. `None` for a source.
    pub fn choice(&self, answer: &Answer) -> Option<String> {
        match answer {
            Answer::Cure { cure, .. } => Some(cure.clone()),
            Answer::Fillings(ids) => Some(ids.join("+")),
            Answer::Source(_) => None,
        }
    }

    /// Returns a PTX as a program with the launch parameters of this exercise.
    pub fn program(&self, ptx: &str) -> Program {
        let mut kernel = self.kernel.clone();
        kernel.ptx = Some(Arc::from(ptx));
        Program::from(&kernel)
    }

    /// Returns the request to compile a source from this file for [`Self::judging`].
    pub fn compiling(&self, id: u64, file: String, source: String) -> CompileRequest {
        let (arch, constants) = (Some(self.kernel.min_arch()), self.kernel.constants.clone());
        CompileRequest { id, file, source, arch, constants, also_unoptimised: true, ..CompileRequest::default() }
    }

    /// Returns the request to judge a text against the solution's PTX.
    pub fn judging(&self, id: u64, text: &Compiled, solution: &str, seed: u64) -> JudgeRequest {
        let (program, reference) = (self.program(&text.ptx), self.program(solution));
        let (counts, uses, shapes) = (self.counts.clone(), self.uses.clone(), self.shapes.clone());
        let unoptimised = text.unoptimised.clone();
        JudgeRequest { id, program, unoptimised, reference, counts, uses, far: self.far, shapes, seed }
    }

    /// Returns the replies to a choice that did not pass: the `why` of a cure, or of the fillings that differ from the
    /// solution, in order.
    pub fn whys(&self, answer: &Answer) -> Vec<&str> {
        match (&self.work, answer) {
            (Work::Repair(repair), Answer::Cure { cure, .. }) => {
                repair.cures.iter().filter(|known| known.id == *cure).map(|cure| cure.why.as_str()).collect()
            }
            (Work::Fill(fill), Answer::Fillings(ids)) => {
                let chosen = fill.holes.iter().zip(ids);
                let whys = chosen.filter_map(|(hole, id)| hole.fillings.iter().find(|(known, ..)| known == id));
                whys.map(|(.., why)| why.as_str()).filter(|why| !why.is_empty()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the next unopened hint: the first one for this finding, else the first one without a condition, else the
    /// first one, so that students can reach the last hint.
    pub fn next_hint(&self, opened: &[u32], finding: Option<&Finding>) -> Option<(u32, &Hint)> {
        let mut hints = (0..).zip(&self.hints).filter(|(at, _)| !opened.contains(at));
        let fits = |hint: &Hint| hint.when.is_some() && !hint.is_for_another(finding);
        let mut rest = hints.clone();
        hints
            .clone()
            .find(|(_, hint)| fits(hint))
            .or_else(|| rest.find(|(_, hint)| hint.when.is_none()))
            .or_else(|| hints.next())
    }
}

impl Hint {
    /// True if this hint is for a failure other than this finding.
    pub fn is_for_another(&self, finding: Option<&Finding>) -> bool {
        self.when.as_ref().is_some_and(|when| !finding.is_some_and(|found| when.is(found)))
    }
}

impl When {
    /// True if this condition matches the finding.
    pub fn is(&self, finding: &Finding) -> bool {
        let hazard = self.hazard.is_none_or(|name| finding.cause == Cause::Hazard(hazard_kind(name)));
        let lanes = [Rule::AbsentLane, Rule::UnnamedLane, Rule::MissingLane].map(Cause::Undefined);
        let fault = self.fault.is_none_or(|name| {
            finding.cause == Cause::Fault(FaultKind::from(name))
                || name == FaultName::AbsentLane && lanes.contains(&finding.cause)
        });
        let count = self.count.is_none_or(|count| finding.cause == Cause::Count(count));
        self.goal.is_none_or(|goal| finding.goal == goal) && hazard && fault && count
    }
}

impl From<FaultName> for FaultKind {
    fn from(name: FaultName) -> Self {
        match name {
            FaultName::OutOfBounds => Self::OutOfBounds,
            FaultName::Misaligned => Self::Misaligned,
            FaultName::DivergentBarrier => Self::DivergentBarrier,
            FaultName::AbsentLane => Self::LaneMask,
            FaultName::Mbarrier => Self::Mbarrier,
            FaultName::StepBudget => Self::StepBudget,
            FaultName::Livelock => Self::Livelock,
            FaultName::Uninitialised => Self::Uninitialised,
        }
    }
}

/// Returns each goal with true if it is met. Goals after the first unmet one are unknown.
pub fn goals(verdict: &Verdict) -> Vec<(Goal, Option<bool>)> {
    let failed = match verdict {
        Verdict::Passed => None,
        Verdict::Failed(finding) => Some(finding.goal),
    };
    let met = |goal: Goal| match failed {
        _ if goal == Goal::Faster => None,
        None => Some(true),
        Some(failed) if goal < failed => Some(true),
        Some(failed) if goal == failed => Some(false),
        Some(_) => None,
    };
    Goal::ALL.into_iter().map(|goal| (goal, met(goal))).collect()
}
