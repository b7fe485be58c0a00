/*! Draws the picture:

```text
 2 stages, 8 tiles                                                   8856 cycles
 ▸ stages                2 ◂▸
   load, cycles        664    memory, recorded: NVIDIA H200
   multiply, cycles   1024
   stage 0     0░░░░█████1 …
   stage 1     1░░░░▒█████
   multiplies  ····██████████
               0                                                    13,504
 Of 8856 cycles 664 are waited: 7.5 %. 1.52 times as fast as one stage.
```

Time increases to the right, to the scale of the run with one stage. A tile's number is where its load begins.
*/

use super::{Control, Memory, Span, Stages, TILES, Tile};
use crate::prelude::*;
use tutor_support::figures::{percent, significant};

/// Cells to the left of the time axis.
const LEFT: usize = 14;

impl DrawControls for Stages {
    const KIND: &str = "stages";
    const LAYOUT: ControlLayout = ControlLayout { label: 17, value: 5 };

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        let cycles = t!("stages-cycles", n = self.total());
        rows.title(&t!("stages-what", n = self.stages, tiles = TILES), vec![look.span(Meaning::Accent, cycles)]);
        for &control in Self::CONTROLS {
            let (name, value, text) = match control {
                Control::Stages => (t!("stages-stages"), self.stages, String::new()),
                Control::Load => (t!("stages-load"), self.load, source(self)),
                Control::Multiply => (t!("stages-multiply"), self.multiply, String::new()),
            };
            rows.number(control, &name, &grouped(value.into()), vec![look.span(Meaning::Muted, text)]);
        }
        times(self, rows);
        for sentence in words(self) {
            rows.text(Meaning::Text, &sentence);
        }
    }

    fn more(&self) -> Vec<String> {
        let text = |(number, tile): (usize, &Tile)| {
            t!(
                "stages-tile-said",
                n = number,
                load = tile.load.start,
                there = tile.load.end,
                begin = tile.multiply.start,
                end = tile.multiply.end
            )
        };
        self.tiles().iter().enumerate().map(text).collect()
    }
}

/// Describes the source of the cycles of a load.
fn source(line: &Stages) -> String {
    let memory = match line.memory() {
        None => return t!("stages-page-s"),
        Some(Memory::L1) => t!("stages-l1"),
        Some(Memory::L2) => t!("stages-l2"),
        Some(Memory::Global) => t!("stages-memory"),
    };
    let device = line.known.as_ref().map_or_else(String::new, |known| known.device.clone());
    t!("stages-recorded", memory, device)
}

/// Draws a row per stage, a row for the multiplications, and the axis.
fn times(line: &Stages, sheet: &mut Sheet) {
    let width = usize::from(sheet.width).saturating_sub(LEFT + 1).max(1);
    let all = line.with(1).total().max(line.total()).max(1);
    let cell = |cycles: u32| (f64::from(cycles) / f64::from(all) * width as f64).round() as usize;
    let tiles = line.tiles();
    let put = |cells: &mut [(char, Meaning)], span: Span, sign: char, meaning: Meaning| {
        let (start, end) = (cell(span.start), cell(span.end));
        cells.iter_mut().take(end).skip(start).for_each(|cell| *cell = (sign, meaning));
    };
    let mut rows: Vec<(String, Vec<(char, Meaning)>)> = Vec::new();
    for stage in 0..line.stages as usize {
        let mut cells = vec![(' ', Meaning::Text); width];
        for (number, tile) in tiles.iter().enumerate().filter(|(number, _)| number % line.stages as usize == stage) {
            let Tile { load, multiply } = *tile;
            put(&mut cells, load, '░', Meaning::MatrixB);
            put(&mut cells, Span { start: load.end, end: multiply.start }, '▒', Meaning::Muted);
            put(&mut cells, multiply, '█', Meaning::MatrixA);
            let digit = char::from_digit(number as u32, 10).unwrap_or('?');
            if let Some(first) = cells.get_mut(cell(load.start)) {
                *first = (digit, Meaning::Strong);
            }
        }
        rows.push((t!("stages-stage", n = stage), cells));
    }
    let mut cells = vec![(' ', Meaning::Text); width];
    put(&mut cells, Span { start: 0, end: line.total() }, '·', Meaning::Warning);
    tiles.iter().for_each(|tile| put(&mut cells, tile.multiply, '█', Meaning::MatrixC));
    rows.push((t!("stages-multiplies"), cells));
    let look = sheet.look;
    for (name, signs) in rows {
        let mut row = vec![look.span(Meaning::Muted, format!("   {} ", pad(&name, LEFT - 4)))];
        let mut cells = Cells::default();
        signs.iter().for_each(|(sign, meaning)| cells.push(&sign.to_string(), look.style(*meaning)));
        row.extend(cells.done());
        sheet.drawn(row);
    }
    let end = grouped(all.into());
    let axis = format!("{}0{}", " ".repeat(LEFT), pad_left(&end, width.saturating_sub(1)));
    sheet.drawn(vec![look.span(Meaning::Muted, axis)]);
}

/// Describes what the times show.
fn words(line: &Stages) -> Vec<String> {
    let (total, waiting) = (line.total(), line.waiting());
    let mut sentences =
        vec![t!("stages-waited", waiting, total, share = percent(f64::from(waiting) / f64::from(total.max(1))))];
    if line.stages > 1 {
        let times = f64::from(line.with(1).total()) / f64::from(total.max(1));
        sentences[0] = format!("{} {}", sentences[0], t!("stages-faster", times = significant(times)));
    }
    sentences.push(match line.stages {
        1 => t!("stages-added", period = line.period() as u64),
        _ if line.period() > f64::from(line.multiply) => {
            t!("stages-load-bound", period = line.period().round() as u64, n = line.stages - 1)
        }
        _ => t!("stages-hidden", period = line.multiply),
    });
    sentences
}
