//! Compares a claim with measurements.

use super::Outcome;
use super::estimates::estimated;
use super::recordings::{because, cycles, machine_code, recorded, sweep};
use super::runs::{Measured, NoRun, Runs};
use ptx_emulator::cost::{Direction, WARP, global_sectors, shared_wavefronts};
use ptx_emulator::{Counts, HazardKind, LineCounts};
use std::collections::BTreeSet;
use tutor_course::{
    AccessClaim, AccessDirection, BankView, Claim, CoalescingView, Count, HazardsClaim, IntensityClaim, RatioClaim,
    VerifiedClaim,
};
use tutor_exec::Counted;
use tutor_exec::fault::{hazard_kind, hazard_letters};
use tutor_exec::recorded::Recording;
use tutor_kernels::Catalog;
use tutor_kernels::machine_code::MachineCode;

pub(super) fn judge(claim: &Claim, catalog: &Catalog, runs: &mut Runs<'_>) -> Outcome {
    let judged = match claim {
        Claim::Banks(claim) => banks(&claim.access, claim.wavefronts),
        Claim::Coalescing(claim) => coalescing(&claim.access, claim.sectors),
        Claim::Wavefronts(claim) => per_request(claim, catalog, runs, "wavefronts", |line| line.wavefronts),
        Claim::Sectors(claim) => per_request(claim, catalog, runs, "sectors", |line| line.sectors),
        Claim::Hazards(claim) => hazards(claim, catalog, runs),
        Claim::Verified(claim) => verified(claim, catalog, runs),
        Claim::Ratio(claim) => ratio(claim, catalog, runs),
        Claim::Intensity(claim) => intensity(claim, catalog, runs),
        Claim::Recorded(claim) => recorded(claim, catalog, Recording::built_in()),
        Claim::Cycles(claim) => cycles(claim, catalog, Recording::built_in()),
        Claim::Sweep(claim) => sweep(claim, catalog),
        Claim::MachineCode(claim) => machine_code(claim, catalog, MachineCode::built_in()),
        Claim::Because(claim) => because(claim, catalog, runs),
        Claim::Estimated(claim) => estimated(claim, catalog, runs),
    };
    judged.unwrap_or_else(|none| match none {
        NoRun::Skip(why) => Outcome::Skipped(why),
        NoRun::Fail(why) | NoRun::Stopped(_, why) => {
            Outcome::Failed(format!("The claim cannot be compared with a run: {why}"))
        }
        NoRun::Another(why) => Outcome::OfAnother(format!("The claim cannot be compared with a recording: {why}")),
    })
}

pub(super) type Judged = Result<Outcome, NoRun>;

fn banks(view: &BankView, claimed: u32) -> Judged {
    // `check` reports the fault of an invalid access.
    let access = view.access().map_err(|error| NoRun::Skip(error.message.into()))?;
    let direction = match access.direction {
        AccessDirection::Load => Direction::Load,
        AccessDirection::Store => Direction::Store,
    };
    let counted = shared_wavefronts(direction, access.bytes, access.mask, &access.addr);
    Ok(whole(claimed, counted, "wavefront"))
}

fn coalescing(view: &CoalescingView, claimed: u32) -> Judged {
    let access = view.access(0, 0).map_err(|error| NoRun::Skip(error.message.into()))?;
    Ok(whole(claimed, global_sectors(access.bytes, access.mask, &access.addr), "sector"))
}

fn whole(claimed: u32, counted: u32, unit: &str) -> Outcome {
    if claimed == counted {
        return Outcome::Held;
    }
    let plural = if claimed == 1 { "" } else { "s" };
    Outcome::Failed(format!("The page claims {claimed} {unit}{plural}; the emulator counts {counted}."))
}

pub(super) fn close(claimed: f64, measured: f64, within: f64) -> bool {
    // The small tolerance allows for rounding in binary sums and quotients of whole numbers.
    (measured - claimed).abs() <= within.abs() * claimed.abs() + 1e-9 * claimed.abs().max(1.0)
}

fn number(claimed: f64, measured: f64, within: f64, what: &str) -> Outcome {
    compare(claimed, measured, within, what, "the emulator counts")
}

pub(super) fn compare(claimed: f64, measured: f64, within: f64, what: &str, found: &str) -> Outcome {
    if close(claimed, measured, within) {
        return Outcome::Held;
    }
    let slack = if within > 0.0 { format!(" within {} %", short(within * 100.0)) } else { String::new() };
    Outcome::Failed(format!("The page claims {} {what}{slack}; {found} {}.", short(claimed), short(measured)))
}

