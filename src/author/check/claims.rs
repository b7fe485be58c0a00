//! Rules for claims.

use super::shows::{access, kernel, not_simulated};
use tutor_course::lint::{Lint, Location, Path};
use tutor_course::{
    AccessClaim, At, Claim, EstimatedFigure, MAX_CAUSE_SIZE, MAX_CLAIM_SIZE, MAX_WITHIN, MachineCodeClaim,
    RecordedFigure,
};
use tutor_exec::estimate::waits;
use tutor_kernels::Catalog;
use tutor_kernels::machine_code::MachineCode;

/// Checks that `check` can verify a claim.
pub(super) fn check(lint: &mut Lint<'_>, claim: &At<Claim>, catalog: &Catalog) {
    // A claim has no path, so its place is where it begins.
    let here = || Location::Known { line: claim.line, column: claim.column, length: 1 };
    let size = match &claim.value {
        Claim::Banks(banks) => {
            match banks.access.access() {
                Err(error) if matches!(error.field, "row" | "column") => {
                    access(lint, &error, &banks.access.row, &banks.access.column, &Path::default());
                }
                Err(error) => {
                    lint.report("bad-claim", here(), format!("This access is not valid: {}", error.message), "");
                }
                Ok(_) => {}
            }
            None
        }
        Claim::Coalescing(coalescing) => {
            match coalescing.access.access(0, 0) {
                Err(error) if matches!(error.field, "row" | "column") => {
                    access(lint, &error, &coalescing.access.row, &coalescing.access.column, &Path::default());
                }
                Err(error) => {
                    lint.report("bad-claim", here(), format!("This access is not valid: {}", error.message), "");
                }
                Ok(_) => {}
            }
            None
        }
        Claim::Wavefronts(access) => Some(access_claim(lint, access, ["ld.shared", "st.shared"], catalog)),
        Claim::Sectors(access) => Some(access_claim(lint, access, ["ld.global", "st.global"], catalog)),
        Claim::Hazards(hazards) => {
            kernel(lint, &hazards.kernel, catalog);
            Some(hazards.size)
        }
        Claim::Verified(verified) => {
            kernel(lint, &verified.kernel, catalog);
            Some(verified.size)
        }
        Claim::Ratio(ratio) => {
            kernel(lint, &ratio.kernel, catalog);
            kernel(lint, &ratio.to, catalog);
            tolerance(lint, claim, ratio.within);
            Some(ratio.size)
        }
        Claim::Intensity(intensity) => {
            kernel(lint, &intensity.kernel, catalog);
            tolerance(lint, claim, intensity.within);
            Some(intensity.size)
        }
        Claim::Recorded(recorded) => {
            kernel(lint, &recorded.kernel, catalog);
            if let RecordedFigure::Speedup(speedup) = &recorded.states {
                kernel(lint, &speedup.over, catalog);
            }
            tolerance(lint, claim, recorded.within);
            None
        }
        Claim::Cycles(cycles) => {
            kernel(lint, &cycles.kernel, catalog);
            tolerance(lint, claim, cycles.within);
            None
        }
        Claim::Sweep(sweep) => {
            kernel(lint, &sweep.kernel, catalog);
            tolerance(lint, claim, sweep.within);
            None
        }
        Claim::MachineCode(code) => {
            kernel(lint, &code.kernel, catalog);
            machine_code(lint, claim, code);
            None
        }
        Claim::Estimated(estimated) => {
            kernel(lint, &estimated.launch.kernel, catalog);
            tolerance(lint, claim, estimated.within);
            if let Some(message) = not_simulated(&estimated.launch, catalog) {
                lint.report("bad-claim", here(), message, "");
            }
            if let EstimatedFigure::Waits(wait) = &estimated.states {
                lint.reference("bad-claim", "wait", wait, waits());
            }
            None
        }
        Claim::Because(because) => {
            kernel(lint, &because.kernel, catalog);
            kernel(lint, &because.to, catalog);
            if because.besides.trim().is_empty() {
                let help = "Write `nothing` if the two kernels differ in nothing else.";
                lint.report("bad-claim", here(), "`besides` does not say what else differs.", help);
            }
            if !(1..=MAX_CAUSE_SIZE).contains(&because.counted_at) {
                let message = format!("`counted_at` is {}, not between 1 and {MAX_CAUSE_SIZE}.", because.counted_at);
                lint.report("bad-claim", here(), message, "");
            }
            None
        }
    };
    if let Claim::Wavefronts(access) | Claim::Sectors(access) = &claim.value {
        tolerance(lint, claim, access.within);
    }
    if let Some(size) = size
        && !(1..=MAX_CLAIM_SIZE).contains(&size)
    {
        let message = format!("`size` is {size}, not between 1 and {MAX_CLAIM_SIZE}.");
        lint.report("bad-claim", here(), message, "Counts per request do not depend on the size; 64 is quick.");
    }
}

fn machine_code(lint: &mut Lint<'_>, claim: &At<Claim>, code: &MachineCodeClaim) {
    let recorded = MachineCode::built_in();
    let arches = recorded.architectures();
    if !arches.contains(code.arch.value.as_str()) {
        let message = format!("Nothing is assembled for `{}`.", code.arch.value);
        lint.report("bad-claim", &code.arch, message, format!("Write {}.", Vec::from_iter(arches).join(" or ")));
    }
    let here = || Location::Known { line: claim.line, column: claim.column, length: 1 };
    if code.states.is_empty() {
        lint.report("bad-claim", here(), "No figure is stated.", "Write one, like `ffma: 512`.");
    }
    let names = recorded.names();
    for name in code.states.keys().filter(|name| !names.contains(name.as_str())) {
        let help = format!("There are {}.", Vec::from_iter(names.iter().copied()).join(", "));
        lint.report("bad-claim", here(), format!("Machine code has no figure `{name}`."), help);
    }
}

fn access_claim(lint: &mut Lint<'_>, claim: &AccessClaim, ops: [&str; 2], catalog: &Catalog) -> u32 {
    kernel(lint, &claim.kernel, catalog);
    if !ops.contains(&claim.op.value.as_str()) {
        let message = format!("`{}` is not counted so.", claim.op.value);
        lint.report("bad-claim", &claim.op, message, format!("Write {} or {}.", ops[0], ops[1]));
    }
    if let Some(at) = &claim.at
        && let Some(known) = catalog.kernel(&claim.kernel)
        && !known.source.lines(None).any(|(_, line)| line.contains(at.value.as_str()))
    {
        let message = format!("`{}` does not occur in `{}`.", at.value, claim.kernel.value);
        lint.report("bad-claim", at, message, "Copy a piece of the line that makes the access.");
    }
    claim.size
}

fn tolerance(lint: &mut Lint<'_>, claim: &At<Claim>, within: f64) {
    if !(0.0..=MAX_WITHIN).contains(&within) {
        let place = Location::Known { line: claim.line, column: claim.column, length: 1 };
        let message = format!("A tolerance of {within} is not between 0 and {MAX_WITHIN}.");
        lint.report("bad-claim", place, message, "0.02 accepts 2 percent.");
    }
}
