//! Compares a claim with what was recorded: times, sweeps, machine code.

use super::bounds::{CauseRow, fused, needed};
use super::emulated::{count, counts};
use super::outcome::{Judged, Outcome, close, compare, short};
use super::runs::{NoRun, Runs};
use std::collections::BTreeMap;
use tutor_course::{
    At, BecauseClaim, Cause, Comparison, Count, CyclesClaim, MachineCodeClaim, RecordedClaim, RecordedFigure,
    SweepClaim, SweepFigure,
};
use tutor_exec::recorded::{RecordedRow, Recording};
use tutor_exec::sweep::Sweep;
use tutor_kernels::machine_code::MachineCode;
use tutor_kernels::{Catalog, Kernel};

/// Maximum relative difference of two times that a page calls equal.
pub(crate) const SAME_TIME: f64 = 0.03;

/// Returns the recorded result of a kernel at a size.
pub(super) fn row<'r>(
    recording: &'r Recording,
    id: &str,
    size: u32,
    catalog: &Catalog,
) -> Result<&'r RecordedRow, NoRun> {
    let kernel = built(id, catalog)?;
    if recording.is_of_another(kernel) {
        let why = format!("the times of `{id}` were recorded of another kernel than the one that has this id here.");
        return Err(NoRun::Another(why));
    }
    recording.row(kernel, size).ok_or_else(|| NoRun::Fail(format!("nothing is recorded of {id} at n = {size}.")))
}

/// Returns a kernel that can run. `check` reports an unknown kernel or a missing PTX.
fn built<'c>(id: &str, catalog: &'c Catalog) -> Result<&'c Kernel, NoRun> {
    let kernel = catalog.kernel(id).ok_or_else(|| NoRun::Skip(format!("there is no kernel `{id}`.")))?;
    match kernel.unbuilt() {
        None => Ok(kernel),
        Some(_) => Err(NoRun::Skip(format!("`{id}` has no PTX that was made of its source."))),
    }
}

pub(super) fn recording_of<'r>(device: &str, recordings: &'r [Recording]) -> Result<&'r Recording, NoRun> {
    recordings.iter().find(|recording| recording.device == device).ok_or_else(|| {
        let known: Vec<&str> = recordings.iter().map(|recording| recording.device.as_str()).collect();
        NoRun::Fail(format!("no recording is of `{device}`; there are: {}.", known.join(", ")))
    })
}

pub(super) fn recorded(claim: &RecordedClaim, catalog: &Catalog, recordings: &[Recording]) -> Judged {
    let RecordedClaim { device, kernel, size, states, within } = claim;
    let recording = recording_of(device, recordings)?;
    let id = kernel;
    let row = row(recording, id, *size, catalog)?;
    let (claimed, found, what) = match states {
        RecordedFigure::Gflops(claimed) => (*claimed, row.time.gflops, "GFLOP/s".to_owned()),
        RecordedFigure::PercentOfCublas(claimed) => {
            let cublas = recording.cublas_ms(row);
            let missing = || NoRun::Fail(format!("nothing is recorded of cuBLAS at n = {size}."));
            let share = cublas.ok_or_else(missing)? / row.time.median_ms;
            (*claimed, 100.0 * share, "percent of cuBLAS".to_owned())
        }
        RecordedFigure::Speedup(speedup) => {
            let slower = self::row(recording, &speedup.over, *size, catalog)?;
            let times = slower.time.median_ms / row.time.median_ms;
            (speedup.is, times, format!("times the speed of `{}`", speedup.over.value))
        }
        RecordedFigure::Wrong(claimed) => {
            return Ok(compare(*claimed as f64, row.mismatches as f64, 0.0, "wrong elements", "the recording has"));
        }
    };
    Ok(compare(claimed, found, *within, &what, "the recording says"))
}

