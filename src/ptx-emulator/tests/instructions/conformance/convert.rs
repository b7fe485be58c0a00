//! Forms of `cvt`, and of moves that unpack values.

use super::form::{Form, exact};
use super::inputs::Kind::{self, *};
use super::integer;

const INTEGERS: [&str; 8] = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];
const FLOATS: [(&str, Kind); 4] = [("f16", F16), ("bf16", Bf16), ("f32", F32), ("f64", F64)];

fn kind(ty: &str) -> Kind {
    if ty.ends_with('8') { I16 } else { integer::kind(ty) }
}

/// True if `to` contains every value of `from`, so that nothing can saturate.
fn contains(to: &str, from: &str) -> bool {
    let bits = |ty: &str| ty[1..].parse::<u32>().unwrap();
    match (to.starts_with('s'), from.starts_with('s')) {
        (true, false) => bits(to) > bits(from),
        (false, true) => false,
        _ => bits(to) >= bits(from),
    }
}

pub(crate) fn forms() -> Vec<Form> {
    let mut all = Vec::new();
    for from in INTEGERS {
        for to in INTEGERS {
            all.push(exact(format!("cvt.{to}.{from} D, A;"), &[kind(from)], kind(to)));
            if !contains(to, from) {
                all.push(exact(format!("cvt.sat.{to}.{from} D, A;"), &[kind(from)], kind(to)));
            }
        }
        // Narrow results in wide registers are extended.
        if from.ends_with('8') || from.ends_with("16") {
            for (wide, kind) in [("u32", I32), ("s64", I64)] {
                let mut form = exact(format!("cvt.{from}.{wide} D, A;"), &[kind], kind);
                form.name = format!("{} into a register of {wide}", form.text);
                all.push(form);
            }
        }
        for (to, result) in FLOATS {
            if to == "bf16" && from.ends_with('8') {
                continue;
            }
            for round in ["rn", "rz", "rm", "rp"] {
                all.push(exact(format!("cvt.{round}.{to}.{from} D, A;"), &[kind(from)], result));
                if to != "bf16" && round == "rn" {
                    all.push(exact(format!("cvt.{round}.sat.{to}.{from} D, A;"), &[kind(from)], result));
                }
                for ftz in ["", ".ftz"] {
                    if ftz.is_empty() || to == "f32" {
                        all.push(exact(format!("cvt.{round}i{ftz}.{from}.{to} D, A;"), &[result], kind(from)));
                    }
                }
            }
        }
    }
    all.append(&mut floats());
    all.append(&mut packed());
    all.append(&mut moves());
    all
}

fn floats() -> Vec<Form> {
    let mut all = Vec::new();
    for (ty, kind) in [("f16", F16), ("f32", F32), ("f64", F64), ("bf16", Bf16)] {
        for round in ["rni", "rzi", "rmi", "rpi"] {
            all.push(exact(format!("cvt.{round}.{ty}.{ty} D, A;"), &[kind], kind));
            if ty == "f32" {
                all.push(exact(format!("cvt.{round}.ftz.f32.f32 D, A;"), &[kind], kind));
                all.push(exact(format!("cvt.{round}.ftz.sat.f32.f32 D, A;"), &[kind], kind));
            }
            if ty != "bf16" {
                all.push(exact(format!("cvt.{round}.sat.{ty}.{ty} D, A;"), &[kind], kind));
            }
        }
        if ty != "bf16" {
            all.push(exact(format!("cvt.{ty}.{ty} D, A;"), &[kind], kind));
            all.push(exact(format!("cvt.sat.{ty}.{ty} D, A;"), &[kind], kind));
        }
    }
    all.push(exact("cvt.ftz.f32.f32 D, A;", &[F32], F32));
    all.push(exact("cvt.ftz.sat.f32.f32 D, A;", &[F32], F32));
    for (text, from, to) in [
        ("cvt.f32.f16", F16, F32),
        ("cvt.f64.f16", F16, F64),
        ("cvt.f64.f32", F32, F64),
        ("cvt.f32.bf16", Bf16, F32),
        ("cvt.f64.bf16", Bf16, F64),
        ("cvt.sat.f32.f16", F16, F32),
        ("cvt.sat.f64.f32", F32, F64),
        ("cvt.ftz.f64.f32", F32, F64),
        ("cvt.ftz.f32.f16", F16, F32),
    ] {
        all.push(exact(format!("{text} D, A;"), &[from], to));
    }
    for round in ["rn", "rz", "rm", "rp"] {
        for (to, from, result, source) in [
            ("f16", "f32", F16, F32),
            ("f16", "f64", F16, F64),
            ("f32", "f64", F32, F64),
            ("bf16", "f32", Bf16, F32),
            ("bf16", "f64", Bf16, F64),
            ("f16", "bf16", F16, Bf16),
            ("bf16", "f16", Bf16, F16),
        ] {
            all.push(exact(format!("cvt.{round}.{to}.{from} D, A;"), &[source], result));
            if result != Bf16 && source != Bf16 {
                all.push(exact(format!("cvt.{round}.sat.{to}.{from} D, A;"), &[source], result));
            }
        }
        all.push(exact(format!("cvt.{round}.ftz.f32.f64 D, A;"), &[F64], F32));
        all.push(exact(format!("cvt.{round}.ftz.f16.f32 D, A;"), &[F32], F16));
    }
    for round in ["rn", "rz"] {
        for relu in ["", ".relu"] {
            all.push(exact(format!("cvt.{round}{relu}.tf32.f32 D, A;"), &[F32], F32));
            for to in ["f16", "bf16"] {
                let kind = if to == "f16" { F16 } else { Bf16 };
                if !relu.is_empty() {
                    all.push(exact(format!("cvt.{round}{relu}.{to}.f32 D, A;"), &[F32], kind));
                }
                all.push(exact(format!("cvt.{round}{relu}.{to}x2.f32 D, A, B;"), &[F32, F32], I32));
            }
        }
    }
    all.push(exact("cvt.rna.tf32.f32 D, A;", &[F32], F32));
    all.append(&mut limited());
    all
}