/// Formats a number with at most four decimals.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(super) fn counts(measured: &Measured) -> Result<&Counts, NoRun> {
    measured.counts.as_ref().ok_or_else(|| NoRun::Skip("the run gave no counts.".to_owned()))
}

fn per_request(
    claim: &AccessClaim,
    catalog: &Catalog,
    runs: &mut Runs<'_>,
    what: &str,
    cost: fn(&LineCounts) -> u64,
) -> Judged {
    let run = runs.emulated(&claim.kernel, claim.size, catalog)?;
    let counts = counts(&run)?;
    // `check` reports an unknown kernel.
    let kernel = catalog.kernel(&claim.kernel).ok_or_else(|| NoRun::Skip("there is no such kernel.".to_owned()))?;
    let at = claim.at.as_ref().map(|at| at.value.as_str());
    let place = at.map_or(String::new(), |at| format!(" at `{at}`"));
    let Some(counted) = Counted::per_request(counts, kernel, &claim.op, at, cost) else {
        let why = format!("`{}` makes no {} request{place}.", claim.kernel.value, claim.op.value);
        return Ok(Outcome::Failed(format!("The claim is about nothing: {why}")));
    };
    let what = format!("{what} per {} request{place}", claim.op.value);
    Ok(number(claim.per_request, counted, claim.within, &what))
}

pub(super) fn hazards(claim: &HazardsClaim, catalog: &Catalog, runs: &mut Runs<'_>) -> Judged {
    let run = runs.emulated(&claim.kernel, claim.size, catalog)?;
    counts(&run)?;
    let found: BTreeSet<HazardKind> = run.hazards.iter().map(|hazard| hazard.kind).collect();
    let claimed: BTreeSet<HazardKind> = claim.kinds.iter().map(|name| hazard_kind(*name)).collect();
    if found != claimed {
        let (claimed, found) = (kinds(&claimed), kinds(&found));
        let kernel = &claim.kernel.value;
        return Ok(Outcome::Failed(format!("The page claims {claimed} in `{kernel}`; the emulator finds {found}.")));
    }
    if claimed.is_empty() {
        return Ok(Outcome::Held);
    }
    match runs.on_gpu(&claim.kernel, claim.size, catalog) {
        Some(run) => result(false, &*run?, "GPU"),
        None => Ok(Outcome::Held),
    }
}

fn kinds(kinds: &BTreeSet<HazardKind>) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| hazard_letters(*kind)).collect();
    if names.is_empty() { "no hazard".to_owned() } else { format!("{} hazards", names.join(" and ")) }
}

pub(super) fn verified(claim: &VerifiedClaim, catalog: &Catalog, runs: &mut Runs<'_>) -> Judged {
    let run = runs.emulated(&claim.kernel, claim.size, catalog)?;
    let outcome = result(claim.is, &run, "emulator")?;
    match runs.on_gpu(&claim.kernel, claim.size, catalog) {
        Some(run) if outcome == Outcome::Held => result(claim.is, &*run?, "GPU"),
        _ => Ok(outcome),
    }
}

fn result(claimed: bool, measured: &Measured, machine: &str) -> Judged {
    let Some(verification) = &measured.verification else {
        return Err(NoRun::Skip(format!("the result was not compared on the {machine}.")));
    };
    if verification.verified == claimed {
        return Ok(Outcome::Held);
    }
    let found = if verification.verified {
        format!("on the {machine} all {} elements are correct", verification.elements)
    } else {
        format!("on the {machine} {} of {} elements are wrong", verification.mismatches, verification.elements)
    };
    let claimed = if claimed { "right" } else { "wrong" };
    Ok(Outcome::Failed(format!("The page claims a {claimed} result; {found}.")))
}

fn ratio(claim: &RatioClaim, catalog: &Catalog, runs: &mut Runs<'_>) -> Judged {
    let above = runs.emulated(&claim.kernel, claim.size, catalog)?;
    let below = runs.emulated(&claim.to, claim.size, catalog)?;
    let (above, below) = (count(claim.of, counts(&above)?)?, count(claim.of, counts(&below)?)?);
    if below == 0 {
        return Ok(Outcome::Failed(format!("The claim divides by zero: `{}` has none of these.", claim.to.value)));
    }
    let what = format!("as the ratio {above} : {below}");
    Ok(number(claim.is, above as f64 / below as f64, claim.within, &what))
}

fn intensity(claim: &IntensityClaim, catalog: &Catalog, runs: &mut Runs<'_>) -> Judged {
    let run = runs.emulated(&claim.kernel, claim.size, catalog)?;
    let counts = counts(&run)?;
    let bytes = count(Count::GlobalLoadBytes, counts)?;
    if bytes == 0 {
        return Ok(Outcome::Failed(format!("`{}` loads nothing from global memory.", claim.kernel.value)));
    }
    Ok(number(claim.is, counts.totals.flop as f64 / bytes as f64, claim.within, "FLOP per byte loaded"))
}

