//! Every screen and every key. Listed keys do something, other keys do nothing, and no key has two meanings. The keys in the
//! last line can be clicked.

use super::drive::{Driver, driver, long};
use crate::app::{EVERYWHERE, Overlay};
use crate::prelude::*;
use ratatui::buffer::Buffer;
use std::collections::BTreeMap;
use std::time::Duration;
use tutor_progress::{AttemptKind, Outline, Store};
use ui_kit::action::{Key, TABLE, find, reaching};
use ui_kit::theme::Theme;

/// Returns the data of a driver with every level unlocked.
fn open(driver: Driver) -> AppData {
    let mut data = driver.model.data;
    for level in &mut data.progress.levels {
        (level.locked, level.unlocked_by) = (false, None);
    }
    data
}

/// Returns a driver at a scene: starts on the map, opens the page if there is one, then presses the keys.
fn at(data: &AppData, place: &Scene) -> Driver {
    let size = Size { width: 80, height: 24 };
    let model = Model::new(data.clone(), Theme::named("mono").unwrap(), false, size);
    let mut driver = Driver { model, store: Store::in_memory().unwrap(), pending: Vec::new() };
    if let Some((level, page)) = place.page {
        driver.open_page(level, page);
    }
    if let Some(kind) = place.attempt {
        let course = std::sync::Arc::clone(&driver.model.data.course);
        let quiz = course.levels[0].quiz().unwrap();
        let begun = driver.store.begin(&Outline::from(&*course), quiz, kind, Some(7)).unwrap();
        driver.send(Msg::Begun(Box::new(begun)));
    }
    driver.press(&place.keys);
    // Lets everything that ends by itself end: messages and animations.
    driver.model.message = None;
    for seconds in 1..=4 {
        driver.send(Input::Tick(Duration::from_secs(seconds)));
    }
    driver.pending.clear();
    driver
}

#[derive(Debug, Clone)]
struct Scene {
    name: String,
    page: Option<(usize, usize)>,
    /// An attempt at the first level's quiz, always with the same questions.
    attempt: Option<AttemptKind>,
    keys: String,
}

/// Everything that a student could notice: the screen with its colours, and the result of [`beside`].
type Noticed = (Buffer, Beside);
/// Number of screens, overlays, actions, whether the model needs ticks, and effects for the runtime.
type Beside = (usize, Vec<Overlay>, Vec<Action>, bool, Vec<Effect>);

fn beside(driver: &Driver) -> Beside {
    let model = &driver.model;
    (model.screens.len(), model.overlays.clone(), model.actions(), model.wants_ticks(), driver.pending.clone())
}

fn noticed(driver: &mut Driver) -> Noticed {
    (driver.buffer(), beside(driver))
}

/// Returns scenes of the fixture course: map, every page before and after its answer, every kind of question, every overlay.
fn small() -> Vec<Scene> {
    let mut places = Vec::new();
    let mut place = |name: &str, page, keys: &str| {
        places.push(Scene { name: name.to_owned(), page, attempt: None, keys: keys.to_owned() });
    };
    place("map", None, "");
    place("map, last level", None, "<Down>");
    place("simulator from the map", None, "b");
    for page in 0..6 {
        for keys in ["", "a", "a<Enter>", "ss", "<Enter>", "<Tab>", "n"] {
            place(&format!("page {} after `{keys}`", page + 1), Some((0, page)), keys);
        }
    }
    place("gate asked for", None, "g");
    for (name, kind) in [("gate", AttemptKind::Gate), ("practice", AttemptKind::Practice)] {
        let kinds = (0..6).flat_map(|at| ["", "a", "a<Enter>"].map(|answer| "<C-n>".repeat(at) + answer));
        let review = ["<C-r>", "<C-r>S", "<C-r>SS", "<C-r>SSr"].map(str::to_owned);
        places.extend(kinds.chain(review).map(|keys| Scene {
            name: format!("{name} after `{keys}`"),
            page: None,
            attempt: Some(kind),
            keys,
        }));
    }
    places
}

