/*! A table of counts of a kernel's machine code.

```text
                  sm_80  sm_90a
 the kernel         128     128  registers of a thread
                    160      20  bytes spilled
 its main loop      895     926  instructions
 FFMA               512     512  multiply-adds in FP32
 LDS.128             32      32  shared loads
```
*/

use super::Rows;
use crate::prelude::*;
use crate::wrap::wrap_text;
use tutor_kernels::machine_code::{Assembled, MachineCode};
use tutor_support::figures::grouped;

/// A count's name in the recording, its label (an instruction as `nvdisasm` writes it), and its description.
type Figure = (String, String, String);

fn of_the_kernel() -> [Figure; 3] {
    [
        ("registers".to_owned(), t!("machine-kernel"), t!("machine-registers")),
        ("spilled_bytes".to_owned(), String::new(), t!("machine-spilled")),
        ("shared_bytes".to_owned(), String::new(), t!("machine-shared")),
    ]
}

/// Returns the counts of the main loop in the table's order: products, then their operands, then the rest.
fn of_the_loop() -> Vec<Figure> {
    let one = |name: &str, opcode: &str, what| (name.to_owned(), opcode.to_owned(), what);
    let mut all = vec![
        ("instructions".to_owned(), t!("machine-loop"), t!("machine-instructions")),
        one("ffma", "FFMA", t!("machine-ffma")),
        one("hmma", "HMMA", t!("machine-mma")),
        one("hgmma", "HGMMA", t!("machine-wgmma")),
        one("qgmma", "QGMMA", t!("machine-wgmma-8")),
        one("idp", "IDP", t!("machine-dp4a")),
        one("imma", "IMMA", t!("machine-mma")),
        one("dfma", "DFMA", t!("machine-dfma")),
        one("dmma", "DMMA", t!("machine-mma")),
        one("igmma", "IGMMA", t!("machine-wgmma-8")),
    ];
    for (access, opcode, what) in [
        ("shared_loads", "LDS", t!("machine-shared-loads")),
        ("shared_stores", "STS", t!("machine-shared-stores")),
        ("global_loads", "LDG", t!("machine-global-loads")),
        ("global_stores", "STG", t!("machine-global-stores")),
        ("async_copies", "LDGSTS", t!("machine-async-copies")),
    ] {
        for (bits, width) in [(128, ".128"), (64, ".64"), (32, ""), (16, ".U16")] {
            all.push((format!("{access}_{bits}"), format!("{opcode}{width}"), what.clone()));
        }
        if opcode == "LDG" {
            all.push(one("global_loads_8", "LDG.U8", what));
        }
    }
    all.extend([
        one("ldmatrix", "LDSM", t!("machine-ldmatrix")),
        one("stmatrix", "STSM", t!("machine-stmatrix")),
        one("tma_loads", "UTMALDG", t!("machine-tma-loads")),
        one("tma_stores", "UTMASTG", t!("machine-tma-stores")),
        one("local_loads", "LDL", t!("machine-local-loads")),
        one("local_stores", "STL", t!("machine-local-stores")),
        one("integer", "IADD3 …", t!("machine-integer")),
        one("compares", "ISETP …", t!("machine-compares")),
        one("branches", "BRA …", t!("machine-branches")),
        one("moves", "MOV …", t!("machine-moves")),
        one("barriers", "BAR …", t!("machine-barriers")),
        one("other_arithmetic", "FMUL …", t!("machine-arithmetic")),
        one("others", "NOP …", t!("machine-others")),
    ]);
    all
}

/// Returns the table and a line about the assembler that produced it.
pub(super) fn rows(recorded: &MachineCode, assembled: &Assembled, width: u16, look: &Look) -> Rows {
    let arches: Vec<&str> = assembled.by_arch.keys().map(String::as_str).collect();
    let line = |name: &str, cells: Vec<String>, what: &str, meaning| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>8}")).collect();
        let name = look.sign(name, &name.replace('…', "...")).to_owned();
        Line::from(vec![
            look.span(meaning, format!(" {}{cells}  ", pad(&name, 14))),
            look.span(Meaning::Muted, what.to_owned()),
        ])
    };
    let mut lines = vec![line("", arches.iter().map(|&arch| arch.to_owned()).collect(), "", Meaning::Muted)];
    let figures = |name: &str| -> Vec<u64> {
        assembled.by_arch.values().map(|counts| counts.get(name).copied().unwrap_or(0)).collect()
    };
    let cells = |figures: Vec<u64>| figures.into_iter().map(grouped).collect::<Vec<_>>();
    for (name, label, what) in of_the_kernel() {
        lines.push(line(&label, cells(figures(&name)), &what, Meaning::Text));
    }
    lines.push(Line::default());
    for (name, label, what) in of_the_loop() {
        let found = figures(&name);
        if found.iter().any(|count| *count > 0) {
            lines.push(line(&label, cells(found), &what, Meaning::Text));
        }
    }
    lines.push(Line::default());
    let made = t!("machine-made", assembler = recorded.assembler, date = recorded.date);
    lines.extend(wrap_text(&made, look.style(Meaning::Muted), width));
    Rows { lines, region: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_recorded_figure_has_a_row() {
        let known: Vec<String> = of_the_kernel().into_iter().chain(of_the_loop()).map(|figure| figure.0).collect();
        for name in MachineCode::built_in().names() {
            assert!(known.iter().any(|known| known == name), "{name}");
        }
    }
}
