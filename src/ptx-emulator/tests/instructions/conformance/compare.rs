//! Forms of `setp` and `set`.

use super::form::{Form, exact};
use super::inputs::Kind::{self, *};
use super::integer;

const SIGNED: [&str; 6] = ["eq", "ne", "lt", "le", "gt", "ge"];
const UNSIGNED: [&str; 10] = ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"];
const FLOAT: [&str; 14] = ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"];

pub(crate) fn forms() -> Vec<Form> {
    let mut all = Vec::new();
    for ty in ["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"] {
        let relations: &[&str] = match &ty[..1] {
            "b" => &SIGNED[..2],
            "s" => &SIGNED,
            _ => &UNSIGNED,
        };
        for relation in relations {
            let k = integer::kind(ty);
            all.push(exact(format!("setp.{relation}.{ty} D, A, B;"), &[k, k], Pred));
        }
    }
    for (ty, kind) in [("f32", F32), ("f64", F64), ("f16", F16), ("bf16", Bf16)] {
        for relation in FLOAT {
            all.push(exact(format!("setp.{relation}.{ty} D, A, B;"), &[kind, kind], Pred));
            if matches!(ty, "f32" | "f16") {
                all.push(exact(format!("setp.{relation}.ftz.{ty} D, A, B;"), &[kind, kind], Pred));
            }
        }
    }
    for (ty, kind) in [("f16x2", F16x2), ("bf16x2", Bf16x2)] {
        for relation in ["eq", "ne", "ltu", "geu", "nan"] {
            let pack = "selp.u32 %t1, 1, 0, %p1; selp.u32 %t2, 2, 0, %p2; add.u32 D, %t1, %t2;";
            all.push(exact(format!("setp.{relation}.{ty} %p1|%p2, A, B; {pack}"), &[kind, kind], I32));
        }
    }
    for combine in ["and", "or", "xor"] {
        let pack = "selp.u32 %t1, 1, 0, %p1; selp.u32 %t2, 2, 0, %p2; add.u32 D, %t1, %t2;";
        all.push(exact(format!("setp.lt.{combine}.s32 %p1|%p2, A, B, C; {pack}"), &[I32, I32, Pred], I32));
        all.push(exact(format!("setp.geu.{combine}.f32 %p1|%p2, A, B, !C; {pack}"), &[F32, F32, Pred], I32));
    }
    // One predicate for two halves.
    for (ty, kind) in [("f16x2", F16x2), ("bf16x2", Bf16x2)] {
        for relation in ["lt", "neu"] {
            all.push(exact(format!("setp.{relation}.{ty} D, A, B;"), &[kind, kind], Pred));
        }
        all.push(exact(format!("setp.gt.and.{ty} D, A, B, C;"), &[kind, kind, Pred], Pred));
    }
    all.push(exact("setp.leu.ftz.f16x2 D, A, B;", &[F16x2, F16x2], Pred));
    all.append(&mut sets());
    all.append(&mut every_set());
    all
}

fn sets() -> Vec<Form> {
    let mut all = Vec::new();
    let sources: [(&str, Kind); 5] = [("s32", I32), ("u64", I64), ("f32", F32), ("f64", F64), ("s16", I16)];
    for (ty, kind) in sources {
        for to in ["u32", "s32", "f32"] {
            all.push(exact(format!("set.le.{to}.{ty} D, A, B;"), &[kind, kind], I32));
            all.push(exact(format!("set.gt.xor.{to}.{ty} D, A, B, C;"), &[kind, kind, Pred], I32));
        }
    }
    all.push(exact("set.ltu.ftz.u32.f32 D, A, B;", &[F32, F32], I32));
    for (ty, kind, pair, both) in [("f16", F16, "f16x2", F16x2), ("bf16", Bf16, "bf16x2", Bf16x2)] {
        for (to, result) in [(ty, kind), ("u16", I16), ("s16", I16), ("u32", I32), ("s32", I32)] {
            all.push(exact(format!("set.geu.{to}.{ty} D, A, B;"), &[kind, kind], result));
        }
        for to in [pair, "u32", "s32"] {
            // `.u32` of two halves gives a mask for each.
            all.push(exact(format!("set.lt.{to}.{pair} D, A, B;"), &[both, both], I32));
        }
        for to in ["f16", "f32", "u16"] {
            if ty == "f16" {
                let result = if to == "f32" { F32 } else { I16 };
                let (from, source) = if to == "f16" { ("s32", I32) } else { ("f16", F16) };
                if to != "f32" {
                    all.push(exact(format!("set.ne.{to}.{from} D, A, B;"), &[source, source], result));
                }
            }
        }
    }
    all
}

/// Returns every pair of types of `set` that is not in the table yet, each with a different relation.
fn every_set() -> Vec<Form> {
    let mut all = Vec::new();
    let words: [(&str, Kind); 11] = [
        ("b16", I16),
        ("u16", I16),
        ("s16", I16),
        ("b32", I32),
        ("u32", I32),
        ("s32", I32),
        ("b64", I64),
        ("u64", I64),
        ("s64", I64),
        ("f32", F32),
        ("f64", F64),
    ];
    for (at, (ty, kind)) in words.into_iter().enumerate() {
        let relations: &[&str] = match &ty[..1] {
            "b" => &SIGNED[..2],
            "s" => &SIGNED,
            "f" => &FLOAT,
            _ => &UNSIGNED,
        };
        for (to, result) in [("u32", I32), ("s32", I32), ("f32", I32), ("f16", I16), ("bf16", I16)] {
            let relation = relations[(3 * at + all.len()) % relations.len()];
            all.push(exact(format!("set.{relation}.{to}.{ty} D, A, B;"), &[kind, kind], result));
            all.push(exact(format!("set.{relation}.or.{to}.{ty} D, A, B, C;"), &[kind, kind, Pred], result));
        }
    }
    for (to, result) in [("s32", I32), ("f32", I32), ("f16", I16)] {
        all.push(exact(format!("set.lt.ftz.{to}.f32 D, A, B;"), &[F32, F32], result));
    }
    for (to, result) in [("u32", I32), ("s32", I32), ("f16", I16), ("u16", I16), ("s16", I16)] {
        all.push(exact(format!("set.gtu.ftz.{to}.f16 D, A, B;"), &[F16, F16], result));
    }
    all.push(exact("set.le.bf16.f16 D, A, B;", &[F16, F16], I16));
    for to in ["u32", "s32", "f16x2"] {
        all.push(exact(format!("set.ge.ftz.{to}.f16x2 D, A, B;"), &[F16x2, F16x2], I32));
        all.push(exact(format!("set.num.xor.{to}.f16x2 D, A, B, C;"), &[F16x2, F16x2, Pred], I32));
    }
    let mut seen = std::collections::HashSet::new();
    let known: Vec<String> = sets().into_iter().map(|form| form.name).collect();
    all.retain(|form| !known.contains(&form.name) && seen.insert(form.name.clone()));
    all
}
