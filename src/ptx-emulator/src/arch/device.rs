use std::borrow::Cow;

/// Properties of a GPU that affect a launch: which launches it refuses, the values of `%nsmid` and `%smid`, and the
/// number of resident blocks. The last matters when blocks wait for each other.
///
/// Sizes come from the table of technical specifications by compute capability in the CUDA C++ Programming Guide. The
/// device does not affect results and counts: these always follow compute capability 9.0 (see [`cost`](crate::cost)).
///
/// ```
/// use ptx_emulator::{Device, Options};
///
/// let mut half = Device::H200;
/// half.name = "half an H200".into();
/// half.multiprocessors /= 2;
/// let options = Options { device: half, ..Options::default() };
/// # assert_eq!(options.device.multiprocessors, 66);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Device {
    /// Name used in messages.
    pub name: Cow<'static, str>,
    /// Compute capability: major, minor.
    pub capability: [u32; 2],
    /// Streaming multiprocessors (SMs). Consecutive blocks run on consecutive SMs.
    pub multiprocessors: u32,
    /// Maximum number of resident warps per SM.
    pub warp_slots: u32,
    /// Maximum number of resident blocks per SM.
    pub block_slots: u32,
    /// 32-bit registers per SM.
    pub registers: u32,
    /// Bytes of shared memory per SM.
    pub shared_bytes: u64,
    /// Maximum number of bytes of shared memory per block.
    pub shared_bytes_per_block: u64,
    /// Bytes of shared memory that the system reserves per block, in addition to the block's own.
    pub shared_bytes_reserved: u64,
    /// Maximum number of blocks per cluster; 1 if the device has no clusters.
    pub cluster_blocks: u32,
}

impl Device {
    /// NVIDIA H200: compute capability 9.0. All measurements for this crate were made on it.
    pub const H200: Self = Self {
        name: Cow::Borrowed("an NVIDIA H200"),
        capability: [9, 0],
        multiprocessors: 132,
        warp_slots: 64,
        block_slots: 32,
        registers: 1 << 16,
        shared_bytes: 228 << 10,
        shared_bytes_per_block: 227 << 10,
        shared_bytes_reserved: 1 << 10,
        cluster_blocks: 16,
    };

    /// NVIDIA A100: compute capability 8.0. Not measured. The number of SMs comes from NVIDIA's white paper *NVIDIA
    /// A100 Tensor Core GPU Architecture* (2020). Warps, blocks and shared memory come from the *NVIDIA Ampere GPU
    /// Architecture Tuning Guide* (Occupancy; Unified Shared Memory/L1/Texture Cache).
    pub const A100: Self = Self {
        name: Cow::Borrowed("an NVIDIA A100"),
        capability: [8, 0],
        multiprocessors: 108,
        shared_bytes: 164 << 10,
        shared_bytes_per_block: 163 << 10,
        cluster_blocks: 1,
        ..Self::H200
    };

    /// NVIDIA GeForce RTX 4090: compute capability 8.9. Not measured. The number of SMs comes from NVIDIA's white
    /// paper *NVIDIA Ada GPU Architecture* (2022), the rest from the *NVIDIA Ada GPU Architecture Tuning Guide*.
    pub const RTX_4090: Self = Self {
        name: Cow::Borrowed("an NVIDIA GeForce RTX 4090"),
        capability: [8, 9],
        multiprocessors: 128,
        warp_slots: 48,
        block_slots: 24,
        shared_bytes: 100 << 10,
        shared_bytes_per_block: 99 << 10,
        ..Self::A100
    };

    /// NVIDIA H100 (SXM5): compute capability 9.0, with the same SMs as the H200.
    pub const H100: Self = Self { name: Cow::Borrowed("an NVIDIA H100"), ..Self::H200 };

    /// NVIDIA T4: compute capability 7.5. Not measured. Sizes come from the *NVIDIA Turing Tuning Guide*, and the number
    /// of SMs from NVIDIA's data sheet.
    pub const T4: Self = Self {
        name: Cow::Borrowed("an NVIDIA T4"),
        capability: [7, 5],
        multiprocessors: 40,
        warp_slots: 32,
        block_slots: 16,
        shared_bytes: 64 << 10,
        shared_bytes_per_block: 64 << 10,
        shared_bytes_reserved: 0,
        ..Self::A100
    };

    /// NVIDIA B200: compute capability 10.0. Not measured. Memories of a block are those of compute capability 9.0.
    pub const B200: Self =
        Self { name: Cow::Borrowed("an NVIDIA B200"), capability: [10, 0], multiprocessors: 148, ..Self::H200 };

    /// The GPUs that have a name for commands.
    pub const NAMED: [(&'static str, Self); 6] = [
        ("t4", Self::T4),
        ("a100", Self::A100),
        ("rtx-4090", Self::RTX_4090),
        ("h100", Self::H100),
        ("h200", Self::H200),
        ("b200", Self::B200),
    ];

    /// True if the GPU loads PTX for this target: an older one, or the same one if the PTX is specific to it.
    pub(crate) fn loads(&self, target: Target) -> bool {
        let [major, minor] = self.capability;
        let own = 10 * major + minor;
        if target.specific { target.sm == own } else { target.sm <= own }
    }

    /// Returns how many blocks fit on an SM at once, or 0 if a single block does not fit.
    ///
    /// `threads` and `shared_bytes` are per block, `registers` is per thread. Unknown registers do not limit the
    /// result. A warp's registers are allocated in units of 256.
    pub fn blocks_at_once(&self, threads: u32, registers: Option<u32>, shared_bytes: u64) -> u32 {
        let warps = threads.div_ceil(32).max(1);
        let warp = registers.map(|each| each.clamp(1, 1 << 16).saturating_mul(32).next_multiple_of(256));
        let by_registers = warp.map_or(u32::MAX, |warp| self.registers / warp / warps);
        let shared = shared_bytes.saturating_add(self.shared_bytes_reserved).max(1);
        let by_shared = u32::try_from(self.shared_bytes / shared).unwrap_or(u32::MAX);
        self.block_slots.min(self.warp_slots / warps).min(by_registers).min(by_shared)
    }
}

/// The `.target` of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Target {
    /// Ten times the compute capability.
    pub(crate) sm: u32,
    /// True for `sm_90a` and the like: the text runs on no other GPU, and may have instructions of only this one.
    pub(crate) specific: bool,
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "sm_{}{}", self.sm, if self.specific { "a" } else { "" })
    }
}

impl Default for Device {
    fn default() -> Self {
        Self::H200
    }
}

#[cfg(test)]
mod tests {
    use super::Device;

    #[test]
    fn blocks_at_once_are_those_of_the_scarcest_resource() {
        let h200 = Device::H200;
        assert_eq!(h200.blocks_at_once(256, None, 0), 8);
        assert_eq!(h200.blocks_at_once(1, None, 0), 32);
        assert_eq!(h200.blocks_at_once(1024, Some(64), 0), 1);
        assert_eq!(h200.blocks_at_once(256, Some(40), 0), 6);
        assert_eq!(h200.blocks_at_once(128, Some(32), 48 << 10), 4);
        assert_eq!(h200.blocks_at_once(128, Some(32), 227 << 10), 1);
        assert_eq!(h200.blocks_at_once(128, Some(32), 228 << 10), 0);
        assert_eq!(Device::RTX_4090.blocks_at_once(1024, None, 0), 1);
        assert_eq!(Device::RTX_4090.blocks_at_once(128, None, 99 << 10), 1);
    }
}
