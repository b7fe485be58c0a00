/*! The library scene: why fetch a book a hundred times?

The student walks: a shelf (global memory) on the left, a desk (shared memory) on the right. Every
press fetches one desk-full and counts one trip; the desk can be made smaller or larger, and the
strategies that were walked to the end stay below, to be compared.
*/

mod draw;
mod model;

use super::{Picture, Setting};
use crate::course::LibraryScene;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::Scene;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// Time of one step of the walk.
const STEP: Duration = Duration::from_millis(80);

/// The library scene.
#[derive(Debug)]
pub struct Library {
    scene: Scene,
    /// Desk sizes that the keys go through, ascending.
    desks: Vec<u32>,
    last_step: Duration,
}

impl Library {
    /// A scene with the lesson's numbers.
    pub fn new(view: &LibraryScene, _: Setting) -> Self {
        let scene = Scene::new(view.books, view.desk);
        let powers = (0..).map(|power| 1 << power).take_while(|&desk| desk < scene.books);
        let mut desks: Vec<u32> = powers.chain([scene.desk, scene.books]).collect();
        desks.sort_unstable();
        desks.dedup();
        Self { scene, desks, last_step: Duration::ZERO }
    }

    /// The next desk that is larger, or smaller.
    fn other(&self, larger: bool) -> Option<u32> {
        let now = self.scene.desk;
        if larger {
            self.desks.iter().find(|desk| **desk > now).copied()
        } else {
            self.desks.iter().rev().find(|desk| **desk < now).copied()
        }
    }
}

impl Picture for Library {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        let scene = &self.scene;
        let mut actions = vec![Action::Fetch, Action::Play];
        actions.extend(self.other(false).map(|_| Action::DeskLess));
        actions.extend(self.other(true).map(|_| Action::DeskMore));
        actions.extend((scene.fetched > 0 || scene.moving()).then_some(Action::Restart));
        actions
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        if !self.actions().contains(&action) {
            return Vec::new();
        }
        match action {
            // A second press hurries the student who is on the way.
            Action::Fetch if self.scene.moving() => self.scene.hurry(),
            Action::Fetch => self.scene.fetch(),
            Action::Play => self.scene.toggle_running(),
            Action::DeskLess | Action::DeskMore => {
                if let Some(desk) = self.other(action == Action::DeskMore) {
                    self.scene.resize(desk);
                }
            }
            Action::Restart => self.scene.restart(),
            _ => {}
        }
        Vec::new()
    }

    /// A click fetches.
    fn click(&mut self, _: Position, _: Rect) -> Vec<Effect> {
        self.act(Action::Fetch)
    }

    /// Without motion a trip is made at once; whole errands still count trip by trip.
    fn stand_still(&mut self) {
        if !self.scene.running {
            self.scene.hurry();
        }
    }

    /// While somebody walks.
    fn animating(&self) -> bool {
        self.scene.moving()
    }

    /// One step of the walk when it is time.
    fn tick(&mut self, now: Duration) -> bool {
        if now.saturating_sub(self.last_step) < STEP {
            return false;
        }
        self.last_step = now;
        self.scene.tick();
        true
    }

    /// Draws the scene.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(&self.scene, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, width: u16) -> u16 {
        draw::min_height(&self.scene, width)
    }

    /// Books, trips, and the desks that were tried.
    fn describe(&self) -> Vec<String> {
        let scene = &self.scene;
        let [trips, needed] = draw::trips(scene);
        let mut said = vec![
            format!("{}.", draw::what(scene)),
            format!("{trips} {needed}. {}.", draw::read(scene).replace("  ", " ")),
        ];
        for record in &scene.records {
            let split = draw::split(scene.books, record.desk);
            said.push(t!("library-record", desk = record.desk, trips = t!("library-trips", n = record.trips), split = split));
        }
        said.push(if scene.records.is_empty() { t!("library-hint") } else { draw::meaning(scene) });
        said
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("▸▸", t!("library-sign-runs")), ("▐▌", t!("library-sign-book")), ("+", t!("library-sign-more"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;

    fn library() -> Library {
        Library::new(&LibraryScene { books: 100, desk: 16 }, setting())
    }

    fn fetch(library: &mut Library, times: u32) {
        for _ in 0..times {
            library.act(Action::Fetch);
            library.act(Action::Fetch);
        }
    }

    #[test]
    fn the_scene_is_drawn_in_every_room() {
        let mut library = library();
        fetch(&mut library, 2);
        library.act(Action::Fetch);
        (0..3).for_each(|step| assert!(library.tick(STEP * (step + 1))));
        insta::assert_snapshot!("library", kept(&library));
        at_every_size(&library);
    }

    #[test]
    fn every_action_keeps_its_word() {
        for times in [0, 2, 7] {
            keeps_its_word(|| {
                let mut library = library();
                fetch(&mut library, times);
                library
            });
        }
        keeps_its_word(|| {
            let mut library = library();
            library.act(Action::Play);
            library
        });
        keeps_its_word(|| Library::new(&LibraryScene { books: 1, desk: 1 }, setting()));
    }

    #[test]
    fn without_motion_a_trip_is_made_at_once() {
        let mut library = library();
        library.act(Action::Fetch);
        library.stand_still();
        assert_eq!((library.scene.trips, library.animating()), (1, false));
    }

    #[test]
    fn at_the_end_trips_are_compared_and_the_words_are_mapped() {
        let mut library = library();
        fetch(&mut library, 7);
        let drawing = screen(&library, (60, 12));
        for words in ["7 trips", "6 full desks and 4 books", "shelf = global memory", "desk = shared memory"] {
            assert!(drawing.contains(words), "{words}\n{drawing}");
        }
        while library.scene.desk > 1 {
            library.act(Action::DeskLess);
        }
        fetch(&mut library, 100);
        let drawing = screen(&library, (60, 12));
        assert!(drawing.contains("100 trips") && drawing.contains("7 trips"), "{drawing}");
    }

    #[test]
    fn the_desk_goes_through_powers_of_two_and_the_lessons_own_size() {
        let library = Library::new(&LibraryScene { books: 100, desk: 12 }, setting());
        assert_eq!(library.desks, [1, 2, 4, 8, 12, 16, 32, 64, 100]);
    }

    #[test]
    fn all_that_it_says_has_room_in_the_rows_that_it_needs() {
        let mut library = library();
        needs_no_more_than_it_says(&library, &["0 trips of 7", "shelf: 100 left", "Fetch, and count the trips."]);
        fetch(&mut library, 7);
        while library.scene.desk > 1 {
            library.act(Action::DeskLess);
        }
        fetch(&mut library, 100);
        needs_no_more_than_it_says(&library, &["7 trips", "100 trips", "shelf = global memory", "desk = shared memory"]);
    }
}
