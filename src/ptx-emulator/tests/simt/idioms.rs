//! Idioms of published kernels that are correct although they look incorrect. Threads leave before a barrier, which
//! then does not wait for them, and the last block resets its counter. An NVIDIA H200 (driver 580.159.04, 22 November
//! 2026) runs these kernels and leaves the same words, twice.

use ptx_emulator::{Arg, Control, HazardKind, HazardSeverity, Launch, Measure, Memory, Module, Options, run};

/// Returns the words of `out` and the kinds of hazards, except stores of equal values, after `k(.param .u64 out)` with this body.
pub(crate) fn outcome(body: &str, grid: u32, block: u32) -> (Vec<u32>, Vec<HazardKind>) {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 count;\n.visible .entry k(.param .u64 out)\n{{\n\
        .reg .u32 %r<8>; .reg .u64 %rd<4>; .reg .pred %p<3>; .shared .align 4 .b8 s[256];\n\
        ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r4, %r3, %r2;\n\
        mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;\n{body}\n}}\n"
    );
    let kernel = Module::parse(&text).unwrap().kernel("k").unwrap();
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 512]);
    let launch = Launch { grid: [grid, 1, 1], block: [block, 1, 1], args: vec![Arg::Buffer(out)], ..Launch::default() };
    let options = Options { measure: Measure::All, global_hazards: true, ..Options::default() };
    let run = run(&kernel, &launch, &mut memory, &options, &Control::default()).unwrap();
    let words = memory.read(out)[..256].chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    let matters = run.hazards.iter().filter(|hazard| hazard.severity != HazardSeverity::SameValue);
    (words.collect(), matters.map(|hazard| hazard.kind).collect())
}

/// `if (tid >= 40) return; s[tid] = tid; __syncthreads(); out[tid] = s[39 - tid];` as compilers write it: threads
/// that leave jump to the only `ret`, at the end.
#[test]
fn barriers_do_not_wait_for_threads_that_left_early() {
    let rest = "st.shared.u32 [%r4], %r1; bar.sync 0; sub.u32 %r5, 39, %r1; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, %r3;\n\
        ld.shared.u32 %r6, [%r5]; st.global.u32 [%rd2], %r6;";
    let reversed: Vec<u32> = (0..40).rev().chain([0; 24]).collect();
    for leaves in ["@%p1 bra DONE;", "@%p1 ret;", "@%p1 exit;"] {
        let body = format!("setp.ge.u32 %p1, %r1, 40; {leaves} {rest} DONE: ret;");
        assert_eq!(outcome(&body, 1, 64), (reversed.clone(), vec![]), "{leaves}");
    }
    // Without the barrier the warps are not ordered: the second warp's eight remaining lanes read what the first
    // wrote.
    let racy = format!("setp.ge.u32 %p1, %r1, 40; @%p1 bra DONE; {} DONE: ret;", rest.replace("bar.sync 0;", ""));
    assert!(outcome(&racy, 1, 64).1.contains(&HazardKind::Raw));
}

/// Warp 1 reads and exits. Its exit completes the barrier at which warp 0 waits before it writes.
#[test]
fn the_end_of_a_thread_completes_a_barrier_and_orders_its_accesses() {
    let body = |barrier: &str| {
        format!(
            "st.shared.u32 [%r4], %r1; bar.sync 0; setp.lt.u32 %p1, %r1, 32; @%p1 bra STAY;\n\
            ld.shared.u32 %r5, [s]; st.global.u32 [%rd2], %r5; ret;\n\
            STAY: {barrier} mov.u32 %r6, 7; st.shared.u32 [s], %r6; ret;"
        )
    };
    assert_eq!(outcome(&body("bar.sync 0;"), 1, 64), (vec![0; 64], vec![]));
    assert_eq!(outcome(&body(""), 1, 64).1, [HazardKind::War]);
    // A barrier with a count of 32 threads does not wait for the other warp, ended or not.
    assert_eq!(outcome(&body("bar.sync 1, 32;"), 1, 64).1, [HazardKind::War]);
}

/// Each block draws a ticket; the block with the last ticket resets the counter with a weak store.
#[test]
fn the_last_block_may_reset_its_ticket_counter() {
    let body = |fence: &str, draw: &str| {
        format!(
            "mov.u32 %r5, %nctaid.x; membar.gl; {draw}; {fence} sub.u32 %r5, %r5, 1; setp.ne.u32 %p1, %r6, %r5; @%p1 bra DONE;\n\
            mov.u32 %r7, 0; st.global.u32 [count], %r7; st.global.u32 [%rd1], %r6; DONE: ret;"
        )
    };
    let draw = "atom.global.inc.u32 %r6, [count], %r5";
    for fence in ["", "membar.gl;"] {
        let (words, hazards) = outcome(&body(fence, draw), 4, 1);
        assert_eq!((words[0], hazards), (3, vec![]), "{fence}");
    }
    // A block that resets the counter without a ticket conflicts with those that count.
    let (_, hazards) =
        outcome("mov.u32 %r7, 0; st.global.u32 [count], %r7; atom.global.inc.u32 %r6, [count], 9; ret;", 4, 1);
    assert_eq!(hazards, [HazardKind::Waw]);
    // A block that reads the counter with a weak load before it draws also conflicts.
    let peeks = format!("ld.global.u32 %r7, [count]; {}", body("", draw));
    assert!(outcome(&peeks, 4, 1).1.contains(&HazardKind::Raw));
}

/// A thread whose strong load has seen a flag set may clear it with a weak store.
#[test]
fn a_thread_that_observed_a_strong_store_may_store_weakly() {
    let body = |load: &str| {
        format!(
            "mov.u32 %r5, %ctaid.x; setp.eq.u32 %p1, %r5, 0; @!%p1 bra WAIT; mov.u32 %r6, 1; st.relaxed.gpu.global.u32 [count], %r6; ret;\n\
            WAIT: {load} %r6, [count]; setp.eq.u32 %p2, %r6, 0; @%p2 bra WAIT;\n\
            mov.u32 %r7, 0; st.global.u32 [count], %r7; ret;"
        )
    };
    assert_eq!(outcome(&body("ld.relaxed.gpu.global.u32"), 2, 1).1, []);
}
