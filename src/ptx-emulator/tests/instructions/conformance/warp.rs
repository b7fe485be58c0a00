//! Forms that a warp's lanes execute together, and atomics on a word of the thread.

use super::form::{Form, exact};
use super::inputs::Kind::{self, *};

pub(crate) fn forms() -> Vec<Form> {
    let mut all = Vec::new();
    let pack = "selp.u32 %t2, 1, 0, %p1; xor.b32 D, %t1, %t2;";
    for mode in ["up", "down", "bfly", "idx"] {
        for clamp in ["0x1f", "0", "0x181f", "0x1007", "0x0c03", "0x1c00"] {
            all.push(exact(
                format!("shfl.sync.{mode}.b32 %t1|%p1, A, B, {clamp}, 0xffffffff; {pack}"),
                &[I32, Small],
                I32,
            ));
        }
    }
    for mode in ["all", "any", "uni"] {
        all.push(exact(format!("vote.sync.{mode}.pred D, A, 0xffffffff;"), &[Pred], Pred));
    }
    all.push(exact("vote.sync.ballot.b32 D, A, 0xffffffff;", &[Pred], I32));
    all.push(exact("vote.sync.ballot.b32 D, !A, 0xffffffff;", &[Pred], I32));
    for (ty, mask) in [("b32", "and.b32 %t3, A, 3;"), ("b64", "and.b64 %u3, A, 3;")] {
        let (register, kind) = if ty == "b32" { ("%t3", I32) } else { ("%u3", I64) };
        all.push(exact(format!("{mask} match.any.sync.{ty} D, {register}, 0xffffffff;"), &[kind], I32));
        all.push(exact(format!("{mask} match.all.sync.{ty} %t1|%p1, {register}, 0xffffffff; {pack}"), &[kind], I32));
    }
    for ty in ["u32", "s32"] {
        for op in ["add", "min", "max"] {
            all.push(exact(format!("redux.sync.{op}.{ty} D, A, 0xffffffff;"), &[I32], I32));
        }
    }
    for op in ["and", "or", "xor"] {
        all.push(exact(format!("redux.sync.{op}.b32 D, A, 0xffffffff;"), &[I32], I32));
    }
    // Half of the warp participates; the other half has a different mask.
    let half = "mov.u32 %t4, %laneid; and.b32 %t4, %t4, 1; setp.eq.u32 %p3, %t4, 0; selp.b32 %t5, 0x55555555, 0xaaaaaaaa, %p3;";
    for (text, kind) in [
        ("redux.sync.add.u32 D, A, %t5;", I32),
        ("redux.sync.max.s32 D, A, %t5;", I32),
        ("redux.sync.xor.b32 D, A, %t5;", I32),
        ("setp.lt.s32 %p4, A, 0; vote.sync.ballot.b32 D, %p4, %t5;", I32),
        ("and.b32 %t3, A, 3; match.any.sync.b32 D, %t3, %t5;", I32),
    ] {
        all.push(exact(format!("{half} {text}"), &[kind], I32));
    }
    all.append(&mut atomics());
    all
}

