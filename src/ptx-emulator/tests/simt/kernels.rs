//! Small kernels: control flow, calls, lane exchange, atomics, barriers, local memory, module variables.

use ptx_emulator::{
    Arg, Control, Fault, HazardKind, HazardSeverity, Launch, Measure, Memory, Module, Options, Run, Schedule, run,
};

/// Creates a kernel with one buffer parameter. %rd1 holds its address, %r1 the thread's index, %rd2 the address of
/// the thread's word.
fn text(declarations: &str, body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_75\n.address_size 64\n{declarations}\n\
        .visible .entry k(.param .u64 out)\n{{\n\
        .reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b16 %rs<9>; .reg .pred %p<9>;\n\
        .shared .align 16 .b8 tile[4096];\n\
        ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;\n\
        mov.u64 %rd3, tile; cvt.u32.u64 %r3, %rd3; shl.b32 %r4, %r1, 2; add.u32 %r3, %r3, %r4;\n\
        {body}\nret;\n}}\n"
    )
}

fn launch(text: &str, block: [u32; 3], words: usize, options: &Options) -> Result<(Vec<u32>, Run), Fault> {
    let kernel = Module::parse(text)?.kernel("k")?;
    let mut memory = Memory::new();
    let out = memory.add("out", &vec![0; 4 * words]);
    let launch = Launch { grid: [1; 3], block, args: vec![Arg::Buffer(out)], ..Launch::default() };
    let run = run(&kernel, &launch, &mut memory, options, &Control::default())?;
    Ok((memory.read(out).chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect(), run))
}

fn values(body: &str, threads: u32) -> Vec<u32> {
    launch(&text("", body), [threads, 1, 1], threads as usize, &Options::default()).unwrap().0
}

fn all() -> Options {
    Options { measure: Measure::All, threads: Some(1), ..Options::default() }
}

fn hazards(body: &str, threads: u32) -> Vec<HazardKind> {
    let (_, run) = launch(&text("", body), [threads, 1, 1], threads as usize, &all()).unwrap();
    run.hazards.iter().map(|hazard| hazard.kind).collect()
}

fn fault(body: &str, threads: u32) -> Fault {
    let options = Options { step_budget: Some(100_000), ..Options::default() };
    launch(&text("", body), [threads, 1, 1], 32, &options).unwrap_err()
}

#[test]
fn lanes_that_diverge_in_a_loop_meet_after_it() {
    // Collatz steps of the thread's index. Afterwards all 32 lanes are active again.
    let body = "mov.u32 %r5, %r1; mov.u32 %r6, 0;\n\
        LOOP: setp.le.u32 %p1, %r5, 1; @%p1 bra DONE;\n\
        and.b32 %r7, %r5, 1; setp.eq.u32 %p2, %r7, 0; @%p2 bra EVEN;\n\
        mad.lo.u32 %r5, %r5, 3, 1; bra NEXT;\n\
        EVEN: shr.u32 %r5, %r5, 1;\n\
        NEXT: add.u32 %r6, %r6, 1; bra LOOP;\n\
        DONE: activemask.b32 %r8; popc.b32 %r8, %r8; mad.lo.u32 %r6, %r8, 1000, %r6; st.global.u32 [%rd2], %r6;";
    let steps = |mut n: u32| {
        let mut count = 0;
        while n > 1 {
            n = if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
            count += 1;
        }
        count
    };
    assert_eq!(values(body, 32), (0..32).map(|n| 32_000 + steps(n)).collect::<Vec<_>>());
}

#[test]
fn a_lane_that_spins_on_a_lock_held_by_its_own_warp_gets_it_in_the_end() {
    let body = "LOOP: atom.global.cas.b32 %r5, [%rd1], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra LOOP;\n\
        ld.global.u32 %r6, [%rd1+4]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1+4], %r6;\n\
        atom.global.exch.b32 %r5, [%rd1], 0;";
    assert_eq!(values(body, 64)[..2], [0, 64]);
}

