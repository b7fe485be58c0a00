//! Compares forms that an NVIDIA H200 does not have with older forms that it has, or with plain arithmetic.

use super::answers;
use super::form::{Form, exact};
use super::inputs::{
    self,
    Kind::{self, *},
};

/// Checks that both statements give the same result in every case.
fn same(newer: &str, older: &str, inputs: &[Kind], output: Kind) {
    let [new, old]: [Form; 2] = [exact(newer, inputs, output), exact(older, inputs, output)];
    let cases = inputs::cases(inputs, 2048);
    let (found, wanted) = (answers(&new, &cases), answers(&old, &cases));
    for ((case, found), wanted) in cases.iter().zip(found.unwrap()).zip(wanted.unwrap()) {
        assert_eq!(found, wanted, "{newer} {case:x?}");
    }
}

#[test]
fn two_in_a_register_are_each_what_one_is() {
    let pairs = "mov.b64 %u1, {A, B}; mov.b64 %u2, {C, E}; mov.b64 %u3, {B, C};";
    for round in ["", ".rn", ".rz", ".rm", ".rp"] {
        for ftz in ["", ".ftz"] {
            for op in ["add", "sub", "mul"] {
                let how = format!("{op}{round}{ftz}");
                let newer = format!("{pairs} {how}.f32x2 D, %u1, %u2;");
                let older = format!("{how}.f32 %t1, A, C; {how}.f32 %t2, B, E; mov.b64 D, {{%t1, %t2}};");
                same(&newer, &older, &[F32; 4], I64);
            }
            if !round.is_empty() {
                let how = format!("fma{round}{ftz}");
                let newer = format!("{pairs} {how}.f32x2 D, %u1, %u2, %u3;");
                let older = format!("{how}.f32 %t1, A, C, B; {how}.f32 %t2, B, E, C; mov.b64 D, {{%t1, %t2}};");
                same(&newer, &older, &[F32; 4], I64);
            }
        }
    }
}

#[test]
fn halves_among_single_precision_are_widened() {
    for (ty, kind) in [("f16", F16), ("bf16", Bf16)] {
        for round in [".rn", ".rz", ".rm", ".rp"] {
            for sat in ["", ".sat"] {
                for op in ["add", "sub"] {
                    let newer = format!("{op}{round}{sat}.f32.{ty} D, A, B;");
                    let older = format!("cvt.f32.{ty} %t1, A; {op}{round}{sat}.f32 D, %t1, B;");
                    same(&newer, &older, &[kind, F32], F32);
                }
                let newer = format!("fma{round}{sat}.f32.{ty} D, A, B, C;");
                let older = format!("cvt.f32.{ty} %t1, A; cvt.f32.{ty} %t2, B; fma{round}{sat}.f32 D, %t1, %t2, C;");
                same(&newer, &older, &[kind, kind, F32], F32);
            }
        }
        same(&format!("add.f32.{ty} D, A, B;"), &format!("add.rn.f32.{ty} D, A, B;"), &[kind, F32], F32);
    }
}

#[test]
fn extremes_of_three_are_those_of_two_and_two() {
    for op in ["min", "max"] {
        for how in ["", ".ftz", ".NaN", ".ftz.NaN"] {
            let older = format!("{op}{how}.f32 %t1, A, B; {op}{how}.f32 D, %t1, C;");
            same(&format!("{op}{how}.f32 D, A, B, C;"), &older, &[F32; 3], F32);
            let sizes = "and.b32 %t2, A, 0x7fffffff; and.b32 %t3, B, 0x7fffffff; and.b32 %t4, C, 0x7fffffff;";
            let older = format!("{sizes} {op}{how}.f32 %t1, %t2, %t3; {op}{how}.f32 D, %t1, %t4;");
            same(&format!("{op}{how}.abs.f32 D, A, B, C;"), &older, &[F32; 3], F32);
        }
    }
}

#[test]
fn reductions_of_single_precision_are_those_of_a_butterfly() {
    for op in ["min", "max"] {
        for nan in ["", ".NaN"] {
            for abs in ["", ".abs"] {
                let first = if abs.is_empty() { "mov.b32 %t1, A;" } else { "and.b32 %t1, A, 0x7fffffff;" };
                let step = |lanes: u32| {
                    format!("shfl.sync.bfly.b32 %t2, %t1, {lanes}, 0x1f, -1; {op}{nan}.f32 %t1, %t1, %t2;")
                };
                let steps: String = [16, 8, 4, 2, 1].into_iter().map(step).collect();
                let newer = format!("redux.sync.{op}{abs}{nan}.f32 D, A, -1;");
                same(&newer, &format!("{first} {steps} mov.b32 D, %t1;"), &[F32], F32);
            }
        }
    }
}