/// Returns scenes of the built-in course.
///
/// There is one page for each kind of picture, with the picture in use and zoomed. There is one page for each combination of
/// questions, before, during and after the answer. The long version tries all keys on a page for each pair of these kinds.
fn real(data: &AppData) -> Vec<Scene> {
    let mut shows: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut asks: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut pairs: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (level, content) in data.course.levels.iter().enumerate() {
        for (at, page) in pages(content).iter().enumerate() {
            let debug = page.show.as_ref().map_or_else(String::new, |show| format!("{show:?}"));
            let show = debug.split('(').next().unwrap_or_default().to_owned();
            let asked = format!("{:?}", (page.predict.is_some(), !page.recall.is_empty(), page.why.is_some()));
            pairs.entry(format!("{show} {asked}")).or_insert((level, at));
            shows.entry(show).or_insert((level, at));
            asks.entry(asked).or_insert((level, at));
        }
    }
    let used = ["a<Enter><Tab>", "a<Enter><Tab>z"];
    let answered = ["", "a", "a<Enter>", "<Tab><Right>"];
    let places = |pages: &BTreeMap<String, (usize, usize)>, keys: &[&str]| -> Vec<Scene> {
        let place = |kind: &String, page: &(usize, usize), keys: &str| Scene {
            name: format!("{kind} {}.{} after `{keys}`", page.0 + 1, page.1 + 1),
            page: Some(*page),
            attempt: None,
            keys: keys.to_owned(),
        };
        pages.iter().flat_map(|(kind, page)| keys.iter().map(move |keys| place(kind, page, keys))).collect()
    };
    if long() {
        return places(&pairs, &[&answered[..], &used].concat());
    }
    let mut all = places(&shows, &used);
    all.extend(places(&asks, &answered));
    let question =
        |keys: &str| Scene { name: format!("map, `{keys}`"), page: None, attempt: None, keys: keys.to_owned() };
    all.extend(["i", "ia", "ib"].map(question));
    all
}

/// Returns all keys of actions, and some keys without an action.
fn all_keys() -> Vec<Key> {
    let mut keys: Vec<Key> = "iyuUQ~_4".chars().map(Key::Char).collect();
    for key in TABLE.iter().flat_map(|entry| entry.keys) {
        if !keys.contains(key) {
            keys.push(*key);
        }
    }
    keys
}

/// Number of groups into which keys without an action are divided.
const GROUPS: usize = 4;

/// Checks a scene, which `set` creates again for each try: each listed key does something, no other key does anything, and no
/// key has two meanings. Actions that work everywhere are tried if `everywhere` is true, or if a field may take their keys.
pub(super) fn check_keys(name: &str, set: &dyn Fn() -> Driver, everywhere: bool, wrong: &mut Vec<String>) {
    let mut driver = set();
    // Overlays have their own keys, and their text fields take letters.
    if !driver.model.overlays.is_empty() {
        return;
    }
    let editing = driver.model.screen_editing();
    let listed = driver.model.actions();
    for (at, action) in listed.iter().enumerate() {
        for key in action.entry().keys {
            if let Some(other) = listed[..at].iter().find(|other| other.entry().keys.contains(key)) {
                wrong.push(format!("{name}: {key:?} means {other:?} and {action:?}"));
            }
        }
    }
    let means = |key: &Key| (0..listed.len()).find(|at| reaching(&listed, *at, editing).contains(key));
    let keys = all_keys();
    let before = noticed(&mut driver);
    // Keys without an action change nothing, so several are pressed before one look at the screen. Keys that might undo each
    // other are neighbours in the table, so they are put into different groups.
    let idle: Vec<&Key> = keys.iter().filter(|key| !editing && means(key).is_none()).collect();
    for group in 0..GROUPS {
        let mut group = idle.iter().skip(group).step_by(GROUPS);
        let pressed = |driver: &mut Driver, key: &Key| {
            driver.send(Input::Key(key.event()));
            // It may say why it does nothing.
            driver.model.message = None;
            beside(driver) != before.1
        };
        let found = group.clone().find(|key| pressed(&mut driver, key)).copied();
        if found.is_none() && noticed(&mut driver) == before {
            continue;
        }
        let works = |key: &&&Key| {
            driver = set();
            pressed(&mut driver, key) || noticed(&mut driver) != before
        };
        let which = found.or_else(|| group.find(works).copied());
        wrong.push(format!("{name}: {which:?} is not listed and does something"));
        driver = set();
    }
    for (at, action) in listed.iter().enumerate() {
        let reached = reaching(&listed, at, editing);
        for key in reached.iter().filter(|_| !editing) {
            let found = find(&listed, key.event());
            if found != Some(*action) {
                wrong.push(format!("{name}: {key:?} should mean {action:?} and means {found:?}"));
            }
        }
        // The alternative keys of an action behave in the same way, except that a text field may take any of them.
        let tried = match editing {
            true => reached.len(),
            false => usize::from(everywhere || long() || !EVERYWHERE.contains(action)),
        };
        for key in reached.iter().take(tried) {
            let mut driver = set();
            driver.send(Input::Key(key.event()));
            // Selecting the selected choice, or giving a refused answer again, changes nothing.
            let again = matches!(action, Action::Choose(_)) || *action == Action::Answer && editing;
            if noticed(&mut driver) == before && !again {
                wrong.push(format!("{name}: {action:?} is listed and {key:?} does nothing"));
            }
        }
    }
}

