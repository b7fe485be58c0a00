//! Verdicts that follow from several rules of the PTX ISA's memory model together (chapter 8, *Memory Consistency
//! Model*, section numbers of PTX 8.x). Blocks pass on what they wrote through a flag in global memory.
//!
//! `compute-sanitizer --tool racecheck` has no verdict here, because it checks only shared memory. In
//! `tests/fixtures/racecheck/table.yaml`, `flag_fence`, `last_block` and `grid_sync` are such kernels, and an H200
//! runs them.

use crate::idioms::outcome;
use ptx_emulator::HazardKind;

/// Block 0 writes and sets the flag; block 1 waits for it and reads. With three blocks, block 1 passes it on.
struct Case {
    /// The sections that decide, and why.
    rules: &'static str,
    blocks: u32,
    writes: &'static str,
    /// The code of block 1 if there are three blocks.
    passes: &'static str,
    reads: &'static str,
    ordered: bool,
}

const WRITE: &str = "st.global.u32 [%rd2+256], %r1;";
/// Every thread reads another thread's word.
const READ: &str =
    "xor.b32 %r5, %r1, 63; mul.wide.u32 %rd3, %r5, 4; add.u64 %rd3, %rd1, %rd3; ld.global.u32 %r5, [%rd3+256];";

/// Creates a case with two blocks.
const fn pair(rules: &'static str, writes: &'static str, reads: &'static str, ordered: bool) -> Case {
    Case { rules, blocks: 2, writes, passes: "", reads, ordered }
}

const CASES: [Case; 20] = [
    pair(
        "8.9.4 barriers before and after, 8.8 release and acquire by one thread, 8.9.5 causality joins them",
        "W; bar.sync 0; @%p2 st.release.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.acquire.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; MET: bar.sync 0; R",
        true,
    ),
    pair(
        "8.9.4 no barrier before: what other threads wrote is not before the release",
        "W; @%p2 st.release.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.acquire.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; MET: bar.sync 0; R",
        false,
    ),
    pair(
        "8.9.4 the end of a thread is not a barrier: a release by the last thread of the warp is not after the others' writes",
        "W; @!%p2 ret; st.release.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.acquire.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; MET: bar.sync 0; \
        setp.lt.u32 %p1, %r1, 32; @%p1 ret; R",
        false,
    ),
    pair(
        "8.9.4 no barrier after: what other threads read is not after the acquire",
        "W; bar.sync 0; @%p2 st.release.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.acquire.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; MET: R",
        false,
    ),
    pair(
        "8.5 and 8.7 the release's scope has not the other block: not morally strong",
        "W; bar.sync 0; @%p2 st.release.cta.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.acquire.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; MET: bar.sync 0; R",
        false,
    ),
    pair(
        "8.5 and 8.7 nor has the acquire's",
        "W; bar.sync 0; @%p2 st.release.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.acquire.cta.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; MET: bar.sync 0; R",
        false,
    ),
    pair(
        "8.8 fences make relaxed accesses patterns of release and acquire, 8.9.5 over barriers",
        "W; bar.sync 0; fence.acq_rel.gpu; @%p2 st.relaxed.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.relaxed.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; fence.acq_rel.gpu; MET: bar.sync 0; R",
        true,
    ),
    pair(
        "8.8 and 8.5 a fence of the block's scope makes none between blocks",
        "W; bar.sync 0; fence.acq_rel.cta; @%p2 st.relaxed.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.relaxed.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; fence.acq_rel.gpu; MET: bar.sync 0; R",
        false,
    ),
    pair(
        "8.4 volatile is strong, and 8.8 with fences a pattern",
        "W; membar.gl; bar.sync 0; @%p2 st.volatile.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.volatile.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; membar.gl; MET: bar.sync 0; R",
        true,
    ),
    pair(
        "8.4 and 8.8 without a fence it is none",
        "W; bar.sync 0; @%p2 st.volatile.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.volatile.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; membar.gl; MET: bar.sync 0; R",
        false,
    ),
    pair(
        "8.8 a relaxed load without a fence after it is no pattern of acquire",
        "W; bar.sync 0; @%p2 st.release.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.relaxed.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; MET: bar.sync 0; R",
        false,
    ),
    pair(
        "8.8 with one it is, 8.9.5 over the barrier behind it",
        "W; bar.sync 0; @%p2 st.release.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.relaxed.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; fence.acq_rel.gpu; MET: bar.sync 0; R",
        true,
    ),
    pair(
        "8.9.4 with the fence behind the barrier, which hands on what was observed (as `grid_sync` of the fixtures, which an H200 runs)",
        "W; bar.sync 0; @%p2 st.release.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.relaxed.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; MET: bar.sync 0; fence.acq_rel.gpu; R",
        true,
    ),
    pair(
        "8.8 and 8.5 a fence of the block's scope after it makes none between blocks",
        "W; bar.sync 0; @%p2 st.release.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: ld.relaxed.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; fence.acq_rel.cta; MET: bar.sync 0; R",
        false,
    ),
    pair(
        "8.8 the fence before it is none after it",
        "W; bar.sync 0; @%p2 st.release.gpu.global.u32 [count], %r6;",
        "@!%p2 bra MET; WAIT: fence.acq_rel.gpu; ld.relaxed.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; MET: bar.sync 0; R",
        false,
    ),
    pair(
        "8.8 the last block draws a ticket by an atomic: with a fence before it a pattern of release",
        "W; membar.gl; bar.sync 0; @%p2 atom.global.add.u32 %r7, [count], 1;",
        "@!%p2 bra MET; WAIT: atom.global.add.u32 %r7, [count], 0; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; membar.gl; MET: bar.sync 0; R",
        true,
    ),
    pair(
        "8.8 without that fence (`__threadfence`) it is none",
        "W; bar.sync 0; @%p2 atom.global.add.u32 %r7, [count], 1;",
        "@!%p2 bra MET; WAIT: atom.global.add.u32 %r7, [count], 0; setp.eq.u32 %p1, %r7, 0; @%p1 bra WAIT; membar.gl; MET: bar.sync 0; R",
        false,
    ),
    Case {
        rules: "8.9.2 observation order goes through another block's relaxed atomic, 8.9.4 so the release synchronizes with the acquire",
        blocks: 3,
        writes: "W; bar.sync 0; @%p2 st.release.gpu.global.u32 [count], %r6;",
        passes: "@!%p2 ret; HAND: ld.relaxed.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra HAND; atom.relaxed.gpu.global.add.u32 %r7, [count], 1;",
        reads: "@!%p2 bra MET; WAIT: ld.acquire.gpu.global.u32 %r7, [count]; setp.lt.u32 %p1, %r7, 2; @%p1 bra WAIT; MET: bar.sync 0; R",
        ordered: true,
    },
    Case {
        rules: "8.9.2 a relaxed store between them observes nothing: the chain ends",
        blocks: 3,
        writes: "W; bar.sync 0; @%p2 st.release.gpu.global.u32 [count], %r6;",
        passes: "@!%p2 ret; HAND: ld.relaxed.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra HAND; st.relaxed.gpu.global.u32 [count], 2;",
        reads: "@!%p2 bra MET; WAIT: ld.acquire.gpu.global.u32 %r7, [count]; setp.lt.u32 %p1, %r7, 2; @%p1 bra WAIT; MET: bar.sync 0; R",
        ordered: false,
    },
    Case {
        rules: "8.9.5 causality goes through a thread that acquires and then releases, whatever it stores",
        blocks: 3,
        writes: "W; bar.sync 0; @%p2 st.release.gpu.global.u32 [count], %r6;",
        passes: "@!%p2 ret; HAND: ld.acquire.gpu.global.u32 %r7, [count]; setp.eq.u32 %p1, %r7, 0; @%p1 bra HAND; st.release.gpu.global.u32 [count], 2;",
        reads: "@!%p2 bra MET; WAIT: ld.acquire.gpu.global.u32 %r7, [count]; setp.lt.u32 %p1, %r7, 2; @%p1 bra WAIT; MET: bar.sync 0; R",
        ordered: true,
    },
];

