/*! `banks`: the cost of a warp's access to memory.

The user writes the access as in `smem[lane][5]` and the array's shape as options. The command draws it like the tutor's
simulator. Without an access, it reads JSON lines from standard input and prints one line for each.
*/

mod access;
mod lines;

use super::ansi;
use super::bounds::whole;
use crate::prelude::*;
use access::Access;
use ptx_emulator::cost::{self, Direction, WARP};
use std::io::IsTerminal as _;
use tutor_course::{AccessDirection, BankView, SharedLanes};
use tutor_pictures::{Banks, Picture as _};
use ui_kit::look::SMALLEST;
use ui_kit::theme::Theme;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The access: an array with a row and a column, or only a column; each is an expression in `lane`, `tx`, `ty`,
    /// `k`.
    access: Option<String>,
    /// Elements per row, without padding [default: 32, or what the access needs].
    #[arg(long, value_name = "N", requires = "access", value_parser = whole(1, 65_536), allow_negative_numbers = true)]
    pitch: Option<u32>,
    /// Elements of padding at the end of a row.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "access", value_parser = whole(0, 4096), allow_negative_numbers = true)]
    pad: u32,
    /// Bytes per element.
    #[arg(long, value_name = "BYTES", default_value = "4", requires = "access", value_parser = ["4", "8", "16"])]
    width: String,
    /// Rows of the array [default: what the access needs].
    #[arg(long, value_name = "N", requires = "access", value_parser = whole(1, 65_536), allow_negative_numbers = true)]
    rows: Option<u32>,
    /// Number of active lanes, from lane 0 on.
    #[arg(long, value_name = "N", default_value_t = 32, requires = "access", value_parser = whole(1, 32), allow_negative_numbers = true)]
    lanes: u32,
    /// Threads per block; consecutive threads in x are consecutive lanes.
    #[arg(long, value_name = "X,Y", default_value = "16,16", requires = "access", value_parser = access::block)]
    block: [u32; 2],
    /// Index of the warp in the block.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "access", value_parser = whole(0, 31), allow_negative_numbers = true)]
    warp: u32,
    /// The value of `k`.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "access", value_parser = whole(0, 65_536), allow_negative_numbers = true)]
    k: u32,
    /// Make the access a store instead of a load.
    #[arg(long, requires = "access")]
    store: bool,
    /// Print one JSON document; without ACCESS, the output is always JSON lines.
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor banks 'smem[lane][5]' --pitch 16            a column of a tile: 16 banks apart
  matmul-tutor banks 'smem[lane][5]' --pitch 16 --pad 1    the same with one word of padding per row
  matmul-tutor banks 'tile[tx][ty]' --pitch 32 --block 32,8 --store
  matmul-tutor banks 'smem[lane]' --width 16 --json
  echo '{\"op\":\"ld.shared\",\"bytes\":4,\"addr\":[0,128,256,…]}' | matmul-tutor banks

A JSON line has
  op     ld.shared, st.shared, ld.global or st.global
  bytes  4, 8 or 16 for each lane
  addr   32 byte addresses
  mask   the active lanes, as a number (default: all)
and its answer has `wavefronts` (shared) or `sectors` (global), and `ideal`.";

/// The document that `--json` prints for an access.
#[derive(Debug, Serialize)]
struct AccessDocument<'a> {
    op: &'static str,
    bytes: u32,
    mask: u32,
    wavefronts: u32,
    ideal: u32,
    /// Byte address and first bank of each lane; null for an inactive lane.
    addr: [Option<u32>; WARP],
    bank: [Option<u32>; WARP],
    row: &'a str,
    column: &'a str,
    rows: u32,
    pitch: u32,
    pad: u32,
}

/// Draws an access, or answers JSON lines.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let Some(typed) = &args.access else {
        if std::io::stdin().is_terminal() {
            return Ok(failure(Exit::Usage, t!("cli-banks-nothing"), Some(&t!("cli-banks-nothing-help"))));
        }
        return lines::answer_all();
    };
    let access = match Access::read(typed) {
        Ok(access) => access,
        Err(message) => return Ok(failure(Exit::Usage, &message, Some(&t!("cli-banks-nothing-help")))),
    };
    let view = access::fit(&access, args);
    let lanes = match view.access() {
        Ok(lanes) => lanes,
        Err(error) => {
            let at = error.offset.map(|offset| access::caret(&view, error.field, offset));
            return Ok(failure(Exit::Usage, format!("{}: {error}", error.field), at.as_deref()));
        }
    };
    if args.json {
        output::json(&document(&view, &lanes))?;
    } else {
        draw(&access, &view, &lanes, globals)?;
    }
    Ok(Exit::Done)
}

fn way(lanes: &SharedLanes) -> Direction {
    match lanes.direction {
        AccessDirection::Load => Direction::Load,
        AccessDirection::Store => Direction::Store,
    }
}

fn document<'a>(view: &'a BankView, lanes: &SharedLanes) -> AccessDocument<'a> {
    let SharedLanes { bytes, mask, addr, .. } = lanes;
    let active = |lane: usize| mask >> lane & 1 == 1;
    let of_lanes = |value: &dyn Fn(u32) -> u32| std::array::from_fn(|lane| active(lane).then(|| value(addr[lane])));
    AccessDocument {
        op: if lanes.direction == AccessDirection::Store { "st.shared" } else { "ld.shared" },
        bytes: *bytes,
        mask: *mask,
        wavefronts: cost::shared_wavefronts(way(lanes), *bytes, *mask, addr),
        ideal: cost::shared_ideal(way(lanes), *bytes, *mask, addr),
        addr: of_lanes(&|addr| addr),
        bank: of_lanes(&|addr| addr / 4 % cost::BANKS as u32),
        row: &view.row.value,
        column: &view.column.value,
        rows: view.rows,
        pitch: view.pitch,
        pad: view.pad,
    }
}

/// Maximum width. A wider picture would mention the tutor's keys.
const WIDEST: usize = 98;
/// Rows for everything except the wavefronts and the array: title, controls, axis, and the text below.
const AROUND: u16 = 12;
/// Maximum number of array lines that are drawn, 32 words each.
const ARRAY: u64 = 64;

fn draw(access: &Access, view: &BankView, lanes: &SharedLanes, globals: &Globals) -> anyhow::Result<()> {
    let wavefronts = cost::shared_wavefronts(way(lanes), lanes.bytes, lanes.mask, &lanes.addr) as u16;
    let words_a_row = (u64::from(view.pitch) + u64::from(view.pad)) * u64::from(view.width / 4);
    let array = (words_a_row * u64::from(view.rows)).div_ceil(cost::BANKS as u64).min(ARRAY) as u16;
    let width = output::columns().unwrap_or(80).clamp(SMALLEST.0.into(), WIDEST) as u16;
    let picture = Banks::new(view).called(&access.array);
    let colours = globals.colours();
    let theme = Theme::named(if colours { globals.theme_name() } else { "mono" })?;
    let size = (width, wavefronts + array + AROUND);
    for line in ansi::draw(&theme, globals.ascii, colours, size, |frame, area, look| picture.render(frame, area, look))
    {
        output::painted(&format!("{line}\n"))?;
    }
    Ok(())
}