#[test]
fn functions_are_called_with_their_own_registers() {
    let function = ".func (.param .b32 result) square(.param .b32 x) { .reg .b32 %r<4>; ld.param.u32 %r1, [x]; \
        mul.lo.u32 %r2, %r1, %r1; st.param.b32 [result+0], %r2; ret; }";
    let body = "{ .param .b32 p0; st.param.b32 [p0+0], %r1; .param .b32 r0; call.uni (r0), square, (p0); ld.param.b32 %r5, [r0+0]; }\n\
        st.global.u32 [%rd2], %r5;";
    let (found, _) = launch(&text(function, body), [40, 1, 1], 40, &Options::default()).unwrap();
    assert_eq!(found, (0..40).map(|n| n * n).collect::<Vec<_>>());
    let fault = launch(&text(function, "call.uni square;"), [1, 1, 1], 1, &Options::default()).unwrap_err();
    assert_eq!(fault.kind, ptx_emulator::FaultKind::Parse);
    assert!(fault.message.contains("the call does not fit the parameters of `square`"), "{fault}");
}

#[test]
fn a_switch_goes_to_the_entry_of_its_table() {
    let body = "mov.u32 %r6, 9; and.b32 %r5, %r1, 3; ts: .branchtargets A, B, C, A; brx.idx %r5, ts;\n\
        A: mov.u32 %r6, 10; bra OUT; B: mov.u32 %r6, 20; bra OUT; C: mov.u32 %r6, 30;\n\
        OUT: st.global.u32 [%rd2], %r6;";
    assert_eq!(values(body, 6), [10, 20, 30, 10, 10, 20]);
}

#[test]
fn lanes_exchange_values() {
    let sum = "mov.u32 %r5, %r1;\n\
        shfl.sync.bfly.b32 %r6|%p1, %r5, 16, 31, -1; add.u32 %r5, %r5, %r6; shfl.sync.bfly.b32 %r6|%p1, %r5, 8, 31, -1; add.u32 %r5, %r5, %r6;\n\
        shfl.sync.bfly.b32 %r6, %r5, 4, 31, -1; add.u32 %r5, %r5, %r6; shfl.sync.bfly.b32 %r6, %r5, 2, 31, -1; add.u32 %r5, %r5, %r6;\n\
        shfl.sync.bfly.b32 %r6, %r5, 1, 31, -1; add.u32 %r5, %r5, %r6; st.global.u32 [%rd2], %r5;";
    assert_eq!(values(sum, 32), [496; 32]);
    let down = "shfl.sync.down.b32 %r5|%p1, %r1, 3, 31, -1; selp.b32 %r6, 100, 0, %p1; add.u32 %r5, %r5, %r6; st.global.u32 [%rd2], %r5;";
    assert_eq!(values(down, 32), (0..32).map(|l| if l + 3 < 32 { l + 103 } else { l }).collect::<Vec<_>>());
    let up = "shfl.sync.up.b32 %r5|%p1, %r1, 1, 0, -1; selp.b32 %r6, 100, 0, %p1; add.u32 %r5, %r5, %r6; st.global.u32 [%rd2], %r5;";
    assert_eq!(values(up, 32), (0..32).map(|l| if l >= 1 { l + 99 } else { l }).collect::<Vec<_>>());
    let quarter = "shfl.sync.idx.b32 %r5, %r1, 2, 6175, -1; st.global.u32 [%rd2], %r5;";
    assert_eq!(values(quarter, 32), (0..32).map(|l| l / 8 * 8 + 2).collect::<Vec<_>>());
    let vote = "setp.gt.u32 %p1, %r1, 29; vote.sync.ballot.b32 %r5, %p1, -1; st.global.u32 [%rd2], %r5;";
    assert_eq!(values(vote, 32), [0xc000_0000; 32]);
    let matched = "and.b32 %r5, %r1, 1; match.any.sync.b32 %r6, %r5, -1; st.global.u32 [%rd2], %r6;";
    assert_eq!(values(matched, 2), [1, 2]);
    let redux = "redux.sync.max.u32 %r5, %r1, -1; st.global.u32 [%rd2], %r5;";
    assert_eq!(values(redux, 20), [19; 20]);
}

