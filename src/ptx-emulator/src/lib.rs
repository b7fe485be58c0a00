#![warn(missing_docs)]
/*! The emulator: PTX text → program → run → counts, hazards, results.

[`Module::parse`] reads a PTX text and lowers its kernels to a compact register form. It refuses code that the emulator
cannot run, with line and column, before anything runs. [`run`] executes a [`Launch`] of a [`Kernel`] on the buffers of
a [`Memory`]. [`Measure`] chooses what to measure. Measurements that you do not choose cost nothing.

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
// Two warps execute one load and one store each. Each access covers 128 consecutive bytes, that is, four 32-byte
// sectors.
assert_eq!((counts.totals.requests, counts.totals.sectors), (4, 16));
assert!(run.hazards.is_empty());
# Ok::<(), ptx_emulator::Fault>(())
```

Offsets, strides and addresses are in bytes. A [`Memory`] outlives the run, so several launches can use the same
buffers. [`Counts::lines`] has the counts of each PTX instruction with its source line. [`trace()`] records one block
step by step. With [`observe()`], your own type can count anything else.

# Hazards

A [`Hazard`] names two places that access the same bytes in no defined order, with one thread for each. [`witness()`]
then runs the kernel with the two accesses in both orders. It can reorder warps, lanes and blocks, or a copy and an
access to the copied bytes. It returns what a thread reads in each order, or which value remains. Global memory is
included with [`Options::global_hazards`]; the README states what the detector finds and what it does not.

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
    // The run and the witness together may take a million warp instructions.
    let control = Control::default().steps(1_000_000);
    let run = run(&kernel, &launch, &mut memory, &options, &control)?;
    assert_eq!(run.hazards.first().map(|hazard| hazard.kind), expected);
    for hazard in &run.hazards {
        // The store is in line 12 of the text, the load in line 16.
        assert_eq!((hazard.first.place.ptx_line, hazard.second.place.ptx_line), (12, 16));
        let witness = witness(&kernel, &launch, &memory, hazard, &control).expect("the two orders differ");
        // Thread t reads 63 - t if the other warp has already stored it. Otherwise it reads the initial zero.
        assert_eq!(witness.right, u64::from(63 - witness.thread[0]));
        assert_eq!(witness.wrong, 0);
    }
}
# Ok::<(), Fault>(())
```

# Progress, cancellation, limits and faults

[`Control`] carries a function that reports progress, a flag that stops the run from any thread, and limits on warp
instructions and time. Runs, witnesses and traces that share a control share its limits. A run that does not finish
returns a [`Fault`] with its kind, line, thread and block. [`attempt`] also returns the hazards found before the fault.

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

// If no other thread can cancel the run, a limit on instructions ends an endless loop.
let few = Control::default().steps(1000);
let fault = run(&endless, &launch, &mut memory, &options, &few).unwrap_err();
assert_eq!(fault.kind, FaultKind::StepBudget);

let fault = run(&module.kernel("astray")?, &launch, &mut memory, &options, &Control::default()).unwrap_err();
assert_eq!((fault.kind, fault.line), (FaultKind::OutOfBounds, 10));
assert_eq!((fault.thread, fault.block), (Some([0, 0, 0]), Some([0, 0, 0])));
# Ok::<(), Fault>(())
```

# Cooperative launches

With [`Launch::cooperative`], all blocks are on the GPU at once and may wait for each other. `grid.sync()` of CUDA's
cooperative groups finds its counter at the address in `%envreg1` and `%envreg2`. The emulator refuses a grid that does
not fit, and reports how many blocks would. The hazard detector treats `grid.sync()` as a barrier: a block's earlier
accesses are ordered before all later ones. `examples/grid.rs` runs such a kernel with and without the barrier.

# How it works

| room | does | uses |
|---|---|---|
| `report`, `control` | reports of a run, limits on a run | |
| `arch`, `tensor_map` | properties of a GPU: atomics, scopes, address windows; tensor maps | |
| `cost` | counts the wavefronts and sectors of an access | `arch` |
| `ptx` | parses text to a syntax tree, with positions and `.loc` | |
| `arith` | computes instructions on bits: rows of 32 lanes, floating point, tensor cores | |
| `program` | the program form that the machine runs | `arch`, `arith`, `cost` |
| `undefined` | the rules of undefined behaviour, and a finding | `report` |
| `memory` | buffers, variables, the heap of `malloc` | `program` |
| `probes` | the interface for observing a run; patterns of a warp's addresses | `program`, `cost` |
| `fuse` | finds fused regions: code that a whole warp runs at once | `program` |
| `lower` | lowers the tree to a program: resolves names, inlines most calls, finds basic blocks and reconvergence points, assigns register rows | `ptx`, `arith`, `program`, `fuse` |
| `counts`, `hazards` | probes that count costs, and detect races and other undefined behaviour | `probes`, `undefined` |
| `machine` | runs warps: 32 lanes per instruction, divergence, barriers, memory | `program`, `memory`, `probes` |
| `module` | a parsed text and its kernels | `lower` |
| `run` | checks a launch, chooses the probe, distributes blocks over threads | all of these |
| `trace`, `observe`, `witness` | records one block step by step; runs with the caller's observer; runs a hazard in both orders and compares the values | `run` |

No room uses one further down; `tests/layers.rs` has the whole table and checks every file. `program::calls` describes
functions that are really called (recursion, pointers, virtual methods, `printf`, `malloc`, assertions).

An instruction reads and writes *rows* of 32 lanes. The emulator computes all lanes and blends them by mask, in loops
that compile to AVX2 if the CPU has it. It keeps the pattern of a warp's addresses with the address register. So the
sixteen loads of an unrolled loop compute bounds, alignment, layout and cost only once (see `probes::address_pattern`).

# Accuracy and limits

Integer, logic, conversion and IEEE floating-point instructions give exactly the GPU's bits, in every rounding mode,
including NaN and subnormal numbers. `tests/instructions/conformance` and `tests/instructions/random` compare 1658 instruction forms
and 458 random programs with an NVIDIA H200's answers. Tensor-core products (`mma`, `wmma`, `wgmma`, dense and sparse,
in every format) are exact, too. Their sums do not follow IEEE rules but those of compute capability 9.0 (see
`arith::tensor`). The emulator refuses tensor-core forms that only later devices have.

Scalar forms that only later devices have were compared with older forms or simple arithmetic. Examples are two
single-precision numbers in a register, mixed half and single precision, minimum of three, and six- and four-bit floats.
Random rounding (`cvt.rs`) follows the manual and was not compared with anything. Approximate functions (`sin`, `ex2`,
`rsqrt`, `div.full`, …) stay within the documented error, but their last bits may differ from the GPU's.
`arith::approximate` states by how much.

In three cases the assembler decides, and an optimised result may differ. It may fuse a product and a sum that are not
marked `.rn`. It may exchange the factors of a double-precision product, which decides which of two NaNs results. It may
replace `max(x, x)` with `x` if `x` is NaN.

The emulator applies all modifiers of an instruction, and refuses invalid ones when it loads the text. Prefetches, cache
policies and similar hints change no value. [`Options::device`], an H200 by default, gives the number of multiprocessors
(`%nsmid`). Each block runs on the next multiprocessor (`%smid`). A text with 32-bit addresses must not use asynchronous
copies, `printf`, the heap or recursion. Reads of unwritten shared memory return zero. If blocks race through global
memory, results depend on timing, as on a GPU.

Functions may call themselves and each other, by name and through pointers. Lanes of a warp may call different
functions, to different depths. A thread's stack has 64 KiB ([`Options::stack_bytes`]) and the heap of `malloc` has 8
MiB ([`Options::heap_bytes`]). On a GPU, the assembler and the driver decide how much stack a call takes and how much
heap an allocation wastes. On an H200, a function with two parameters called itself 56 times in the default stack of 1
KiB and failed at 64. Here one such call takes 64 bytes. The emulator checks memory from `malloc`: accesses out of
bounds, after `free` or before the first write, and a second `free`, are faults. It does not search the heap for hazards.

The emulator refuses kernels that launch kernels, textures and surfaces.

The emulator treats texts of the first versions and for the first devices (`sm_1x`) as today's assembler does. On those
devices, single-precision instructions flush subnormal numbers, and `mad.f32` is a fused multiply-add.
*/

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
mod undefined;
mod witness;

pub use arch::Device;
pub use arith::is_fast;
pub use control::{Control, Limit};
pub use hazards::Stream;
pub use lower::{Form, forms, sets};
pub use machine::{Fragment, Held, Schedule};
pub use memory::{BufferId, Memory};
pub use module::{Kernel, Module};
pub use observe::{Access, Effect, Instruction, Observer, observe, observe_blocks};
pub use program::Param;
pub use report::*;
pub use run::{Arg, Launch, Measure, Options, Outcome, Run, attempt, attempt_in, run};
pub use tensor_map::{Columns, Element, Fill, Swizzle, TensorMap, TensorMapError};
pub use trace::{Event, EventKind, Trace, Watch, trace};
pub use undefined::{Rule, Undefined, UndefinedSeverity};
pub use witness::{NoWitness, Way, Witness, witness};
