//! Shows a hazard: traces one block in the order of warps that changes a value, and in the order that does not.

use super::fault::explain;
use super::matrices::Matrices;
use super::protocol::{Program, WitnessReport, WitnessRequest};
use super::resolve::resolve;
use crate::prelude::*;
use ptx_emulator::{
    Control, Event, EventKind, Fault, Kernel, Launch, Limit, Measure, Memory, Module, Options, Schedule, Watch, Way,
    run, trace, witness as find_witness,
};
use tutor_kernels::{Catalog, EMULATED_SMS};

/// Tiles along K. The first hazard between tiles needs two, and a third shows that it repeats.
const TILES: u32 = 3;

/// Limit on the steps of all runs of a request together: a hundred times what a block of 64 by 64 threads needs.
const STEPS: u64 = 1 << 28;
const TIME: Duration = Duration::from_secs(60);

/// Finds the kernel's first hazard that changes a value, and traces the two warps that it concerns.
///
/// # Errors
/// If a kernel cannot be emulated, or has no hazard in shared memory that changes a value.
pub fn witness(request: &WitnessRequest) -> Result<WitnessReport, ExecError> {
    let shape = one_block(&request.kernel)?;
    let inputs = Inputs::random(Elements::F32, shape, request.seed, 0.0);
    let (kernel, launch, memory) = prepare(&request.kernel, shape, &inputs)?;
    let options = Options { measure: Measure::All, ..Options::default() };
    let control = Control::default().steps(STEPS).time(TIME);
    let hazards =
        run(&kernel, &launch, &mut memory.clone(), &options, &control).map_err(|fault| emulated(&fault))?.hazards;
    // Keep hazards between two warps, one of which reads. `way` is the order that changes the value.
    let between_warps = |hazard| {
        let found = find_witness(&kernel, &launch, &memory, hazard, &control).ok().filter(|found| !found.stays)?;
        let Way::Warps { first, second } = found.way else { return None };
        Some((hazard, found, first, second))
    };
    let (hazard, found, first, second) =
        hazards.iter().find_map(between_warps).ok_or_else(|| match control.reached() {
            None => {
                let message = sentence!("exec-no-witness", kernel = request.kernel.kernel);
                ExecError::new(ExecErrorKind::Invalid, message)
            }
            Some(limit) => not_shown(&request.kernel, limit),
        })?;
    let watch = Watch { warps: vec![first, second], lines: false, ..Watch::default() };
    let events = |(kernel, launch, memory): (&Kernel, &Launch, &Memory), order: [u32; 2]| {
        let traced = trace(kernel, launch, memory, 0, &Schedule::Priority(order.to_vec()), &watch, &control);
        let traced = traced.map_err(|fault| emulated(&fault))?;
        match control.reached() {
            None => Ok(memory_events(traced.events)),
            Some(limit) => Err(not_shown(&request.kernel, limit)),
        }
    };
    let wrong = events((&kernel, &launch, &memory), [first, second])?;
    let right = events((&kernel, &launch, &memory), [second, first])?;
    let (kernel, launch, memory) = prepare(&request.correct, shape, &inputs)?;
    let correct = events((&kernel, &launch, &memory), [first, second])?;
    Ok(WitnessReport {
        shape,
        hazard: hazard.clone(),
        address: found.address as u32,
        writer: found.writer,
        reader: found.reader,
        wrong,
        right,
        correct,
        hazards,
    })
}

fn not_shown(program: &Program, limit: Limit) -> ExecError {
    let message = sentence!("exec-witness-cut", kernel = program.kernel, why = limit.to_string());
    ExecError::new(ExecErrorKind::TimedOut, message).help(sentence!("exec-endless-help"))
}

fn memory_events(events: Vec<Event>) -> Vec<Event> {
    let wanted = |event: &Event| matches!(event.kind, EventKind::Shared { .. } | EventKind::Release);
    events.into_iter().filter(wanted).collect()
}

/// Returns the extents of one block of C.
fn one_block(program: &Program) -> Result<Shape, ExecError> {
    let block = match &program.spec {
        Some(spec) => spec.block,
        None => Catalog::built_in().kernel(&program.kernel).map_or([16, 16, 1], |kernel| kernel.block),
    };
    let [x, y, _] = block.map(|extent| extent.clamp(1, 64));
    Ok(Shape::new(y, x, TILES * x.max(y)))
}

fn prepare(program: &Program, shape: Shape, inputs: &Inputs) -> Result<(Kernel, Launch, Memory), ExecError> {
    let (elements, found) = resolve(program, 0, shape, EMULATED_SMS)?;
    let program = found?;
    let kernel = Module::parse(&program.ptx).and_then(|module| module.kernel(&program.entry));
    let kernel = kernel.map_err(|error| emulated(&error.into()))?;
    let matrices = Matrices::new(inputs, shape, elements);
    Ok((kernel, matrices.launch(&program, [1.0, 0.0]), matrices.memory))
}

fn emulated(fault: &Fault) -> ExecError {
    ExecError::new(ExecErrorKind::KernelFault, sentence!("exec-in-emulator", why = explain(fault)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_emulator::HazardKind;

    fn report(kernel: &str) -> Result<WitnessReport, ExecError> {
        let correct = Program::new("sgemm_tiled");
        witness(&WitnessRequest { id: 1, kernel: Program::new(kernel), correct, seed: 1 })
    }

    #[test]
    fn both_kernels_without_a_barrier_have_a_witness_of_their_kind() {
        for (kernel, kind) in
            [("sgemm_no_first_barrier", HazardKind::Raw), ("sgemm_no_second_barrier", HazardKind::War)]
        {
            let report = report(kernel).unwrap();
            assert_eq!(report.hazard.kind, kind);
            assert_ne!(report.writer, report.reader);
            for events in [&report.wrong, &report.right, &report.correct] {
                assert!(events.iter().any(|event| matches!(event.kind, EventKind::Shared { .. })));
                assert!(events.iter().all(|event| [report.writer, report.reader].contains(&event.warp)));
            }
        }
    }

    #[test]
    fn a_kernel_without_a_hazard_is_an_error_in_words() {
        assert!(report("sgemm_tiled").unwrap_err().message.to_string().contains("finds no hazard"));
    }

    #[test]
    fn a_report_survives_the_way_from_the_worker() {
        let report = report("sgemm_no_second_barrier").unwrap();
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<WitnessReport>(&text).unwrap(), report);
        assert!(text.len() < 4 << 20, "{} bytes", text.len());
    }
}
