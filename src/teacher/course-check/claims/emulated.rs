//! Compares a claim about a kernel with a run of it on the emulator, and on a GPU if there is one.

use super::outcome::{Judged, Outcome, compare};
use super::runs::{NoRun, Runs};
use ptx_emulator::cost::WARP;
use ptx_emulator::{Counts, HazardKind, LineCounts};
use std::collections::BTreeSet;
use tutor_course::{AccessClaim, Count, HazardsClaim, IntensityClaim, RatioClaim, VerifiedClaim};
use tutor_exec::Counted;
use tutor_exec::fault::{hazard_kind, hazard_letters};
use tutor_exec::results::ProgramResults;
use tutor_kernels::Catalog;

fn number(claimed: f64, measured: f64, within: f64, what: &str) -> Outcome {
    compare(claimed, measured, within, what, "the emulator counts")
}

/// Returns what a run counted.
pub(super) fn counts(measured: &ProgramResults) -> Result<&Counts, NoRun> {
    measured.counts.as_ref().ok_or_else(|| NoRun::Skip("the run gave no counts.".to_owned()))
}

pub(super) fn per_request(
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
    let found: BTreeSet<HazardKind> = run.hazards().iter().map(|hazard| hazard.kind).collect();
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

fn result(claimed: bool, measured: &ProgramResults, machine: &str) -> Judged {
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

pub(super) fn ratio(claim: &RatioClaim, catalog: &Catalog, runs: &mut Runs<'_>) -> Judged {
    let above = runs.emulated(&claim.kernel, claim.size, catalog)?;
    let below = runs.emulated(&claim.to, claim.size, catalog)?;
    let (above, below) = (count(claim.of, counts(&above)?)?, count(claim.of, counts(&below)?)?);
    if below == 0 {
        return Ok(Outcome::Failed(format!("The claim divides by zero: `{}` has none of these.", claim.to.value)));
    }
    let what = format!("as the ratio {above} : {below}");
    Ok(number(claim.is, above as f64 / below as f64, claim.within, &what))
}

pub(super) fn intensity(claim: &IntensityClaim, catalog: &Catalog, runs: &mut Runs<'_>) -> Judged {
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
