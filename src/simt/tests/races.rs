//! Small kernels in families of faults that irregular programs have: a missing atomic, barrier, fence or guard. Each
//! fault has a correct kernel next to it. All kernels run on three graphs, in five launches each.
//!
//! The detector must report each kernel with a fault in every run in which two threads race, and nothing in all others.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use ptx_emulator::{Arg, Control, Hazard, HazardSeverity, Launch, Measure, Memory, Module, Options, Schedule, run};

/// The runs in which a kernel has a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Races {
    Never,
    /// In every launch, and on every graph.
    Always,
    /// Only if a block has two warps or more.
    Warps,
    /// Only if a block has more than two warps.
    FourWarps,
    /// Only if the grid has two warps or more.
    Many,
    /// Only with two blocks or more.
    Blocks,
    /// Only on graphs where two vertices have a common neighbour.
    Shared,
    /// Only equal values are stored.
    Equal,
}

struct Kernel {
    family: &'static str,
    name: &'static str,
    body: &'static str,
    races: Races,
}

const fn kernel(family: &'static str, name: &'static str, races: Races, body: &'static str) -> Kernel {
    Kernel { family, name, body, races }
}

use Races::{Always, Blocks, Equal, FourWarps, Many, Never, Shared, Warps};

/// `%r0` is the thread's number in the grid, `%r1` in its block, `%r2` the number of threads, `%r3` the block's number.
/// `%rd0` points to `out`, `%rd4` to the thread's word there, `%rd5` to its value. `EDGES { … }` runs for each
/// neighbour, with its number in `%r10`, and `%rd10` and `%rd11` pointing to its word and its value.
const KERNELS: &[Kernel] = &[
    // Counters.
    kernel("counter", "plain", Always, "ld.global.u32 %r4, [%rd0]; add.u32 %r4, %r4, 1; st.global.u32 [%rd0], %r4;"),
    kernel("counter", "atomic", Never, "red.global.add.u32 [%rd0], 1;"),
    kernel("counter", "returning", Never, "atom.global.add.u32 %r4, [%rd0], 1; st.global.u32 [%rd4+4096], %r4;"),
    kernel("counter", "read_plainly", Always, "atom.global.add.u32 %r4, [%rd0], 1; ld.global.u32 %r5, [%rd0];"),
    kernel("counter", "volatile", Never, "ld.volatile.global.u32 %r4, [%rd0]; st.volatile.global.u32 [%rd0], %r4;"),
    kernel("counter", "half_volatile", Always, "ld.volatile.global.u32 %r4, [%rd0]; st.global.u32 [%rd0], %r0;"),
    kernel("counter", "own", Never, "ld.global.u32 %r4, [%rd4]; add.u32 %r4, %r4, 1; st.global.u32 [%rd4], %r4;"),
    // Scopes.
    kernel("scope", "block", Blocks, "atom.cta.global.add.u32 %r4, [%rd0], 1;"),
    kernel("scope", "device", Never, "atom.gpu.global.add.u32 %r4, [%rd0], 1;"),
    kernel("scope", "mixed", Blocks, "atom.gpu.global.add.u32 %r4, [%rd0], 1; ld.relaxed.cta.global.u32 %r4, [%rd0];"),
    kernel(
        "scope",
        "block_own",
        Never,
        "mul.wide.u32 %rd6, %r3, 4; add.u64 %rd6, %rd0, %rd6; atom.cta.global.add.u32 %r4, [%rd6], 1;",
    ),
    // Lists of work.
    kernel(
        "worklist",
        "plain",
        Always,
        "ld.global.u32 %r4, [%rd0]; add.u32 %r5, %r4, 1; st.global.u32 [%rd0], %r5;\n\
        mul.wide.u32 %rd6, %r4, 4; add.u64 %rd6, %rd0, %rd6; st.global.u32 [%rd6+4], %r0;",
    ),
    kernel(
        "worklist",
        "atomic",
        Never,
        "atom.global.add.u32 %r4, [%rd0], 1; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd6, %rd0, %rd6; st.global.u32 [%rd6+4], %r0;",
    ),
    kernel(
        "worklist",
        "neighbour",
        Many,
        "ld.global.u32 %r4, [%rd0]; add.u32 %r5, %r4, %r0; bar.warp.sync -1; st.global.u32 [%rd4+4], %r5;\n\
        bar.warp.sync -1; ld.global.u32 %r5, [%rd4+8];",
    ),
    // Vertices that push to their neighbours.
    kernel(
        "push",
        "plain",
        Shared,
        "EDGES { ld.global.u32 %r4, [%rd10]; add.u32 %r4, %r4, 1; st.global.u32 [%rd10], %r4; }",
    ),
    kernel("push", "atomic", Never, "EDGES { red.global.add.u32 [%rd10], 1; }"),
    kernel(
        "push",
        "guarded_atomic",
        Shared,
        "EDGES { ld.global.u32 %r4, [%rd10]; setp.lt.u32 %p2, %r4, %r0; @%p2 red.global.max.u32 [%rd10], %r0; }",
    ),
    kernel(
        "push",
        "guarded_relaxed",
        Never,
        "EDGES { ld.relaxed.gpu.global.u32 %r4, [%rd10]; setp.lt.u32 %p2, %r4, %r0; @%p2 red.global.max.u32 [%rd10], %r0; }",
    ),
    kernel("push", "id", Shared, "EDGES { st.global.u32 [%rd10], %r0; }"),
    kernel("push", "flag", Shared, "mov.u32 %r4, 1; EDGES { st.global.u32 [%rd10], %r4; }"),
    // Vertices that pull from their neighbours.
    kernel(
        "pull",
        "two_arrays",
        Never,
        "mov.u32 %r4, 0; EDGES { ld.global.u32 %r5, [%rd11]; max.u32 %r4, %r4, %r5; } st.global.u32 [%rd4], %r4;",
    ),
    kernel(
        "pull",
        "in_place",
        Always,
        "mov.u32 %r4, 0; EDGES { ld.global.u32 %r5, [%rd10]; max.u32 %r4, %r4, %r5; } st.global.u32 [%rd4], %r4;",
    ),
    kernel(
        "pull",
        "in_place_relaxed",
        Never,
        "mov.u32 %r4, 0; EDGES { ld.relaxed.gpu.global.u32 %r5, [%rd10]; max.u32 %r4, %r4, %r5; } st.relaxed.gpu.global.u32 [%rd4], %r4;",
    ),
    kernel(
        "pull",
        "own_value",
        Never,
        "ld.global.u32 %r4, [%rd5]; EDGES { add.u32 %r4, %r4, 1; } st.global.u32 [%rd5], %r4;",
    ),
    // Compression of paths.
    kernel("path", "plain", Always, "EDGES { ld.global.u32 %r4, [%rd10]; st.global.u32 [%rd4], %r4; }"),
    kernel(
        "path",
        "relaxed",
        Never,
        "EDGES { ld.relaxed.gpu.global.u32 %r4, [%rd10]; st.relaxed.gpu.global.u32 [%rd4], %r4; }",
    ),
    kernel(
        "path",
        "compare_and_swap",
        Never,
        "EDGES { ld.relaxed.gpu.global.u32 %r4, [%rd10]; atom.global.cas.b32 %r5, [%rd4], %r4, %r0; }",
    ),
    kernel(
        "path",
        "after_compare_and_swap",
        Always,
        "EDGES { ld.global.u32 %r4, [%rd10]; atom.global.cas.b32 %r5, [%rd4], %r4, %r0; }",
    ),
    // Histograms.
    kernel(
        "histogram",
        "plain",
        Always,
        "and.b32 %r4, %r0, 7; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd6, %rd0, %rd6;\n\
        ld.global.u32 %r5, [%rd6]; add.u32 %r5, %r5, 1; st.global.u32 [%rd6], %r5;",
    ),
    kernel(
        "histogram",
        "atomic",
        Never,
        "and.b32 %r4, %r0, 7; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd6, %rd0, %rd6; red.global.add.u32 [%rd6], 1;",
    ),
    kernel(
        "histogram",
        "cleared_by_all",
        Always,
        "and.b32 %r4, %r0, 7; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd6, %rd0, %rd6;\n\
        mov.u32 %r5, 0; st.global.u32 [%rd6], %r5; red.global.add.u32 [%rd6], 1;",
    ),
    kernel(
        "histogram",
        "of_the_block",
        Never,
        "and.b32 %r4, %r1, 7; shl.b32 %r5, %r3, 3; add.u32 %r5, %r5, %r4; mul.wide.u32 %rd6, %r5, 4; add.u64 %rd6, %rd0, %rd6;\n\
        mov.u32 %r6, 0; setp.lt.u32 %p0, %r1, 8; @%p0 st.global.u32 [%rd6], %r6; bar.sync 0; red.global.add.u32 [%rd6], 1;",
    ),
    // Exchanges inside a block.
    kernel(
        "exchange",
        "no_barrier",
        Always,
        "OWN st.global.u32 [%rd6], %r1; OTHER ld.global.u32 %r5, [%rd7]; st.global.u32 [%rd4+65536], %r5;",
    ),
    kernel(
        "exchange",
        "barrier",
        Never,
        "OWN st.global.u32 [%rd6], %r1; OTHER bar.sync 0; ld.global.u32 %r5, [%rd7]; st.global.u32 [%rd4+65536], %r5;",
    ),
    kernel(
        "exchange",
        "warp_barrier",
        Warps,
        "OWN st.global.u32 [%rd6], %r1; OTHER bar.warp.sync -1; ld.global.u32 %r5, [%rd7]; st.global.u32 [%rd4+65536], %r5;",
    ),
    kernel(
        "exchange",
        "no_second_barrier",
        Always,
        "OWN st.global.u32 [%rd6], %r1; OTHER bar.sync 0; ld.global.u32 %r5, [%rd7]; add.u32 %r5, %r5, 1; st.global.u32 [%rd6], %r5;",
    ),
    kernel(
        "exchange",
        "second_barrier",
        Never,
        "OWN st.global.u32 [%rd6], %r1; OTHER bar.sync 0; ld.global.u32 %r5, [%rd7]; bar.sync 0; st.global.u32 [%rd6], %r5;",
    ),
    kernel(
        "exchange",
        "pairs_of_the_warp",
        Never,
        "xor.b32 %r6, %r1, 1; OWN mul.wide.u32 %rd7, %r6, 4; add.u64 %rd7, %rd7, %rd8;\n\
        st.global.u32 [%rd6], %r1; bar.warp.sync -1; ld.global.u32 %r5, [%rd7];",
    ),
    // Neighbours of one warp.
    kernel(
        "lanes",
        "no_sync",
        Always,
        "st.global.u32 [%rd4], %r0; xor.b32 %r4, %r0, 1; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd6, %rd0, %rd6; ld.global.u32 %r5, [%rd6];",
    ),
    kernel(
        "lanes",
        "sync",
        Never,
        "st.global.u32 [%rd4], %r0; bar.warp.sync -1; xor.b32 %r4, %r0, 1; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd6, %rd0, %rd6; ld.global.u32 %r5, [%rd6];",
    ),
    kernel(
        "lanes",
        "shuffle",
        Never,
        "st.global.u32 [%rd4], %r0; shfl.sync.bfly.b32 %r6, %r0, 1, 31, -1; mul.wide.u32 %rd6, %r6, 4; add.u64 %rd6, %rd0, %rd6; ld.global.u32 %r5, [%rd6];",
    ),
    kernel(
        "lanes",
        "pairs_meet",
        Never,
        "and.b32 %r6, %r1, 30; mov.u32 %r7, 3; shl.b32 %r7, %r7, %r6; st.global.u32 [%rd4], %r0; bar.warp.sync %r7;\n\
        xor.b32 %r4, %r0, 1; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd6, %rd0, %rd6; ld.global.u32 %r5, [%rd6];",
    ),
    kernel(
        "lanes",
        "wrong_pairs_meet",
        Always,
        "and.b32 %r6, %r1, 30; mov.u32 %r7, 3; shl.b32 %r7, %r7, %r6; st.global.u32 [%rd4], %r0; bar.warp.sync %r7;\n\
        xor.b32 %r4, %r0, 2; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd6, %rd0, %rd6; ld.global.u32 %r5, [%rd6];",
    ),
    // Reductions in global memory.
    kernel("reduction", "every_barrier", Never, "OWN st.global.u32 [%rd6], %r1; HALVE { bar.sync 0; } bar.sync 0;"),
    kernel("reduction", "no_barrier", Always, "OWN st.global.u32 [%rd6], %r1; bar.sync 0; HALVE { }"),
    kernel(
        "reduction",
        "warp_barriers",
        FourWarps,
        "OWN st.global.u32 [%rd6], %r1; bar.sync 0; HALVE { bar.warp.sync -1; }",
    ),
    kernel("reduction", "no_first_barrier", Always, "OWN st.global.u32 [%rd6], %r1; HALVE { } bar.sync 0;"),
    // Flags between threads.
    kernel(
        "flag",
        "fences",
        Never,
        "PUBLISH membar.gl; st.relaxed.gpu.global.u32 [%rd0+128], %r9; AWAIT membar.gl; DONE",
    ),
    kernel(
        "flag",
        "no_fence_before",
        Blocks,
        "PUBLISH st.relaxed.gpu.global.u32 [%rd0+128], %r9; AWAIT membar.gl; DONE",
    ),
    kernel(
        "flag",
        "no_fence_after",
        Blocks,
        "PUBLISH membar.gl; st.relaxed.gpu.global.u32 [%rd0+128], %r9; AWAIT DONE",
    ),
    kernel("flag", "release_acquire", Never, "PUBLISH st.release.gpu.global.u32 [%rd0+128], %r9; AWAIT_ACQUIRE DONE"),
    kernel(
        "flag",
        "release_to_the_block",
        Blocks,
        "PUBLISH st.release.cta.global.u32 [%rd0+128], %r9; AWAIT_ACQUIRE DONE",
    ),
    kernel(
        "flag",
        "fence_of_the_block",
        Blocks,
        "PUBLISH membar.cta; st.relaxed.gpu.global.u32 [%rd0+128], %r9; AWAIT membar.gl; DONE",
    ),
    // The block that draws the last ticket.
    kernel("ticket", "fences", Never, "TICKET { membar.gl; } { membar.gl; }"),
    kernel("ticket", "no_fences", Blocks, "TICKET { } { }"),
    kernel("ticket", "no_fence_before", Blocks, "TICKET { } { membar.gl; }"),
    kernel("ticket", "no_fence_after", Blocks, "TICKET { membar.gl; } { }"),
    kernel(
        "ticket",
        "reductions",
        Blocks,
        "setp.ne.u32 %p0, %r1, 0; @%p0 bra END; red.global.add.u32 [%rd0], 1; atom.global.add.u32 %r4, [%rd0+128], 1;\n\
        mov.u32 %r5, %nctaid.x; sub.u32 %r5, %r5, 1; setp.ne.u32 %p0, %r4, %r5; @%p0 bra END; ld.global.u32 %r6, [%rd0];\n\
        st.global.u32 [%rd0+256], %r6; END:",
    ),
    kernel(
        "ticket",
        "reset",
        Never,
        "setp.ne.u32 %p0, %r1, 0; @%p0 bra END; atom.global.add.u32 %r4, [%rd0+128], 1;\n\
        mov.u32 %r5, %nctaid.x; sub.u32 %r5, %r5, 1; setp.ne.u32 %p0, %r4, %r5; @%p0 bra END; mov.u32 %r6, 0;\n\
        st.global.u32 [%rd0+128], %r6; END:",
    ),
    // Widths.
    kernel("width", "bytes", Never, "cvt.u64.u32 %rd6, %r0; add.u64 %rd6, %rd0, %rd6; st.global.u8 [%rd6], %r0;"),
    kernel(
        "width",
        "halves_of_words",
        Never,
        "mul.wide.u32 %rd6, %r0, 2; add.u64 %rd6, %rd0, %rd6; cvt.u16.u32 %h0, %r0; st.global.u16 [%rd6], %h0;",
    ),
    kernel(
        "width",
        "byte_under_word",
        Always,
        "st.global.u32 [%rd4], %r0; setp.eq.u32 %p0, %r0, 0; @%p0 bra END; ld.global.u8 %r5, [%rd4+-1]; END:",
    ),
    kernel(
        "width",
        "vectors",
        Never,
        "mul.wide.u32 %rd6, %r0, 16; add.u64 %rd6, %rd0, %rd6; st.global.v4.u32 [%rd6], {%r0, %r1, %r2, %r3};",
    ),
    kernel(
        "width",
        "overlapping_vectors",
        Always,
        "mul.wide.u32 %rd6, %r0, 8; add.u64 %rd6, %rd0, %rd6; and.b64 %rd6, %rd6, -16; st.global.v4.u32 [%rd6], {%r0, %r1, %r2, %r3};",
    ),
    kernel(
        "width",
        "last_word_of_a_vector",
        Always,
        "mul.wide.u32 %rd6, %r0, 16; add.u64 %rd6, %rd0, %rd6; st.global.v4.u32 [%rd6], {%r0, %r1, %r2, %r3};\n\
        setp.eq.u32 %p0, %r0, 0; @%p0 bra END; ld.global.u32 %r5, [%rd6+-4]; END:",
    ),
    // Guards.
    kernel("guard", "exact", Never, "setp.ge.u32 %p0, %r0, 17; @%p0 bra END; st.global.u32 [%rd4], %r0; END:"),
    kernel(
        "guard",
        "clamped",
        Always,
        "min.u32 %r4, %r0, 17; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd6, %rd0, %rd6; st.global.u32 [%rd6], %r0;",
    ),
    kernel(
        "guard",
        "wrapped",
        Always,
        "and.b32 %r4, %r0, 15; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd6, %rd0, %rd6; st.global.u32 [%rd6], %r0;",
    ),
    kernel(
        "guard",
        "one_too_many",
        Always,
        "setp.eq.u32 %p0, %r0, 0; @%p0 bra END; st.global.u32 [%rd4], %r0; st.global.u32 [%rd4+-4], %r0; END:",
    ),
    // Asynchronous copies.
    kernel(
        "copy",
        "overwritten",
        Always,
        "shl.b32 %r4, %r1, 2; mov.u32 %r5, s; add.u32 %r4, %r4, %r5; cp.async.ca.shared.global [%r4], [%rd4], 4;\n\
        st.global.u32 [%rd4], %r0; cp.async.wait_all;",
    ),
    kernel(
        "copy",
        "waited",
        Never,
        "shl.b32 %r4, %r1, 2; mov.u32 %r5, s; add.u32 %r4, %r4, %r5; cp.async.ca.shared.global [%r4], [%rd4], 4;\n\
        cp.async.wait_all; st.global.u32 [%rd4], %r0;",
    ),
    // Equal values.
    kernel("equal", "constant", Equal, "mov.u32 %r4, 1; st.global.u32 [%rd0], %r4;"),
    kernel("equal", "one_of_many", Never, "setp.ne.u32 %p0, %r0, 3; @%p0 bra END; st.global.u32 [%rd0], %r0; END:"),
    kernel("equal", "one_differs", Always, "min.u32 %r4, %r0, 1; st.global.u32 [%rd0], %r4;"),
    kernel("equal", "read_later", Always, "mov.u32 %r4, 1; st.global.u32 [%rd0], %r4; ld.global.u32 %r5, [%rd0];"),
];

