/*! Draws the picture:

```text
 cycles of a load by size                             recorded on NVIDIA H200
 ▸ ring            224 KiB ◂▸
   loads through  L1 and L2
 700 ┤                                                              │ ▂▆█████
     ┤                                          …
   0 ┤▁▁▁▁▁▁▁▁▁▁▂▃▅▅▅▅▅▅
     4 KiB            │ 228 KiB an SM           │ L2, 60 MiB          1 GiB
 224 KiB: 67.1 cycles, 34 ns. …
```

Sizes increase to the right; each measured size is up to three cells wide. Lines mark where the device's memories end.
*/

use super::{Control, Hierarchy, Served};
use crate::picture::signs_of;
use crate::prelude::*;
use tutor_course::LoadPath;
use tutor_exec::latency::{Latencies, Latency};

/// Cells to the left of the bars.
const LEFT: usize = 6;
const HEIGHT: usize = 6;
/// Cycles of the highest bar.
const MAX_CYCLES: f64 = 700.0;
/// The sign for a latency of the student's GPU.
pub(super) const OWN: &str = "◇";
/// Rows above the bars: a title and two controls.
const TOP: u16 = 3;

impl DrawControls for Hierarchy {
    const KIND: &str = "hierarchy";
    const LAYOUT: ControlLayout = ControlLayout { label: 14, value: 10 };

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        let device = Latencies::built_in().map_or_else(String::new, |known| known.device.clone());
        rows.title(&t!("hierarchy-what"), vec![look.span(Meaning::Accent, t!("hierarchy-recorded", device))]);
        let ring = self.point().map_or_else(String::new, |point| size(point.bytes));
        rows.number(Control::Size, &t!("hierarchy-ring"), &ring, Vec::new());
        rows.number(Control::Path, &t!("hierarchy-path"), &path(self.path), Vec::new());
        bars(self, rows);
        for sentence in words(self).into_iter().chain(own_words(self, look.sign(OWN, "o"))) {
            rows.text(Meaning::Text, &sentence);
        }
        if let Some(known) = Latencies::built_in() {
            let source = t!("hierarchy-source", date = known.date.as_str(), driver = known.driver.as_str());
            rows.text(Meaning::Muted, &source);
        }
    }

    fn more(&self) -> Vec<String> {
        let mut all: Vec<String> = self.points().iter().map(|point| at(*point)).collect();
        if let Some(own) = self.own() {
            let [device, date, driver] = [&own.device, &own.date, &own.driver].map(String::as_str);
            all.push(t!("hierarchy-own-all", device, date, driver));
            all.extend(self.points().iter().filter_map(|point| self.own_at(point.bytes)).map(at));
        }
        all
    }

    fn click(&mut self, (x, y): (u16, u16), width: u16) {
        let point = usize::from(x).checked_sub(LEFT).map(|x| x / cell(self, width));
        if let Some(point) = point.filter(|point| *point < self.points().len())
            && (TOP..TOP + HEIGHT as u16).contains(&y)
        {
            self.choose_at(point);
        }
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        let mut signs = signs_of(Self::KIND);
        signs.extend(self.own().map(|_| (OWN, t!("hierarchy-sign-own"))));
        signs
    }
}

fn cell(curve: &Hierarchy, width: u16) -> usize {
    let room = usize::from(width).saturating_sub(LEFT + 1) / curve.points().len().max(1);
    room.clamp(1, 3)
}

/// Draws the bars and the sizes below them.
fn bars(curve: &Hierarchy, sheet: &mut Sheet) {
    const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
    let (look, points, wide) = (sheet.look, curve.points(), cell(curve, sheet.width));
    for row in (0..HEIGHT).rev() {
        let label = match row {
            0 => "0".to_owned(),
            row if row + 1 == HEIGHT => whole(MAX_CYCLES),
            _ => String::new(),
        };
        let mut cells = Cells::default();
        cells.push(&format!("{} │", pad_left(&label, LEFT - 2)), look.style(Meaning::Muted));
        for (number, point) in points.iter().enumerate() {
            let eighths = (point.cycles / MAX_CYCLES * (HEIGHT * 8) as f64).round() as usize;
            let filled = eighths.saturating_sub(row * 8).min(8);
            let sign = if look.ascii { if filled >= 4 || row == 0 { "#" } else { " " } } else { EIGHTHS[filled] };
            let chosen = number == curve.at();
            let meaning = match (chosen, filled) {
                (true, 0) => Meaning::BarEmpty,
                (true, _) => Meaning::Accent,
                _ => Meaning::Bar,
            };
            let sign = if chosen && filled == 0 { look.sign("·", ".") } else { sign };
            let own = curve
                .own_at(point.bytes)
                .map(|own| ((own.cycles / MAX_CYCLES * HEIGHT as f64) as usize).min(HEIGHT - 1));
            let (sign, meaning) = match own {
                Some(top) if top == row => (look.sign(OWN, "o"), Meaning::Strong),
                _ => (sign, meaning),
            };
            cells.push(&sign.repeat(wide), look.style(meaning));
        }
        sheet.drawn(cells.done());
    }
    axis(curve, wide, sheet);
}

