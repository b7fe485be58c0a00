/*! Draws the scene:

```text
 100 books, 16 fit on the desk            2 trips of 7
  shelf: 68 left                            desk: 16 of 16
  ▐▌▐▌▐▌▐▌▐▌▐▌▐▌▐▌▐▌▐▌                      ▐▌▐▌▐▌▐▌
  ▐▌▐▌▐▌▐▌▐▌▐▌▐▌             \o/
 ══════════════════════      / \           ═════════════
```
*/

use super::{Library, Scene, WAY, Walk};
use crate::prelude::*;

/// Width in cells between the edge and the shelf or the desk.
const MARGIN: usize = 2;
/// Width in cells of the student who carries books.
const STUDENT: usize = 8;

pub(super) fn draw(Library { scene, .. }: &Library, frame: &mut Frame, area: Rect, look: &Look) {
    let mut sheet = Sheet::new(look, area.width);
    let [trips, needed] = trips(scene);
    let plays = if scene.running { look.sign("▸▸ ", ">> ") } else { "" };
    let right =
        vec![look.span(Meaning::Accent, format!("{plays}{trips}")), look.span(Meaning::Muted, format!(" {needed}"))];
    sheet.title(&what(scene), right);
    let roomy = area.height >= 20;
    if roomy {
        sheet.blank();
    }
    let (rows, high) = rows(area.height);
    stage(scene, rows, high, &mut sheet);
    if roomy {
        sheet.blank();
    }
    let mut bar = vec![look.span(Meaning::Text, format!(" {}  ", read(scene)))];
    bar.extend(look.bar(f64::from(scene.fetched) / f64::from(scene.books), area.width.saturating_sub(22).min(80)));
    sheet.row(bar);
    if roomy {
        sheet.blank();
    }
    let room = usize::from(area.height.saturating_sub(sheet.height() + caption_rows(scene, area.width)));
    records(scene, &mut sheet, room.max(1));
    words(scene, &mut sheet);
    sheet.draw(frame, area);
}

/// Adds a hint, or what the scene stands for once a desk has been tried.
fn words(scene: &Scene, sheet: &mut Sheet) {
    if scene.records.is_empty() {
        sheet.text(Meaning::Muted, &t!("library-hint"));
    } else {
        sheet.text(Meaning::Accent, &meaning(scene));
    }
}

/// Returns the number of rows of the text below the scene.
fn caption_rows(scene: &Scene, width: u16) -> u16 {
    ui_kit::sheet::rows(width, |sheet| words(scene, sheet))
}

/// Returns the minimum height: title, stage, books read, two desks to compare, and the text.
pub(super) fn min_height(Library { scene, .. }: &Library, width: u16) -> u16 {
    let (rows, high) = rows(0);
    1 + (2 + rows * high) as u16 + 1 + scene.records.len().min(2) as u16 + caption_rows(scene, width)
}

/// Returns the books and the desk as text: `100 books, 16 fit on the desk`.
pub(super) fn what(scene: &Scene) -> String {
    t!("library-what", books = t!("library-books", n = scene.books), desk = scene.desk)
}

/// Returns the number of trips so far and the number needed, as text.
pub(super) fn trips(scene: &Scene) -> [String; 2] {
    [t!("library-trips", n = scene.trips), t!("library-of", n = scene.trips_needed())]
}

pub(super) fn read(scene: &Scene) -> String {
    t!("library-read", n = format!("{:>3}", scene.fetched), of = scene.books)
}

/// Describes what shelf, desk and books stand for.
pub(super) fn meaning(scene: &Scene) -> String {
    t!("library-meaning", books = t!("library-books", n = scene.desk))
}

/// Returns the rows of books on shelf and desk, and the height of a book.
fn rows(height: u16) -> (u32, u32) {
    match height {
        0..=16 => (4, 1),
        17..=24 => (6, 1),
        25..=34 => (10, 1),
        35..=48 => (10, 2),
        _ => (10, 3),
    }
}

fn stage(scene: &Scene, rows: u32, high: u32, sheet: &mut Sheet) {
    let look = sheet.look;
    let width = usize::from(sheet.width);
    let shelf_books = scene.books - scene.fetched - carried(scene);
    let wanted = scene.books.div_ceil(rows) as usize;
    let cells_a_book = (1..=4).rev().find(|cells| wanted * cells <= width / 2).unwrap_or(1);
    let (shelf_places, desk_places) = (places(scene.books, rows, width), places(scene.desk, rows, width));
    let (shelf_width, desk_width) = (shelf_places * cells_a_book, desk_places * cells_a_book);
    let desk_at = width.saturating_sub(desk_width + MARGIN);
    let corridor = desk_at.saturating_sub(MARGIN + shelf_width);
    let (student, at) = student(scene, corridor);
    let left = t!("library-shelf", n = shelf_books);
    let right = t!("library-desk", n = scene.on_desk, of = scene.desk);
    let right_at = width.saturating_sub(right.width().max(desk_width) + MARGIN);
    sheet.row(vec![
        look.span(Meaning::Muted, format!("{}{}", " ".repeat(MARGIN), pad(&left, right_at.saturating_sub(MARGIN)))),
        look.span(Meaning::Muted, right),
    ]);
    for line in 0..rows * high {
        let row = line / high;
        let mut cells = Cells::default();
        cells.push(&" ".repeat(MARGIN), Style::new());
        books(&mut cells, look, shelf_books, rows - 1 - row, shelf_places, cells_a_book, rows);
        // The student is on the floor.
        let above = ((rows * high) as usize).saturating_sub(student.len());
        let body = (line as usize).checked_sub(above).and_then(|row| student.get(row)).map_or("", String::as_str);
        let before = if body.is_empty() { 0 } else { at };
        cells.push(&" ".repeat(before), Style::new());
        cells.push(body, look.style(Meaning::Accent));
        cells.push(&" ".repeat(corridor.saturating_sub(before + body.width())), Style::new());
        books(&mut cells, look, scene.on_desk, rows - 1 - row, desk_places, cells_a_book, rows);
        sheet.row(cells.done());
    }
    let board = look.sign("═", "=");
    let floor = look.sign("─", "-");
    sheet.row(vec![
        Span::raw(" "),
        look.span(Meaning::Border, board.repeat(shelf_width + 2)),
        look.span(Meaning::Border, floor.repeat(corridor.saturating_sub(2))),
        look.span(Meaning::Border, board.repeat(desk_width + 2)),
    ]);
}