/// Narrow formats: name, exponent bits, mantissa bits.
const NARROW: [(&str, u32, u32); 3] = [("e2m3x2", 2, 3), ("e3m2x2", 3, 2), ("e2m1x2", 2, 1)];

/// Returns the number that the bits of a format represent.
fn value(bits: u64, exponent: u32, mantissa: u32) -> f64 {
    let power = (bits >> mantissa & ((1 << exponent) - 1)) as i32;
    let fraction = (bits & ((1 << mantissa) - 1)) as f64 / f64::from(1 << mantissa);
    let bias = (1 << (exponent - 1)) - 1;
    let size = if power == 0 { fraction * 2f64.powi(1 - bias) } else { (1.0 + fraction) * 2f64.powi(power - bias) };
    if bits >> (exponent + mantissa) & 1 == 1 { -size } else { size }
}

/// Returns the bits of the nearest value in a format. If two are equally near, returns the even bits.
fn nearest(x: f32, exponent: u32, mantissa: u32) -> u64 {
    let largest = (1u64 << (exponent + mantissa)) - 1;
    if x.is_nan() {
        return largest;
    }
    let size = f64::from(x.abs());
    let far = |bits: &u64| (value(*bits, exponent, mantissa) - size).abs();
    let sign = u64::from(x.is_sign_negative()) << (exponent + mantissa);
    let best = (0..=largest).min_by(|a, b| far(a).total_cmp(&far(b)).then((a & 1).cmp(&(b & 1)))).unwrap();
    sign | if size > value(largest, exponent, mantissa) { largest } else { best }
}

#[test]
fn floats_of_six_and_four_bits_are_the_nearest() {
    for (ty, exponent, mantissa) in NARROW {
        let width = if ty == "e2m1x2" { 4 } else { 8 };
        let (declare, into, from) = if width == 4 {
            (".reg .b8 %c<2>;", "%c0", "cvt.u32.u8 D, %c0;")
        } else {
            ("", "%h1", "cvt.u32.u16 D, %h1;")
        };
        for relu in ["", ".relu"] {
            let text = format!("{{ {declare} cvt.rn.satfinite{relu}.{ty}.f32 {into}, A, B; {from} }}");
            let cases = inputs::cases(&[F32, F32], 4096);
            let found = answers(&exact(text, &[F32, F32], I32), &cases).unwrap();
            for (case, found) in cases.iter().zip(found) {
                let one = |bits: u64| {
                    let x = f32::from_bits(bits as u32);
                    if !relu.is_empty() && x < 0.0 { 0 } else { nearest(x, exponent, mantissa) }
                };
                let zero = |bits: u64| if relu.is_empty() || bits as u32 != 1 << 31 { one(bits) } else { 0 };
                assert_eq!(found, zero(case[0]) << width | zero(case[1]), "{ty}{relu} {case:x?}");
            }
        }
        let text = format!("{{ {declare} cvt.u8.u16 {into}, A; cvt.rn.f16x2.{ty} D, {into}; }}");
        let text = if width == 4 { text } else { format!("cvt.rn.f16x2.{ty} D, A;") };
        let mask = (1 << (exponent + mantissa + 1)) - 1;
        let cases: Vec<[u64; 4]> = (0..1 << 12).map(|n: u64| [(n >> 6 & mask) << width | n & mask, 0, 0, 0]).collect();
        let found = answers(&exact(text, &[I16], I32), &cases).unwrap();
        for (case, found) in cases.iter().zip(found) {
            let half = |bits: u64| u64::from(half::f16::from_f64(value(bits, exponent, mantissa)).to_bits());
            let (high, low) = (case[0] >> width & mask, case[0] & mask);
            assert_eq!(found, half(high) << 16 | half(low), "{ty} {case:x?}");
        }
    }
}

