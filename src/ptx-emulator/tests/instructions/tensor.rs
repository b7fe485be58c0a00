//! Compares the moves of matrices between registers and shared memory with an NVIDIA H200.

use crate::questions::{self, digest};
use crate::support::options;
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
