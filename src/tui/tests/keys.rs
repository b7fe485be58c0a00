//! Every screen and every key: what is listed does something, what is not does nothing, no key has two meanings, and
//! what the last line shows can be clicked.

use super::drive::Driver;
use crate::course::{CourseSource, Show};
use crate::mastery::Store;
use crate::tui::action::{Action, Key, TABLE};
use crate::tui::app::{Msg, Screen};
use crate::tui::screens::Hit;
use crate::tui::screens::map::Map;
use crate::tui::world::{World, pages};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// A tutor that can be put back to a place, again and again.
struct Stage {
    driver: Driver,
    world: World,
}

impl Stage {
    fn new(source: &CourseSource, size: (u16, u16)) -> Self {
        let mut driver = Driver::of(source, size);
        for level in &mut driver.model.world.progress.levels {
            (level.locked, level.unlocked_by) = (false, None);
        }
        let world = driver.model.world.clone();
        Self { driver, world }
    }

    /// Back to the map, nothing answered, then to the page if there is one, then some keys.
    fn set(&mut self, place: &Place) -> &mut Driver {
        let driver = &mut self.driver;
        driver.store = Store::in_memory().unwrap();
        driver.model.world = self.world.clone();
        driver.model.screens = vec![Screen::Map(Map::new(&driver.model.world))];
        driver.model.overlays.clear();
        (driver.model.message, driver.model.job) = (None, None);
        if let Some((level, page)) = place.page {
            driver.open_page(level, page);
        }
        driver.press(place.keys);
        // What passes by itself is over: messages, and pictures that move.
        driver.model.message = None;
        for seconds in 1..=4 {
            driver.send(Msg::Tick(driver.model.now + Duration::from_secs(seconds)));
        }
        driver.wished.clear();
        driver
    }
}

#[derive(Debug, Clone)]
struct Place {
    name: String,
    page: Option<(usize, usize)>,
    keys: &'static str,
}

/// What a student could notice: the screen, its colours, what lies over it, and what was asked of the world outside.
fn noticed(driver: &mut Driver) -> String {
    let over = (driver.model.screens.len(), driver.model.overlays.clone(), driver.model.wants_ticks());
    format!("{}\n{}\n{over:?}\n{:?}", driver.text(), driver.styles(), driver.wished)
}

/// Places of the fixture course: map, every page before and after its answer, every kind of question, every overlay.
fn small() -> Vec<Place> {
    let mut places = Vec::new();
    let mut place = |name: &str, page, keys| places.push(Place { name: name.to_owned(), page, keys });
    place("map", None, "");
    place("map, last level", None, "<Down>");
    place("simulator from the map", None, "b");
    for page in 0..6 {
        for keys in ["", "a", "a<Enter>", "s", "<Enter>", "<Tab>", "n"] {
            place(&format!("page {} after `{keys}`", page + 1), Some((0, page)), keys);
        }
    }
    place("gate asked for", None, "g");
    for keys in ["g<Enter>", "g<Enter>a", "g<Enter><C-n>", "g<Enter><C-n><C-n>", "g<Enter><C-n><C-n><C-n>"] {
        place(&format!("gate after `{keys}`"), None, keys);
    }
    place("gate, question 5", None, "g<Enter><C-n><C-n><C-n><C-n>");
    place("gate, question 6", None, "g<Enter><C-n><C-n><C-n><C-n><C-n>");
    place("gate, review", None, "g<Enter><C-o>");
    place("gate, review, warned", None, "g<Enter><C-o>S");
    place("gate, handed in", None, "g<Enter><C-o>SS");
    place("practice", None, "P");
    places
}

/// A page of the real course for every kind of picture, with and without a prediction, before and after it.
fn real(world: &World) -> Vec<Place> {
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (level, content) in world.course.levels.iter().enumerate() {
        for (at, page) in pages(content).iter().enumerate() {
            let show = match &page.show {
                None => "text".to_owned(),
                Some(Show::Code(_)) => "code".to_owned(),
                Some(show) => {
                    let debug = format!("{show:?}");
                    debug.split(['(', ' ', '{']).next().unwrap().to_owned()
                }
            };
            let asks = [("", page.predict.is_some()), ("recall", !page.recall.is_empty())];
            let asks: Vec<&str> = asks.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
            kinds.entry(format!("{show} {asks:?}")).or_insert((level, at));
        }
    }
    let keys = ["", "a", "a<Enter>", "a<Enter><Tab>", "<Tab>", "<Tab><Right>", "a<Enter><Tab><Right>", "a<Enter><Tab>z"];
    let place = |(kind, page): (&String, &(usize, usize)), keys: &'static str| Place {
        name: format!("{kind} {}.{} after `{keys}`", page.0 + 1, page.1 + 1),
        page: Some(*page),
        keys,
    };
    kinds.iter().flat_map(|kind| keys.map(|keys| place(kind, keys))).collect()
}

