//! Prints a run: its time, the cost of its accesses, and the contents of its buffers.

use super::Success;
use super::arguments::Hex;
use super::hazards;
use super::show::Show;
use super::undefined;
use crate::output;
use ptx_emulator::{LineCounts, text};
use std::collections::HashMap;
use tutor_support::figures::grouped;
use tutor_support::t;

/// Returns the memory accesses, combined by source line and kind. An unrolled loop thus becomes one line.
fn accesses(lines: &[LineCounts]) -> Vec<LineCounts> {
    let mut out: Vec<LineCounts> = Vec::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    for line in lines.iter().filter(|line| line.requests != 0) {
        let key = (line.place.file.as_str(), line.place.known_line(), line.op.as_str(), line.bytes);
        let at = *known.entry(key).or_insert(out.len());
        match out.get_mut(at) {
            None => out.push(line.clone()),
            Some(sum) => {
                sum.requests += line.requests;
                sum.wavefronts += line.wavefronts;
                sum.wavefronts_ideal += line.wavefronts_ideal;
                sum.sectors += line.sectors;
                sum.sectors_ideal += line.sectors_ideal;
            }
        }
    }
    out
}

/// Prints the kernel's output. It comes from a stranger, so only line ends reach the terminal, and no other control
/// characters.
pub(super) fn print_output(printed: &str) -> std::io::Result<()> {
    for line in printed.lines() {
        output::line(text::lines(line))?;
    }
    Ok(())
}

pub(super) fn print_report(success: &Success, show: Option<Show>) -> std::io::Result<()> {
    print_output(&success.output)?;
    let stats = &success.stats;
    let took = t!(
        "emulate-took",
        warp = stats.warp_instructions,
        thread = stats.thread_instructions,
        seconds = format!("{:.3}", stats.seconds),
    );
    output::paragraph(&took)?;
    if let Some(counts) = &success.counts {
        let totals = &counts.totals;
        let counted = t!(
            "emulate-counted",
            shared = totals.shared_bytes,
            wavefronts = totals.wavefronts,
            wavefronts_ideal = totals.wavefronts_ideal,
            global = totals.global_bytes,
            sectors = totals.sectors,
            sectors_ideal = totals.sectors_ideal,
            flop = totals.flop,
            barriers = totals.barriers,
        );
        output::paragraph(&counted)?;
        for line in accesses(&counts.lines) {
            let asks = t!(
                "emulate-access",
                line = format!("{:>4}", line.place.known_line()),
                op = format!("{:<12}", line.op),
                bytes = format!("{:>2}", line.bytes),
                requests = format!("{:>10}", grouped(line.requests)),
            );
            let costs = match line.op.ends_with(".shared") {
                _ if line.op.ends_with(".const") => String::new(),
                true => t!(
                    "emulate-access-wavefronts",
                    cost = format!("{:>10}", grouped(line.wavefronts)),
                    ideal = line.wavefronts_ideal,
                ),
                false => t!(
                    "emulate-access-sectors",
                    cost = format!("{:>10}", grouped(line.sectors)),
                    ideal = line.sectors_ideal,
                ),
            };
            output::line(format_args!("  {asks}  {costs}"))?;
        }
    }
    if let Some(estimate) = &success.estimate {
        estimate.print()?;
    }
    undefined::print(&success.undefined)?;
    hazards::print(&success.hazards, &success.witnesses, &success.left_out)?;
    output::paragraph(t!("emulate-limits", device = success.device.as_str()))?;
    for (name, bytes) in &success.symbols {
        let heading = t!("emulate-symbol-is", name, bytes = bytes.len() / 2);
        output::line(format_args!("{heading} {}", text::line(bytes)))?;
    }
    for (at, (index, buffer)) in success.buffers.contents().enumerate() {
        if let Some((show, numbers)) = show.zip(success.shown.as_ref().and_then(|shown| shown.get(at))) {
            let heading = t!("emulate-buffer-as", index, bytes = buffer.len(), kind = show.name());
            output::line(&heading)?;
            for line in show.lines(numbers, buffer.len()) {
                output::line(&line)?;
            }
            continue;
        }
        let start = buffer.get(..32).unwrap_or(buffer);
        let more = if buffer.len() > start.len() { "…" } else { "" };
        let heading = t!("emulate-buffer", index, bytes = buffer.len());
        output::line(format_args!("{heading} {}{more}", Hex(start)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loads_of_an_unrolled_loop_are_told_as_one_line() {
        let line = |op: &str, ptx_line: u32| -> LineCounts {
            let counted = serde_json::json!({
                "file": "a.cu", "line": 44, "ptx_line": ptx_line, "op": op, "bytes": 4, "warp_instructions": 8,
                "requests": 8, "wavefronts": 16, "wavefronts_ideal": 8, "sectors": 0, "sectors_ideal": 0,
            });
            serde_json::from_value(counted).unwrap()
        };
        let load = |ptx_line| line("ld.shared", ptx_line);
        let store = line("st.shared", 3);
        let combined = accesses(&[load(1), load(2), store]);
        let combined: Vec<_> = combined.iter().map(|line| (line.op.as_str(), line.requests, line.wavefronts)).collect();
        assert_eq!(combined, [("ld.shared", 16, 32), ("st.shared", 8, 16)]);
    }
}
