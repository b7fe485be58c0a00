//! Compares the forms of the tensor cores' products with an NVIDIA H200, to the bit.
//!
//! A form is a line of `scripts/gpu-tensor/forms.txt`, which explains its columns. The fixtures hold digests of the
//! GPU's results for the same inputs.

use crate::questions::{digest, input, splitmix, words};
use crate::support::options;
use ptx_emulator::{Arg, Control, Launch, Measure, Memory, Module, run};
use std::fmt::Write as _;

#[derive(serde::Deserialize)]
struct Measured {
    form: String,
    /// Number of tiles per digest.
    tiles: Vec<usize>,
    /// Digests for each kind of input.
    digests: Vec<Vec<String>>,
}

struct Operand<'a> {
    format: &'a str,
    /// Words per lane, or words of the image in shared memory.
    count: usize,
    shared: bool,
    /// Its matrix descriptor, without the start address.
    descriptor: &'a str,
}

impl<'a> Operand<'a> {
    fn new(text: &'a str) -> Self {
        let mut parts = text.split(' ');
        let format = parts.next().unwrap();
        let count = parts.next().unwrap().parse().unwrap();
        let shared = parts.next() == Some("shared");
        // Leading byte offset 128, stride byte offset 256, no swizzle.
        Self { format, count, shared, descriptor: parts.next().unwrap_or("0x1000080000") }
    }

    /// Returns the number of bytes per word.
    fn size(&self) -> usize {
        if self.format == "f64" { 8 } else { 4 }
    }

    fn bytes(&self, tiles: usize, warps: usize) -> usize {
        self.size() * tiles * if self.shared { self.count } else { warps * self.count * 32 }
    }
}

struct Form<'a> {
    instruction: &'a str,
    /// A, B, C and D.
    operands: [Operand<'a>; 4],
    /// How the metadata of a sparse A are drawn.
    metadata: Option<&'a str>,
    warps: usize,
}

fn forms() -> impl Iterator<Item = (&'static str, Form<'static>)> {
    include_str!("../../scripts/gpu-tensor/forms.txt").lines().map(|line| (line, Form::new(line)))
}

impl<'a> Form<'a> {
    fn new(line: &'a str) -> Self {
        let columns: Vec<&str> = line.split(" | ").collect();
        let [instruction, rest @ ..] = columns.as_slice() else { panic!("{line}") };
        Self {
            instruction,
            operands: std::array::from_fn(|at| Operand::new(rest[at])),
            metadata: rest.get(4).copied(),
            warps: if instruction.starts_with("wgmma") { 4 } else { 1 },
        }
    }

