/*! The emulator as an executor: it runs the committed PTX on the CPU.

It produces results, counts and hazards, but no times. A product that would take more than a few seconds is not computed
completely. Instead, a few blocks are run for their counts, because all blocks inside the matrix do the same work. The
result is then not compared, and a note says so.
*/

use super::assembler::{assembled, limits, registers};
use super::emulation_limits::{step_budget, whole_limit, work};
use super::epilogue_buffers::EpilogueBuffers;
use super::fault::{Stop, explain};
use super::footprint::Footprint;
use super::job::{Executor, emulator_device};
use super::matrices::Matrices;
use super::matrix::decode;
use super::verify::{Reference, Tolerance};
use crate::prelude::*;
use ptx_emulator::{
    self, Fault, FaultKind, Hazard, HazardSeverity, Kernel, LoadError, Measure, Module, Options, Run, Schedule, run,
};
use tutor_kernels::EpilogueParams;

/// Up to this number of multiply-adds (n = 512), all blocks are counted, in less than a second. With hazards, the limit
/// is the second one (n = 256).
const COUNT_ALL: u64 = 1 << 27;
const WATCH_ALL: u64 = 1 << 24;
const SAMPLED_BLOCKS: u64 = 4;

pub(super) struct Emulator;

impl Executor for Emulator {
    fn device(&self) -> Device {
        emulator_device()
    }

    fn run(&mut self, job: &Job) -> Result<(), ExecError> {
        let footprint = Footprint::of(job.shape(), job.elements);
        // The emulator has its own copy of the matrices, and perhaps padded ones.
        let scratch = job.programs.iter().map(|program| program.scratch().iter().sum()).max().unwrap_or(0);
        let padded = job.programs.iter().any(|program| program.padded().is_some());
        footprint.must_fit_host(if padded { 4 } else { 2 }, scratch)?;
        let most = job.programs.iter().map(|program| work(job.shape(), program.tiled)).max().unwrap_or(0);
        let (shape, share) = (job.shape(), whole_limit() as f64 / most.max(1) as f64);
        let verify = job.request.verify && share >= 1.0;
        if job.request.verify && !verify {
            job.note(match (shape.batch, (share * f64::from(shape.batch)) as u64) {
                (2.., products @ 1..) => sentence!("exec-not-compared-batch", products),
                _ => sentence!("exec-not-compared-size", n = (share * shape.products() as f64).cbrt() as u64),
            });
        }
        let inputs = verify.then(|| job.inputs());
        let mut known: Option<(EpilogueParams, Vec<f64>, Tolerance)> = None;
        for (program, kernel) in job.load_each(|program| Ok((program, load(program)?)))? {
            if job.cancelled() {
                return Ok(());
            }
            if !program.committed {
                job.note(limits(program));
            }
            let mut measured = false;
            let extra = EpilogueBuffers::random(program.further, job.shape(), job.request.seed);
            if let Some(inputs) = &inputs {
                let seen = extra.inputs(inputs);
                let problem = extra.problem(job, &seen);
                if known.as_ref().is_none_or(|(further, ..)| *further != program.further) {
                    known = Some((program.further, problem.exact(), problem.tolerance()));
                }
                let Some((_, exact, tolerance)) = &known else { continue };
                // A separate run looks for hazards, so that they do not depend on the seed.
                measured = wanted(job) == Measure::Counts && counts_all(job, program);
                let measure = if measured { Measure::Counts } else { Measure::None };
                let mut matrices = Matrices::new(inputs, job.shape(), job.elements).with(&extra, &seen.c);
                let order = Schedule::Seeded(job.request.seed);
                let Some(outcome) = emulate(job, program, &kernel, &mut matrices, measure, order, None)? else {
                    return Ok(());
                };
                job.printed(program.index, &outcome.output);
                let c = decode(program.further.result(job.elements), matrices.c());
                let (reference, against) = (Reference::Exact(exact), sentence!("exec-against-host"));
                let mut verification = problem.compare(&c, &reference, tolerance, &against);
                if let (Some(_), Some(largest)) = (problem.epilogue, matrices.further.get(2)) {
                    let found = decode(Elements::F32, matrices.memory.read(*largest));
                    problem.check_largest(&mut verification, found[0], &reference, tolerance);
                }
                job.reply(Reply::Verified { id: job.id(), program: program.index, verification });
                if measured {
                    counted(job, program, outcome);
                }
            }
            if wanted(job) != Measure::None && !measured {
                let output = count_program(job, program, &kernel)?;
                // Print the output once. If there was a run on the launch's own data, its output was printed above.
                if !verify {
                    job.printed(program.index, &output);
                }
            }
        }
        Ok(())
    }
}

