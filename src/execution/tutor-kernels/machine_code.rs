/*! Machine code that NVIDIA's assembler makes from the kernels, as recorded by `scripts/ci/machine-code`.

For each kernel and architecture, the recording has the registers, the spills, the declared shared memory, and the
number of instructions of each kind in the main loop. No GPU is needed. The script describes how it finds the loop.

If the PTX of a kernel has changed since the recording, the tutor shows no machine code for it. A claim about it then
fails until the script has run again.
*/

use super::kernel::Kernel;
use super::origin::code;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineCode {
    /// Name, version and options of the assembler, e.g. `ptxas 12.9.86 -O3`.
    pub assembler: String,
    /// Name and version of the disassembler.
    pub disassembler: String,
    /// Day of the recording, `YYYY-MM-DD`.
    pub date: String,
    /// Machine code by kernel id.
    pub kernels: BTreeMap<String, Assembled>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Assembled {
    /// [`digest`] of the PTX that was assembled, without the line that states its recipe.
    pub ptx: String,
    /// Figures by name for each architecture, e.g. `sm_90a`. A figure that is missing is 0.
    #[serde(flatten)]
    pub by_arch: BTreeMap<String, BTreeMap<String, u64>>,
}

impl MachineCode {
    /// Returns the recording in the binary.
    pub fn built_in() -> &'static Self {
        // A test proves that the file can be read. If it could not, there would be nothing to show.
        static RECORDED: LazyLock<MachineCode> = LazyLock::new(|| {
            serde_json::from_str(include_str!("../../../assets/recorded/machine-code.json")).unwrap_or_default()
        });
        &RECORDED
    }

    /// Returns a kernel's recorded machine code, or `None` if its PTX has changed since.
    pub fn of(&self, kernel: &Kernel) -> Option<&Assembled> {
        self.kernels.get(&kernel.id).filter(|assembled| assembled.is_of(kernel))
    }

    /// Returns the names of all figures in ascending order.
    pub fn names(&self) -> BTreeSet<&str> {
        let all = self.kernels.values().flat_map(|assembled| assembled.by_arch.values());
        all.flat_map(BTreeMap::keys).map(String::as_str).collect()
    }

    /// Returns all architectures in ascending order.
    pub fn architectures(&self) -> BTreeSet<&str> {
        self.kernels.values().flat_map(|assembled| assembled.by_arch.keys()).map(String::as_str).collect()
    }
}

/// The resources of an SM that one block occupies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockNeeds {
    pub threads: u32,
    /// Registers per thread.
    pub registers: u32,
    /// Shared memory in bytes, static and dynamic together.
    pub shared: u32,
}

impl MachineCode {
    /// Returns the resources of a block on compute capability 9.0, or `None` if the current PTX is not recorded.
    pub fn block_needs(&self, kernel: &Kernel) -> Option<BlockNeeds> {
        let figures = self.of(kernel)?.by_arch.get("sm_90a")?;
        let figure = |name: &str| figures.get(name).and_then(|figure| u32::try_from(*figure).ok());
        let shared = figure("shared_bytes")? + kernel.shared_bytes;
        Some(BlockNeeds { threads: kernel.block.iter().product(), registers: figure("registers")?, shared })
    }
}

impl Assembled {
    /// True if it was made from the kernel's current PTX.
    pub fn is_of(&self, kernel: &Kernel) -> bool {
        kernel.ptx_digest().is_some_and(|digest| digest == self.ptx)
    }
}

impl Kernel {
    /// Returns the [`digest`] of the PTX without the line that states its recipe.
    pub fn ptx_digest(&self) -> Option<String> {
        self.ptx.as_ref().map(|ptx| digest(code(ptx)))
    }
}

/// Computes the 64-bit FNV-1a hash, in hexadecimal.
pub fn digest(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Catalog;

    #[test]
    fn each_kernel_is_recorded_as_its_ptx_is() {
        let recorded = MachineCode::built_in();
        for kernel in Catalog::built_in().kernels() {
            assert!(recorded.of(kernel).is_some(), "`{}`: run scripts/ci/machine-code", kernel.id);
        }
        assert_eq!(recorded.kernels.len(), Catalog::built_in().kernels().len());
    }

    #[test]
    fn the_kinds_of_instructions_add_up_to_the_loop() {
        let outside = ["registers", "spilled_bytes", "shared_bytes", "instructions"];
        for (id, assembled) in &MachineCode::built_in().kernels {
            for (arch, counts) in &assembled.by_arch {
                let kinds = counts.iter().filter(|(name, _)| !outside.contains(&name.as_str()));
                assert_eq!(kinds.map(|(_, count)| count).sum::<u64>(), counts["instructions"], "{id} {arch}");
                let products = ["ffma", "hmma", "hgmma", "qgmma", "idp", "imma", "igmma", "dfma", "dmma"];
                let products = products.iter().filter_map(|name| counts.get(*name)).sum::<u64>();
                assert!(products > 0, "{id} {arch}");
            }
        }
    }

    #[test]
    fn a_block_takes_what_its_machine_code_and_its_launch_say() {
        let needs = |id: &str| MachineCode::built_in().block_needs(Catalog::built_in().kernel(id).unwrap());
        let told = |threads, registers, shared| Some(BlockNeeds { threads, registers, shared });
        assert_eq!(needs("sgemm_double_buffered"), told(256, 128, 16_640));
        assert_eq!(needs("sgemm_tuned"), told(256, 232, 37_248));
        assert_eq!(needs("bf16_warp_specialized"), told(384, 168, 197_632));
        assert!(Catalog::built_in().kernels().iter().all(|kernel| needs(&kernel.id).is_some()));
    }

    #[test]
    fn what_needs_one_architecture_is_assembled_for_that_alone() {
        let arches = |id: &str| MachineCode::built_in().kernels[id].by_arch.keys().cloned().collect::<Vec<_>>();
        assert_eq!(arches("sgemm_tiled"), ["sm_80", "sm_90a"]);
        assert_eq!(arches("bf16_wgmma"), ["sm_90a"]);
    }
}
