//! Every committed kernel multiplies as a plain loop does, to the bit.

use crate::support::{KERNELS, Problem, Product, asset, multiply, options};
use matmul_tutor::kernels::{Catalog, Geometry};
use matmul_tutor::simt::{Control, Launch, Measure, Memory, run};

fn shapes() -> Vec<Problem> {
    let extents = [1, 2, 15, 16, 17, 33, 64];
    let mut all = Vec::new();
    for (index, &m) in extents.iter().enumerate() {
        let n = extents[(index * 3 + 2) % extents.len()];
        let k = extents[(index * 5 + 1) % extents.len()];
        let plain = index % 2 == 0;
        all.push(Problem { m, n, k, extra: [0; 3], alpha: 1.0, beta: 0.0 });
        let (alpha, beta) = if plain { (1.5, -0.25) } else { (-2.0, 1.0) };
        all.push(Problem { m: n, n: k, k: m, extra: [3, 1, 2], alpha, beta });
    }
    all
}

#[test]
fn every_correct_kernel_gives_the_bits_of_a_plain_loop() {
    for name in KERNELS.iter().filter(|name| !name.contains("_no_")) {
        for problem in shapes() {
            let product = Product::new(problem, 7);
            let (c, _) = multiply(name, &product, &options(Measure::None)).unwrap();
            let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&c), bits(&product.expected()), "{name} {problem:?}");
        }
    }
}

/// Kernels that add up each element's products in the order of k, one block tile after the other.
const BLOCKED: [&str; 9] = [
    "sgemm_thread_tile_8x4_row_fetch",
    "sgemm_thread_tile_8x4",
    "sgemm_thread_tile_1d",
    "sgemm_thread_tile_2d",
    "sgemm_vector_loads",
    "sgemm_conflict_free",
    "sgemm_double_buffered",
    "sgemm_cp_async",
    "sgemm_tuned",
];

#[test]
fn every_blocked_kernel_multiplies_as_a_plain_loop_does_without_hazards() {
    let plain = Problem { m: 33, n: 40, k: 21, extra: [0; 3], alpha: 1.0, beta: 0.0 };
    let shapes = [
        plain,
        // Rows that begin at no multiple of 16 bytes, and C read.
        Problem { m: 17, n: 5, k: 9, extra: [3, 1, 2], alpha: 1.5, beta: -0.25 },
        // Whole tiles, where the path without tests is taken, and a K that leaves a narrow one.
        Problem { m: 128, n: 256, k: 11, alpha: -2.0, ..plain },
        Problem { m: 1, n: 1, k: 1, ..plain },
    ];
    for id in BLOCKED {
        let (kernel, program) = (Catalog::built_in().kernel(id).unwrap(), asset(id));
        for problem in shapes {
            let product = Product::new(problem, 11);
            let Geometry { grid, block } =
                kernel.geometry(problem.m as u32, problem.n as u32, problem.k as u32).unwrap();
            let mut memory = Memory::new();
            let (launch, c) = product.launch(&mut memory, block, grid);
            let launch = Launch { dynamic_shared: kernel.shared_bytes.into(), ..launch };
            let done = run(&program, &launch, &mut memory, &options(Measure::All), &Control::default())
                .unwrap_or_else(|fault| panic!("{id} {problem:?}: {fault}"));
            assert_eq!(done.hazards, [], "{id} {problem:?}");
            let (found, expected) = (memory.read_f32(c), product.expected());
            for (found, expected) in found.iter().zip(&expected) {
                // The compiler is free to round either of the two products of alpha * sum + beta * C first.
                let near = problem.beta != 0.0 && (found - expected).abs() <= 1e-6 * (1.0 + expected.abs());
                assert!(near || found.to_bits() == expected.to_bits(), "{id} {problem:?}: {found}, not {expected}");
            }
        }
    }
}
