//! Verifies planted faults: the emulator's verdict on the kernel, and the lines of the fault.

use super::emulated::{hazards, verified};
use super::outcome::{Judged, Outcome};
use super::runs::{NoRun, Runs};
use ptx_emulator::FaultKind;
use std::collections::BTreeSet;
use tutor_course::{Fault, HazardsClaim, StopName, VerifiedClaim};
use tutor_kernels::{Catalog, Kernel};

/// Verifies that the kernel has the fault, in the lines that count as correct answers.
pub(super) fn fault(fault: &Fault, catalog: &Catalog, runs: &mut Runs<'_>) -> Outcome {
    let proved = verdict(fault, catalog, runs).and_then(|outcome| match (&outcome, &fault.beside) {
        (Outcome::Held, Some(beside)) => match (fault.faulty(), catalog.kernel(beside)) {
            (Some(faulty), Some(right)) => differ(fault, faulty, right, catalog, runs),
            // `check` reports the missing kernel.
            _ => Err(NoRun::Skip(format!("there is no kernel `{}`.", beside.value))),
        },
        _ => Ok(outcome),
    });
    proved.unwrap_or_else(|none| match none {
        NoRun::Skip(why) => Outcome::Skipped(why),
        NoRun::Fail(why) | NoRun::Stopped(_, why) | NoRun::Another(why) => {
            Outcome::Failed(format!("The fault cannot be proved: {why}"))
        }
    })
}

/// Verifies the fault with the emulator. If `beside` names no correct kernel, the emulator must also report one of the
/// lines that count as correct answers.
fn verdict(fault: &Fault, catalog: &Catalog, runs: &mut Runs<'_>) -> Judged {
    let (id, places) = (&fault.kernel.value, fault.places());
    let catalog = if catalog.kernel(id).is_some() { catalog } else { Catalog::faulty() };
    let elsewhere = |line: u32, found: &str| {
        let message = format!("Line {line} of `{id}` counts as correct, but the emulator does not find {found} there.");
        Ok(Outcome::Failed(message))
    };
    if let Some(stop) = fault.stops {
        let (kind, name) = named(stop);
        return match runs.emulated(id, fault.size, catalog) {
            Err(NoRun::Stopped(found, _)) if found.kind == kind => match places.as_slice() {
                _ if fault.beside.is_some() || places.contains(&found.line) => Ok(Outcome::Held),
                [line, ..] => elsewhere(*line, name),
                [] => Ok(Outcome::Held),
            },
            Err(NoRun::Stopped(_, why)) => Ok(Outcome::Failed(format!("`{id}` is to stop with {name}: {why}"))),
            Err(other) => Err(other),
            Ok(_) => Ok(Outcome::Failed(format!("`{id}` is to stop with {name}; the emulator runs it to its end."))),
        };
    }
    let claim = HazardsClaim { kernel: fault.kernel.clone(), kinds: fault.races.clone(), size: fault.size };
    let outcome = hazards(&claim, catalog, runs)?;
    if outcome != Outcome::Held {
        return Ok(outcome);
    }
    if fault.races.is_empty() {
        return verified(&VerifiedClaim { kernel: fault.kernel.clone(), is: false, size: fault.size }, catalog, runs);
    }
    let run = runs.emulated(id, fault.size, catalog)?;
    let at =
        |line: u32| run.hazards().iter().any(|race| [&race.first, &race.second].iter().any(|a| a.place.line == line));
    match places.into_iter().find(|line| fault.beside.is_none() && !at(*line)) {
        None => Ok(Outcome::Held),
        Some(line) => elsewhere(line, "a race"),
    }
}

/// Verifies that the kernel in `beside` is correct, and that it differs in exactly the lines that count as correct
/// answers.
fn differ(fault: &Fault, faulty: &Kernel, right: &Kernel, catalog: &Catalog, runs: &mut Runs<'_>) -> Judged {
    let lines = |kernel: &Kernel| kernel.source.text().lines().map(str::to_owned).collect::<Vec<_>>();
    let (planted, whole) = (lines(faulty), lines(right));
    let other: BTreeSet<u32> =
        (1..).zip(planted.iter().zip(&whole)).filter(|(_, (a, b))| a != b).map(|(number, _)| number).collect();
    if planted.len() != whole.len() || other != fault.places().into_iter().collect() {
        let numbers: Vec<String> = other.iter().map(u32::to_string).collect();
        return Ok(Outcome::Failed(format!(
            "`{}` and `{}` do not differ in just the lines that count as right, but in: {}.",
            faulty.id,
            right.id,
            numbers.join(", ")
        )));
    }
    let kernel = fault.beside.clone().unwrap_or_else(|| fault.kernel.clone());
    let sound = HazardsClaim { kernel: kernel.clone(), kinds: Vec::new(), size: fault.size };
    match hazards(&sound, catalog, runs)? {
        Outcome::Held => verified(&VerifiedClaim { kernel, is: true, size: fault.size }, catalog, runs),
        other => Ok(other),
    }
}

/// Returns the emulator's kind of fault, and its name in a sentence.
fn named(stop: StopName) -> (FaultKind, &'static str) {
    match stop {
        StopName::OutOfBounds => (FaultKind::OutOfBounds, "an access out of bounds"),
        StopName::Misaligned => (FaultKind::Misaligned, "a misaligned access"),
        StopName::Uninitialised => (FaultKind::Uninitialised, "a read of what nothing wrote"),
        StopName::DivergentBarrier => (FaultKind::DivergentBarrier, "a barrier to which not all come"),
        StopName::Mbarrier => (FaultKind::Mbarrier, "an `mbarrier` that is never complete"),
        StopName::Livelock => (FaultKind::Livelock, "a hang"),
    }
}