pub(super) fn cycles(claim: &CyclesClaim, catalog: &Catalog, recordings: &[Recording]) -> Judged {
    let CyclesClaim { device, kernel, size, is, within } = claim;
    let recording = recording_of(device, recordings)?;
    let row = row(recording, kernel, *size, catalog)?;
    let missing = || NoRun::Fail(format!("nothing is recorded of multiprocessors and their clock at n = {size}."));
    let clock = recording.clock(*size, row.elements).ok_or_else(missing)?;
    Ok(compare(*is, clock.cycles(row.time.gflops), *within, "cycles a step", "the recording says"))
}

pub(super) fn sweep(claim: &SweepClaim, catalog: &Catalog) -> Judged {
    let id = &claim.kernel.value;
    let kernel = built(id, catalog)?;
    let sweep = Sweep::recorded(kernel, claim.size).ok_or_else(|| {
        let why = format!("no sweep of `{id}` as it is now is recorded at that size.");
        let another = Sweep::recorded(kernel, None).is_none() && Sweep::built_in().iter().any(|of| of.kernel == *id);
        if another { NoRun::Another(why) } else { NoRun::Fail(why) }
    })?;
    let of = claim.of.as_ref().map_or("", |of| of.value.as_str());
    let timed = sweep.points.iter().filter(|point| point.variant.contains(of));
    let speeds: Vec<(f64, &str)> = timed.filter_map(|point| Some((point.gflops?, point.variant.as_str()))).collect();
    let by_speed = |a: &&(f64, &str), b: &&(f64, &str)| a.0.total_cmp(&b.0);
    let (Some(fastest), Some(slowest)) = (speeds.iter().max_by(by_speed), speeds.iter().min_by(by_speed)) else {
        return Ok(Outcome::Failed(format!("The claim is about nothing: no variant of `{id}` is called `{of}`.")));
    };
    let mean = speeds.iter().map(|(speed, _)| speed).sum::<f64>() / speeds.len() as f64;
    let (claimed, found, what) = match &claim.states {
        SweepFigure::Best(name) if name == fastest.1 => return Ok(Outcome::Held),
        SweepFigure::Best(name) => {
            let message = format!("The page claims that `{name}` is the fastest; the recording says `{}`.", fastest.1);
            return Ok(Outcome::Failed(message));
        }
        SweepFigure::Variants(count) => {
            return Ok(compare(*count as f64, speeds.len() as f64, 0.0, "variants", "the recording has"));
        }
        SweepFigure::Highest(claimed) => (*claimed, fastest.0, "GFLOP/s of the fastest variant"),
        SweepFigure::Lowest(claimed) => (*claimed, slowest.0, "GFLOP/s of the slowest variant"),
        SweepFigure::Mean(claimed) => (*claimed, mean, "GFLOP/s as the variants' mean"),
    };
    Ok(compare(claimed, found, claim.within, what, "the recording says"))
}

/// Returns the recorded figures of a kernel's machine code.
fn assembled<'m>(
    id: &str,
    arch: &str,
    catalog: &Catalog,
    recorded: &'m MachineCode,
) -> Result<&'m BTreeMap<String, u64>, NoRun> {
    let known = built(id, catalog)?;
    let Some(assembled) = recorded.kernels.get(id) else {
        return Err(NoRun::Fail(format!("no machine code is recorded of `{id}`; built-in kernels alone have it.")));
    };
    if !assembled.is_of(known) {
        let why = format!("the machine code of `{id}` was recorded from other PTX; run `scripts/ci/machine-code`.");
        return Err(NoRun::Another(why));
    }
    assembled.by_arch.get(arch).ok_or_else(|| NoRun::Fail(format!("`{id}` is not assembled for {arch}.")))
}