/// Counts the programs of a job that runs on another device.
pub(super) fn count(job: &Job) -> Result<(), ExecError> {
    for program in &job.programs {
        let counted = load(program).and_then(|kernel| count_program(job, program, &kernel).map(drop));
        match counted {
            Err(error) if error.kind == ExecErrorKind::NoDevice => {
                job.note(sentence!("exec-not-counted", why = error.message));
            }
            other => other?,
        }
    }
    Ok(())
}

/// Checks that the emulator can run a PTX.
///
/// # Errors
/// Why it cannot.
pub fn emulates(ptx: &str) -> Result<(), LoadError> {
    let module = Module::parse(ptx)?;
    module.kernels().try_for_each(|name| module.kernel(name).map(|_| ()))
}

fn wanted(job: &Job) -> Measure {
    match (job.request.counts, job.request.hazards) {
        (_, true) => Measure::All,
        (true, false) => Measure::Counts,
        (false, false) => Measure::None,
    }
}

pub(super) fn load(program: &Resolved) -> Result<Kernel, ExecError> {
    let module = Module::parse(&program.ptx);
    let kernel = module.and_then(|module| module.kernel(&program.entry));
    let kernel = kernel.map_err(|error| refused(program, &error.into()))?;
    assembled(program)?;
    Ok(kernel)
}

/// Counts a program, and returns its printed output.
fn count_program(job: &Job, program: &Resolved, kernel: &Kernel) -> Result<String, ExecError> {
    if job.cancelled() {
        return Ok(String::new());
    }
    let footprint = Footprint::of(job.shape(), job.elements);
    footprint.must_fit_host(2, program.scratch().iter().sum())?;
    let sample = match sampled_blocks(job, program) {
        Ok(sample) => sample,
        Err(why) => {
            job.note(sentence!("exec-program-not-counted", kernel = program.id, why));
            return Ok(String::new());
        }
    };
    // The data may be zeros, because addresses do not depend on it.
    let extra = EpilogueBuffers::random(program.further, job.shape(), job.request.seed);
    let mut matrices = Matrices::zeros(job.shape(), job.elements).with(&extra, &[]);
    let outcome = emulate(job, program, kernel, &mut matrices, wanted(job), Schedule::InOrder, sample)?;
    Ok(outcome.map_or_else(String::new, |mut outcome| {
        let output = std::mem::take(&mut outcome.output);
        counted(job, program, outcome);
        output
    }))
}

/// True if all blocks are counted, and not only a few.
fn counts_all(job: &Job, program: &Resolved) -> bool {
    work(job.shape(), program.tiled) <= if job.request.hazards { WATCH_ALL } else { COUNT_ALL }
}

/// Returns how many blocks to count if the product is too large to count all: as many as take a few seconds, and at
/// most [`SAMPLED_BLOCKS`]. A block of a persistent kernel may do a hundredth of the product.
fn sampled_blocks(job: &Job, program: &Resolved) -> Result<Option<u64>, Sentence> {
    if counts_all(job, program) {
        return Ok(None);
    }
    let a_block = work(job.shape(), program.tiled) / program.geometry.blocks().max(1);
    match (2 * whole_limit() / a_block.max(1)).min(SAMPLED_BLOCKS) {
        0 => Err(sentence!("exec-block-too-long")),
        blocks => Ok(Some(blocks)),
    }
}

/// True if a hazard matters. Threads of a block may store the same value in the same place.
pub(crate) fn matters(hazard: &Hazard) -> bool {
    hazard.severity != HazardSeverity::SameValue || hazard.first.block != hazard.second.block
}

