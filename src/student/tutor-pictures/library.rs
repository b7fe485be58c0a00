/*! The library scene: why fetch a book a hundred times?

A student walks between a shelf (global memory) on the left and a desk (shared memory) on the right. Each trip fetches
as many books as fit on the desk. The desk can be made smaller or larger. Finished strategies are listed below for
comparison.
*/

mod draw;

use super::control::next_in_order;
use crate::prelude::*;
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
    fn kind(&self) -> &'static str {
        "library"
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

    crate::picture::drawn!();

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
}

/// Ticks for one way between desk and shelf.
const WAY: u32 = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Walk {
    /// The student is reading at the desk.
    AtDesk,
    /// On the way to the shelf: 0 at the desk, [`WAY`] at the shelf.
    Going(u32),
    /// On the way back with books: [`WAY`] at the shelf, 0 at the desk.
    Returning(u32),
}

/// A finished strategy: a desk size and its number of trips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    desk: u32,
    trips: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Scene {
    /// Number of books that the report needs.
    books: u32,
    /// Number of books that fit on the desk.
    desk: u32,
    /// Number of books read so far, including those on the desk.
    fetched: u32,
    /// Number of books on the desk now.
    on_desk: u32,
    /// Number of finished trips to the shelf and back.
    trips: u32,
    walk: Walk,
    /// True if the student walks until all books are read.
    running: bool,
    /// Finished strategies, by desk size.
    records: Vec<Record>,
}

impl Scene {
    /// Clamps both numbers to at least 1.
    pub(crate) fn new(books: u32, desk: u32) -> Self {
        let (books, desk) = (books.clamp(1, 10_000), desk.clamp(1, 10_000));
        Self { books, desk, fetched: 0, on_desk: 0, trips: 0, walk: Walk::AtDesk, running: false, records: Vec::new() }
    }

    /// Returns the number of trips that this desk needs.
    fn trips_needed(&self) -> u32 {
        self.books.div_ceil(self.desk)
    }

    /// Returns the number of books that the next trip brings.
    fn next_load(&self) -> u32 {
        self.desk.min(self.books - self.fetched)
    }

    fn done(&self) -> bool {
        self.fetched == self.books && self.walk == Walk::AtDesk
    }

    /// Starts a trip, if the student is at the desk. Starts from the beginning if all books are read.
    fn fetch(&mut self) {
        if self.done() {
            self.restart();
        }
        if self.walk == Walk::AtDesk {
            self.on_desk = 0;
            self.walk = Walk::Going(0);
        }
    }

    /// Starts continuous trips, or stops them at the desk.
    fn toggle_running(&mut self) {
        self.running = !self.running;
        if self.running {
            self.fetch();
        }
    }

    /// Changes the desk and starts from the beginning.
    fn resize(&mut self, desk: u32) {
        self.desk = desk.clamp(1, self.books);
        self.restart();
    }

    fn restart(&mut self) {
        self.fetched = 0;
        self.on_desk = 0;
        self.trips = 0;
        self.walk = Walk::AtDesk;
        self.running = false;
    }

    /// True if a tick changes anything.
    fn moving(&self) -> bool {
        self.walk != Walk::AtDesk
    }

    /// Walks one step. With many trips the student walks faster, so that 100 trips do not take minutes.
    fn tick(&mut self) {
        let stride = if self.running && self.trips_needed() > 20 { WAY } else { 1 };
        self.walk = match self.walk {
            Walk::AtDesk => return,
            Walk::Going(at) if at + stride < WAY => Walk::Going(at + stride),
            Walk::Going(_) => Walk::Returning(WAY),
            Walk::Returning(at) if at > stride => Walk::Returning(at - stride),
            Walk::Returning(_) => {
                self.arrive();
                return;
            }
        };
    }

    /// Skips the rest of the walk.
    fn hurry(&mut self) {
        if self.moving() {
            self.arrive();
        }
    }

    fn arrive(&mut self) {
        self.walk = Walk::AtDesk;
        self.on_desk = self.next_load();
        self.fetched += self.on_desk;
        self.trips += 1;
        if self.fetched == self.books {
            self.running = false;
            let record = Record { desk: self.desk, trips: self.trips };
            self.records.retain(|known| known.desk != record.desk);
            self.records.push(record);
            self.records.sort_by_key(|known| known.desk);
        } else if self.running {
            self.fetch();
        }
    }

    /// Describes how the books fill the desk: `6 full desks and 4 books`.
    fn split(&self) -> String {
        let (full, rest) = (self.books / self.desk, self.books % self.desk);
        match (full, rest) {
            (0, rest) => t!("library-books", n = rest),
            (full, 0) => t!("library-full-desks", n = full),
            (full, rest) => {
                t!(
                    "library-desks-and-books",
                    desks = t!("library-full-desks", n = full),
                    books = t!("library-books", n = rest)
                )
            }
        }
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
}
