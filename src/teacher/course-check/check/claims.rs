//! Rules for claims.

use super::shows::{access, kernel, not_simulated};
use schemars::{Schema, schema_for};
use std::sync::LazyLock;
use tutor_course::lint::{Lint, Location, Path};
use tutor_course::{
    AccessClaim, AccessError, At, Claim, CoalescingClaim, EstimatedFigure, MachineCodeClaim, Part, RecordedFigure,
};
use tutor_exec::estimate::waits;
use tutor_kernels::Catalog;
use tutor_kernels::machine_code::MachineCode;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| schema_for!(Vec<At<Claim>>));

/// Checks that `check` can verify the claims at a path.
pub(super) fn check(lint: &mut Lint<'_>, claims: &[At<Claim>], path: &Path<'_>, catalog: &Catalog) {
    lint.ranges("bad-claim", path, SCHEMA.as_value());
    claims.iter().for_each(|claim| one(lint, claim, catalog));
}

fn one(lint: &mut Lint<'_>, claim: &At<Claim>, catalog: &Catalog) {
    // The place of a claim is where it begins.
    let here = || Location::Known { line: claim.line, column: claim.column, length: 1 };
    let mut kernel = |id: &At<String>| kernel(lint, id, catalog);
    match &claim.value {
        Claim::Banks(banks) => described(lint, claim, banks.access.access(), &banks.access.row, &banks.access.column),
        Claim::Coalescing(CoalescingClaim { access, .. }) => {
            described(lint, claim, access.access(0, 0), &access.row, &access.column);
        }
        Claim::Wavefronts(access) => access_claim(lint, access, ["ld.shared", "st.shared"], catalog),
        Claim::Sectors(access) => access_claim(lint, access, ["ld.global", "st.global"], catalog),
        Claim::Hazards(hazards) => kernel(&hazards.kernel),
        Claim::Verified(verified) => kernel(&verified.kernel),
        Claim::Ratio(ratio) => [&ratio.kernel, &ratio.to].into_iter().for_each(kernel),
        Claim::Intensity(intensity) => kernel(&intensity.kernel),
        Claim::Recorded(recorded) => {
            kernel(&recorded.kernel);
            if let RecordedFigure::Speedup(speedup) = &recorded.states {
                kernel(&speedup.over);
            }
        }
        Claim::Cycles(cycles) => kernel(&cycles.kernel),
        Claim::Sweep(sweep) => kernel(&sweep.kernel),
        Claim::MachineCode(code) => {
            kernel(&code.kernel);
            machine_code(lint, claim, code);
        }
        Claim::Estimated(estimated) => {
            kernel(&estimated.launch.kernel);
            if let Some(message) = not_simulated(&estimated.launch, catalog) {
                lint.report("bad-claim", here(), message, "");
            }
            if let EstimatedFigure::Waits(wait) = &estimated.states {
                lint.reference("bad-claim", "wait", wait, waits());
            }
        }
        Claim::Bound(bound) => {
            kernel(&bound.kernel);
            let of_bound = matches!(bound.of, Part::DataPipe | Part::IssueSlots | Part::Arithmetic);
            if bound.is.is_some() == bound.busy.is_some() || bound.busy.is_some() && !of_bound {
                let help = "`is: CYCLES`, or for `data_pipe`, `issue_slots` and `arithmetic` also `busy: PERCENT`.";
                lint.report("bad-claim", here(), "The claim states no single figure.", help);
            }
        }
        Claim::Because(because) => {
            [&because.kernel, &because.to].into_iter().for_each(kernel);
            if because.besides.trim().is_empty() {
                let help = "Write `nothing` if the two kernels differ in nothing else.";
                lint.report("bad-claim", here(), "`besides` does not say what else differs.", help);
            }
        }
    }
}

/// Checks an access that a claim describes.
fn described<T>(
    lint: &mut Lint<'_>,
    claim: &At<Claim>,
    lanes: Result<T, AccessError>,
    row: &At<String>,
    column: &At<String>,
) {
    match lanes {
        Err(error) if matches!(error.field, "row" | "column") => access(lint, &error, row, column, &Path::default()),
        Err(error) => {
            let here = Location::Known { line: claim.line, column: claim.column, length: 1 };
            lint.report("bad-claim", here, format!("This access is not valid: {}", error.message), "");
        }
        Ok(_) => {}
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

fn access_claim(lint: &mut Lint<'_>, claim: &AccessClaim, ops: [&str; 2], catalog: &Catalog) {
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
}