    /// Returns a kernel with parameters a, b, c, d, e. Block `i` computes tile `i`; operands are stored register by
    /// register.
    fn ptx(&self) -> String {
        let mut p = format!(
            ".version 8.7\n.target sm_90a\n.address_size 64\n\
            .visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d, .param .u64 e)\n{{\n\
            .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .pred %p<3>;\n.shared .align 1024 .b8 tile[16384];\n\
            mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shr.u32 %r4, %r1, 5; and.b32 %r5, %r1, 31;\n\
            mad.lo.u32 %r4, %r2, {}, %r4; mov.u32 %r6, tile;\n",
            self.warps
        );
        let metadata = Operand::new("any 1");

        let (op, places) = self.instruction.split_once(' ').unwrap();
        let mut shown = places.replace('P', "%p2").replace('N', "%p0").replace('E', "%e0");
        let group = self.warps == 4;
        for (name, operand) in ["a", "b", "c", "d", "e"].iter().zip(self.operands.iter().chain([&metadata])) {
            if *name == "e" && self.metadata.is_none() {
                continue;
            }
            let Operand { count, shared, .. } = *operand;
            let (size, kind) = (operand.size(), if operand.size() == 8 { "b64" } else { "b32" });
            let _ = writeln!(p, "ld.param.u64 %rd1, [{name}];");
            let mut list = (0..count).map(|i| format!("%{name}{i}")).collect::<Vec<_>>().join(", ");
            list = format!("{{{list}}}");
            if shared {
                let start = if *name == "b" { 8192 } else { 0 };
                let _ = writeln!(
                    p,
                    "mov.u32 %r3, %r1;\n\
                    L{name}: setp.ge.u32 %p1, %r3, {count}; @%p1 bra E{name};\n\
                    mad.lo.u32 %r7, %r2, {count}, %r3; mul.wide.u32 %rd2, %r7, 4; add.u64 %rd2, %rd2, %rd1;\n\
                    ld.global.b32 %r8, [%rd2]; mad.lo.u32 %r7, %r3, 4, %r6; st.shared.b32 [%r7+{start}], %r8;\n\
                    add.u32 %r3, %r3, {}; bra L{name};\nE{name}:\n\
                    .reg .b64 %{name};\nadd.u32 %r3, %r6, {start}; shr.u32 %r3, %r3, 4; cvt.u64.u32 %{name}, %r3;\n\
                    or.b64 %{name}, %{name}, {};",
                    32 * self.warps,
                    operand.descriptor
                );
                list = format!("%{name}");
            } else {
                let _ = writeln!(
                    p,
                    ".reg .{kind} %{name}<{count}>;\n\
                    mad.lo.u32 %r3, %r4, {}, %r5; mul.wide.u32 %rd2, %r3, {size}; add.u64 %rd1, %rd1, %rd2;",
                    32 * count
                );
                if *name == "d" {
                    p += "mov.u64 %rd9, %rd1;\n";
                } else {
                    for i in 0..count {
                        let _ = writeln!(p, "ld.global.{kind} %{name}{i}, [%rd1+{}];", 32 * size * i);
                    }
                }
            }
            // `wgmma` adds to D in place.
            let stands = if group && *name == "d" { list.replace("%d", "%c") } else { list };
            shown = shown.replace(&name.to_uppercase(), &stands);
        }
        let mut instruction = format!("{op} {shown};\n");
        if group {
            instruction = format!(
                "fence.proxy.async;\nbar.sync 0;\nsetp.eq.u32 %p2, 0, 0;\nsetp.ne.u32 %p0, 0, 0;\nwgmma.fence.sync.aligned;\n{instruction}\
                wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
            );
        }
        p += &instruction;
        let [.., d] = &self.operands;
        for i in 0..d.count {
            let register = if group { 'c' } else { 'd' };
            let _ = writeln!(p, "st.global.b{} [%rd9+{}], %{register}{i};", 8 * d.size(), 32 * d.size() * i);
        }
        p + "ret;\n}\n"
    }

    /// Returns the bytes of A, B, C and the metadata of `tiles` tiles.
    fn inputs(&self, kind: u64, tiles: usize) -> [Vec<u8>; 4] {
        std::array::from_fn(|at| {
            let seed = 4096 + kind * 8 + at as u64;
            if at == 3 {
                return drawn(
                    self.metadata.unwrap_or(""),
                    seed,
                    if self.metadata.is_some() { 128 * tiles * self.warps } else { 4 },
                );
            }
            let operand = &self.operands[at];
            let bytes = operand.bytes(tiles, self.warps);
            match operand.format {
                "edge" | "s4" | "u4" | "b1" => drawn(operand.format, seed, bytes),
                format => input(if format == "u8" { "s8" } else { format }, kind, seed, bytes),
            }
        })
    }

