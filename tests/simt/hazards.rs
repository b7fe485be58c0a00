//! Missing barriers are found, as what they are; kernels that have both are not accused.

use crate::support::{KERNELS, Problem, Product, multiply, options};
use matmul_tutor::simt::{HazardKind, Measure};

fn found(name: &str, k: usize) -> Vec<(HazardKind, u32, u32)> {
    let problem = Problem { m: 40, n: 33, k, extra: [0; 3], alpha: 1.0, beta: 0.0 };
    let (_, run) = multiply(name, &Product::new(problem, 3), &options(Measure::All)).unwrap();
    run.hazards.iter().map(|hazard| (hazard.kind, hazard.first.place.line, hazard.second.place.line)).collect()
}

#[test]
fn correct_kernels_have_no_hazards() {
    for name in KERNELS.iter().filter(|name| !name.contains("_no_")) {
        for k in [1, 16, 17, 100] {
            assert_eq!(found(name, k), [], "{name} k={k}");
        }
    }
}

#[test]
fn without_the_first_barrier_reads_come_before_the_writes_they_need() {
    for name in ["sgemm_no_first_barrier", "sgemm_no_first_barrier_delayed"] {
        let hazards = found(name, 50);
        assert!(!hazards.is_empty(), "{name}");
        assert!(hazards.iter().all(|(kind, ..)| *kind == HazardKind::Raw), "{name}: {hazards:?}");
    }
}

#[test]
fn without_the_second_barrier_writes_come_before_the_reads_that_need_the_old_value() {
    for name in ["sgemm_no_second_barrier", "sgemm_no_second_barrier_delayed"] {
        let hazards = found(name, 50);
        assert!(!hazards.is_empty(), "{name}");
        assert!(hazards.iter().all(|(kind, ..)| *kind == HazardKind::War), "{name}: {hazards:?}");
        assert_eq!(found(name, 16), [], "{name}: a single tile needs no second barrier");
    }
}

/// The first hazard of a kernel, its witness, and the matrices.
fn witnessed(name: &str) -> (HazardKind, matmul_tutor::simt::Witness, Product) {
    let problem = Problem { m: 16, n: 16, k: 48, extra: [0; 3], alpha: 1.0, beta: 0.0 };
    let product = Product::new(problem, 3);
    let (_, run) = multiply(name, &product, &options(Measure::All)).unwrap();
    let mut memory = matmul_tutor::simt::Memory::new();
    let (launch, _) = product.launch(&mut memory, [16, 16, 1], [1, 1, 1]);
    let hazard = &run.hazards[0];
    let witness = matmul_tutor::simt::witness(&crate::support::asset(name), &launch, &memory, hazard).expect(name);
    (hazard.kind, witness, product)
}

#[test]
fn a_witness_reads_an_element_of_the_tile_in_one_order_and_what_stood_there_in_the_other() {
    for name in ["sgemm_no_first_barrier", "sgemm_no_second_barrier"] {
        let (kind, witness, product) = witnessed(name);
        let right = f32::from_bits(witness.right as u32);
        let wrong = f32::from_bits(witness.wrong as u32);
        assert!(product.a.contains(&right) || product.b.contains(&right), "{name}: {right}");
        let old = wrong == 0.0 || product.a.contains(&wrong) || product.b.contains(&wrong);
        assert!(old && right != wrong, "{name}: {wrong} for {right}");
        assert_ne!(witness.reader, witness.writer);
        // Harm is done where the warp comes first that is meant to come second.
        let (first, second) = match kind {
            HazardKind::Raw => (witness.reader, witness.writer),
            _ => (witness.writer, witness.reader),
        };
        assert_eq!(witness.way, matmul_tutor::simt::Way::Warps { first, second }, "{name}");
    }
}
