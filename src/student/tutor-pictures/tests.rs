//! Checks what every picture promises, in each state of `states.txt`.

use super::checks::{at_every_size, estimate, flowing, keeps_its_word, kept, press, screen, setting, witness};
use crate::prelude::*;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::Duration;
use tutor_course::Show;
use ui_kit::action::TABLE;

/// A line of `states.txt`.
struct State {
    page: &'static str,
    steps: &'static str,
    words: Vec<&'static str>,
    name: &'static str,
}

static STATES: LazyLock<Vec<State>> = LazyLock::new(|| {
    let lines = include_str!("states.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let state = |line: &'static str| {
        let mut parts = line.split('|').map(str::trim);
        let mut part = || parts.next().unwrap_or_default();
        let (page, steps, words, name) = (part(), part(), part(), part());
        State { page, steps, words: words.split("; ").filter(|word| !word.is_empty()).collect(), name }
    };
    lines.map(state).collect()
});

fn step(picture: &mut dyn Picture, now: &mut Duration, step: &str) {
    let mut tick = |picture: &mut dyn Picture| {
        *now += Duration::from_secs(1);
        picture.tick(*now);
    };
    if let Some(text) = step.strip_prefix('\'') {
        return press(picture, &text.replace('_', " "));
    }
    if let Some((x, y)) = step.strip_prefix('@').and_then(|cell| cell.split_once(',')) {
        let at = Position::new(x.parse::<u16>().unwrap() + 2, y.parse::<u16>().unwrap() + 1);
        picture.click(at, Rect::new(2, 1, 80, 24));
        return;
    }
    let (name, times) = step.split_once('*').unwrap_or((step, "1"));
    for _ in 0..times.parse().unwrap() {
        match name {
            "Tick" => tick(picture),
            "Ask" => {
                let reply = match &picture.focus()[..] {
                    [Effect::Witness(request)] => witness(request),
                    [Effect::Launch(request)] => estimate(request),
                    _ => panic!("it asks for nothing"),
                };
                assert!(picture.reply(&reply));
            }
            "Play!" => {
                picture.act(Action::Play);
                while picture.animating() {
                    tick(picture);
                }
            }
            _ => {
                let action = TABLE.iter().map(|entry| entry.action).find(|action| format!("{action:?}") == name);
                picture.act(action.unwrap_or_else(|| panic!("{name} is no action")));
                picture.finish_animation();
            }
        }
    }
}

impl State {
    fn picture(&self) -> Box<dyn Picture> {
        let show: Result<Show, _> = tutor_support::yaml::read_typed(self.page);
        let show = show.unwrap_or_else(|error| panic!("{}: {error}", self.page));
        let mut picture = super::picture(&show, setting()).unwrap();
        let mut now = Duration::ZERO;
        self.steps.split_whitespace().for_each(|one| step(&mut *picture, &mut now, one));
        picture
    }

    fn kind(&self) -> &str {
        self.page.split(':').next().unwrap_or_default()
    }
}

#[test]
fn every_picture_has_a_state() {
    let kinds: BTreeSet<&str> = STATES.iter().map(State::kind).collect();
    let schema: serde_json::Value = serde_json::from_str(include_str!("../../../assets/schema/lesson.json")).unwrap();
    let shows = schema["definitions"]["Show"]["oneOf"].as_array().unwrap().iter();
    let names =
        shows.map(|show| show["required"][0].as_str().unwrap()).filter(|name| !["code", "exercise"].contains(name));
    assert_eq!(kinds, names.collect());
}

#[test]
fn every_listed_action_does_something_and_no_other_does() {
    for state in STATES.iter() {
        keeps_its_word(&format!("{} {}", state.page, state.steps), &|| state.picture());
    }
}

#[test]
fn every_state_is_drawn_at_every_size_and_matches_its_snapshot() {
    let mut seen = BTreeSet::new();
    for state in STATES.iter() {
        let picture = state.picture();
        at_every_size(&*picture);
        if !state.name.is_empty() {
            let first = seen.insert(state.kind());
            insta::assert_snapshot!(state.name, if first { kept(&*picture) } else { screen(&*picture, (116, 30)) });
        }
    }
}

#[test]
fn every_state_shows_its_words_at_its_minimum_height() {
    for state in STATES.iter().filter(|state| !state.words.is_empty()) {
        let picture = state.picture();
        let text = picture.describe().join(" ");
        for words in state.words.iter().filter_map(|words| words.strip_prefix('~')) {
            let State { page, steps, .. } = state;
            assert!(text.contains(words), "{words:?} is not in the description of {page} {steps}:\n{text}");
        }
        for width in [58, 62, 68, 76, 116] {
            let size = (width, picture.min_height(width));
            let drawing = flowing(&*picture, size);
            for words in state.words.iter().filter(|words| !words.starts_with('~')) {
                let absent = words.strip_prefix('!');
                let found = drawing.contains(absent.unwrap_or(words));
                let State { page, steps, .. } = state;
                let shown = screen(&*picture, size);
                assert!(found == absent.is_none(), "{words:?} at {size:?} in {page} {steps}:\n{shown}");
            }
        }
    }
}
