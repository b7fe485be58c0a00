//! Every committed kernel multiplies as a plain loop does, to the bit.

use crate::emulator::{Problem, Product, options};
use crate::support::{KERNELS, multiply};
use ptx_emulator::Measure;

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
            let (c, _) = multiply(name, &product, &options(Measure::None));
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
fn nan_and_infinity_pass_through_every_blocked_kernel_and_an_old_c_does_not() {
    let problem = Problem { m: 130, n: 40, k: 13, extra: [0; 3], alpha: 1.0, beta: 0.0 };
    let mut product = Product::new(problem, 5);
    // A row of A, a column of B, and both ends of k, where tiles are filled up with zeros.
    (product.a[3 * 13], product.a[129 * 13 + 12], product.b[7], product.b[12 * 40 + 39]) =
        (f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::NAN);
    product.c.fill(f32::NAN);
    let expected = product.expected();
    let special = expected.iter().filter(|value| !value.is_finite()).count();
    assert!(special > 100 && special < expected.len() / 2, "{special}");
    for id in BLOCKED {
        let (found, _) = multiply(id, &product, &options(Measure::None));
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(same, "{id} row {}, column {}: {found}, not {expected}", at / 40, at % 40);
        }
    }
}

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
        for problem in shapes {
            let product = Product::new(problem, 11);
            let (found, run) = multiply(id, &product, &options(Measure::All));
            assert_eq!(run.hazards, [], "{id} {problem:?}");
            let expected = product.expected();
            for (found, expected) in found.iter().zip(&expected) {
                // The compiler is free to round either of the two products of alpha * sum + beta * C first.
                let near = problem.beta != 0.0 && (found - expected).abs() <= 1e-6 * (1.0 + expected.abs());
                assert!(near || found.to_bits() == expected.to_bits(), "{id} {problem:?}: {found}, not {expected}");
            }
        }
    }
}