    /// Returns D of `tiles` tiles.
    fn run(&self, line: &str, inputs: &[Vec<u8>; 4], tiles: usize) -> Vec<u8> {
        let kernel = Module::parse(&self.ptx()).and_then(|module| module.kernel("k"));
        let kernel = kernel.unwrap_or_else(|fault| panic!("{line}: {fault}"));
        let mut memory = Memory::new();
        let [a, b, c, e] = [0, 1, 2, 3].map(|at| memory.add(["A", "B", "C", "E"][at], &inputs[at]));
        let [.., of_d] = &self.operands;
        let d = memory.add("D", &vec![0; of_d.bytes(tiles, self.warps)]);
        let launch = Launch {
            grid: [tiles as u32, 1, 1],
            block: [32 * self.warps as u32, 1, 1],
            args: [a, b, c, d, e].map(Arg::Buffer).into(),
            ..Launch::default()
        };
        run(&kernel, &launch, &mut memory, &options(Measure::None), &Control::default())
            .unwrap_or_else(|fault| panic!("{line}: {fault}"));
        memory.read(d).to_vec()
    }
}

/// Returns words that are not drawn like numbers: metadata, numbers near the largest, any bits.
pub(crate) fn drawn(format: &str, seed: u64, bytes: usize) -> Vec<u8> {
    let word = |index: u64| {
        let h = splitmix(index.wrapping_add(seed << 32));
        let nibbles = |legal: &[u64]| {
            (0..8).fold(0, |word, i| word | legal[(h >> (8 * i) & 255) as usize % legal.len()] << (4 * i))
        };
        match format {
            // The legal pairs of stored elements out of four, and which one of two.
            "pairs" => nibbles(&[0x4, 0x8, 0xc, 0x9, 0xd, 0xe]),
            "ones" => nibbles(&[0x4, 0xe]),
            "edge" => 0x7fff_f000 + (h & 0x1fff),
            _ => h,
        }
    };
    (0..(bytes / 4) as u64).flat_map(|index| (word(index) as u32).to_le_bytes()).collect()
}

#[test]
fn every_form_of_the_table_gives_the_bits_of_an_h200() {
    let lines = include_str!("../fixtures/h200-forms.jsonl").lines();
    let measured: Vec<Measured> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(measured.len(), forms().count());
    let mut wrong = Vec::new();
    // The large set takes a minute without optimisation.
    let set = usize::from(!cfg!(debug_assertions));
    for (line, form) in forms() {
        let answers = measured.iter().find(|measured| measured.form == line);
        let answers = answers.unwrap_or_else(|| panic!("the fixture has no {line}"));
        for (kind, digests) in answers.digests.iter().enumerate() {
            let tiles = answers.tiles[set];
            let d = form.run(line, &form.inputs(kind as u64, tiles), tiles);
            if format!("{:016x}", digest(words(&d, form.operands[3].size()))) != digests[set] {
                wrong.push(format!("{line}: kind {kind}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn common_forms_give_the_bits_of_an_h200_for_ten_kinds_of_input() {
    let lines = include_str!("../fixtures/h200-tensor.jsonl").lines();
    let measured: Vec<Measured> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let forms = include_str!("../fixtures/common-forms.txt").lines();
    assert_eq!(measured.len(), forms.clone().count() + 33, "and those of `wmma`");
    // The large set takes a minute without optimisation.
    let set = usize::from(!cfg!(debug_assertions));
    let mut wrong = Vec::new();
    for row in forms {
        let [number, name, line]: [&str; 3] = row.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
        let number: u64 = number.parse().unwrap();
        let answers = measured.iter().find(|measured| measured.form == name);
        let answers = answers.unwrap_or_else(|| panic!("the fixture has no {name}"));
        assert_eq!(answers.digests.len(), 10);
        let (form, tiles) = (Form::new(line), answers.tiles[set]);
        for (kind, digests) in (0..).zip(&answers.digests) {
            let inputs = std::array::from_fn(|at| {
                let operand = &form.operands[at];
                if at == 3 {
                    return vec![0; 4];
                }
                let seed = number * 64 + kind * 4 + at as u64 + 1;
                input(operand.format, kind, seed, operand.bytes(tiles, form.warps))
            });
            let d = form.run(line, &inputs, tiles);
            if format!("{:016x}", digest(words(&d, form.operands[3].size()))) != digests[set] {
                wrong.push(format!("{name} kind {kind}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
