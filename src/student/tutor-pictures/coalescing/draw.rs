/*! Draws the picture:

```text
 rows of 1024, k = 0                            A ▲ 32   B ✔ 1
 A[tx][k]  ▲ 32 sectors where 4 would do: uncoalesced
 │ 0 · · · · · · ·│ 1 · · · · · · ·│ …              (lanes over the words of a sector)
 B[k][ty]  ✔ 1 sector: one word for 32 lanes
 │ * · · · · · · ·│
 ████░░░░ 128 of 1024 bytes moved were asked for
```

A lane is one sign: a digit, or a letter from a (10) to v (31). If there is room for three cells per word, it is the
lane's number.
*/

use super::{Access, Coalescing, Sector, SectorMap};
use crate::prelude::*;
use tutor_course::AccessError;
use tutor_support::figures::percent;
use ui_kit::sheet::lane_name;

const MIN_HEIGHT: usize = 12;
/// Rows of the two text fields and of an error below them.
const EDIT_ROWS: usize = 3;
const SECTOR_WORDS: usize = 8;

type Worked = (Access, Result<SectorMap, AccessError>);

pub(super) fn draw(model: &Coalescing, frame: &mut Frame, area: Rect, look: &Look) {
    let lane = model.lane;
    let mut sheet = Sheet::new(look, area.width);
    let worked: Vec<Worked> =
        model.accesses().into_iter().map(|access| (access.clone(), model.picture(&access))).collect();
    let what = t!("coalescing-rows-of", pitch = model.view.pitch, k = model.k);
    sheet.title(&what, result(&worked, area.width, look));
    if let Some(edit) = &model.edit {
        edit.draw(worked.first().and_then(|(_, picture)| picture.as_ref().err()), &mut sheet);
    }
    let pictures: Vec<(&Access, &SectorMap)> =
        worked.iter().filter_map(|(access, picture)| Some((access, picture.as_ref().ok()?))).collect();
    match (pictures.as_slice(), worked.first()) {
        ([], Some((_, Err(error)))) if model.edit.is_none() => {
            sheet.blank();
            sheet.error(t!("coalescing-broken", field = error.field, why = error.message));
        }
        ([], _) => {}
        (pictures, _) => {
            let used = usize::from(sheet.height()) + caption_rows(model, pictures, lane, area.width) + pictures.len();
            let room = usize::from(area.height).saturating_sub(used).max(1);
            let legend = room > 4;
            let room = room - usize::from(legend);
            sectors(pictures, lane, room, &mut sheet);
            words(model, pictures, lane, &mut sheet);
            if legend {
                let (cell, _) = cells(pictures, area.width.into(), room);
                self::legend(pictures, cell, &mut sheet);
            }
        }
    }
    sheet.draw(frame, area);
}

/// Returns the number of rows of the text below the sectors.
fn caption_rows(model: &Coalescing, pictures: &[(&Access, &SectorMap)], lane: Option<usize>, width: u16) -> usize {
    ui_kit::sheet::rows(width, |sheet| words(model, pictures, lane, sheet)).into()
}

/// Returns the number of rows of the whole picture at a width, with one cell per word of a sector.
pub(super) fn min_height(model: &Coalescing, width: u16) -> u16 {
    let worked: Vec<(Access, SectorMap)> = (model.accesses().into_iter())
        .filter_map(|access| model.picture(&access).ok().map(|picture| (access, picture)))
        .collect();
    let pictures: Vec<(&Access, &SectorMap)> = worked.iter().map(|(access, picture)| (access, picture)).collect();
    let per_row = sectors_a_row(usize::from(width), 1);
    let sectors: usize = pictures.iter().map(|(_, picture)| 1 + picture.sectors.len().div_ceil(per_row)).sum();
    let edit = if model.edit.is_some() { EDIT_ROWS } else { 0 };
    // The 2 is for the title and the legend.
    (2 + edit + sectors + caption_rows(model, &pictures, model.lane, width)).max(MIN_HEIGHT) as u16
}