#[test]
fn a_shuffle_from_a_lane_that_does_not_come_is_a_fault_where_that_is_asked_for() {
    let strict = Options { fault_on_absent_lanes: true, ..Options::default() };
    let told = |body: &str, threads: u32| launch(&text("", body), [threads, 1, 1], 64, &strict).map(|(out, _)| out);
    // Half of the warp executes it, with a mask of the whole warp.
    let half = "mov.u32 %r5, 7; setp.gt.u32 %p1, %r1, 15; @%p1 bra OUT;\n\
        shfl.sync.idx.b32 %r5, %r1, 20, 31, -1;\nOUT: st.global.u32 [%rd2], %r5;";
    assert_eq!(values(half, 32)[..17], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7]);
    let fault = told(half, 32).unwrap_err();
    assert_eq!((fault.kind, fault.thread), (ptx_emulator::FaultKind::AbsentLane, Some([0, 0, 0])), "{fault}");
    let words = "thread (0,0,0) of block (0,0,0) shuffles from lane 20 of its warp, which is in the mask 0xffffffff";
    assert!(fault.message.contains(words), "{fault}");
    // First, all lanes execute a shuffle, but two different ones. Second, a block ends within the warp.
    let apart = "setp.gt.u32 %p1, %r1, 15; @%p1 bra B; shfl.sync.idx.b32 %r5, %r1, 20, 31, -1; bra OUT;\n\
        B: shfl.sync.idx.b32 %r5, %r1, 3, 31, -1; OUT: st.global.u32 [%rd2], %r5;";
    let down = "shfl.sync.down.b32 %r5, %r1, 8, 31, -1; st.global.u32 [%rd2], %r5;";
    for (body, threads) in [(apart, 32), (down, 48)] {
        assert_eq!(told(body, threads).unwrap_err().kind, ptx_emulator::FaultKind::AbsentLane, "{body}");
    }
    // Correct cases: all lanes arrive, from both sides of a branch; no lane reads from a lane that has exited. PTX
    // does not define the value read from a lane outside the mask, and correct kernels do not use it.
    let meet = "setp.gt.u32 %p1, %r1, 15; @%p1 bra B; add.u32 %r1, %r1, 100; B: shfl.sync.idx.b32 %r5, %r1, 3, 31, -1;\n\
        st.global.u32 [%rd2], %r5;";
    let few = "mov.u32 %r5, 7; setp.gt.u32 %p1, %r1, 15; @%p1 bra OUT;\n\
        shfl.sync.idx.b32 %r5, %r1, 3, 31, -1;\nOUT: st.global.u32 [%rd2], %r5;";
    let named = "mov.u32 %r5, 7; setp.gt.u32 %p1, %r1, 15; @%p1 bra OUT;\n\
        shfl.sync.down.b32 %r5, %r1, 8, 31, 65535;\nOUT: st.global.u32 [%rd2], %r5;";
    assert_eq!(told(meet, 32).unwrap()[..32], [103; 32]);
    assert_eq!(told(few, 32).unwrap()[15..17], [3, 7]);
    assert_eq!(told(named, 32).unwrap()[..2], [8, 9]);
}

