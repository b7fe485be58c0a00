/*! Prints a sweep as a heat map: rows and columns are the first two axes, with a panel for each value of the third.

Each cell contains its number, so that the map is readable without colours: TFLOP/s, or on the emulator the bytes of
memory traffic per multiply-add. The best variant is marked, unless another one shows the same number. Variants along
one axis are printed as a list, best first.
*/

use crate::prelude::*;
use tutor_exec::sweep::{Sweep, SweepPoint, Traffic};
use tutor_kernels::{Axis, Variants};
use tutor_support::figures::{percent, significant, speed};
use unicode_width::UnicodeWidthStr as _;

/// The colours and signs of the output.
pub(super) struct Paint {
    colour: bool,
    ascii: bool,
}

impl Paint {
    pub(super) fn new(globals: &Globals) -> Self {
        Self { colour: globals.colours(), ascii: globals.ascii }
    }

    /// Returns a cell of `width` characters. `heat` is 0 for the worst value and 1 for the best.
    fn cell(&self, text: &str, width: usize, heat: Option<f64>) -> String {
        let padded = pad_left(text, width);
        match heat.filter(|_| self.colour) {
            None => padded,
            Some(heat) => format!("\x1b[30;48;5;{}m{padded}\x1b[0m", colour(heat)),
        }
    }
}

/// Returns one of the 256 colours, from dark red over yellow to green. Black text is readable on all of them.
fn colour(heat: f64) -> u8 {
    const RAMP: [u8; 9] = [131, 167, 173, 179, 185, 149, 113, 77, 41];
    let at = (heat.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64).round() as usize;
    RAMP.get(at).copied().unwrap_or(41)
}

/// Range of the shown values. Timed values are better if higher, and counted values if lower.
struct Scale {
    timed: bool,
    low: f64,
    high: f64,
}

impl Scale {
    fn of(sweep: &Sweep) -> Self {
        let timed = sweep.timed();
        let values = || sweep.points.iter().filter_map(|point| value(point, timed));
        Self { timed, low: values().fold(f64::INFINITY, f64::min), high: values().fold(0.0, f64::max) }
    }

    /// Returns the logarithmic position in the range, because the slowest variant may be a hundred times slower than
    /// the best.
    fn heat(&self, value: f64) -> f64 {
        let part = (value / self.low).ln() / (self.high / self.low).ln().max(1e-9);
        if self.timed { part } else { 1.0 - part }
    }
}

fn value(point: &SweepPoint, timed: bool) -> Option<f64> {
    if timed { point.gflops } else { point.traffic.map(Traffic::bytes_per_fma) }
}

/// Formats TFLOP/s or bytes.
fn number(value: f64, timed: bool) -> String {
    if timed { significant(value / 1000.0) } else { format!("{value:.2}") }
}

/// Returns the best variant and its value, unless another variant shows the same number.
fn best<'s>(sweep: &'s Sweep, scale: &Scale) -> Option<(&'s SweepPoint, f64)> {
    let best = sweep.best()?;
    let shown = value(best, scale.timed)?;
    Some((best, shown)).filter(|_| equals(sweep, scale, shown) == 1)
}

/// Counts the correct variants that show the same number as `like`.
fn equals(sweep: &Sweep, scale: &Scale, like: f64) -> usize {
    let text = number(like, scale.timed);
    let same = |point: &&SweepPoint| {
        point.may_be_best() && value(point, scale.timed).is_some_and(|value| number(value, scale.timed) == text)
    };
    sweep.points.iter().filter(same).count()
}

/// Prints a sweep. `recorded` marks it as recorded earlier.
pub(super) fn print(
    kernel: &Kernel,
    variants: &Variants,
    sweep: &Sweep,
    recorded: bool,
    paint: &Paint,
) -> std::io::Result<()> {
    let scale = Scale::of(sweep);
    let device = match &sweep.driver {
        Some(driver) => t!("cli-tune-driver", device = &sweep.device, driver),
        None => sweep.device.clone(),
    };
    let heading = match (scale.timed, recorded) {
        (true, true) => t!("cli-tune-heading-recorded", device, date = &sweep.date),
        (true, false) => t!("cli-tune-heading", device, date = &sweep.date),
        (false, _) => t!("cli-tune-heading-counted"),
    };
    output::line(format_args!("{}  {}  n = {}  {heading}", kernel.id, sweep.elements, sweep.n))?;
    let unit = if scale.timed { t!("cli-tune-unit-timed") } else { t!("cli-tune-unit-counted") };
    output::line(&unit)?;
    match variants.axes.as_slice() {
        [rows, columns, rest @ ..] => {
            let panels = rest.first().map_or(1, |axis| axis.values.len());
            for panel in 0..panels {
                output::line("")?;
                if let Some((axis, (label, _))) = rest.first().and_then(|axis| Some((axis, axis.values.get(panel)?))) {
                    output::line(format_args!("{}: {label}", axis.name))?;
                }
                let place = |row: usize, column: usize| {
                    let wanted = [row, column, panel];
                    variants.points.iter().position(|p| p.place.iter().eq(&wanted[..variants.axes.len()]))
                };
                map(sweep, (rows, columns), &place, &scale, paint)?;
            }
            output::line("")?;
        }
        _ => ranking(sweep, &scale, paint)?,
    }
    summary(variants, sweep, &scale, paint)
}