/// Returns the cost of each access: `A ▲ 32  B ✔ 1`, or in words if there is only one.
fn result(worked: &[Worked], width: u16, look: &Look) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    for (access, picture) in worked {
        let (sign, text, meaning) = match picture {
            Err(_) => (look.wrong(), t!("pictures-no-access"), Meaning::Wrong),
            Ok(picture) => {
                let (sign, meaning) = look.cost(picture.count == picture.ideal);
                // If the title is narrow, the rows below name the unit.
                let text = match width < 64 && worked.len() > 1 {
                    true => picture.count.to_string(),
                    false => t!("coalescing-sectors", n = picture.count),
                };
                (sign, text, meaning)
            }
        };
        let name = if access.name.is_empty() { String::new() } else { format!("  {} ", access.name) };
        spans.push(look.span(Meaning::Strong, name));
        spans.push(sign);
        spans.push(look.span(meaning, format!(" {text}")));
    }
    spans
}

/// Returns how many sectors fit in a row.
fn sectors_a_row(width: usize, cell: usize) -> usize {
    (width.saturating_sub(3) / (SECTOR_WORDS * cell + 1)).clamp(1, 8)
}

/// Returns the largest cells per word at which all sectors of all accesses fit, and the sectors per row.
fn cells(pictures: &[(&Access, &SectorMap)], width: usize, room: usize) -> (usize, usize) {
    let a_row = |cell: usize| sectors_a_row(width, cell);
    let rows =
        |cell: usize| pictures.iter().map(|(_, picture)| picture.sectors.len().div_ceil(a_row(cell))).sum::<usize>();
    let cell = [3, 2].into_iter().find(|&cell| rows(cell) <= room).unwrap_or(1);
    (cell, a_row(cell))
}

fn sectors(pictures: &[(&Access, &SectorMap)], lane: Option<usize>, room: usize, sheet: &mut Sheet) {
    let look = sheet.look;
    let (cell, per_row) = cells(pictures, usize::from(sheet.width), room);
    let mut left = room;
    for (at, (access, picture)) in pictures.iter().enumerate() {
        let (sign, meaning) = look.cost(picture.count == picture.ideal);
        let text = verdict(picture);
        // If the row is narrow, the part after the colon is left out.
        let taken = access.element().width() + 5;
        let text = match text.split_once(':') {
            Some((text, _)) if taken + verdict(picture).width() > usize::from(sheet.width) => text.to_owned(),
            _ => text,
        };
        sheet.row(vec![
            look.span(access.meaning(), format!(" {} ", access.element())),
            sign,
            look.span(meaning, format!(" {text}")),
        ]);
        // Each later access needs at least one row.
        let rows = left.saturating_sub(pictures.len() - 1 - at).max(1);
        let mut shown = picture.sectors.len().min(per_row * rows);
        // The count of hidden sectors is behind the last row, so that row must leave room for it.
        let last_row = |shown: usize| 2 + ((shown - 1) % per_row + 1) * (SECTOR_WORDS * cell + 1);
        let more = |shown: usize| t!("coalescing-more", n = picture.sectors.len() - shown).width() + 1;
        while shown < picture.sectors.len() && shown > 1 && last_row(shown) + more(shown) > usize::from(sheet.width) {
            shown -= 1;
        }
        for row in picture.sectors[..shown].chunks(per_row) {
            let mut cells = Cells::default();
            cells.push(" ", Style::new());
            for sector in row {
                draw_sector(sector, cell, lane, look, &mut cells);
            }
            cells.push(look.sign("│", "|"), look.style(Meaning::Border));
            let hidden = picture.sectors.len() - shown;
            if hidden > 0
                && row.last().map(|sector| sector.index) == picture.sectors[..shown].last().map(|last| last.index)
            {
                cells.push(&format!(" {}", t!("coalescing-more", n = hidden)), look.style(Meaning::Muted));
            }
            sheet.row(cells.done());
        }
        left = left.saturating_sub(shown.div_ceil(per_row));
    }
}

fn draw_sector(sector: &Sector, cell: usize, lane: Option<usize>, look: &Look, cells: &mut Cells) {
    cells.push(look.sign("│", "|"), look.style(Meaning::Border));
    for lanes in sector.words {
        let pointed = lane.is_some_and(|lane| lanes >> lane & 1 == 1);
        let style = match lanes.count_ones() {
            _ if pointed => look.style(Meaning::Selected),
            0 => look.style(Meaning::BarEmpty),
            1 => look.style(Meaning::Thread((lanes.trailing_zeros() / 8) as u8)),
            _ => look.style(Meaning::Free),
        };
        let name = if lanes == 0 { pad_left(look.sign("·", "."), cell) } else { lane_name(lanes, cell) };
        cells.push(&name, style);
    }
}

