/*! Judging a kernel that somebody wrote: does it run, is it right, does it race, what does it ask of memory?

All on the emulator, on shapes that the kernel was not written for, with inputs and an order of warps that are drawn anew
each time. The goals are looked at in order, and the first that is not met is told with its place: after a fault there is
no result, and a result that is wrong may be so because of a race.
*/

mod cases;
mod found;
mod pattern;
#[cfg(test)]
mod tests;
mod verdict;

pub use verdict::{Cause, Count, CountGoal, Finding, Goal, JudgeRequest, JudgeShape, MAX_WRONG, Verdict};

use super::matrices::Matrices;
use super::program::Program;
use super::protocol::{ExecError, ExecErrorKind, Shape};
use super::resolve::{Resolved, resolve};
use super::verify::Problem;
use crate::fault::told;
use cases::{Case, cases, far_cases};
use ptx_emulator::{
    Control, Fault, FaultKind, Hazard, HazardSpace, Kernel, Measure, Module, Options, Schedule, Totals, attempt,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tutor_base::sentence;
use tutor_kernels::{Catalog, EMULATED_SMS, Elements, Needs};

/// Time for all launches of a judgement, on a slow and busy machine.
const TIME: Duration = Duration::from_secs(60);
/// Warp instructions that a block may take for its part, and for 32 multiply-adds.
const STEPS_ANYWAY: u64 = 2_000_000;
const STEPS_A_WARP: u64 = 64;

/// Judges a kernel; `progress` is told how far it is, 0 to 1.
///
/// # Errors
/// If the reference cannot be had, if it was cancelled, or if this machine took longer than it may. What is wrong with the
/// kernel is no error.
pub fn judge(
    request: &JudgeRequest,
    cancelled: &AtomicBool,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Verdict, ExecError> {
    let control = Control::default().time(TIME).cancel(cancelled);
    let judge = Judge::new(request, control, progress)?;
    let outcome =
        judge.results().and_then(|()| judge.far()).and_then(|()| judge.hazards()).and_then(|()| judge.counts());
    match outcome {
        Ok(()) => Ok(Verdict::Passed),
        Err(Stop::Found(finding)) => Ok(Verdict::Failed(finding)),
        Err(Stop::Error(error)) => Err(error),
    }
}

/// Why the judge goes no further.
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

/// How a launch ended.
struct Ended {
    /// Those found until then.
    hazards: Vec<Hazard>,
    fault: Option<Fault>,
}

struct Judge<'a> {
    request: &'a JudgeRequest,
    control: Control<'a>,
    /// Told the share of what is to be done now and then.
    progress: &'a (dyn Fn(f64) + Sync),
    elements: Elements,
    /// What is judged, and it takes every shape that the cases have.
    program: Program,
    kernel: Result<Kernel, Box<Finding>>,
    needs: Needs,
    cases: Vec<Case>,
}

impl<'a> Judge<'a> {
    fn new(
        request: &'a JudgeRequest,
        control: Control<'a>,
        progress: &'a (dyn Fn(f64) + Sync),
    ) -> Result<Self, ExecError> {
        let (program, needs) = (for_every_shape(&request.program), needs(&request.program));
        let wide = wide(&program);
        let (elements, found) = resolve(&program, 0, wide, EMULATED_SMS)?;
        let resolved = found?;
        let kernel = found::kernel(&resolved);
        let cases = cases(&needs, request.seed, wide, &request.shapes);
        Ok(Self { request, control, progress, elements, program, kernel, needs, cases })
    }

    fn kernel(&self) -> Result<&Kernel, Stop> {
        self.kernel.as_ref().map_err(|finding| Stop::Found(finding.clone()))
    }

    fn resolved(&self, shape: Shape) -> Result<Resolved, Stop> {
        Ok(resolve(&self.program, 0, shape, EMULATED_SMS)?.1?)
    }

    /// One launch; what it measured up to its end or its fault.
    fn launch(&self, case: &Case, matrices: &mut Matrices, measure: Measure, seed: u64) -> Result<Ended, Stop> {
        let program = self.resolved(case.shape)?;
        let launch = matrices.launch(&program, case.alpha, case.beta);
        let products = u64::from(case.shape.m) * u64::from(case.shape.n) * u64::from(case.shape.k);
        let share = products / program.geometry.blocks().max(1) / 32;
        let options = Options {
            measure,
            schedule: Schedule::Seeded(seed),
            step_budget: Some(STEPS_ANYWAY + share * STEPS_A_WARP),
            global_hazards: measure == Measure::All,
            unwritten_is_nan: true,
            fault_on_absent_lanes: true,
            ..Options::default()
        };
        let ended = match attempt(self.kernel()?, &launch, &mut matrices.memory, &options, &self.control) {
            Ok(outcome) => Ended { hazards: outcome.run.hazards, fault: outcome.fault },
            Err(fault) => Ended { hazards: Vec::new(), fault: Some(fault) },
        };
        match &ended.fault {
            Some(fault) if fault.kind == FaultKind::Cancelled => Err(ExecError::interrupted().into()),
            Some(fault) if fault.kind == FaultKind::TimeBudget => {
                let message = sentence!("exec-judge-too-slow", seconds = TIME.as_secs());
                Err(ExecError::new(ExecErrorKind::TimedOut, message).into())
            }
            // Ours, not the kernel's.
            Some(fault) if fault.kind == FaultKind::HazardBudget => {
                Err(ExecError::new(ExecErrorKind::Invalid, told(fault)).into())
            }
            _ => Ok(ended),
        }
    }

    /// Every case to its end, twice without loading the kernel anew, and every element right both times.
    ///
    /// Faults come first, whichever case has them: what is wrong with a result may be the same thing.
    fn results(&self) -> Result<(), Stop> {
        self.kernel()?;
        let mut wrong = None;
        for (at, case) in self.cases.iter().enumerate() {
            (self.progress)(at as f64 / (self.cases.len() + 2) as f64);
            let inputs = case.inputs(self.elements);
            let Case { shape, alpha, beta, .. } = *case;
            let problem = Problem { elements: self.elements, shape, alpha, beta, inputs: &inputs };
            let (exact, tolerance) = (problem.exact(), problem.tolerance());
            let before = case.matrices(&inputs, self.elements);
            let mut matrices = before.again();
            for again in [false, true] {
                if again {
                    // As a program does that launches a kernel in a loop: what it left in variables of its own is there.
                    matrices.restore(&before);
                }
                let outcome = self.launch(case, &mut matrices, Measure::None, case.seed + u64::from(again))?;
                if let Some(fault) = &outcome.fault {
                    return Err(found::fault(fault, case, &matrices, self.elements).into());
                }
                if wrong.is_none() {
                    wrong = found::wrong(&problem, &exact, &tolerance, case, &before, &matrices, again);
                }
            }
        }
        let Some(wrong) = wrong else { return Ok(()) };
        // What a race makes of a result is wrong in another way each time: the race is what there is to tell. Two threads
        // that both write an element of C are as likely to have computed the wrong one.
        match self.first_hazard(|hazard| hazard.space != HazardSpace::Global)? {
            Some(finding) => Err(finding.into()),
            None => Err(wrong.into()),
        }
    }

    /// Right also where an index does not fit into 32 bits, if that is asked for and the system has the addresses for it.
    fn far(&self) -> Result<(), Stop> {
        if !self.request.far {
            return Ok(());
        }
        for case in far_cases(&self.needs, self.request.seed) {
            let inputs = case.inputs(self.elements);
            let Some(mut matrices) = case.sparse(&inputs, self.elements) else { continue };
            let Case { shape, alpha, beta, .. } = case;
            let problem = Problem { elements: self.elements, shape, alpha, beta, inputs: &inputs };
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

    /// No two accesses that nothing orders, in shared memory and in global.
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

    /// No more of what has a limit than the reference has, times a factor.
    fn counts(&self) -> Result<(), Stop> {
        let Some(case) = self.cases.iter().rfind(|case| case.watched && !self.request.counts.is_empty()) else {
            return Ok(());
        };
        let own = self.totals(self.kernel()?, &self.resolved(case.shape)?, case)?;
        let reference = resolve(&for_every_shape(&self.request.reference), 0, case.shape, EMULATED_SMS)?.1?;
        let kernel = Module::parse(&reference.ptx).and_then(|module| module.kernel(&reference.entry));
        let kernel = kernel.map_err(|fault| ExecError::new(ExecErrorKind::Invalid, fault.message))?;
        let theirs = self.totals(&kernel, &reference, case)?;
        for goal in &self.request.counts {
            let (has, may) = (goal.of.of(&own), goal.of.of(&theirs) as f64 * goal.at_most);
            if has as f64 > may {
                return Err(found::count(goal, has, may, case).into());
            }
        }
        Ok(())
    }

    fn totals(&self, kernel: &Kernel, program: &Resolved, case: &Case) -> Result<Totals, ExecError> {
        let mut matrices = case.matrices(&case.inputs(self.elements), self.elements);
        let launch = matrices.launch(program, case.alpha, case.beta);
        let options = Options { measure: Measure::Counts, ..Options::default() };
        let outcome = attempt(kernel, &launch, &mut matrices.memory, &options, &self.control);
        let outcome = outcome.and_then(|outcome| outcome.fault.map_or(Ok(outcome.run), Err));
        let run = outcome.map_err(|fault| ExecError::new(ExecErrorKind::KernelFault, told(&fault)))?;
        Ok(run.counts.unwrap_or_default().totals)
    }
}

impl Count {
    fn of(self, totals: &Totals) -> u64 {
        match self {
            Self::GlobalSectors => totals.sectors,
            Self::GlobalBytes => totals.global_bytes,
            Self::SharedWavefronts => totals.wavefronts,
            Self::Barriers => totals.barriers,
        }
    }
}

/// The same program, whose place no other one takes: the shapes are such that it takes them.
fn for_every_shape(program: &Program) -> Program {
    let mut program = program.clone();
    if let Some(spec) = &mut program.spec {
        (spec.needs, spec.otherwise) = (Needs::default(), None);
    }
    program
}

/// What a shape must be for a program.
fn needs(program: &Program) -> Needs {
    match &program.spec {
        Some(spec) => spec.needs.clone(),
        None => Catalog::built_in().find(&program.kernel).map(|kernel| kernel.needs.clone()).unwrap_or_default(),
    }
}

/// A shape with several blocks, some of which a persistent kernel does one after the other, and several tiles along k.
fn wide(program: &Program) -> Shape {
    let arch = match &program.spec {
        Some(spec) => spec.arch.clone(),
        None => Catalog::built_in().find(&program.kernel).map(|kernel| kernel.min_arch()),
    };
    let hopper = arch.is_some_and(|arch| arch.starts_with("sm_9"));
    if hopper { Shape { m: 640, n: 256, k: 128 } } else { Shape { m: 256, n: 256, k: 128 } }
}