/// Checks that a click on a key in the last line acts like the key. Tries each action once with and once without a text field.
fn clicks(data: &AppData, places: &[Scene], wrong: &mut Vec<String>) {
    let mut clicked = Vec::new();
    for place in places {
        let mut driver = at(data, place);
        driver.buffer();
        let hits = driver.model.hits.iter();
        let hits: Vec<_> = hits
            .filter_map(|(area, hit)| if let Hit::Action(action) = hit { Some((*area, *action)) } else { None })
            .collect();
        let listed = driver.model.actions();
        let editing = driver.model.screen_editing();
        let over = driver.model.overlay();
        if hits.is_empty() {
            wrong.push(format!("{}: nothing in the last line can be clicked", place.name));
        }
        for (area, action) in hits {
            if over.is_none() && !listed.contains(&action) {
                wrong.push(format!("{}: {action:?} can be clicked and is not listed", place.name));
                continue;
            }
            if clicked.contains(&(action, editing, over)) && !long() {
                continue;
            }
            clicked.push((action, editing, over));
            let index = listed.iter().position(|listed| *listed == action);
            let reached = index.map_or_else(Vec::new, |index| reaching(&listed, index, editing));
            let Some(key) = reached.first().or(action.entry().keys.first()).copied() else { continue };
            let mut driver = at(data, place);
            driver.send(Input::Key(key.event()));
            let by_key = noticed(&mut driver);
            let mut driver = at(data, place);
            driver.buffer();
            driver.send(Input::Click { x: area.x, y: area.y });
            let by_click = noticed(&mut driver);
            // A new attempt draws other questions.
            let begins = matches!(action, Action::Retry | Action::Practice | Action::Gate | Action::Confirm);
            let begins = begins && matches!(driver.model.screens.last(), Some(Screen::Quiz(_)));
            if by_key != by_click && !begins {
                wrong.push(format!("{}: a click on {action:?} does not do what {key:?} does", place.name));
            }
        }
    }
}

fn nothing_is(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn check_all(data: &AppData, places: &[Scene]) {
    let mut wrong = Vec::new();
    for place in places {
        check_keys(&place.name, &|| at(data, place), place.keys.is_empty(), &mut wrong);
    }
    nothing_is(&wrong);
}

#[test]
fn on_every_screen_a_key_is_listed_exactly_if_it_does_something_and_has_one_meaning() {
    check_all(&open(driver()), &small());
}

#[test]
fn on_every_kind_of_page_a_key_is_listed_exactly_if_it_does_something_and_has_one_meaning() {
    let data = Driver::all_open((80, 24)).model.data;
    let places = real(&data);
    assert!(places.len() > 50);
    check_all(&data, &places);
}

#[test]
fn what_the_last_line_shows_can_be_clicked() {
    let mut wrong = Vec::new();
    clicks(&open(driver()), &small(), &mut wrong);
    nothing_is(&wrong);
}