fn counted(job: &Job, program: &Resolved, outcome: Run) {
    let (blocks_counted, blocks) =
        outcome.counts.as_ref().map_or((0, 0), |counts| (counts.blocks_counted, counts.blocks));
    if blocks_counted < blocks {
        job.note(sentence!("exec-some-counted", counted = blocks_counted, blocks));
    }
    job.reply(Reply::Counted {
        id: job.id(),
        program: program.index,
        counts: outcome.counts.unwrap_or_default(),
        hazards: outcome.hazards.into_iter().filter(matters).collect(),
        undefined: outcome.undefined,
        seconds: outcome.stats.seconds,
    });
}

/// Runs a kernel. Returns what was measured, or `None` if it was cancelled.
fn emulate(
    job: &Job,
    program: &Resolved,
    kernel: &Kernel,
    matrices: &mut Matrices,
    measure: Measure,
    schedule: Schedule,
    sample_blocks: Option<u64>,
) -> Result<Option<Run>, ExecError> {
    // A sample of the blocks does without the other launches.
    let companions = if sample_blocks.is_none() { program.companions_kernels() } else { Vec::new() };
    let companions = companions.into_iter().map(|other| load(&other).map(|kernel| (other, kernel)));
    let companions = companions.collect::<Result<Vec<_>, _>>()?;
    if let Some(shape) = program.padded() {
        matrices.swap(shape);
    }
    let (launches, own) = matrices.launches(program, kernel, &companions, job.factors);
    let options = Options {
        measure,
        registers: registers(program),
        schedule,
        sample_blocks,
        // A sample of the blocks would miss most pairs.
        global_hazards: measure == Measure::All && sample_blocks.is_none(),
        step_budget: Some(step_budget(program.tiled, program.geometry.blocks())),
        ..Options::default()
    };
    let doing = match measure {
        Measure::None => sentence!("exec-doing-emulate", kernel = program.id),
        Measure::Counts | Measure::All => sentence!("exec-doing-count", kernel = program.id),
    };
    let progress = |fraction: f64| job.progress(&doing, fraction);
    progress(0.0);
    let control = job.control().progress(&progress);
    let mut outcomes = Vec::new();
    for (kernel, launch) in &launches {
        match run(kernel, launch, &mut matrices.memory, &options, &control) {
            Ok(outcome) => outcomes.push(outcome),
            Err(fault) if fault.kind == FaultKind::Cancelled => return Ok(None),
            Err(fault) => return Err(refused(program, &fault)),
        }
    }
    if let Some(shape) = program.padded() {
        matrices.swap(shape);
    }
    let mut outcome = outcomes.swap_remove(own);
    for other in outcomes {
        outcome.hazards.extend(other.hazards);
        outcome.undefined.extend(other.undefined);
        if let (Some(counts), Some(second), None) = (&mut outcome.counts, other.counts, program.padded()) {
            counts.add(second);
        }
    }
    Ok(Some(outcome))
}

