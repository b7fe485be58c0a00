/*! Asks NVIDIA's assembler about code that a student hands in, if a library with the assembler is installed.

A GPU loads only what the assembler accepts, and launches a block only if its registers are free. The emulator has tables
of what the assembler refuses, but no table can say how many registers it takes. The kernels of the catalogue are not
asked about: `machine-code.json` has their figures.
*/

use crate::protocol::{ExecError, ExecErrorKind};
use crate::resolve::Resolved;
use ptx_emulator::{Device, Module};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tutor_kernels::Arch;
use tutor_kernels::nvrtc::{Assembled, Refusal};
use tutor_support::sentence;
use tutor_support::words::Sentence;

pub(super) type Report = Result<Arc<Assembled>, Refusal>;

/// The latest reports, by the PTX. Most texts are compiled, judged, estimated and launched one after the other.
static LATEST: Mutex<VecDeque<(String, Report)>> = Mutex::new(VecDeque::new());
const MAX_LATEST: usize = 16;
/// Bytes of stack for the assembler, which recurses along a text.
#[cfg(not(target_family = "wasm"))]
pub(super) const ASSEMBLER_STACK: usize = 64 << 20;

/// Returns what the assembler reports of a program's kernel. Returns `None` for a kernel of the catalogue, and if no
/// assembler knows the text.
///
/// # Errors
/// If the assembler refuses the text.
pub(super) fn assembled(program: &Resolved) -> Result<Option<Arc<Assembled>>, ExecError> {
    if program.committed {
        return Ok(None);
    }
    report(&program.ptx, &format!("{}.ptx", program.id), |_| None).transpose().map_err(|refusal| refused(&refusal))
}

/// Says what knew the limits of a GPU: the assembler, with what the kernel takes, or the emulator's tables.
pub(super) fn limits(program: &Resolved) -> Sentence {
    let told = match assembled(program) {
        Ok(assembled) => assembled.and_then(|assembled| assembled.sentence(&program.entry)),
        Err(refused) => Some(refused.message),
    };
    told.unwrap_or_else(|| sentence!("exec-limits-table", device = Device::H200.name.trim_start_matches("an ")))
}

pub(super) fn refused(refusal: &Refusal) -> ExecError {
    ExecError { help: refusal.help(), ..ExecError::new(ExecErrorKind::Compile, refusal) }
}

/// Returns the report on a text. `by_compiler` may know more of a text that it compiled: nvJitLink takes other registers
/// ([`Assembled::is_whole`]).
pub(super) fn report(ptx: &str, file: &str, by_compiler: impl FnOnce(Arch) -> Option<Report>) -> Option<Report> {
    let latest = || LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = latest().iter().find(|(text, _)| text == ptx) {
        return Some(known.clone());
    }
    let arch = arch(ptx);
    // nvJitLink 12.0 crashes at a text that is not PTX. The emulator reports what is wrong with such a text.
    let is_ptx = || Module::parse(ptx).is_ok_and(|module| module.kernels().all(|name| module.kernel(name).is_ok()));
    let by_linker = || is_ptx().then(|| linked(ptx, file, arch))?;
    let report = match by_compiler(arch) {
        // The linker is newer than the compiler may be, and knows more instructions.
        Some(Err(refusal)) => by_linker().filter(Report::is_ok).unwrap_or(Err(refusal)),
        known => known.or_else(by_linker)?,
    };
    let mut latest = latest();
    latest.truncate(MAX_LATEST - 1);
    latest.push_front((ptx.to_owned(), report.clone()));
    Some(report)
}

/// Returns the architecture for which a text is assembled: that of an H200, or a newer one if the text is for one.
fn arch(ptx: &str) -> Arch {
    let target = ptx.lines().find_map(|line| line.trim_start().strip_prefix(".target"));
    let target = target.and_then(|rest| Arch::parse(rest.split(',').next()?.trim()));
    let hopper = Arch { capability: [9, 0], specific: false };
    target.filter(|target| target.specific || target.capability > hopper.capability).unwrap_or(hopper)
}

/// Replaces each character that is not ASCII, which PTX has only in comments. NVIDIA's assembler refuses them there, too
/// (PTX ISA, Source Format), and a comment shall not decide whether a kernel is right.
#[cfg(feature = "cuda")]
pub(super) fn ascii(ptx: &str) -> String {
    ptx.replace(|letter: char| !letter.is_ascii(), "?")
}

#[cfg(all(feature = "cuda", not(target_family = "wasm")))]
fn linked(ptx: &str, file: &str, arch: Arch) -> Option<Report> {
    let linker = tutor_kernels::nvrtc::JitLink::get()?;
    // The assembler reads a stranger's text, so its thread gets the compiler's sandbox.
    let assemble = || {
        crate::worker::enter_compiler(&[]);
        linker.assemble(&ascii(ptx), file, arch)
    };
    let report = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(ASSEMBLER_STACK).spawn_scoped(scope, assemble);
        thread.ok()?.join().ok()?
    })?;
    Some(report.map(Arc::new))
}

#[cfg(not(all(feature = "cuda", not(target_family = "wasm"))))]
fn linked(_: &str, _: &str, _: Arch) -> Option<Report> {
    None
}

/// Returns the registers per thread that the assembler reports of a program's kernel, if it knows them.
pub(super) fn registers(program: &Resolved) -> Option<u32> {
    assembled(program).ok()??.registers().get(&program.entry).copied()
}
