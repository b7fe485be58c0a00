//! Forms of integer arithmetic, logic, shifts, bit fields and carries.

use super::form::{Form, exact};
use super::inputs::Kind::{self, *};

/// Returns the kind of an integer or bit type.
pub(crate) fn kind(ty: &str) -> Kind {
    match &ty[1..] {
        "16" => I16,
        "64" => I64,
        _ => I32,
    }
}

const ALL: [&str; 6] = ["u16", "s16", "u32", "s32", "u64", "s64"];

pub(crate) fn forms() -> Vec<Form> {
    let mut all = Vec::new();
    for ty in ALL {
        let k = kind(ty);
        for op in ["add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"] {
            all.push(exact(format!("{op}.{ty} D, A, B;"), &[k, k], k));
        }
        for op in ["mad.lo", "mad.hi", "sad"] {
            all.push(exact(format!("{op}.{ty} D, A, B, C;"), &[k, k, k], k));
        }
        if k != I64 {
            let wide = if k == I16 { I32 } else { I64 };
            all.push(exact(format!("mul.wide.{ty} D, A, B;"), &[k, k], wide));
            all.push(exact(format!("mad.wide.{ty} D, A, B, C;"), &[k, k, wide], wide));
        }
        all.push(exact(format!("shr.{ty} D, A, B;"), &[k, Small], k));
        if ty.starts_with('s') {
            all.push(exact(format!("abs.{ty} D, A;"), &[k], k));
            all.push(exact(format!("neg.{ty} D, A;"), &[k], k));
        }
    }
    for op in ["vabsdiff4.u32.u32.u32", "vabsdiff4.u32.u32.u32.add"] {
        all.push(exact(format!("{op} D, A, B, C;"), &[I32; 3], I32));
    }
    for text in ["add.sat.s32 D, A, B;", "sub.sat.s32 D, A, B;"] {
        all.push(exact(text, &[I32, I32], I32));
    }
    for op in ["min", "max"] {
        for ty in ["u16x2", "s16x2", "relu.s16x2", "relu.s32", "s16x2.relu", "s32.relu"] {
            all.push(exact(format!("{op}.{ty} D, A, B;"), &[I32, I32], I32));
        }
    }
    all.push(exact("add.u16x2 D, A, B;", &[I32, I32], I32));
    all.push(exact("add.s16x2 D, A, B;", &[I32, I32], I32));
    all.push(exact("mad.hi.sat.s32 D, A, B, C;", &[I32; 3], I32));
    for ty in ["u32", "s32"] {
        for part in ["lo", "hi"] {
            all.push(exact(format!("mul24.{part}.{ty} D, A, B;"), &[I32; 2], I32));
            all.push(exact(format!("mad24.{part}.{ty} D, A, B, C;"), &[I32; 3], I32));
        }
        for mode in ["wrap", "clamp"] {
            all.push(exact(format!("szext.{mode}.{ty} D, A, B;"), &[I32, Small], I32));
        }
    }
    all.push(exact("mad24.hi.sat.s32 D, A, B, C;", &[I32; 3], I32));
    for mode in ["wrap", "clamp"] {
        all.push(exact(format!("bmsk.{mode}.b32 D, A, B;"), &[Small, Small], I32));
        for side in ["l", "r"] {
            all.push(exact(format!("shf.{side}.{mode}.b32 D, A, B, C;"), &[I32, I32, Small], I32));
        }
    }
    all.append(&mut bits());
    all.append(&mut carries());
    all
}