/// Keys that any keyboard has and any action could have.
fn all_keys() -> Vec<Key> {
    let mut keys: Vec<Key> = (' '..='~').map(Key::Char).collect();
    for key in TABLE.iter().flat_map(|entry| entry.keys) {
        if !keys.contains(key) {
            keys.push(*key);
        }
    }
    keys
}

fn walk(stage: &mut Stage, places: &[Place], wrong: &mut Vec<String>) {
    for place in places {
        let driver = stage.set(place);
        // Lists over a screen take keys of their own; a field takes what is typed.
        if !driver.model.overlays.is_empty() {
            continue;
        }
        let editing = driver.model.screen_editing();
        let listed = driver.model.actions();
        for (at, action) in listed.iter().enumerate() {
            for key in action.entry().keys {
                if let Some(other) = listed[..at].iter().find(|other| other.entry().keys.contains(key)) {
                    wrong.push(format!("{}: {key:?} means {other:?} and {action:?}", place.name));
                }
            }
        }
        let typed = |key: Key| editing && !matches!(key, Key::Ctrl(_)) && !crate::tui::action::reaching(&listed, 0, false).contains(&key);
        let before = noticed(stage.set(place));
        for key in all_keys() {
            let means = listed.iter().find(|action| action.entry().keys.contains(&key));
            if editing && (means.is_none() || typed(key)) {
                continue;
            }
            let driver = stage.set(place);
            driver.send(Msg::Key(key.event()));
            let after = noticed(driver);
            match means {
                Some(action) if after == before => {
                    wrong.push(format!("{}: {action:?} is listed and {key:?} does nothing", place.name));
                }
                None if after != before => wrong.push(format!("{}: {key:?} is not listed and does something", place.name)),
                _ => {}
            }
        }
    }
}

fn clicks(stage: &mut Stage, places: &[Place], wrong: &mut Vec<String>) {
    for place in places {
        let driver = stage.set(place);
        driver.text();
        let hits: Vec<_> = driver.model.hits.iter().filter_map(|(area, hit)| match hit {
            Hit::Action(action) => Some((*area, *action)),
            _ => None,
        }).collect();
        let listed = driver.model.actions();
        let over = !driver.model.overlays.is_empty();
        if hits.is_empty() {
            wrong.push(format!("{}: nothing in the last line can be clicked", place.name));
        }
        for (area, action) in hits {
            if !over && !listed.contains(&action) {
                wrong.push(format!("{}: {action:?} can be clicked and is not listed", place.name));
                continue;
            }
            let Some(key) = action.entry().keys.first().copied() else { continue };
            let driver = stage.set(place);
            driver.send(Msg::Key(key.event()));
            let by_key = noticed(driver);
            let driver = stage.set(place);
            driver.text();
            driver.send(Msg::Click { x: area.x, y: area.y });
            let by_click = noticed(driver);
            // A field has the letters; a click still does what it says.
            if by_key != by_click && !driver.model.screen_editing() {
                wrong.push(format!("{}: a click on {action:?} does not do what {key:?} does", place.name));
            }
        }
    }
}

fn told(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn fixture() -> Stage {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/course");
    Stage::new(&CourseSource::Directory(fixture), (80, 24))
}

#[test]
fn on_every_screen_a_key_is_listed_exactly_if_it_does_something_and_has_one_meaning() {
    let mut wrong = Vec::new();
    walk(&mut fixture(), &small(), &mut wrong);
    told(&wrong);
}

#[test]
fn on_every_kind_of_page_a_key_is_listed_exactly_if_it_does_something_and_has_one_meaning() {
    let mut stage = Stage::new(&CourseSource::BuiltIn, (80, 24));
    let places = real(&stage.world);
    assert!(places.len() > 60);
    let mut wrong = Vec::new();
    walk(&mut stage, &places, &mut wrong);
    told(&wrong);
}

#[test]
fn what_the_last_line_shows_can_be_clicked() {
    let mut wrong = Vec::new();
    clicks(&mut fixture(), &small(), &mut wrong);
    told(&wrong);
}

#[test]
fn letters_that_answer_are_no_commands() {
    let mut stage = fixture();
    for place in small() {
        let listed = stage.set(&place).model.actions();
        let letters = (0..8).map(Action::Choose).filter(|action| listed.contains(action));
        for key in letters.flat_map(|action| action.entry().keys) {
            let others = listed.iter().filter(|action| !matches!(action, Action::Choose(_)));
            assert!(others.clone().all(|action| !action.entry().keys.contains(key)), "{}: {key:?}", place.name);
        }
    }
}
