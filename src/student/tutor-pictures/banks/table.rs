//! Module 6's table of thread, byte address and bank, for any access.

use super::Banks;
use super::draw::active;
use super::model::Served;
use crate::prelude::*;

const ENTRY: usize = 19;

/// Adds the table in as many columns as fit, with at most `room` rows including its heading.
pub(super) fn rows(banks: &Banks, picture: &Served, sheet: &mut Sheet, room: usize) {
    let look = sheet.look;
    let lanes = active(picture);
    let columns = (usize::from(sheet.width).saturating_sub(1) / ENTRY).max(1);
    let columns = columns.min(lanes.len().div_ceil(8).max(1));
    let needed = lanes.len().div_ceil(columns);
    let shown = needed.min(room.saturating_sub(1)).max(1);
    let served = picture.schedule.iter().take(banks.served).flat_map(|wavefront| wavefront.banks.iter().flatten());
    let served = served.fold(0, |lanes, (_, mask)| lanes | mask);
    // If the table does not fit, stepping through the wavefronts scrolls it.
    let all = banks.wavefronts();
    let hidden = needed - shown;
    let first = if banks.served < all { hidden * banks.served / all.max(1) } else { 0 };
    let bank = format!("{}  ", t!("banks-bank"));
    let heading = format!("{}{}{}", pad(&t!("banks-thread"), 6), pad_left(&t!("banks-byte"), 6), pad_left(&bank, 7));
    sheet.row(vec![look.span(Meaning::Muted, format!(" {}", heading.repeat(columns)))]);
    for row in first..first + shown {
        let mut spans = vec![Span::raw(" ")];
        for column in 0..columns {
            let Some(&lane) = lanes.get(column * needed + row) else { continue };
            let Some(known) = picture.access.lanes[lane] else { continue };
            let name = match banks.view.block {
                [1, _] => format!("ty={}", known.ty),
                [_, 1] => format!("tx={}", known.tx),
                _ => format!("{},{}", known.tx, known.ty),
            };
            let (sign, meaning) =
                if picture.collides(lane) { (look.sign("▲", "!"), Meaning::Warning) } else { (" ", Meaning::Text) };
            let text = if served >> lane & 1 == 1 { Meaning::Text } else { Meaning::Muted };
            spans.push(look.span(text, format!("{}{:>6}", pad(&name, 6), picture.access.addr[lane])));
            spans.push(look.span(meaning, format!("{:>5}{sign} ", picture.bank(lane))));
        }
        sheet.row(spans);
    }
    if hidden > 0 {
        sheet.text(Meaning::Muted, &t!("banks-table-more", shown, all = needed));
    }
}
