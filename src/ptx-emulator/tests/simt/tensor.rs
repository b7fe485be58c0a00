//! Compares matrix instructions with values computed element by element from the layouts of the PTX ISA.

use crate::questions::{self, digest};
use crate::support::{Random, options};
use crate::tensor_forms::drawn;
use ptx_emulator::{Arg, Control, Fault, Launch, Measure, Memory, Module, Run, run};

/// Runs a kernel of one warp. %rd1 holds the address of `input`, %rd2 that of the output, %r0 the lane, and %r1 the
/// address of `tile`, 4 KiB of shared memory.
fn warp(body: &str, input: &[u32], output: usize) -> Result<(Vec<u32>, Run), Fault> {
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n\
        .visible .entry k(.param .u64 in, .param .u64 out)\n{{\n\
        .reg .b64 %rd<20>; .reg .b32 %r<60>; .reg .f32 %f<20>; .reg .f64 %fd<40>; .reg .pred %p<5>;\n\
        .shared .align 128 .b8 tile[4096];\n\
        ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r0, %laneid; mov.u32 %r1, tile;\n\
        {body}\nret;\n}}\n"
    );
    let kernel = Module::parse(&text)?.kernel("k")?;
    let mut memory = Memory::new();
    let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let input = memory.add("in", &bytes(input));
    let out = memory.add("out", &vec![0; 4 * output]);
    let launch = Launch {
        grid: [1; 3],
        block: [32, 1, 1],
        args: vec![Arg::Buffer(input), Arg::Buffer(out)],
        ..Launch::default()
    };
    let done = run(&kernel, &launch, &mut memory, &options(Measure::All), &Control::default())?;
    let words = memory.read(out).as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
    Ok((words.collect(), done))
}

/// Copies 4 KiB from the input to shared memory, 16 bytes per lane at a time.
const FILL: &str = "mul.lo.u32 %r50, %r0, 16; add.u32 %r51, %r50, %r1; cvt.u64.u32 %rd10, %r50; add.u64 %rd10, %rd10, %rd1;\n\
    mov.u32 %r52, 0;\n\
    FILL: ld.global.v4.u32 {%r53, %r54, %r55, %r56}, [%rd10]; st.shared.v4.u32 [%r51], {%r53, %r54, %r55, %r56};\n\
    add.u64 %rd10, %rd10, 512; add.u32 %r51, %r51, 512; add.u32 %r52, %r52, 1;\n\
    setp.lt.u32 %p4, %r52, 8; @%p4 bra FILL;\n\
    bar.warp.sync -1;\n";

/// Stores the registers, one row of 32 words each.
fn store(registers: &[&str]) -> String {
    let mut text = "mul.wide.u32 %rd11, %r0, 4; add.u64 %rd11, %rd11, %rd2;\n".to_owned();
    for (index, register) in registers.iter().enumerate() {
        text += &format!("st.global.b32 [%rd11+{}], {register};\n", 128 * index);
    }
    text
}

fn half(words: &[u32], index: usize) -> u32 {
    words[index / 2] >> (16 * (index % 2)) & 0xffff
}

/// Returns the register of lane `lane` for an 8×8 matrix whose rows start at these bytes.
fn fragment(words: &[u32], rows: &[usize], lane: usize, transposed: bool) -> u32 {
    let (r, p) = (lane / 4, lane % 4);
    let element = |row: usize, column: usize| half(words, rows[row] / 2 + column);
    let pair = |i: usize| if transposed { element(2 * p + i, r) } else { element(r, 2 * p + i) };
    pair(0) | pair(1) << 16
}

#[test]
fn ldmatrix_gives_each_lane_two_neighbours_of_a_row_or_of_a_column() {
    let mut random = Random(11);
    let words: Vec<u32> = (0..1024).map(|_| random.bits() as u32).collect();
    for (count, transposed) in [(1, false), (1, true), (2, false), (2, true), (4, false), (4, true)] {
        // The rows are scattered over the tile. Lanes after the last matrix provide an address that must be ignored.
        let rows: Vec<usize> = (0..32).map(|lane| 16 * ((lane * 37 + 5) % 256)).collect();
        let registers = ["%r10", "%r11", "%r12", "%r13"];
        let list = registers[..count].join(", ");
        let trans = if transposed { ".trans" } else { "" };
        let body = format!(
            "{FILL} mul.lo.u32 %r2, %r0, 37; add.u32 %r2, %r2, 5; and.b32 %r2, %r2, 255; mul.lo.u32 %r2, %r2, 16;\n\
            setp.ge.u32 %p1, %r0, {}; @%p1 mov.u32 %r2, 99999;\n\
            add.u32 %r2, %r2, %r1;\n\
            ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{list}}}, [%r2];\n{}",
            8 * count,
            store(&registers[..count])
        );
        let (out, done) = warp(&body, &words, 32 * count).unwrap();
        for matrix in 0..count {
            for lane in 0..32 {
                let expected = fragment(&words, &rows[8 * matrix..], lane, transposed);
                assert_eq!(out[32 * matrix + lane], expected, "x{count}{trans} matrix {matrix} lane {lane}");
            }
        }
        let counts = done.counts.unwrap();
        let line = counts.lines.iter().find(|line| line.op.starts_with("ldmatrix")).unwrap();
        assert_eq!((line.requests, line.bytes), (1, 16));
        assert_eq!(line.wavefronts_ideal, count as u64);
        assert!(done.hazards.is_empty());
    }
}

