/*! The emulator: PTX text → program → run → counts, hazards, results.

[`Module::parse`] reads a PTX text and lowers its kernels to a compact register form; what the emulator does not
run is refused there, with line and column, never half-way. [`run`] executes a [`Launch`] of a [`Kernel`] on the
buffers of a [`Memory`]. What is measured is chosen by [`Measure`], and what is not asked for costs nothing.

```
use ptx_emulator::{Arg, Control, Launch, Measure, Memory, Module, Options, run};

let module = Module::parse("
    .version 8.0
    .target sm_75
    .address_size 64
    .visible .entry double_it(.param .u64 x) {
        .reg .u64 %rd<3>; .reg .u32 %r<2>; .reg .f32 %f<2>;
        ld.param.u64 %rd1, [x];
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd2, %r1, 4;
        add.u64 %rd1, %rd1, %rd2;
        ld.global.f32 %f1, [%rd1];
        add.f32 %f1, %f1, %f1;
        st.global.f32 [%rd1], %f1;
        ret;
    }")?;
let kernel = module.kernel("double_it")?;

let mut memory = Memory::new();
let x = memory.add_f32("x", &[1.5; 64]);
let launch = Launch { grid: [1, 1, 1], block: [64, 1, 1], args: vec![Arg::Buffer(x)], ..Launch::default() };
let options = Options { measure: Measure::All, ..Options::default() };
let run = run(&kernel, &launch, &mut memory, &options, &Control::default())?;

assert_eq!(memory.read_f32(x), [3.0; 64]);
let counts = run.counts.unwrap();
// Two warps, a load and a store each, 128 bytes side by side: four 32-byte sectors every time.
assert_eq!((counts.totals.requests, counts.totals.sectors), (4, 16));
assert!(run.hazards.is_empty());
# Ok::<(), ptx_emulator::Fault>(())
```

Offsets, strides and addresses are in bytes; a [`Memory`] outlives the run, so launches follow each other on the same
buffers. [`Counts::lines`] has the counts of each PTX instruction with its source line, [`trace()`] records one block step
by step, and [`observe()`] lets a type of yours count what else there is to count.

# Hazards

A [`Hazard`] names two places whose accesses to the same bytes nothing orders, with a thread of each. [`witness()`] then
lets the two come in both orders (of warps, lanes, blocks, or of a copy and what it copies) and returns what a thread reads
in each, or which value stays.

```
use ptx_emulator::{Arg, Control, Fault, HazardKind, Launch, Measure, Memory, Module, Options, run, witness};

/// Thread t of 64 stores t in shared memory and reads what thread 63 - t stored.
fn reverse(barrier: &str) -> String {
    format!("
        .version 8.0
        .target sm_75
        .address_size 64
        .visible .entry reverse(.param .u64 out) {{
            .reg .u64 %rd<3>; .reg .u32 %r<6>;
            .shared .align 4 .b8 tile[256];
            mov.u32 %r1, %tid.x;
            shl.b32 %r2, %r1, 2;
            mov.u32 %r3, tile;
            add.u32 %r4, %r3, %r2;
            st.shared.u32 [%r4], %r1;
            {barrier}
            xor.b32 %r4, %r2, 252;
            add.u32 %r4, %r3, %r4;
            ld.shared.u32 %r5, [%r4];
            ld.param.u64 %rd1, [out];
            cvt.u64.u32 %rd2, %r2;
            add.u64 %rd1, %rd1, %rd2;
            st.global.u32 [%rd1], %r5;
            ret;
        }}")
}

let options = Options { measure: Measure::All, ..Options::default() };
for (barrier, expected) in [("bar.sync 0;", None), ("", Some(HazardKind::Raw))] {
    let kernel = Module::parse(&reverse(barrier))?.kernel("reverse")?;
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 256]);
    let launch = Launch { grid: [1, 1, 1], block: [64, 1, 1], args: vec![Arg::Buffer(out)], ..Launch::default() };
    // All that is done for it may take a million warp instructions.
    let control = Control::default().steps(1_000_000);
    let run = run(&kernel, &launch, &mut memory, &options, &control)?;
    assert_eq!(run.hazards.first().map(|hazard| hazard.kind), expected);
    for hazard in &run.hazards {
        // The store in line 12 of the text, and the load.
        assert_eq!((hazard.first.place.ptx_line, hazard.second.place.ptx_line), (12, 16));
        let witness = witness(&kernel, &launch, &memory, hazard, &control).expect("the two orders differ");
        // Thread t reads 63 - t if the other warp has stored it, and else the zero that was there before.
        assert_eq!(witness.right, u64::from(63 - witness.thread[0]));
        assert_eq!(witness.wrong, 0);
    }
}
# Ok::<(), Fault>(())
```

# Progress, cancellation, limits and faults

[`Control`] carries a function that is told how far the run is, a flag that stops it from any thread, and how many warp
instructions and how much time it may take, together with the witnesses and traces that are given the same control. A run
that does not reach its end says why with a [`Fault`]: of which kind, at which line, and in which thread and block.
[`attempt`] also gives the hazards that were found before it.

```
use ptx_emulator::{Control, Fault, FaultKind, Launch, Memory, Module, Options, run};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

let module = Module::parse("
    .version 8.0
    .target sm_75
    .address_size 64
    .visible .entry nothing() { ret; }
    .visible .entry endless() { again: bra again; }
    .visible .entry astray() {
        .reg .u64 %rd<2>; .reg .u32 %r<2>;
        mov.u64 %rd1, 64;
        ld.global.u32 %r1, [%rd1];
        ret;
    }")?;
let launch = Launch { grid: [1000, 1, 1], block: [32, 1, 1], args: Vec::new(), ..Launch::default() };
let (mut memory, options) = (Memory::new(), Options::default());

let (cancel, percent) = (AtomicBool::new(false), AtomicU32::new(0));
let progress = |share: f64| {
    percent.fetch_max((share * 100.0) as u32, Ordering::Relaxed);
};
let control = Control::default().cancel(&cancel).progress(&progress);
run(&module.kernel("nothing")?, &launch, &mut memory, &options, &control)?;
assert_eq!(percent.load(Ordering::Relaxed), 100);

let endless = module.kernel("endless")?;
let stopped = std::thread::scope(|scope| {
    scope.spawn(|| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        cancel.store(true, Ordering::Relaxed);
    });
    run(&endless, &launch, &mut memory, &options, &control).unwrap_err()
});
assert_eq!(stopped.kind, FaultKind::Cancelled);

// Without anybody to cancel, a budget of instructions ends a loop that does not.
let few = Control::default().steps(1000);
let fault = run(&endless, &launch, &mut memory, &options, &few).unwrap_err();
assert_eq!(fault.kind, FaultKind::StepBudget);

let fault = run(&module.kernel("astray")?, &launch, &mut memory, &options, &Control::default()).unwrap_err();
assert_eq!((fault.kind, fault.line), (FaultKind::OutOfBounds, 10));
assert_eq!((fault.thread, fault.block), (Some([0, 0, 0]), Some([0, 0, 0])));
# Ok::<(), Fault>(())
```

# Cooperative launches

With [`Launch::cooperative`] all blocks are on the GPU at once, and may wait for each other: `grid.sync()` of CUDA's cooperative groups
finds its counter where `%envreg1` and `%envreg2` say. A grid that does not fit is refused, with how many blocks would. To hazards it is a barrier:
what a block did before it is known to all behind it (`examples/grid.rs` runs such a kernel with the barrier and without).

# Textures and surfaces

[`Memory::texture`] and [`Memory::surface`] make objects of a buffer's texels. A kernel takes them as 64-bit numbers.

```
use ptx_emulator::{Arg, Control, Launch, Memory, Module, Options, Sampler, TexelFormat, Texels, run};

// Thread t fetches at t + 1: half way between the centres of texels t and t + 1.
let kernel = Module::parse("
    .version 8.0
    .target sm_75
    .address_size 64
    .visible .entry between(.param .u64 texture, .param .u64 out) {
        .reg .u64 %rd<4>; .reg .u32 %r<2>; .reg .f32 %f<6>;
        ld.param.u64 %rd1, [texture];
        ld.param.u64 %rd2, [out];
        mov.u32 %r1, %tid.x;
        cvt.rn.f32.u32 %f1, %r1;
        add.f32 %f1, %f1, 0f3F800000;
        tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1}];
        mul.wide.u32 %rd3, %r1, 4;
        add.u64 %rd2, %rd2, %rd3;
        st.global.f32 [%rd2], %f2;
        ret;
    }")?.kernel("between")?;

let mut memory = Memory::new();
let table = memory.add_f32("table", &[10.0, 20.0, 40.0]);
let out = memory.add_f32("out", &[0.0; 3]);
let sampler = Sampler { linear: true, ..Sampler::default() };
let texture = memory.texture(Texels::new(table, TexelFormat::F32, 1, &[3]), sampler)?;
let launch = Launch { block: [3, 1, 1], args: vec![Arg::U64(texture), Arg::Buffer(out)], ..Launch::default() };
run(&kernel, &launch, &mut memory, &Options::default(), &Control::default())?;
// Beyond the edge is the texel at the edge.
assert_eq!(memory.read_f32(out), [15.0, 30.0, 40.0]);
# Ok::<(), ptx_emulator::Fault>(())
```

# How it works

| room | does | knows of the others |
|---|---|---|
| `report`, `control` | what a run says, what it may take | |
| `arch`, `tensor_map` | what a GPU is: atomics, scopes, windows of addresses; tensor maps | |
| `cost` | wavefronts and sectors of an access | `arch` |
| `ptx` | text → syntax tree, with positions and `.loc` | |
| `arith` | what instructions compute, from bits to bits: rows of 32 lanes, floating point, tensor cores | |
| `program` | the form that the machine runs | `arch`, `arith`, `cost` |
| `memory` | buffers, variables, the heap of `malloc`, textures | `program` |
| `probes` | the interface by which a run is observed; patterns of a warp's addresses | `program`, `cost` |
| `fuse` | finds stretches of code that a whole warp runs at once | `program` |
| `lower` | tree → program: names resolved, most calls inlined, basic blocks, meeting places of divergent threads, rows for registers | `ptx`, `arith`, `program`, `fuse` |
| `counts`, `hazards` | probes that count, and that look for races | `probes` |
| `machine` | runs warps: 32 lanes an instruction, divergence, barriers, memory | `program`, `memory`, `probes` |
| `module` | a text that was read, and its kernels | `lower` |
| `run` | checks a launch, chooses the probe, spreads blocks over threads | all of these |
| `trace`, `observe`, `witness` | one block step by step; runs that a type of the caller's observes; two ways in which a hazard may go, and the two values that come out | `run` |

No room knows one below it; `tests/layers.rs` has the whole table and holds every file to it. What is called and not inlined
(recursion, pointers, virtual methods, `printf`, `malloc`, assertions) is in `program::calls`.

An instruction reads and writes *rows* of 32 lanes; all lanes are computed and blended by mask, in loops that
compile to AVX2 where the machine has it. The pattern of a warp's addresses is kept with the address register, so
that the sixteen loads of an unrolled loop find bounds, alignment, layout and cost once (see `probes::address_pattern`).

# What it promises, and what it does not

Results are to the bit those of the GPU for integer, logic, conversion and IEEE floating-point instructions in every
rounding, NaN and subnormal numbers included: `tests/simt/conformance` and `tests/simt/random` hold 2,514 instruction
forms and 458 random programs against what an NVIDIA H200 answered. So are products of the tensor cores (`mma`, `wmma`, `wgmma`, dense and
sparse, in every format of theirs), whose sums are not IEEE's: they are those of compute capability 9.0 (see
`arith::tensor`); forms of theirs that only later devices have are refused. Scalar forms that only later devices
have (two single-precision numbers in a register, halves among single precision, extremes of three, floats of six and
four bits, …) are held against older forms or plain arithmetic; random rounding (`cvt.rs`) follows the manual and was
compared with nothing. The approximate functions (`sin`, `ex2`, `rsqrt`, `div.full`, …) lie within the documented
error but may differ from the GPU's last bits; `arith::approximate` has by how much. Three things only the assembler
decides, and differ where it optimises: it may fuse a product and a sum that do not say `.rn`, exchange the factors of
a double-precision product (seen in which of two NaNs comes out), and take `max(x, x)` for `x` where `x` is NaN. What
an instruction's modifiers say is done; those that do not belong to it are refused when the text is loaded.
Prefetches, cache policies and the like change no value. There are as many multiprocessors (`%nsmid`) as
[`Options::device`] has, those of an H200 unless another is asked for, and each block runs on the next one (`%smid`). A
text may have addresses of 32 bits, but no asynchronous copies, no `printf`, no heap and no recursion then. Reads of
shared memory that nothing wrote give zero. Blocks that race with each other through global memory give results that
depend on timing, as on a GPU.

Functions may call themselves and each other, by name and through pointers, lanes of a warp different ones and to
different depths. A thread's stack has 64 KiB ([`Options::stack_bytes`]) and the heap of `malloc` 8 MiB
([`Options::heap_bytes`]). How much a call takes, and how much the heap loses beside what is asked for, is the
assembler's and the driver's own: on an H200 a function with two parameters called itself 56 times in the default stack
of 1 KiB and failed at 64; here one such call takes 64 bytes. What `malloc` gave is watched: accesses past it, after
`free` or before anything was written, and a second `free` are faults. Between blocks it is not searched for hazards.
Kernels that launch kernels are refused. Of textures, coordinates and weights are those of the CUDA C++ Programming Guide, with eight
bits of fraction; how a GPU rounds the coordinate and the sum to them is not documented, and the last bits may differ. What fetches cost is not counted, and
textures and surfaces are not searched for hazards.

Texts of the first versions and for the first devices (`sm_1x`) are taken as the assembler of today takes them: single-precision instructions flush
subnormal numbers for those, and `mad.f32` is a fused product.
*/

#![warn(missing_docs)]

mod arch;
mod arith;
mod control;
pub mod cost;
mod counts;
mod fuse;
mod hazards;
mod host;
mod lower;
mod machine;
mod memory;
mod module;
mod observe;
mod probes;
mod program;
mod ptx;
mod report;
mod run;
mod tensor_map;
pub mod text;
mod trace;
mod witness;

pub use arch::Device;
pub use arith::is_fast;
pub use control::{Control, Limit};
pub use lower::{Form, forms, sets};
pub use machine::{Fragment, Held, Schedule};
pub use memory::{AddressMode, BufferId, Memory, Sampler, TexelFormat, Texels};
pub use module::{Kernel, Module};
pub use observe::{Access, Instruction, Observer, observe};
pub use program::Param;
pub use report::*;
pub use run::{Arg, Launch, Measure, Options, Outcome, Run, attempt, run};
pub use tensor_map::{Columns, Element, Fill, Swizzle, TensorMap, TensorMapError};
pub use trace::{Event, Trace, Watch, What, trace};
pub use witness::{NoWitness, Way, Witness, witness};