#[test]
fn a_line_of_a_function_that_was_inlined_comes_with_the_line_of_the_call() {
    let declarations = ".file 1 \"k.cu\"\n.file 2 \"other.h\"\n\
        .func (.reg .u32 o) f(.reg .u64 p) { .loc 1 2 1\nld.global.u32 o, [p]; ret; }";
    let body = "add.u64 %rd3, %rd1, 1048576;\n.loc 1 9 1\nst.global.u32 [%rd2], %r1;\n";
    let found = |bad: &str| {
        let fault =
            launch(&text(declarations, &format!("{body}{bad}")), [1, 1, 1], 1, &Options::default()).unwrap_err();
        (fault.line, fault.message.split(" (PTX").next().unwrap().to_owned())
    };
    let read = "ld.global.u32 %r5, [%rd3];";
    // Inlined helpers: one, one inside another, one from another file, none.
    let inlined = format!(".loc 1 3 1, function_name $L, inlined_at 1 11 5\n{read}");
    assert_eq!(found(&inlined), (3, "k.cu:3, called at line 11".to_owned()));
    let twice = format!(
        ".loc 1 6 7, function_name $L, inlined_at 1 12 5\nmov.u32 %r6, 0;\n.loc 1 3 1, function_name $L, inlined_at 1 6 7\n{read}"
    );
    assert_eq!(found(&twice), (3, "k.cu:3, called at line 12".to_owned()));
    let other = format!(".loc 2 3 1, function_name $L, inlined_at 1 11 5\n{read}");
    assert_eq!(found(&other), (11, "k.cu:11".to_owned()));
    assert_eq!(found(&format!(".loc 1 13 1\n{read}")), (13, "k.cu:13".to_owned()));
    // A helper that the compiler did not inline.
    assert_eq!(found(".loc 1 14 1\ncall (%r5), f, (%rd3);"), (2, "k.cu:2, called at line 14".to_owned()));
}

#[test]
fn atomics_count_every_thread() {
    let body = "atom.global.add.u32 %r5, [%rd1], 1; red.shared.add.u32 [tile], 2; bar.sync 0; ld.shared.u32 %r6, [tile]; st.global.u32 [%rd1+4], %r6;\n\
        atom.global.max.s32 %r5, [%rd1+8], %r1; atom.global.inc.u32 %r5, [%rd1+12], 9;";
    assert_eq!(values(body, 100)[..4], [100, 200, 99, 0]);
}

#[test]
fn local_memory_belongs_to_each_thread() {
    let body = ".local .align 4 .b8 own[16]; mov.u64 %rd5, own; cvta.local.u64 %rd6, %rd5;\n\
        and.b32 %r5, %r1, 3; mul.wide.u32 %rd7, %r5, 4; add.u64 %rd7, %rd7, %rd6; st.u32 [%rd7], %r1; mov.u32 %r6, 0;\n\
        ld.local.v4.u32 {%r7, %r8, %r9, %r10}, [own]; add.u32 %r6, %r7, %r8; add.u32 %r6, %r6, %r9; add.u32 %r6, %r6, %r10; st.global.u32 [%rd2], %r6;";
    assert_eq!(values(body, 70), (0..70).collect::<Vec<_>>());
}

#[test]
fn module_variables_are_initialised_and_generic_addresses_find_their_space() {
    let declarations = ".const .align 4 .u32 table[3] = {5, 6, 7};\n.global .align 4 .f32 factor = 0f40000000;";
    let body = "ld.const.u32 %r5, [table+8]; mov.u64 %rd5, factor; cvta.global.u64 %rd5, %rd5; ld.f32 %f1, [%rd5]; cvt.rzi.u32.f32 %r6, %f1;\n\
        cvta.shared.u64 %rd6, %rd3; st.u32 [%rd6+64], %r5; ld.shared.u32 %r7, [tile+64]; isspacep.shared %p1, %rd6; selp.b32 %r8, 1000, 0, %p1;\n\
        add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r7; add.u32 %r5, %r5, %r8; st.global.u32 [%rd2], %r5;";
    let (found, _) = launch(&text(declarations, body), [1, 1, 1], 1, &Options::default()).unwrap();
    assert_eq!(found, [5 + 2 + 7 + 1000 + 2]);
}