#[test]
fn stmatrix_is_the_inverse_of_ldmatrix() {
    let mut random = Random(12);
    let words: Vec<u32> = (0..1024).map(|_| random.bits() as u32).collect();
    for (count, trans) in [(1, ""), (1, ".trans"), (2, ""), (2, ".trans"), (4, ""), (4, ".trans")] {
        // The modifiers in two orders.
        let list = ["%r10", "%r11", "%r12", "%r13"][..count].join(", ");
        let body = format!(
            "{FILL} mul.lo.u32 %r2, %r0, 16; add.u32 %r2, %r2, %r1; add.u32 %r3, %r2, 2048;\n\
            ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{list}}}, [%r2];\n\
            stmatrix.sync.aligned.x{count}{trans}.m8n8.shared.b16 [%r3], {{{list}}};\n\
            bar.warp.sync -1;\n\
            ld.shared.v4.u32 {{%r20, %r21, %r22, %r23}}, [%r3];\n{}",
            store(&["%r20", "%r21", "%r22", "%r23"])
        );
        let (out, done) = warp(&body, &words, 128).unwrap();
        for lane in 0..32 {
            for word in 0..4 {
                // Rows that were not stored keep their old contents.
                let from = if lane < 8 * count { 4 * lane + word } else { 512 + 4 * lane + word };
                assert_eq!(out[32 * word + lane], words[from], "x{count}{trans} row {lane} word {word}");
            }
        }
        assert!(done.hazards.is_empty());
    }
}

#[derive(serde::Deserialize)]
struct Moved {
    r#move: String,
    elements: String,
}

