//! Runs in the child: reads requests from stdin, handles them in order, and replies on stdout.

use super::messages::{MAX_REQUEST_BYTES, requests};
#[cfg(unix)]
use super::printing::Printing;
use super::process::poll;
use crate::answering::{Answering, end};
use crate::assembler;
use crate::protocol::{CompileRequest, Description, ExecError, ExecErrorKind, Reply, Request, Sandbox};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;
use tutor_support::sentence;

/// Maximum time for the libraries to end.
const PARTING: Duration = Duration::from_secs(5);

/// The destination of replies, shared by all threads that reply.
#[derive(Clone)]
struct Replies(Arc<Mutex<File>>);

impl Replies {
    fn send(&self, reply: &Reply) {
        let Ok(mut line) = serde_json::to_vec(reply) else { return };
        line.push(b'\n');
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if file.write_all(&line).is_err() {
            // The parent has ended.
            quit();
        }
    }
}

/// Cancellation flags, by request id.
type Cancels = Arc<Mutex<HashMap<u64, Arc<AtomicBool>>>>;

/// A request for the kernel thread, with its cancellation flag.
type Work = (Request, Arc<AtomicBool>);

/// Serves requests until stdin ends. Stdin also ends when the parent dies, and then running work is aborted.
///
/// # Safety
/// The process must have only one thread, because this function changes the environment.
pub unsafe fn serve() -> io::Result<()> {
    // SAFETY: The caller guarantees that there is only one thread.
    unsafe { types_as_stated() };
    // The number of cores comes from system files that cannot be read inside the sandbox.
    let cores = tutor_support::thread_pool::cores();
    let sandbox = super::sandbox::enter();
    // Threads started before the sandbox would be outside it.
    tutor_support::thread_pool::start(cores);
    let (printing, replies) = Printing::take_over()?;
    let replies = Replies(Arc::new(Mutex::new(replies)));
    let cancels = Cancels::default();
    let (work, queue) = mpsc::channel();
    let (worker_replies, worker_cancels) = (replies.clone(), Arc::clone(&cancels));
    // The parent would show a panic message on stderr. The reply describes the failure better.
    std::panic::set_hook(Box::new(|_| {}));
    let kernels = std::thread::Builder::new()
        .name("kernels".to_owned())
        .spawn(move || run_queue(&queue, &worker_replies, &worker_cancels, sandbox, &printing))?;
    requests(io::stdin().lock(), MAX_REQUEST_BYTES, |request| {
        let sent = match request {
            Ok(Request::Compile(request)) => {
                compile(request, replies.clone(), Arc::clone(&cancels))?;
                Ok(())
            }
            Ok(Request::Cancel { id }) => {
                if let Some(cancelled) = lock(&cancels).get(&id) {
                    cancelled.store(true, Ordering::Relaxed);
                }
                Ok(())
            }
            Ok(request) => {
                let cancelled = Arc::new(AtomicBool::new(false));
                if matches!(request, Request::Launch(_) | Request::Judge(_)) {
                    lock(&cancels).insert(request.id(), Arc::clone(&cancelled));
                }
                work.send((request, cancelled))
            }
            Err(error) => {
                let message = sentence!("exec-worker-request", why = error.to_string());
                let error = ExecError::new(ExecErrorKind::Invalid, message).help(sentence!("exec-worker-request-help"));
                replies.send(&Reply::Failed { id: 0, error });
                Ok(())
            }
        };
        Ok(sent.is_ok())
    })?;
    if !lock(&cancels).is_empty() {
        quit();
    }
    // The worker is idle, so the libraries end in order, as tools that watch the process expect. If one hangs, the wait
    // has a limit.
    drop(work);
    if poll(PARTING, || kernels.is_finished().then_some(())).is_none() {
        quit();
    }
    Ok(())
}

