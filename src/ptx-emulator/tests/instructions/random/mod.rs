/*! Random programs whose results must equal a GPU's, bit by bit.

A seed determines a kernel of two blocks (`writer`). It contains integer and floating-point instructions of all
widths (`instructions`), divergent branches and loops, branch tables and calls. It accesses local, constant, shared
and global memory, and uses barriers, votes, shuffles, and atomics whose order has no effect. The result does not
depend on the order of threads. So the GPU has one result, and the hazard detector finds nothing.

```text
cargo run --example packages -- programs FOLDER
scripts/gpu-programs FOLDER OUT
```

An NVIDIA H200 ran 2542 of the 2560 programs with seeds below 2560, and 2534 of them gave the emulator's bits
(driver 580.159.04, 22 November 2026). Two programs faulted on the GPU (31, 463), which kept the other programs of
their PTX files from running.

Eight programs differed (178, 808, 1814, 2008, 2281, 2392, 2447, 2521). All eight contain a `red.shared.xor`. All
eight give the emulator's bits if the driver's assembler does not optimise (`CU_JIT_OPTIMIZATION_LEVEL` 0), six of
them also at level 1. From level 2 on they give other bits, the same in each of twelve launches. So the optimised code
is what differs. `instructions` describes earlier differences: each time, the assembler had combined several
instructions inexactly. The fixture contains the programs below 400 that agree.
*/

mod instructions;
#[cfg(test)]
mod tests;
pub(crate) mod writer;

use crate::conformance::HEADER;
use crate::support::Random;
use ptx_emulator::{Arg, Control, Fault, Launch, Memory, Module, Options, Run, run};

/// Blocks per launch.
pub(crate) const BLOCKS: u32 = 2;
/// Bytes of the results: the cells of each block, and an area for each of up to 128 threads.
pub(crate) const RESULT: usize = 64 * BLOCKS as usize + 128 * 128 * BLOCKS as usize;

/// Edge values for the inputs.
const EDGES: [u64; 16] = [
    0,
    1,
    u64::MAX,
    i64::MAX as u64,
    1 << 63,
    u32::MAX as u64,
    i32::MAX as u64,
    1 << 31,
    0x7ff8_0000_0000_0001,
    0xfff0_0000_0000_0000,
    0x0000_0001_7f80_0000,
    0xff80_0001_ff80_0000,
    0x0010_0000_3f80_0000,
    0x3ff0_0000_0000_0000,
    0x4330_0000_4f00_0000,
    0x8000_0000_0000_0001,
];

/// Returns a 32-bit and a 64-bit number per thread, in 16 bytes.
pub(crate) fn inputs() -> Vec<u8> {
    let mut random = Random(0x00c0_ffee);
    let mut number = |thread: u64| match thread % 5 {
        0 => EDGES[(random.bits() >> 40) as usize % EDGES.len()],
        1 => random.bits() % 100,
        2 => u64::from(random.f32().to_bits()) << 32 | u64::from(random.f32().to_bits()),
        3 => f64::from(1000.0 * random.f32()).to_bits(),
        _ => random.bits() ^ random.bits() >> 32,
    };
    let threads = 0..128 * u64::from(BLOCKS);
    threads.flat_map(|thread| [number(thread), number(thread / 5 + thread)]).flat_map(u64::to_le_bytes).collect()
}

pub(crate) fn text(seeds: std::ops::Range<u64>) -> String {
    seeds.fold(format!("{HEADER}{}", writer::TABLES), |text, seed| text + &writer::program(seed))
}

/// Returns what a program leaves in memory, and the run.
pub(crate) fn answer(seed: u64, module: &Module, options: &Options) -> Result<(Vec<u8>, Run), Fault> {
    let mut memory = Memory::new();
    let input = memory.add("in", &inputs());
    let output = memory.add("out", &[0; RESULT]);
    let launch = Launch {
        grid: [BLOCKS, 1, 1],
        block: [writer::threads(seed), 1, 1],
        args: vec![Arg::Buffer(input), Arg::Buffer(output)],
        ..Launch::default()
    };
    let kernel = module.kernel(&format!("p{seed}"))?;
    let run = run(&kernel, &launch, &mut memory, options, &Control::default())?;
    Ok((memory.read(output).to_vec(), run))
}

/// FNV-1a over 64-bit words.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    bytes.chunks_exact(8).fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        let word = word.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        (hash ^ word).wrapping_mul(0x0100_0000_01b3)
    })
}
