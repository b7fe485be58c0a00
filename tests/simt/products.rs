//! Every committed kernel multiplies as a plain loop does, to the bit.

use crate::support::{KERNELS, Problem, Product, multiply, options};
use matmul_tutor::simt::Measure;

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
