//! Compares bulk copies, reductions and `mbarrier`s with an NVIDIA H200 on random inputs. The fixtures hold digests
//! of its results (`scripts/gpu-copies`).

use crate::questions::{digest, splitmix, words};
use ptx_emulator::{
    Arg, BufferId, Columns, Control, Counts, Element, Fault, Fill, Kernel, Launch, Measure, Memory, Module, Options,
    Swizzle, TensorMap, TensorMapError, run,
};
use serde::Deserialize;
use std::collections::HashMap;

const HEAD: &str = ".version 8.6\n.target sm_90a\n.address_size 64\n";
/// Sizes in bytes of the source (also the initial contents of shared memory before a store), of the target, and of
/// shared memory.
const SOURCE: usize = 1 << 18;
const TARGET: usize = 1 << 16;
const SHARED: usize = 40960;

/// Reads a fixture, which must have `count` lines.
fn lines<T: for<'de> Deserialize<'de>>(fixture: &str, count: usize) -> Vec<T> {
    assert_eq!(fixture.lines().count(), count);
    fixture.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// Returns words: one in eight is subnormal as a float, one in eight is infinite or NaN.
fn contents(seed: u64, bytes: usize) -> Vec<u8> {
    (0..bytes as u64 / 4)
        .flat_map(|index| {
            let h = splitmix((seed << 32) + index);
            let word = match h >> 32 & 7 {
                0 => h as u32 & 0x807f_ffff,
                1 => h as u32 | 0x7f80_0000,
                _ => h as u32,
            };
            word.to_le_bytes()
        })
        .collect()
}

fn kernel(text: &str) -> Kernel {
    Module::parse(&format!("{HEAD}{text}"))
        .and_then(|module| module.kernel("k"))
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Launches a cluster of `cluster` blocks, or one block without a cluster.
fn go(kernel: &Kernel, memory: &mut Memory, threads: u32, cluster: Option<u32>, args: Vec<Arg>) -> Result<(), Fault> {
    let grid = [cluster.unwrap_or(1), 1, 1];
    let launch = Launch { grid, block: [threads, 1, 1], args, ..Launch::default() };
    let options = Options { cluster: cluster.map(|blocks| [blocks, 1, 1]), ..Options::default() };
    run(kernel, &launch, memory, &options, &Control::default()).map(drop)
}

fn hex(bytes: &[u8]) -> String {
    format!("{:016x}", digest(words(bytes, 4)))
}

#[derive(Deserialize, Clone)]
struct Map {
    element: String,
    rank: Option<usize>,
    dims: Vec<u64>,
    /// Some are too large for a map; these are negative here.
    strides: Vec<i64>,
    #[serde(rename = "box", default)]
    extent: Vec<u32>,
    /// For im2col: lower corner of the bounding box. The next three fields complete it.
    #[serde(default)]
    lower: Vec<i32>,
    #[serde(default)]
    upper: Vec<i32>,
    #[serde(default)]
    channels: u32,
    #[serde(default)]
    pixels: u32,
    steps: Vec<u32>,
    swizzle: usize,
    fill: usize,
    base: u64,
    #[serde(default)]
    interleave: u32,
}

impl Map {
    fn make(&self, address: u64) -> Result<TensorMap, TensorMapError> {
        let rank = self.rank.unwrap_or(self.dims.len());
        let element = match self.element.as_str() {
            "u8" => Element::U8,
            "u16" => Element::U16,
            "u32" => Element::U32,
            "s32" => Element::S32,
            "u64" => Element::U64,
            "s64" => Element::S64,
            "f16" => Element::F16,
            "f32" => Element::F32,
            "f64" => Element::F64,
            "bf16" => Element::Bf16,
            "f32.ftz" => Element::F32Ftz,
            "tf32" => Element::Tf32,
            "tf32.ftz" => Element::Tf32Ftz,
            other => panic!("{other}"),
        };
        let pad = |all: &[u32]| std::array::from_fn(|d| if d < rank { all.get(d).copied().unwrap_or(1) } else { 1 });
        let corner = |all: &[i32]| std::array::from_fn(|d| all.get(d).copied().unwrap_or(0));
        let columns = Columns {
            lower: corner(&self.lower),
            upper: corner(&self.upper),
            channels: self.channels,
            pixels: self.pixels,
        };
        let map = TensorMap {
            address: address + self.base,
            element,
            rank: rank as u32,
            dims: std::array::from_fn(|d| if d < rank { self.dims[d] } else { 1 }),
            strides: std::array::from_fn(|d| if d + 1 < rank { self.strides[d] as u64 } else { 0 }),
            extent: pad(&self.extent),
            element_strides: pad(&self.steps),
            swizzle: [Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128][self.swizzle],
            fill: [Fill::Zeros, Fill::Nan][self.fill],
            columns: self.extent.is_empty().then_some(columns),
        };
        map.check().map(|()| map)
    }
}

#[derive(Deserialize, Clone)]
struct Tile {
    #[serde(rename = "do")]
    what: String,
    #[serde(flatten)]
    map: Map,
    place: u32,
    at: Vec<i32>,
    #[serde(default)]
    offsets: Vec<u32>,
    #[serde(default)]
    bytes: u32,
    /// Digest of shared memory or of the target; `None` if the instruction was illegal.
    digest: Option<String>,
}

const PARAMS: &str = "(.param .align 64 .b8 map[128], .param .u64 data, .param .u32 place, .param .u32 c0, .param .u32 c1, \
                      .param .u32 c2, .param .u32 c3, .param .u32 c4, .param .u32 expect, .param .u32 offsets, .param .u32 limit)";

fn tile_kernel(what: &str, rank: usize) -> Kernel {
    let corner: Vec<String> = (0..rank).map(|d| format!("%r{}", 10 + d)).collect();
    let corner = format!("[%rd1, {{{}}}]", corner.join(", "));
    let offsets: Vec<String> = (0..rank.saturating_sub(2)).map(|d| format!("%h{d}")).collect();
    let (mode, offsets) = match what {
        "column" => ("im2col", format!(", {{{}}}", offsets.join(", "))),
        _ => ("tile", String::new()),
    };
    let body = if loads(what) {
        format!(
            "F: mad.lo.u32 %r6, %r4, 4, %r1; st.shared.b32 [%r6], 0xeeeeeeee;
            add.u32 %r4, %r4, 128; setp.lt.u32 %p1, %r4, %r15; @%p1 bra F;
            @%p0 mbarrier.init.shared::cta.b64 [%r2], 1; fence.mbarrier_init.release.cluster; fence.proxy.async; bar.sync 0;
            @!%p0 bra W; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], %r9;
            cp.async.bulk.tensor.{rank}d.shared::cluster.global.{mode}.mbarrier::complete_tx::bytes [%r3], {corner}, [%r2]{offsets};
            W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0; @!%p2 bra W; mov.u32 %r4, %r0;
            O: mad.lo.u32 %r6, %r4, 4, %r1; ld.shared.b32 %r5, [%r6]; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd2, %rd2, %rd0;
            st.global.b32 [%rd2], %r5; add.u32 %r4, %r4, 128; setp.lt.u32 %p1, %r4, %r15; @%p1 bra O;"
        )
    } else {
        let instruction = match what {
            "store" => format!("cp.async.bulk.tensor.{rank}d.global.shared::cta.tile.bulk_group"),
            "image" => format!("cp.async.bulk.tensor.{rank}d.global.shared::cta.im2col_no_offs.bulk_group"),
            operation => format!("cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.{operation}.tile.bulk_group"),
        };
        format!(
            "F: mad.lo.u32 %r6, %r4, 4, %r1; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd2, %rd2, %rd0; ld.global.b32 %r5, [%rd2];
            st.shared.b32 [%r6], %r5; add.u32 %r4, %r4, 128; setp.lt.u32 %p1, %r4, %r15; @%p1 bra F;
            fence.proxy.async; bar.sync 0; @!%p0 bra D; {instruction} {corner}, [%r3];
            cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; D:"
        )
    };
    kernel(&format!(
        ".visible .entry k{PARAMS} {{ .reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .pred %p<4>; .reg .b16 %h<3>;
        .shared .align 1024 .b8 tile[{SHARED}]; .shared .align 8 .b64 bar;
        mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mov.u32 %r2, bar; setp.eq.u32 %p0, %r0, 0; mov.u32 %r4, %r0;
        ld.param.u64 %rd0, [data]; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u32 %r3, [place]; add.u32 %r3, %r3, %r1;
        ld.param.u32 %r10, [c0]; ld.param.u32 %r11, [c1]; ld.param.u32 %r12, [c2]; ld.param.u32 %r13, [c3];
        ld.param.u32 %r14, [c4]; ld.param.u32 %r9, [expect]; ld.param.u8 %h0, [offsets]; ld.param.u8 %h1, [offsets+1];
        ld.param.u8 %h2, [offsets+2]; ld.param.u32 %r15, [limit]; {body} ret; }}"
    ))
}