/// Returns rarely used saturating conversions.
fn limited() -> Vec<Form> {
    let mut all = Vec::new();
    for to in INTEGERS {
        for (from, source) in [("f16", F16), ("f32", F32), ("f64", F64)] {
            all.push(exact(format!("cvt.rmi.sat.{to}.{from} D, A;"), &[source], kind(to)));
        }
        all.push(exact(format!("cvt.rni.ftz.sat.{to}.f32 D, A;"), &[F32], kind(to)));
        all.push(exact(format!("cvt.rz.ftz.f32.{to} D, A;"), &[kind(to)], F32));
        all.push(exact(format!("cvt.rp.ftz.sat.f32.{to} D, A;"), &[kind(to)], F32));
    }
    for (to, result) in [("f16", F16), ("bf16", Bf16)] {
        for how in ["rn.satfinite", "rz.satfinite", "rn.satfinite.relu", "rz.relu.satfinite"] {
            all.push(exact(format!("cvt.{how}.{to}.f32 D, A;"), &[F32], result));
            all.push(exact(format!("cvt.{how}.{to}x2.f32 D, A, B;"), &[F32, F32], I32));
        }
    }
    for (how, from, to) in [
        ("rna.satfinite.tf32.f32", F32, F32),
        ("rn.ftz.sat.f16.f32", F32, F16),
        ("rn.ftz.bf16.f32", F32, Bf16),
        ("rz.ftz.bf16.f32", F32, Bf16),
        ("f16.bf16", Bf16, F16),
        ("bf16.f16", F16, Bf16),
        ("bf16.bf16", Bf16, Bf16),
        ("rm.f32.bf16", Bf16, F32),
        ("ftz.f32.bf16", Bf16, F32),
        ("rz.f64.bf16", Bf16, F64),
        ("ftz.sat.f32.f16", F16, F32),
        ("rn.ftz.sat.f32.f64", F64, F32),
        ("sat.f64.f16", F16, F64),
        ("ftz.sat.f64.f32", F32, F64),
    ] {
        all.push(exact(format!("cvt.{how} D, A;"), &[from], to));
    }
    all
}

fn packed() -> Vec<Form> {
    let mut all = Vec::new();
    for ty in ["u16", "s16"] {
        all.push(exact(format!("cvt.pack.sat.{ty}.s32 D, A, B;"), &[I32; 2], I32));
    }
    for ty in ["u8", "s8", "u4", "s4", "u2", "s2"] {
        all.push(exact(format!("cvt.pack.sat.{ty}.s32.b32 D, A, B, C;"), &[I32; 3], I32));
    }
    for ty in ["e4m3x2", "e5m2x2"] {
        for relu in ["", ".relu"] {
            all.push(exact(format!("cvt.rn.satfinite{relu}.{ty}.f32 D, A, B;"), &[F32, F32], I16));
            all.push(exact(format!("cvt.rn.satfinite{relu}.{ty}.f16x2 D, A;"), &[F16x2], I16));
            all.push(exact(format!("cvt.rn{relu}.f16x2.{ty} D, A;"), &[I16], I32));
        }
    }
    all
}

fn moves() -> Vec<Form> {
    vec![
        exact("mov.b32 D, {A, B};", &[I16, I16], I32),
        exact("mov.b64 D, {A, B};", &[I32, I32], I64),
        exact("mov.b64 D, {A, B, C, E};", &[I16; 4], I64),
        exact("mov.b32 {%h1, D}, A;", &[I32], I16),
        exact("mov.b64 {%h1, %h2, D, %h3}, A;", &[I64], I16),
        exact("mov.b64 {%t1, %t2}, A; sub.u32 D, %t1, %t2;", &[I64], I32),
        exact("mov.b16 D, A;", &[I16], I16),
        exact("{ .reg .b8 %c<2>; mov.b16 {%c0, %c1}, A; mov.b16 D, {%c1, %c0}; }", &[I16], I16),
        exact("{ .reg .b8 %c<4>; mov.b32 {%c0, %c1, %c2, %c3}, A; mov.b32 D, {%c3, %c0, %c2, %c1}; }", &[I32], I32),
        exact("{ .reg .b128 %q; mov.b128 %q, {A, B}; mov.b128 {%u1, D}, %q; }", &[I64, I64], I64),
        exact(
            "{ .reg .b128 %q<2>; mov.b128 %q0, {A, B, C, E}; mov.b128 %q1, %q0; mov.b128 {%u1, %u2}, %q1; \
            mul.lo.u64 %u2, %u2, 3; xor.b64 D, %u1, %u2; }",
            &[I32; 4],
            I64,
        ),
        exact(
            "{ .reg .b128 %q; mov.b128 %q, {A, B}; mov.b128 {%t1, %t2, %t3, %t4}, %q; mov.b64 D, {%t2, %t3}; }",
            &[I64, I64],
            I64,
        ),
    ]
}
