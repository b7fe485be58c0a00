//! Runs kernels and prints a digest of their results and counts. It is the same on every machine, including
//! WebAssembly.
#![allow(clippy::print_stdout, reason = "it is an example")]

#[path = "common/mod.rs"]
mod common;

use ptx_emulator::{Arg, Control, Fault, Launch, Measure, Memory, Module, Options, run};

/// Computes `y = a·x + y` by fused multiply-adds, and then `y = a·y + y`. The bits show whether they were fused.
const TEXT: &str = "
    .version 8.0
    .target sm_75
    .address_size 64
    .visible .entry axpy(.param .u64 x, .param .u64 y, .param .f32 a) {
        .reg .b64 %rd<5>; .reg .b32 %r<5>; .reg .f32 %f<5>;
        ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.f32 %f1, [a];
        mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
        mul.wide.u32 %rd3, %r4, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
        ld.global.f32 %f2, [%rd1]; ld.global.f32 %f3, [%rd2];
        fma.rn.f32 %f4, %f1, %f2, %f3;
        fma.rn.f32 %f4, %f1, %f4, %f4;
        st.global.f32 [%rd2], %f4;
        ret;
    }";

/// Returns the report of both kernels.
///
/// # Errors
/// Fails if a kernel does not run to its end.
pub(crate) fn report() -> Result<String, Fault> {
    let options = Options { measure: Measure::All, ..Options::default() };
    let mut text = String::new();
    let (kernel, launch, mut memory, out) = common::prepared(common::TEXT, "tiled", 64)?;
    let first = run(&kernel, &launch, &mut memory, &options, &Control::default())?;
    text += &format!("tiled: {:016x} {:?}\n", digest(memory.read(out)), first.counts.unwrap_or_default().totals);

    let kernel = Module::parse(TEXT)?.kernel("axpy")?;
    let mut memory = Memory::new();
    let numbers = |from: u32, middle: f32| {
        let number = |i: u32| match i % 32 {
            // 1.5·a is in the middle between two floats.
            5 | 6 => middle * (11.0 - 2.0 * (i % 32) as f32),
            // Subnormal.
            9 => f32::from_bits(7919 * i % (1 << 23)),
            _ => f32::from_bits(from + 7919 * i),
        };
        (0..4096).map(number).collect::<Vec<_>>()
    };
    let x = memory.add_f32("x", &numbers(0x3f00_0000, 1.5));
    let y = memory.add_f32("y", &numbers(0xbf00_0000, 2f32.powi(-80)));
    let args = vec![Arg::Buffer(x), Arg::Buffer(y), Arg::F32(1.000_000_1)];
    let launch = Launch { grid: [32, 1, 1], block: [128, 1, 1], args, ..Launch::default() };
    let second = run(&kernel, &launch, &mut memory, &options, &Control::default())?;
    text += &format!("axpy: {:016x} {:?}\n", digest(memory.read(y)), second.counts.unwrap_or_default().totals);
    Ok(text)
}

/// FNV-1a.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[allow(dead_code, reason = "the library for WebAssembly has no `main`")]
fn main() -> Result<(), Fault> {
    print!("{}", report()?);
    Ok(())
}