/// Blocks and threads per block.
const LAUNCHES: [[u32; 2]; 5] = [[1, 32], [1, 64], [1, 256], [8, 32], [16, 64]];

/// Returns the neighbours of each vertex: of the next one only, of a hub and the next one, or of random ones.
fn graph(shape: usize, n: u32) -> Vec<Vec<u32>> {
    let neighbours = |v: u32| match shape {
        0 => vec![(v + 1) % n],
        1 => vec![0, (v + 1) % n],
        _ => (1..4).map(|edge| (v * 3 + edge).wrapping_mul(2_654_435_761) >> 7).map(|random| random % n).collect(),
    };
    (0..n).map(neighbours).collect()
}

/// Replaces the words of [`KERNELS`] by code.
fn expanded(body: &str) -> String {
    let mut text = body.to_owned();
    let mut braces = |word: &str| -> Option<Vec<String>> {
        let at = text.find(word)?;
        let rest = text[at + word.len()..].to_owned();
        let mut parts = Vec::new();
        let mut left = rest.trim_start();
        while let Some(inner) = left.strip_prefix('{') {
            let end = inner.find(" }").unwrap();
            parts.push(inner[..end].to_owned());
            left = inner[end + 2..].trim_start();
        }
        let after = left.to_owned();
        text = format!("{}@@{after}", &text[..at]);
        Some(parts)
    };
    let code = if let Some(parts) = braces("EDGES") {
        format!(
            "mul.wide.u32 %rd12, %r0, 4; add.u64 %rd12, %rd2, %rd12; ld.global.u32 %r11, [%rd12]; ld.global.u32 %r12, [%rd12+4];\n\
            LOOP: setp.ge.u32 %p1, %r11, %r12; @%p1 bra OVER; mul.wide.u32 %rd12, %r11, 4; add.u64 %rd12, %rd3, %rd12;\n\
            ld.global.u32 %r10, [%rd12]; mul.wide.u32 %rd12, %r10, 4; add.u64 %rd10, %rd0, %rd12; add.u64 %rd11, %rd1, %rd12;\n\
            {} add.u32 %r11, %r11, 1; bra LOOP; OVER:",
            parts[0]
        )
    } else if let Some(parts) = braces("HALVE") {
        format!(
            "mov.u32 %r8, %ntid.x; STEP: shr.u32 %r8, %r8, 1; setp.eq.u32 %p1, %r8, 0; @%p1 bra OVER; {}\n\
            setp.ge.u32 %p2, %r1, %r8; @%p2 bra SKIP; mul.wide.u32 %rd7, %r8, 4; add.u64 %rd7, %rd6, %rd7;\n\
            ld.global.u32 %r5, [%rd7]; ld.global.u32 %r6, [%rd6]; add.u32 %r5, %r5, %r6; st.global.u32 [%rd6], %r5;\n\
            SKIP: bra STEP; OVER:",
            parts[0]
        )
    } else if let Some(parts) = braces("TICKET") {
        format!(
            "setp.ne.u32 %p0, %r1, 0; @%p0 bra END; mul.wide.u32 %rd6, %r3, 4; add.u64 %rd6, %rd0, %rd6;\n\
            st.global.u32 [%rd6], %r3; {} atom.global.add.u32 %r4, [%rd0+128], 1; mov.u32 %r5, %nctaid.x; sub.u32 %r5, %r5, 1;\n\
            setp.ne.u32 %p0, %r4, %r5; @%p0 bra END; {} ld.global.u32 %r6, [%rd0]; st.global.u32 [%rd0+256], %r6; END:",
            parts[0], parts[1]
        )
    } else {
        String::new()
    };
    let spin = |load: &str| {
        format!(
            "LAST: setp.ne.u32 %p0, %r3, %r14; @%p0 bra END; WAIT: {load} %r5, [%rd0+128]; setp.eq.u32 %p1, %r5, 0; @%p1 bra WAIT;"
        )
    };
    text.replace("@@", &code)
        .replace("PUBLISH", "setp.ne.u32 %p0, %r1, 0; @%p0 bra END; mov.u32 %r9, 1; mov.u32 %r14, %nctaid.x; sub.u32 %r14, %r14, 1;\n\
            setp.ne.u32 %p0, %r3, 0; @%p0 bra LAST; st.global.u32 [%rd0], %r14;")
        .replace("AWAIT_ACQUIRE", &spin("ld.acquire.gpu.global.u32"))
        .replace("AWAIT", &spin("ld.relaxed.gpu.global.u32"))
        .replace("DONE", "ld.global.u32 %r6, [%rd0]; END:")
        .replace("OWN", "mov.u32 %r7, %ntid.x; mul.lo.u32 %r7, %r7, %r3; mul.wide.u32 %rd8, %r7, 4; add.u64 %rd8, %rd0, %rd8;\n\
            mul.wide.u32 %rd6, %r1, 4; add.u64 %rd6, %rd6, %rd8;")
        .replace("OTHER", "mov.u32 %r7, %ntid.x; sub.u32 %r7, %r7, %r1; sub.u32 %r7, %r7, 1; mul.wide.u32 %rd7, %r7, 4; add.u64 %rd7, %rd7, %rd8;")
}

