//! Compares a claim with what the machine does.

use super::bounds::bound;
use super::emulated::{hazards, intensity, per_request, ratio, verified};
use super::estimates::estimated;
use super::outcome::{Judged, Outcome};
use super::recordings::{because, cycles, machine_code, recorded, sweep};
use super::runs::{NoRun, Runs};
use ptx_emulator::cost::{Direction, global_sectors, shared_wavefronts};
use tutor_course::{AccessDirection, BankView, Claim, CoalescingView};
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
        Claim::Bound(claim) => bound(claim, catalog, runs),
    };
    judged.unwrap_or_else(|none| match none {
        NoRun::Skip(why) => Outcome::Skipped(why),
        NoRun::Fail(why) | NoRun::Stopped(_, why) => {
            Outcome::Failed(format!("The claim cannot be compared with a run: {why}"))
        }
        NoRun::Another(why) => Outcome::OfAnother(format!("The claim cannot be compared with a recording: {why}")),
    })
}

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
            Box::leak(Box::new(|request: &tutor_exec::protocol::LaunchRequest| {
                Ok(tutor_exec::results::LaunchResults::of(request))
            }));
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
}
