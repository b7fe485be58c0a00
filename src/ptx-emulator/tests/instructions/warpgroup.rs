//! `wgmma` with both operands in shared memory, and its errors.

use crate::support::{Random, options};
use ptx_emulator::{Arg, Control, Fault, Launch, Measure, Memory, Module, Options, Run, Schedule, run};
use std::fmt::Write as _;

const TILE: usize = 49152;

/// Creates a kernel that copies `image` to shared memory, runs `body` with the tile's descriptor address in %rd8, and
/// stores the 128 accumulators of each thread. It lacks the proxy fence that a GPU needs, because these tests check
/// results, not hazards.
fn kernel(body: &str) -> String {
    let mut text = format!(
        ".version 8.0\n.target sm_90a\n.address_size 64\n\
        .visible .entry k(.param .u64 image, .param .u64 d)\n{{\n\
        .reg .f32 %c<128>; .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .pred %p<4>;\n\
        .shared .align 1024 .b8 tile[{TILE}];\n\
        ld.param.u64 %rd1, [image]; ld.param.u64 %rd3, [d];\n\
        mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mov.u32 %r3, %r1;\n\
        L: mul.wide.u32 %rd6, %r3, 4; add.u64 %rd7, %rd6, %rd1; ld.global.b32 %r4, [%rd7];\n\
        mad.lo.u32 %r5, %r3, 4, %r2; st.shared.b32 [%r5], %r4;\n\
        add.u32 %r3, %r3, 128; setp.lt.u32 %p1, %r3, {}; @%p1 bra L;\n\
        bar.sync 0;\n\
        shr.u32 %r6, %r2, 4; cvt.u64.u32 %rd8, %r6;\n\
        setp.eq.u32 %p2, 0, 0; setp.ne.u32 %p3, 0, 0;\n{body}\n\
        mul.wide.u32 %rd6, %r1, 4; add.u64 %rd3, %rd3, %rd6;\n",
        TILE / 4
    );
    for i in 0..128 {
        let _ = writeln!(text, "st.global.f32 [%rd3+{}], %c{i};", 512 * i);
    }
    text + "ret;\n}\n"
}

fn launch(body: &str, image: &[u8], threads: u32, options: &Options) -> Result<Vec<f32>, Fault> {
    measured(body, image, threads, options).map(|(out, _)| out)
}

fn measured(body: &str, image: &[u8], threads: u32, options: &Options) -> Result<(Vec<f32>, Run), Fault> {
    let kernel = Module::parse(&kernel(body))?.kernel("k")?;
    let mut memory = Memory::new();
    let (image, out) = (memory.add("image", image), memory.add("D", &[0; 4 * 128 * 128]));
    let args = vec![Arg::Buffer(image), Arg::Buffer(out)];
    let launch = Launch { grid: [1; 3], block: [threads, 1, 1], args, ..Launch::default() };
    let done = run(&kernel, &launch, &mut memory, options, &Control::default())?;
    Ok((memory.read_f32(out), done))
}

fn registers() -> String {
    let all: Vec<String> = (0..128).map(|i| format!("%c{i}")).collect();
    format!("{{{}}}", all.join(", "))
}

/// Encodes a small integer in bf16.
fn bf16(value: i32) -> [u8; 2] {
    (((value as f32).to_bits() >> 16) as u16).to_le_bytes()
}