#[test]
fn fused_regions_give_what_single_instructions_give() {
    // A loop of products with moving addresses, then consecutive words.
    let body = "cvt.rn.f32.u32 %f1, %r1; st.shared.f32 [%r3], %f1; mov.f32 %f4, 0f00000000; mov.u32 %r2, 0; bar.sync 0;
        L: ld.shared.f32 %f2, [%r3]; ld.shared.f32 %f3, [%r3+4]; fma.rn.f32 %f4, %f2, %f3, %f4;
        ld.shared.f32 %f2, [%r3+8]; ld.shared.f32 %f3, [%r3+12]; fma.rn.f32 %f4, %f2, %f3, %f4;
        add.u32 %r3, %r3, 4; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra L;
        mul.wide.u32 %rd4, %r1, 16; add.u64 %rd4, %rd1, %rd4;
        ld.global.u32 %r5, [%rd4]; ld.global.u32 %r6, [%rd4+4]; ld.global.u32 %r7, [%rd4+8];
        add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r7; cvt.rn.f32.u32 %f1, %r5; add.f32 %f4, %f4, %f1;
        cvt.rzi.u32.f32 %r5, %f4; st.global.u32 [%rd4+12], %r5;";
    let text = text("", body);
    let listing = Module::parse(&text).unwrap().kernel("k").unwrap().listing().to_string();
    assert!(listing.contains("Run("), "{listing}");
    let run = |unfused| launch(&text, [64, 1, 1], 256, &Options { unfused, ..all() }).unwrap();
    let (fused, plain) = (run(false), run(true));
    assert_eq!((&fused.0, &fused.1.counts), (&plain.0, &plain.1.counts));
    assert_eq!(fused.0[3], (0..5).map(|i| i * (i + 1) + (i + 2) * (i + 3)).sum::<u32>());
}

#[test]
fn named_barriers_order_the_warps_that_meet_at_them() {
    // Warp 0 produces and warp 1 consumes. They meet only at barrier 1, with 64 threads.
    let ordered = "setp.ge.u32 %p1, %r1, 32; @%p1 bra CONSUME; st.shared.u32 [%r3], %r1; bar.arrive 1, 64; bra OUT;\n\
        CONSUME: bar.sync 1, 64; ld.shared.u32 %r5, [%r3+-128]; st.global.u32 [%rd2], %r5; OUT: mov.u32 %r6, 0;";
    assert_eq!(hazards(ordered, 64), []);
    assert_eq!(values(ordered, 64)[32..], (0..32).collect::<Vec<_>>()[..]);
    let unordered = ordered.replace("bar.arrive 1, 64;", "").replace("bar.sync 1, 64;", "");
    assert_eq!(hazards(&unordered, 64), [HazardKind::Raw]);
}

#[test]
fn hazards_distinguish_bytes_and_readers() {
    let bytes = "mov.u64 %rd5, tile; cvt.u64.u32 %rd6, %r1; add.u64 %rd5, %rd5, %rd6; cvt.u16.u32 %rs1, %r1; st.shared.u8 [%rd5], %rs1;";
    assert_eq!(hazards(bytes, 96), [], "neighbouring bytes are not the same byte");
    let same_byte = "cvt.u16.u32 %rs1, %r1; st.shared.u8 [tile+3], %rs1;";
    assert_eq!(hazards(same_byte, 64), [HazardKind::Waw]);
    let lanes = "st.shared.u32 [tile], %r1;";
    assert_eq!(hazards(lanes, 32), [HazardKind::Waw], "two lanes of one instruction");
    let (_, run) = launch(&text("", "mov.u32 %r5, 7; st.shared.u32 [tile], %r5;"), [32, 1, 1], 256, &all()).unwrap();
    let severities: Vec<_> = run.hazards.iter().map(|hazard| hazard.severity).collect();
    assert_eq!(severities, [HazardSeverity::SameValue], "the same value from all lanes");
    assert_eq!(hazards("red.shared.add.u32 [tile], 1;", 96), [], "atomics do not race with each other");
    let atomic = "red.shared.add.u32 [tile], 1; setp.lt.u32 %p1, %r1, 32; @%p1 ld.shared.u32 %r5, [tile];";
    assert_eq!(hazards(atomic, 64).len(), 1, "but with plain reads they do");
    // Three warps read, then a thread of the first writes. The hazards are with the other two warps and the thread's
    // own warp.
    let readers = "ld.shared.u32 %r5, [tile]; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [tile], %r5;";
    let (_, run) =
        launch(&text("", readers), [96, 1, 1], 96, &Options { schedule: Schedule::Priority(vec![2, 1, 0]), ..all() })
            .unwrap();
    assert_eq!((run.hazards.len(), run.hazards[0].kind, run.hazards[0].occurrences), (1, HazardKind::War, 3));
    let swapped = "st.shared.u32 [%r3], %r1; bar.sync 0; xor.b32 %r5, %r1, 32; sub.u32 %r5, %r5, %r1; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, %r3; ld.shared.u32 %r6, [%r5]; bar.sync 0; st.shared.u32 [%r3], %r6;";
    assert_eq!(hazards(swapped, 64), []);
}

