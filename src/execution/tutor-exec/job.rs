//! A launch as an executor sees it: the resolved kernels, the sink for replies, and the cancellation flag.

use super::emulation_limits::control;
use super::footprint::{Footprint, human_bytes};
use super::protocol::{Description, LaunchRequest};
use super::resolve::{Companion, resolve};
use crate::prelude::*;
use ptx_emulator::Control;
use std::sync::atomic::{AtomicBool, Ordering};
use tutor_kernels::EMULATED_SMS;

/// Runs kernels on one kind of device.
pub(super) trait Executor {
    /// Returns the device on which it runs.
    fn device(&self) -> Device;

    /// Verifies and times the programs of a job, and replies as it goes. `Ok` may also mean that the job was cancelled.
    fn run(&mut self, job: &Job) -> Result<(), ExecError>;
}

/// Maximum number of printed bytes that are passed on per launch.
pub(super) const MAX_PRINTED: usize = 64 << 10;
/// Maximum number of programs in a request: one for each variant of a kernel.
const MAX_PROGRAMS: usize = 500;

/// A launch in progress.
pub(super) struct Job<'a> {
    pub(super) request: &'a LaunchRequest,
    /// The programs that can run this shape.
    pub(super) programs: Vec<Resolved>,
    /// Type of the elements of A, B and C, the same for all programs.
    pub(super) elements: Elements,
    /// Alpha and beta.
    pub(super) factors: [f64; 2],
    cancelled: &'a AtomicBool,
    sink: &'a (dyn Fn(Reply) + Sync),
    /// Limits on all emulation for this job together.
    control: Control<'a>,
}

impl<'a> Job<'a> {
    /// Resolves the programs of a request for an executor. Also returns replies about programs that do not take this
    /// shape or are replaced. They are sent after the launch has started.
    pub(super) fn new(
        request: &'a LaunchRequest,
        executor: &dyn Executor,
        cancelled: &'a AtomicBool,
        sink: &'a (dyn Fn(Reply) + Sync),
    ) -> Result<(Self, Vec<Reply>), ExecError> {
        if request.programs.is_empty() || request.programs.len() > MAX_PROGRAMS {
            let message = sentence!("exec-programs", most = MAX_PROGRAMS, given = request.programs.len());
            return Err(ExecError::new(ExecErrorKind::Invalid, message));
        }
        if !(request.seconds.is_finite() && request.seconds >= 0.0) {
            return Err(ExecError::new(ExecErrorKind::Invalid, sentence!("exec-seconds")));
        }
        let (mut programs, mut early) = (Vec::new(), Vec::new());
        let device = executor.device();
        let multiprocessors = device.multiprocessors.unwrap_or(EMULATED_SMS);
        let mut first: Option<(&str, Elements)> = None;
        for (index, program) in request.programs.iter().enumerate() {
            let (elements, found) = resolve(program, index, request.shape, multiprocessors)?;
            match first {
                None => first = Some((&program.kernel, elements)),
                Some((_, known)) if known == elements => {}
                Some((other, known)) => {
                    let message = sentence!(
                        "exec-mixed-types",
                        other = other.escape_debug().to_string(),
                        known = known.to_string(),
                        kernel = program.kernel.escape_debug().to_string(),
                        elements = elements.to_string(),
                    );
                    return Err(
                        ExecError::new(ExecErrorKind::Invalid, message).help(sentence!("exec-mixed-types-help"))
                    );
                }
            }
            match found {
                Ok(resolved) => {
                    let resolved = resolved.chosen(program, &device, request.shape, multiprocessors);
                    if let Some(why) = resolved.instead_because.clone() {
                        let kernel = resolved.id.clone();
                        early.push(Reply::Instead { id: request.id, program: index, kernel, why });
                    }
                    let bytes = |shape| Footprint::of(shape, elements);
                    let text = resolved.companion.map(|companion| match companion {
                        Companion::PaddedCopies(shape) => {
                            sentence!("exec-padded", kernel = resolved.id, bytes = human_bytes(bytes(shape).total()))
                        }
                        Companion::Integers(product) => {
                            let bytes = human_bytes(product.scratch().iter().sum());
                            sentence!("exec-moduli", kernel = resolved.id, moduli = product.moduli, bytes)
                        }
                        Companion::SecondKernel => {
                            let bytes = human_bytes(2 * bytes(request.shape).c);
                            sentence!("exec-second", kernel = resolved.id, bytes)
                        }
                    });
                    early.extend(text.map(|text| Reply::Note { id: request.id, text }));
                    programs.push(resolved);
                }
                Err(error) => early.push(Reply::Skipped { id: request.id, program: index, error }),
            }
        }
        // If no program is left to run, the launch fails as a whole.
        if let (true, Some(Reply::Skipped { error, .. })) = (programs.is_empty(), early.first()) {
            return Err(error.clone());
        }
        let elements = first.map_or(Elements::F32, |(_, elements)| elements);
        let factors = [request.alpha, request.beta].map(|factor| elements.factor(factor));
        if !factors.iter().all(|factor| factor.is_finite()) {
            let message = sentence!("exec-factors");
            return Err(ExecError::new(ExecErrorKind::Invalid, message));
        }
        if elements == Elements::S8 {
            must_be_exact(request.shape.k, factors, elements)?;
        }
        let most = |of: fn(&Resolved) -> u64| programs.iter().map(of).max().unwrap_or(0);
        let most = [most(|program| program.tiled.products()), most(|program| program.geometry.warps())];
        let control = control(most, programs.len() as u64).cancel(cancelled);
        Ok((Self { request, programs, elements, factors, cancelled, sink, control }, early))
    }

