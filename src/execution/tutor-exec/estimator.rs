//! Estimates the times of a job's programs.

use crate::assembler;
use crate::emulator::load;
use crate::epilogue_buffers::EpilogueBuffers;
use crate::estimate::{EstimateRequest, Estimated, estimated};
use crate::footprint::Footprint;
use crate::matrices::Matrices;
use crate::prelude::*;
use crate::resolve::resolve;
use ptx_emulator::{Control, Memory};
use sm_timing_model::Question;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use tutor_kernels::machine_code::MachineCode;
use tutor_kernels::{Catalog, PADDED};

/// Seconds for one estimate on a slow and busy machine.
const SECONDS: u64 = 120;
/// Steps in which progress is reported.
const STEPS: f64 = 50.0;

/// Estimates the programs of a job, and replies with each estimate, or with the reason why there is none.
pub(super) fn reply_to(job: &Job) {
    let Some(request) = job.request.estimate.as_deref() else { return };
    let EstimateRequest { gpu, shape, .. } = request;
    for (index, program) in job.request.programs.iter().enumerate() {
        if job.cancelled() {
            return;
        }
        let doing = sentence!("estimate-doing", kernel = program.kernel.escape_debug().to_string());
        job.progress(&doing, 0.0);
        let reported = AtomicU32::new(0);
        let progress = |share: f64| {
            let step = (share * STEPS) as u32;
            if reported.swap(step, Ordering::Relaxed) != step {
                job.progress(&doing, share);
            }
        };
        let resolved = resolve(program, index, *shape, gpu.multiprocessors).and_then(|(_, found)| found);
        let found =
            resolved.map_err(|error| error.message).and_then(|program| product(job, &program, request, &progress));
        if !job.cancelled() {
            let estimated = found.map(Box::new);
            job.reply(Reply::Estimated { id: job.id(), program: index, device: gpu.device.clone(), estimated });
        }
    }
}

/// Estimates a product. Its matrices may be zeros, because the time of a product does not depend on its data.
fn product(
    job: &Job,
    program: &Resolved,
    EstimateRequest { gpu, shape, blocks }: &EstimateRequest,
    progress: &dyn Fn(f64),
) -> Result<Estimated, Sentence> {
    Footprint::of(*shape, job.elements)
        .must_fit_host(1, program.scratch().iter().sum())
        .map_err(|error| error.message)?;
    let kernel = load(program).map_err(|error| error.message)?;
    // `copy_rows` chooses the matrix at run time, so its PTX does not say that its loads are of global memory.
    let known = |other: Resolved| Resolved { ptx: other.ptx.replace("\tld.u32 ", "\tld.global.u32 ").into(), ..other };
    let others = program.companions_kernels().into_iter().map(known);
    let others = others.map(|other| load(&other).map(|kernel| (other, kernel))).collect::<Result<Vec<_>, _>>();
    let others = others.map_err(|error| error.message)?;
    let extra = EpilogueBuffers::random(program.further, *shape, 1);
    let made = || {
        let mut matrices = Matrices::zeros(*shape, job.elements).with(&extra, &[]);
        program.padded().into_iter().for_each(|shape| matrices.swap(shape));
        matrices
    };
    let memory: &dyn Fn() -> Memory = &|| made().memory;
    let (launches, own) = made().launches(program, &kernel, &others, job.factors);
    let recorded = recorded(program);
    let assembled = assembler::assembled(program).map_err(|error| error.message)?;
    // With tensor cores, the registers of code to be linked say little. If some are spilled, the model's own count decides
    // whether there is an estimate.
    let like_driver = assembled.as_ref().is_some_and(|all| all.is_whole() || !program.ptx.contains("mma."));
    let assembled = assembled.as_ref().and_then(|assembled| assembled.kernels.get(&program.entry));
    let trusted = assembled.filter(|figures| like_driver && figures.spilled_bytes == 0);
    let control = Control::default().cancel(job.cancel_flag()).time(Duration::from_secs(SECONDS));
    let launch = |at: usize| {
        let (kernel, launch) = (launches[at].0, &launches[at].1);
        // All other launches are of one file.
        let of = if at == own { program } else { others.first().map_or(program, |(other, _)| other) };
        let known = recorded.and_then(|figures| u32::try_from(*figures.get("registers")?).ok());
        let registers = known.or(trusted.map(|figures| figures.registers)).filter(|_| at == own);
        let (ptx, blocks, constraints) = (&*of.ptx, *blocks, at == own);
        let question = Question { ptx, kernel, launch, memory, registers, blocks, constraints, progress };
        estimated(&question, gpu, &control, known.is_some() && at == own)
    };
    let mut found = launch(own)?;
    for at in (0..launches.len()).filter(|at| *at != own) {
        found.add(&launch(at)?);
    }
    found.set_flop(shape.flop());
    recorded.into_iter().for_each(|figures| found.assembled(figures));
    let spilled = recorded.and_then(|figures| figures.get("spilled_bytes").copied());
    found.spilled_bytes = spilled.or(assembled.map(|figures| figures.spilled_bytes)).filter(|bytes| *bytes > 0);
    found.may_spill &= recorded.is_none() && trusted.is_none();
    Ok(found)
}

/// Returns what is recorded of the machine code of a kernel of the catalogue. Both GPUs have the architecture of the recording.
fn recorded(program: &Resolved) -> Option<&'static BTreeMap<String, u64>> {
    let kernel = Catalog::built_in().kernel(program.id.trim_end_matches(PADDED)).filter(|_| program.committed)?;
    MachineCode::built_in().of(kernel)?.by_arch.get("sm_90a")
}
