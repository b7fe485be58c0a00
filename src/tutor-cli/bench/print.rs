//! Prints the ladder as tables, one for each element type. A narrow terminal gets several parts.

use crate::prelude::*;
use std::collections::BTreeSet;
use tutor_exec::protocol::{Shape, Submission};
use tutor_exec::recorded::{RecordedRow, Recording, gflops};
use tutor_exec::{cublas_default_name, cublas_math};
use tutor_kernels::Elements;
use tutor_support::figures::{percent, significant};
use unicode_width::UnicodeWidthStr as _;

/// Width of a speed, of a share, and of the gap before them, in cells.
const SPEED: usize = 8;
const SHARE: usize = 8;
const GAP: usize = 2;

/// Prints TFLOP/s and shares of cuBLAS. `recorded` marks the results as recorded earlier.
pub(super) fn print(recording: &Recording, kernels: &[Kernel], sizes: &[u32], recorded: bool) -> std::io::Result<()> {
    let none = t!("cli-bench-no-cublas");
    let Recording { device, driver, cuda, date, .. } = recording;
    let cublas = recording.cublas_version.as_deref().unwrap_or(&none);
    let heading = if recorded {
        t!("cli-bench-heading-recorded", device, driver, cuda, cublas, date)
    } else {
        t!("cli-bench-heading", device, driver, cuda, cublas)
    };
    output::line(format_args!("{heading}\n{}", t!("cli-bench-unit")))?;
    let widest = kernels.iter().map(|kernel| kernel.id.len() + 2).max().unwrap_or(0).max(20);
    let room = output::columns().map_or(usize::MAX, |columns| columns.saturating_sub(widest));
    let together = (room / (GAP + SPEED + SHARE)).max(1);
    for elements in Elements::ALL {
        let of_type: Vec<&Kernel> = kernels.iter().filter(|kernel| kernel.elements == elements).collect();
        if !of_type.is_empty() {
            output::line(format_args!(
                "\n{}",
                t!("cli-bench-type", elements = elements.to_string(), math = cublas_math(elements))
            ))?;
            for sizes in sizes.chunks(together) {
                group(recording, elements, &of_type, sizes, widest)?;
            }
        }
    }
    let graphs: BTreeSet<u32> = (recording.rows.iter())
        .filter(|row| row.time.submission == Submission::Graph && sizes.contains(&row.time.n))
        .map(|row| row.time.n)
        .collect();
    if !graphs.is_empty() {
        let graphs: Vec<String> = graphs.iter().map(ToString::to_string).collect();
        output::line(format_args!("\n{}", t!("cli-bench-graphs", sizes = graphs.join(", "))))?;
    }
    if recording.rows.iter().any(|row| row.mismatches > 0) {
        output::line(format_args!("\n! {}", t!("cli-bench-wrong")))?;
    }
    for kernel in kernels {
        let of_kernel = |row: &&RecordedRow| row.kernel == kernel.id && sizes.contains(&row.time.n);
        let mut variants: Vec<(&str, Vec<String>)> = Vec::new();
        for row in recording.rows.iter().filter(of_kernel) {
            let Some(variant) = row.variant.as_deref() else { continue };
            match variants.iter_mut().find(|(known, _)| *known == variant) {
                Some((_, at)) => at.push(row.time.n.to_string()),
                None => variants.push((variant, vec![row.time.n.to_string()])),
            }
        }
        if !variants.is_empty() {
            let one = |(variant, at): &(&str, Vec<String>)| {
                t!("cli-bench-variant", variant = *variant, sizes = at.join(", "))
            };
            let all: Vec<String> = variants.iter().map(one).collect();
            let line = t!("cli-bench-variants", kernel = &kernel.id, variants = all.join("; "));
            output::line(&line)?;
        }
        let own = |row: &RecordedRow| {
            let speed = tflops(gflops(Shape::square(row.time.n).flop(), row.cublas_ms?));
            Some(t!("cli-bench-variant", variant = speed, sizes = row.time.n.to_string()))
        };
        let own: Vec<String> = recording.rows.iter().filter(of_kernel).filter_map(own).collect();
        if !own.is_empty() {
            let line = t!("cli-bench-own-run", kernel = &kernel.id, speeds = own.join("; "));
            output::line(&line)?;
        }
    }
    for left in &recording.left_out {
        let why = t!("cli-bench-left-out", kernel = &left.kernel, n = left.n.to_string(), why = &left.why);
        output::line(&why)?;
    }
    Ok(())
}

fn tflops(gflops: f64) -> String {
    significant(gflops / 1000.0)
}

fn group(
    recording: &Recording,
    elements: Elements,
    kernels: &[&Kernel],
    sizes: &[u32],
    widest: usize,
) -> std::io::Result<()> {
    let line = |name: &str, cell: &dyn Fn(u32) -> (String, String)| {
        let cells: String = sizes
            .iter()
            .map(|&n| {
                let (speed, share) = cell(n);
                format!("{}{}{}", " ".repeat(GAP), pad_left(&speed, SPEED), pad_left(&share, SHARE))
            })
            .collect();
        output::line(format!("{}{cells}", pad(name, widest.max(name.width()))).trim_end())
    };
    let alone = |text: String| (text, String::new());
    line("", &|n| alone(format!("n = {n}")))?;
    line(&recording.against.name(elements).to_string(), &|n| {
        alone(recording.cublas_at(n, elements).map_or_else(String::new, |time| tflops(time.gflops)))
    })?;
    let default = |n: u32| recording.default_ms(n, elements);
    if sizes.iter().any(|n| default(*n).is_some()) {
        line(&cublas_default_name(elements).to_string(), &|n| {
            alone(default(n).map_or_else(String::new, |ms| tflops(gflops(Shape::square(n).flop(), ms))))
        })?;
    }
    for kernel in kernels {
        let wrong = recording.rows.iter().any(|row| row.kernel == kernel.id && row.mismatches > 0);
        let name = if wrong { format!("{} !", kernel.id) } else { kernel.id.clone() };
        line(&name, &|n| {
            let Some(row) = recording.row(kernel, n) else { return alone("-".to_owned()) };
            let share =
                recording.share_of_cublas(kernel, n).map_or_else(String::new, |share| percent(share).to_string());
            (tflops(row.time.gflops), share)
        })?;
    }
    let seen = |n: u32| recording.conditions.iter().find(|seen| seen.n == n && seen.elements == elements);
    if sizes.iter().any(|n| seen(*n).is_some()) {
        let range = |[low, _, high]: [u32; 3]| if low == high { low.to_string() } else { format!("{low}–{high}") };
        line(&t!("cli-bench-clock"), &|n| alone(seen(n).map_or_else(String::new, |seen| range(seen.seen.sm_mhz))))?;
        line(&t!("cli-bench-power"), &|n| {
            alone(seen(n).map_or_else(String::new, |seen| range(seen.seen.watts.map(|watts| watts.round() as u32))))
        })?;
    }
    Ok(())
}
