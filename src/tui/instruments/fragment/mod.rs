/*! The fragment viewer: which lane of a warp holds which element of a matrix, both ways.

The arrows choose an element, `[` and `]` a lane, `o` the next matrix: A, B and C of `mma.m16n8k16`, what `ldmatrix`
brings, and D of `wgmma`. Where each element is held is asked of the emulator ([`ptx_emulator::Fragment`]).
*/

mod draw;
mod model;

use super::{Picture, Setting};
use crate::course::FragmentView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::Spread;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// A matrix, spread over the lanes of a warp.
#[derive(Debug)]
pub struct Fragment {
    spread: Spread,
}

impl Fragment {
    /// The page's matrix.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { spread: Spread::new(view) }
    }
}

impl Picture for Fragment {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        let moves = [Action::Left, Action::Down, Action::Up, Action::Right];
        let lanes = [Action::PreviousLane, Action::NextLane, Action::NextOperand];
        [moves.as_slice(), &lanes].concat()
    }

    /// Does an action. The choice goes round at the edges.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        let spread = &mut self.spread;
        let ((rows, columns), (row, column), lane) = (spread.extent(), (spread.row, spread.column), spread.held().lane);
        match action {
            Action::Left => spread.choose(row, column + columns - 1),
            Action::Right => spread.choose(row, column + 1),
            Action::Up => spread.choose(row + rows - 1, column),
            Action::Down => spread.choose(row + 1, column),
            Action::PreviousLane => spread.choose_lane(lane + 31),
            Action::NextLane => spread.choose_lane(lane + 1),
            Action::NextOperand => spread.next_operand(),
            _ => {}
        }
        Vec::new()
    }

    /// A click chooses an element.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if let Some((row, column)) = draw::hit(&self.spread, at, area) {
            self.spread.choose(row, column);
        }
        Vec::new()
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(&self.spread, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, width: u16) -> u16 {
        draw::height(&self.spread, width)
    }

    /// The matrix, what the chosen lane holds, and the rule.
    fn describe(&self) -> Vec<String> {
        let spread = &self.spread;
        let holds = t!("fragment-holds", lane = spread.held().lane);
        let registers: Vec<String> =
            draw::registers(spread).into_iter().map(|(name, elements)| format!("{name} {elements}")).collect();
        let mut said = vec![
            format!("{}.", draw::what(spread)),
            format!("{holds} {}.", registers.join(", ")),
            draw::chosen(spread),
            draw::rule(spread),
        ];
        said.extend(spread.is_loaded().then(|| draw::address(spread)));
        said
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("0…31", t!("fragment-sign-lane")), ("[", t!("fragment-sign-chosen"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;
    use crate::course::FragmentOperand;

    fn fragment(of: FragmentOperand, lane: u32) -> Fragment {
        Fragment::new(&View { of, lane }, setting())
    }

    #[test]
    fn lanes_and_elements_are_drawn_in_every_room() {
        insta::assert_snapshot!("fragment-a", kept(&fragment(FragmentOperand::A, 9)));
        insta::assert_snapshot!("fragment-b", kept(&fragment(FragmentOperand::B, 9)));
        insta::assert_snapshot!("fragment-ldmatrix-trans", kept(&fragment(FragmentOperand::LdmatrixTrans, 9)));
        insta::assert_snapshot!("fragment-wgmma", kept(&fragment(FragmentOperand::Wgmma, 9)));
        for operand in model::OPERANDS {
            at_every_size(&fragment(operand, 31));
        }
    }

    #[test]
    fn every_action_keeps_its_word() {
        for operand in model::OPERANDS {
            keeps_its_word(|| fragment(operand, 14));
        }
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        for operand in model::OPERANDS {
            let it = fragment(operand, 9);
            let (_, elements) = draw::registers(&it.spread).pop().unwrap();
            let rule = draw::rule(&it.spread);
            let last = |text: &'_ str| text.rsplit(' ').next().unwrap().to_owned();
            needs_no_more_than_it_says(&it, &["Lane 9 holds", &last(&elements), &last(&rule), " 15 "]);
        }
        needs_no_more_than_it_says(&fragment(FragmentOperand::Ldmatrix, 9), &["matrix 1."]);
    }

    #[test]
    fn an_element_tells_its_lane_and_a_lane_its_elements() {
        let mut it = fragment(FragmentOperand::A, 0);
        (0..3).for_each(|_| drop(it.act(Action::Down)));
        (0..12).for_each(|_| drop(it.act(Action::Right)));
        let drawing = flowing(&it, (116, 20));
        assert!(drawing.contains("A[3][12] is in lane 14"), "{}", screen(&it, (116, 20)));
        it.act(Action::NextLane);
        assert!(flowing(&it, (116, 20)).contains("a0 A[3][6] A[3][7]"), "{}", screen(&it, (116, 20)));
    }

    #[test]
    fn a_click_chooses_an_element() {
        let mut it = fragment(FragmentOperand::B, 0);
        let area = Rect::new(3, 1, 76, 18);
        let mut places = (1..19).flat_map(|y| (3..79).map(move |x| Position::new(x, y)));
        let at = places.find(|at| draw::hit(&it.spread, *at, area) == Some((11, 6))).unwrap();
        it.click(at, area);
        assert_eq!(it.spread.held().lane, 25);
    }
}
