/*! Draws GFLOP/s against size as SVG, with a panel for each element type.

The size axis is logarithmic. The speed axis is linear and starts at zero, so that a height is a share of the GPU's
peak. cuBLAS is a dashed line, and the measured rate of multiply-adds is a dotted line. The colours are readable on
light and dark pages, and the text follows the reader's colour preference.
*/

use crate::prelude::*;
use std::fmt::Write as _;
use tutor_exec::recorded::{Limits, Recording};
use tutor_kernels::Elements;

/// The line of one kernel.
#[derive(Debug, Clone)]
pub(super) struct Rung {
    pub(super) elements: Elements,
    pub(super) label: String,
    /// Pairs of size and GFLOP/s, in ascending order of size.
    pub(super) points: Vec<(u32, f64)>,
}

/// The kernels of one element type.
#[derive(Debug)]
pub(super) struct Panel {
    pub(super) elements: Elements,
    pub(super) rungs: Vec<Rung>,
}

const WIDTH: f64 = 880.0;
const LEFT: f64 = 56.0;
/// Right end of the plot; the labels begin here.
const RIGHT: f64 = 560.0;
const HEAD: f64 = 46.0;
const PLOT: f64 = 300.0;
const FOOT: f64 = 44.0;
const LABEL_STEP: f64 = 15.0;

pub(super) fn draw(recording: &Recording, panels: &[Panel]) -> String {
    let heights: Vec<f64> = panels.iter().map(height).collect();
    let total: f64 = heights.iter().sum::<f64>() + 24.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {total}\" width=\"{WIDTH}\" height=\"{total}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" role=\"img\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n",
        escape(&t!("cli-plot-title", recorded = recording.label()))
    );
    let mut top = 0.0;
    for (panel, height) in panels.iter().zip(&heights) {
        draw_panel(&mut out, recording, panel, top, *height);
        top += height;
    }
    let cublas = recording.cublas_version.as_ref().map_or_else(String::new, |version| format!(", cuBLAS {version}"));
    let note = t!("cli-plot-note", recorded = recording.label() + cublas);
    let _ = writeln!(out, "<text class=\"muted\" x=\"{LEFT}\" y=\"{}\">{}</text>\n</svg>", total - 8.0, escape(&note));
    out
}

const STYLE: &str = "  text { fill: #1f2328; } .muted { fill: #59636e; } .grid { stroke: #8c959f; stroke-opacity: 0.35; }\n  \
    .limit { stroke: #57606a; } .line { fill: none; stroke-width: 2; }\n  \
    @media (prefers-color-scheme: dark) {\n    text { fill: #e6edf3; } .muted { fill: #9198a1; } .limit { stroke: #adbac7; }\n  }\n";

fn height(panel: &Panel) -> f64 {
    // The two additional labels are for cuBLAS and the roof.
    let labels = (panel.rungs.len() + 2) as f64 * LABEL_STEP;
    HEAD + PLOT.max(labels) + FOOT
}

/// Converts sizes and speeds to coordinates.
struct Scale {
    sizes: Vec<u32>,
    top: f64,
    bottom: f64,
    most: f64,
}

impl Scale {
    fn x(&self, n: u32) -> f64 {
        let ends = self.sizes.first().zip(self.sizes.last());
        let (low, high) = ends.map_or((1.0, 2.0), |(low, high)| (f64::from(*low).log2(), f64::from(*high).log2()));
        let part = if high > low { (f64::from(n).log2() - low) / (high - low) } else { 0.5 };
        LEFT + part * (RIGHT - LEFT)
    }

    fn y(&self, gflops: f64) -> f64 {
        self.bottom - gflops / self.most * (self.bottom - self.top)
    }
}

/// A line with its label on the right.
struct Line<'a> {
    label: String,
    points: &'a [(u32, f64)],
    style: String,
}

fn draw_panel(out: &mut String, recording: &Recording, panel: &Panel, top: f64, height: f64) {
    let mut sizes: Vec<u32> = panel.rungs.iter().flat_map(|rung| rung.points.iter().map(|(n, _)| *n)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let cublas: Vec<(u32, f64)> =
        sizes.iter().filter_map(|&n| Some((n, recording.cublas_at(n, panel.elements)?.gflops))).collect();
    // Only the rate of single-precision multiply-adds was measured.
    let limits = Limits::of(&recording.device);
    let roof = limits.filter(|_| panel.elements == Elements::F32).map(|limits| limits.fma_gflops);
    let roof: Vec<(u32, f64)> = roof.map_or_else(Vec::new, |roof| sizes.iter().map(|n| (*n, roof)).collect());
    let all = panel.rungs.iter().flat_map(|rung| &rung.points).chain(&cublas).chain(&roof);
    let highest = all.map(|(_, gflops)| *gflops).fold(0.0, f64::max);
    let step = nice_step(highest);
    let most = (highest / step).ceil().max(1.0) * step;
    let scale = Scale { sizes, top: top + HEAD, bottom: top + height - FOOT, most };
    axes(out, panel.elements, &scale, step, top);

    let mut lines: Vec<Line> = Vec::new();
    let count = panel.rungs.len().max(2) as f64 - 1.0;
    for (at, rung) in panel.rungs.iter().enumerate() {
        // Slow kernels are red; fast ones are blue and violet.
        let hue = 10.0 + 270.0 * at as f64 / count;
        let style = format!("stroke=\"hsl({hue:.0} 70% 50%)\"");
        // The panel already names the type.
        let prefix = format!("{}, ", panel.elements).to_lowercase();
        let label = match rung.label.get(..prefix.len()) {
            Some(head) if head.to_lowercase() == prefix => &rung.label[prefix.len()..],
            _ => &rung.label,
        };
        lines.push(Line { label: label.to_owned(), points: &rung.points, style });
    }
    let limit = |dashes: &str| format!("stroke-dasharray=\"{dashes}\"");
    lines.push(Line {
        label: recording.against.name(panel.elements).to_string(),
        points: &cublas,
        style: limit("7 4"),
    });
    lines.push(Line { label: t!("cli-plot-roof"), points: &roof, style: limit("1 4") });
    lines.retain(|line| !line.points.is_empty());
    for line in &lines {
        let class = if line.style.contains("dash") { "line limit" } else { "line" };
        let points: Vec<String> =
            line.points.iter().map(|(n, v)| format!("{:.1},{:.1}", scale.x(*n), scale.y(*v))).collect();
        let _ = writeln!(out, "<polyline class=\"{class}\" {} points=\"{}\"/>", line.style, points.join(" "));
    }
    labels(out, &lines, &scale);
}

fn axes(out: &mut String, elements: Elements, scale: &Scale, step: f64, top: f64) {
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"{:.1}\" font-size=\"14\" font-weight=\"600\">{elements}</text>\
         <text class=\"muted\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        top + 24.0,
        LEFT + 48.0,
        top + 24.0,
        escape(&t!("cli-plot-axes"))
    );
    let ticks = (scale.most / step).round() as u32;
    for tick in 0..=ticks {
        let value = f64::from(tick) * step;
        let y = scale.y(value);
        let label = format!("{}", value / 1000.0);
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"muted\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 8.0,
            y + 4.0
        );
    }
    for &n in &scale.sizes {
        let (x, y) = (scale.x(n), scale.bottom + 18.0);
        let _ = writeln!(out, "<text class=\"muted\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{n}</text>");
    }
}