fn lock(cancels: &Cancels) -> std::sync::MutexGuard<'_, HashMap<u64, Arc<AtomicBool>>> {
    cancels.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run_queue(
    queue: &mpsc::Receiver<Work>,
    replies: &Replies,
    cancels: &Cancels,
    sandbox: Sandbox,
    printing: &Printing,
) {
    let mut answering = Answering::default();
    for (request, cancelled) in queue {
        let send = |reply: Reply| {
            replies.send(&match reply {
                Reply::Description(known) => Reply::Description(Description { sandbox: Some(sandbox), ..known }),
                other => other,
            });
        };
        let run = AssertUnwindSafe(|| answering.run(&request, &cancelled, &send));
        // cudarc panics if a library lacks a function.
        let outcome = std::panic::catch_unwind(run).unwrap_or_else(|panic| {
            let what = panic.downcast_ref::<String>().map(String::as_str);
            let what = what.or(panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
            Err(ExecError::new(ExecErrorKind::Worker, sentence!("exec-worker-panicked", what)))
        });
        lock(cancels).remove(&request.id());
        let (text, cut) = printing.take();
        if !text.is_empty() {
            replies.send(&Reply::Printed { id: request.id(), program: None, text, cut });
        }
        let failed = outcome.is_err();
        end(&request, outcome, &cancelled, &send);
        if failed && answering.lost() {
            quit();
        }
    }
}

/// Compiles on a separate thread, so that an edit can be checked while a kernel runs.
fn compile(request: CompileRequest, replies: Replies, cancels: Cancels) -> io::Result<()> {
    let id = request.id;
    // The compiler cannot be cancelled. But the code that ends this process must know that it is running.
    lock(&cancels).insert(id, Arc::default());
    std::thread::Builder::new().name("nvrtc".to_owned()).stack_size(assembler::ASSEMBLER_STACK).spawn(move || {
        // After this reply, a silence comes from the compiler, and the command is known to be a worker.
        replies.send(&Reply::Progress { id, doing: sentence!("exec-doing-compile"), fraction: 0.0 });
        let reply = compiled(&request).unwrap_or_else(|error| Reply::Failed { id, error });
        lock(&cancels).remove(&id);
        replies.send(&reply);
    })?;
    Ok(())
}

#[cfg(feature = "cuda")]
fn compiled(request: &CompileRequest) -> Result<Reply, ExecError> {
    use tutor_kernels::Arch;
    use tutor_kernels::nvrtc::{self, Compiled, Nvrtc, NvrtcError, Options, install_help};
    let arch = match &request.arch {
        None => Options::PLAIN.arch,
        Some(text) => Arch::parse(text).ok_or_else(|| {
            let message = sentence!("exec-arch", arch = text.escape_debug().to_string());
            ExecError::new(ExecErrorKind::Invalid, message).help(sentence!("exec-arch-help"))
        })?,
    };
    let options = Options {
        arch,
        constants: &request.constants,
        lines: !request.without_lines,
        unoptimised: request.unoptimised,
        headers: &request.headers,
        instances: &request.instances,
        extra: &request.extra,
    };
    // Loaded before the sandbox closes the directories.
    let _ = nvrtc::JitLink::get();
    let outcome = Nvrtc::get().and_then(|nvrtc| {
        // NVRTC loads its remaining libraries with the first program.
        static READY: std::sync::OnceLock<Result<String, NvrtcError>> = std::sync::OnceLock::new();
        READY.get_or_init(|| nvrtc.release()).as_ref().map_err(Clone::clone)?;
        super::sandbox::enter_compiler(nvrtc.headers());
        let mut compiled = nvrtc.compile(&request.source, &request.file, &options)?;
        if request.also_unoptimised {
            let options = Options { unoptimised: true, ..options };
            compiled.unoptimised = nvrtc.compile(&request.source, &request.file, &options).ok().map(|plain| plain.ptx);
        }
        let by_compiler = |arch| {
            // With line numbers, NVRTC 12.0 overflows its stack at many inlined functions for sm_90. Only refusals need them.
            let by = |lines| {
                nvrtc.assemble(&request.source, &request.file, &Options { arch, lines, ..options }).ok().flatten()
            };
            let report = by(false).and_then(|report| if report.is_err() { by(options.lines) } else { Some(report) })?;
            Some(report.map(Arc::new))
        };
        let assembled =
            if request.unassembled { None } else { assembler::report(&compiled.ptx, &request.file, by_compiler) };
        Ok((compiled, assembled))
    });
    let reply = |(mut compiled, assembled): (Compiled, Option<assembler::Report>)| {
        let assembled = assembled.transpose().map_err(|refusal| assembler::refused(&refusal))?;
        compiled.registers = assembled.map(|assembled| assembled.registers()).unwrap_or_default();
        Ok(Reply::Compiled { id: request.id, compiled })
    };
    outcome.map(reply).unwrap_or_else(|error| {
        Err(match error {
            NvrtcError::NotFound | NvrtcError::Unavailable(_) => {
                ExecError::new(ExecErrorKind::NoDevice, &error).help(install_help())
            }
            NvrtcError::Refused(ref log) => {
                let help = nvrtc::help(log, Nvrtc::get().ok());
                ExecError { help, ..ExecError::new(ExecErrorKind::Compile, &error) }
            }
            NvrtcError::Failed(_) => ExecError::new(ExecErrorKind::Compile, &error),
        })
    })
}

#[cfg(not(feature = "cuda"))]
fn compiled(_: &CompileRequest) -> Result<Reply, ExecError> {
    Err(crate::answering::without_nvrtc())
}

/// Makes cuBLAS compute in the stated types. Otherwise these variables could silently replace FP32 by TF32 or by
/// emulation, TF32 by FP32, or FP64 by emulation.
///
/// # Safety
/// The process must have only one thread.
unsafe fn types_as_stated() {
    // SAFETY: The caller guarantees that there is only one thread.
    unsafe {
        std::env::remove_var("NVIDIA_TF32_OVERRIDE");
        std::env::set_var("CUBLAS_EMULATE_SINGLE_PRECISION", "0");
        std::env::set_var("CUBLAS_EMULATE_DOUBLE_PRECISION", "0");
    }
}

/// On Windows, other output on stdout is lost.
#[cfg(windows)]
struct Printing;

#[cfg(windows)]
impl Printing {
    fn take_over() -> io::Result<(Self, File)> {
        use std::os::windows::io::AsHandle as _;
        Ok((Self, File::from(io::stdout().as_handle().try_clone_to_owned()?)))
    }

    fn take(&self) -> (String, u64) {
        (String::new(), 0)
    }
}

/// Ends the process at once, even if a kernel is running. CUDA's exit handlers would wait for the kernel, perhaps
/// forever.
fn quit() -> ! {
    #[cfg(unix)]
    // SAFETY: There is nothing to flush or restore: replies are written unbuffered, and there is no terminal.
    unsafe {
        libc::_exit(0)
    }
    #[cfg(not(unix))]
    #[expect(clippy::disallowed_methods, reason = "the worker has no terminal to restore")]
    std::process::exit(0)
}