#[test]
fn matrices_are_moved_as_an_h200_moves_them() {
    let words: Vec<u32> = questions::words(&drawn("any", 9, 8192), 4).map(|word| word as u32).collect();
    let lines = include_str!("../fixtures/h200-moves.jsonl").lines();
    assert_eq!(lines.clone().count(), 13);
    for line in lines {
        let Moved { r#move: op, elements } = serde_json::from_str(line).unwrap();
        let count = op.split_once(".x").map_or(1, |(_, rest)| rest[..1].parse().unwrap());
        let registers = &["%r10", "%r11", "%r12", "%r13"][..count];
        let list = registers.join(", ");
        let mut body = format!(
            "{FILL} mad.lo.u32 %r2, %r0, 37, 5; and.b32 %r2, %r2, 255; mad.lo.u32 %r2, %r2, 16, %r1;\n\
            mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd3, %rd1;\n"
        );
        if !op.starts_with("ld") {
            for (i, register) in registers.iter().enumerate() {
                body += &format!("ld.global.b32 {register}, [%rd3+{}];\n", 4096 + 128 * i);
            }
        }
        body += &match &op[..2] {
            "ld" => format!("{op} {{{list}}}, [%r2];\n{}", store(registers)),
            "mo" => format!("{op} %r10, %r10;\n{}", store(registers)),
            _ => {
                let dump: String = (0..32)
                    .map(|i| format!("ld.shared.b32 %r5, [%r3+{0}]; st.global.b32 [%rd4+{0}], %r5;\n", 128 * i))
                    .collect();
                let places = "mad.lo.u32 %r3, %r0, 4, %r1; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd4, %rd2;";
                format!("{op} [%r2], {{{list}}};\nbar.warp.sync -1;\n{places}\n{dump}")
            }
        };
        let (out, done) = warp(&body, &words, 1024).unwrap();
        assert_eq!(format!("{:016x}", digest(out.into_iter().map(u64::from))), elements, "{op}");
        assert!(done.hazards.is_empty(), "{op}");
    }
}

/// A form of `mma` for the test below: shape, formats, rows, depth, bits per element, registers of A, B and C.
struct Form {
    text: &'static str,
    rows: usize,
    depth: usize,
    bits: usize,
    registers: [usize; 3],
}

/// Encodes a small integer in each format.
fn encode(form: &Form, value: i32) -> u32 {
    let bits = (value as f32).to_bits();
    match form.bits {
        8 => value as u8 as u32,
        32 => bits,
        _ if form.text.contains("bf16") => bits >> 16,
        _ if value == 0 => 0,
        _ => (bits >> 16 & 0x8000) | (((bits >> 23 & 255) - 127 + 15) << 10) | (bits >> 13 & 1023),
    }
}

#[test]
fn mma_multiplies_small_whole_numbers_exactly_in_every_form() {
    let float = |text, rows, depth, bits, registers| Form { text, rows, depth, bits, registers };
    let forms = [
        float("m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 16, [2, 1, 4]),
        float("m16n8k16.row.col.f32.f16.f16.f32", 16, 16, 16, [4, 2, 4]),
        float("m16n8k8.row.col.f16.f16.f16.f16", 16, 8, 16, [2, 1, 2]),
        float("m16n8k16.row.col.f16.f16.f16.f16", 16, 16, 16, [4, 2, 2]),
        float("m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 16, [2, 1, 4]),
        float("m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, 16, [4, 2, 4]),
        float("m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, 32, [2, 1, 4]),
        float("m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 32, [4, 2, 4]),
        float("m8n8k16.row.col.s32.s8.s8.s32", 8, 16, 8, [1, 1, 2]),
        float("m16n8k16.row.col.s32.s8.s8.s32", 16, 16, 8, [2, 1, 4]),
        float("m16n8k32.row.col.s32.s8.s8.s32", 16, 32, 8, [4, 2, 4]),
    ];
    let mut random = Random(13);
    for form in &forms {
        let mut small = |low: i32, span: u64| low + (random.bits() % span) as i32;
        let a: Vec<i32> = (0..form.rows * form.depth).map(|_| small(-4, 9)).collect();
        let b: Vec<i32> = (0..form.depth * 8).map(|_| small(-4, 9)).collect();
        let c: Vec<i32> = (0..form.rows * 8).map(|_| small(-50, 101)).collect();
        let [ra, rb, rc] = form.registers;
        let each = 32 / form.bits;
        let half_c = form.text.contains("row.col.f16");
        let whole_c = form.text.contains("s32");
        let mut input = Vec::new();
        let pack = |values: Vec<i32>| {
            values.iter().enumerate().fold(0, |word, (j, v)| word | encode(form, *v) << (j * form.bits))
        };
        for r in 0..ra {
            for lane in 0..32 {
                let row = lane / 4 + if form.rows == 16 { 8 * (r % 2) } else { 0 };
                let step = if form.rows == 16 { r / 2 } else { r };
                let k = each * (lane % 4) + 4 * each * step;
                input.push(pack((k..k + each).map(|k| a[row * form.depth + k]).collect()));
            }
        }
        for r in 0..rb {
            for lane in 0..32 {
                let k = each * (lane % 4) + 4 * each * r;
                input.push(pack((k..k + each).map(|k| b[k * 8 + lane / 4]).collect()));
            }
        }
        let place = |i: usize, lane: usize| (lane / 4 + 8 * (i / 2)) * 8 + 2 * (lane % 4) + i % 2;
        for i in 0..rc {
            for lane in 0..32 {
                input.push(match (half_c, whole_c) {
                    (true, _) => encode(form, c[place(2 * i, lane)]) | encode(form, c[place(2 * i + 1, lane)]) << 16,
                    (_, true) => c[place(i, lane)] as u32,
                    _ => (c[place(i, lane)] as f32).to_bits(),
                });
            }
        }
        let register = |index: usize| format!("%r{}", 10 + index);
        let list = |from: usize, count: usize| (from..from + count).map(register).collect::<Vec<_>>().join(", ");
        let mut body = "mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd3, %rd1;\n".to_owned();
        for index in 0..ra + rb + rc {
            body += &format!("ld.global.b32 {}, [%rd3+{}];\n", register(index), 128 * index);
        }
        // D replaces C, as in most kernels.
        let c_list = list(ra + rb, rc);
        body += &format!(
            "mma.sync.aligned.{} {{{c_list}}}, {{{}}}, {{{}}}, {{{c_list}}};\n",
            form.text,
            list(0, ra),
            list(ra, rb)
        );
        let stored: Vec<String> = (ra + rb..ra + rb + rc).map(register).collect();
        body += &store(&stored.iter().map(String::as_str).collect::<Vec<_>>());
        let (out, done) = warp(&body, &input, 32 * rc).unwrap();
        for i in 0..form.rows / 4 {
            for lane in 0..32 {
                let at = place(i, lane);
                let (row, column) = (at / 8, at % 8);
                let products = (0..form.depth).map(|k| a[row * form.depth + k] * b[k * 8 + column]);
                let expected = c[at] + products.sum::<i32>();
                let got = match (half_c, whole_c) {
                    (true, _) => (out[32 * (i / 2) + lane] >> (16 * (i % 2))) & 0xffff,
                    _ => out[32 * i + lane],
                };
                let wanted = match (half_c, whole_c) {
                    (true, _) => encode(form, expected),
                    (_, true) => expected as u32,
                    _ => (expected as f32).to_bits(),
                };
                assert_eq!(got, wanted, "{} row {row} column {column}", form.text);
            }
        }
        let flop = if whole_c { 0 } else { 2 * form.rows as u64 * 8 * form.depth as u64 };
        assert_eq!(done.counts.unwrap().totals.flop, flop, "{}", form.text);
    }
}