/// True if a case loads to shared memory.
fn loads(what: &str) -> bool {
    matches!(what, "load" | "column")
}

fn arguments(q: &Tile, map: TensorMap, data: BufferId, bytes: u32) -> Vec<Arg> {
    let mut args = vec![Arg::TensorMap(map), Arg::Buffer(data), Arg::U32(q.place)];
    args.extend((0..5).map(|d| Arg::S32(q.at.get(d).copied().unwrap_or(0))));
    let offsets = q.offsets.iter().rev().fold(0, |all, offset| all << 8 | offset);
    args.extend([Arg::U32(bytes), Arg::U32(offsets), Arg::U32(q.end() as u32 / 4)]);
    args
}

/// Returns what the H200's result should be.
fn answer(q: &Tile, kernel: &Kernel, source: &[u8], poison: &[u8]) -> Result<Vec<u8>, String> {
    let mut memory = Memory::new();
    let loads = loads(&q.what);
    let from = memory.add("source", source);
    let to = memory.add("target", if loads { &source[..SHARED] } else { poison });
    let tensor = if loads { memory.address(from) } else { memory.address(to) + 512 };
    let map = q.map.make(tensor).map_err(|refused| refused.to_string())?;
    let args = arguments(q, map, if loads { to } else { from }, q.bytes);
    go(kernel, &mut memory, 128, None, args).map_err(|fault| fault.to_string())?;
    Ok(memory.read(to).to_vec())
}

