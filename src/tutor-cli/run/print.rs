//! Prints a run, with a separate heading for each source of numbers.

use super::outcome::{Cublas, Outcome};
use crate::emulate::undefined;
use crate::output::labelled;
use crate::prelude::*;
use crate::support::costs::{Cost, costs};
use ptx_emulator::{Counts, Hazard};
use tutor_exec::Against;
use tutor_exec::protocol::DeviceKind;
use tutor_support::figures::{duration, grouped, percent, speed};
use unicode_width::UnicodeWidthStr;

/// Width of a label, in cells.
const LABEL: usize = 9;

impl Outcome {
    pub(super) fn print(&self, ascii: bool) -> anyhow::Result<()> {
        if ascii {
            output::draw_in_ascii();
        }
        let (right, wrong) = if ascii { ("ok", "WRONG") } else { ("✔", "✘") };
        let shape = self.shape;
        let name = self.device.as_ref().map_or_else(String::new, |device| match device.kind {
            DeviceKind::Emulator => t!("run-cli-emulator"),
            DeviceKind::Cuda => device.name.clone(),
        });
        let driver = self.device.as_ref().and_then(|device| device.driver.as_ref());
        let device = match driver {
            Some(driver) => t!("run-cli-on-driver", device = name, driver),
            None => t!("run-cli-on", device = name),
        };
        let ran = self.instead.as_ref().or(self.variant.as_ref()).unwrap_or(&self.kernel);
        output::hanging("", format_args!("{ran}  {}  {shape}  {device}", self.elements))?;
        let elements = grouped(u64::from(shape.rows()) * u64::from(shape.n));
        let result = match self.result.mismatches {
            None => t!("run-cli-not-compared"),
            Some(0) => {
                let error = format!("{:.1e}", self.result.max_rel_err.unwrap_or_default());
                format!("{right} {}", t!("run-cli-right", elements, error))
            }
            Some(mismatches) => {
                let mismatches = grouped(mismatches);
                let text = if self.expected_wrong {
                    t!("run-cli-wrong-expected", wrong = mismatches, elements)
                } else {
                    t!("run-cli-wrong", wrong = mismatches, elements)
                };
                format!("{wrong} {text}")
            }
        };
        labelled(&t!("run-cli-result"), LABEL, &result)?;
        if let Some(against) = self.against.as_ref().filter(|_| self.result.mismatches.is_some()) {
            labelled("", LABEL, &t!("run-cli-against", what = against))?;
        }
        self.print_time()?;
        if let Some(counts) = &self.result.counts {
            self.print_counts(counts)?;
        }
        for hazard in &self.result.hazards {
            labelled(&t!("run-cli-hazard"), LABEL, &describe(hazard))?;
        }
        for found in &self.result.undefined {
            labelled(&t!("run-cli-undefined"), LABEL, &undefined::describe(found))?;
        }
        if !self.result.is_determined() && self.result.mismatches == Some(0) {
            labelled("", LABEL, &t!("run-cli-by-luck"))?;
        }
        self.print_printed()
    }

    /// Prints the kernel's output with a mark on each line.
    fn print_printed(&self) -> anyhow::Result<()> {
        if self.result.printed.is_empty() {
            return Ok(());
        }
        output::line(format_args!("  {}", t!("run-cli-printed")))?;
        for line in self.result.printed.lines() {
            output::line(format_args!("  | {line}"))?;
        }
        if self.printed_cut > 0 {
            output::line(format_args!("  {}", t!("run-cli-printed-cut", bytes = grouped(self.printed_cut))))?;
        }
        Ok(())
    }

