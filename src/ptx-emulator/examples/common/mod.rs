//! A launch of a kernel from `transpose.ptx`.

use ptx_emulator::{Arg, BufferId, Fault, Kernel, Launch, Memory, Module};

pub(crate) const TEXT: &str = include_str!("../transpose.ptx");

/// Returns a kernel, its launch for an n × n matrix whose element i is i, its memory, and its result buffer.
///
/// # Errors
/// Fails if the PTX has no such kernel.
pub(crate) fn prepared(text: &str, name: &str, n: u32) -> Result<(Kernel, Launch, Memory, BufferId), Fault> {
    let kernel = Module::parse(text)?.kernel(name)?;
    let mut memory = Memory::new();
    let elements: Vec<f32> = (0..n * n).map(|i| i as f32).collect();
    let (from, to) = (memory.add_f32("in", &elements), memory.add_f32("out", &vec![0.0; elements.len()]));
    let args = vec![Arg::Buffer(from), Arg::Buffer(to), Arg::U32(n)];
    let launch = Launch { grid: [n / 16, n / 16, 1], block: [16, 16, 1], args, ..Launch::default() };
    Ok((kernel, launch, memory, to))
}