/// Draws the labels next to the ends of their lines with leader lines. Moves apart labels that would touch.
fn labels(out: &mut String, lines: &[Line], scale: &Scale) {
    let mut ends: Vec<(f64, &Line)> =
        lines.iter().filter_map(|line| line.points.last().map(|(_, gflops)| (scale.y(*gflops), line))).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let places = apart(&ends.iter().map(|(y, _)| *y).collect::<Vec<_>>(), scale.top, scale.bottom);
    for ((end, line), y) in ends.iter().zip(places) {
        let Some((n, gflops)) = line.points.last() else { continue };
        let class = if line.style.contains("dash") { "line limit" } else { "line" };
        let from = scale.x(*n);
        let _ = writeln!(
            out,
            "<polyline class=\"{class}\" {} stroke-opacity=\"0.6\" style=\"stroke-width:1\" points=\"{from:.1},{end:.1} {:.1},{end:.1} {:.1},{y:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            line.style,
            RIGHT.max(from) + 4.0,
            RIGHT + 22.0,
            RIGHT + 26.0,
            y + 4.0,
            escape(&format!("{}: {}", line.label, short(*gflops)))
        );
    }
}

/// Moves ascending positions at least a label's height apart, and keeps them within the bounds if they fit.
fn apart(places: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut moved = places.to_vec();
    let mut least = top;
    for y in &mut moved {
        *y = y.max(least);
        least = *y + LABEL_STEP;
    }
    let mut most = bottom;
    for y in moved.iter_mut().rev() {
        *y = y.min(most);
        most = *y - LABEL_STEP;
    }
    moved
}

/// Returns an axis step for this maximum: 1, 2 or 5 times a power of ten, so that the axis has four to ten steps.
fn nice_step(highest: f64) -> f64 {
    let rough = (highest / 8.0).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= rough);
    step.unwrap_or(10.0) * power
}

/// Returns TFLOP/s with one decimal place, or with none from 100 on.
fn short(gflops: f64) -> String {
    let tflops = gflops / 1000.0;
    if tflops >= 100.0 { format!("{tflops:.0}") } else { format!("{tflops:.1}") }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_touch_and_stay_within_the_plot() {
        let moved = apart(&[10.0, 11.0, 12.0, 200.0, 299.0, 300.0], 0.0, 300.0);
        assert!(moved.windows(2).all(|pair| pair[1] - pair[0] >= LABEL_STEP - 1e-9), "{moved:?}");
        assert!(moved[0] >= 0.0 && moved[5] <= 300.0, "{moved:?}");
        assert_eq!(moved[3], 200.0, "what has room stays");
    }

    #[test]
    fn an_axis_has_round_steps() {
        for (highest, step) in [(61_000.0, 10_000.0), (790_000.0, 100_000.0), (9.0, 2.0), (0.8, 0.1)] {
            assert!((nice_step(highest) / step - 1.0).abs() < 1e-9, "{highest}: {}", nice_step(highest));
        }
    }

    #[test]
    fn the_built_in_recording_is_drawn_with_every_rung_and_cublas() {
        let recording = Recording::built_in().first().unwrap();
        let rung = |label: &str, id: &str| Rung {
            elements: Elements::F32,
            label: label.to_owned(),
            points: {
                let kernel = tutor_kernels::Catalog::built_in().kernel(id).unwrap();
                let speed = |n| recording.row(kernel, n).unwrap().time.gflops;
                recording.sizes(kernel).into_iter().map(|n| (n, speed(n))).collect()
            },
        };
        let rungs = vec![rung("naive", "sgemm_naive_coalesced"), rung("tiled <32>", "sgemm_tiled32")];
        let svg = draw(recording, &[Panel { elements: Elements::F32, rungs }]);
        for part in ["naive: ", "tiled &lt;32&gt;", ">cuBLAS: ", "4096", &recording.label().to_string(), "</svg>"] {
            assert!(svg.contains(part), "{part}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
