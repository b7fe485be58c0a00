//! Compares the emulator with the results of a GPU.

use super::form::{Agreement, Form};
use super::inputs::{self, Kind};
use super::{CASES, all, answers};
use std::collections::HashMap;

/// Warps in the fixtures per exact form and per approximate form (see `scripts/gpu-instructions`).
const EXACT_WARPS: usize = 16;
const APPROXIMATE_WARPS: usize = 8;

/// Returns the cases of some warps, spread over all.
fn kept(form: &Form, warps: usize) -> Vec<[u64; 4]> {
    let cases = inputs::cases(&form.inputs, form.count(CASES));
    (0..warps).flat_map(|at| cases[at * (cases.len() / 32) / warps * 32..][..32].to_vec()).collect()
}

/// The hash of Fowler, Noll and Vo (FNV-1a), one word at a time.
fn fnv(words: &[u64]) -> u64 {
    words.iter().fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x100_0000_01b3))
}

fn fixture(name: &str) -> String {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_exact_form_gives_the_bits_that_the_gpu_gave() {
    let text = fixture("h200-instructions.txt");
    let measured: HashMap<&str, &str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(h, t)| (t, h))
        .collect();
    let forms: Vec<Form> = all().into_iter().filter(|form| form.agreement == Agreement::Exact).collect();
    let wrong: Vec<String> = forms
        .iter()
        .filter_map(|form| {
            let found = answers(form, &kept(form, EXACT_WARPS)).map(|words| format!("{:016x}", fnv(&words)));
            match (found, measured.get(form.name.as_str())) {
                (Ok(found), Some(wanted)) if found == *wanted => None,
                (Ok(_), Some(_)) => Some(format!("answers differently: {}", form.name)),
                (Ok(_), None) => Some(format!("never measured: {}", form.name)),
                (Err(fault), _) => Some(format!("{}: {fault}", form.name)),
            }
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} forms:\n{}", wrong.len(), forms.len(), wrong.join("\n"));
    assert_eq!(measured.len(), forms.len(), "the fixture has forms that the table has not");
}

/// Returns the number that the bits represent, and its rank among the floats of its kind.
fn number(bits: u64, kind: Kind) -> (f64, i64) {
    let (value, sign) = match kind {
        Kind::F64 => (f64::from_bits(bits), 1 << 63),
        Kind::Bf16 => (f64::from(f32::from_bits((bits as u32) << 16)), 1 << 15),
        Kind::F16 => {
            let (exponent, fraction) = (bits >> 10 & 31, (bits & 0x3ff) as f64);
            let size = match exponent {
                0 => fraction * f64::exp2(-24.0),
                31 if fraction != 0.0 => f64::NAN,
                31 => f64::INFINITY,
                _ => (1024.0 + fraction) * f64::exp2(exponent as f64 - 25.0),
            };
            (if bits >> 15 == 1 { -size } else { size }, 1 << 15)
        }
        _ => (f64::from(f32::from_bits(bits as u32)), 1 << 31),
    };
    let size = (bits & (sign - 1)) as i64;
    (value, if bits & sign != 0 { -size } else { size })
}

/// True if a result is close enough to the GPU's.
fn close(form: &Form, found: u64, wanted: u64) -> bool {
    let Agreement::Approximate { ulps, absolute } = form.agreement else { return found == wanted };
    let halves = match form.output {
        Kind::F16x2 => Some(Kind::F16),
        Kind::Bf16x2 => Some(Kind::Bf16),
        _ => None,
    };
    let near = |found: u64, wanted: u64, kind: Kind| {
        let ((x, a), (y, b)) = (number(found, kind), number(wanted, kind));
        (x.is_nan() && y.is_nan()) || a.abs_diff(b) <= ulps && !x.is_nan() && !y.is_nan() || (x - y).abs() <= absolute
    };
    match halves {
        Some(kind) => near(found & 0xffff, wanted & 0xffff, kind) && near(found >> 16, wanted >> 16, kind),
        None => near(found, wanted, form.output),
    }
}

#[test]
fn approximate_forms_are_as_close_to_the_gpu_as_documented() {
    let text = fixture("h200-approximate.txt");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let measured: HashMap<&str, &str> = lines.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let forms: Vec<Form> = all().into_iter().filter(|form| form.agreement != Agreement::Exact).collect();
    for form in &forms {
        let wanted = measured.get(form.name.as_str()).unwrap_or_else(|| panic!("never measured: {}", form.name));
        let wanted = wanted.split(' ').map(|word| u64::from_str_radix(word, 16).unwrap());
        let cases = kept(form, APPROXIMATE_WARPS);
        let found = answers(form, &cases).unwrap_or_else(|fault| panic!("{}: {fault}", form.name));
        for ((case, found), wanted) in cases.iter().zip(found).zip(wanted) {
            assert!(close(form, found, wanted), "{} {case:x?}: {found:x}, the GPU gave {wanted:x}", form.name);
        }
    }
    assert_eq!(measured.len(), forms.len(), "the fixture has forms that the table has not");
}
