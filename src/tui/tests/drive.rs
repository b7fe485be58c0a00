//! A tutor without a terminal: a model, a store in memory, and the fixture course.

use crate::course::CourseSource;
use crate::mastery::Store;
use crate::tui::app::{Model, Msg, update, view};
use crate::tui::effect::Effect;
use crate::tui::runtime::{self, world};
use crate::tui::snapshot;
use crate::tui::theme::Theme;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use std::collections::VecDeque;
use std::path::Path;
use unicode_width::UnicodeWidthStr;

/// A tutor that is driven by a test.
pub(in crate::tui) struct Driver {
    pub(in crate::tui) model: Model,
    pub(in crate::tui) store: Store,
    /// Effects that a store cannot carry out, in order.
    pub(in crate::tui) wished: Vec<Effect>,
}

impl Driver {
    /// The fixture course at a size.
    pub(in crate::tui) fn new((width, height): (u16, u16)) -> Self {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/course");
        let mut driver = Self::of(&CourseSource::Directory(fixture), (width, height));
        // Recorded times come and go with the assets; the screens' tests must not depend on them.
        driver.model.world.shares = [("first", 0.0099, 0.119), ("second", 0.18, 0.18)]
            .map(|(level, low, high)| (level.to_owned(), crate::tui::world::Share { low, high }))
            .into();
        let rung = |(level, kernel, share): (usize, &str, f64)| crate::tui::world::Rung {
            level,
            kernel: kernel.to_owned(),
            elements: crate::kernels::Elements::F32,
            share,
            cublas_ms: 3.0,
        };
        driver.model.world.ladder =
            [(0, "naive", 0.0099), (0, "coalesced", 0.119), (1, "tiled", 0.18)].map(rung).into();
        driver.model.world.shares_at = Some(4096);
        driver.model.world.recorded_on = Some("H200".into());
        driver
    }

    /// Any course at a size.
    pub(in crate::tui) fn of(source: &CourseSource, (width, height): (u16, u16)) -> Self {
        let mut store = Store::in_memory().unwrap();
        let mut world = world(source, "en");
        world.learn(store.known(&world.course.id).unwrap());
        let model = Model::new(world, Theme::named("mono").unwrap(), false, Size { width, height });
        let mut driver = Self { model, store, wished: Vec::new() };
        driver.draw();
        driver
    }

    /// Sends a message and carries out what comes of it.
    pub(in crate::tui) fn send(&mut self, msg: Msg) {
        let mut msgs = VecDeque::from([msg]);
        while let Some(msg) = msgs.pop_front() {
            for effect in update(&mut self.model, msg) {
                match effect {
                    Effect::Keep(keep) => {
                        msgs.extend(runtime::keep(&mut self.store, &self.model.world.course, &keep));
                    }
                    other => self.wished.push(other),
                }
            }
        }
    }

    /// Presses keys: one character each, or a name in angle brackets, e.g. `<Enter>` or `<C-c>`.
    pub(in crate::tui) fn press(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let event = match rest.strip_prefix('<').and_then(|tail| tail.split_once('>')) {
                Some((name, tail)) => {
                    rest = tail;
                    named(name)
                }
                None => {
                    rest = &rest[first.len_utf8()..];
                    KeyEvent::new(KeyCode::Char(first), KeyModifiers::NONE)
                }
            };
            self.send(Msg::Key(event));
            self.draw();
        }
        self
    }

    /// Clicks the first place where the text stands.
    pub(in crate::tui) fn click(&mut self, text: &str) -> &mut Self {
        let screen = self.text();
        let (y, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
        let x = line[..line.find(text).unwrap()].width();
        self.send(Msg::Click { x: x as u16, y: y as u16 });
        self.draw();
        self
    }

    fn buffer(&mut self) -> ratatui::buffer::Buffer {
        let Size { width, height } = self.model.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut hits = Vec::new();
        terminal.draw(|frame| hits = view(&self.model, frame)).unwrap();
        self.model.hits = hits;
        terminal.backend().buffer().clone()
    }

    pub(in crate::tui) fn draw(&mut self) {
        self.buffer();
    }

    /// What is on the screen.
    pub(in crate::tui) fn text(&mut self) -> String {
        snapshot::text(&self.buffer())
    }

    /// Its styles, as runs: `row: from-to style`.
    pub(in crate::tui) fn styles(&mut self) -> String {
        snapshot::styles(&self.buffer())
    }
}

/// The fixture course in the terminal that most have.
pub(in crate::tui) fn driver() -> Driver {
    Driver::new((80, 24))
}

fn named(name: &str) -> KeyEvent {
    let plain = |code| KeyEvent::new(code, KeyModifiers::NONE);
    match name {
        "Enter" => plain(KeyCode::Enter),
        "Esc" => plain(KeyCode::Esc),
        "Tab" => plain(KeyCode::Tab),
        "Left" => plain(KeyCode::Left),
        "Right" => plain(KeyCode::Right),
        "Up" => plain(KeyCode::Up),
        "Down" => plain(KeyCode::Down),
        "PageDown" => plain(KeyCode::PageDown),
        "PageUp" => plain(KeyCode::PageUp),
        "Home" => plain(KeyCode::Home),
        "End" => plain(KeyCode::End),
        "Backspace" => plain(KeyCode::Backspace),
        "F1" => plain(KeyCode::F(1)),
        "F2" => plain(KeyCode::F(2)),
        other => match other.strip_prefix("C-").and_then(|c| c.chars().next()) {
            Some(c) => KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL),
            None => panic!("no key is called {other}"),
        },
    }
}