pub(super) fn machine_code(claim: &MachineCodeClaim, catalog: &Catalog, recorded: &MachineCode) -> Judged {
    let MachineCodeClaim { kernel: At { value: id, .. }, arch, states } = claim;
    let counts = assembled(id, arch, catalog, recorded)?;
    let found = |name: &String| counts.get(name).copied().unwrap_or(0);
    let wrong: Vec<_> = states.iter().filter(|(name, claimed)| found(name) != **claimed).collect();
    if wrong.is_empty() {
        return Ok(Outcome::Held);
    }
    let list = |figures: Vec<(&String, u64)>| -> String {
        let figures: Vec<String> = figures.iter().map(|(name, figure)| format!("{name}: {figure}")).collect();
        figures.join(", ")
    };
    let claimed = list(wrong.iter().map(|(name, claimed)| (*name, **claimed)).collect());
    let made = list(wrong.iter().map(|(name, _)| (*name, found(name))).collect());
    let (arch, assembler) = (&arch.value, &recorded.assembler);
    Ok(Outcome::Failed(format!("The page claims {claimed} of `{id}` on {arch}; `{assembler}` makes {made}.")))
}

/// Verifies that the recorded times and the figures that explain them differ in the stated directions. A count of the PTX's
/// accesses to shared memory explains nothing if the assembler fuses them.
pub(super) fn because(claim: &BecauseClaim, catalog: &Catalog, runs: &mut Runs<'_>) -> Judged {
    let recording = recording_of(&claim.device, Recording::built_in())?;
    let time = |id: &str| {
        row(recording, id, claim.size, catalog).map(|row| [row.time.low_ms, row.time.median_ms, row.time.high_ms])
    };
    let (kernel, to) = (&claim.kernel.value, &claim.to.value);
    let refuted = |what: &str, claimed: Comparison, [ours, theirs]: [[f64; 3]; 2], within: f64| {
        let (holds, how) = match claimed {
            Comparison::Less => (ours[2] < theirs[0], "lower than"),
            Comparison::More => (ours[0] > theirs[2], "higher than"),
            Comparison::Equal => (close(theirs[1], ours[1], within), "equal to"),
        };
        let (ours, theirs) = (short(ours[1]), short(theirs[1]));
        let message =
            format!("For the cause, {what} of `{kernel}` must be {how} that of `{to}`; found {ours} and {theirs}.");
        (!holds).then_some(Outcome::Failed(message))
    };
    if let Some(failed) = refuted("the time in ms", claim.time, [time(kernel)?, time(to)?], SAME_TIME) {
        return Ok(failed);
    }
    let mut figure = |id: &str, cause: &Cause| match cause {
        Cause::MachineCode(name) => {
            let found = assembled(id, "sm_90a", catalog, MachineCode::built_in())?.get(name).copied();
            let missing = || NoRun::Fail(format!("the machine code of `{id}` has no figure `{name}`."));
            found.map(|figure| figure as f64).ok_or_else(missing)
        }
        Cause::Count(Count::Blocks) => {
            let launch = built(id, catalog)?.geometry(claim.size, claim.size, claim.size);
            launch.map(|launch| launch.blocks() as f64).map_err(|error| NoRun::Fail(error.to_string()))
        }
        Cause::Count(of) => {
            if of.of_shared()
                && let Some(why) = fused(id, claim.counted_at, catalog, runs)?
            {
                return Err(NoRun::Fail(why));
            }
            let run = runs.emulated(id, claim.counted_at, catalog)?;
            count(*of, counts(&run)?).map(|count| count as f64)
        }
        Cause::Bound(part) => needed(id, claim.size, *part, catalog, runs),
    };
    let same = claim.same.iter().map(|of| (Cause::Count(*of), Comparison::Equal));
    for (cause, is) in std::iter::once((claim.cause.clone(), claim.is)).chain(same) {
        let both = [figure(kernel, &cause)?, figure(to, &cause)?].map(|of| [of; 3]);
        if let Some(failed) = refuted(&format!("{cause:?}"), is, both, 0.005) {
            return Ok(failed);
        }
    }
    if let Cause::Bound(part) = claim.cause {
        let predicted =
            [needed(to, claim.size, part, catalog, runs)?, needed(kernel, claim.size, part, catalog, runs)?];
        let (recorded, kernels) = ([time(to)?[1], time(kernel)?[1]], [to.clone(), kernel.clone()]);
        runs.causes.push(CauseRow { kernels, size: claim.size, bound: part, predicted, recorded });
    }
    Ok(Outcome::Held)
}