#[test]
fn a_64_by_256_product_uses_swizzled_tiles_and_a_transposed_one() {
    let mut random = Random(31);
    let (rows, columns, depth) = (64, 256, 32);
    let mut small = |count: usize| (0..count).map(|_| (random.bits() % 9) as i32 - 4).collect::<Vec<i32>>();
    let (a, b) = (small(rows * depth), small(depth * columns));
    let mut image = vec![0u8; TILE];
    // The layout is that of a tensor map with boxes of 64 columns and a swizzle of 128 bytes. A is stored row by row
    // at 0, and the first half of its 64 columns is used. B is stored in four boxes of 64 columns, line by line, from
    // 8192 on.
    let mut put = |start: usize, line: usize, column: usize, value: i32| {
        let at = line * 128 + ((2 * column) ^ (line % 8 * 16));
        image[start + at..start + at + 2].copy_from_slice(&bf16(value));
    };
    for row in 0..rows {
        (0..depth).for_each(|k| put(0, row, k, a[row * depth + k]));
    }
    for k in 0..depth {
        (0..columns).for_each(|n| put(8192 + n / 64 * 8192, k, n % 64, b[k * columns + n]));
    }
    // A: stride 1024 bytes. B: 8192 bytes between boxes, 1024 bytes between groups of eight lines.
    let all = registers();
    let mut body = "wgmma.fence.sync.aligned;\n".to_owned();
    for step in 0..2u64 {
        let a = (1u64 << 62) | (64 << 32) | (1 << 16) | (step * 2);
        let b = (1u64 << 62) | (64 << 32) | (512 << 16) | ((8192 + step * 2048) >> 4);
        let scale = if step == 0 { "%p3" } else { "%p2" };
        let _ = writeln!(
            body,
            "add.u64 %rd9, %rd8, {a:#x}; add.u64 %rd10, %rd8, {b:#x};\n\
            wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {all}, %rd9, %rd10, {scale}, 1, 1, 0, 1;"
        );
    }
    body += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
    let out = launch(&body, &image, 128, &options(Measure::None)).unwrap();
    for thread in 0..128 {
        for i in 0..128 {
            let row = thread / 32 * 16 + thread % 32 / 4 + 8 * (i / 2 % 2);
            let column = 8 * (i / 4) + 2 * (thread % 4) + i % 2;
            let sum: i32 = (0..depth).map(|k| a[row * depth + k] * b[k * columns + column]).sum();
            assert_eq!(out[128 * i + thread], sum as f32, "row {row}, column {column}");
        }
    }
}

/// Warp 0 fills the operands with zeros as soon as it has waited for the product. The product belongs to four warps,
/// so none of them needs the operands any more.
#[test]
fn waiting_for_a_group_covers_all_four_warps() {
    let all = registers();
    let a = (1u64 << 62) | (64 << 32) | (1 << 16);
    let b = (1u64 << 62) | (64 << 32) | (512 << 16) | (8192 >> 4);
    // Also with an empty group after it, which does not have to be waited for.
    for (commits, pending) in [(1, 0), (2, 0), (2, 1)] {
        let body = format!(
            "fence.proxy.async.shared::cta; bar.sync 0;\n\
            add.u64 %rd9, %rd8, {a:#x}; add.u64 %rd10, %rd8, {b:#x};\n\
            wgmma.fence.sync.aligned;\n\
            wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {all}, %rd9, %rd10, %p3, 1, 1, 0, 1;\n\
            {}wgmma.wait_group.sync.aligned {pending};\n\
            setp.ge.u32 %p1, %r1, 32; @%p1 bra DONE;\n\
            mov.u32 %r3, %r1; mov.u32 %r4, 0;\n\
            Z: mad.lo.u32 %r5, %r3, 16, %r2; st.shared.v4.b32 [%r5], {{%r4, %r4, %r4, %r4}};\n\
            add.u32 %r3, %r3, 32; setp.lt.u32 %p1, %r3, {}; @%p1 bra Z;\n\
            DONE:",
            "wgmma.commit_group.sync.aligned;\n".repeat(commits),
            TILE / 16
        );
        for schedule in [Schedule::InOrder, Schedule::RoundRobin, Schedule::Priority(vec![3, 2, 1, 0])] {
            let options = Options { schedule, ..options(Measure::All) };
            let (out, done) = measured(&body, &bf16(1).repeat(TILE / 2), 128, &options).unwrap();
            assert!(out.iter().all(|sum| *sum == 16.0), "{commits} groups, all but {pending}");
            assert!(done.hazards.is_empty(), "{:?}", done.hazards);
        }
    }
}
