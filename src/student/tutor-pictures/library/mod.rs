/*! The library scene: why fetch a book a hundred times?

A student walks between a shelf (global memory) on the left and a desk (shared memory) on the right. Each trip fetches
as many books as fit on the desk. The desk can be made smaller or larger. Finished strategies are listed below for
comparison.
*/

mod draw;
mod model;

use super::control::next_in_order;
use crate::prelude::*;
use model::Scene;
use std::time::Duration;
use tutor_course::LibraryScene;

/// Time for one step of the walk.
const STEP: Duration = Duration::from_millis(80);

#[derive(Debug)]
pub(crate) struct Library {
    scene: Scene,
    /// Desk sizes that the keys step through, ascending.
    desks: Vec<u32>,
    last_step: Duration,
}

impl Library {
    pub(crate) fn new(view: &LibraryScene) -> Self {
        let scene = Scene::new(view.books, view.desk);
        let powers = (0..).map(|power| 1 << power).take_while(|&desk| desk < scene.books);
        let mut desks: Vec<u32> = powers.chain([scene.desk, scene.books]).collect();
        desks.sort_unstable();
        desks.dedup();
        Self { scene, desks, last_step: Duration::ZERO }
    }

    /// Returns the next larger or smaller desk.
    fn other(&self, larger: bool) -> Option<u32> {
        next_in_order(&self.desks, self.scene.desk, larger)
    }
}

impl Picture for Library {
    fn name(&self) -> String {
        t!("pictures-name-library")
    }

    fn actions(&self) -> Vec<Action> {
        let scene = &self.scene;
        let mut actions = vec![Action::Fetch, Action::Play];
        actions.extend(self.other(false).map(|_| Action::Smaller));
        actions.extend(self.other(true).map(|_| Action::Larger));
        actions.extend((scene.fetched > 0 || scene.moving()).then_some(Action::Restart));
        actions
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        match action {
            // If the student is already walking, Fetch finishes the walk at once.
            Action::Fetch if self.scene.moving() => self.scene.hurry(),
            Action::Fetch => self.scene.fetch(),
            Action::Play => self.scene.toggle_running(),
            Action::Smaller | Action::Larger => {
                if let Some(desk) = self.other(action == Action::Larger) {
                    self.scene.resize(desk);
                }
            }
            Action::Restart => self.scene.restart(),
            _ => {}
        }
        Vec::new()
    }

    fn click(&mut self, _: Position, _: Rect) -> Vec<Effect> {
        self.act(Action::Fetch)
    }

    /// Makes a single trip at once. Continuous trips still advance one by one.
    fn skip_motion(&mut self) {
        if !self.scene.running {
            self.scene.hurry();
        }
    }

    fn animating(&self) -> bool {
        self.scene.moving()
    }

    fn tick(&mut self, now: Duration) -> bool {
        if now.saturating_sub(self.last_step) < STEP {
            return false;
        }
        self.last_step = now;
        self.scene.tick();
        true
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(&self.scene, frame, area, look);
    }

    fn min_height(&self, width: u16) -> u16 {
        draw::min_height(&self.scene, width)
    }

    fn describe(&self) -> Vec<String> {
        let scene = &self.scene;
        let [trips, needed] = draw::trips(scene);
        let mut sentences = vec![
            format!("{}.", draw::what(scene)),
            format!("{trips} {needed}. {}.", draw::read(scene).replace("  ", " ")),
        ];
        for record in &scene.records {
            let split = draw::split(scene.books, record.desk);
            sentences.push(t!(
                "library-record",
                desk = record.desk,
                trips = t!("library-trips", n = record.trips),
                split
            ));
        }
        sentences.push(if scene.records.is_empty() { t!("library-hint") } else { draw::meaning(scene) });
        sentences
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("▸▸", t!("library-sign-runs")), ("▐▌", t!("library-sign-book")), ("+", t!("library-sign-more"))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_motion_a_trip_is_made_at_once() {
        let mut library = Library::new(&LibraryScene { books: 100, desk: 16 });
        library.act(Action::Fetch);
        library.skip_motion();
        assert_eq!((library.scene.trips, library.animating()), (1, false));
    }

    #[test]
    fn the_desk_goes_through_powers_of_two_and_the_lessons_own_size() {
        let library = Library::new(&LibraryScene { books: 100, desk: 12 });
        assert_eq!(library.desks, [1, 2, 4, 8, 12, 16, 32, 64, 100]);
    }
}
