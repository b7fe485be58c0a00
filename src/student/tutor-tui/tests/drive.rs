//! A tutor without a terminal, for tests: a model, a store in memory, and the fixture course.

use crate::app::{update, view};
use crate::host::{Host, carry_out};
use crate::loading::load_data;
use crate::prelude::*;
use crate::screens::lesson::Lesson;
use crate::screens::quiz::Quiz;
use crate::storing;
use ratatui::Terminal;
use ratatui::backend::{Backend, TestBackend};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::path::Path;
use std::sync::LazyLock;
use tutor_course::CourseSource;
use tutor_progress::{AttemptKind, Store};
use ui_kit::keys::{KeyCode, KeyModifiers};
use ui_kit::snapshot;
use ui_kit::theme::Theme;

/// A tutor that is driven by a test.
pub(crate) struct Driver {
    pub(crate) model: Model,
    pub(crate) store: Store,
    /// Effects that only the runtime could carry out, in order.
    pub(crate) pending: Vec<Effect>,
}

impl Driver {
    /// Opens the fixture course in a terminal of this size.
    pub(crate) fn new((width, height): (u16, u16)) -> Self {
        let mut driver = Self::of(&fixture(), (width, height));
        // The tests of the screens must not depend on the recorded times in the assets.
        driver.model.data.shares = [("first", 0.0099, 0.119), ("second", 0.18, 0.18)]
            .map(|(level, low, high)| (level.to_owned(), crate::app_data::Share { low, high }))
            .into();
        let rung = |(level, kernel, share): (usize, &str, f64)| crate::app_data::Rung {
            level,
            kernel: kernel.to_owned(),
            elements: tutor_kernels::Elements::F32,
            share,
            cublas_ms: 3.0,
        };
        driver.model.data.ladder = [(0, "naive", 0.0099), (0, "coalesced", 0.119), (1, "tiled", 0.18)].map(rung).into();
        driver.model.data.shares_at = Some(4096);
        driver.model.data.recorded_on = Some("H200".into());
        driver.model.data.cublas = "cuBLAS default".into();
        driver
    }

    /// Opens a course in a terminal of this size.
    pub(crate) fn of(source: &CourseSource, (width, height): (u16, u16)) -> Self {
        let mut store = Store::in_memory().unwrap();
        let mut data = read(source);
        data.learn(store.known(&data.course.id).unwrap());
        let model = Model::new(data, Theme::named("mono").unwrap(), false, Size { width, height });
        Self { model, store, pending: Vec::new() }
    }

    /// Opens the built-in course with every level unlocked.
    pub(crate) fn all_open(size: (u16, u16)) -> Self {
        let mut driver = Self::of(&CourseSource::BuiltIn, size);
        for level in &mut driver.model.data.progress.levels {
            (level.locked, level.unlocked_by) = (false, None);
        }
        driver
    }

    /// Sends a message and carries out the effects.
    pub(crate) fn send(&mut self, msg: impl Into<Msg>) {
        let mut msgs = VecDeque::from([msg.into()]);
        while let Some(msg) = msgs.pop_front() {
            for effect in update(&mut self.model, msg) {
                if !matches!(effect, Effect::Store(_)) {
                    self.pending.push(effect.clone());
                }
                let Ok(replies) = carry_out(self, effect);
                msgs.extend(replies);
            }
        }
    }

