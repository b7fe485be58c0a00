//! The simulation repeats what microbenchmarks measured on an H100 (`scripts/gpu/latency`, driver 580.159.04, 26 and
//! 27 November 2026), and says no where it knows nothing.

use super::{Constraint, Estimate, Gpu, Need, Question, Refusal, Stall, Tensor, Unit, estimate};
use ptx_emulator::{Arg, Control, Launch, Memory, Module};
use std::sync::atomic::AtomicBool;

fn h100() -> Gpu {
    serde_json::from_str(include_str!("../../../assets/estimate/nvidia-h100.json")).unwrap()
}

/// A kernel that repeats `step` 64 times in 20 iterations. `$` is the number of one of `chains` chains, `#` that of the step.
fn repeated(start: &str, step: &str, chains: usize) -> String {
    let each = |text: &str, chain: usize| text.replace('$', &chain.to_string());
    let begin: String = (0..chains).map(|chain| each(start, chain) + "\n").collect();
    let body: String =
        (0..64).map(|index| each(step, index % chains).replace('#', &index.to_string()) + "\n").collect();
    let end: String = (0..chains).map(|chain| format!("mov.b32 %r9, %f{chain};\nadd.s32 %r8, %r8, %r9;\n")).collect();
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(\n.param .u64 out\n)\n{{\n\
         .reg .pred %p<2>;\n.reg .b32 %r<20>;\n.reg .f32 %f<60>;\n.reg .b64 %rd<4>;\n\
         .shared .align 16 .b8 tile[16384];\n\
         ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r8, 0;\nmov.u32 %r5, 20;\n\
         and.b32 %r7, %r1, 31;\n{begin}\
         AGAIN:\n.pragma \"nounroll\";\n{body}add.s32 %r5, %r5, -1;\nsetp.ne.s32 %p1, %r5, 0;\n@%p1 bra AGAIN;\n{end}\
         mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r8;\nret;\n}}\n"
    )
}

type Answer = Result<Estimate, Refusal>;

fn estimated(ptx: &str, warps: u32, registers: Option<u32>) -> Answer {
    on(&h100(), ptx, warps, registers, &Control::default())
}

fn on(gpu: &Gpu, ptx: &str, warps: u32, registers: Option<u32>, control: &Control<'_>) -> Answer {
    let kernel = Module::parse(ptx).unwrap().kernel("k").unwrap();
    let made = || {
        let mut memory = Memory::new();
        let out = memory.add_f32("out", &[0.0; 1024]);
        (memory, vec![Arg::Buffer(out)])
    };
    let (_, args) = made();
    let launch = Launch { block: [32 * warps, 1, 1], args, ..Launch::default() };
    let memory: &dyn Fn() -> Memory = &|| made().0;
    let (kernel, launch, progress) = (&kernel, &launch, &|_| {});
    let question = Question { ptx, kernel, launch, memory, registers, blocks: None, constraints: true, progress };
    estimate(&question, gpu, control)
}

/// A GPU whose clock the tensor cores do not lower: microbenchmarks count cycles.
fn steady() -> Gpu {
    let gpu = h100();
    Gpu { tensor: gpu.tensor.map(|tensor| Tensor { clock_mhz: gpu.clock_mhz, ..tensor }), ..gpu }
}

/// Cycles per repeated instruction of each warp.
fn cycles(ptx: &str, warps: u32) -> f64 {
    let gpu = steady();
    let found = on(&gpu, ptx, warps, Some(32), &Control::default()).unwrap();
    (found.ms - gpu.launch_us / 1000.0) * gpu.clock_mhz * 1000.0 / (64.0 * 20.0)
}

fn assert_near(found: f64, measured: f64, what: &str) {
    assert!((found / measured - 1.0).abs() < 0.12, "{what}: {found} cycles, measured {measured}");
}

#[test]
fn arithmetic_takes_the_measured_cycles() {
    let start = "mov.f32 %f$, 0f00000000;";
    for (warps, chains, measured) in [(1, 1, 4.12), (8, 4, 2.17), (32, 4, 8.67)] {
        let ptx = repeated(start, "add.rn.f32 %f$, %f$, 0f3F800000;", chains);
        assert_near(cycles(&ptx, warps), measured, &format!("{warps} warps, {chains} chains"));
    }
    let multiplied = "mov.b32 %r1$, %f$;\nmad.lo.s32 %r1$, %r1$, %r1, %r7;\nmov.b32 %f$, %r1$;";
    assert_near(cycles(&repeated(start, multiplied, 4), 32), 16.04, "integer multiply-adds");
    let divided = "mov.b32 %r1$, %f$;\ndiv.u32 %r1$, %r1$, %r1;\nmov.b32 %f$, %r1$;";
    for (warps, chains, measured) in [(1, 1, 58.94), (32, 4, 96.34)] {
        assert_near(cycles(&repeated(start, divided, chains), warps), measured, &format!("divisions of {warps} warps"));
    }
}

#[test]
fn branches_take_the_measured_cycles() {
    let start = "mov.b32 %r1$, %r7;\nmov.f32 %f$, 0f00000000;";
    let twelve = "mad.lo.s32 %r1$, %r1$, %r1, %r7;\n".repeat(12);
    for (begin, warps, measured) in
        [("setp.eq.s32 %p1, %r1$, 4711;\n@%p1 bra OVER#;\n", 1, 86.31), ("", 1, 48.3), ("", 16, 96.94)]
    {
        let step = format!("{begin}{twelve}OVER#:\nmov.b32 %f$, %r1$;");
        assert_near(cycles(&repeated(start, &step, 1), warps), measured, &format!("{begin}, {warps} warps"));
    }
}

const SUMS: &str = "mov.f32 %f$, 0f00000000;\nmov.f32 %f1$, %f$;\nmov.f32 %f2$, %f$;\nmov.f32 %f3$, %f$;";
const PRODUCT: &str = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f$, %f1$, %f2$, %f3$}, \
                       {%r7, %r7, %r7, %r7}, {%r7, %r7}, {%f$, %f1$, %f2$, %f3$};";