type Place<'a> = dyn Fn(usize, usize) -> Option<usize> + 'a;

fn map(sweep: &Sweep, axes: (&Axis, &Axis), place: &Place, scale: &Scale, paint: &Paint) -> std::io::Result<()> {
    let (rows, columns) = axes;
    let head = format!("{} \\ {}", rows.name, columns.name);
    let widest = rows.values.iter().map(|(label, _)| label.width()).chain([head.width()]).max();
    let widest = widest.unwrap_or(0);
    let width = columns.values.iter().map(|(label, _)| label.width()).max().unwrap_or(0).max(7) + 2;
    let labels: String = columns.values.iter().map(|(label, _)| pad_left(label, width)).collect();
    output::line(format_args!("{}{labels}", pad(&head, widest)))?;
    let best = best(sweep, scale).map(|(best, _)| best.variant.as_str());
    for (row, (label, _)) in rows.values.iter().enumerate() {
        let cells: String = (0..columns.values.len())
            .map(|column| {
                let point = place(row, column).and_then(|at| sweep.points.get(at));
                let Some((point, value)) = point.and_then(|point| Some((point, value(point, scale.timed)?))) else {
                    return paint.cell(if paint.ascii { "-" } else { "·" }, width, None);
                };
                let mark = if Some(point.variant.as_str()) == best { "*" } else { "" };
                let wrong = if point.may_be_best() { "" } else { "!" };
                let text = format!("{mark}{}{wrong}", number(value, scale.timed));
                paint.cell(&text, width, Some(scale.heat(value)))
            })
            .collect();
        output::painted(&format!("{}{cells}\n", pad(label, widest)))?;
    }
    Ok(())
}

/// Prints variants along one axis, best first.
fn ranking(sweep: &Sweep, scale: &Scale, paint: &Paint) -> std::io::Result<()> {
    let mut points: Vec<(&SweepPoint, f64)> =
        sweep.points.iter().filter_map(|point| Some((point, value(point, scale.timed)?))).collect();
    points.sort_by(|a, b| scale.heat(b.1).total_cmp(&scale.heat(a.1)));
    let widest = points.iter().map(|(point, _)| point.variant.len()).max().unwrap_or(0);
    for (point, value) in points {
        let text = number(value, scale.timed);
        let wrong = if point.may_be_best() { String::new() } else { format!("  {}", t!("cli-tune-wrong-one")) };
        output::line(format_args!(
            "{:widest$} {}{wrong}",
            point.variant,
            paint.cell(&text, 9, Some(scale.heat(value)))
        ))?;
    }
    Ok(())
}

fn summary(variants: &Variants, sweep: &Sweep, scale: &Scale, paint: &Paint) -> std::io::Result<()> {
    let share = |gflops: f64| {
        let cublas = sweep.cublas?;
        let name = sweep.against.name(sweep.elements);
        Some(t!("cli-tune-of-cublas", share = percent(gflops / cublas.gflops), name, speed = speed(cublas.gflops)))
    };
    match (best(sweep, scale), sweep.best().and_then(|best| value(best, scale.timed))) {
        (Some((best, value)), _) if scale.timed => output::line(format_args!(
            "* {}  {}",
            t!("cli-tune-best", variant = &best.variant, speed = speed(value)),
            share(value).unwrap_or_default()
        ))?,
        (Some((best, value)), _) => {
            let bytes = number(value, false);
            output::line(format_args!("* {}", t!("cli-tune-least", variant = &best.variant, bytes)))?;
        }
        (None, Some(value)) => {
            let (count, reading) = (equals(sweep, scale, value), number(value, scale.timed));
            let text = if scale.timed {
                t!("cli-tune-equals-timed", count, speed = reading)
            } else {
                t!("cli-tune-equals-counted", count, bytes = reading)
            };
            output::line(&text)?;
        }
        (None, None) if sweep.unlike => output::line(t!("cli-tune-unlike"))?,
        (None, None) => {}
    }
    let impossible = variants.points.iter().filter(|point| point.launch.is_err()).count();
    let none = if paint.ascii { "-" } else { "·" };
    if impossible > 0 {
        let text = t!("cli-tune-impossible", count = impossible, all = variants.points.len());
        output::line(format_args!("{none} {text}"))?;
    }
    let skipped =
        sweep.points.iter().zip(&variants.points).filter(|(point, of)| point.why.is_some() && of.launch.is_ok());
    for (point, _) in skipped {
        output::line(format_args!("{none} {}: {}", point.variant, point.why.as_deref().unwrap_or_default()))?;
    }
    let wrong = sweep.points.iter().filter(|point| !point.may_be_best()).count();
    if wrong > 0 {
        output::line(format_args!("! {}", t!("cli-tune-wrong", count = wrong)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_hottest_whether_more_or_less_is_better() {
        let timed = Scale { timed: true, low: 100.0, high: 10_000.0 };
        assert!((timed.heat(10_000.0) - 1.0).abs() < 1e-9 && timed.heat(100.0).abs() < 1e-9);
        assert!((timed.heat(1000.0) - 0.5).abs() < 1e-9);
        let counted = Scale { timed: false, ..timed };
        assert!((counted.heat(100.0) - 1.0).abs() < 1e-9);
        assert!(colour(0.0) != colour(1.0) && colour(f64::NAN) > 0);
    }
}