    pub(super) fn id(&self) -> u64 {
        self.request.id
    }

    pub(super) fn shape(&self) -> Shape {
        self.request.shape
    }

    pub(super) fn reply(&self, reply: Reply) {
        (self.sink)(reply);
    }

    pub(super) fn note(&self, text: impl Into<Sentence>) {
        self.reply(Reply::Note { id: self.id(), text: text.into() });
    }

    /// Reports what a program printed, up to a limit.
    pub(super) fn printed(&self, program: usize, output: &str) {
        if output.is_empty() {
            return;
        }
        let end = output.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= MAX_PRINTED).last();
        let text = &output[..end.unwrap_or(0)];
        let cut = (output.len() - text.len()) as u64;
        self.reply(Reply::Printed { id: self.id(), program: Some(program), text: text.to_owned(), cut });
    }

    /// Loads the programs that a device can run, and reports the others as skipped. Fails if it can run none.
    pub(super) fn load_each<'j, T>(
        &'j self,
        load: impl Fn(&'j Resolved) -> Result<T, ExecError>,
    ) -> Result<Vec<T>, ExecError> {
        let (mut loaded, mut refused) = (Vec::new(), Vec::new());
        for program in &self.programs {
            match load(program) {
                Ok(kernel) => loaded.push(kernel),
                Err(error) => refused.push((program, error)),
            }
        }
        if let (true, Some((_, error))) = (loaded.is_empty(), refused.first()) {
            return Err(error.clone());
        }
        for (program, error) in refused {
            self.reply(Reply::Skipped { id: self.id(), program: program.index, error });
        }
        Ok(loaded)
    }

    pub(super) fn progress(&self, doing: impl Into<Sentence>, fraction: f64) {
        self.reply(Reply::Progress { id: self.id(), doing: doing.into(), fraction });
    }

    pub(super) fn cancel_flag(&self) -> &'a AtomicBool {
        self.cancelled
    }

    pub(super) fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Returns the limits on the emulator, which all runs of the job share.
    pub(super) fn control(&self) -> Control<'a> {
        self.control.clone()
    }

    /// Returns the product of these inputs.
    pub(super) fn problem<'i>(&self, inputs: &'i Inputs) -> Problem<'i> {
        let [alpha, beta] = self.factors;
        Problem { elements: self.elements, shape: self.shape(), alpha, beta, inputs, epilogue: None, moduli: None }
    }

    /// Makes random matrices with the launch's element type and seed.
    pub(super) fn inputs(&self) -> Inputs {
        Inputs::random(self.elements, self.shape(), self.request.seed, self.factors[1])
    }
}

/// Refuses a product of integers whose sums may overflow, or that alpha or beta would make inexact.
pub(super) fn must_be_exact(k: u32, factors: [f64; 2], elements: Elements) -> Result<(), ExecError> {
    let refused = |why, help| Err(ExecError::new(ExecErrorKind::Invalid, why).help(help));
    let most = elements.max_k().unwrap_or(u32::MAX);
    if k > most {
        return refused(sentence!("exec-integers-long", k, most), sentence!("exec-integers-long-help"));
    }
    if factors != [1.0, 0.0] {
        return refused(sentence!("exec-integers-scaled"), sentence!("exec-integers-scaled-help"));
    }
    Ok(())
}

impl Description {
    /// Returns this description for launches that go to the emulator, with the reason.
    #[must_use]
    pub fn on_emulator(self, why: Sentence) -> Self {
        Self { device: emulator_device(), why_not_cuda: Some(why), ..self }
    }
}

pub(super) fn emulator_device() -> Device {
    Device::named(DeviceKind::Emulator, "SIMT emulator")
}