#[test]
fn hazards_do_not_depend_on_the_schedule() {
    let body = "st.shared.u32 [%r3], %r1; xor.b32 %r5, %r1, 32; sub.u32 %r5, %r5, %r1; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, %r3; ld.shared.u32 %r6, [%r5]; bar.sync 0;";
    for schedule in
        [Schedule::InOrder, Schedule::RoundRobin, Schedule::Priority(vec![1]), Schedule::Priority(vec![3, 0])]
    {
        let (_, run) =
            launch(&text("", body), [128, 1, 1], 128, &Options { schedule: schedule.clone(), ..all() }).unwrap();
        let kinds: Vec<_> = run.hazards.iter().map(|hazard| (hazard.kind, hazard.occurrences)).collect();
        assert_eq!(kinds, [(HazardKind::Raw, 4)], "{schedule:?}");
    }
}

#[test]
fn faults_name_the_line_and_the_thread() {
    use ptx_emulator::FaultKind as K;
    let cases: &[(&str, u32, K, &str)] = &[
        (
            "st.global.u32 [%rd1+4096], %r1;",
            1,
            K::OutOfBounds,
            "writes 4 bytes at byte 4096 of buffer `out`, which has 128 bytes",
        ),
        ("ld.global.u32 %r5, [%rd1+-4];", 1, K::OutOfBounds, "reads 4 bytes at byte -4 of buffer `out`"),
        (
            "setp.eq.u32 %p1, %r1, 5; @%p1 st.global.u32 [%rd1+126], %r1;",
            32,
            K::Misaligned,
            "thread (5,0,0) of block (0,0,0) writes",
        ),
        ("mov.u64 %rd5, 64; ld.global.u32 %r5, [%rd5];", 1, K::OutOfBounds, "outside all buffers"),
        ("ld.shared.u32 %r5, [tile+4096];", 1, K::OutOfBounds, "of shared memory, which has 4096 bytes"),
        ("ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [tile+8];", 1, K::Misaligned, "not a multiple of 16"),
        (
            "setp.lt.u32 %p1, %r1, 16; @%p1 bra OUT; bar.sync 0; OUT: mov.u32 %r5, 0;",
            32,
            K::DivergentBarrier,
            "waits at a barrier",
        ),
        (
            "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 1; bra OUT; A: bar.sync 2; OUT: mov.u32 %r5, 0;",
            64,
            K::DivergentBarrier,
            "neither can continue",
        ),
        ("bar.sync 1, 96;", 64, K::DivergentBarrier, "but only 64 can arrive"),
        ("LOOP: add.u32 %r5, %r5, 1; bra LOOP;", 1, K::StepBudget, "endless loop"),
        ("trap;", 1, K::Trap, "executes `trap`"),
    ];
    for (body, threads, kind, message) in cases {
        let fault = fault(body, *threads);
        assert_eq!(fault.kind, *kind, "{body}: {fault}");
        assert!(fault.message.contains(message) && fault.message.ends_with('.'), "{body}: {fault}");
        assert!(fault.thread.is_some() && fault.block.is_some() && fault.line > 0, "{fault:?}");
    }
}

