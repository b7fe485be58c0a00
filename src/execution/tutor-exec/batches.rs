//! Runs batches of products on the emulator.

use crate::integers::run_on;
use crate::prelude::*;
use crate::program::Program;
use crate::resolve::resolve;
use tutor_kernels::{Catalog, EMULATED_SMS};

#[test]
fn no_variant_reads_or_writes_beyond_the_matrices_of_a_product() {
    let variants = Catalog::built_in().kernel("bf16_batched").unwrap().variants.as_ref().unwrap();
    for point in &variants.points {
        for (shape, factors) in [(Shape::new(72, 136, 72), [1.0, 0.0]), (Shape::new(130, 8, 104), [-1.5, 0.25])] {
            let shape = Shape { batch: 3, ..shape };
            let mut inputs = Inputs::random(Elements::Bf16, shape, 1, factors[1]);
            // Beyond K, a row of zeros of A times this row of the next B would be NaN.
            let size = (shape.n * shape.k) as usize;
            inputs.b[size..][..shape.n as usize].fill(f64::INFINITY);
            let (c, verified) = run_on(&format!("bf16_batched@{}", point.name), &inputs, shape, factors);
            let infinite = c.iter().filter(|value| value.is_infinite()).count();
            assert!(verified && infinite == c.len() / 3, "{} at {shape}: {infinite}", point.name);
        }
    }
}

#[test]
fn a_kernel_for_one_product_refuses_a_batch_and_so_do_padded_copies() {
    let refusal = |id: &str, n: u32| {
        let shape = Shape { batch: 2, ..Shape::square(n) };
        let found = resolve(&Program::new(id), 0, shape, EMULATED_SMS).and_then(|(_, found)| found);
        found.unwrap_err().message.to_string()
    };
    for (id, n, part) in [
        ("sgemm_tiled", 64, "`sgemm_tiled` computes one product"),
        ("f64_ozaki", 64, "`f64_ozaki` computes one product"),
        ("bf16_tma_store+padded", 100, "`bf16_tma_store` computes one product"),
        ("bf16_batched+padded", 100, "its parameters after `beta`"),
        ("bf16_batched", 100, "lda = 100 is not a multiple of 8"),
    ] {
        let message = refusal(id, n);
        assert!(message.contains(part), "{message}");
    }
}
