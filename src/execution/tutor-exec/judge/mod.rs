/*! Judges a kernel that a student wrote. Does it run? Is its result correct? Does it have races? How much memory
traffic does it cause?

Everything runs on the emulator, on shapes for which the kernel was not written. The inputs and the order of the warps
are random and new each time. The goals are checked in order, and the judge reports the first unmet goal and its line. A
fault leaves no result, and a race may make a result incorrect. A count is compared with the count of the solution at
the same shape, never with a number in a file.
*/

mod cases;
mod found;
mod launches;
mod pattern;
#[cfg(test)]
mod tests;
mod verdict;

pub use verdict::{
    Cause, Count, CountGoal, Engine, Finding, Goal, JudgeRequest, JudgeShape, Judged, MAX_WRONG, Verdict,
};

use super::job::must_be_exact;
use super::matrices::Matrices;
use super::program::Program;
use super::protocol::{ExecError, ExecErrorKind, Shape};
use super::resolve::{Resolved, resolve};
use crate::assembler;
use crate::emulator::matters;
use crate::fault::explain;
use crate::input::mix;
use cases::Case;
use launches::{cases, changes, far_cases, unoptimised};
use pattern::{Mistake, mistakes};
use ptx_emulator::{
    Control, Counts, Fault, FaultKind, Hazard, HazardSpace, Kernel, Measure, Module, Options, Rule, Schedule, Stats,
    Undefined, attempt,
};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use tutor_kernels::{Catalog, EMULATED_SMS, Elements, EpilogueParams, Needs};
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// Maximum number of warp instructions of all launches of a judgement. A limit in seconds would reject a correct kernel
/// on a busy machine.
const MAX_STEPS: u64 = 500_000_000;
/// Maximum number of warp instructions of a block: a fixed part, and a part for every 32 multiply-adds.
const STEPS_ANYWAY: u64 = 2_000_000;
const STEPS_A_WARP: u64 = 64;
/// Maximum number of bytes to and from local memory, as a multiple of the bytes that the reference's threads move to and
/// from all memories.
const MAX_LOCAL: u64 = 4;
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
) -> Result<Judged, ExecError> {
    let printed = OnceLock::new();
    let verdict = within(request, MAX_STEPS, cancelled, progress, &printed)?;
    Ok(Judged { verdict, limits: limits(request), printed: printed.into_inner().unwrap_or_default() })
}

fn limits(request: &JudgeRequest) -> Sentence {
    let program = for_every_shape(&request.program);
    let resolved = resolve(&program, 0, wide(&program), EMULATED_SMS).and_then(|(_, found)| found);
    resolved.map_or_else(|_| Sentence::default(), |resolved| assembler::limits(&resolved))
}

/// Judges a kernel with at most `steps` warp instructions.
fn within(
    request: &JudgeRequest,
    steps: u64,
    cancelled: &AtomicBool,
    progress: &(dyn Fn(f64) + Sync),
    printed: &OnceLock<String>,
) -> Result<Verdict, ExecError> {
    let (begun, all) = (AtomicU32::new(0), AtomicU32::new(u32::MAX));
    let hear = |share: f64| {
        let launch = f64::from(begun.load(Ordering::Relaxed).saturating_sub(1));
        progress(((launch + share) / f64::from(all.load(Ordering::Relaxed))).min(1.0));
    };
    let control = Control::default().steps(steps).cancel(cancelled).progress(&hear);
    let judge = Judge::new(request, control, (&begun, printed))?;
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
    /// The hazards and the errors of undefined behaviour found so far.
    hazards: Vec<Hazard>,
    undefined: Vec<Undefined>,
    fault: Option<Fault>,
}

struct Judge<'a> {
    request: &'a JudgeRequest,
    control: Control<'a>,
    /// Number of launches that have begun.
    begun: &'a AtomicU32,
    printed: &'a OnceLock<String>,
    elements: Elements,
    /// The judged program. It accepts every shape of the cases.
    program: Program,
    kernel: Result<Kernel, Box<Finding>>,
    needs: Needs,
    cases: Vec<Case>,
}