    pub(super) fn print_time(&self) -> anyhow::Result<()> {
        let of_cublas = |share: f64, cublas: f64, against: Against| {
            let name = against.name(self.elements);
            t!("run-cli-of-cublas", share = percent(share), name, speed = speed(cublas))
        };
        if let (Some(time), Some(gflops)) = (&self.result.time, self.gflops) {
            let interval = t!(
                "run-cli-interval",
                low = duration(time.low_ms),
                high = duration(time.high_ms),
                launches = grouped(time.launches)
            );
            labelled(&t!("run-cli-time"), LABEL, &format!("{}   {interval}", duration(time.median_ms)))?;
            let share = |cublas: &Cublas| of_cublas(cublas.ratio, cublas.gflops, Against::Best);
            let share = self.cublas.as_ref().map(share).unwrap_or_default();
            labelled(&t!("run-cli-speed"), LABEL, &format!("{}   {share}", speed(gflops)))?;
            if let Some(default) = self.cublas.as_ref().and_then(|cublas| cublas.default_gflops) {
                let share = of_cublas(gflops / default, default, Against::Default);
                labelled("", LABEL, &format!("{}   {share}", " ".repeat(speed(gflops).width())))?;
            }
            if let Some(host) = time.host_cost(self.cublas.as_ref().map(|cublas| cublas.time)) {
                labelled(&t!("run-cli-host"), LABEL, &host.to_string())?;
            }
        } else if let Some(recorded) = &self.recorded {
            let time = &recorded.row.time;
            let share = recorded.cublas_gflops.map(|cublas| of_cublas(time.gflops / cublas, cublas, recorded.against));
            let heading =
                t!("run-cli-recorded", device = &recorded.device, driver = &recorded.driver, date = &recorded.date);
            output::hanging("  ", heading)?;
            if let Some(variant) = &recorded.row.variant {
                labelled(&format!("  {}", t!("run-cli-variant")), LABEL, variant)?;
            }
            labelled(&format!("  {}", t!("run-cli-time")), LABEL, &duration(time.median_ms))?;
            let text = format!("{}   {}", speed(time.gflops), share.unwrap_or_default());
            labelled(&format!("  {}", t!("run-cli-speed")), LABEL, &text)?;
        } else if self.has_no_time() {
            labelled(&t!("run-cli-time"), LABEL, &t!("run-cli-no-time"))?;
        }
        self.result.estimate.as_ref().map_or(Ok(()), |estimate| Ok(estimate.print()?))
    }

    fn print_counts(&self, counts: &Counts) -> anyhow::Result<()> {
        let (part, all) = (grouped(counts.blocks_counted), grouped(counts.blocks));
        let some = counts.blocks_counted < counts.blocks;
        let heading = match (some, self.checked) {
            (false, _) => t!("run-cli-counted-all"),
            (true, true) => t!("run-cli-counted-some-checked", part, all),
            (true, false) => t!("run-cli-counted-some", part, all),
        };
        output::hanging("  ", heading)?;
        let costs: Vec<Cost> = costs(counts).into_iter().collect();
        let widest = costs.iter().map(|cost| cost.unit.width()).max().unwrap_or(0);
        for Cost { name, unit, requests, cost, ideal } in costs {
            if requests > 0 {
                let each = t!(
                    "run-cli-each",
                    each = format!("{:.2}", cost as f64 / requests as f64),
                    best = format!("{:.2}", ideal as f64 / requests as f64)
                );
                let (requests, cost) = (grouped(requests), grouped(cost));
                let requests = t!("run-cli-requests", count = requests);
                let (requests, unit) = (pad_left(&requests, 23), pad(&unit, widest));
                labelled(&format!("  {name}"), 16, &format!("{requests} → {cost:>13} {unit} {each}"))?;
            }
        }
        let totals = &counts.totals;
        if totals.flop > 0 && totals.global_bytes > 0 {
            let intensity = t!(
                "run-cli-intensity-is",
                flop = grouped(totals.flop),
                bytes = grouped(totals.global_bytes),
                ratio = format!("{:.2}", totals.flop as f64 / totals.global_bytes as f64)
            );
            labelled(&format!("  {}", t!("run-cli-intensity")), 16, &intensity)?;
        }
        Ok(())
    }
}

/// Describes a hazard with its two accesses.
pub(crate) fn describe(hazard: &Hazard) -> String {
    let kind = format!("{:?}", hazard.kind).to_uppercase();
    let side = |access: &ptx_emulator::HazardAccess| {
        let [x, y, z] = access.thread;
        let place = format!("{}:{}", access.place.file, access.place.line);
        let place = access.place.called_at.map_or(place.clone(), |line| t!("run-cli-called", place, line));
        let thread = format!("({x},{y},{z})");
        match access.access {
            ptx_emulator::AccessKind::Read => t!("run-cli-read", thread, place),
            ptx_emulator::AccessKind::Write => t!("run-cli-write", thread, place),
        }
    };
    let times = t!("run-cli-times", count = grouped(hazard.occurrences), n = hazard.occurrences);
    format!("{kind}: {}, {}; {times}", side(&hazard.first), side(&hazard.second))
}
