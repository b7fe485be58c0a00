/*! The library scene: why fetch a book a hundred times?

The student walks: a shelf (global memory) on the left, a desk (shared memory) on the right. Every
press fetches one desk-full and counts one trip; the desk can be made smaller or larger, and the
strategies that were walked to the end stay below, to be compared.
*/

mod draw;
mod model;

use super::{Picture, Setting};
use crate::course::LibraryScene;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::Library as Scene;
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

    fn resize(&mut self, choose: impl Fn(&[u32], u32) -> Option<u32>) {
        if let Some(desk) = choose(&self.desks, self.scene.desk) {
            self.scene.resize(desk);
        }
    }
}

impl Picture for Library {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        vec![Action::Fetch, Action::Play, Action::DeskLess, Action::DeskMore, Action::Restart]
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        match action {
            // A second press hurries the student who is on the way.
            Action::Fetch if self.scene.moving() => self.scene.hurry(),
            Action::Fetch => self.scene.fetch(),
            Action::Play => self.scene.toggle_running(),
            Action::DeskLess => self.resize(|desks, now| desks.iter().rev().find(|desk| **desk < now).copied()),
            Action::DeskMore => self.resize(|desks, now| desks.iter().find(|desk| **desk > now).copied()),
            Action::Restart => self.scene.restart(),
            _ => {}
        }
        Vec::new()
    }

    /// A click fetches.
    fn click(&mut self, _: Position, _: Rect) -> Vec<Effect> {
        self.act(Action::Fetch)
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
    fn min_height(&self, _: u16) -> u16 {
        11
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{CASES, at_every_size, drawn, setting, text};
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
    fn the_scene_is_drawn_at_every_size_and_theme() {
        let mut library = library();
        fetch(&mut library, 2);
        library.act(Action::Fetch);
        (0..3).for_each(|step| assert!(library.tick(STEP * (step + 1))));
        for case in CASES {
            let name = format!("library-{}x{}-{}", case.0, case.1, case.2);
            insta::assert_snapshot!(name, drawn(case, false, |frame, area, look| library.render(frame, area, look)));
        }
        at_every_size(|frame, area, look| library.render(frame, area, look));
    }

    #[test]
    fn at_the_end_trips_are_compared_and_the_words_are_mapped() {
        let mut library = library();
        fetch(&mut library, 7);
        let screen = text((60, 12), false, |frame, area, look| library.render(frame, area, look));
        for words in ["7 trips", "6 full desks and 4 books", "shelf = global memory", "desk = shared memory"] {
            assert!(screen.contains(words), "{words}\n{screen}");
        }
        while library.scene.desk > 1 {
            library.act(Action::DeskLess);
        }
        fetch(&mut library, 100);
        let screen = text((60, 12), false, |frame, area, look| library.render(frame, area, look));
        assert!(screen.contains("100 trips") && screen.contains("7 trips"), "{screen}");
    }

    #[test]
    fn the_desk_goes_through_powers_of_two_and_the_lessons_own_size() {
        let library = Library::new(&LibraryScene { books: 100, desk: 12 }, setting());
        assert_eq!(library.desks, [1, 2, 4, 8, 12, 16, 32, 64, 100]);
    }
}
