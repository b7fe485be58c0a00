//! A launch as an executor sees it: kernels resolved, the way to answer, the wish to stop.

use super::protocol::{Description, DeviceKind, ExecError, ExecErrorKind, LaunchRequest, Reply, Shape};
use super::resolve::{Resolved, resolve};
use super::verify::Problem;
use super::{emulator, input::Inputs, protocol::Device};
use ptx_emulator::Control;
use std::sync::atomic::{AtomicBool, Ordering};
use tutor_base::sentence;
use tutor_base::words::Sentence;
use tutor_kernels::Elements;

/// Runs kernels on one kind of device.
pub(super) trait Executor {
    /// What it runs on.
    fn device(&self) -> &Device;

    /// How many multiprocessors it has: a persistent kernel's grid depends on it.
    fn multiprocessors(&self) -> u32;

    /// Verifies and times the programs of a job, replying as it goes; an `Ok` may also mean that it was cancelled.
    fn run(&mut self, job: &Job) -> Result<(), ExecError>;
}

/// Bytes of what a launch prints that are told.
pub(super) const MAX_PRINTED: usize = 64 << 10;
/// As many as a kernel can have variants.
const MAX_PROGRAMS: usize = 500;

/// A launch under way.
pub(super) struct Job<'a> {
    pub(super) request: &'a LaunchRequest,
    /// Those that take this shape.
    pub(super) programs: Vec<Resolved>,
    /// Type of the elements of A, B and C, the same for all programs.
    pub(super) elements: Elements,
    cancelled: &'a AtomicBool,
    sink: &'a (dyn Fn(Reply) + Sync),
    /// What all emulation for it may take.
    control: Control<'a>,
}

/// A program that does not take this shape, or whose place another one takes: told when the launch has started.
pub(super) type Aside = Reply;

impl<'a> Job<'a> {
    /// Resolves the programs of a request for a device with so many multiprocessors.
    pub(super) fn new(
        request: &'a LaunchRequest,
        multiprocessors: u32,
        cancelled: &'a AtomicBool,
        sink: &'a (dyn Fn(Reply) + Sync),
    ) -> Result<(Self, Vec<Aside>), ExecError> {
        if request.programs.is_empty() || request.programs.len() > MAX_PROGRAMS {
            let message = sentence!("exec-programs", most = MAX_PROGRAMS, given = request.programs.len());
            return Err(ExecError::new(ExecErrorKind::Invalid, message));
        }
        if !(request.seconds.is_finite() && request.seconds >= 0.0) {
            return Err(ExecError::new(ExecErrorKind::Invalid, sentence!("exec-seconds")));
        }
        let (mut programs, mut asides) = (Vec::new(), Vec::new());
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
                    if let Some(why) = resolved.instead_because.clone() {
                        let kernel = resolved.id.clone();
                        asides.push(Reply::Instead { id: request.id, program: index, kernel, why });
                    }
                    programs.push(resolved);
                }
                Err(error) => asides.push(Reply::Skipped { id: request.id, program: index, error }),
            }
        }
        // Where nothing is left to run, the launch fails as a whole.
        if let (true, Some(Reply::Skipped { error, .. })) = (programs.is_empty(), asides.first()) {
            return Err(error.clone());
        }
        let elements = first.map_or(Elements::F32, |(_, elements)| elements);
        let control = emulator::control(request.shape, programs.len() as u64).cancel(cancelled);
        Ok((Self { request, programs, elements, cancelled, sink, control }, asides))
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

    /// Tells what a program printed, up to a limit.
    pub(super) fn printed(&self, program: usize, output: &str) {
        if output.is_empty() {
            return;
        }
        let end = output.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= MAX_PRINTED).last();
        let text = &output[..end.unwrap_or(0)];
        let cut = (output.len() - text.len()) as u64;
        self.reply(Reply::Printed { id: self.id(), program: Some(program), text: text.to_owned(), cut });
    }

    /// Loads what a device can run and tells of the rest; fails if that is everything.
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

    pub(super) fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// What the emulator may take for the job, whose runs share it.
    pub(super) fn control(&self) -> Control<'a> {
        self.control.clone()
    }

    /// The product that the inputs make.
    pub(super) fn problem<'i>(&self, inputs: &'i Inputs) -> Problem<'i> {
        let LaunchRequest { shape, alpha, beta, .. } = *self.request;
        Problem { elements: self.elements, shape, alpha, beta, inputs }
    }

    /// Random matrices of the launch's type and seed.
    pub(super) fn inputs(&self) -> Inputs {
        Inputs::random(self.elements, self.shape(), self.request.seed, self.request.beta)
    }
}

impl Description {
    /// The same where launches go to the emulator, whatever else is there, and why.
    #[must_use]
    pub fn on_emulator(self, why: Sentence) -> Self {
        Self { device: emulator_device(), why_not_cuda: Some(why), ..self }
    }
}

/// The emulator as a device.
pub(super) fn emulator_device() -> Device {
    Device {
        kind: DeviceKind::Emulator,
        name: "SIMT emulator".to_owned(),
        driver: None,
        capability: None,
        multiprocessors: None,
        clock_mhz: None,
    }
}