fn bits() -> Vec<Form> {
    let mut all = Vec::new();
    for ty in ["b16", "b32", "b64"] {
        let k = kind(ty);
        for op in ["and", "or", "xor"] {
            all.push(exact(format!("{op}.{ty} D, A, B;"), &[k, k], k));
        }
        all.push(exact(format!("not.{ty} D, A;"), &[k], k));
        all.push(exact(format!("cnot.{ty} D, A;"), &[k], k));
        all.push(exact(format!("shl.{ty} D, A, B;"), &[k, Small], k));
        all.push(exact(format!("shr.{ty} D, A, B;"), &[k, Small], k));
        all.push(exact(format!("selp.{ty} D, A, B, C;"), &[k, k, Pred], k));
        all.push(exact(format!("slct.{ty}.s32 D, A, B, C;"), &[k, k, I32], k));
        all.push(exact(format!("slct.{ty}.f32 D, A, B, C;"), &[k, k, F32], k));
        all.push(exact(format!("slct.ftz.{ty}.f32 D, A, B, C;"), &[k, k, F32], k));
    }
    for op in ["and", "or", "xor"] {
        all.push(exact(format!("{op}.pred D, A, B;"), &[Pred, Pred], Pred));
    }
    all.push(exact("not.pred D, A;", &[Pred], Pred));
    for table in ["0x80", "0xea", "0xca", "0x96", "0x1", "0x3c", "0xff", "0"] {
        all.push(exact(format!("lop3.b32 D, A, B, C, {table};"), &[I32; 3], I32));
    }
    for op in ["or", "and"] {
        all.push(exact(format!("setp.lt.s32 %p1, A, 0; lop3.{op}.b32 %t1|D, A, B, C, 0xe4, %p1;"), &[I32; 3], Pred));
    }
    for ty in ["b32", "b64"] {
        for op in ["popc", "clz"] {
            all.push(exact(format!("{op}.{ty} D, A;"), &[kind(ty)], I32));
        }
        all.push(exact(format!("brev.{ty} D, A;"), &[kind(ty)], kind(ty)));
        all.push(exact(format!("bfi.{ty} D, A, B, C, E;"), &[kind(ty), kind(ty), Small, Small], kind(ty)));
    }
    for ty in ["u32", "s32", "u64", "s64"] {
        all.push(exact(format!("bfind.{ty} D, A;"), &[kind(ty)], I32));
        all.push(exact(format!("bfind.shiftamt.{ty} D, A;"), &[kind(ty)], I32));
        all.push(exact(format!("bfe.{ty} D, A, B, C;"), &[kind(ty), Small, Small], kind(ty)));
    }
    // The base must be inside the word.
    all.push(exact("and.b32 %t1, B, 31; fns.b32 D, A, %t1, C;", &[I32, Small, Small], I32));
    all.push(exact("and.b32 %t1, B, 31; neg.s32 %t2, C; fns.b32 D, A, %t1, %t2;", &[I32, Small, Small], I32));
    all.push(exact("prmt.b32 D, A, B, C;", &[I32; 3], I32));
    for mode in ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"] {
        all.push(exact(format!("prmt.b32.{mode} D, A, B, C;"), &[I32; 3], I32));
    }
    for a in ["u32", "s32"] {
        for b in ["u32", "s32"] {
            all.push(exact(format!("dp4a.{a}.{b} D, A, B, C;"), &[I32; 3], I32));
            all.push(exact(format!("dp2a.lo.{a}.{b} D, A, B, C;"), &[I32; 3], I32));
            all.push(exact(format!("dp2a.hi.{a}.{b} D, A, B, C;"), &[I32; 3], I32));
        }
    }
    all
}

/// Returns forms with a result and the carry that the next instruction sees.
fn carries() -> Vec<Form> {
    let mut all = Vec::new();
    for ty in ["u32", "s32", "u64", "s64"] {
        let k = kind(ty);
        let z = if k == I64 { "%u" } else { "%t" };
        // A first addition of all ones and C sets the carry flag.
        let set = format!("add.cc.{ty} {z}1, C, -1;");
        let join = if k == I64 { "shl.b64 %u4, %u3, 60; xor.b64 D, %u2, %u4;" } else { "mov.b64 D, {%t2, %t3};" };
        for op in ["add", "sub"] {
            all.push(exact(format!("{op}.cc.{ty} {z}2, A, B; {op}c.{ty} {z}3, 0, 0; {join}"), &[k, k], I64));
            all.push(exact(format!("{set} {op}c.{ty} D, A, B;"), &[k, k, k], k));
            all.push(exact(format!("{set} {op}c.cc.{ty} {z}2, A, B; addc.{ty} {z}3, 0, 0; {join}"), &[k, k, k], I64));
        }
        all.push(exact(format!("sub.cc.{ty} {z}2, A, B; addc.{ty} {z}3, 0, 0; {join}"), &[k, k], I64));
        for part in ["lo", "hi"] {
            all.push(exact(format!("mad.{part}.cc.{ty} {z}2, A, B, C; addc.{ty} {z}3, 0, 0; {join}"), &[k, k, k], I64));
            let set = format!("add.cc.{ty} {z}1, E, -1;");
            all.push(exact(format!("{set} madc.{part}.{ty} D, A, B, C;"), &[k, k, k, k], k));
            all.push(exact(
                format!("{set} madc.{part}.cc.{ty} {z}2, A, B, C; addc.{ty} {z}3, 0, 0; {join}"),
                &[k, k, k, k],
                I64,
            ));
        }
    }
    all
}
