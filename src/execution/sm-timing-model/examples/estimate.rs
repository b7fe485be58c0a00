//! Estimates launches of matrix products: one case per line of standard input, one JSON object per line of output.
//! `scripts/study/estimate-errors` writes the cases.

#![expect(clippy::print_stdout, reason = "this is its purpose")]

use ptx_emulator::{Arg, Control, Element, Launch, Memory, Module, Swizzle, TensorMap};
use serde::Deserialize;
use sm_timing_model::{Gpu, Question, estimate};
use std::collections::BTreeMap;
use std::time::Instant;

#[derive(Deserialize)]
struct Case {
    ptx: String,
    entry: String,
    grid: [u32; 3],
    block: [u32; 3],
    dynamic_shared: u64,
    n: u32,
    gpu: String,
    registers: Option<u32>,
    /// Type of the elements of A and B.
    #[serde(default)]
    elements: String,
    /// Tensor maps: index of the matrix, columns and rows of the box, bytes of the swizzle.
    #[serde(default)]
    maps: Vec<(usize, [u32; 2], u32)>,
    #[serde(default)]
    blocks: Option<u32>,
    #[serde(default)]
    constraints: bool,
}

/// Returns the element type of a matrix in memory, and its bytes.
fn element(elements: &str, matrix: usize) -> (Element, u64) {
    match (elements, matrix) {
        ("f16", _) => (Element::F16, 2),
        ("bf16_f32" | "f16_f32", 2) => (Element::F32, 4),
        ("bf16" | "bf16_f32" | "f16_f32", _) | ("e4m3", 2) => (Element::Bf16, 2),
        ("e4m3", _) => (Element::U8, 1),
        ("tf32", _) => (Element::Tf32, 4),
        _ => (Element::F32, 4),
    }
}

fn answered(case: &Case, gpus: &mut BTreeMap<String, Gpu>) -> Result<serde_json::Value, Box<dyn std::error::Error>> {
    if !gpus.contains_key(&case.gpu) {
        gpus.insert(case.gpu.clone(), serde_json::from_str(&std::fs::read_to_string(&case.gpu)?)?);
    }
    let ptx = std::fs::read_to_string(&case.ptx)?;
    let kernel = Module::parse(&ptx)?.kernel(&case.entry)?;
    let bytes = |matrix| element(&case.elements, matrix).1 as usize * (case.n as usize).pow(2);
    let made = || {
        let mut memory = Memory::new();
        let buffers = [("A", 0), ("B", 1), ("C", 2)].map(|(name, matrix)| memory.add_zeros(name, bytes(matrix)));
        (memory, buffers)
    };
    let (memory, buffers) = made();
    let buffers: Vec<_> = buffers.into_iter().flatten().collect();
    let mut args = Vec::new();
    for (index, extent, swizzle) in &case.maps {
        let ((element, bytes), n) = (element(&case.elements, *index), u64::from(case.n));
        let map = TensorMap::tiled(memory.address(buffers[*index]), element, &[n, n], &[n * bytes], extent)?;
        let swizzle = if *swizzle == 128 { Swizzle::B128 } else { Swizzle::None };
        args.push(Arg::TensorMap(TensorMap { swizzle, ..map }));
    }
    args.extend(buffers.into_iter().map(Arg::Buffer));
    args.extend(std::iter::repeat_n(Arg::S32(case.n as i32), 6));
    args.extend([Arg::F32(1.0), Arg::F32(0.0)]);
    let launch =
        Launch { grid: case.grid, block: case.block, dynamic_shared: case.dynamic_shared, args, ..Launch::default() };
    let question = Question {
        ptx: &ptx,
        kernel: &kernel,
        launch: &launch,
        memory: &|| made().0,
        registers: case.registers,
        blocks: case.blocks,
        constraints: case.constraints,
        progress: &|_| {},
    };
    let began = Instant::now();
    let Some(gpu) = gpus.get(&case.gpu) else { return Err("no GPU".into()) };
    let found = estimate(&question, gpu, &Control::default()).map_err(|refusal| format!("{refusal:?}"))?;
    Ok(serde_json::json!({
        "ms": found.ms,
        "loaded_ms": found.loaded_ms,
        "data_pipe": found.demand.data_pipe() / (f64::from(case.n).powi(3) / 32.0),
        "registers": found.registers,
        "resident": found.resident,
        "waves": found.waves,
        "seconds": began.elapsed().as_secs_f64(),
        "stalls": found.stalls.iter().map(|(stall, share)| (format!("{stall:?}"), share)).collect::<BTreeMap<_, _>>(),
        "without": found.without.iter().map(|(what, gain)| (format!("{what:?}"), gain)).collect::<BTreeMap<_, _>>(),
    }))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut gpus = BTreeMap::new();
    for line in std::io::stdin().lines() {
        let line = line?;
        let case: Case = serde_json::from_str(&line)?;
        let mut answer: serde_json::Value = serde_json::from_str(&line)?;
        match answered(&case, &mut gpus) {
            Ok(found) => answer["estimate"] = found,
            Err(refusal) => answer["refused"] = refusal.to_string().into(),
        }
        println!("{answer}");
    }
    Ok(())
}