impl<'a> Judge<'a> {
    fn new(
        request: &'a JudgeRequest,
        control: Control<'a>,
        (begun, printed): (&'a AtomicU32, &'a OnceLock<String>),
    ) -> Result<Self, ExecError> {
        let (program, needs) = (for_every_shape(&request.program), needs(&request.program));
        let mut wide = wide(&program);
        let (elements, found) = resolve(&program, 0, wide, EMULATED_SMS)?;
        // A tile of eight bits has twice as many values along K.
        wide.k *= if elements.b_by_columns() { 2 } else { 1 };
        let resolved = found?;
        for shape in request.shapes.iter().filter(|_| elements == Elements::S8) {
            must_be_exact(shape.k, [shape.alpha, shape.beta].map(f64::from), elements)?;
        }
        if resolved.further != EpilogueParams::default() {
            return Err(ExecError::new(ExecErrorKind::Invalid, sentence!("exec-judge-further")));
        }
        let kernel = found::kernel(&resolved, elements);
        let cases = cases(&needs, request.seed, wide, &request.shapes).into_iter();
        let cases = cases.map(|case| case.of(elements, &needs)).collect();
        Ok(Self { request, control, begun, printed, elements, program, kernel, needs, cases })
    }

    /// Returns the number of launches of a kernel that passes.
    fn launches(&self) -> u32 {
        let watched = self.cases.iter().filter(|case| case.watched).count();
        let far = if cfg!(target_pointer_width = "32") { 0 } else { 3 };
        let unoptimised = if self.request.unoptimised.is_some() { 2 } else { 0 };
        (self.cases.len() + far + watched + unoptimised + 1) as u32
    }

    fn kernel(&self) -> Result<&Kernel, Stop> {
        self.kernel.as_ref().map_err(|finding| Stop::Found(finding.clone()))
    }

    fn resolved(&self, shape: Shape) -> Result<Resolved, Stop> {
        Ok(resolve(&self.program, 0, shape, EMULATED_SMS)?.1?)
    }

    /// Runs one launch, and returns what it measured until its end or its fault.
    fn launch(&self, case: &Case, matrices: &mut Matrices, measure: Measure) -> Result<Ended, Stop> {
        let program = self.resolved(case.shape)?;
        let registers = assembler::registers(&program);
        self.launch_of(self.kernel()?, &program, (registers, &self.control), case, matrices, measure)
    }

    /// Runs one launch of a kernel with the registers that its threads take, if they are known.
    fn launch_of(
        &self,
        kernel: &Kernel,
        program: &Resolved,
        (registers, control): (Option<u32>, &Control),
        case: &Case,
        matrices: &mut Matrices,
        measure: Measure,
    ) -> Result<Ended, Stop> {
        let launch = matrices.launch(program, [case.alpha, case.beta].map(f64::from));
        // A block computes its whole tile, even if the matrix is smaller.
        let Shape { m, n, k, .. } = case.shape;
        let whole = Shape::new(m.next_multiple_of(128), n.next_multiple_of(128), k);
        let share = whole.products() / program.geometry.blocks().max(1) / 32;
        let options = Options {
            measure,
            schedule: Schedule::Seeded(case.seed),
            step_budget: Some(STEPS_ANYWAY + share * STEPS_A_WARP),
            global_hazards: measure == Measure::All,
            unwritten_is_nan: true,
            registers,
            follow_unwritten: measure == Measure::All,
            // A verdict must not depend on the seed, and so not on the order of warps.
            steady_clock: true,
            ..Options::default()
        };
        self.begun.fetch_add(1, Ordering::Relaxed);
        let ended = match attempt(kernel, &launch, &mut matrices.memory, &options, control) {
            Ok(outcome) => {
                if !outcome.run.output.is_empty() {
                    self.printed.get_or_init(|| verdict::beginning(&outcome.run.output));
                }
                Ended {
                    hazards: outcome.run.hazards.into_iter().filter(matters).collect(),
                    undefined: outcome.run.undefined.into_iter().filter(Undefined::is_error).collect(),
                    fault: outcome.fault,
                }
            }
            Err(fault) => Ended { hazards: Vec::new(), undefined: Vec::new(), fault: Some(fault) },
        };
        match &ended.fault {
            Some(fault) if fault.kind == FaultKind::Cancelled => Err(ExecError::interrupted().into()),
            _ => Ok(ended),
        }
    }

