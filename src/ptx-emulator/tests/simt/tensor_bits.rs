//! Compares the tensor cores' arithmetic with an NVIDIA H200, to the bit.
//!
//! `scripts/gpu-tensor` makes the same inputs with the same generator. The fixture holds digests of the GPU's results.

use crate::questions::{digest, input, words};
use crate::support::options;
use ptx_emulator::{Arg, Control, Launch, Measure, Memory, Module, run};
use std::fmt::Write as _;

#[derive(serde::Deserialize)]
struct Measured {
    form: String,
    /// Number of tiles per digest.
    tiles: Vec<usize>,
    kinds: Vec<u64>,
    digests: Vec<Vec<String>>,
}

/// Operands of a form: types, and numbers of registers of A, B and C. For `wgmma`, B's number is words of its image
/// in shared memory.
struct Form {
    index: u64,
    instruction: String,
    ab: &'static str,
    cd: &'static str,
    registers: [usize; 3],
    /// For `wgmma`: true if D is added to, and the operands after the predicate.
    group: Option<(bool, &'static str)>,
}

#[rustfmt::skip]
const MMA: [(&str, &str, &str, [usize; 3]); 18] = [
    ("m16n8k8.row.col.f32.f16.f16.f32", "f16", "f32", [2, 1, 4]),
    ("m16n8k16.row.col.f32.f16.f16.f32", "f16", "f32", [4, 2, 4]),
    ("m16n8k8.row.col.f16.f16.f16.f16", "f16", "f16", [2, 1, 2]),
    ("m16n8k16.row.col.f16.f16.f16.f16", "f16", "f16", [4, 2, 2]),
    ("m16n8k8.row.col.f32.bf16.bf16.f32", "bf16", "f32", [2, 1, 4]),
    ("m16n8k16.row.col.f32.bf16.bf16.f32", "bf16", "f32", [4, 2, 4]),
    ("m16n8k4.row.col.f32.tf32.tf32.f32", "tf32", "f32", [2, 1, 4]),
    ("m16n8k8.row.col.f32.tf32.tf32.f32", "tf32", "f32", [4, 2, 4]),
    ("", "", "", [0; 3]),
    ("", "", "", [0; 3]),
    ("m8n8k16.row.col.s32.s8.s8.s32", "s8", "s32", [1, 1, 2]),
    ("m16n8k16.row.col.s32.s8.s8.s32", "s8", "s32", [2, 1, 4]),
    ("m16n8k32.row.col.s32.s8.s8.s32", "s8", "s32", [4, 2, 4]),
    ("m16n8k32.row.col.satfinite.s32.u8.s8.s32", "s8", "s32", [4, 2, 4]),
    ("m8n8k4.row.col.f64.f64.f64.f64", "f64", "f64", [1, 1, 2]),
    ("m16n8k4.row.col.f64.f64.f64.f64", "f64", "f64", [2, 1, 4]),
    ("m16n8k8.row.col.f64.f64.f64.f64", "f64", "f64", [4, 2, 4]),
    ("m16n8k16.row.col.f64.f64.f64.f64", "f64", "f64", [8, 4, 4]),
];

#[rustfmt::skip]
const GROUP: [(&str, &str, &str, usize); 8] = [
    ("m64n8k16.f32.f16.f16", "f16", "f32", 4),
    ("m64n8k16.f16.f16.f16", "f16", "f16", 2),
    ("m64n8k16.f32.bf16.bf16", "bf16", "f32", 4),
    ("m64n8k8.f32.tf32.tf32", "tf32", "f32", 4),
    ("m64n8k32.f32.e4m3.e4m3", "e4m3", "f32", 4),
    ("m64n8k32.f32.e5m2.e5m2", "e5m2", "f32", 4),
    ("m64n8k32.f16.e4m3.e4m3", "e4m3", "f16", 2),
    ("m64n8k32.s32.s8.s8", "s8", "s32", 4),
];

/// Returns the forms in the order of their seeds.
fn forms() -> Vec<Form> {
    let mut all = Vec::new();
    for (index, (text, ab, cd, registers)) in MMA.into_iter().enumerate() {
        let instruction = format!("mma.sync.aligned.{text}");
        all.push(Form { index: index as u64, instruction, ab, cd, registers, group: None });
    }
    let mut group = |index: usize, of: usize, adds: bool, tail: &'static str| {
        let (text, ab, cd, c) = GROUP[of];
        let instruction = format!("wgmma.mma_async.sync.aligned.{text}");
        all.push(Form { index: index as u64, instruction, ab, cd, registers: [4, 64, c], group: Some((adds, tail)) });
    };
    for (of, (_, ab, ..)) in GROUP.iter().enumerate() {
        let tail = match *ab {
            "f16" | "bf16" => ", 1, 1, 0",
            "s8" => "",
            _ => ", 1, 1",
        };
        group(32 + of, of, true, tail);
    }
    group(48, 0, false, ", 1, 1, 0");
    group(49, 2, true, ", -1, 1, 0");
    group(50, 3, true, ", 1, -1");
    group(51, 1, false, ", -1, -1, 0");
    group(52, 7, false, "");
    all.retain(|form| !form.ab.is_empty());
    all
}