fn hazards(kernel: &Kernel, shape: usize, [grid, block]: [u32; 2]) -> Vec<Hazard> {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
        .visible .entry k(.param .u64 out, .param .u64 value, .param .u64 first, .param .u64 edges)\n{{\n\
        .shared .align 16 .b8 s[1024]; .reg .b16 %h<4>; .reg .b32 %r<20>; .reg .b64 %rd<16>; .reg .pred %p<4>;\n\
        ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [value]; ld.param.u64 %rd2, [first]; ld.param.u64 %rd3, [edges];\n\
        mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.u32 %r0, %r3, %r4, %r1;\n\
        mov.u32 %r5, %nctaid.x; mul.lo.u32 %r2, %r4, %r5; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd5, %rd1, %rd4; add.u64 %rd4, %rd0, %rd4;\n\
        {}\nret;\n}}\n",
        expanded(kernel.body)
    );
    let loaded = Module::parse(&text).and_then(|module| module.kernel("k"));
    let loaded = loaded.unwrap_or_else(|error| panic!("{} {}: {error}\n{text}", kernel.family, kernel.name));
    let n = grid * block;
    let edges = graph(shape, n);
    let words = |all: Vec<u32>| all.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    let first = (0..=n as usize).map(|v| edges[..v].iter().map(Vec::len).sum::<usize>() as u32).collect();
    let mut memory = Memory::new();
    let args = vec![
        Arg::Buffer(memory.add("out", &vec![0; 1 << 17])),
        Arg::Buffer(memory.add("value", &words((0..n).collect()))),
        Arg::Buffer(memory.add("first", &words(first))),
        Arg::Buffer(memory.add("edges", &words(edges.concat()))),
    ];
    let launch = Launch { grid: [grid, 1, 1], block: [block, 1, 1], args, ..Launch::default() };
    let options = Options {
        measure: Measure::All,
        global_hazards: true,
        schedule: Schedule::Seeded(u64::from(grid + block) + shape as u64),
        ..Options::default()
    };
    let run = run(&loaded, &launch, &mut memory, &options, &Control::default());
    run.unwrap_or_else(|fault| panic!("{} {} {grid}x{block}: {fault}", kernel.family, kernel.name)).hazards
}