#[test]
fn boxes_are_copied_as_an_h200_copies_them() {
    let (source, poison) = (contents(1, SOURCE), contents(2, TARGET));
    let mut kernels = HashMap::new();
    let questions: Vec<Tile> = lines(include_str!("../../fixtures/h200-tiles.jsonl"), 1740);
    let mut wrong = Vec::new();
    for (index, q) in questions.iter().enumerate() {
        let rank = q.map.dims.len();
        let kernel = kernels.entry((q.what.clone(), rank)).or_insert_with(|| tile_kernel(&q.what, rank));
        let found = answer(q, kernel, &source, &poison).map(|bytes| {
            let end = if loads(&q.what) { q.end() } else { TARGET };
            hex(&bytes[..end])
        });
        if found.as_ref().ok() != q.digest.as_ref() {
            wrong.push(format!("{index}: {} {} {found:?} {:?}", q.what, q.map.element, q.digest));
        }
    }
    assert!(wrong.is_empty(), "{} of {} are wrong: {wrong:#?}", wrong.len(), questions.len());
}

impl Tile {
    /// Returns the number of bytes of shared memory in the digest.
    fn end(&self) -> usize {
        let inner = self.bytes_of_a_row();
        let pitch = [inner, 32, 64, 128][self.map.swizzle];
        SHARED.min((self.place + self.rows() * pitch + 1023) as usize / 256 * 256)
    }

    fn rows(&self) -> u32 {
        let taken = |(n, step): (&u32, &u32)| n.div_ceil(*step);
        match self.map.pixels {
            0 => self.map.extent.iter().zip(&self.map.steps).skip(1).map(taken).product(),
            pixels => pixels,
        }
    }

    fn bytes_of_a_row(&self) -> u32 {
        let size = match self.map.element.as_str() {
            "u8" => 1,
            "u16" | "f16" | "bf16" => 2,
            "u64" | "s64" | "f64" => 8,
            _ => 4,
        };
        self.map.extent.first().copied().unwrap_or(self.map.channels) * size
    }
}

/// A map that the driver accepted, or refused with a code.
#[derive(Deserialize)]
struct Encoded {
    #[serde(flatten)]
    map: Map,
    code: u32,
}