impl Form {
    /// Returns the name in the fixture.
    fn name(&self) -> String {
        let parts: Vec<&str> = self.instruction.split('.').collect();
        let satfinite = if self.instruction.contains("satfinite") { Some("u8.s8.sat".to_owned()) } else { None };
        let shape = parts.iter().find(|part| part.starts_with('m') && part.contains('n') && part.contains('k'));
        let shape = shape.copied().unwrap_or_default();
        let double = self.ab == "f64";
        let types = satfinite.unwrap_or(if double { "f64".to_owned() } else { format!("{}.{}", self.ab, self.cd) });
        let base = format!("{}.{shape}.{types}", if self.group.is_some() { "wgmma" } else { "mma" });
        match self.group {
            Some((adds, tail)) if self.index >= 48 => {
                let shown = if adds || self.index == 51 { tail.replace(", ", "_") } else { String::new() };
                format!("{base}.scaled{}{shown}", u32::from(adds))
            }
            _ => base,
        }
    }

    fn wide(&self) -> bool {
        self.cd == "f64"
    }

    /// Returns the number of warps per tile.
    fn warps(&self) -> usize {
        if self.group.is_some() { 4 } else { 1 }
    }

    /// Returns a kernel with parameters a, b, c, d. Block `i` computes tile `i`; operands are stored register by
    /// register.
    fn ptx(&self) -> String {
        let [ra, rb, rc] = self.registers;
        let (kind, size) = if self.wide() { ("b64", 8) } else { ("b32", 4) };
        let rb_registers = if self.group.is_some() { 0 } else { rb };
        let mut p = format!(
            ".version 8.0\n.target sm_90a\n.address_size 64\n\
            .visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)\n{{\n\
            .reg .{kind} %a<9>; .reg .{kind} %b<5>; .reg .{kind} %c<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;\n\
            .shared .align 1024 .b8 tile[1024];\n\
            ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u64 %rd4, [d];\n\
            mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shr.u32 %r4, %r1, 5; and.b32 %r5, %r1, 31;\n\
            mad.lo.u32 %r4, %r2, {}, %r4;\n",
            self.warps()
        );
        for (pointer, count) in [(1, ra), (2, rb_registers), (3, rc), (4, rc)] {
            if count != 0 {
                let _ = writeln!(p, "mad.lo.u32 %r3, %r4, {}, %r5; mul.wide.u32 %rd5, %r3, {size};", 32 * count);
                let _ = writeln!(p, "add.u64 %rd{pointer}, %rd{pointer}, %rd5;");
            }
        }
        for (pointer, letter, count) in [(1, 'a', ra), (2, 'b', rb_registers), (3, 'c', rc)] {
            for i in 0..count {
                let _ = writeln!(p, "ld.global.{kind} %{letter}{i}, [%rd{pointer}+{}];", 32 * size * i);
            }
        }
        let list = |letter: char, count: usize| {
            let all: Vec<String> = (0..count).map(|i| format!("%{letter}{i}")).collect();
            format!("{{{}}}", all.join(", "))
        };
        let (a, b, c) = (list('a', ra), list('b', rb_registers), list('c', rc));
        match self.group {
            None => {
                let _ = writeln!(p, "{} {c}, {a}, {b}, {c};", self.instruction);
            }
            Some((adds, tail)) => {
                // 64 words of B, K-major without swizzle: 128 bytes between consecutive groups of eight along K.
                let _ = writeln!(
                    p,
                    "mov.u32 %r6, tile; setp.ge.u32 %p1, %r1, 64; @%p1 bra OVER;\n\
                    mad.lo.u32 %r3, %r2, 64, %r1; mul.wide.u32 %rd5, %r3, 4; add.u64 %rd2, %rd2, %rd5;\n\
                    mad.lo.u32 %r7, %r1, 4, %r6; ld.global.b32 %r3, [%rd2]; st.shared.b32 [%r7], %r3;\n\
                    OVER: bar.sync 0;\n\
                    shr.u32 %r3, %r6, 4; cvt.u64.u32 %rd6, %r3; or.b64 %rd6, %rd6, 0x1000080000;\n\
                    setp.eq.u32 %p2, {}, 1;\n\
                    wgmma.fence.sync.aligned;\n\
                    {} {c}, {a}, %rd6, %p2{tail};\n\
                    wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
                    u32::from(adds),
                    self.instruction
                );
            }
        }
        for i in 0..rc {
            let _ = writeln!(p, "st.global.{kind} [%rd4+{}], %c{i};", 32 * size * i);
        }
        p + "ret;\n}\n"
    }

