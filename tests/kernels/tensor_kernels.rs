//! The project's tensor-core kernels, whole, against the bits that an H200 gave.

use crate::emulator::options;
use crate::questions::{digest, input, words};
use ptx_emulator::{Arg, Control, Element, Launch, Measure, Memory, Module, Swizzle, TensorMap, run};
use tutor_kernels::{self as kernels, Catalog, Geometry};

#[derive(Debug, serde::Deserialize)]
struct Measured {
    kernel: String,
    elements: String,
    m: usize,
    n: usize,
    k: usize,
    alpha: f32,
    beta: f32,
    seed: u64,
    c: String,
}

/// The value of an element of a matrix.
fn value(elements: &str, word: u64) -> f64 {
    match elements {
        "bf16" => f64::from(f32::from_bits((word as u32) << 16)),
        "tf32" => f64::from(f32::from_bits(word as u32)),
        _ => {
            let (exponent, fraction) = ((word >> 10 & 31) as i32, (word & 1023) as f64);
            let size = if exponent == 0 { fraction / 1024.0 } else { 1.0 + fraction / 1024.0 };
            let sign = if word >> 15 & 1 == 1 { -1.0 } else { 1.0 };
            sign * size * 2f64.powi(exponent.max(1) - 15)
        }
    }
}

#[test]
fn whole_kernels_give_the_bits_of_an_h200_and_the_right_product() {
    let lines = include_str!("../../src/ptx-emulator/tests/fixtures/h200-kernels.jsonl").lines();
    let mut ran = 0;
    for measured in lines.map(|line| serde_json::from_str::<Measured>(line).unwrap()) {
        let Measured { kernel: id, elements, m, n, k, alpha, beta, seed, c } = measured;
        let kernel = Catalog::built_in().kernel(&id).unwrap_or_else(|| panic!("{id}"));
        // The large shape takes too long without optimisation.
        if cfg!(debug_assertions) && m > 100 {
            continue;
        }
        let program =
            Module::parse(kernel.ptx.as_deref().unwrap()).and_then(|module| module.kernel(&kernel.entry)).unwrap();
        let format = if elements == "tf32" { "f32" } else { elements.as_str() };
        let size = if elements == "tf32" { 4 } else { 2 };
        let mut memory = Memory::new();
        let extents = [m * k, k * n, m * n];
        let inputs: [Vec<u8>; 3] = std::array::from_fn(|at| input(format, 1, seed + at as u64, extents[at] * size));
        let buffers = [0, 1, 2].map(|at| memory.add(["A", "B", "C"][at], &inputs[at]));
        let mut args = Vec::new();
        for (name, map) in kernel.tensor_maps.each() {
            let (at, rows, columns) = match name {
                'A' => (0, m, k),
                'B' => (1, k, n),
                _ => (2, m, n),
            };
            let (address, extents) = (memory.address(buffers[at]), [columns as u64, rows as u64]);
            let pitch = [(columns * size) as u64];
            let mut described = TensorMap::tiled(address, Element::Bf16, &extents, &pitch, &map.extent).unwrap();
            assert_eq!(map.swizzle, kernels::Swizzle::B128, "{id}");
            described.swizzle = Swizzle::B128;
            args.push(Arg::TensorMap(described));
        }
        args.extend(buffers.map(Arg::Buffer));
        args.extend([m, n, k, k, n, n].map(|extent| Arg::S32(extent as i32)));
        args.extend([Arg::F32(alpha), Arg::F32(beta)]);
        let Geometry { grid, block } = kernel.geometry(m as u32, n as u32, k as u32).unwrap();
        let launch = Launch { grid, block, dynamic_shared: kernel.shared_bytes.into(), args, ..Launch::default() };
        let measure = if beta == 0.0 { Measure::All } else { Measure::None };
        let done = run(&program, &launch, &mut memory, &options(measure), &Control::default())
            .unwrap_or_else(|fault| panic!("{id}: {fault}"));
        assert!(done.hazards.is_empty(), "{id}: {:?}", done.hazards);
        if let Some(counts) = done.counts {
            assert!(counts.totals.flop >= 2 * (m * n * k) as u64, "{id}");
        }
        let out = memory.read(buffers[2]);
        let values = |bytes: &[u8]| words(bytes, size).map(|word| value(&elements, word)).collect::<Vec<f64>>();
        let [a, b, old] = [0, 1, 2].map(|at| values(&inputs[at]));
        for (at, got) in values(out).into_iter().enumerate() {
            let (row, column) = (at / n, at % n);
            let terms = (0..k).map(|i| a[row * k + i] * b[i * n + column]);
            let (sum, sizes) = terms.fold((0.0, 0.0), |(sum, sizes), term| (sum + term, sizes + f64::abs(term)));
            let exact = f64::from(alpha) * sum + f64::from(beta) * old[at];
            // A factor that TF32 cuts loses 2⁻¹⁰ of it; a result in 16 bits is rounded at 2⁻⁹.
            let room = sizes * f64::from(alpha) * if size == 4 { 2e-3 } else { 1e-5 } + exact.abs() * 2f64.powi(-8);
            assert!((got - exact).abs() <= room, "{id} row {row} column {column}: {got}, not {exact}");
        }
        assert_eq!(format!("{:016x}", digest(words(out, size))), c, "{id} {m}×{n}×{k}, beta {beta}");
        ran += 1;
    }
    assert_eq!(ran, if cfg!(debug_assertions) { 30 } else { 45 });
}