#[test]
fn the_maps_that_the_driver_takes_are_taken() {
    let (mut wrong, mut accepted, mut refused) = (Vec::new(), 0, 0);
    for (index, q) in lines::<Encoded>(include_str!("../../fixtures/h200-maps.jsonl"), 1323).iter().enumerate() {
        let found = if q.map.interleave == 0 { q.map.make(1 << 40).err() } else { continue };
        *if q.code == 0 { &mut accepted } else { &mut refused } += 1;
        if found.is_some() != (q.code != 0) {
            wrong.push(format!("{index}: the driver says {}, we {found:?}", q.code));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!((accepted, refused), (538, 745));
}

#[derive(Deserialize)]
struct Sequence {
    ops: Vec<(String, u64)>,
    /// The result of each operation. For a state, it holds the phase and the missing arrivals.
    answers: Vec<u64>,
}

fn mbarrier_instruction(what: &str, value: u64) -> String {
    let scope = if what.contains("noComplete") { "" } else { ".release.cta" };
    match what {
        "init" => format!("mbarrier.init.shared::cta.b64 [%r1], {value}; mov.b64 %rd1, 0;"),
        "expect_tx" | "complete_tx" => {
            format!("mbarrier.{what}.relaxed.cta.shared::cta.b64 [%r1], {value}; mov.b64 %rd1, 0;")
        }
        "arrive" => format!("mbarrier.arrive{scope}.shared::cta.b64 %rd1, [%r1]; mov.b64 %rd2, %rd1;"),
        "arrive.count" => format!("mbarrier.arrive{scope}.shared::cta.b64 %rd1, [%r1], {value}; mov.b64 %rd2, %rd1;"),
        "pending_count" => "mbarrier.pending_count.b64 %r2, %rd2; cvt.u64.u32 %rd1, %r2;".to_owned(),
        _ if what.starts_with("arrive") => {
            format!("mbarrier.{what}{scope}.shared::cta.b64 %rd1, [%r1], {value}; mov.b64 %rd2, %rd1;")
        }
        _ => {
            let state = if what.ends_with("parity") { value.to_string() } else { "%rd2".to_owned() };
            let hint = if what.starts_with("try") { ", 20" } else { "" };
            format!("mbarrier.{what}.shared::cta.b64 %p1, [%r1], {state}{hint}; selp.b64 %rd1, 1, 0, %p1;")
        }
    }
}

#[test]
fn mbarriers_count_as_those_of_an_h200() {
    for sequence in lines::<Sequence>(include_str!("../../fixtures/h200-mbarriers.jsonl"), 60) {
        let body: String = sequence
            .ops
            .iter()
            .enumerate()
            .map(|(at, (what, value))| {
                let instruction = mbarrier_instruction(what, *value);
                format!("{instruction} st.global.b64 [%rd0+{}], %rd1;\n", 8 * at)
            })
            .collect();
        let kernel = kernel(&format!(
            ".visible .entry k(.param .u64 out) {{ .reg .b64 %rd<5>; .reg .b32 %r<4>; .reg .pred %p<3>; .shared .align 8 .b64 bar;
            ld.param.u64 %rd0, [out]; mov.u32 %r1, bar;\n{body} ret; }}"
        ));
        let mut memory = Memory::new();
        let out = memory.add("out", &vec![0; 8 * sequence.ops.len()]);
        go(&kernel, &mut memory, 1, None, vec![Arg::Buffer(out)]).unwrap_or_else(|e| panic!("{e}: {:?}", sequence.ops));
        for (at, (found, expected)) in words(memory.read(out), 8).zip(&sequence.answers).enumerate() {
            let (what, value) = &sequence.ops[at];
            let found = if what.starts_with("arrive") { found >> 43 } else { found };
            assert_eq!(found, *expected, "operation {at}, {what} {value}, of {:?}", sequence.ops);
        }
    }
}

#[derive(Deserialize)]
struct Reduction {
    kind: String,
    op: String,
    #[serde(rename = "type")]
    ty: String,
    digest: String,
}