fn refused(program: &Resolved, fault: &Fault) -> ExecError {
    let (kind, help) = match fault.kind {
        FaultKind::Unsupported => (ExecErrorKind::NoDevice, Some(sentence!("exec-unsupported-help"))),
        FaultKind::Parse | FaultKind::Launch => (ExecErrorKind::Invalid, None),
        FaultKind::HazardBudget => (ExecErrorKind::Invalid, None),
        FaultKind::Livelock => (ExecErrorKind::TimedOut, Some(sentence!("exec-endless-help"))),
        FaultKind::StepBudget | FaultKind::TimeBudget => (ExecErrorKind::TimedOut, Some(sentence!("exec-budget-help"))),
        _ => (ExecErrorKind::KernelFault, Some(sentence!("exec-fault-help"))),
    };
    let message = Sentence::from(format!("{}: ", program.id)) + explain(fault);
    ExecError { kind, message, help, stop: Some(Stop { kind: fault.kind, line: fault.line }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{LaunchRequest, Program, Target, Verification};
    use crate::resolve::resolve;
    use crate::results::LaunchResults;
    use ptx_emulator::{Control, Counts};
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;
    use tutor_kernels::EMULATED_SMS;

    /// Runs a kernel on the emulator, verifies the result, and counts.
    fn launch(kernel: &str, n: u32, seed: u64) -> (Verification, Counts) {
        launch_at(kernel, Shape::square(n), seed)
    }

    fn launch_at(kernel: &str, shape: Shape, seed: u64) -> (Verification, Counts) {
        launched(LaunchRequest { seed, ..LaunchRequest::new(1, vec![Program::new(kernel)], shape) })
    }

    fn launched(request: LaunchRequest) -> (Verification, Counts) {
        let request = LaunchRequest { on: Target::Emulator, verify: true, counts: true, ..request };
        let results = Mutex::new(LaunchResults::of(&request));
        let (never, sink) = (AtomicBool::new(false), |reply| {
            results.lock().unwrap().apply(&reply);
        });
        let (job, _) = Job::new(&request, &Emulator, &never, &sink).unwrap();
        Emulator.run(&job).unwrap();
        let found = results.into_inner().unwrap().programs.remove(0);
        (found.verification.unwrap(), found.counts.unwrap())
    }

    #[test]
    fn another_seed_gives_a_racy_kernel_other_wrong_elements_and_a_right_one_none() {
        let wrong: Vec<u64> = (1..=4).map(|seed| launch("sgemm_no_second_barrier", 64, seed).0.mismatches).collect();
        assert!(wrong.iter().all(|wrong| *wrong > 0), "{wrong:?}");
        assert!(wrong.windows(2).any(|pair| pair[0] != pair[1]), "{wrong:?}");
        assert_eq!(launch("sgemm_no_second_barrier", 64, 3).0.mismatches, wrong[2], "the same seed, the same order");
        for seed in 1..=4 {
            assert!(launch("sgemm_tiled", 64, seed).0.verified, "{seed}");
        }
    }

    #[test]
    fn kernels_of_all_levels_are_verified_and_counted_in_any_order_of_their_warps() {
        for kernel in
            ["bf16_ldmatrix", "bf16_pipeline", "tf32_wmma", "bf16_wgmma", "bf16_warp_specialized", "bf16_tma_store"]
        {
            let runs = [1, 2].map(|seed| launch(kernel, 128, seed));
            assert!(runs.iter().all(|(verification, _)| verification.verified), "{kernel}");
            assert!(runs[0].1.totals.requests > 0, "{kernel}");
            assert_eq!(runs[0].1.lines, runs[1].1.lines, "{kernel}");
        }
        // 100 is not a multiple of 8.
        assert!(launch("bf16_tma_store+padded", 100, 1).0.verified);
    }

    #[test]
    fn kernels_with_scales_and_epilogues_are_compared_with_what_they_compute() {
        let epilogues = ["none", "bias", "relu", "gelu", "scales", "e4m3"].map(|name| format!("e4m3_fused@{name}"));
        for kernel in epilogues.iter().map(String::as_str).chain(["e4m3_unfused", "e4m3_scaled", "e4m3_mma"]) {
            assert!(launch(kernel, 144, 1).0.verified, "{kernel}");
        }
    }

    #[test]
    fn sums_of_integers_are_exact_on_ragged_shapes_and_however_k_is_split() {
        // K ends within a tile, and is divided within clusters.
        let shape = Shape::new(131, 68, 528);
        for kernel in ["s8_simple", "s8_mma", "s8_wgmma", "s8_wgmma@192", "s8_split_k", "s8_split_k@64x64_in_4_parts"] {
            let (verification, counts) = launch_at(kernel, shape, 1);
            assert!(verification.verified && verification.max_rel_err == 0.0, "{kernel} {verification:?}");
            assert!(counts.totals.requests > 0, "{kernel}");
        }
        assert!(launch_at("s8_mma+padded", Shape { k: 99, ..shape }, 1).0.verified);
    }

    #[test]
    fn products_of_integers_that_would_not_be_exact_are_refused() {
        let refused = |k, alpha, beta| {
            let shape = Shape::new(1, 1, k);
            let request =
                LaunchRequest { alpha, beta, ..LaunchRequest::new(1, vec![Program::new("s8_simple")], shape) };
            let never = AtomicBool::new(false);
            Job::new(&request, &Emulator, &never, &|_| {}).err().map(|error| error.message.to_string())
        };
        assert_eq!(refused(133_144, 1.0, 0.0), None);
        assert!(refused(133_145, 1.0, 0.0).unwrap().contains("K can be at most 133,144"));
        for (alpha, beta) in [(2.0, 0.0), (1.0, 0.5)] {
            assert!(refused(16, alpha, beta).unwrap().contains("neither alpha nor beta"));
        }
    }

    #[test]
    fn alpha_keeps_the_bits_that_the_kernel_takes() {
        let hash = |kernel: &str, alpha| {
            let request = LaunchRequest::new(1, vec![Program::new(kernel)], Shape::new(3, 5, 7));
            let (verification, _) = launched(LaunchRequest { alpha, ..request });
            assert!(verification.verified, "{kernel} {alpha}");
            verification.hash
        };
        let rounded = f64::from(0.1f32);
        assert_ne!(hash("f64_simple", 0.1), hash("f64_simple", rounded));
        assert_eq!(hash("sgemm_tiled", 0.1), hash("sgemm_tiled", rounded));
        hash("f64_simple", 1e300);
        let beyond = LaunchRequest::new(1, vec![Program::new("sgemm_tiled")], Shape::square(8));
        let beyond = LaunchRequest { alpha: 1e39, ..beyond };
        let refused = Job::new(&beyond, &Emulator, &AtomicBool::new(false), &|_| {}).err().unwrap();
        assert!(refused.message.to_string().contains("finite in FP32"), "{}", refused.message);
    }

    #[test]
    fn a_launch_of_many_blocks_that_multiply_little_is_not_taken_for_an_endless_loop() {
        assert!(launch_at("sgemm_row_per_block", Shape::new(70_000, 1, 1), 1).0.verified);
    }

    /// The definition: each partial sum of 128 products is multiplied by its scales, and the results are added.
    #[test]
    fn scales_that_are_zero_infinite_or_nan_give_what_ieee_arithmetic_gives() {
        let shape = Shape::new(40, 264, 272);
        let (_, found) = resolve(&Program::new("e4m3_scaled"), 0, shape, EMULATED_SMS).unwrap();
        let program = found.unwrap();
        let mut inputs = Inputs::random(Elements::E4m3, shape, 1, 0.0);
        // All products are positive: an infinite scale of a sum near zero would show the sum's last bits.
        inputs.a.iter_mut().chain(&mut inputs.b).for_each(|value| *value = value.abs());
        let mut extra = EpilogueBuffers::random(program.further, shape, 1);
        let odd = [0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE, f32::MAX].map(f64::from);
        for (at, value) in odd.into_iter().enumerate() {
            // One block along K after the other, in rows of their own.
            extra.buffers[0][at % 3 * 40 + 5 * at] = value;
        }
        (extra.buffers[1][0], extra.buffers[1][4]) = (0.0, f64::INFINITY);
        let mut matrices = Matrices::new(&inputs, shape, Elements::E4m3).with(&extra, &inputs.c);
        let launch = matrices.launch(&program, [1.0, 0.0]);
        let (kernel, control) = (load(&program).unwrap(), Control::default());
        run(&kernel, &launch, &mut matrices.memory, &Options::default(), &control).unwrap();
        let c = decode(Elements::Bf16, matrices.c());
        let mut special = 0;
        for (at, found) in c.iter().enumerate() {
            let (row, column) = (at / 264, at % 264);
            let part = |block: usize| {
                let ks = (block * 128)..(272.min(block * 128 + 128));
                let sum: f64 = ks.map(|k| inputs.a[row * 272 + k] * inputs.b[k * 264 + column]).sum();
                let scale = extra.buffers[0][block * 40 + row] * extra.buffers[1][block * 3 + column / 128];
                sum * f64::from(scale as f32)
            };
            let expected = f64::from((part(0) + part(1) + part(2)) as f32);
            special += u32::from(!expected.is_finite());
            let right = match expected {
                expected if expected.is_finite() => (found - expected).abs() <= 0.02 + 0.01 * expected.abs(),
                expected => found.is_nan() == expected.is_nan() && (expected.is_nan() || *found == expected),
            };
            assert!(right, "row {row}, column {column}: {found}, not {expected}");
        }
        assert!((1000..10_000).contains(&special), "{special}");
    }

    #[test]
    fn the_lines_that_naive_loads_look_up_are_counted() {
        for (kernel, lines) in [("sgemm_naive_uncoalesced", 33), ("sgemm_naive_coalesced", 2)] {
            let totals = launch(kernel, 64, 1).1.totals;
            // 32 multiply-adds a step.
            assert_eq!(totals.global_load_lines, lines * 64 * 64 * 64 / 32, "{kernel}");
        }
    }
}