/// Draws the smallest and the largest size, and marks where the device's memories end.
fn axis(curve: &Hierarchy, wide: usize, sheet: &mut Sheet) {
    let points = curve.points();
    let (Some(known), Some(first), Some(last)) = (Latencies::built_in(), points.first(), points.last()) else { return };
    let column = |bytes: u64| points.iter().filter(|point| point.bytes <= bytes).count() * wide;
    let (mut row, most) = (size(first.bytes), usize::from(sheet.width));
    let mut mark = |at: usize, text: String| {
        if at > row.width() && at < points.len() * wide && LEFT + at + text.width() <= most {
            row = format!("{}{}", ui_kit::look::pad(&row, at), text);
        }
    };
    mark(
        column(known.shared_bytes_per_multiprocessor),
        format!("│{}", t!("hierarchy-sm-end", size = size(known.shared_bytes_per_multiprocessor))),
    );
    mark(column(known.l2_bytes), format!("│{}", t!("hierarchy-l2-end", size = size(known.l2_bytes))));
    let end = size(last.bytes);
    let room = (points.len() * wide).min(most.saturating_sub(LEFT)).saturating_sub(row.width());
    if room > end.width() {
        row.push_str(&pad_left(&end, room));
    } else if points.len() > 4 && LEFT + row.width() + " … ".width() + end.width() <= most {
        row = format!("{row} … {end}");
    }
    let look = sheet.look;
    sheet.drawn(vec![look.span(Meaning::Muted, format!("{}{row}", " ".repeat(LEFT)))]);
}

fn words(curve: &Hierarchy) -> Vec<String> {
    let Some(point) = curve.point() else { return vec![t!("hierarchy-none")] };
    let served = match curve.served() {
        None => String::new(),
        Some(Served::Shared) => t!("hierarchy-by-shared"),
        Some(Served::L1) => t!("hierarchy-by-l1"),
        Some(Served::BeyondL1) => t!("hierarchy-beyond-l1"),
        Some(Served::L2) => t!("hierarchy-by-l2"),
        Some(Served::FarL2) => t!("hierarchy-by-far-l2"),
        Some(Served::Memory) => t!("hierarchy-by-memory"),
    };
    vec![format!("{} {served}", at(point))]
}

/// Describes the chosen ring on the student's GPU.
fn own_words(curve: &Hierarchy, sign: &str) -> Option<String> {
    let (own, point) = (curve.own()?, curve.own_at(curve.point()?.bytes)?);
    Some(t!(
        "hierarchy-own",
        sign,
        device = own.device.as_str(),
        date = own.date.as_str(),
        driver = own.driver.as_str(),
        at = at(point)
    ))
}

/// Returns a size and its latency as text.
fn at(point: Latency) -> String {
    let ns = point.cycles / point.mhz.max(1.0) * 1000.0;
    let (low, high) = (whole(point.low), whole(point.high));
    if low == high {
        t!("hierarchy-at", size = size(point.bytes), cycles = whole(point.cycles), ns = whole(ns))
    } else {
        let (cycles, ns) = (whole(point.cycles), whole(ns));
        t!("hierarchy-at-between", size = size(point.bytes), cycles, ns, low, high)
    }
}

/// Rounds to a whole number. Decimals are not significant here.
fn whole(value: f64) -> String {
    format!("{value:.0}")
}

/// Returns a size as text: `224 KiB`, `1 GiB`.
fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.into_iter().find(|(shift, _)| bytes >> shift > 0);
    unit.map_or_else(|| format!("{bytes} B"), |(shift, name)| format!("{} {name}", bytes >> shift))
}

fn path(path: LoadPath) -> String {
    match path {
        LoadPath::L1 => t!("hierarchy-l1-l2"),
        LoadPath::L2 => t!("hierarchy-l2-only"),
        LoadPath::Shared => t!("hierarchy-shared"),
    }
}
