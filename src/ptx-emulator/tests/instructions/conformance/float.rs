//! Forms of floating-point arithmetic in every rounding, and of the approximate functions.

use super::form::{Agreement, Form, approximate, exact};
use super::inputs::Kind::{self, *};

pub(crate) fn forms() -> Vec<Form> {
    let mut all = Vec::new();
    for round in ["rn", "rz", "rm", "rp"] {
        for ftz in ["", ".ftz"] {
            for op in ["add", "sub", "mul", "fma"] {
                for sat in ["", ".sat"] {
                    all.push(arithmetic(op, &format!(".{round}{ftz}{sat}.f32"), F32));
                }
            }
            for op in ["div", "rcp", "sqrt"] {
                all.push(arithmetic(op, &format!(".{round}{ftz}.f32"), F32));
            }
        }
        for op in ["add", "sub", "mul", "fma", "div", "rcp", "sqrt"] {
            all.push(arithmetic(op, &format!(".{round}.f64"), F64));
        }
    }
    all.push(arithmetic("add", ".f32", F32));
    all.push(arithmetic("mul", ".f64", F64));
    all.push(arithmetic("mad", ".rz.f32", F32));
    all.push(arithmetic("mad", ".rn.f64", F64));
    for round in ["rn", "rm", "rp"] {
        all.push(arithmetic("mad", &format!(".{round}.ftz.sat.f32"), F32));
        all.push(arithmetic("mad", &format!(".{round}.sat.f32"), F32));
    }
    all.push(arithmetic("mad", ".rp.f64", F64));
    for op in ["add", "sub", "mul"] {
        all.push(arithmetic(op, ".ftz.sat.f32", F32));
    }
    for (ty, kind) in [("bf16", Bf16), ("bf16x2", Bf16x2)] {
        all.push(arithmetic("fma", &format!(".rn.oob.relu.{ty}"), kind));
    }
    for ftz in ["", ".ftz"] {
        for op in ["abs", "neg"] {
            all.push(arithmetic(op, &format!("{ftz}.f32"), F32));
        }
        for op in ["min", "max"] {
            for nan in ["", ".NaN"] {
                for sign in ["", ".xorsign.abs"] {
                    all.push(arithmetic(op, &format!("{ftz}{nan}{sign}.f32"), F32));
                }
            }
        }
        for op in ["div.approx", "div.full"] {
            all.push(approximate(format!("{op}{ftz}.f32 D, A, B;"), 2, &[F32, F32], F32));
        }
        for (op, ulps, absolute) in [
            ("rcp", 1, 0.0),
            ("sqrt", 1, 0.0),
            ("rsqrt", 1, 0.0),
            ("ex2", 2, 0.0),
            ("lg2", 2, f64::exp2(-22.0)),
            ("sin", 0, f64::exp2(-20.0)),
            ("cos", 0, f64::exp2(-20.0)),
        ] {
            let mut form = approximate(format!("{op}.approx{ftz}.f32 D, A;"), ulps, &[F32], F32);
            form.agreement = Agreement::Approximate { ulps, absolute };
            all.push(form);
        }
    }
    all.push(approximate("tanh.approx.f32 D, A;", 256, &[F32], F32));
    all.push(approximate("rcp.approx.ftz.f64 D, A;", 1 << 32, &[F64], F64));
    all.push(approximate("rsqrt.approx.ftz.f64 D, A;", 1 << 32, &[F64], F64));
    all.push(approximate("rsqrt.approx.f64 D, A;", 1, &[F64], F64));
    for op in ["abs", "neg", "min", "max"] {
        all.push(arithmetic(op, ".f64", F64));
    }
    for (ty, kind) in [("f32", F32), ("f64", F64)] {
        all.push(exact(format!("copysign.{ty} D, A, B;"), &[kind, kind], kind));
        for class in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] {
            all.push(exact(format!("testp.{class}.{ty} D, A;"), &[kind], Pred));
        }
    }
    all.append(&mut halves());
    all
}

/// Creates a form whose number of operands follows from its name.
fn arithmetic(op: &str, rest: &str, kind: Kind) -> Form {
    let (operands, count) = match op {
        "fma" | "mad" => ("A, B, C", 3),
        "rcp" | "sqrt" | "abs" | "neg" => ("A", 1),
        _ => ("A, B", 2),
    };
    exact(format!("{op}{rest} D, {operands};"), &vec![kind; count], kind)
}

fn halves() -> Vec<Form> {
    let mut all = Vec::new();
    for (ty, kind) in [("f16", F16), ("f16x2", F16x2)] {
        for ftz in ["", ".ftz"] {
            for sat in ["", ".sat"] {
                for op in ["add", "sub", "mul"] {
                    all.push(arithmetic(op, &format!("{ftz}{sat}.{ty}"), kind));
                    all.push(arithmetic(op, &format!(".rn{ftz}{sat}.{ty}"), kind));
                }
                all.push(arithmetic("fma", &format!(".rn{ftz}{sat}.{ty}"), kind));
            }
            all.push(arithmetic("fma", &format!(".rn{ftz}.relu.{ty}"), kind));
            for op in ["abs", "neg"] {
                all.push(arithmetic(op, &format!("{ftz}.{ty}"), kind));
            }
            for op in ["min", "max"] {
                for nan in ["", ".NaN"] {
                    for sign in ["", ".xorsign.abs"] {
                        all.push(arithmetic(op, &format!("{ftz}{nan}{sign}.{ty}"), kind));
                    }
                }
            }
        }
        all.push(approximate(format!("ex2.approx.{ty} D, A;"), 1, &[kind], kind));
        all.push(approximate(format!("tanh.approx.{ty} D, A;"), 1, &[kind], kind));
        all.push(arithmetic("fma", &format!(".rn.oob.{ty}"), kind));
        all.push(arithmetic("fma", &format!(".rn.oob.relu.{ty}"), kind));
    }
    for ty in ["f16", "bf16"] {
        let kind = if ty == "f16" { F16 } else { Bf16 };
        for oob in ["0x7ff7", "0xfff7", "0xffff"] {
            for operands in ["%h1, A, B", "A, %h1, B", "A, B, %h1"] {
                all.push(exact(format!("mov.b16 %h1, {oob}; fma.rn.oob.{ty} D, {operands};"), &[kind; 2], kind));
            }
        }
    }
    for (ty, kind) in [("bf16", Bf16), ("bf16x2", Bf16x2)] {
        for op in ["add", "sub", "mul"] {
            all.push(arithmetic(op, &format!(".{ty}"), kind));
            all.push(arithmetic(op, &format!(".rn.{ty}"), kind));
        }
        for op in ["fma.rn", "fma.rn.relu", "fma.rn.oob"] {
            all.push(exact(format!("{op}.{ty} D, A, B, C;"), &[kind; 3], kind));
        }
        for op in ["abs", "neg"] {
            all.push(arithmetic(op, &format!(".{ty}"), kind));
        }
        for op in ["min", "max"] {
            for nan in ["", ".NaN"] {
                for sign in ["", ".xorsign.abs"] {
                    all.push(arithmetic(op, &format!("{nan}{sign}.{ty}"), kind));
                }
            }
        }
        all.push(approximate(format!("ex2.approx.ftz.{ty} D, A;"), 1, &[kind], kind));
        all.push(approximate(format!("tanh.approx.{ty} D, A;"), 1, &[kind], kind));
    }
    all
}
