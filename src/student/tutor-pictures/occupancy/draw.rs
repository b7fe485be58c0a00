/*! Draws the picture:

```text
 H200: 8 of 64 warps                               1 block on an SM
   kernel                19    thread 8×8 (ptxas 12.9.86 -O3)
 ▸ threads a block      256 ◂▸ ████▒▒▒▒████▒▒▒▒████▒▒▒▒████▒▒▒▒   room for 8
   registers a thread   162    █████████████████████░░░░░░░░░░░   room for 1 ▲
   shared memory         8192  █▒█▒█▒█▒█▒█▒█▒█▒█▒█▒█▒█▒█▒█▒█▒█▒   room for 25
 …
 ─ waves ─────────────────────────────────────────────────────────────────────
   blocks of the grid   512
   SMs      132
   waves 1–3            ████████████████████████████████████████  132 of 132
   wave 4               ███████████████████████████████████░░░░░  116 of 132
```

Each bar represents one resource of an SM. Each piece of it is what a block takes.
*/

use super::{BLOCKS, Control, Known, Limit, Occupancy, REGISTERS, SHARED, WARPS, Waves};
use crate::prelude::*;
use tutor_kernels::machine_code::MachineCode;
use tutor_support::figures::{percent, significant};

/// Maximum number of waves with a row each. If there are more, all full waves share one row.
const ROWS: u32 = 3;

impl DrawControls for Occupancy {
    const KIND: &str = "occupancy";
    const LAYOUT: ControlLayout = ControlLayout { label: 19, value: 7 };
    const FIRST: usize = 2;

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        let (blocks, limit) = self.blocks();
        let what = t!("occupancy-what", warps = blocks * self.warps(), all = WARPS);
        let meaning = if blocks == 0 { Meaning::Wrong } else { Meaning::Accent };
        rows.title(&what, vec![look.span(meaning, t!("occupancy-blocks", n = blocks))]);
        for &control in Self::CONTROLS {
            if control == Control::Grid {
                rows.text(Meaning::Text, &limits(self).join(" "));
                rows.rule(&t!("occupancy-waves-title"));
            }
            let value = match control {
                Control::Kernel if self.kernel().is_none() => look.sign("–", "-").to_owned(),
                _ => grouped(self.get(control).into()),
            };
            let room = usize::from(rows.width).saturating_sub(Self::LAYOUT.width());
            let mut behind = Vec::new();
            if let Some((of, taken, all)) = resource(self, control) {
                let fits = t!("occupancy-room", n = self.capacity(of));
                behind = bar(taken, all, blocks, room.saturating_sub(2 + fits.width() + 3), look);
                let meaning = if of == limit { Meaning::Warning } else { Meaning::Muted };
                behind.push(look.span(meaning, format!("  {fits}")));
                behind.push(Span::raw(" "));
                behind.push(if of == limit { look.warning() } else { Span::raw(" ") });
            }
            if control == Control::Kernel {
                let text = self.kernel().map_or_else(|| t!("occupancy-own"), named);
                behind.push(look.span(Meaning::Muted, truncate(&text, room.saturating_sub(1), look.ascii)));
            }
            rows.number(control, &label(control), &value, behind);
        }
        if let Some(waves) = self.waves() {
            self::waves(waves, rows);
        }
        rows.text(Meaning::Text, &lost(self));
    }
}

/// Returns the resource of a control: its limit, the amount per block, and the total.
fn resource(load: &Occupancy, control: Control) -> Option<(Limit, u32, u32)> {
    Some(match control {
        Control::Threads => (Limit::Warps, load.warps(), WARPS),
        Control::Registers => (Limit::Registers, load.block_registers(), REGISTERS),
        Control::Shared => (Limit::Shared, load.block_shared(), SHARED),
        Control::Kernel | Control::Grid | Control::Multiprocessors => return None,
    })
}

fn named(known: &Known) -> String {
    t!("occupancy-of-kernel", kernel = known.label(), assembler = MachineCode::built_in().assembler.as_str())
}

