/*! The tensor-map box: a box over the edge of a matrix, the zeros from outside, and the 128-byte swizzle.

Up and down choose a number, left and right change it: where the box begins, whether it is swizzled, which piece of its
rows is marked. What stands in shared memory is what the emulator's copy engine left there ([`model`]).
*/

mod draw;
mod model;

use super::control::{Panel, cell};
use super::{Picture, Setting};
use crate::course::TensorBoxView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::{Copied, Field};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// A box of a matrix in shared memory.
#[derive(Debug)]
pub struct TensorBox {
    panel: Panel<Copied>,
}

impl TensorBox {
    /// The page's box.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { panel: Panel::new(Copied::new(view), Field::Column) }
    }
}

impl Picture for TensorBox {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        self.panel.actions()
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        self.panel.act(action);
        Vec::new()
    }

    /// A click chooses a number or marks a piece; on arrows, it changes the number.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        let Some(at) = cell(at, area) else { return Vec::new() };
        match draw::piece(self, at, area.width) {
            Some(piece) => self.panel.dials.piece = piece,
            None => self.panel.click(draw::hit(self, at, area.width)),
        }
        Vec::new()
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, width: u16) -> u16 {
        draw::height(self, width)
    }

    /// The box, and where its pieces lie.
    fn describe(&self) -> Vec<String> {
        draw::sentences(&self.panel.dials)
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("0…7", t!("tensor-box-sign-piece")), ("~", t!("tensor-box-sign-part")), ("·", t!("tensor-box-sign-zeros"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;

    fn shown(column: i32, row: i32, swizzle: bool) -> TensorBox {
        TensorBox::new(&View { columns: 104, rows: 20, column, row, swizzle }, setting())
    }

    #[test]
    fn box_and_shared_memory_are_drawn_in_every_room() {
        insta::assert_snapshot!("tensor-box", kept(&shown(64, 0, true)));
        let corner = View { columns: 101, rows: 20, column: 72, row: 15, swizzle: false };
        insta::assert_snapshot!("tensor-box-corner", kept(&TensorBox::new(&corner, setting())));
        at_every_size(&shown(104, 20, true));
        at_every_size(&TensorBox::new(&View { columns: 0, rows: 0, column: i32::MAX, row: i32::MIN, swizzle: true }, setting()));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| shown(64, 0, true));
        keeps_its_word(|| shown(104, 20, false));
        keeps_its_word(|| {
            let mut it = shown(0, 0, true);
            [Action::Increase, Action::NextField, Action::NextField].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn zeros_are_counted_as_bytes_and_the_swizzle_parts_a_column() {
        let mut it = shown(64, 0, true);
        let drawing = flowing(&it, (76, 20));
        assert!(drawing.contains("24 of 64 pieces are zeros") && drawing.contains("1024"), "{}", screen(&it, (76, 20)));
        assert!(drawing.contains("1 wavefront"), "{}", screen(&it, (76, 20)));
        [Action::NextField, Action::NextField, Action::Increase].into_iter().for_each(|action| drop(it.act(action)));
        assert!(flowing(&it, (76, 20)).contains("8 wavefronts"), "{}", screen(&it, (76, 20)));
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        needs_no_more_than_it_says(&shown(64, 0, true), &["first column", "marked piece", "1 wavefront", "mbarrier"]);
    }

    #[test]
    fn a_click_marks_a_piece_and_changes_a_number() {
        let mut it = shown(0, 0, true);
        let area = Rect::new(1, 1, 76, 20);
        let places = || (1..21).flat_map(|y| (1..77).map(move |x| Position::new(x, y)));
        let at = places().find(|at| cell(*at, area).and_then(|at| draw::piece(&it, at, 76)) == Some(5)).unwrap();
        it.click(at, area);
        assert_eq!(it.panel.dials.piece, 5);
        let hit = Some((Field::Column, Some(true)));
        let at = places().find(|at| cell(*at, area).and_then(|at| draw::hit(&it, at, 76)) == hit).unwrap();
        it.click(at, area);
        assert_eq!(it.panel.dials.column, 8);
    }
}
