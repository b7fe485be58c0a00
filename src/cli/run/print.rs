//! What a run came to, for people.

use super::outcome::Outcome;
use crate::cli::output;
use crate::exec::cublas_name;
use crate::exec::protocol::{DeviceKind, Shape};
use crate::figures::{duration, grouped, percent, speed};
use crate::simt::{Counts, Hazard, LineCounts};

impl Outcome {
    pub(super) fn print(&self, ascii: bool) -> anyhow::Result<()> {
        let (right, wrong) = if ascii { ("ok", "WRONG") } else { ("✔", "✘") };
        let Shape { m, n, k } = self.shape;
        let shape = if m == n && n == k { format!("n = {n}") } else { format!("m = {m}, n = {n}, k = {k}") };
        let device = self.device.as_ref().map_or("", |device| &device.name);
        let driver = self.device.as_ref().and_then(|device| device.driver.as_ref());
        let driver = driver.map_or_else(String::new, |driver| format!(", driver {driver}"));
        let ran = self.instead.as_ref().or(self.variant.as_ref()).unwrap_or(&self.kernel);
        output::line(format_args!("{ran}  {}  {shape}  on {device}{driver}", self.elements))?;
        let elements = u64::from(m) * u64::from(n);
        let against = self.against.as_deref().unwrap_or_default();
        match self.mismatches {
            None => output::line(format_args!("  result    not compared"))?,
            Some(0) => output::line(format_args!(
                "  result    {right} all {} elements right, largest relative error {:.1e}\n            compared with {against}",
                grouped(elements),
                self.max_rel_err.unwrap_or_default()
            ))?,
            Some(mismatches) => {
                let expected = if self.expected_wrong { ", as this kernel is meant to show" } else { "" };
                output::line(format_args!(
                    "  result    {wrong} {} of {} elements wrong{expected}\n            compared with {against}",
                    grouped(mismatches),
                    grouped(elements)
                ))?;
            }
        }
        self.print_time()?;
        if let Some(counts) = &self.counts {
            print_counts(counts)?;
        }
        for hazard in &self.hazards {
            output::line(format_args!("  hazard    {}", describe(hazard)))?;
        }
        Ok(())
    }

    pub(super) fn print_time(&self) -> anyhow::Result<()> {
        if let (Some(time), Some(speed_of)) = (&self.time, self.gflops) {
            output::line(format_args!(
                "  time      {}   (95 % of the median: {} to {}; {} launches)",
                duration(time.median_ms),
                duration(time.low_ms),
                duration(time.high_ms),
                grouped(time.launches)
            ))?;
            let share = self.cublas.as_ref().map_or_else(String::new, |cublas| {
                let name = cublas_name(self.elements);
                format!("   {} of {name} ({} GFLOP/s)", percent(cublas.ratio), speed(cublas.gflops))
            });
            output::line(format_args!("  speed     {} GFLOP/s{share}", speed(speed_of)))?;
        } else if let Some(recorded) = &self.recorded {
            let time = &recorded.row.time;
            let share = recorded.cublas_gflops.map_or_else(String::new, |cublas| {
                let name = cublas_name(self.elements);
                format!("   {} of {name} ({} GFLOP/s)", percent(time.gflops / cublas), speed(cublas))
            });
            output::line(format_args!(
                "  recorded on {}, driver {}, {}\n  time      {}\n  speed     {} GFLOP/s{share}",
                recorded.device,
                recorded.driver,
                recorded.date,
                duration(time.median_ms),
                speed(time.gflops)
            ))?;
        } else if self.device.as_ref().is_some_and(|device| device.kind == DeviceKind::Emulator) {
            output::line(format_args!("  time      none: an emulator's time says nothing about a GPU"))?;
        }
        Ok(())
    }
}

fn print_counts(counts: &Counts) -> anyhow::Result<()> {
    let part = if counts.blocks_counted < counts.blocks {
        format!("{} of {} blocks", counts.blocks_counted, grouped(counts.blocks))
    } else {
        "all blocks".to_owned()
    };
    output::line(format_args!("  counted on the emulator, per PTX instruction, {part}"))?;
    type Cost = fn(&LineCounts) -> (u64, u64);
    let sectors: Cost = |line| (line.sectors, line.sectors_ideal);
    let wavefronts: Cost = |line| (line.wavefronts, line.wavefronts_ideal);
    for (name, ops, unit, cost) in [
        ("global loads", &["ld.global"][..], "sectors", sectors),
        ("global stores", &["st.global"], "sectors", sectors),
        // Fragments of the tensor cores are loaded and stored by instructions of their own.
        ("shared loads", &["ld.shared", "ldmatrix", "wmma.load"], "wavefronts", wavefronts),
        ("shared stores", &["st.shared", "stmatrix", "wmma.store"], "wavefronts", wavefronts),
    ] {
        let lines = counts.lines.iter().filter(|line| ops.iter().any(|op| line.op.starts_with(op)) && cost(line).0 > 0);
        let (requests, cost, ideal) = lines.fold((0, 0, 0), |(requests, sum, least), line| {
            let (cost, ideal) = cost(line);
            (requests + line.requests, sum + cost, least + ideal)
        });
        if requests > 0 {
            output::line(format_args!(
                "    {name:14} {:>14} requests → {:>14} {unit:10} ({:.2} a request, {:.2} at best)",
                grouped(requests),
                grouped(cost),
                cost as f64 / requests as f64,
                ideal as f64 / requests as f64
            ))?;
        }
    }
    let totals = &counts.totals;
    if totals.global_bytes > 0 {
        output::line(format_args!(
            "    {:14} {:>14} FLOP over {} bytes asked of global memory: {:.2} FLOP/byte",
            "intensity",
            grouped(totals.flop),
            grouped(totals.global_bytes),
            totals.flop as f64 / totals.global_bytes as f64
        ))?;
    }
    Ok(())
}

fn describe(hazard: &Hazard) -> String {
    let kind = format!("{:?}", hazard.kind).to_uppercase();
    let side = |access: &crate::simt::HazardAccess| {
        let [x, y, z] = access.thread;
        let verb = format!("{:?}", access.access).to_lowercase();
        format!("{verb} by thread ({x},{y},{z}) at {}:{}", access.place.file, access.place.line)
    };
    format!("{kind}: {}, {}; {} times", side(&hazard.first), side(&hazard.second), grouped(hazard.occurrences))
}
