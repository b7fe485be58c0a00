//! Every screen and every key: what is listed does something, what is not does nothing, no key has two meanings, and
//! what the last line shows can be clicked.

use super::drive::Driver;
use crate::course::{CourseSource, Show};
use crate::mastery::{AttemptKind, Outline, Store};
use crate::tui::action::{Action, Key, TABLE, reaching};
use crate::tui::app::{Msg, Screen};
use crate::tui::screens::Hit;
use crate::tui::screens::map::Map;
use crate::tui::theme::Theme;
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
        driver.model.theme = Theme::named("mono").unwrap();
        driver.model.asked.clear();
        if let Some((level, page)) = place.page {
            driver.open_page(level, page);
        }
        if let Some(kind) = place.attempt {
            let course = std::sync::Arc::clone(&driver.model.world.course);
            let quiz = course.levels[0].quiz().unwrap();
            let begun = driver.store.begin(&Outline::from(&*course), quiz, kind, Some(7)).unwrap();
            driver.send(Msg::Begun(Box::new(begun)));
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
    /// An attempt at the first level's quiz, with the same questions each time.
    attempt: Option<AttemptKind>,
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
    let mut place = |name: &str, page, keys| places.push(Place { name: name.to_owned(), page, attempt: None, keys });
    place("map", None, "");
    place("map, last level", None, "<Down>");
    place("simulator from the map", None, "b");
    for page in 0..6 {
        for keys in ["", "a", "a<Enter>", "s", "<Enter>", "<Tab>", "n"] {
            place(&format!("page {} after `{keys}`", page + 1), Some((0, page)), keys);
        }
    }
    place("gate asked for", None, "g");
    for (name, kind) in [("gate", AttemptKind::Gate), ("practice", AttemptKind::Practice)] {
        for question in
            ["", "<C-n>", "<C-n><C-n>", "<C-n><C-n><C-n>", "<C-n><C-n><C-n><C-n>", "<C-n><C-n><C-n><C-n><C-n>"]
        {
            for answer in ["", "a", "a<Enter>"] {
                places.push(Place {
                    name: format!("{name} after `{question}{answer}`"),
                    page: None,
                    attempt: Some(kind),
                    keys: Box::leak(format!("{question}{answer}").into_boxed_str()),
                });
            }
        }
        for keys in ["<C-o>", "<C-o>S", "<C-o>SS", "<C-o>SSr"] {
            places.push(Place { name: format!("{name} after `{keys}`"), page: None, attempt: Some(kind), keys });
        }
    }
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
    let keys = ["", "a", "a<Enter>", "a<Enter><Tab>", "<Tab><Right>", "a<Enter><Tab>z"];
    let place = |(kind, page): (&String, &(usize, usize)), keys: &'static str| Place {
        name: format!("{kind} {}.{} after `{keys}`", page.0 + 1, page.1 + 1),
        page: Some(*page),
        attempt: None,
        keys,
    };
    kinds.iter().flat_map(|kind| keys.map(|keys| place(kind, keys))).collect()
}

/// Keys that some action has, and some that none has.
fn all_keys() -> Vec<Key> {
    let mut keys: Vec<Key> = "iyuUQ~_4".chars().map(Key::Char).collect();
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
        let before = noticed(stage.set(place));
        for key in all_keys() {
            let means =
                (0..listed.len()).find(|at| reaching(&listed, *at, editing).contains(&key)).map(|at| listed[at]);
            if editing && means.is_none() {
                continue;
            }
            let driver = stage.set(place);
            driver.send(Msg::Key(key.event()));
            let after = noticed(driver);
            match means {
                // What is selected already can be selected again; an answer that was refused is refused again.
                Some(Action::Choose(_)) if after == before => {}
                Some(Action::Answer) if after == before && editing => {}
                Some(action) if after == before => {
                    wrong.push(format!("{}: {action:?} is listed and {key:?} does nothing", place.name));
                }
                None if after != before => {
                    wrong.push(format!("{}: {key:?} is not listed and does something", place.name));
                }
                _ => {}
            }
        }
    }
}

fn clicks(stage: &mut Stage, places: &[Place], wrong: &mut Vec<String>) {
    for place in places {
        let driver = stage.set(place);
        driver.text();
        let hits: Vec<_> = driver
            .model
            .hits
            .iter()
            .filter_map(|(area, hit)| match hit {
                Hit::Action(action) => Some((*area, *action)),
                _ => None,
            })
            .collect();
        let listed = driver.model.actions();
        let editing = driver.model.screen_editing();
        let over = !driver.model.overlays.is_empty();
        if hits.is_empty() {
            wrong.push(format!("{}: nothing in the last line can be clicked", place.name));
        }
        for (area, action) in hits {
            if !over && !listed.contains(&action) {
                wrong.push(format!("{}: {action:?} can be clicked and is not listed", place.name));
                continue;
            }
            let at = listed.iter().position(|listed| *listed == action);
            let reached = at.map_or_else(Vec::new, |at| reaching(&listed, at, editing));
            let Some(key) = reached.first().or(action.entry().keys.first()).copied() else { continue };
            let driver = stage.set(place);
            driver.send(Msg::Key(key.event()));
            let by_key = noticed(driver);
            let driver = stage.set(place);
            driver.text();
            driver.send(Msg::Click { x: area.x, y: area.y });
            let by_click = noticed(driver);
            // A new attempt draws questions of its own.
            let begins = matches!(action, Action::Retry | Action::Practice | Action::Gate | Action::Confirm);
            let begins = begins && matches!(driver.model.screens.last(), Some(Screen::Quiz(_)));
            if by_key != by_click && !begins {
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
    assert!(places.len() > 50);
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
