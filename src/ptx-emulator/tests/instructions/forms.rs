/*! The table of instructions: each opcode of each form loads, and every other one is refused.

The versions in the table are those of NVIDIA's assembler, which `scripts/instruction-versions` runs.
*/

use crate::statements::statement;
use ptx_emulator::{Fault, FaultKind, Form, Module, forms, sets};
use std::collections::BTreeSet;

/// Returns PTX for a kernel with this statement.
fn text(statement: &str) -> String {
    // Instructions without a mask exist only for old devices.
    let old = ["shfl.", "vote."].iter().any(|name| statement.starts_with(name)) && !statement.contains(".sync");
    // Conversions of 32-bit addresses need a module with such addresses.
    let short = statement.starts_with("cvta") && statement.contains(".u32");
    let hopper = statement.starts_with("wgmma");
    let target = if old {
        "sm_60"
    } else if hopper {
        "sm_90a"
    } else {
        "sm_100a"
    };
    let bits = if short { 32 } else { 64 };
    format!(
        ".version 8.8\n.target {target}\n.address_size {bits}\n\
        .const .align 32 .b8 fixed[64];\n\
        .visible .entry k(.param .align 32 .b8 a[64]) {{\n\
        .reg .pred %p<50>; .reg .b16 %h<50>; .reg .b32 %r<50>; .reg .b64 %d<50>; .reg .b128 %q<50>;\n\
        .shared .align 32 .b8 room[1024]; .local .align 32 .b8 own[64]; .param .align 32 .b8 argument[64];\n\
        L1: {statement}\nret; }}\n"
    )
}

fn load(statement: &str) -> Result<(), Fault> {
    Module::parse(&text(statement))?.kernel("k")?;
    Ok(())
}

#[test]
fn each_opcode_of_each_form_loads() {
    let mut wrong = Vec::new();
    let mut loaded = 0;
    for form in forms() {
        for opcode in form.opcodes(100) {
            assert!(form.has(&opcode), "{}: {opcode}", form.form);
            let written = statement(&form, &opcode);
            match load(written.as_deref().unwrap_or(&format!("{opcode};"))) {
                Ok(()) => loaded += 1,
                // This error concerns only the operands.
                Err(fault) if written.is_none() && fault.kind == FaultKind::Parse => {}
                Err(fault) => wrong.push(format!("{}: {}: {fault}", form.form, written.unwrap_or(opcode))),
            }
        }
    }
    wrong.truncate(60);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(loaded > 5000, "{loaded}");
}