pub(super) fn count(of: Count, counts: &Counts) -> Result<u64, NoRun> {
    if counts.blocks_counted != counts.blocks {
        return Err(NoRun::Skip("only a part of the blocks was counted; take a smaller size.".to_owned()));
    }
    let sum = |of: fn(&LineCounts) -> bool, value: fn(&LineCounts) -> u64| -> u64 {
        counts.lines.iter().filter(|line| of(line)).map(value).sum()
    };
    Ok(match of {
        Count::GlobalBytes => counts.totals.global_bytes,
        Count::GlobalLoadLines => counts.totals.global_load_lines,
        Count::Blocks => counts.blocks,
        Count::GlobalLoadSectors => sum(LineCounts::loads_global, |line| line.sectors),
        Count::GlobalStoreSectors => sum(LineCounts::stores_global, |line| line.sectors),
        Count::SharedWavefronts => counts.totals.wavefronts,
        Count::SharedLoadRequests => sum(LineCounts::loads_shared, |line| line.requests),
        Count::SharedLoadWavefronts => sum(LineCounts::loads_shared, |line| line.wavefronts),
        Count::SharedStoreWavefronts => sum(LineCounts::stores_shared, |line| line.wavefronts),
        Count::Flop => counts.totals.flop,
        Count::GlobalLoadBytes => {
            // The counts contain warps per line and bytes in total. They determine the loaded bytes only if every lane
            // takes part in every access.
            let full = |line: &LineCounts| line.requests * u64::from(line.bytes) * WARP as u64;
            let (loads, stores) = (sum(|line| line.op == "ld.global", full), sum(|line| line.op == "st.global", full));
            if loads + stores != counts.totals.global_bytes {
                let why = "some lanes take no part at this size; take a multiple of the block's and tile's edges.";
                return Err(NoRun::Fail(why.to_owned()));
            }
            loads
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_figure_is_held_against_the_recording_and_what_was_not_recorded_is_told() {
        let catalog = Catalog::built_in();
        let (slow, fast) = ("sgemm_naive_coalesced", "sgemm_tiled");
        let time = |n, median_ms, gflops| {
            serde_json::json!({ "n": n, "median_ms": median_ms, "low_ms": median_ms,
            "high_ms": median_ms, "launches": 10, "gflops": gflops })
        };
        let row = |kernel: &str, median_ms: f64, gflops: f64, mismatches: u64| {
            let mut row = time(512, median_ms, gflops);
            row["kernel"] = kernel.into();
            row["mismatches"] = mismatches.into();
            row["of"] = catalog.kernel(kernel).unwrap().identity().into();
            row
        };
        let recording: Recording = serde_json::from_value(serde_json::json!({
            "device": "GPU", "capability": [9, 0], "driver": "1", "cuda": "13.0", "cublas_version": null, "math": "",
            "date": "2026-11-21", "cublas": [time(512, 0.5, 800.0)],
            "rows": [row(slow, 4.0, 100.4, 0), row(fast, 1.0, 400.0, 7)],
        }))
        .unwrap();
        let judge = |device: &str, kernel: &str, size: u32, states: &str| {
            let text = format!("{{ device: {device}, kernel: {kernel}, size: {size}, states: {states} }}");
            recorded(&tutor_support::yaml::read_typed(&text).unwrap(), catalog, std::slice::from_ref(&recording))
        };
        for states in ["{ gflops: 100 }", "{ percent_of_cublas: 12.5 }", "{ wrong: 0 }"] {
            assert!(matches!(judge("GPU", slow, 512, states), Ok(Outcome::Held)), "{states}");
        }
        let speedup = |is: u32| format!("{{ speedup: {{ over: {slow}, is: {is} }} }}");
        assert!(matches!(judge("GPU", fast, 512, &speedup(4)), Ok(Outcome::Held)));
        for (kernel, states) in [(slow, "{ gflops: 102 }"), (fast, "{ wrong: 8 }"), (fast, &speedup(5))] {
            assert!(matches!(judge("GPU", kernel, 512, states), Ok(Outcome::Failed(_))), "{states}");
        }
        for (device, kernel, size) in [("other", slow, 512), ("GPU", "sgemm_sweep", 512), ("GPU", slow, 64)] {
            assert!(matches!(judge(device, kernel, size, "{ wrong: 0 }"), Err(NoRun::Fail(_))));
        }
    }

    #[test]
    fn cycles_and_sweeps_are_held_against_the_recordings() {
        let judged =
            |text: &str| judge(&tutor_support::yaml::read_typed(text).unwrap(), Catalog::built_in(), &mut no_runs());
        let held = [
            "cycles: { device: NVIDIA H200, kernel: sgemm_naive_uncoalesced, size: 4096, is: 33.6 }",
            "cycles: { device: NVIDIA H200, kernel: sgemm_naive_coalesced, size: 4096, is: 2.6, within: 0.02 }",
            "sweep: { kernel: sgemm_sweep, size: 1024, states: { variants: 138 } }",
            "sweep: { kernel: sgemm_sweep, size: 1024, of: k_innermost, states: { mean: 2225 } }",
            "sweep: { kernel: sgemm_sweep, size: 1024, of: k_innermost, states: { lowest: 825 } }",
            "sweep: { kernel: sgemm_sweep, size: 1024, states: { highest: 4702 } }",
        ];
        for text in held {
            assert_eq!(judged(text), Outcome::Held, "{text}");
        }
        let failed = [
            "cycles: { device: NVIDIA H200, kernel: sgemm_naive_uncoalesced, size: 4096, is: 30 }",
            "cycles: { device: none, kernel: sgemm_naive_uncoalesced, size: 4096, is: 33.6 }",
            "sweep: { kernel: sgemm_sweep, size: 1024, states: { variants: 75 } }",
            "sweep: { kernel: sgemm_sweep, size: 1024, states: { best: 32x32x32_2x2_k_outermost } }",
            "sweep: { kernel: sgemm_sweep, size: 1024, of: nothing, states: { mean: 2225 } }",
            "sweep: { kernel: sgemm_sweep, size: 64, states: { variants: 138 } }",
        ];
        for text in failed {
            assert!(matches!(judged(text), Outcome::Failed(_)), "{text}");
        }
    }

    fn no_runs() -> Runs<'static> {
        let launcher: &'static mut crate::claims::Launcher<'static> =
            Box::leak(Box::new(|_: &tutor_exec::protocol::LaunchRequest| Ok(Vec::new())));
        Runs::new(launcher, false)
    }

    #[test]
    fn machine_code_is_held_against_the_recording_of_the_very_ptx() {
        let catalog = Catalog::built_in();
        let mut recorded = MachineCode::built_in().clone();
        let judge = |recorded: &MachineCode, kernel: &str, arch: &str, states: &str| {
            let text = format!("{{ kernel: {kernel}, arch: {arch}, states: {{ {states} }} }}");
            machine_code(&tutor_support::yaml::read_typed(&text).unwrap(), catalog, recorded)
        };
        let figures = "ffma: 16, shared_loads_128: 4, shared_loads_32: 16, local_loads: 0, instructions: 67";
        assert!(matches!(judge(&recorded, "sgemm_tiled", "sm_90a", figures), Ok(Outcome::Held)));
        let Ok(Outcome::Failed(told)) = judge(&recorded, "sgemm_tiled", "sm_90a", "ffma: 16, hmma: 2, registers: 1")
        else {
            panic!("two figures are wrong")
        };
        assert!(told.contains("claims hmma: 2, registers: 1 of `sgemm_tiled` on sm_90a; `ptxas"), "{told}");
        assert!(told.ends_with("makes hmma: 0, registers: 32."), "{told}");
        assert!(matches!(judge(&recorded, "bf16_wgmma", "sm_80", "hgmma: 4"), Err(NoRun::Fail(_))));
        assert!(matches!(judge(&recorded, "none", "sm_80", "ffma: 4"), Err(NoRun::Skip(_))));
        recorded.kernels.get_mut("sgemm_tiled").unwrap().ptx = "0".into();
        let stale = judge(&recorded, "sgemm_tiled", "sm_90a", figures);
        assert!(matches!(stale, Err(NoRun::Another(why)) if why.contains("run `scripts/ci/machine-code`")));
        recorded.kernels.remove("sgemm_tiled");
        assert!(matches!(judge(&recorded, "sgemm_tiled", "sm_90a", figures), Err(NoRun::Fail(_))));
    }

    #[test]
    fn numbers_are_close_within_the_relative_tolerance() {
        assert!(close(16.0, 16.3, 0.02) && !close(16.0, 16.4, 0.02));
        assert!(close(0.25, 0.25, 0.0) && !close(0.25, 0.2501, 0.0));
        assert_eq!((short(16.5), short(1.0), short(1.0 / 3.0)), ("16.5".into(), "1".into(), "0.3333".into()));
    }
}