#[test]
fn tensor_cores_take_the_measured_cycles() {
    for (warps, chains, measured) in [(1, 1, 24.15), (1, 4, 6.43), (8, 4, 12.05), (32, 4, 48.19)] {
        let found = cycles(&repeated(SUMS, PRODUCT, chains), warps);
        assert_near(found, measured, &format!("mma of {warps} warps, {chains} chains"));
    }
    let begin = "mov.u32 %r6, tile;\nshr.u32 %r6, %r6, 4;\ncvt.u64.u32 %rd2, %r6;\nmov.f32 %f$, 0f00000000;";
    let sums: Vec<String> = (10..42).map(|number| format!("%f{number}")).collect();
    let product = format!(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{{}}}, %rd2, %rd2, 1, 1, 1, 0, 1;\n",
        sums.join(", ")
    );
    for (count, warps, measured) in [(1, 4, 105.54), (4, 4, 191.54), (4, 8, 256.95), (8, 12, 769.21)] {
        let group = product.repeat(count);
        let step = format!(
            "wgmma.fence.sync.aligned;\n{group}wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
        );
        let ptx = repeated(begin, &step, 1).replace("sm_80", "sm_90a");
        assert_near(cycles(&ptx, warps), measured, &format!("{count} wgmma of {warps} warps"));
    }
    let ptx = repeated(SUMS, PRODUCT, 4);
    let [slow, fast] = [h100(), steady()].map(|gpu| on(&gpu, &ptx, 32, None, &Control::default()).unwrap());
    let busy = fast.busy.iter().find(|(unit, _)| *unit == Unit::Tensor).unwrap().1;
    assert!(busy > 0.9 && slow.tensor && (1.15..1.25).contains(&(slow.ms / fast.ms)), "{busy} {slow:?}");
    assert!(fast.timeline.is_some_and(|all| all.step == 1 && all.tensor.matches('#').count() > 230));
}

/// A kernel whose first lane copies 1024 bytes again and again, and whose warps wait for each copy.
const COPIES: &str = include_str!("copies.ptx");