    /// Presses keys: one character each, or a name in angle brackets, e.g. `<Enter>` or `<C-c>`.
    pub(crate) fn press(&mut self, keys: &str) -> &mut Self {
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
            self.send(Input::Key(event));
        }
        self
    }

    /// Clicks the first occurrence of the text on the screen.
    pub(crate) fn click(&mut self, text: &str) -> &mut Self {
        let screen = self.text();
        let (y, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
        let x = line[..line.find(text).unwrap()].width();
        self.send(Input::Click { x: x as u16, y: y as u16 });
        self
    }

    pub(crate) fn buffer(&mut self) -> ratatui::buffer::Buffer {
        self.drawn().backend().buffer().clone()
    }

    /// Returns column and row of the terminal's cursor, if it is visible.
    pub(crate) fn cursor(&mut self) -> Option<(u16, u16)> {
        let mut terminal = self.drawn();
        let at = terminal.backend_mut().get_cursor_position().unwrap();
        terminal.backend().cursor_visible().then_some((at.x, at.y))
    }

    fn drawn(&mut self) -> Terminal<TestBackend> {
        let Size { width, height } = self.model.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut hits = Vec::new();
        terminal.draw(|frame| hits = view(&self.model, frame)).unwrap();
        self.model.hits = hits;
        terminal
    }

    /// True if the last line shows the action.
    pub(crate) fn shows(&mut self, action: Action) -> bool {
        self.draw();
        self.model.hits.iter().any(|(_, hit)| *hit == Hit::Action(action))
    }

    /// Returns the indices of the level and page on the screen.
    pub(crate) fn page(&self) -> Option<(usize, usize)> {
        if let Some(Screen::Lesson(lesson)) = self.model.screen() { Some((lesson.level, lesson.page)) } else { None }
    }

    pub(crate) fn draw(&mut self) {
        self.buffer();
    }

    /// Returns the text on the screen.
    pub(crate) fn text(&mut self) -> String {
        snapshot::text(&self.buffer())
    }

    /// Checks that the screen shows all of these texts.
    #[track_caller]
    pub(crate) fn sees(&mut self, texts: &[&str]) -> &mut Self {
        let screen = self.text();
        texts.iter().for_each(|text| assert!(screen.contains(text), "{text:?} is not shown:\n{screen}"));
        self
    }

    /// Checks that the screen shows none of these texts.
    #[track_caller]
    pub(crate) fn lacks(&mut self, texts: &[&str]) -> &mut Self {
        let screen = self.text();
        texts.iter().for_each(|text| assert!(!screen.contains(text), "{text:?} is shown:\n{screen}"));
        self
    }

    /// Returns the page on the screen.
    #[track_caller]
    pub(crate) fn lesson(&self) -> &Lesson {
        match self.model.screen() {
            Some(Screen::Lesson(lesson)) => lesson,
            other => panic!("no page is shown: {other:?}"),
        }
    }

    /// Returns the quiz on the screen.
    #[track_caller]
    pub(crate) fn quiz(&self) -> &Quiz {
        match self.model.screen() {
            Some(Screen::Quiz(quiz)) => quiz,
            other => panic!("no quiz is shown: {other:?}"),
        }
    }

    /// Returns the kind of attempt and the index of the question on the screen.
    pub(crate) fn question(&self) -> (AttemptKind, usize) {
        (self.quiz().attempt.kind, self.quiz().attempt.position)
    }

    /// Returns the styles on the screen as runs: `row: from-to style`.
    pub(crate) fn styles(&mut self) -> String {
        snapshot::styles(&self.buffer())
    }
}

impl Host for Driver {
    type Error = Infallible;

    fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    fn store(&mut self, request: StoreRequest) -> Vec<Msg> {
        storing::carry_out(&mut self.store, &self.model.data.course, &request).unwrap()
    }
}

/// Returns the text of a snapshot: text and dark styles at 80×24 and, on request, the text at two other sizes.
pub(crate) fn portrait(at_every_size: bool, reach: impl Fn((u16, u16)) -> Driver) -> String {
    let mut driver = reach((80, 24));
    driver.model.theme = Theme::named("dark").unwrap();
    let mut shown = format!("80×24\n{}\n-- dark\n{}", driver.text().trim_end(), driver.styles());
    for size in [(60, 18), (120, 40)].into_iter().filter(|_| at_every_size) {
        shown.push_str(&format!("\n{}×{}\n{}\n", size.0, size.1, reach(size).text().trim_end()));
    }
    shown
}

/// Returns the small course of the tests.
pub(crate) fn fixture() -> CourseSource {
    CourseSource::Directory(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/course"))
}

/// Returns a copy of the small course that a test may change.
pub(crate) fn fixture_copy() -> (tempfile::TempDir, CourseSource) {
    let dir = tempfile::tempdir().unwrap();
    copy(fixture().directory().unwrap(), dir.path());
    let source = CourseSource::Directory(dir.path().to_owned());
    (dir, source)
}

pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() { copy(&entry.path(), &to) } else { assert!(std::fs::copy(entry.path(), to).is_ok()) }
    }
}

/// Reads a course. Courses that many tests share are read once per process.
fn read(source: &CourseSource) -> AppData {
    static BUILT_IN: LazyLock<AppData> = LazyLock::new(|| load_data(&CourseSource::BuiltIn, "en"));
    static FIXTURE: LazyLock<AppData> = LazyLock::new(|| load_data(&fixture(), "en"));
    match source {
        CourseSource::BuiltIn => BUILT_IN.clone(),
        source if *source == fixture() => FIXTURE.clone(),
        source => load_data(source, "en"),
    }
}

/// True if tests run their long version: every case instead of one case of each kind.
pub(crate) fn long() -> bool {
    std::env::var_os("MATMUL_TUTOR_LONG_TESTS").is_some_and(|value| value == "1")
}

/// Opens the fixture course in a terminal of the most common size.
pub(crate) fn driver() -> Driver {
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
