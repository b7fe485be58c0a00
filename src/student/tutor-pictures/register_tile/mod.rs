/*! The register tile: a thread's TM×TN sums, to which each k adds one outer product.

Up and down select a control, left and right change it: the terms so far, the tile's edges, the numbers per load, and
the sum whose two operands are marked. The picture shows what the thread reads, and how many loads it needs.
*/

mod draw;
mod model;

use super::control::{Panel, cell};
use super::pace::Pace;
use crate::prelude::*;
use model::{Control, Tile};
use std::time::Duration;
use tutor_course::RegisterTileView as View;

/// Time for each k while the animation plays.
const STEP: Duration = Duration::from_millis(600);

/// The outer products of a thread, one per k.
#[derive(Debug)]
pub(crate) struct RegisterTile {
    panel: Panel<Tile>,
    pace: Pace,
}

impl RegisterTile {
    /// Creates the page's tile before the first k.
    pub(crate) fn new(view: &View) -> Self {
        Self { panel: Panel::new(Tile::new(view)), pace: Pace::new(STEP) }
    }
}

impl Picture for RegisterTile {
    fn name(&self) -> String {
        self.panel.name()
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = self.panel.actions();
        actions.push(Action::Play);
        actions
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        self.pace.run(action == Action::Play && !self.pace.runs());
        let tile = &mut self.panel.dials;
        if action == Action::Play && tile.done == tile.depth {
            tile.done = 0;
        }
        self.panel.act(action)
    }

    /// Marks the clicked sum or selects the clicked control. A click on an arrow changes the control.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        let Some(at) = cell(at, area) else { return Vec::new() };
        if let Some(hit) = draw::number(self, at, area) {
            self.panel.turn(hit);
        } else if let Some(sum) = draw::sum(self, at, area) {
            self.panel.dials.sum = sum;
        }
        Vec::new()
    }

    fn animating(&self) -> bool {
        self.pace.runs()
    }

    fn tick(&mut self, now: Duration) -> bool {
        if !self.pace.due(now) {
            return false;
        }
        let tile = &mut self.panel.dials;
        tile.change(Control::K, true);
        self.pace.run(tile.done < tile.depth);
        true
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    fn min_height(&self, width: u16) -> u16 {
        draw::height(self, width)
    }

    fn describe(&self) -> Vec<String> {
        let mut sentences: Vec<String> = draw::title(&self.panel.dials).map(|title| format!("{title}.")).into();
        sentences.extend(self.panel.describe());
        sentences
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        self.panel.signs()
    }
}
