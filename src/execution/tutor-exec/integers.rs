//! Compares FP64 from 8-bit integers with the integers' exact product, bit for bit.

use crate::emulator::load;
use crate::epilogue_buffers::EpilogueBuffers;
use crate::matrices::Matrices;
use crate::matrix::decode;
use crate::prelude::*;
use crate::program::Program;
use crate::resolve::resolve;
use crate::verify::{Problem, Reference};
use ptx_emulator::{Control, Options, run};
use tutor_kernels::{EMULATED_SMS, Ozaki};

/// The product of the first moduli.
fn product_of(moduli: usize) -> f64 {
    Ozaki::MODULI[..moduli].iter().map(|p| f64::from(*p)).product()
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

fn scaled(value: f64, exponent: i32) -> f64 {
    let exponent = exponent.clamp(-2044, 2044);
    value * power_of_two(exponent >> 1) * power_of_two(exponent - (exponent >> 1))
}

/// Returns the exponent of a row or column, and its integers; `None` if it is not finite.
fn integers(values: &[f64], moduli: usize) -> Option<(i32, Vec<i64>)> {
    let largest = values.iter().fold(0.0f64, |largest, value| largest.max(value.abs()));
    if values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let far = if largest < power_of_two(-480) { 700 } else { -700 };
    let far = if (power_of_two(-480)..power_of_two(480)).contains(&largest) { 0 } else { far };
    let square: f64 = values.iter().map(|value| (value * power_of_two(far)).powi(2)).sum();
    let most = product_of(moduli) / 2.0 * (1.0 - power_of_two(-18));
    // The largest exponent with which the square of the norm is at most `most`.
    let fits = |exponent: &i32| square * power_of_two(*exponent) * power_of_two(*exponent) <= most;
    let exponent = if square == 0.0 { 0 } else { (-500..=500).rfind(fits).unwrap() + far };
    Some((exponent, values.iter().map(|value| scaled(*value, exponent).round_ties_even() as i64).collect()))
}

/// Computes C = alpha · A · B + beta · C from the exact product of the integers, which is rounded once.
fn model(inputs: &Inputs, Shape { m, n, k, .. }: Shape, [alpha, beta]: [f64; 2], moduli: usize) -> Vec<f64> {
    let [m, n, k] = [m, n, k].map(|extent| extent as usize);
    let rows: Vec<_> = (0..m).map(|row| integers(&inputs.a[row * k..][..k], moduli)).collect();
    let column = |column: usize| inputs.b[column..].iter().step_by(n).copied().collect::<Vec<f64>>();
    let columns: Vec<_> = (0..n).map(|at| integers(&column(at), moduli)).collect();
    let element = |at: usize| {
        let value = match (&rows[at / n], &columns[at % n]) {
            (Some((s, a)), Some((t, b))) => {
                let exact: i128 = a.iter().zip(b).map(|(a, b)| i128::from(*a) * i128::from(*b)).sum();
                alpha * scaled(exact as f64, -(s + t))
            }
            _ => f64::NAN,
        };
        if beta == 0.0 { value } else { beta.mul_add(inputs.c[at], value) }
    };
    (0..m * n).map(element).collect()
}

/// Runs a kernel on the emulator. Returns C, and the tutor's verdict.
pub(super) fn run_on(id: &str, inputs: &Inputs, shape: Shape, [alpha, beta]: [f64; 2]) -> (Vec<f64>, bool) {
    let (elements, program) = resolve(&Program::new(id), 0, shape, EMULATED_SMS).unwrap();
    let program = program.unwrap();
    let extra = EpilogueBuffers::random(program.further, shape, 1);
    let mut matrices = Matrices::new(inputs, shape, elements).with(&extra, &inputs.c);
    let others = program.companions_kernels().into_iter().map(|other| (other.clone(), load(&other).unwrap()));
    let (kernel, others): (_, Vec<_>) = (load(&program).unwrap(), others.collect());
    let (launches, _) = matrices.launches(&program, &kernel, &others, [alpha, beta]);
    for (kernel, launch) in &launches {
        run(kernel, launch, &mut matrices.memory, &Options::default(), &Control::default()).unwrap();
    }
    let (c, moduli) = (decode(elements, matrices.c()), program.further.moduli);
    let problem = Problem { elements, shape, alpha, beta, inputs, epilogue: None, moduli };
    let verified = problem.compare(&c, &Reference::Exact(&problem.exact()), &problem.tolerance(), &"".into()).verified;
    (c, verified)
}

fn check(moduli: usize, inputs: &Inputs, shape: Shape, factors: [f64; 2]) -> bool {
    let (found, verified) = run_on(&format!("f64_ozaki@{moduli}_moduli"), inputs, shape, factors);
    for (at, (found, expected)) in found.iter().zip(model(inputs, shape, factors, moduli)).enumerate() {
        let equal = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
        assert!(equal, "{moduli} moduli, {shape:?}, element {at}: {found:e}, not {expected:e}");
    }
    verified
}

#[test]
fn c_is_the_integers_product_rounded_once_on_ragged_shapes() {
    for (m, n, k) in [(1, 1, 1), (3, 7, 5), (129, 65, 130), (66, 258, 33)] {
        let shape = Shape::new(m, n, k);
        for (moduli, beta) in [(8, 0.0), (11, -0.75), (14, 1.0), (16, 0.0)] {
            let inputs = Inputs::random(Elements::F64, shape, 1, beta);
            assert!(check(moduli, &inputs, shape, [if beta == 0.0 { 1.0 } else { 1.5 }, beta]), "{moduli} {shape:?}");
        }
    }
    let shape = Shape::new(1, 1, 133_145);
    let refused = resolve(&Program::new("f64_ozaki"), 0, shape, EMULATED_SMS).unwrap_err();
    assert!(refused.message.to_string().contains("K can be at most 133,144"), "{}", refused.message);
}

#[test]
fn zeros_and_the_smallest_and_largest_numbers_keep_their_bits_and_nan_takes_its_row_and_column() {
    let shape = Shape::new(12, 40, 50);
    let mut inputs = Inputs::random(Elements::F64, shape, 2, 0.0);
    for (at, value) in inputs.a.iter_mut().enumerate() {
        *value = match at / 50 {
            1 => 0.0,
            2 => *value * power_of_two(-1000) * power_of_two(-60),
            3 => *value * power_of_two(1010),
            4 if at % 50 == 7 => f64::NAN,
            5 if at % 50 == 9 => f64::INFINITY,
            // A wide range, whose small elements vanish.
            6 => *value * power_of_two(at as i32 % 50 * 11 - 275),
            7 => (*value * 1000.0).round(),
            8 => power_of_two(1023),
            9 => 5e-324,
            _ => *value,
        };
    }
    for (at, value) in inputs.b.iter_mut().enumerate() {
        *value = match at % 40 {
            1 => 0.0,
            2 => *value * power_of_two(-600),
            3 => *value * power_of_two(500),
            4 if at == 4 => f64::NEG_INFINITY,
            5 => (*value * 4096.0).round(),
            6 => *value * power_of_two(-1000) * power_of_two(-50),
            7 => power_of_two(1023),
            _ => *value,
        };
    }
    for moduli in [8, 12, 14, 16] {
        check(moduli, &inputs, shape, [1.0, 0.0]);
    }
    let exact: f64 = (0..50).map(|l| inputs.a[7 * 50 + l] * inputs.b[l * 40 + 5]).sum();
    let (c, _) = run_on("f64_ozaki@8_moduli", &inputs, shape, [1.0, 0.0]);
    assert_eq!(c[7 * 40 + 5], exact, "integers lose nothing");
}

#[test]
fn the_norms_that_are_allowed_fill_the_range_of_the_remainders_and_equal_errors_stay_within_the_bound() {
    let shape = Shape::new(5, 6, 64);
    for moduli in [8, 13, 16] {
        // A norm just below the limit, and a product of equal rows and columns, which is as large as any.
        let size = (product_of(moduli) / 2.0).sqrt() * (1.0 - power_of_two(-18)) / 8.0;
        let a: Vec<f64> = (0..5 * 64).map(|at| if at * at % 7 < 3 { size } else { -size }).collect();
        let b = (0..64 * 6).map(|at| a[at % 6 % 5 * 64 + at / 6]).collect();
        check(moduli, &Inputs { a, b, c: vec![0.0; 30] }, shape, [1.0, 0.0]);
        // Each element of A has the same rounding error, so that they add up.
        let constant = Inputs { a: vec![1.0 / 3.0; 5 * 64], b: vec![1.0 / 7.0; 64 * 6], c: vec![0.0; 30] };
        assert!(check(moduli, &constant, shape, [1.0, 0.0]), "{moduli}");
    }
}