#[test]
fn uninitialised_reads_are_faults_where_they_are_asked_for() {
    let body = "ld.shared.u32 %r5, [tile]; st.global.u32 [%rd2], %r5;";
    assert_eq!(values(body, 1), [0]);
    let poisoned = Options { unwritten_is_nan: true, ..Options::default() };
    let (out, _) = launch(&text("", body), [1, 1, 1], 1, &poisoned).unwrap();
    assert!(f32::from_bits(out[0]).is_nan(), "shared memory, {out:?}");
    let own = "{ .local .align 4 .b8 own[8]; ld.local.u32 %r5, [own+4]; st.global.u32 [%rd2], %r5; }";
    assert_eq!(values(own, 1), [0]);
    let (out, _) = launch(&text("", own), [1, 1, 1], 1, &poisoned).unwrap();
    assert!(f32::from_bits(out[0]).is_nan(), "local memory, {out:?}");
    let strict = Options { fault_on_uninitialised_shared: true, ..Options::default() };
    let fault = launch(&text("", body), [1, 1, 1], 1, &strict).unwrap_err();
    assert_eq!(fault.kind, ptx_emulator::FaultKind::Uninitialised);
    let kernel = Module::parse(&text("", "ld.global.u32 %r5, [%rd2+4]; st.global.u32 [%rd2], %r5;"))
        .unwrap()
        .kernel("k")
        .unwrap();
    let mut memory = Memory::new();
    let out = memory.add_uninitialised("out", 8);
    let launch = Launch { grid: [1; 3], block: [1, 1, 1], args: vec![Arg::Buffer(out)], ..Launch::default() };
    let fault = run(&kernel, &launch, &mut memory, &Options::default(), &Control::default()).unwrap_err();
    assert!(fault.message.contains("reads byte 4 of buffer `out`, which has not been written"), "{fault}");
}

#[test]
fn a_launch_that_does_not_fit_is_refused_before_it_runs() {
    let kernel = Module::parse(&text("", "")).unwrap().kernel("k").unwrap();
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 4]);
    let good = Launch { grid: [1; 3], block: [1, 1, 1], args: vec![Arg::Buffer(out)], ..Launch::default() };
    for bad in [
        Launch { block: [1025, 1, 1], ..good.clone() },
        Launch { block: [0, 1, 1], ..good.clone() },
        Launch { block: [u32::MAX; 3], ..good.clone() },
        Launch { grid: [u32::MAX; 3], ..good.clone() },
        Launch { args: vec![], ..good.clone() },
        Launch { args: vec![Arg::U32(1)], ..good.clone() },
        Launch { dynamic_shared: 1 << 40, ..good.clone() },
    ] {
        let fault = run(&kernel, &bad, &mut memory, &Options::default(), &Control::default()).unwrap_err();
        assert_eq!(fault.kind, ptx_emulator::FaultKind::Launch, "{bad:?}");
    }
}

#[test]
fn a_cancelled_run_reports_it() {
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let kernel = Module::parse(&text("", "LOOP: add.u32 %r5, %r5, 1; bra LOOP;")).unwrap().kernel("k").unwrap();
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 4]);
    let launch = Launch { grid: [1; 3], block: [1, 1, 1], args: vec![Arg::Buffer(out)], ..Launch::default() };
    let control = Control::default().cancel(&cancel);
    let fault = run(&kernel, &launch, &mut memory, &Options::default(), &control).unwrap_err();
    assert_eq!(fault.kind, ptx_emulator::FaultKind::Cancelled);
}

#[test]
fn shared_memory_is_addressed_with_32_bits_too() {
    let body = "mov.u32 %r5, tile; shl.b32 %r6, %r1, 2; add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, -128; st.shared.u32 [%r5+128], %r1;\n\
        bar.sync 0; mov.b32 %r7, tile+4; ld.shared.u32 %r8, [%r7]; ld.shared.u32 %r9, [%r5+128]; add.u32 %r8, %r8, %r9; st.global.u32 [%rd2], %r8;";
    assert_eq!(values(body, 40), (0..40).map(|n| n + 1).collect::<Vec<_>>());
}