#[test]
fn a_warp_waits_for_the_copies_that_its_mbarrier_counts() {
    for warps in [1, 4] {
        // A copy, a barrier, and two branches.
        assert_near(cycles(COPIES, warps), 303.9 + 14.2 + 38.0 + 8.5, &format!("copies of 1024 bytes, {warps} warps"));
    }
    let found = estimated(COPIES, 4, None).unwrap();
    let share = |stall| found.stalls.iter().find(|(one, _)| *one == stall).unwrap().1;
    assert!(share(Stall::LongScoreboard) > 0.7, "{:?}", found.stalls);
    assert!(!found.tensor);
}

#[test]
fn shared_loads_and_barriers_take_the_measured_cycles() {
    for (stride, measured) in [(4, 32.14), (8, 64.09), (16, 128.09), (128, 1024.09)] {
        let start = format!("mov.u32 %r6, tile;\nmad.lo.s32 %r1$, %r7, {stride}, %r6;");
        let ptx = repeated(&start, "ld.volatile.shared.f32 %f$, [%r1$];\nadd.f32 %f9, %f9, %f$;", 4);
        assert_near(cycles(&ptx, 32), measured, &format!("stride {stride}"));
        // As many loads as `cycles` divides by, each of as many wavefronts as cycles; 32 warps share the data pipe.
        let (demand, loads) = (estimated(&ptx, 32, Some(32)).unwrap().demand, 64.0 * 20.0);
        assert_near(demand[Need::SharedLoads] / loads, measured, &format!("wavefronts of stride {stride}"));
        assert!(demand.data_pipe() - demand[Need::SharedLoads] == 32.0, "each warp stores a line: {demand:?}");
    }
    for (warps, measured) in [(1, 14.22), (4, 20.16), (32, 76.18)] {
        let ptx = repeated("mov.f32 %f$, 0f00000000;", "bar.sync 0;", 1);
        assert_near(cycles(&ptx, warps), measured, &format!("barrier of {warps} warps"));
    }
}

#[test]
fn what_the_model_does_not_know_has_no_estimate() {
    let start = "mov.f32 %f$, 0f00000000;";
    let atomic = repeated(start, "red.global.add.f32 [%rd1], %f$;", 1);
    assert!(matches!(estimated(&atomic, 1, None), Err(Refusal::Instruction { name, .. }) if name == "red.global"));
    let (other, product) = (Gpu { tensor: None, ..h100() }, repeated(SUMS, PRODUCT, 1));
    let refusal = on(&other, &product, 1, None, &Control::default());
    assert!(matches!(refusal, Err(Refusal::Instruction { name, line: 20.. }) if name.starts_with("mma.sync")));
    let cluster = COPIES.replace("(.param .u64 out)", "(.param .u64 out)\n.reqnctapercluster 4, 1, 1");
    assert_eq!(estimated(&cluster, 1, None), Err(Refusal::Cluster));
    let astray = repeated(start, "ld.global.f32 %f$, [%rd1+1048576];", 1);
    assert!(matches!(estimated(&astray, 1, None), Err(Refusal::Faulted(_))));
    let cancelled = AtomicBool::new(true);
    let fine = repeated(start, "add.f32 %f$, %f$, %f$;", 1);
    let refusal = on(&h100(), &fine, 1, None, &Control::default().cancel(&cancelled));
    assert_eq!(refusal, Err(Refusal::Cancelled));
}

#[test]
fn without_its_limit_a_launch_is_faster() {
    let start = "mov.u32 %r6, tile;\nmad.lo.s32 %r1$, %r7, 16, %r6;";
    let ptx = repeated(start, "ld.volatile.shared.f32 %f$, [%r1$];\nadd.f32 %f9, %f9, %f$;", 4);
    let found = estimated(&ptx, 32, None).unwrap();
    // One block leaves 131 SMs without work.
    let [(Constraint::Tail, idle), (Constraint::SharedMemory, gain), ..] = found.without[..] else {
        panic!("{:?}", found.without)
    };
    assert!(idle > gain && gain > 5.0, "four wavefronts per load: {gain}");
    assert!(found.stalls.iter().map(|(_, share)| share).sum::<f64>() > 0.999);
}
