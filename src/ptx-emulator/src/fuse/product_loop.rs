//! Finds product loops.

use super::product;
use crate::program::fused::{AddressRow, FusedRegion, FusedStep, Move, ProductLoop};
use crate::program::{Inst, Op, Program, Slot};

/// Returns how to run a region as a product loop, if it is one.
pub(super) fn find(program: &mut Program, run: &FusedRegion) -> Option<ProductLoop> {
    run.again?;
    let (found, of_product) = match run.steps.first()? {
        FusedStep::Product { index, .. } => (Some(*index), 1),
        // Load, load, multiply-add.
        _ => (None, 3),
    };
    let mut control = run.steps.get(of_product..)?.to_vec();
    if !control.iter().all(FusedStep::is_in_registers) {
        return None;
    }
    let product = match found {
        Some(index) => program.products[index as usize].clone(),
        None => product::find(&program.code[run.begin..run.end], run.begin as u32, 1)?,
    };
    let (of_product, rest) = program.code[run.begin..run.end].split_at(3 * product.terms.len());
    if product.c != product.d || !independent(program, of_product, rest) {
        return None;
    }
    let steps = [step(&product.x, rest)?, step(&product.y, rest)?];
    let product = found.unwrap_or_else(|| {
        program.products.push(product);
        program.products.len() as u32 - 1
    });
    let moves = moves(program, &mut control);
    Some(ProductLoop { product, steps, control, moves })
}

/// Removes the steps that add a constant to a row of addresses that no other step uses, and returns them.
fn moves(program: &Program, control: &mut Vec<FusedStep>) -> Vec<Move> {
    let mut found = Vec::new();
    let mut first = 0;
    while first + 1 < control.len() {
        let used_alone = |slot: Slot, wide: bool| {
            let others = control.iter().enumerate().filter(|(index, _)| *index != first);
            let mut uses = others.flat_map(|(_, step)| match step {
                FusedStep::Lanes { at, .. } => program.uses(&program.code[*at as usize]),
                _ => Vec::new(),
            });
            !uses.any(|used| used.overlaps(slot, wide))
        };
        match (control[first], control[first + 1]) {
            (FusedStep::Lanes { at, .. }, FusedStep::Advance { pattern, by, wide })
                if used_alone(program.code[at as usize].operands.d, wide) =>
            {
                let slot = program.code[at as usize].operands.d;
                found.push(Move { address: AddressRow { slot, wide, pattern }, by });
                control.drain(first..first + 2);
            }
            _ => first += 1,
        }
    }
    found
}

/// True if the rest of the loop uses only registers, and no row that holds a factor or a sum of the product.
fn independent(program: &Program, of_product: &[Inst], rest: &[Inst]) -> bool {
    let rows: Vec<Slot> = of_product.iter().map(|inst| inst.operands.d).collect();
    let in_registers = |inst: &Inst| matches!(inst.op, Op::Lanes(..) | Op::Predicate(_) | Op::InvalidatePattern);
    let mut uses = rest.iter().flat_map(|inst| program.uses(inst));
    rest.iter().all(in_registers) && !uses.any(|used| rows.iter().any(|row| used.overlaps(*row, false)))
}

/// Returns the number of bytes by which a factor's addresses move per round, if that is a constant and a whole number
/// of words.
fn step(source: &AddressRow, rest: &[Inst]) -> Option<i32> {
    let changes = rest.iter().filter(|inst| matches!(inst.op, Op::InvalidatePattern) && inst.x == source.pattern);
    changes.into_iter().try_fold(0i32, |sum, change| {
        let by = i32::try_from(change.imm as i64).ok().filter(|by| *by != 0 && by % 4 == 0)?;
        if (change.operands.c == 1) == source.wide { sum.checked_add(by) } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Module;

    /// Returns the loop of a kernel with these instructions after the product.
    fn product_loop(terms: usize, control: &str) -> Option<ProductLoop> {
        let term = "ld.shared.f32 %f2, [%rd2+8]; ld.shared.f32 %f3, [%rd1]; fma.rn.f32 %f1, %f2, %f3, %f1;";
        let text = format!(
            ".version 8.0
            .target sm_80
            .address_size 64
            .visible .entry dot(.param .u64 out) {{
                .reg .u64 %rd<4>; .reg .u32 %r<4>; .reg .f32 %f<4>; .reg .pred %p<2>;
                .shared .align 4 .b8 tile[4096];
                mov.u64 %rd1, tile;
                add.s64 %rd2, %rd1, 1024;
                mov.u32 %r1, 0;
                mov.f32 %f1, 0f00000000;
            $again:
                {}
                {control}
                @%p1 bra $again;
                ld.param.u64 %rd3, [out];
                st.global.f32 [%rd3], %f1;
                st.global.u32 [%rd3+4], %r1;
                ret;
            }}",
            term.repeat(terms)
        );
        let kernel = Module::parse(&text).and_then(|module| module.kernel("dot")).unwrap();
        kernel.program.regions.iter().find_map(|run| run.product_loop.clone())
    }

    const ADDRESSES: &str = "add.s64 %rd2, %rd2, 64; add.s64 %rd1, %rd1, 4;";

    #[test]
    fn a_loop_of_a_product_moves_its_addresses_at_once() {
        for terms in [1, 3] {
            let found =
                product_loop(terms, &format!("{ADDRESSES} add.s32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 16;")).unwrap();
            assert_eq!(found.steps, [64, 4]);
            assert_eq!((found.control.len(), found.moves.len()), (2, 2), "the counter and its comparison stay");
        }
    }

    #[test]
    fn an_address_that_ends_the_loop_moves_in_each_round() {
        let found = product_loop(1, &format!("{ADDRESSES} setp.ne.s64 %p1, %rd1, 64;")).unwrap();
        assert_eq!(found.steps, [64, 4]);
        assert_eq!((found.control.len(), found.moves.len()), (3, 1));
        assert_eq!(found.moves[0].by, 64);
    }

    #[test]
    fn a_loop_that_uses_what_the_product_loads_is_none() {
        let counts = "add.s32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 16;";
        for other in [
            "mov.b32 %r2, %f2;",
            "mul.f32 %f1, %f1, %f1;",
            "st.shared.f32 [%rd1], %f1;",
            "fma.rn.f32 %f1, %f2, %f3, %f1;",
            "shl.b64 %rd1, %rd1, 1;",
            "add.s64 %rd1, %rd1, 2;",
        ] {
            assert!(product_loop(1, &format!("{other} {counts}")).is_none(), "{other}");
        }
    }
}
