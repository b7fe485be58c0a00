//! `wmma`: fragments with the layout of an H200, products, and round trips through memory.

use crate::questions::{digest, words};
use crate::support::{Random, options};
use crate::tensor_forms::drawn;
use ptx_emulator::{Arg, Control, Counts, Fault, Launch, Measure, Memory, Module, run};
use std::fmt::Write as _;

const HEAD: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

fn list(letter: char, count: usize) -> String {
    let all: Vec<String> = (0..count).map(|i| format!("%{letter}{i}")).collect();
    format!("{{{}}}", all.join(", "))
}

/// Runs a kernel with one warp in each of `tiles` blocks on these buffers, the last of which is the result.
fn launch(text: &str, inputs: &[Vec<u8>], result: usize, tiles: u32) -> Result<(Vec<u8>, Counts), Fault> {
    let kernel = Module::parse(text)?.kernel("k")?;
    let mut memory = Memory::new();
    let mut args: Vec<Arg> = inputs.iter().map(|bytes| Arg::Buffer(memory.add("in", bytes))).collect();
    let out = memory.add("out", &vec![0; result]);
    args.push(Arg::Buffer(out));
    let launch = Launch { grid: [tiles, 1, 1], block: [32, 1, 1], args, ..Launch::default() };
    let done = run(&kernel, &launch, &mut memory, &options(Measure::All), &Control::default())?;
    assert!(done.hazards.is_empty());
    Ok((memory.read(out).to_vec(), done.counts.unwrap()))
}

/// Copies 16 KiB from %rd1 to `tile`.
const FILL: &str = "mov.u32 %r2, tile; mov.u32 %r3, %r1;\n\
    L: mul.wide.u32 %rd4, %r3, 4; add.u64 %rd5, %rd4, %rd1; ld.global.b32 %r4, [%rd5];\n\
    mad.lo.u32 %r5, %r3, 4, %r2; st.shared.b32 [%r5], %r4; add.u32 %r3, %r3, 32;\n\
    setp.lt.u32 %p1, %r3, 4096; @%p1 bra L;\nbar.warp.sync -1;\n";

fn bytes_of(ty: &str) -> usize {
    match ty {
        "f64" => 8,
        "f16" | "bf16" => 2,
        "s8" | "u8" | "s4" | "u4" | "b1" => 1,
        _ => 4,
    }
}

#[derive(serde::Deserialize)]
struct Measured {
    fragment: String,
    shape: String,
    r#type: String,
    layout: String,
    space: String,
    registers: usize,
    /// Elements between consecutive lines; 40 if not given.
    pitch: Option<u32>,
    elements: String,
}