/// Returns the width of a stack in books, at most a third of the scene.
fn places(books: u32, rows: u32, width: usize) -> usize {
    (books.div_ceil(rows) as usize).clamp(4, (width / 3).max(4))
}

/// Draws one row of a stack, which fills from the bottom. A stack that does not fit ends with `+`.
fn books(cells: &mut Cells, look: &Look, books: u32, rows_below: u32, places: usize, cells_a_book: usize, rows: u32) {
    const COLOURS: [Meaning; 4] = [Meaning::MatrixA, Meaning::MatrixB, Meaning::Free, Meaning::Note];
    let row = rows - 1 - rows_below;
    let here = (books as usize).saturating_sub(rows_below as usize * places);
    let overflow = row == 0 && here > places;
    for place in 0..places {
        let kind = place * 5 + row as usize * 3;
        if place >= here {
            cells.push(&" ".repeat(cells_a_book), Style::new());
        } else if overflow && place == places - 1 {
            cells.push(&"+".repeat(cells_a_book), look.style(Meaning::Muted));
        } else {
            let spine = match (cells_a_book, kind % 3) {
                (1, 0) => look.sign("▌", "|"),
                (1, 1) => look.sign("▐", "|"),
                (1, _) => look.sign("▍", "I"),
                (2, 0) => look.sign("▐▌", "||"),
                (2, _) => look.sign("▐▍", "|I"),
                (3, 0) => look.sign("▐█▌", "|#|"),
                (3, _) => look.sign("▐█▍", "|#I"),
                (_, 0) => look.sign("▐██▌", "|##|"),
                (_, _) => look.sign("▐██▍", "|##I"),
            };
            cells.push(spine, look.style(COLOURS[kind % COLOURS.len()]));
        }
    }
}

/// Returns the number of books that the student carries.
fn carried(scene: &Scene) -> u32 {
    if matches!(scene.walk, Walk::Returning(_)) { scene.next_load() } else { 0 }
}

/// Returns the rows of the student's figure, and its distance from the shelf.
fn student(scene: &Scene, corridor: usize) -> (Vec<String>, usize) {
    let way = corridor.saturating_sub(STUDENT);
    let from_desk = |steps: u32| way - way * steps.min(WAY) as usize / WAY as usize;
    let (load, steps) = match scene.walk {
        Walk::AtDesk => (0, 0),
        Walk::Going(steps) => (0, steps),
        Walk::Returning(steps) => (scene.next_load(), steps),
    };
    let arms = match load {
        0 if scene.walk == Walk::AtDesk => " /|\\".to_owned(),
        0 => "-/|".to_owned(),
        load => format!(" /|_{}", "|".repeat((load.div_ceil(8) as usize).min(3))),
    };
    let legs = if steps % 2 == 0 { " / \\" } else { "  |\\" };
    let head = if scene.done() { " \\o/".to_owned() } else { "  o".to_owned() };
    let arms = if scene.done() { "  |".to_owned() } else { arms };
    (vec![String::new(), head, arms, legs.to_owned()], from_desk(steps))
}

/// Adds a bar for each finished strategy, to the same scale.
fn records(scene: &Scene, sheet: &mut Sheet, room: usize) {
    let look = sheet.look;
    let most = scene.records.iter().map(|record| record.trips).max().unwrap_or(1);
    // If there is no room for all, the first and the last ones are compared.
    let skip = scene.records.len().saturating_sub(room);
    let shown = scene.records.iter().enumerate().filter(|(at, _)| *at == 0 || *at > skip);
    let width = sheet.width.saturating_sub(50).clamp(8, 48);
    for (_, record) in shown {
        let mut row =
            vec![look.span(Meaning::Text, format!(" {}  ", t!("library-desk-of", n = format!("{:>3}", record.desk))))];
        row.extend(look.bar(f64::from(record.trips) / f64::from(most), width));
        row.push(look.span(Meaning::Strong, format!(" {}", t!("library-trips", n = record.trips))));
        if record.desk > 1 && sheet.width > 50 {
            row.push(look.span(Meaning::Muted, format!(", {}", split(scene.books, record.desk))));
        }
        sheet.row(row);
    }
}

pub(super) fn split(books: u32, desk: u32) -> String {
    Scene { desk, ..Scene::new(books, desk) }.split()
}