#[test]
fn accesses_are_ordered_only_as_the_rules_say() {
    for case in CASES {
        let part = |text: &str| text.replace("W;", WRITE).replace("R;", READ).replace(" R", &format!(" {READ}"));
        let body = format!(
            "mov.u32 %r5, %ctaid.x; mov.u32 %r6, 1; setp.eq.u32 %p2, %r1, 0;\n\
            setp.eq.u32 %p1, %r5, 0; @%p1 bra WRITES; setp.eq.u32 %p1, %r5, {}; @%p1 bra READS;\n\
            {} ret;\nWRITES: {} ret;\nREADS: {} ret;",
            case.blocks - 1,
            part(case.passes),
            part(case.writes),
            part(case.reads)
        );
        let (_, hazards) = outcome(&body, case.blocks, 64);
        assert_eq!(hazards.is_empty(), case.ordered, "{}: {hazards:?}", case.rules);
    }
}

/// Each block writes a word and draws a ticket; the block with the last ticket reads all words. Without
/// `__threadfence` before the ticket nothing orders them, whatever was read (8.8: no release without a fence).
#[test]
fn a_last_block_without_a_fence_before_its_ticket_is_a_race() {
    let body = |fence: &str| {
        format!(
            "mov.u32 %r5, %ctaid.x; mul.wide.u32 %rd3, %r5, 4; add.u64 %rd3, %rd1, %rd3; st.global.u32 [%rd3+256], %r5;\n\
            {fence} atom.global.add.u32 %r6, [count], 1; setp.ne.u32 %p1, %r6, 3; @%p1 ret; membar.gl;\n\
            ld.global.u32 %r5, [%rd1+256]; ld.global.u32 %r6, [%rd1+260]; add.u32 %r5, %r5, %r6;\n\
            ld.global.u32 %r6, [%rd1+264]; add.u32 %r5, %r5, %r6; ld.global.u32 %r6, [%rd1+268]; add.u32 %r5, %r5, %r6;\n\
            st.global.u32 [%rd1], %r5;"
        )
    };
    let (words, hazards) = outcome(&body("membar.gl;"), 4, 1);
    assert_eq!((words[0], hazards), (6, vec![]));
    let (words, hazards) = outcome(&body(""), 4, 1);
    assert_eq!(words[0], 6);
    assert!(!hazards.is_empty() && hazards.iter().all(|hazard| *hazard == HazardKind::Raw), "{hazards:?}");
}