/// Returns forms that combine the old value and the new one.
fn atomics() -> Vec<Form> {
    let mut all = Vec::new();
    let mut form = |operation: &str, kind: Kind, operands: &str, count: usize| {
        let bits = kind.bits();
        let (z, output) = match bits {
            16 => ("%h", I32),
            32 => ("%t", I64),
            _ => ("%u", I64),
        };
        let join = match bits {
            16 => "mov.b32 D, {%h1, %h2};".to_owned(),
            32 => "mov.b64 D, {%t1, %t2};".to_owned(),
            _ => "mul.lo.u64 %u2, %u2, 3; xor.b64 D, %u1, %u2;".to_owned(),
        };
        all.push(exact(
            format!(
                "st.shared.b{bits} [%s], A; atom.shared.{operation} {z}1, [%s], {operands}; ld.shared.b{bits} {z}2, [%s]; {join}"
            ),
            &vec![kind; count],
            output,
        ));
    };
    for (types, kind) in [(["u32", "s32", "b32"], I32), (["u64", "s64", "b64"], I64)] {
        let [u, s, b] = types;
        for op in ["min", "max"] {
            form(&format!("{op}.{u}"), kind, "B", 2);
            form(&format!("{op}.{s}"), kind, "B", 2);
        }
        for op in ["and", "or", "xor", "exch"] {
            form(&format!("{op}.{b}"), kind, "B", 2);
        }
        form(&format!("add.{u}"), kind, "B", 2);
        form(&format!("cas.{b}"), kind, "B, C", 3);
    }
    form("add.s32", I32, "B", 2);
    form("inc.u32", I32, "B", 2);
    form("dec.u32", I32, "B", 2);
    form("cas.b16", I16, "B, C", 3);
    form("add.f32", F32, "B", 2);
    form("add.f64", F64, "B", 2);
    form("add.noftz.f16", F16, "B", 2);
    form("add.noftz.f16x2", F16x2, "B", 2);
    form("add.noftz.bf16", Bf16, "B", 2);
    form("add.noftz.bf16x2", Bf16x2, "B", 2);
    // Several at once, on the result's own word.
    for (ty, kind) in [("f16", F16x2), ("bf16", Bf16x2)] {
        for op in ["add", "min", "max"] {
            let unpack = "mov.b64 {%h1, %h2, %h3, %h4}, %u1; mov.b64 {%h5, %h6, %h7, %h8}, %u2;";
            let texts = [
                format!(
                    "{unpack} atom.global.{op}.noftz.v4.{ty} {{%h1, %h2, %h3, %h4}}, [%x1], {{%h5, %h6, %h7, %h8}};"
                ),
                format!("mov.b64 {{%t1, %t2}}, %u2; red.global.{op}.noftz.v2.{ty}x2 [%x1], {{%t1, %t2}};"),
            ];
            for text in texts {
                all.push(exact(
                    format!(
                        "mov.b64 %u1, {{A, B}}; mov.b64 %u2, {{C, E}}; st.global.b64 [%x1], %u1; membar.gl; {text} membar.gl; \
                        ld.volatile.global.b64 D, [%x1];"
                    ),
                    &[kind; 4],
                    I64,
                ));
            }
        }
    }
    all.push(exact(
        "mov.b64 %u1, {A, B}; st.global.b64 [%x1], %u1; membar.gl; atom.global.add.v2.f32 {%t1, %t2}, [%x1], {C, E}; \
        membar.gl; ld.volatile.global.b64 D, [%x1];",
        &[F32; 4],
        I64,
    ));
    // 128 bits: A twice in memory.
    let quads = "{ .reg .b128 %q<4>; mov.b128 %q0, {A, A}; mov.b128 %q1, {B, A}; mov.b128 %q2, {A, B};";
    let mix = "mov.b128 {%u1, %u2}, %q3; ld.shared.v2.b64 {%u3, %u4}, [%s]; mul.lo.u64 %u2, %u2, 3; mul.lo.u64 %u3, %u3, 5; \
        mul.lo.u64 %u4, %u4, 7; xor.b64 %u1, %u1, %u2; xor.b64 %u3, %u3, %u4; xor.b64 D, %u1, %u3; }";
    for atomic in ["exch.b128 %q3, [%s], %q2;", "cas.b128 %q3, [%s], %q1, %q2;", "cas.b128 %q3, [%s], %q0, %q2;"] {
        all.push(exact(format!("{quads} st.shared.b128 [%s], %q0; atom.shared.{atomic} {mix}"), &[I64, I64], I64));
    }
    // The same on global memory, in the word where the kernel stores its result.
    for (operation, kind) in
        [("add.f32", F32), ("add.f64", F64), ("add.noftz.f16x2", F16x2), ("add.noftz.bf16x2", Bf16x2)]
    {
        let bits = kind.bits();
        let z = if bits == 64 { "%u" } else { "%t" };
        all.push(exact(
            format!(
                "st.global.b{bits} [%x1], A; membar.gl; atom.global.{operation} {z}1, [%x1], B; membar.gl; ld.volatile.global.b{bits} D, [%x1];"
            ),
            &[kind, kind],
            kind,
        ));
    }
    all
}