/// Classifies the access: `32 sectors where 4 would do: one for every lane`.
pub(super) fn verdict(picture: &SectorMap) -> String {
    let lanes = picture.access.mask.count_ones();
    match picture.count {
        1 if picture.used().0 <= picture.access.bytes => t!("coalescing-broadcast", lanes),
        n if n == picture.ideal => t!("coalescing-ideal", n),
        n if n == lanes => t!("coalescing-each-lane", n, ideal = picture.ideal),
        n => t!("coalescing-more-than", n, ideal = picture.ideal),
    }
}

/// Returns the share of bytes that the lanes use: `128 of 1024 bytes moved were asked for, 12.5 %`.
pub(super) fn share(picture: &SectorMap) -> String {
    let (used, moved) = picture.used();
    let share = percent(f64::from(used) / f64::from(moved.max(1)));
    t!("coalescing-share", used, moved, share)
}

/// Describes where a lane is, or how far apart lanes 0 and 1 are.
pub(super) fn place(access: &Access, picture: &SectorMap, lane: Option<usize>) -> String {
    match lane.and_then(|lane| Some((lane, picture.access.lanes[lane]?))) {
        Some((lane, known)) => {
            let byte = picture.access.addr[lane];
            t!("coalescing-lane", lane, element = access.element(), row = known.row, column = known.column, byte)
        }
        None => {
            let apart = picture.access.addr[1].abs_diff(picture.access.addr[0]);
            t!("coalescing-apart", element = access.element(), bytes = apart)
        }
    }
}

fn words(model: &Coalescing, pictures: &[(&Access, &SectorMap)], lane: Option<usize>, sheet: &mut Sheet) {
    let look = sheet.look;
    let Some((access, picture)) = pictures.first() else { return };
    let (used, moved) = pictures.iter().fold((0, 0), |(used, moved), (_, picture)| {
        let (more_used, more_moved) = picture.used();
        (used + more_used, moved + more_moved)
    });
    let part = f64::from(used) / f64::from(moved.max(1));
    let mut row = vec![Span::raw(" ")];
    let share = t!("coalescing-share", used, moved, share = percent(part));
    let spare = sheet.width.saturating_sub(share.width() as u16 + 3);
    if spare >= 4 {
        row.extend(look.bar(part, (sheet.width / 6).clamp(8, 24).min(spare)));
    }
    row.push(look.span(Meaning::Text, format!(" {share}")));
    sheet.row(row);
    let places: Vec<String> = match lane {
        Some(_) => pictures.iter().map(|(access, picture)| place(access, picture, lane)).collect(),
        None => vec![place(access, picture, None)],
    };
    sheet.text(Meaning::Text, &places.join(" "));
    let swap = if !model.can_swap() {
        t!("coalescing-no-swap")
    } else if model.swapped {
        t!("coalescing-swap-back")
    } else {
        t!("coalescing-swap")
    };
    let byte = t!("coalescing-byte", pitch = model.view.pitch, width = model.view.width);
    sheet.text(Meaning::Muted, &format!("{byte} {swap}"));
}

/// Explains the signs. A lane is a number if a word has more than one cell.
fn legend(pictures: &[(&Access, &SectorMap)], cell: usize, sheet: &mut Sheet) {
    let look = sheet.look;
    let lanes = if cell > 1 { "0…31" } else { "0…9 a…v" };
    let mut entries = vec![
        ("│ │", Meaning::Border, t!("coalescing-legend-sector")),
        (lanes, Meaning::Text, t!("coalescing-legend-lane")),
    ];
    let shared = |(_, picture): &(&Access, &SectorMap)| {
        picture.sectors.iter().any(|sector| sector.words.iter().any(|lanes| lanes.count_ones() > 1))
    };
    if pictures.iter().any(shared) {
        entries.push(("*", Meaning::Free, t!("coalescing-legend-shared")));
    }
    entries.push((look.sign("·", "."), Meaning::BarEmpty, t!("coalescing-legend-vain")));
    sheet.legend(entries, 2);
}
