//! Compares the costs of atomics with the counters of an H200 (`tests/fixtures/README.md`).

use ptx_emulator::{Arg, Control, Counts, Launch, Measure, Memory, Module, Options, run};
use std::collections::HashMap;

#[derive(serde::Deserialize)]
struct Measured {
    op: String,
    mask: u32,
    addr: [u32; 32],
    note: String,
    wavefronts: Option<u64>,
    sectors: Option<u64>,
}

/// Creates a kernel whose lanes run `op` once, at addresses from a table, on zeroed memory, with the operand lane +
/// 1.
fn text(op: &str) -> String {
    let types =
        ["b128", "f16x2", "bf16x2", "f16", "bf16", "b16", "f32", "f64", "u64", "s64", "b64", "u32", "s32", "b32"];
    let ty = *types.iter().find(|ty| op.split('.').any(|part| part == **ty)).unwrap();
    let (register, operand) = match ty {
        "b128" => ("b128", "cvt.u64.u32 %rd9, %r5; mov.b128 %v, {%rd9, %rd9};"),
        "f16" | "bf16" | "b16" => ("b16", "cvt.u16.u32 %v, %r5;"),
        "f32" => ("f32", "cvt.rn.f32.u32 %v, %r5;"),
        "f64" => ("f64", "cvt.rn.f64.u32 %v, %r5;"),
        "u64" | "s64" | "b64" => ("b64", "cvt.u64.u32 %v, %r5;"),
        _ => ("b32", "mov.b32 %v, %r5;"),
    };
    let vector = |name: &str| match op.split('.').find_map(|part| part.strip_prefix('v')?.parse::<usize>().ok()) {
        None => name.to_owned(),
        Some(count) => format!("{{{}}}", vec![name; count].join(", ")),
    };
    let result = if op.starts_with("red") { String::new() } else { format!("{}, ", vector("%d")) };
    let second = if op.contains(".cas.") { ", %v" } else { "" };
    let address = match op {
        _ if op.contains("shared") => "%r4",
        _ if op.contains("global") => "%rd4",
        _ => "%rd5",
    };
    let value = vector("%v");
    format!(
        ".version 8.4\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 t, .param .u64 o, .param .u32 m) {{\n\
         .reg .b32 %r<9>; .reg .b64 %rd<10>; .reg .pred %p<3>; .reg .{register} %v, %d;\n\
         .shared .align 128 .b8 tile[32768];\n\
         ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [o]; ld.param.u32 %r1, [m]; mov.u32 %r2, %tid.x;\n\
         mul.wide.u32 %rd3, %r2, 4; add.u64 %rd1, %rd1, %rd3; ld.global.b32 %r3, [%rd1];\n\
         mov.u32 %r4, tile; add.u32 %r4, %r4, %r3; cvt.u64.u32 %rd4, %r3; add.u64 %rd4, %rd2, %rd4;\n\
         cvt.u64.u32 %rd5, %r4; cvta.shared.u64 %rd5, %rd5; add.u32 %r5, %r2, 1; {operand}\n\
         shr.u32 %r6, %r1, %r2; and.b32 %r6, %r6, 1; setp.eq.u32 %p1, %r6, 0; @%p1 bra DONE;\n\
         {op} {result}[{address}], {value}{second};\nDONE: ret;\n}}\n"
    )
}

fn counted(kernel: &ptx_emulator::Kernel, measured: &Measured) -> Counts {
    let mut memory = Memory::new();
    let table = memory.add("table", &measured.addr.iter().flat_map(|at| at.to_le_bytes()).collect::<Vec<u8>>());
    let last = *measured.addr.iter().max().unwrap() as usize;
    let data = memory.add("data", &vec![0; last + 16]);
    let args = vec![Arg::Buffer(table), Arg::Buffer(data), Arg::U32(measured.mask)];
    let launch = Launch { grid: [1; 3], block: [32, 1, 1], args, ..Launch::default() };
    let options = Options { measure: Measure::Counts, ..Options::default() };
    run(kernel, &launch, &mut memory, &options, &Control::default()).unwrap().counts.unwrap()
}

#[test]
fn every_measured_atomic_costs_what_the_hardware_counted() {
    let lines = include_str!("../fixtures/h200-atomics.jsonl").lines();
    let mut kernels = HashMap::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for measured in lines.map(|line| serde_json::from_str::<Measured>(line).unwrap()) {
        let op = measured.op.clone();
        let kernel = kernels.entry(op.clone()).or_insert_with(|| {
            Module::parse(&text(&op))
                .and_then(|module| module.kernel("k"))
                .unwrap_or_else(|fault| panic!("{op}: {fault}"))
        });
        let counts = counted(kernel, &measured);
        let line = counts.lines.iter().find(|line| line.op.starts_with("atom") || line.op.starts_with("red")).unwrap();
        let found = if measured.wavefronts.is_some() { line.wavefronts } else { line.sectors };
        let expected = measured.wavefronts.or(measured.sectors).unwrap();
        if (line.requests, found) != (1, expected) {
            wrong.push(format!("{op}, {}: {found}, {} requests; counted {expected}", measured.note, line.requests));
        }
        let ideal = if measured.wavefronts.is_some() { line.wavefronts_ideal } else { line.sectors_ideal };
        assert!(ideal >= 1 && ideal <= found, "{op}, {}: {ideal} at best of {found}", measured.note);
        count += 1;
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(count, 435);
}
