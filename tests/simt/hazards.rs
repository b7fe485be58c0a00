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
