//! `emulate --list`: the instructions that the emulator supports.

use crate::{Exit, output};
use serde::Serialize;
use std::collections::BTreeMap;
use tutor_support::t;

#[derive(Serialize)]
struct List {
    ok: bool,
    /// In the order of the emulator's table.
    forms: Vec<Form>,
    /// The meaning of the upper-case words in the forms.
    sets: BTreeMap<&'static str, Vec<&'static str>>,
}

#[derive(Serialize)]
struct Form {
    form: &'static str,
    operands: &'static str,
    /// The first PTX version and the first device that have the form.
    ptx: String,
    target: String,
}

/// Prints the list as text or JSON.
pub(super) fn list(json: bool) -> anyhow::Result<Exit> {
    let sets = ptx_emulator::sets().iter().map(|(name, words)| (*name, words.split('|').collect()));
    let forms = ptx_emulator::forms().into_iter().map(|form| Form {
        form: form.form,
        operands: form.operands,
        ptx: format!("{}.{}", form.ptx.0, form.ptx.1),
        target: format!("sm_{}", form.sm),
    });
    let list = List { ok: true, forms: forms.collect(), sets: sets.collect() };
    if json {
        output::json(&list)?;
        return Ok(Exit::Done);
    }
    output::line(t!("emulate-list-head"))?;
    for form in &list.forms {
        output::line(format_args!("{:4} {:6} {}  {}", form.ptx, form.target, form.form, form.operands))?;
    }
    output::line(format_args!("\n{}", t!("emulate-list-sets")))?;
    for (name, words) in &list.sets {
        output::line(format_args!("{name}  {}", words.join("|")))?;
    }
    Ok(Exit::Done)
}
