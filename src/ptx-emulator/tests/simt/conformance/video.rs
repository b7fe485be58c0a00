//! Forms of the video instructions.

use super::form::{Form, exact};
use super::inputs::Kind::*;

const TYPES: [&str; 2] = ["u32", "s32"];
const PARTS: [&str; 6] = ["b0", "b1", "b2", "b3", "h0", "h1"];
const RELATIONS: [&str; 6] = ["eq", "ne", "lt", "le", "gt", "ge"];

/// Returns the types of the result and of both operands, in every combination.
fn triples() -> Vec<String> {
    let pairs = |d: &str| pairs().into_iter().map(move |ab| format!("{d}.{ab}")).collect::<Vec<_>>();
    TYPES.iter().flat_map(|d| pairs(d)).collect()
}

fn pairs() -> Vec<String> {
    TYPES.iter().flat_map(|a| TYPES.iter().map(move |b| format!("{a}.{b}"))).collect()
}

fn two(text: &str) -> Form {
    exact(format!("{text} D, A, B;"), &[I32; 2], I32)
}

fn three(text: &str) -> Form {
    exact(format!("{text} D, A, B, C;"), &[I32; 3], I32)
}

pub(crate) fn forms() -> Vec<Form> {
    let mut all = single();
    all.append(&mut products());
    all.append(&mut shifts());
    all.append(&mut several());
    all
}

/// Returns forms with one value, which merge parts of the operands into a part of the result.
fn merged(op: &str, step: usize) -> Vec<Form> {
    let part = |at: usize| PARTS[at % 6];
    (0..6)
        .map(|at| {
            let (a, b) = (part(at + step), part(2 * at + step + 1));
            exact(format!("{op} D.{}, A.{a}, B.{b}, C;", part(at)), &[I32; 3], I32)
        })
        .collect()
}

fn single() -> Vec<Form> {
    let mut all = Vec::new();
    for (step, op) in ["vadd", "vsub", "vabsdiff", "vmin", "vmax"].into_iter().enumerate() {
        for types in triples() {
            all.push(two(&format!("{op}.{types}")));
            all.push(two(&format!("{op}.{types}.sat")));
        }
        for types in ["u32.u32.u32", "s32.s32.s32", "s32.u32.s32", "u32.s32.u32"] {
            for second in ["add", "min", "max"] {
                all.push(three(&format!("{op}.{types}.{second}")));
                all.push(three(&format!("{op}.{types}.sat.{second}")));
            }
        }
        all.append(&mut merged(&format!("{op}.s32.s32.s32.sat"), step));
        all.append(&mut merged(&format!("{op}.u32.u32.s32"), step + 1));
        all.push(exact(format!("{op}.u32.s32.u32.sat.max D, A.h1, B.b2, C;"), &[I32; 3], I32));
    }
    for types in pairs() {
        for relation in RELATIONS {
            all.push(two(&format!("vset.{types}.{relation}")));
        }
    }
    for second in ["add", "min", "max"] {
        all.push(three(&format!("vset.s32.u32.lt.{second}")));
    }
    all.append(&mut merged("vset.s32.s32.le", 3));
    all
}

fn shifts() -> Vec<Form> {
    let mut all = Vec::new();
    for op in ["vshl", "vshr"] {
        for types in pairs() {
            for mode in ["clamp", "wrap"] {
                for sat in ["", ".sat"] {
                    all.push(exact(format!("{op}.{types}.u32{sat}.{mode} D, A, B;"), &[I32, Small], I32));
                }
            }
        }
        for second in ["add", "min", "max"] {
            all.push(exact(format!("{op}.s32.s32.u32.clamp.{second} D, A.h1, B, C;"), &[I32, Small, I32], I32));
        }
        all.append(&mut merged(&format!("{op}.s32.s32.u32.sat.wrap"), 2));
    }
    all
}

fn products() -> Vec<Form> {
    let mut all = Vec::new();
    for types in pairs() {
        let d = if types == "u32.u32" { "u32" } else { "s32" };
        for sat in ["", ".sat"] {
            for scale in ["", ".shr7", ".shr15"] {
                all.push(three(&format!("vmad.{d}.{types}{sat}{scale}")));
                all.push(three(&format!("vmad.{d}.{types}.po{sat}{scale}")));
            }
        }
        for (a, b, c) in
            [("-A", "B", "C"), ("A", "-B", "C"), ("A", "B", "-C"), ("-A.h1", "B.b2", "C"), ("A.b0", "B.h0", "-C")]
        {
            for sat in ["", ".sat"] {
                all.push(exact(format!("vmad.s32.{types}{sat}.shr7 D, {a}, {b}, {c};"), &[I32; 3], I32));
            }
        }
    }
    all
}

fn several() -> Vec<Form> {
    let mut all = Vec::new();
    for (count, selectors) in [
        ("2", [("D.h1", "A", "B"), ("D", "A.h03", "B.h21"), ("D.h0", "A.h22", "B.h13")]),
        ("4", [("D.b20", "A", "B"), ("D", "A.b0743", "B.b6125"), ("D.b310", "A.b7777", "B.b0123")]),
    ] {
        for op in ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"] {
            for types in triples() {
                for rest in ["", ".sat", ".add"] {
                    all.push(three(&format!("{op}{count}.{types}{rest}")));
                }
            }
            for (d, a, b) in selectors {
                all.push(exact(format!("{op}{count}.s32.u32.s32.sat {d}, {a}, {b}, C;"), &[I32; 3], I32));
                all.push(exact(format!("{op}{count}.u32.u32.u32.add {d}, {a}, {b}, C;"), &[I32; 3], I32));
            }
        }
        for types in pairs() {
            for relation in RELATIONS {
                all.push(three(&format!("vset{count}.{types}.{relation}")));
            }
            all.push(three(&format!("vset{count}.{types}.lt.add")));
        }
        for (d, a, b) in selectors {
            all.push(exact(format!("vset{count}.s32.u32.ge {d}, {a}, {b}, C;"), &[I32; 3], I32));
        }
    }
    all
}
