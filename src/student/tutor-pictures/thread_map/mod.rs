/*! The thread map: the iteration space, and the thread that computes each element.

A is to the left of C, and B is above C. The chosen element of C shows its thread, the row of A and the column of B that
the thread reads, and the pair that it multiplies now. `m` changes whether `threadIdx.x` selects the row or the column
of C. The work is the same, but neighbouring threads then access other addresses.
*/

mod draw;
mod model;

use super::pace::Pace;
use crate::prelude::*;
use model::Space;
use std::time::Duration;
use tutor_course::ThreadMap as View;

/// Time for each k while the animation plays.
const STEP: Duration = Duration::from_millis(400);

/// The iteration space, and the thread that computes each element of C.
#[derive(Debug)]
pub(crate) struct ThreadMap {
    map: Space,
    pace: Pace,
}

impl ThreadMap {
    pub(crate) fn new(view: &View) -> Self {
        Self { map: Space::new(view.m, view.n, view.k), pace: Pace::new(STEP) }
    }
}

impl Picture for ThreadMap {
    fn name(&self) -> String {
        t!("pictures-name-thread-map")
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.map.n > 1 {
            actions.extend([Action::Left, Action::Right]);
        }
        if self.map.m > 1 {
            actions.extend([Action::Down, Action::Up]);
        }
        actions.push(Action::Mapping);
        if self.map.step > 0 {
            actions.push(Action::PreviousK);
        }
        if self.map.step < self.map.k {
            actions.push(Action::NextK);
        }
        actions.push(Action::Play);
        actions
    }

    /// Applies an action. Moves wrap around at the edges.
    fn perform(&mut self, action: Action) -> Vec<Effect> {
        self.pace.run(action == Action::Play && !self.pace.runs());
        let (i, j, m, n) = (self.map.i, self.map.j, self.map.m, self.map.n);
        match action {
            Action::Left => self.map.choose(i, (j + n - 1) % n),
            Action::Right => self.map.choose(i, (j + 1) % n),
            Action::Up => self.map.choose((i + m - 1) % m, j),
            Action::Down => self.map.choose((i + 1) % m, j),
            Action::Mapping => self.map.swap_mapping(),
            Action::NextK => {
                self.map.forward();
            }
            Action::PreviousK => self.map.back(),
            Action::Play if self.map.step == self.map.k => self.map.step = 0,
            _ => {}
        }
        Vec::new()
    }

    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if let Some((i, j)) = draw::hit(&self.map, at, area) {
            self.map.choose(i, j);
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
        self.pace.run(self.map.forward() && self.map.step < self.map.k);
        true
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(&self.map, frame, area, look);
    }

    fn min_height(&self, width: u16) -> u16 {
        draw::height(&self.map, width)
    }

    fn describe(&self) -> Vec<String> {
        let map = &self.map;
        let lanes: Vec<String> = (map.lanes().iter().enumerate())
            .filter_map(|(lane, element)| element.map(|(i, j)| format!("{lane}: C[{i}][{j}]")))
            .collect();
        let mut sentences = vec![format!("{} {}.", t!("thread-map-extent", m = map.m, n = map.n), draw::along(map))];
        sentences.extend(ui_kit::sheet::describe(|sheet| draw::words(map, true, sheet)));
        sentences.extend([
            t!("thread-map-walk", i = map.i, j = map.j),
            t!("thread-map-warp-lanes", lanes = lanes.join(", ")),
        ]);
        sentences
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("█", t!("thread-map-sign-now")),
            ("▓", t!("thread-map-sign-past")),
            ("░", t!("thread-map-sign-next")),
            ("[ ]", t!("thread-map-sign-chosen")),
            ("0…31", t!("thread-map-sign-lane")),
            ("·", t!("thread-map-sign-other")),
        ]
    }
}
