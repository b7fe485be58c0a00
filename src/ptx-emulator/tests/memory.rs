//! Tests that the memory of a run with hazards depends on the launch, not on its duration or the number of races.

#![allow(clippy::unwrap_used, reason = "tests")]

use ptx_emulator::{Arg, Control, FaultKind, Launch, Measure, Memory, Module, Options, Outcome, attempt, run};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes allocated now, and the maximum since the last reset.
static TAKEN: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counted;

// SAFETY: every request is forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(TAKEN.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller upholds the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        TAKEN.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller upholds the same contract.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTED: Counted = Counted;

/// Runs a kernel whose body repeats `turns` times. Returns the additional peak memory in bytes and the number of
/// hazards.
fn most_bytes(body: &str, turns: u32) -> (usize, u64) {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 turns)\n{{\n\
        .reg .u32 %r<9>; .reg .u64 %rd<4>; .reg .pred %p<3>; .shared .align 16 .b8 s[4096];\n\
        ld.param.u64 %rd1, [out]; ld.param.u32 %r8, [turns]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s;\n\
        add.u32 %r4, %r3, %r2; xor.b32 %r5, %r2, 1020; add.u32 %r5, %r5, %r3;\n\
        LOOP: {body} sub.u32 %r8, %r8, 1; setp.ne.u32 %p1, %r8, 0; @%p1 bra LOOP; ret;\n}}\n"
    );
    let kernel = Module::parse(&text).unwrap().kernel("k").unwrap();
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 4096]);
    let args = vec![Arg::Buffer(out), Arg::U32(turns)];
    let launch = Launch { grid: [4, 1, 1], block: [256, 1, 1], args, ..Launch::default() };
    let options = Options { measure: Measure::All, global_hazards: true, threads: Some(1), ..Options::default() };
    let before = TAKEN.load(Relaxed);
    PEAK.store(before, Relaxed);
    let run = run(&kernel, &launch, &mut memory, &options, &Control::default()).unwrap();
    (PEAK.load(Relaxed) - before, run.hazards.iter().map(|hazard| hazard.occurrences).sum())
}

/// Tests run one after the other, because they count all memory.
#[test]
fn the_shadow_is_as_large_as_the_text_states() {
    let nothing = bytes_after("", None);
    // A buffer that no instruction writes costs nothing. What a block releases takes some hundred bytes.
    let read = bytes_after("red.global.add.u32 [%rd2], 1;", None);
    assert!(read < nothing + (1 << 20), "{read} and {nothing} bytes");
    // 24 bytes for each of 262,144 words, and a page of the table.
    let written = bytes_after("red.global.add.u32 [%rd2], 1; st.global.u32 [%rd1], %r2;", None);
    assert!(written < read + 25 * (1 << 18), "{written} and {read} bytes");
    a_long_racy_run_takes_no_more_memory_than_a_short_one();
    for rest in ["st.global.u32 [%rd1], %r2;", "red.global.add.u32 [%rd2], 1; st.global.u32 [%rd1], %r2;"] {
        let outcome = outcome_after(rest, Some(1 << 20));
        assert_eq!(outcome.fault.map(|fault| fault.kind), Some(FaultKind::HazardBudget), "{rest}");
        assert!((1..1024).contains(&outcome.finished), "{rest}: {} blocks", outcome.finished);
        let taken = bytes_after(rest, Some(1 << 20));
        assert!(taken < nothing + (3 << 20) / 2, "{rest}: {taken} bytes");
    }
}

fn a_long_racy_run_takes_no_more_memory_than_a_short_one() {
    // In order: within a block, by copies, between blocks that cannot communicate, and between blocks that can.
    for (body, turns) in [
        ("st.shared.u32 [%r4], %r8; ld.shared.u32 %r6, [%r5]; ld.shared.v4.u32 {%r6, %r7, %r6, %r7}, [s];", 512),
        ("cp.async.ca.shared.global [%r4], [%rd1], 4; ld.shared.u32 %r6, [%r5]; cp.async.wait_all;", 512),
        ("st.global.u32 [%rd1], %r8; ld.global.u32 %r6, [%rd1+64];", 512),
        (
            "st.global.u32 [%rd1], %r8; membar.gl; atom.global.add.u32 %r6, [%rd1+128], 1; ld.global.u32 %r6, [%rd1+64];",
            8,
        ),
    ] {
        let (_, (short, few), (long, many)) =
            (most_bytes(body, 4), most_bytes(body, turns), most_bytes(body, 4 * turns));
        assert!(many >= few && few > 0, "{body}: {few} and {many} hazards");
        assert!(long <= short + short / 16, "{body}: {short} bytes, of four times as many turns {long}");
    }
}

/// Returns the additional peak memory of [`outcome_after`].
fn bytes_after(rest: &str, room: Option<u64>) -> usize {
    let before = TAKEN.load(Relaxed);
    PEAK.store(before, Relaxed);
    let outcome = outcome_after(rest, room);
    assert!(outcome.run.hazards.is_empty(), "{rest}: {:?}", outcome.run.hazards);
    PEAK.load(Relaxed) - before
}

/// Runs a kernel that reads every word of a buffer of 1 MiB and then runs `rest`. The search for hazards may take `room`
/// bytes.
fn outcome_after(rest: &str, room: Option<u64>) -> Outcome {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n\
        .reg .u32 %r<9>; .reg .u64 %rd<9>;\n\
        ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n\
        shl.b32 %r1, %r1, 8; add.u32 %r1, %r1, %r2; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3;\n\
        ld.global.u32 %r3, [%rd1]; {rest} ret;\n}}\n"
    );
    let kernel = Module::parse(&text).unwrap().kernel("k").unwrap();
    let mut memory = Memory::new();
    let args = vec![Arg::Buffer(memory.add("in", &vec![1; 1 << 20])), Arg::Buffer(memory.add("out", &[0; 4]))];
    let launch = Launch { grid: [1024, 1, 1], block: [256, 1, 1], args, ..Launch::default() };
    let options = Options {
        measure: Measure::All,
        global_hazards: true,
        hazard_bytes: room,
        threads: Some(1),
        ..Options::default()
    };
    attempt(&kernel, &launch, &mut memory, &options, &Control::default()).unwrap()
}
