/*! Judges a kernel that a student wrote. Does it run? Is its result correct? Does it have races? How much memory
traffic does it cause?

Everything runs on the emulator, on shapes for which the kernel was not written. The inputs and the order of the warps
are random and new each time. The goals are checked in order, and the judge reports the first unmet goal and its line. A
fault leaves no result, and a race may make a result incorrect. A count is compared with the count of the solution at
the same shape, never with a number in a file.
*/

mod cases;
mod found;
mod pattern;
#[cfg(test)]
mod tests;
mod verdict;

pub use verdict::{Cause, Count, CountGoal, Engine, Finding, Goal, JudgeRequest, JudgeShape, MAX_WRONG, Verdict};

use super::matrices::Matrices;
use super::program::Program;
use super::protocol::{ExecError, ExecErrorKind, Shape};
use super::resolve::{Resolved, resolve};
use crate::emulator::matters;
use crate::fault::explain;
use crate::input::mix;
use cases::{Case, cases, far_cases};
use pattern::{Mistake, mistakes};
use ptx_emulator::{
    Control, Counts, Fault, FaultKind, Hazard, HazardSpace, Kernel, Measure, Module, Options, Schedule, attempt,
};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use tutor_kernels::{Catalog, EMULATED_SMS, Elements, EpilogueParams, Needs};
use tutor_support::sentence;

/// Maximum number of warp instructions of all launches of a judgement. A limit in seconds would reject a correct kernel
/// on a busy machine.
const MAX_STEPS: u64 = 500_000_000;
/// Maximum number of warp instructions of a block: a fixed part, and a part for every 32 multiply-adds.
const STEPS_ANYWAY: u64 = 2_000_000;
const STEPS_A_WARP: u64 = 64;
/// A kernel uses an engine if it issues at least this fraction (1/n) of the reference's instructions: other shapes of
/// the same instruction do up to four times as much.
const FEWER_INSTRUCTIONS: u64 = 4;