#[test]
fn fragments_have_the_layout_of_an_h200() {
    let lines = include_str!("../fixtures/h200-wmma.jsonl").lines();
    assert_eq!(lines.clone().count(), 160);
    for measured in lines.map(|line| serde_json::from_str::<Measured>(line).unwrap()) {
        let Measured { fragment, shape, r#type: ty, layout, space, registers, pitch, elements } = measured;
        let (kind, size) = if ty == "f64" { ("f64", 8) } else { ("b32", 4) };
        let mut text = format!(
            "{HEAD}.visible .entry k(.param .u64 m, .param .u64 out)\n{{\n\
            .reg .{kind} %a<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;\n.shared .align 128 .b8 tile[16384];\n\
            ld.param.u64 %rd1, [m]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mov.u32 %r8, {};\n\
            mul.wide.u32 %rd3, %r1, {size}; add.u64 %rd2, %rd2, %rd3;\n",
            pitch.unwrap_or(40)
        );
        let shared = space == "shared";
        text += if shared { FILL } else { "" };
        let (a, at) = (list('a', registers), if shared { "%r2" } else { "%rd1" });
        let _ = writeln!(text, "wmma.load.{fragment}.sync.aligned.{layout}.{shape}.{space}.{ty} {a}, [{at}], %r8;");
        for i in 0..registers {
            let _ = writeln!(text, "st.global.{kind} [%rd2+{}], %a{i};", 32 * size * i);
        }
        text += "ret;\n}\n";
        // Every element of memory is its own index. Formats that are too small for an index get arbitrary bits.
        let small = bytes_of(&ty) == 1;
        let bytes = if small { 4 } else { bytes_of(&ty) };
        let memory: Vec<u8> = if small {
            drawn("b1", 7, 16384)
        } else {
            (0..16384 / bytes).flat_map(|i| i.to_le_bytes()[..bytes].to_vec()).collect()
        };
        let (out, _) = launch(&text, &[memory], 32 * size * registers, 1).unwrap();
        let got = digest(words(&out, bytes));
        assert_eq!(format!("{got:016x}"), elements, "{fragment} {shape} {ty} {layout} {space}");
    }
}

/// A product's shape and types, and the numbers of registers of A, B and C.
#[rustfmt::skip]
const PRODUCTS: [(&str, &str, &str, [usize; 3]); 15] = [
    ("m16n16k16", "f16", "f32", [8, 8, 8]),
    ("m16n16k16", "f16", "f16", [8, 8, 4]),
    ("m32n8k16", "f16", "f32", [8, 8, 8]),
    ("m8n32k16", "f16", "f32", [8, 8, 8]),
    ("m32n8k16", "f16", "f16", [8, 8, 4]),
    ("m8n32k16", "f16", "f16", [8, 8, 4]),
    ("m16n16k16", "bf16", "f32", [4, 4, 8]),
    ("m32n8k16", "bf16", "f32", [8, 2, 8]),
    ("m8n32k16", "bf16", "f32", [2, 8, 8]),
    ("m16n16k8", "tf32", "f32", [4, 4, 8]),
    ("m16n16k16", "s8", "s32", [2, 2, 8]),
    ("m32n8k16", "s8", "s32", [4, 1, 8]),
    ("m8n32k16", "s8", "s32", [1, 4, 8]),
    ("m16n16k16", "u8", "s32", [2, 2, 8]),
    ("m8n8k4", "f64", "f64", [1, 1, 2]),
];

fn types(ab: &str, cd: &str) -> String {
    if ab == "f16" { format!("{cd}.{cd}") } else { format!("{cd}.{ab}.{ab}.{cd}") }
}

#[test]
fn products_of_fragments_give_the_bits_of_an_h200() {
    let lines = include_str!("../fixtures/h200-tensor.jsonl").lines();
    let measured: Vec<serde_json::Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut checked = 0;
    for (q, (shape, ab, cd, [ra, rb, rc])) in PRODUCTS.into_iter().enumerate().filter(|(_, p)| !p.1.ends_with('8')) {
        let (kind, size) = if ab == "f64" { ("f64", 8) } else { ("b32", 4) };
        for layouts in ["row.col", "row.row", "col.col"] {
            let mut text = format!(
                "{HEAD}.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)\n{{\n\
                .reg .{kind} %a<9>; .reg .{kind} %b<9>; .reg .{kind} %c<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
                ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u64 %rd4, [d];\n\
                mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"
            );
            for (pointer, count) in [(1, ra), (2, rb), (3, rc), (4, rc)] {
                let _ = writeln!(
                    text,
                    "mad.lo.u32 %r3, %r2, {}, %r1; mad.wide.u32 %rd{pointer}, %r3, {size}, %rd{pointer};",
                    32 * count
                );
            }
            for (pointer, letter, count) in [(1, 'a', ra), (2, 'b', rb), (3, 'c', rc)] {
                for i in 0..count {
                    let _ = writeln!(text, "ld.global.{kind} %{letter}{i}, [%rd{pointer}+{}];", 32 * size * i);
                }
            }
            let (a, b, c) = (list('a', ra), list('b', rb), list('c', rc));
            let _ = writeln!(text, "wmma.mma.sync.aligned.{layouts}.{shape}.{} {c}, {a}, {b}, {c};", types(ab, cd));
            for i in 0..rc {
                let _ = writeln!(text, "st.global.{kind} [%rd4+{}], %c{i};", 32 * size * i);
            }
            text += "ret;\n}\n";
            let name = format!("wmma.{shape}.{ab}.{cd}.{layouts}");
            let answers = measured.iter().find(|line| line["form"] == name).unwrap();
            for (at, kind) in [1u64, 2, 4, 5, 7].into_iter().enumerate() {
                let inputs: Vec<Vec<u8>> = [(ab, ra), (ab, rb), (cd, rc)]
                    .into_iter()
                    .enumerate()
                    .map(|(operand, (format, count))| {
                        let seed = (64 + q as u64) * 64 + kind * 4 + operand as u64 + 1;
                        crate::questions::input(format, kind, seed, 64 * count * 32 * size)
                    })
                    .collect();
                let (out, _) = launch(&text, &inputs, 64 * rc * 32 * size, 64).unwrap();
                let got = format!("{:016x}", digest(words(&out, size)));
                assert_eq!(answers["digests"][at][0], got, "{name} kind {kind}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 11 * 3 * 5);
}

/// Returns the bits per element.
fn bits(format: &str) -> usize {
    match format {
        "b1" => 1,
        "s4" | "u4" => 4,
        "s8" | "u8" | "e4m3" | "e5m2" => 8,
        "f16" | "bf16" => 16,
        "f64" => 64,
        _ => 32,
    }
}

/// Encodes a small integer in a format.
fn encode(format: &str, value: i64) -> u64 {
    let (exponent_bits, fraction_bits) = match format {
        "e4m3" => (4, 3),
        "e5m2" => (5, 2),
        "f16" => (5, 10),
        "bf16" => (8, 7),
        "tf32" | "f32" => (8, 23),
        "f64" => (11, 52),
        _ => return value as u64 & (u64::MAX >> (64 - bits(format))),
    };
    if value == 0 {
        return 0;
    }
    let size = value.unsigned_abs();
    let exponent = u64::from(size.ilog2());
    let fraction = ((size << 52) >> exponent & ((1 << 52) - 1)) >> (52 - fraction_bits);
    let biased = exponent + (1 << (exponent_bits - 1)) - 1;
    u64::from(value < 0) << (exponent_bits + fraction_bits) | biased << fraction_bits | fraction
}

fn put(memory: &mut [u8], at: usize, bits: usize, value: u64) {
    for bit in 0..bits {
        let (byte, mask) = ((at + bit) / 8, 1 << ((at + bit) % 8));
        if value >> bit & 1 == 1 { memory[byte] |= mask } else { memory[byte] &= !mask }
    }
}

fn get(memory: &[u8], at: usize, bits: usize) -> u64 {
    (0..bits).fold(0, |value, bit| value | u64::from(memory[(at + bit) / 8] >> ((at + bit) % 8) & 1) << bit)
}

/// Returns a matrix of small integers in memory.
fn plane(
    random: &mut Random,
    ty: &str,
    rows: usize,
    columns: usize,
    row_major: bool,
    pitch: usize,
) -> (Vec<i32>, Vec<u8>) {
    let (least, count) = match ty {
        "b1" => (0, 2),
        "u8" | "u4" => (0, 8),
        _ => (-4, 9),
    };
    let values: Vec<i32> = (0..rows * columns).map(|_| least + (random.bits() % count) as i32).collect();
    let mut memory = vec![0; 16384];
    for row in 0..rows {
        for column in 0..columns {
            let at = if row_major { row * pitch + column } else { column * pitch + row };
            put(&mut memory, at * bits(ty), bits(ty), encode(ty, values[row * columns + column].into()));
        }
    }
    (values, memory)
}

/// Products where C and D have different types, or where elements are smaller than a byte. The columns are: shape;
/// type of A and B, of C, of D, and the part after `wmma.mma`; registers of A, B, C and D.
#[rustfmt::skip]
const OTHERS: [(&str, [&str; 4], [usize; 4]); 10] = [
    ("m16n16k16", ["f16", "f16", "f32", ""], [8, 8, 4, 8]),
    ("m32n8k16", ["f16", "f32", "f16", ""], [8, 8, 8, 4]),
    ("m8n32k16", ["f16", "f16", "f32", ""], [8, 8, 4, 8]),
    ("m8n32k16", ["f16", "f32", "f16", ""], [8, 8, 8, 4]),
    ("m32n8k16", ["u8", "s32", "s32", ""], [4, 1, 8, 8]),
    ("m8n32k16", ["u8", "s32", "s32", ""], [1, 4, 8, 8]),
    ("m8n8k32", ["s4", "s32", "s32", ""], [1, 1, 2, 2]),
    ("m8n8k32", ["u4", "s32", "s32", ""], [1, 1, 2, 2]),
    ("m8n8k128", ["b1", "s32", "s32", ".and.popc"], [1, 1, 2, 2]),
    ("m8n8k128", ["b1", "s32", "s32", ".xor.popc"], [1, 1, 2, 2]),
];

#[test]
fn a_product_of_small_whole_numbers_is_exact_through_memory_in_every_layout() {
    let mut random = Random(21);
    let usual = PRODUCTS.map(|(shape, ab, cd, [ra, rb, rc])| (shape, [ab, cd, cd, ""], [ra, rb, rc, rc]));
    for (shape, [ab, ty_c, ty_d, join], [ra, rb, rc, rd]) in usual.into_iter().chain(OTHERS) {
        let extents: Vec<usize> = shape[1..].split(['n', 'k']).map(|n| n.parse().unwrap()).collect();
        let (m, n, k) = (extents[0], extents[1], extents[2]);
        for (a_row, b_row, c_row) in
            [(true, false, true), (true, true, true), (false, false, false), (false, true, true)]
        {
            let pitch = match ab {
                "s4" | "u4" => 64,
                "b1" => 256,
                _ => 48,
            };
            if pitch > 48 && (!a_row || b_row) {
                continue;
            }
            for space in ["global", "shared", "generic"] {
                let (a, a_bytes) = plane(&mut random, ab, m, k, a_row, pitch);
                let (b, b_bytes) = plane(&mut random, ab, k, n, b_row, pitch);
                let (c, c_bytes) = plane(&mut random, ty_c, m, n, c_row, pitch);
                let kind = if ab == "f64" { "f64" } else { "b32" };
                let word = |row: bool| if row { "row" } else { "col" };
                let mut text = format!(
                    "{HEAD}.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)\n{{\n\
                    .reg .{kind} %a<9>; .reg .{kind} %b<9>; .reg .{kind} %c<9>; .reg .{kind} %d<9>;\n\
                    .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;\n.shared .align 128 .b8 tile[16384];\n\
                    ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u64 %rd6, [d];\n\
                    mov.u32 %r1, %tid.x;\n"
                );
                let dot = if space == "generic" { String::new() } else { format!(".{space}") };
                let mut at = ["[%rd1]", "[%rd2]", "[%rd3]"];
                if space == "shared" {
                    text += FILL;
                    at[0] = "[%r2]";
                }
                let global = if space == "shared" { ".global".to_owned() } else { dot.clone() };
                let (fa, fb, fc, fd) = (list('a', ra), list('b', rb), list('c', rc), list('d', rd));
                let (la, lb, lc) = (word(a_row), word(b_row), word(c_row));
                let _ = writeln!(
                    text,
                    "wmma.load.a.sync.aligned.{la}.{shape}{dot}.{ab} {fa}, {}, {pitch};\n\
                    wmma.load.b.sync.aligned.{lb}.{shape}{global}.{ab} {fb}, {}, {pitch};\n\
                    wmma.load.c.sync.aligned.{lc}.{shape}{global}.{ty_c} {fc}, {}, {pitch};\n\
                    wmma.mma{join}.sync.aligned.{la}.{lb}.{shape}.{} {fd}, {fa}, {fb}, {fc};\n\
                    wmma.store.d.sync.aligned.{lc}.{shape}{global}.{ty_d} [%rd6], {fd}, {pitch};\nret;\n}}",
                    at[0],
                    at[1],
                    at[2],
                    if ab == "f16" { format!("{ty_d}.{ty_c}") } else { types(ab, ty_c) }
                );
                let (out, counts) = launch(&text, &[a_bytes, b_bytes, c_bytes], 16384, 1).unwrap();
                for row in 0..m {
                    for column in 0..n {
                        let product = |(a, b): (i32, i32)| if join == ".xor.popc" { a ^ b } else { a * b };
                        let sum: i32 = (0..k).map(|i| product((a[row * k + i], b[i * n + column]))).sum();
                        let place = if c_row { row * pitch + column } else { column * pitch + row };
                        assert_eq!(
                            get(&out, place * bits(ty_d), bits(ty_d)),
                            encode(ty_d, (c[row * n + column] + sum).into()),
                            "{shape} {ab} {ty_c} {ty_d} {la} {lb} {lc} {space}: row {row}, column {column}"
                        );
                    }
                }
                let flop = if ty_d == "s32" { 0 } else { 2 * (m * n * k) as u64 };
                assert_eq!(counts.totals.flop, flop);
            }
        }
    }
}
