//! Writes the table as files for a GPU: PTX, inputs, the emulator's results, and a manifest.

use super::form::{Agreement, HEADER};
use super::{all, answers, inputs};
use std::collections::HashMap;
use std::io::Result;
use std::path::Path;

/// Kernels per PTX file.
const KERNELS: usize = 24;
/// Cases of a form, unless it has exactly one 16-bit operand.
pub const CASES: usize = 4096;

fn words(values: impl IntoIterator<Item = u64>) -> Vec<u8> {
    values.into_iter().flat_map(u64::to_le_bytes).collect()
}

pub fn write(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut manifest = Vec::new();
    let mut input_files: HashMap<String, usize> = HashMap::new();
    let forms = all();
    for (group, forms) in forms.chunks(KERNELS).enumerate() {
        let module = format!("m{group:03}.ptx");
        let mut text = HEADER.to_owned();
        for (index, form) in forms.iter().enumerate() {
            let name = format!("f{:04}", group * KERNELS + index);
            text += &form.kernel(&name);
            let count = form.count(CASES);
            let signature = format!("{:?}x{count}", form.inputs);
            let next = input_files.len();
            let input = *input_files.entry(signature).or_insert(next);
            let cases = inputs::cases(&form.inputs, count);
            std::fs::write(folder.join(format!("i{input:03}.bin")), words(cases.iter().flatten().copied()))?;
            let refused = match answers(form, &cases) {
                Ok(answers) => {
                    std::fs::write(folder.join(format!("{name}.bin")), words(answers))?;
                    None
                }
                Err(fault) => Some(fault.to_string()),
            };
            manifest.push(serde_json::json!({
                "text": form.name,
                "kernel": name,
                "module": module,
                "input": format!("i{input:03}.bin"),
                "cases": count,
                "operands": form.inputs.iter().map(|kind| format!("{kind:?}")).collect::<Vec<_>>(),
                "output": format!("{:?}", form.output),
                "exact": form.agreement == Agreement::Exact,
                "answered": refused.is_none(),
                "refused": refused,
            }));
        }
        std::fs::write(folder.join(&module), text)?;
    }
    std::fs::write(folder.join("manifest.json"), serde_json::to_string_pretty(&manifest)?)
}