/// Judges a kernel, and calls `progress` with the completed fraction, 0 to 1.
///
/// # Errors
/// If the reference cannot be run, or if the request was cancelled. A problem in the judged kernel is not an error.
pub fn judge(
    request: &JudgeRequest,
    cancelled: &AtomicBool,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Verdict, ExecError> {
    within(request, MAX_STEPS, cancelled, progress)
}

/// Judges a kernel with at most `steps` warp instructions.
fn within(
    request: &JudgeRequest,
    steps: u64,
    cancelled: &AtomicBool,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Verdict, ExecError> {
    let (begun, all) = (AtomicU32::new(0), AtomicU32::new(u32::MAX));
    let hear = |share: f64| {
        let launch = f64::from(begun.load(Ordering::Relaxed).saturating_sub(1));
        progress(((launch + share) / f64::from(all.load(Ordering::Relaxed))).min(1.0));
    };
    let control = Control::default().steps(steps).cancel(cancelled).progress(&hear);
    let judge = Judge::new(request, control, &begun)?;
    all.store(judge.launches(), Ordering::Relaxed);
    let outcome =
        judge.results().and_then(|()| judge.far()).and_then(|()| judge.hazards()).and_then(|()| judge.counts());
    match outcome {
        Ok(()) => Ok(Verdict::Passed),
        Err(Stop::Found(finding)) => Ok(Verdict::Failed(finding)),
        Err(Stop::Error(error)) => Err(error),
    }
}

enum Stop {
    Found(Box<Finding>),
    Error(ExecError),
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Self {
        Self::Found(Box::new(finding))
    }
}

impl From<ExecError> for Stop {
    fn from(error: ExecError) -> Self {
        Self::Error(error)
    }
}

struct Ended {
    /// The hazards found so far.
    hazards: Vec<Hazard>,
    fault: Option<Fault>,
}

struct Judge<'a> {
    request: &'a JudgeRequest,
    control: Control<'a>,
    /// Number of launches that have begun.
    begun: &'a AtomicU32,
    elements: Elements,
    /// The judged program. It accepts every shape of the cases.
    program: Program,
    kernel: Result<Kernel, Box<Finding>>,
    needs: Needs,
    cases: Vec<Case>,
}

impl<'a> Judge<'a> {
    fn new(request: &'a JudgeRequest, control: Control<'a>, begun: &'a AtomicU32) -> Result<Self, ExecError> {
        let (program, needs) = (for_every_shape(&request.program), needs(&request.program));
        let mut wide = wide(&program);
        let (elements, found) = resolve(&program, 0, wide, EMULATED_SMS)?;
        // A tile of eight bits has twice as many values along K.
        wide.k *= if elements == Elements::E4m3 { 2 } else { 1 };
        let resolved = found?;
        if resolved.further != EpilogueParams::default() {
            return Err(ExecError::new(ExecErrorKind::Invalid, sentence!("exec-judge-further")));
        }
        let kernel = found::kernel(&resolved);
        let cases = cases(&needs, request.seed, wide, &request.shapes).into_iter();
        let cases = cases.map(|case| case.of(elements, &needs)).collect();
        Ok(Self { request, control, begun, elements, program, kernel, needs, cases })
    }

    /// Returns the number of launches of a kernel that passes.
    fn launches(&self) -> u32 {
        let watched = self.cases.iter().filter(|case| case.watched).count();
        let far = if self.request.far { 3 } else { 0 };
        (2 * self.cases.len() + far + watched + 1) as u32
    }

    fn kernel(&self) -> Result<&Kernel, Stop> {
        self.kernel.as_ref().map_err(|finding| Stop::Found(finding.clone()))
    }

    fn resolved(&self, shape: Shape) -> Result<Resolved, Stop> {
        Ok(resolve(&self.program, 0, shape, EMULATED_SMS)?.1?)
    }

    /// Runs one launch, and returns what it measured until its end or its fault.
    fn launch(&self, case: &Case, matrices: &mut Matrices, measure: Measure, seed: u64) -> Result<Ended, Stop> {
        let program = self.resolved(case.shape)?;
        let launch = matrices.launch(&program, case.alpha, case.beta);
        let share = case.shape.products() / program.geometry.blocks().max(1) / 32;
        let options = Options {
            measure,
            schedule: Schedule::Seeded(seed),
            step_budget: Some(STEPS_ANYWAY + share * STEPS_A_WARP),
            global_hazards: measure == Measure::All,
            unwritten_is_nan: true,
            fault_on_absent_lanes: true,
            ..Options::default()
        };
        self.begun.fetch_add(1, Ordering::Relaxed);
        let ended = match attempt(self.kernel()?, &launch, &mut matrices.memory, &options, &self.control) {
            Ok(outcome) => {
                Ended { hazards: outcome.run.hazards.into_iter().filter(matters).collect(), fault: outcome.fault }
            }
            Err(fault) => Ended { hazards: Vec::new(), fault: Some(fault) },
        };
        match &ended.fault {
            Some(fault) if fault.kind == FaultKind::Cancelled => Err(ExecError::interrupted().into()),
            // A limit of the emulator, and not a fault of the kernel.
            Some(fault) if fault.kind == FaultKind::HazardBudget => {
                Err(ExecError::new(ExecErrorKind::Invalid, explain(fault)).into())
            }
            _ => Ok(ended),
        }
    }

    /// Runs every case twice without loading the kernel again. Each run must end, and every element must be correct.
    ///
    /// A fault in any case is reported first, because it may also be the cause of an incorrect result.
    fn results(&self) -> Result<(), Stop> {
        self.kernel()?;
        let mut wrong = None;
        for case in &self.cases {
            let inputs = case.inputs(self.elements);
            let problem = case.problem(&inputs, self.elements);
            let (exact, tolerance) = (problem.exact(), problem.tolerance());
            let before = case.matrices(&inputs, self.elements);
            let mut matrices = before.again();
            for again in [false, true] {
                if again && wrong.is_some() {
                    break;
                }
                if again {
                    // The second launch is like one in a loop: variables of the kernel's module keep their values.
                    matrices.restore(&before);
                }
                let outcome = self.launch(case, &mut matrices, Measure::None, case.seed + u64::from(again))?;
                if let Some(fault) = &outcome.fault {
                    return Err(found::fault(fault, case, &matrices, self.elements).into());
                }
                if wrong.is_none() {
                    wrong = found::wrong(&problem, &exact, &tolerance, case, &before, &matrices, again)
                        .map(|finding| (finding, case));
                }
            }
        }
        let Some((wrong, case)) = wrong else { return Ok(()) };
        // A race can produce a different result each time, so the race is reported instead. A race on global memory is
        // not: two threads that write the same element of C have probably computed the wrong one.
        match self.first_hazard(|hazard| hazard.space != HazardSpace::Global)? {
            Some(finding) => Err(finding.into()),
            None => Err(self.explained(wrong, case)?.into()),
        }
    }

    /// Adds the mistake that explains every incorrect element of a case, if it also explains those of another draw of
    /// numbers. A mistake that explains only one draw may be a coincidence.
    fn explained(&self, finding: Finding, case: &Case) -> Result<Finding, Stop> {
        let mut left: Option<Vec<Mistake>> = None;
        for draw in 0..2 {
            let case = Case { seed: case.seed ^ mix(draw), ..case.clone() };
            let inputs = case.inputs(self.elements);
            let problem = case.problem(&inputs, self.elements);
            let mut matrices = case.matrices(&inputs, self.elements);
            if self.launch(&case, &mut matrices, Measure::None, case.seed)?.fault.is_some() {
                return Ok(finding);
            }
            let c = case.result(&matrices, self.elements);
            let found = mistakes(&problem, &c, &problem.exact(), &problem.tolerance());
            left = Some(match left {
                None => found,
                Some(left) => left.into_iter().filter(|mistake| found.contains(mistake)).collect(),
            });
        }
        Ok(match left.as_deref() {
            Some([mistake, ..]) => {
                let message = finding.message.clone() + " " + mistake.sentence(case.shape.k);
                Finding { message, ..finding }
            }
            _ => finding,
        })
    }

    /// Checks the result where an index does not fit into 32 bits, if the request asks for it and the system has enough
    /// address space. A page in a browser never has.
    fn far(&self) -> Result<(), Stop> {
        if !self.request.far {
            return Ok(());
        }
        for case in far_cases(&self.needs, self.request.seed).map(|case| case.of(self.elements, &self.needs)) {
            let inputs = case.inputs(self.elements);
            let Some(mut matrices) = case.sparse(&inputs, self.elements) else {
                if cfg!(target_pointer_width = "32") {
                    return Err(ExecError::new(ExecErrorKind::OutOfMemory, sentence!("exec-judge-far")).into());
                }
                continue;
            };
            let problem = case.problem(&inputs, self.elements);
            let outcome = self.launch(&case, &mut matrices, Measure::None, case.seed)?;
            if let Some(fault) = &outcome.fault {
                return Err(found::fault(fault, &case, &matrices, self.elements).into());
            }
            let (exact, tolerance) = (problem.exact(), problem.tolerance());
            if let Some(finding) = found::wrong_elements(&problem, &exact, &tolerance, &case, &matrices) {
                return Err(finding.into());
            }
        }
        Ok(())
    }

    /// Checks that no two accesses race, in shared or in global memory.
    fn hazards(&self) -> Result<(), Stop> {
        self.first_hazard(|_| true)?.map_or(Ok(()), |finding| Err(finding.into()))
    }

    fn first_hazard(&self, wanted: impl Fn(&Hazard) -> bool) -> Result<Option<Finding>, Stop> {
        for case in self.cases.iter().filter(|case| case.watched) {
            let mut matrices = case.matrices(&case.inputs(self.elements), self.elements);
            let outcome = self.launch(case, &mut matrices, Measure::All, case.seed)?;
            if let Some(hazard) = outcome.hazards.into_iter().find(&wanted) {
                return Ok(Some(found::hazard(hazard, case)));
            }
        }
        Ok(None)
    }

    /// Checks that each limited count is at most the reference's count times the goal's factor, and that the kernel uses
    /// the engines that the exercise asks for.
    fn counts(&self) -> Result<(), Stop> {
        let JudgeRequest { counts, uses, .. } = self.request;
        let Some(case) = self.cases.iter().rfind(|case| case.watched && !(counts.is_empty() && uses.is_empty())) else {
            return Ok(());
        };
        let (matrices, own) = self.counted(self.kernel()?, &self.resolved(case.shape)?, case, &self.control);
        let own = match own {
            Ok(own) => own,
            Err(fault) if fault.kind == FaultKind::Cancelled => return Err(ExecError::interrupted().into()),
            Err(fault) => return Err(found::fault(&fault, case, &matrices, self.elements).into()),
        };
        let reference = resolve(&for_every_shape(&self.request.reference), 0, case.shape, EMULATED_SMS)?.1?;
        let kernel = Module::parse(&reference.ptx).and_then(|module| module.kernel(&reference.entry));
        let kernel = kernel.map_err(|fault| ExecError::new(ExecErrorKind::Invalid, fault.message))?;
        // The steps of the reference do not count.
        let (_, theirs) = self.counted(&kernel, &reference, case, &self.control.clone().steps(u64::MAX));
        let theirs = theirs.map_err(|fault| ExecError::new(ExecErrorKind::KernelFault, explain(&fault)))?;
        for goal in counts {
            let (has, may) = (goal.of.of(&own), goal.of.of(&theirs) as f64 * goal.at_most);
            if has as f64 > may {
                return Err(found::count(goal, has, may, case).into());
            }
        }
        for engine in uses {
            let issued = |counts: &Counts| -> u64 {
                counts.lines.iter().filter(|line| engine.runs(&line.op)).map(|line| line.warp_instructions).sum()
            };
            let (has, theirs) = (issued(&own), issued(&theirs));
            if has * FEWER_INSTRUCTIONS < theirs {
                return Err(found::unused(*engine, has, theirs, case).into());
            }
        }
        Ok(())
    }

    fn counted(
        &self,
        kernel: &Kernel,
        program: &Resolved,
        case: &Case,
        control: &Control,
    ) -> (Matrices, Result<Counts, Box<Fault>>) {
        let mut matrices = case.matrices(&case.inputs(self.elements), self.elements);
        let launch = matrices.launch(program, case.alpha, case.beta);
        let options = Options { measure: Measure::Counts, ..Options::default() };
        let outcome = attempt(kernel, &launch, &mut matrices.memory, &options, control);
        let outcome = outcome.and_then(|outcome| outcome.fault.map_or(Ok(outcome.run), Err));
        (matrices, outcome.map(|run| run.counts.unwrap_or_default()).map_err(Box::new))
    }
}

impl Count {
    fn of(self, counts: &Counts) -> u64 {
        let Counts { totals, lines, .. } = counts;
        match self {
            Self::GlobalSectors => totals.sectors,
            Self::GlobalBytes => totals.global_bytes,
            Self::SharedWavefronts => totals.wavefronts,
            Self::Barriers => totals.barriers,
            Self::LocalAccesses => {
                lines.iter().filter(|line| line.op.contains(".local")).map(|line| line.warp_instructions).sum()
            }
        }
    }
}

/// Returns the program without its requirements on the shape. The shapes of all cases meet these requirements, so no
/// other kernel runs instead.
fn for_every_shape(program: &Program) -> Program {
    let mut program = program.clone();
    if let Some(spec) = &mut program.spec {
        (spec.needs, spec.otherwise) = (Needs::default(), None);
    }
    program
}

/// Returns the requirements of a program on a shape.
fn needs(program: &Program) -> Needs {
    match &program.spec {
        Some(spec) => spec.needs.clone(),
        None => Catalog::built_in().find(&program.kernel).map(|kernel| kernel.needs.clone()).unwrap_or_default(),
    }
}

/// Returns a shape with several tiles along K and several blocks. A persistent kernel runs some of these blocks one
/// after the other.
fn wide(program: &Program) -> Shape {
    let arch = match &program.spec {
        Some(spec) => spec.arch.clone(),
        None => Catalog::built_in().find(&program.kernel).map(|kernel| kernel.min_arch()),
    };
    let hopper = arch.is_some_and(|arch| arch.starts_with("sm_9"));
    if hopper { Shape { m: 640, n: 256, k: 128 } } else { Shape { m: 256, n: 256, k: 128 } }
}
