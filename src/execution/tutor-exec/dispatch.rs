//! Chooses the device of a launch, and runs the launch there.

#[cfg(feature = "cuda")]
use super::cuda::CudaExecutor;
use super::emulator;
use super::job::{Executor, emulator_device};
use super::protocol::{Description, LaunchRequest, Looked, Target};
use crate::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The devices of this process. Each is opened when it is first needed.
#[derive(Default)]
pub(super) struct Devices {
    #[cfg(feature = "cuda")]
    cuda: Option<CudaExecutor>,
    lost: bool,
}

/// The description of a GPU.
struct Gpu {
    device: Device,
    cuda: String,
    cublas: Result<String, Sentence>,
}

#[cfg(feature = "cuda")]
impl Devices {
    /// Opens the GPU. A failure is not stored, because a GPU that is busy now may be free for the next launch.
    fn cuda(&mut self) -> Result<&mut CudaExecutor, ExecError> {
        match &mut self.cuda {
            Some(cuda) => Ok(cuda),
            none => match crate::worker::gpu_refused() {
                Some(refused) => Err(refused),
                None => Ok(none.insert(CudaExecutor::open()?)),
            },
        }
    }

    fn gpu(&mut self) -> Result<Gpu, ExecError> {
        let cuda = self.cuda()?;
        Ok(Gpu { device: cuda.device(), cuda: cuda.cuda().to_owned(), cublas: cuda.cublas() })
    }

    fn gpu_executor(&mut self) -> Result<&mut dyn Executor, ExecError> {
        Ok(self.cuda()?)
    }
}

#[cfg(not(feature = "cuda"))]
impl Devices {
    fn gpu(&mut self) -> Result<Gpu, ExecError> {
        Err(no_support())
    }

    fn gpu_executor(&mut self) -> Result<&mut dyn Executor, ExecError> {
        Err(no_support())
    }
}

#[cfg(not(feature = "cuda"))]
fn no_support() -> ExecError {
    ExecError::new(ExecErrorKind::NoDevice, sentence!("exec-built-without-gpu"))
        .help(sentence!("exec-built-without-help"))
}

impl Devices {
    /// Describes the available devices and libraries.
    pub(super) fn describe(&mut self) -> Description {
        let (nvrtc, nvrtc_places) = describe_nvrtc();
        let (mut why_not_cuda, mut cuda_help) = (None, None);
        let (device, cuda, cublas) = match self.gpu() {
            Ok(Gpu { device, cuda, cublas }) => (device, Some(cuda), cublas),
            Err(why) => {
                (why_not_cuda, cuda_help) = (Some(why.message), why.help);
                (emulator_device(), None, Err(sentence!("exec-cublas-needs-gpu")))
            }
        };
        Description { device, why_not_cuda, cuda_help, cuda, nvrtc, nvrtc_places, cublas, sandbox: None }
    }

    /// True if the process must end, because a fault has destroyed the GPU's context.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn lost(&self) -> bool {
        self.lost
    }

    /// Runs a launch to its end. `Ok` may also mean that the launch was cancelled.
    pub(super) fn launch(
        &mut self,
        request: &LaunchRequest,
        cancelled: &AtomicBool,
        sink: &(dyn Fn(Reply) + Sync),
    ) -> Result<(), ExecError> {
        let mut note = None;
        let (mut emulator, mut other) = (emulator::Emulator, emulator::Emulator);
        let executor: &mut dyn Executor = match request.on {
            Target::Emulator => &mut emulator,
            _ if request.only_estimates() => &mut emulator,
            Target::Cuda => self.gpu_executor()?,
            Target::Auto => match self.gpu_executor() {
                Ok(gpu) => gpu,
                Err(why) => {
                    note = Some(why.message);
                    &mut emulator
                }
            },
        };
        let mut executor = executor;
        let (mut job, mut early) = Job::new(request, &*executor, cancelled, sink)?;
        if request.on == Target::Auto
            && let Some(why) = too_new(&executor.device(), &job)
        {
            note = Some(why);
            executor = &mut other;
            (job, early) = Job::new(request, &*executor, cancelled, sink)?;
        }
        let device = executor.device();
        let on_gpu = device.kind == DeviceKind::Cuda;
        job.reply(Reply::Started { id: request.id, device, note, elements: job.elements });
        early.into_iter().for_each(|reply| job.reply(reply));
        let outcome = std::thread::scope(|scope| {
            // The emulator counts while the GPU runs the launch.
            let counting =
                (on_gpu && (request.counts || request.hazards)).then(|| scope.spawn(|| emulator::count(&job)));
            let outcome = if request.only_estimates() { Ok(()) } else { executor.run(&job) };
            if outcome.is_err() {
                cancelled.store(true, Ordering::Relaxed);
            }
            if let Some(counting) = counting {
                match counting.join() {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => job.note(sentence!("exec-not-counted", why = error.message)),
                    Err(_) => job.note(sentence!("exec-not-counted-failed")),
                }
            }
            outcome
        });
        self.lost = on_gpu && outcome.as_ref().is_err_and(is_fatal);
        outcome.map(|()| super::estimator::reply_to(&job))
    }
}

/// Returns why a GPU cannot run any kernel of a job, or `None` if it can run at least one.
fn too_new(device: &Device, job: &Job) -> Option<Sentence> {
    let capability @ [major, minor] = device.capability?;
    let first = job.programs.first()?;
    job.programs.iter().all(|program| !program.arch.runs_on(capability)).then(|| {
        sentence!(
            "exec-too-new",
            kernel = first.id,
            demand = first.arch.demand(),
            device = device.name,
            has = format!("{major}.{minor}")
        )
    })
}

/// True if this GPU error destroys the context.
fn is_fatal(error: &ExecError) -> bool {
    matches!(error.kind, ExecErrorKind::KernelFault | ExecErrorKind::TimedOut)
}

#[cfg(feature = "cuda")]
fn describe_nvrtc() -> (Result<String, Sentence>, Vec<Looked>) {
    use tutor_kernels::nvrtc::{Nvrtc, look};
    let places = look();
    let found = Nvrtc::get().map(|nvrtc| format!("{} ({})", nvrtc.version_text(), nvrtc.path().display()));
    (found.map_err(|error| (&error).into()), places)
}

#[cfg(not(feature = "cuda"))]
fn describe_nvrtc() -> (Result<String, Sentence>, Vec<Looked>) {
    (Err(sentence!("exec-built-without-nvrtc")), Vec::new())
}