#[test]
fn every_race_is_reported_and_no_other() {
    let (mut found, mut racy, mut clean, mut wrong) = (0, 0, 0, Vec::new());
    for kernel in KERNELS {
        for shape in 0..3 {
            for launch in LAUNCHES {
                let races = match kernel.races {
                    Never => false,
                    Always | Equal => true,
                    Warps => launch[1] > 32,
                    FourWarps => launch[1] > 64,
                    Many => launch[0] * launch[1] > 32,
                    Blocks => launch[0] > 1,
                    Shared => shape != 0,
                };
                let hazards = hazards(kernel, shape, launch);
                racy += usize::from(races);
                clean += usize::from(!races);
                found += usize::from(races && !hazards.is_empty());
                let equal = hazards.iter().all(|hazard| hazard.severity == HazardSeverity::SameValue);
                if hazards.is_empty() == races || equal && !hazards.is_empty() && !may_be_equal(kernel) {
                    wrong.push(format!("{} {}, graph {shape}, {launch:?}: {hazards:?}", kernel.family, kernel.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{found} of {racy} found, {clean} without a race:\n{}", wrong.join("\n"));
    assert_eq!((KERNELS.len(), racy, clean), (75, 499, 626), "README.md states these numbers");
}

fn may_be_equal(kernel: &Kernel) -> bool {
    kernel.races == Equal || kernel.name == "flag"
}