/// Tries a word too few, too many, twice, or a different one.
#[test]
fn an_opcode_of_no_form_is_refused() {
    let forms = forms();
    let words: BTreeSet<String> = forms.iter().flat_map(Form::words).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut refused = 0;
    for (at, form) in forms.iter().enumerate() {
        for (turn, opcode) in form.opcodes(7).into_iter().enumerate() {
            let parts: Vec<&str> = opcode.split('.').collect();
            let other = |step: usize| words[(61 * at + 17 * turn + step) % words.len()];
            let mut changed = vec![format!("{opcode}.{}", other(0)), format!("{opcode}.nonsense")];
            for place in 1..parts.len() {
                let without = [&parts[..place], &parts[place + 1..]].concat();
                changed.push(without.join("."));
                changed.push([&without[..place], &[other(place)], &without[place..]].concat().join("."));
                changed.push([&parts[..place], &parts[place - 1..]].concat().join("."));
            }
            for changed in changed {
                let listed = forms.iter().any(|form| form.has(&changed));
                let operands = statement(form, &opcode).unwrap_or_default();
                let operands = operands.split_once(' ').map_or(";", |(_, operands)| operands);
                let fault = load(&format!("{changed} {operands}")).err();
                let unsupported = fault.as_ref().filter(|fault| fault.kind == FaultKind::Unsupported);
                if !listed {
                    let fault = unsupported.unwrap_or_else(|| panic!("{changed} of no form: {fault:?}"));
                    assert!(fault.message.contains(&format!("`{changed}`")), "{changed}: {fault}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 4000, "{refused}");
}

#[test]
fn forms_are_matched_in_any_order_of_their_modifiers() {
    let is_listed = |opcode: &str| forms().iter().any(|form| form.has(opcode));
    for listed in [
        "add.ftz.sat.rn.f32",
        "ld.v4.global.f32",
        "setp.ftz.lt.and.f32",
        "min.s32.relu",
        "wgmma.fence.sync.aligned",
        "add.f32.rn",
        "vote.ballot.sync.b32",
        "fma.rn.f16x2.relu",
        "cvt.rn.f16x2.f32.relu",
        "atom.add.u32.global",
        "mbarrier.init.b64.shared",
        "mbarrier.arrive.b64.noComplete.shared",
        "cp.async.shared.global.ca",
        "cp.async.bulk.bulk_group.global.shared::cta",
        "cp.async.bulk.prefetch.global.L2",
        "fence.gpu.acq_rel",
        "fence.cluster.mbarrier_init.release",
        "mma.f32.f16.f16.row.f32.m16n8k16.col.aligned.sync",
        "wmma.load.a.shared.aligned.sync.row.f16.m16n16k16",
        "wgmma.mma_async.aligned.sync.f32.m64n8k16.f16.f16",
        "barrier.cluster.wait.aligned.acquire",
    ] {
        assert!(is_listed(listed), "{listed}");
    }
    // NVIDIA's assembler refuses these, too: a word of the name is not in its place, or two spaces, types or layouts are.
    for other in [
        "cvt.f32.rn.f16x2",
        "add.rn.rn.f32",
        "fma.f32",
        "mul.s32",
        "mul.u32.lo",
        "mma.aligned.sync.m16n8k16",
        "wgmma",
        "",
        "add",
        "mbarrier.b64.init.shared",
        "cp.bulk.async.global.shared::cta.bulk_group",
        "cp.async.global.shared.ca",
        "cp.async.bulk.bulk_group.shared::cta.global",
        "fence.async.proxy",
        "mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f32.f32",
        "wmma.a.load.sync.aligned.row.m16n16k16.shared.f16",
        "barrier.cluster.acquire.wait.aligned",
        "bar.popc.red.u32",
    ] {
        assert!(!is_listed(other), "{other}");
    }
}

/// Compares `FORMS.md` with the table. Writes it if `PTX_EMULATOR_WRITE` is set.
#[test]
fn the_list_in_the_docs_is_the_table() {
    let mut list = "# Instructions that ptx-emulator runs\n\n\
        The notation is explained below the table. PTX and device are the first ones for which NVIDIA's `ptxas` 12.9 accepts the row's oldest form,\n\
        with 64-bit addresses, in a test of one to four statements per row. If a row's operands are not written out, they come from the PTX ISA\n\
        instead, without a test. So do those of some loads, stores and atomics. 0.0 means that this `ptxas` does not accept the form.\n\n\
        | form | operands | PTX | device |\n|---|---|---|---|\n"
        .to_owned();
    let code = |text: &str| format!("`{}`", text.replace('|', "\\|")).replace("``", "");
    for Form { form, operands, ptx, sm, .. } in forms() {
        list += &format!("| {} | {} | {}.{} | `sm_{sm}` |\n", code(form), code(operands), ptx.0, ptx.1);
    }
    list += "\nWords in capitals stand for one of these:\n\n| set | words |\n|---|---|\n";
    for (name, words) in sets() {
        list += &format!("| `{name}` | {} |\n", code(words));
    }
    list += "\n`FCOLS` and `ICOLS` are numbers of columns: 8 to 256 in steps of 8; 8, 16, 24, and from 32 to 256 in steps of 16.\n\n\
        In a form, `.(a|b)` is one of two modifiers, `{.a}` is optional, and the modifiers in `<…>` may have any order.\n\n\
        In the operands, the destination comes first, and those in braces are optional:\n\n\
        - `t` has the width of the instruction's type, `2t` twice that, `w` that of the first of two types; `b32` has 32 bits.\n\
        - `v` is a value, or a vector in braces if the form has `.v2`, `.v4` or `.v8`.\n\
        - `p` is a predicate that is written, `q` one that is read, `p|p` one or two that are written.\n\
        - `[a]` and `[g]` are addresses, `#` is a constant, `L` a label.\n\
        - `…` means that they depend on the modifiers, as the PTX ISA describes.\n\n\
        With `.L2::cache_hint`, a 64-bit policy follows as the last operand.\n";
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("FORMS.md");
    if std::env::var_os("PTX_EMULATOR_WRITE").is_some() {
        std::fs::write(&file, &list).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == list,
        "FORMS.md is not the table: PTX_EMULATOR_WRITE=1 cargo test -p ptx-emulator --test instructions -- the_list_in_the_docs"
    );
}