#[test]
fn powers_of_two_enclose_a_number() {
    for (round, up) in [("rz", false), ("rp", true)] {
        for satfinite in ["", ".satfinite"] {
            let text = format!("cvt.{round}{satfinite}.ue8m0x2.f32 D, A, B;");
            let cases = inputs::cases(&[F32, F32], 4096);
            let found = answers(&exact(text, &[F32, F32], I16), &cases).unwrap();
            let one = |bits: u64| {
                let size = f64::from(f32::from_bits(bits as u32).abs());
                let power = |n: i32| 2f64.powi(n - 127);
                let most = if satfinite.is_empty() { 255 } else { 254 };
                match size {
                    _ if size.is_nan() => 255,
                    _ if up => (0..most).find(|n| power(*n) >= size).unwrap_or(most) as u64,
                    _ if size.is_infinite() => most as u64,
                    _ => (0..255).rev().find(|n| power(*n) <= size).unwrap_or(0) as u64,
                }
            };
            for (case, found) in cases.iter().zip(found) {
                assert_eq!(found, one(case[0]) << 8 | one(case[1]), "{round}{satfinite} {case:x?}");
            }
        }
    }
    let cases: Vec<[u64; 4]> = (0..1 << 16).map(|n| [n, 0, 0, 0]).collect();
    let found = answers(&exact("cvt.rn.bf16x2.ue8m0x2 D, A;", &[I16], I32), &cases).unwrap();
    for (case, found) in cases.iter().zip(found) {
        let one = |n: u64| match n & 255 {
            255 => 0x7fff,
            n => u64::from(((2f64.powi(n as i32 - 127) as f32).to_bits()) >> 16),
        };
        assert_eq!(found, one(case[0] >> 8) << 16 | one(case[0]), "{case:x?}");
    }
}

#[test]
fn random_bits_round_up_as_often_as_the_rest_is_large() {
    // 1 + 3/4 of the last place of a half rounds up for three of four random numbers.
    let x = f32::from_bits(0x3f80_0000 | 0x1800);
    for (random, wanted) in [(0u64, 0x3c00), (0x7ff, 0x3c00), (0x800, 0x3c01), (0x1fff, 0x3c01)] {
        for (sign, x) in [(0, x), (0x8000, -x)] {
            let case = [u64::from(x.to_bits()), 0, random << 16, 0];
            let form = exact("cvt.rs.f16x2.f32 D, A, B, C;", &[F32, F32, I32], I32);
            let found = answers(&form, &[case; 128]).unwrap()[0];
            assert_eq!(found, (wanted | sign) << 16, "{x} {random:x}");
        }
    }
    // Exact numbers stay the same. The largest becomes infinite or not.
    for (flags, bits, wanted) in
        [("", 1.5f32.to_bits(), 0x3e00), ("", 0x477f_f000, 0x7c00), (".satfinite", 0x477f_f000, 0x7bff)]
    {
        let form = exact(format!("cvt.rs{flags}.f16x2.f32 D, A, B, C;"), &[F32, F32, I32], I32);
        let case = [0, u64::from(bits), 0x1fff, 0];
        assert_eq!(answers(&form, &[case; 128]).unwrap()[0], wanted, "{flags} {bits:x}");
    }
    let form = exact("cvt.rs.relu.bf16x2.f32 D, A, B, C;", &[F32, F32, I32], I32);
    let case = [u64::from((-1.0f32).to_bits()), 0x3f80_8000, 0x8000, 0];
    assert_eq!(answers(&form, &[case; 128]).unwrap()[0], 0x3f81);
}

#[test]
fn wide_accesses_move_every_element() {
    // Moves four numbers of the thread's input through registers, 32 bytes at a time, and sums them.
    let text = "{ .reg .b32 %v<8>; .reg .b64 %w<4>; ld.global.v4.b64 {%w0, %w1, %w2, %w3}, [%x0]; \
        ld.global.nc.L2::evict_last.v8.b32 {%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}, [%x0]; \
        mov.b64 %u1, {%v0, %v1}; mov.b64 %u2, {%v2, %v3}; mov.b64 %u3, {%v4, %v5}; mov.b64 %u4, {%v6, %v7}; \
        sub.u64 %u1, %u1, %w0; sub.u64 %u2, %u2, %w1; sub.u64 %u3, %u3, %w2; sub.u64 %u4, %u4, %w3; \
        or.b64 %u1, %u1, %u2; or.b64 %u3, %u3, %u4; or.b64 %u1, %u1, %u3; \
        shl.b64 %w1, %w1, 1; shl.b64 %w2, %w2, 2; shl.b64 %w3, %w3, 3; add.u64 %w0, %w0, %w1; add.u64 %w2, %w2, %w3; \
        add.u64 %w0, %w0, %w2; or.b64 D, %u1, %w0; }";
    let cases = inputs::cases(&[I64; 4], 512);
    let found = answers(&exact(text, &[I64; 4], I64), &cases).unwrap();
    for ([a, b, c, d], found) in cases.iter().zip(found) {
        let wanted = a.wrapping_add(b << 1).wrapping_add((c << 2).wrapping_add(d << 3));
        assert_eq!(found, wanted, "{a:x} {b:x} {c:x} {d:x}");
    }
}
