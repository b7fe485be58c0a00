//! What a GPU has.

use std::borrow::Cow;

/// What a GPU has, as far as a launch can see it: which launches it refuses, what `%nsmid` and `%smid` say, and how many
/// blocks run at once where blocks wait for each other.
///
/// Sizes are those of the table of technical specifications by compute capability in the CUDA C++ Programming Guide.
/// Results and counts do not depend on it: instructions compute, and accesses cost, what they do on compute capability 9.0
/// (see [`cost`](crate::cost)).
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
    /// What messages call it.
    pub name: Cow<'static, str>,
    /// Streaming multiprocessors; consecutive blocks run on consecutive ones.
    pub multiprocessors: u32,
    /// Warps that a multiprocessor holds at once.
    pub warp_slots: u32,
    /// Blocks that it holds at once.
    pub block_slots: u32,
    /// 32-bit registers that it has.
    pub registers: u32,
    /// Bytes of shared memory that it has.
    pub shared_bytes: u64,
    /// Most bytes of shared memory of one block.
    pub shared_bytes_per_block: u64,
    /// Bytes of it that the system takes for each block, beside what the block asks for.
    pub shared_bytes_reserved: u64,
    /// Most blocks of a cluster; 1 if there are no clusters.
    pub cluster_blocks: u32,
}

impl Device {
    /// NVIDIA H200: compute capability 9.0, on which everything here was measured.
    pub const H200: Self = Self {
        name: Cow::Borrowed("an NVIDIA H200"),
        multiprocessors: 132,
        warp_slots: 64,
        block_slots: 32,
        registers: 1 << 16,
        shared_bytes: 228 << 10,
        shared_bytes_per_block: 227 << 10,
        shared_bytes_reserved: 1 << 10,
        cluster_blocks: 16,
    };

    /// NVIDIA A100: compute capability 8.0. Multiprocessors by NVIDIA's white paper *NVIDIA A100 Tensor Core GPU Architecture* (2020), warps, blocks
    /// and shared memory by the *NVIDIA Ampere GPU Architecture Tuning Guide* (Occupancy; Unified Shared Memory/L1/Texture Cache). Not measured here.
    pub const A100: Self = Self {
        name: Cow::Borrowed("an NVIDIA A100"),
        multiprocessors: 108,
        shared_bytes: 164 << 10,
        shared_bytes_per_block: 163 << 10,
        cluster_blocks: 1,
        ..Self::H200
    };

    /// NVIDIA GeForce RTX 4090: compute capability 8.9. Multiprocessors by NVIDIA's white paper *NVIDIA Ada GPU Architecture* (2022), the rest by the
    /// *NVIDIA Ada GPU Architecture Tuning Guide*, as above. Not measured here.
    pub const RTX_4090: Self = Self {
        name: Cow::Borrowed("an NVIDIA GeForce RTX 4090"),
        multiprocessors: 128,
        warp_slots: 48,
        block_slots: 24,
        shared_bytes: 100 << 10,
        shared_bytes_per_block: 99 << 10,
        ..Self::A100
    };

    /// Blocks that a multiprocessor holds at once, of so many threads with so many registers each (if that is
    /// known) and so many bytes of shared memory; 0 if it has too little of something.
    ///
    /// A warp gets registers by 256 at a time.
    pub fn blocks_at_once(&self, threads: u32, registers: Option<u32>, shared_bytes: u64) -> u32 {
        let warps = threads.div_ceil(32).max(1);
        let warp = registers.map(|each| each.clamp(1, 1 << 16).saturating_mul(32).next_multiple_of(256));
        let by_registers = warp.map_or(u32::MAX, |warp| self.registers / warp / warps);
        let shared = shared_bytes.saturating_add(self.shared_bytes_reserved).max(1);
        let by_shared = u32::try_from(self.shared_bytes / shared).unwrap_or(u32::MAX);
        self.block_slots.min(self.warp_slots / warps).min(by_registers).min(by_shared)
    }
}

impl Default for Device {
    /// [`Self::H200`].
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