#[test]
fn reductions_give_the_bits_of_an_h200() {
    let mut wrong = Vec::new();
    for Reduction { kind, op, ty, digest } in
        lines::<Reduction>(include_str!("../../fixtures/h200-reductions.jsonl"), 52)
    {
        let way = "mbarrier::complete_tx::bytes";
        let expect = "mov.u32 %r12, %cluster_ctarank; xor.b32 %r12, %r12, 1; mapa.shared::cluster.u32 %r13, %r2, %r12;
            mapa.shared::cluster.u32 %r14, %r3, %r12; barrier.cluster.arrive; barrier.cluster.wait; add.u32 %r15, %r13, %r4;
            @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 4096;";
        let wait = "L: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0; @!%p2 bra L; bar.sync 0;
            ld.shared.b32 %r8, [%r6]; st.global.b32 [%rd4], %r8; barrier.cluster.arrive; barrier.cluster.wait;";
        let body = match kind.as_str() {
            "global" => format!(
                "@%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group.{op}.{ty} [%rd1], [%r1], 4096;
                cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
            ),
            "cluster" => format!(
                "{expect} @%p0 cp.reduce.async.bulk.shared::cluster.shared::cta.{way}.{op}.{ty} [%r13], [%r1], 4096, [%r14]; {wait}"
            ),
            _ if ty.ends_with("64") => format!(
                "{expect} setp.lt.u32 %p1, %r0, 512; shl.b32 %r9, %r0, 3; add.u32 %r10, %r1, %r9; add.u32 %r11, %r13, %r9;
                @%p1 ld.shared.b64 %rd5, [%r10];
                @%p1 red.async.relaxed.cluster.shared::cluster.{way}.{op}.{ty} [%r11], %rd5, [%r14]; {wait}"
            ),
            _ => format!("{expect} red.async.relaxed.cluster.shared::cluster.{way}.{op}.{ty} [%r15], %r7, [%r14]; {wait}"),
        };
        let kernel = kernel(&format!(
            ".visible .entry k(.param .u64 data, .param .u64 target) {{ .reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .pred %p<4>;
            .shared .align 128 .b8 from[4096]; .shared .align 128 .b8 to[4096]; .shared .align 8 .b64 bar;
            mov.u32 %r0, %tid.x; mov.u32 %r1, from; mov.u32 %r2, to; mov.u32 %r3, bar; setp.eq.u32 %p0, %r0, 0;
            shl.b32 %r4, %r0, 2; ld.param.u64 %rd0, [data]; ld.param.u64 %rd1, [target]; cvt.u64.u32 %rd2, %r4;
            add.u64 %rd3, %rd0, %rd2; add.u64 %rd4, %rd1, %rd2; add.u32 %r5, %r1, %r4; add.u32 %r6, %r2, %r4;
            ld.global.b32 %r7, [%rd3]; st.shared.b32 [%r5], %r7; ld.global.b32 %r8, [%rd4]; st.shared.b32 [%r6], %r8;
            @%p0 mbarrier.init.shared::cta.b64 [%r3], 1; fence.mbarrier_init.release.cluster; fence.proxy.async; bar.sync 0;
            {body} ret; }}"
        ));
        let mut memory = Memory::new();
        let (data, target) = (memory.add("data", &contents(3, 4096)), memory.add("target", &contents(4, 4096)));
        let cluster = (kind != "global").then_some(2);
        go(&kernel, &mut memory, 1024, cluster, vec![Arg::Buffer(data), Arg::Buffer(target)])
            .unwrap_or_else(|e| panic!("{kind} {op} {ty}: {e}"));
        if hex(memory.read(target)) != digest {
            wrong.push(format!("{kind} {op} {ty}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The hardware counters for a copy.
#[derive(Deserialize)]
#[serde(untagged)]
enum Counted {
    Box {
        #[serde(flatten)]
        tile: Box<Tile>,
        sectors: u64,
    },
    /// By lane: global offset, shared offset, bytes to read, and true if it copies.
    Lanes {
        #[serde(rename = "do")]
        what: String,
        bytes: Option<u32>,
        lanes: Vec<[u32; 4]>,
        wavefronts: Option<u64>,
        sectors: u64,
    },
}

/// Counts a kernel with the arguments map (if there is one) and two buffers.
fn count(kernel: &Kernel, threads: u32, memory: &mut Memory, args: Vec<Arg>) -> Counts {
    let launch = Launch { grid: [1; 3], block: [threads, 1, 1], args, ..Launch::default() };
    let options = Options { measure: Measure::Counts, ..Options::default() };
    let run = run(kernel, &launch, memory, &options, &Control::default()).unwrap_or_else(|e| panic!("{e}"));
    run.counts.unwrap_or_else(|| panic!("counts were asked for"))
}

fn lanes_kernel(what: &str, bytes: u32) -> Kernel {
    let copy = match what {
        "cp.async" => format!("@%p1 cp.async.ca.shared.global [%r4], [%rd3], {bytes}, %r5; cp.async.wait_all;"),
        "bulk_load" => "@%p0 mbarrier.init.shared::cta.b64 [%r2], 1; bar.sync 0;
            @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], %r5;
            @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd3], %r5, [%r2];
            L: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0; @!%p2 bra L;"
            .to_owned(),
        _ => {
            let (name, operation) = if what == "bulk_add" { ("reduce.async", ".add.u32") } else { ("async", "") };
            format!(
                "@%p0 cp.{name}.bulk.global.shared::cta.bulk_group{operation} [%rd3], [%r4], %r5;
                cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
            )
        }
    };
    kernel(&format!(
        ".visible .entry k(.param .u64 data, .param .u64 table) {{ .reg .b64 %rd<9>; .reg .b32 %r<12>; .reg .pred %p<4>;
        .shared .align 1024 .b8 tile[32768]; .shared .align 8 .b64 bar; ld.param.u64 %rd0, [data]; ld.param.u64 %rd1, [table];
        mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mov.u32 %r2, bar; setp.eq.u32 %p0, %r0, 0;
        mul.wide.u32 %rd2, %r0, 16; add.u64 %rd2, %rd2, %rd1; ld.global.v4.b32 {{%r3, %r4, %r5, %r6}}, [%rd2];
        setp.ne.u32 %p1, %r6, 0; cvt.u64.u32 %rd3, %r3; add.u64 %rd3, %rd3, %rd0; add.u32 %r4, %r4, %r1; {copy} ret; }}"
    ))
}