fn label(control: Control) -> String {
    match control {
        Control::Kernel => t!("occupancy-kernel"),
        Control::Threads => t!("occupancy-threads"),
        Control::Registers => t!("occupancy-registers"),
        Control::Shared => t!("occupancy-shared"),
        Control::Grid => t!("occupancy-grid"),
        Control::Multiprocessors => t!("occupancy-multiprocessors"),
    }
}

/// Returns a bar of an SM's resource with a piece per block, neighbours in different shades.
fn bar(taken: u32, all: u32, blocks: u32, width: usize, look: &Look) -> Vec<Span<'static>> {
    let edge = |block: u32| {
        let share = f64::from(block.saturating_mul(taken)) / f64::from(all.max(1));
        ((share * width as f64).round() as usize).min(width)
    };
    let mut cells = Cells::default();
    for block in 0..blocks {
        let wide = edge(block + 1).saturating_sub(edge(block));
        let sign = if block % 2 == 0 { look.sign("█", "#") } else { look.sign("▒", "%") };
        cells.push(&sign.repeat(wide), look.style(Meaning::Bar));
    }
    let rest = width.saturating_sub(edge(blocks));
    cells.push(&look.sign("░", ".").repeat(rest), look.style(Meaning::BarEmpty));
    cells.done()
}

fn limits(load: &Occupancy) -> Vec<String> {
    let (blocks, limit) = load.blocks();
    let warps = blocks * load.warps();
    let mut sentences = vec![match limit {
        _ if blocks == 0 => t!("occupancy-none"),
        Limit::Registers => t!("occupancy-by-registers", n = blocks),
        Limit::Shared => t!("occupancy-by-shared", n = blocks),
        Limit::Warps => t!("occupancy-by-warps", n = blocks, all = WARPS),
        Limit::Blocks => t!("occupancy-by-blocks", n = BLOCKS),
    }];
    if blocks > 0 {
        let share = percent(f64::from(warps) / f64::from(WARPS));
        sentences.push(t!("occupancy-share", warps, all = WARPS, share));
    }
    let (given, block, all) = (load.given_registers(), load.block_registers(), REGISTERS);
    sentences.push(if given == load.registers {
        t!("occupancy-registers-taken", block, all)
    } else {
        t!("occupancy-registers-rounded", registers = load.registers, given, block, all)
    });
    sentences
}

/// Adds a row for each wave. If there are many, one row is for all full waves.
fn waves(waves: Waves, sheet: &mut Sheet) {
    let full = waves.count - 1;
    let mut rows: Vec<(String, u32)> = Vec::new();
    if waves.count <= ROWS {
        rows.extend((1..=full).map(|wave| (t!("occupancy-wave", n = wave), waves.at_once)));
    } else {
        rows.push((t!("occupancy-full-waves", last = full), waves.at_once));
    }
    rows.push((t!("occupancy-wave", n = waves.count), waves.last));
    for (name, blocks) in rows {
        let text = t!("occupancy-of", blocks, all = waves.at_once);
        let look = sheet.look;
        let room = usize::from(sheet.width).saturating_sub(3 + Occupancy::LAYOUT.label + text.width() + 3);
        let mut row = vec![look.span(Meaning::Muted, format!("   {}", pad(&name, Occupancy::LAYOUT.label)))];
        row.extend(look.bar(f64::from(blocks) / f64::from(waves.at_once), room as u16));
        row.push(look.span(Meaning::Muted, format!("  {text}")));
        sheet.row(row);
    }
}

/// Describes the number of waves and what the last one leaves idle.
fn lost(load: &Occupancy) -> String {
    let Some(waves) = load.waves() else { return t!("occupancy-no-waves") };
    let exact = f64::from(load.grid) / f64::from(waves.at_once);
    let idle = waves.at_once - waves.last;
    let lost = percent(1.0 - exact / f64::from(waves.count));
    match idle {
        0 => t!("occupancy-all-full", n = waves.count),
        _ if waves.count == 1 && waves.last < load.multiprocessors => {
            let idle = load.multiprocessors - waves.last;
            t!("occupancy-idle", idle, all = load.multiprocessors, lost)
        }
        _ => t!("occupancy-lost", waves = significant(exact), count = waves.count, lost),
    }
}