    /// Returns the bytes of the operands of `tiles` tiles.
    fn inputs(&self, kind: u64, tiles: usize) -> [Vec<u8>; 3] {
        let [ra, rb, rc] = self.registers;
        let counts = [
            tiles * self.warps() * ra * 32,
            if self.group.is_some() { tiles * rb } else { tiles * rb * 32 },
            tiles * self.warps() * rc * 32,
        ];
        std::array::from_fn(|operand| {
            let format = if operand == 2 { self.cd } else { self.ab };
            let seed = self.index * 64 + kind * 4 + operand as u64 + 1;
            input(format, kind, seed, counts[operand] * if self.wide() { 8 } else { 4 })
        })
    }
}

fn compute(form: &Form, kind: u64, tiles: usize) -> u64 {
    let kernel = Module::parse(&form.ptx()).and_then(|module| module.kernel("k")).unwrap();
    let [a, b, c] = form.inputs(kind, tiles);
    let mut memory = Memory::new();
    let args = [("A", &a), ("B", &b), ("C", &c)].map(|(name, bytes)| Arg::Buffer(memory.add(name, bytes)));
    let d = memory.add("D", &vec![0; c.len()]);
    let launch = Launch {
        grid: [tiles as u32, 1, 1],
        block: [32 * form.warps() as u32, 1, 1],
        args: args.into_iter().chain([Arg::Buffer(d)]).collect(),
        ..Launch::default()
    };
    run(&kernel, &launch, &mut memory, &options(Measure::None), &Control::default()).unwrap();
    let size = if form.wide() { 8 } else { 4 };
    digest(words(memory.read(d), size))
}

#[test]
fn every_form_gives_the_bits_of_an_h200() {
    let lines = include_str!("../fixtures/h200-tensor.jsonl").lines();
    let measured: Vec<Measured> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(measured.len(), forms().len() + 33, "and those of `wmma`");
    // The large set takes a minute without optimisation.
    let set = if cfg!(debug_assertions) { 0 } else { 1 };
    let mut wrong = Vec::new();
    for form in forms() {
        let name = form.name();
        let answers = measured.iter().find(|measured| measured.form == name);
        let answers = answers.unwrap_or_else(|| panic!("the fixture has no {name}"));
        assert_eq!(answers.kinds, (0..10).collect::<Vec<u64>>());
        for (kind, digests) in answers.kinds.iter().zip(&answers.digests) {
            let got = format!("{:016x}", compute(&form, *kind, answers.tiles[set]));
            if got != digests[set] {
                wrong.push(format!("{name} kind {kind}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