#[test]
fn copies_cost_what_the_counters_of_an_h200_say() {
    let (mut exact, mut all) = (0, 0);
    for counted in lines::<Counted>(include_str!("../../fixtures/h200-copies.jsonl"), 250) {
        let mut memory = Memory::new();
        let data = memory.add("data", &[0; SOURCE]);
        match counted {
            Counted::Box { tile, sectors } => {
                let kernel = tile_kernel(&tile.what, tile.map.dims.len());
                let map = tile.map.make(memory.address(data) + 512).unwrap_or_else(|e| panic!("{e}"));
                let out = if loads(&tile.what) { memory.add("out", &[0; SHARED]) } else { data };
                let expected_bytes = tile.rows() * tile.bytes_of_a_row();
                let counts = count(&kernel, 128, &mut memory, arguments(&tile, map, out, expected_bytes));
                // A box that moves nothing has no line in the counts.
                let found = counts.lines.iter().find(|line| line.op.contains("bulk")).map_or(0, |line| line.sectors);
                assert_eq!(found, sectors, "{} {:?}", tile.what, tile.map.dims);
            }
            Counted::Lanes { what, bytes, lanes, wavefronts, sectors } => {
                let kernel = lanes_kernel(&what, bytes.unwrap_or(0));
                let rows = lanes.iter().copied().chain(std::iter::repeat([0; 4])).take(32);
                let table: Vec<u8> = rows.flatten().flat_map(u32::to_le_bytes).collect();
                let table = memory.add("table", &table);
                let counts = count(&kernel, 32, &mut memory, vec![Arg::Buffer(data), Arg::Buffer(table)]);
                let line =
                    counts.lines.iter().find(|line| line.op.starts_with("cp.")).unwrap_or_else(|| panic!("{what}"));
                assert_eq!(line.sectors, sectors, "{what} {bytes:?} {lanes:?}");
                if let Some(wavefronts) = wavefronts {
                    assert!(line.wavefronts <= wavefronts, "{bytes:?} {lanes:?}: {} {wavefronts}", line.wavefronts);
                    exact += usize::from(line.wavefronts == wavefronts);
                    all += 1;
                }
            }
        }
    }
    // If both sides have conflicts at the same time, the hardware takes more wavefronts than necessary.
    assert_eq!((exact, all), (59, 77));
}