    /// Runs every case without loading the kernel again, as a loop in a program does. Each launch must end, and every
    /// element must be correct.
    ///
    /// A fault in any case is reported first, because it may also be the cause of an incorrect result.
    fn results(&self) -> Result<(), Stop> {
        self.kernel()?;
        let (mut loaded, mut wrong) = (None, None);
        for case in &self.cases {
            match self.trial(case, &mut loaded)? {
                Some(finding) if finding.goal == Goal::Runs => return Err(self.conditions(finding, case)?.0.into()),
                finding => wrong = wrong.or_else(|| Some((finding?, case))),
            }
        }
        let Some((wrong, case)) = wrong else { return Ok(()) };
        // A race can produce a different result each time, so the race is reported instead. A race on global memory is
        // not: two threads that write the same element of C have probably computed the wrong one.
        let wanted = |hazard: &Hazard| hazard.space != HazardSpace::Global;
        if let Some(finding) = self.first_hazard(wanted, |rule| rule != Rule::WrittenReadOnly)? {
            return Err(finding.into());
        }
        let (finding, alone) = self.conditions(wrong, case)?;
        Err(if alone { self.explained(finding, case)? } else { finding }.into())
    }

    /// Runs a case, and returns what is wrong. `loaded` is the memory of the earlier launches: variables of the kernel's
    /// module keep their values.
    fn trial(&self, case: &Case, loaded: &mut Option<Matrices>) -> Result<Option<Finding>, Stop> {
        let inputs = case.inputs(self.elements);
        let before = if case.far { Default::default() } else { case.contents(&inputs, self.elements) };
        let matrices = match loaded {
            Some(matrices) => {
                matrices.replace(&before, case.shape, case.strides);
                matrices
            }
            None if case.far => match case.sparse(&inputs, self.elements) {
                Some(matrices) => loaded.insert(matrices),
                None => return Ok(None),
            },
            None => loaded.insert(Matrices::of_bytes(&before, case.shape, case.strides, self.elements)),
        };
        let outcome = self.launch(case, matrices, Measure::None)?;
        if let Some(fault) = &outcome.fault {
            return Ok(Some(found::fault(fault, case, matrices, self.elements)));
        }
        let problem = case.problem(&inputs, self.elements);
        let (exact, tolerance) = (problem.exact(), problem.tolerance());
        Ok(match case.far {
            true => found::wrong_elements(&problem, &exact, &tolerance, case, matrices),
            false => found::wrong(&problem, &exact, &tolerance, case, &before, matrices),
        })
    }

