//! Missing barriers are found with the correct kind of hazard, and kernels with both barriers have none.

use crate::emulator::{Problem, Product, options};
use crate::support::{KERNELS, asset, launch, multiply};
use ptx_emulator::{Arg, Control, HazardKind, Launch, Measure, Memory, Module, NoWitness, Options, attempt, witness};

fn found(name: &str, k: usize) -> Vec<(HazardKind, u32, u32)> {
    let problem = Problem { m: 40, n: 33, k, extra: [0; 3], alpha: 1.0, beta: 0.0 };
    let (_, run) = multiply(name, &Product::new(problem, 3), &options(Measure::All));
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
fn a_missing_barrier_is_found_with_its_kind_of_hazard() {
    for (name, expected) in [
        ("sgemm_no_first_barrier", HazardKind::Raw),
        ("sgemm_no_first_barrier_delayed", HazardKind::Raw),
        ("sgemm_no_second_barrier", HazardKind::War),
        ("sgemm_no_second_barrier_delayed", HazardKind::War),
    ] {
        let hazards = found(name, 50);
        assert!(!hazards.is_empty() && hazards.iter().all(|(kind, ..)| *kind == expected), "{name}: {hazards:?}");
        let in_one_tile = !found(name, 16).is_empty();
        assert_eq!(in_one_tile, expected == HazardKind::Raw, "{name}: a single tile needs no second barrier");
    }
}

/// Returns the first hazard of a kernel, its witness, and the matrices.
fn witnessed(name: &str) -> (HazardKind, ptx_emulator::Witness, Product) {
    let problem = Problem { m: 16, n: 16, k: 48, extra: [0; 3], alpha: 1.0, beta: 0.0 };
    let product = Product::new(problem, 3);
    let (_, run) = multiply(name, &product, &options(Measure::All));
    let mut memory = Memory::new();
    let (launch, _) = launch(name, &product, &mut memory);
    let hazard = &run.hazards[0];
    let kernel = asset(name);
    let witness = witness(&kernel, &launch, &memory, hazard, &Control::default()).expect(name);
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
        // The value is wrong if the warp that should come second comes first.
        let (first, second) = match kind {
            HazardKind::Raw => (witness.reader, witness.writer),
            _ => (witness.writer, witness.reader),
        };
        assert_eq!(witness.way, ptx_emulator::Way::Warps { first, second }, "{name}");
    }
}

#[test]
fn a_witness_does_not_take_the_value_of_another_buffer_on_the_same_line() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"k.cu\"\n\
        .visible .entry k(.param .u64 data, .param .u64 flag) {\n\
        .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p<2>;\n.loc 1 1 0\n\
        ld.param.u64 %rd0, [data]; ld.param.u64 %rd1, [flag]; mov.u32 %r0, %tid.x;\n\
        setp.eq.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r0, 32; mov.u32 %r1, 0; mov.u32 %r2, 1;\n\
        .loc 1 2 0\n@%p1 st.global.u32 [%rd0], %r1;\n.loc 1 3 0\n@%p1 st.global.u32 [%rd1], %r2;\n\
        .loc 1 4 0\n@%p0 ld.global.u32 %r3, [%rd1];\n@%p0 ld.global.u32 %r3, [%rd0];\nret;\n}";
    let kernel = Module::parse(text).unwrap().kernel("k").unwrap();
    let mut memory = Memory::new();
    let args = ["data", "flag"].map(|name| Arg::Buffer(memory.add(name, &[0; 4]))).to_vec();
    let launch = Launch { block: [64, 1, 1], args, ..Launch::default() };
    let before = memory.clone();
    let options = Options { global_hazards: true, ..options(Measure::All) };
    let found = attempt(&kernel, &launch, &mut memory, &options, &Control::default()).unwrap().run.hazards;
    let shown = |name: &str| {
        let hazard = found.iter().find(|hazard| hazard.buffer.as_deref() == Some(name)).unwrap();
        witness(&kernel, &launch, &before, hazard, &Control::default())
    };
    assert_eq!(shown("data"), Err(NoWitness::SameValue(0)));
    let flag = shown("flag").unwrap();
    assert_eq!(flag.right ^ flag.wrong, 1);
}
