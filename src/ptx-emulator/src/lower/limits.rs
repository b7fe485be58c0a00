/*! What NVIDIA's assembler refuses although the text is well formed: instructions that the target does not have, and
sizes beyond the memories of a block.

The version and device of a form are in [`table`](super::table). [`LATER`] has those of its newer types and shapes. Sizes
are those of ptxas 12.9, and of *Kernel Function Parameters* and `.shared` in the PTX ISA.

The driver of an NVIDIA H200 (580.159.04, 30 November 2026) refused texts for these reasons, with one exception: it loaded
up to 227 KiB of static shared memory. nvcc, NVRTC and nvJitLink refuse more than 48 KiB.
*/

use super::draft::Lowerer;
use super::table::Row;
use crate::LoadError;
use crate::ptx::{At, Function, Instruction, Tree};

/// Maximum bytes of static shared memory per block, and of constant memory per kernel.
pub(super) const STATIC_SHARED: u64 = 48 << 10;
pub(super) const CONSTANTS: u64 = 64 << 10;

/// Names, and words: a form with one of the words is newer than its row. Then ten times its first PTX version, and its first
/// device.
const LATER: &[(&str, &[&str], u8, u8)] = &[
    ("atom|red", &["f64"], 50, 60),
    ("mma", &["bf16", "m16n8k16", "m16n8k32", "m16n8k64", "m16n8k128", "m16n8k256"], 70, 80),
    ("wmma", &["bf16"], 70, 80),
    ("wmma", &["s8", "u8"], 63, 72),
    ("cvt", &["bf16", "bf16x2", "relu"], 70, 80),
];

/// Returns the maximum bytes of a kernel's parameters.
pub(super) fn parameters(tree: &Tree<'_>) -> u64 {
    if tree.version >= (8, 1) && tree.target.sm >= 70 { 32_764 } else { 4_352 }
}

/// True for instructions that only an architecture with its own features has, such as `sm_90a`.
fn is_specific(name: &str, m: &[&str]) -> bool {
    matches!(name, "wgmma" | "setmaxnreg") || (name == "tensormap" && m.first() == Some(&"replace"))
}

/// Refuses an instruction that the text's version or target does not have.
pub(super) fn exists(tree: &Tree<'_>, row: &Row, m: &[&str], i: &Instruction<'_>) -> Result<(), LoadError> {
    let name = i.opcode.split('.').next().unwrap_or_default();
    let applies = |(names, words, ..): &&(&str, &[&str], u8, u8)| {
        names.split('|').any(|known| known == name)
            && m.iter().any(|m| words.iter().any(|word| m.split('.').any(|m| m == *word)))
    };
    let later = LATER.iter().filter(applies).map(|(.., ptx, sm)| (*ptx, *sm));
    let (ptx, sm) = later.fold(row.first(), |(ptx, sm), (later, device)| (ptx.max(later), sm.max(device)));
    let (major, minor) = tree.version;
    if 10 * major + minor < u32::from(ptx) {
        let (needs, minor_needs) = (ptx / 10, ptx % 10);
        let what = format!("`{}` needs `.version {needs}.{minor_needs}` or higher; this is {major}.{minor}", i.opcode);
        return Err(i.at.parse(what));
    }
    let specific = is_specific(name, m);
    let other = specific && !tree.target.specific || name == "wgmma" && tree.target.sm != 90;
    if tree.target.sm < u32::from(sm) || other {
        let (suffix, or) = if specific { ("a", "") } else { ("", " or higher") };
        let what = format!("`{}` needs `.target sm_{sm}{suffix}`{or}; this is {}", i.opcode, tree.target);
        return Err(i.at.parse(what));
    }
    Ok(())
}

impl<'a> Lowerer<'a> {
    /// Refuses directives of the kernel that the target does not have.
    pub(super) fn directives_exist(&self, function: &Function<'a>) -> Result<(), LoadError> {
        if (function.cluster.is_some() || function.max_cluster.is_some()) && self.tree.target.sm < 90 {
            let what = format!("clusters need `.target sm_90` or higher; this is {}", self.tree.target);
            return Err(function.at.parse(what));
        }
        Ok(())
    }
}

/// The error of a kernel that takes more bytes of a memory than there are.
pub(super) fn too_many(at: At, bytes: u64, of: &str, most: u64) -> LoadError {
    at.parse(format!("the kernel has {bytes} bytes of {of}; at most {most} are possible"))
}