    /// Adds the properties of the launch without which it succeeds. Returns false if it succeeds with a newly loaded
    /// module.
    fn conditions(&self, finding: Finding, case: &Case) -> Result<(Finding, bool), Stop> {
        if matches!(finding.cause, Cause::Fault(FaultKind::StepBudget)) {
            return Ok((finding, true));
        }
        let fails = |case: &Case| Ok::<_, Stop>(self.trial(case, &mut None)?.is_some());
        if !fails(case)? {
            return Ok((finding.help(sentence!("exec-judge-again-help")), false));
        }
        let (mut named, mut rows): (Option<[Sentence; 2]>, _) = (None, [false; 3]);
        for (other, property, without) in changes(case, self.elements, &self.needs) {
            // A leading dimension is named only once, although gaps decide about alignments.
            let row = (0..3).find(|at| other.shape == case.shape && other.strides[*at] != case.strides[*at]);
            if row.is_none_or(|row| !rows[row]) && !fails(&other)? {
                row.into_iter().for_each(|row| rows[row] = true);
                named = Some(match named {
                    None => [property, without],
                    Some([all, any]) => [
                        sentence!("exec-judge-and", first = all, second = property),
                        sentence!("exec-judge-or", first = any, second = without),
                    ],
                });
            }
        }
        let message = match named {
            Some([properties, others]) => {
                finding.message.clone() + " " + sentence!("exec-judge-condition", properties, others)
            }
            None => finding.message.clone(),
        };
        Ok((Finding { message, ..finding }, true))
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
            if self.launch(&case, &mut matrices, Measure::None)?.fault.is_some() {
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

    /// Checks the result where an index does not fit into 32 bits, if the system has enough address space. A page in a
    /// browser never has, so it cannot judge an exercise about such indices.
    fn far(&self) -> Result<(), Stop> {
        if cfg!(target_pointer_width = "32") {
            return match self.request.far {
                true => Err(ExecError::new(ExecErrorKind::OutOfMemory, sentence!("exec-judge-far")).into()),
                false => Ok(()),
            };
        }
        for case in far_cases(&self.needs, self.request.seed).map(|case| case.of(self.elements, &self.needs)) {
            if let Some(finding) = self.trial(&case, &mut None)? {
                return Err(self.conditions(finding, &case)?.0.into());
            }
        }
        Ok(())
    }

    /// Checks that no two accesses race, in shared or in global memory, and that nothing else is undefined.
    fn hazards(&self) -> Result<(), Stop> {
        self.first_hazard(|_| true, |_| true)?.map_or(Ok(()), |finding| Err(finding.into()))
    }

    fn first_hazard(
        &self,
        wanted: impl Fn(&Hazard) -> bool,
        decides: impl Fn(Rule) -> bool,
    ) -> Result<Option<Finding>, Stop> {
        for case in self.cases.iter().filter(|case| case.watched) {
            let mut matrices = case.matrices(&case.inputs(self.elements), self.elements);
            let outcome = self.launch(case, &mut matrices, Measure::All)?;
            // A limit of the emulator, and not a fault of the kernel.
            if let Some(fault) = outcome.fault.filter(|fault| fault.kind == FaultKind::HazardBudget) {
                return Err(ExecError::new(ExecErrorKind::Invalid, explain(&fault)).into());
            }
            if let Some(hazard) = outcome.hazards.into_iter().find(&wanted) {
                return Ok(Some(found::hazard(hazard, case)));
            }
            if let Some(undefined) = outcome.undefined.iter().find(|undefined| decides(undefined.rule)) {
                return Ok(Some(found::undefined(undefined, case)));
            }
        }
        self.unwritten()
    }

    /// Looks for values that are read before they are written. An optimising compiler removes such reads, and often everything that
    /// depends on them. So the text without optimisation decides, and it decides about nothing else.
    fn unwritten(&self) -> Result<Option<Finding>, Stop> {
        let Some(text) = &self.request.unoptimised else { return Ok(None) };
        for case in unoptimised(&self.needs, self.request.seed).map(|case| case.of(self.elements, &self.needs)) {
            let program = self.resolved(case.shape)?;
            let kernel = Module::parse(text).and_then(|module| module.kernel(&program.entry));
            let Ok(kernel) = kernel else { return Ok(None) };
            let mut matrices = case.matrices(&case.inputs(self.elements), self.elements);
            // Its steps do not count.
            let with = (None, &self.control.clone().steps(u64::MAX));
            let outcome = self.launch_of(&kernel, &program, with, &case, &mut matrices, Measure::All)?;
            let unwritten = |found: &&Undefined| matches!(found.rule, Rule::UnwrittenRegister | Rule::UnwrittenShared);
            if let Some(found) = outcome.undefined.iter().find(unwritten) {
                return Ok(Some(found::undefined(found, &case)));
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
        let local = |(counts, _): &(Counts, Stats)| -> u64 {
            let lines = counts.lines.iter().filter(|line| line.op.contains(".local"));
            lines.map(|line| 32 * u64::from(line.bytes) * line.warp_instructions).sum()
        };
        let moved = theirs.0.totals.global_bytes + theirs.0.totals.shared_bytes + local(&theirs);
        if local(&own) > MAX_LOCAL * moved {
            return Err(found::local(local(&own), moved, case).into());
        }
        for engine in uses {
            let issued = |counts: &Counts| -> u64 {
                counts.lines.iter().filter(|line| engine.runs(&line.op)).map(|line| line.warp_instructions).sum()
            };
            let (has, theirs) = (issued(&own.0), issued(&theirs.0));
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
    ) -> (Matrices, Result<(Counts, Stats), Box<Fault>>) {
        let mut matrices = case.matrices(&case.inputs(self.elements), self.elements);
        let launch = matrices.launch(program, [case.alpha, case.beta].map(f64::from));
        let options = Options { measure: Measure::Counts, steady_clock: true, ..Options::default() };
        let outcome = attempt(kernel, &launch, &mut matrices.memory, &options, control);
        let outcome = outcome.and_then(|outcome| outcome.fault.map_or(Ok(outcome.run), Err));
        (matrices, outcome.map(|run| (run.counts.unwrap_or_default(), run.stats)).map_err(Box::new))
    }
}

impl Count {
    fn of(self, (counts, stats): &(Counts, Stats)) -> u64 {
        let Counts { totals, lines, .. } = counts;
        match self {
            Self::GlobalSectors => totals.sectors,
            Self::GlobalBytes => totals.global_bytes,
            Self::SharedWavefronts => totals.wavefronts,
            Self::Barriers => totals.barriers,
            Self::LongestWarp => stats.longest_warp,
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
    if hopper { Shape::new(640, 256, 128) } else { Shape::new(256, 256, 128) }
}
