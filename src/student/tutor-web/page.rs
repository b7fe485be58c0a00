//! The runtime of a page: it passes events to the model.

use crate::browser_store::{BrowserStore, WriteResult};
use crate::grid::{Grid, css};
use crate::host::WORK;
use crate::keys;
use crate::links::{self, Link};
use crate::messages::{Frame, In, Out, Start, texts};
use crate::worker::Answer;
use jiff::tz::TimeZone;
use ratatui::Terminal;
use ratatui::layout::Size;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tutor_course::{CourseSource, Show};
use tutor_exec::Answering;
use tutor_exec::protocol::{ExecError, ExecErrorKind, Reply, Request};
use tutor_exercises::{self as workshop, Work};
use tutor_progress::{Known, Queue, Renamed, Store, StoreError, now};
use tutor_support::words::{self, Words, speaking};
use tutor_support::{sentence, t};
use tutor_tui::app::{FolderEvent, Input, Model, Msg, Screen, buttons, view};
use tutor_tui::effect::{Effect, Go};
use tutor_tui::host::{self, Host as _};
use tutor_tui::loading::load_data;
use tutor_tui::plain::{Reader, typed};
use tutor_tui::screens::picture_screen::PictureScreen;
use tutor_tui::screens::problem::ProblemPage;
use ui_kit::keys::{KeyCode, KeyEvent};
use ui_kit::theme::Theme;

/// Screen size of the model in the plain mode, so large that nothing scrolls.
const PLAIN: Size = Size { width: 80, height: 2000 };

/// Where the script has the files of a course.
const COURSE: &str = "/course";

/// Where a progress file comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum From {
    /// The browser has stored it before.
    Start,
    Student,
    /// Another tab has stored it.
    Tab,
}

pub(crate) struct Page {
    pub(super) model: Model,
    pub(super) terminal: Terminal<Grid>,
    pub(super) browser_store: BrowserStore,
    pub(super) source: CourseSource,
    pub(super) lang: String,
    pub(super) size: Size,
    /// True if pictures are animated on the canvas.
    pub(super) motion: bool,
    /// Remembers what the plain mode has printed; `None` on the canvas.
    pub(super) reader: Option<Reader>,
    /// The keys that the script shows as buttons.
    buttons: Vec<KeyEvent>,
    /// Requests that the worker has not answered.
    pub(super) working: VecDeque<Request>,
    /// Exercise whose file is shown, and the file.
    pub(super) watched: Option<(String, PathBuf)>,
    pub(super) ticking: bool,
    /// True if another tab is known to change the progress.
    pub(super) shared: bool,
    /// True if the files that come after the first screen are there, and what waits for them.
    pub(super) late: bool,
    pub(super) waiting: Vec<Effect>,
    pub(super) out: Vec<Out>,
}

impl Page {
    pub(crate) fn new(start: Start) -> Self {
        words::speak(Words::of(&start.lang));
        let source = if start.course { CourseSource::Directory(COURSE.into()) } else { CourseSource::BuiltIn };
        let data = load_data(&source, &start.lang);
        let size = Size { width: start.columns, height: start.rows };
        let mut model = Model::new(data, theme(&start.theme), false, if start.plain { PLAIN } else { size });
        model.motion = start.motion && !start.plain;
        model.buttons = start.touch;
        model.started = now().to_zoned(TimeZone::system());
        let grid = Grid { size, ..Grid::default() };
        let Ok(terminal) = Terminal::new(grid);
        Self {
            model,
            terminal,
            browser_store: BrowserStore::new(empty_store()),
            source,
            lang: start.lang,
            size,
            motion: start.motion,
            reader: start.plain.then(Reader::default),
            buttons: Vec::new(),
            working: VecDeque::new(),
            watched: None,
            ticking: false,
            shared: false,
            late: false,
            waiting: Vec::new(),
            out: Vec::new(),
        }
    }

    /// Tells the script what it needs before the first frame.
    pub(crate) fn begun(&mut self) -> Vec<Out> {
        self.say_language();
        self.say_theme();
        std::mem::take(&mut self.out)
    }

    /// Opens a progress file; no bytes are an empty one.
    pub(crate) fn open_progress(&mut self, bytes: &[u8], from: From) -> Vec<Out> {
        let opened = if bytes.is_empty() { Ok(empty_store()) } else { Store::of_image(bytes) };
        match (opened.and_then(|store| self.learn(store)), from) {
            (Ok(msgs), _) => {
                match from {
                    From::Start => {}
                    From::Student => {
                        self.out.push(Out::Imported(t!("web-imported")));
                        self.take_texts();
                        self.handle(Msg::Go(Go::Map));
                        self.handle(Msg::Reloaded(Box::new(load_data(&self.source, &self.lang))));
                    }
                    // Said once, as in the terminal.
                    From::Tab if std::mem::replace(&mut self.shared, true) => {}
                    From::Tab => self.handle(Msg::Say(t!("web-shared"))),
                }
                msgs.into_iter().for_each(|msg| self.handle(msg));
                if matches!(from, From::Start) {
                    self.model.welcome();
                }
            }
            (Err(error), From::Student) => {
                self.out.push(Out::Imported(format!("{error} {}", t!("web-nothing-changed"))));
            }
            (Err(error), _) => {
                self.out.push(Out::SetAside);
                let (title, help) = (t!("app-about-progress"), Some(t!("web-set-aside")));
                self.handle(Msg::Problem(ProblemPage { title, message: error.to_string(), help }));
            }
        }
        if self.model.data.description.is_none() {
            self.describe();
        }
        self.turn()
    }

    /// Takes over a store. Returns messages about what it knows.
    fn learn(&mut self, mut store: Store) -> Result<Vec<Msg>, StoreError> {
        let course = &self.model.data.course;
        store.rename(&course.id, &Renamed::of(course, &self.source))?;
        let known: Known = store.known(&course.id)?;
        let queue = Queue::of(&self.model.data.pool, &known.graded, now());
        self.browser_store.store = store;
        Ok(vec![Msg::Known(Box::new(known)), Msg::Review(queue)])
    }

    /// Makes the texts that the progress file has of the student's own kernels the student's files, where there are none.
    fn take_texts(&mut self) {
        let course = &self.model.data.course.id;
        for exercise in self.model.data.exercises.iter().filter(|exercise| matches!(exercise.work, Work::Write(_))) {
            let dir = Path::new(WORK).join(&exercise.id);
            let last = self.browser_store.store.tries(course, &exercise.id, 1).unwrap_or_default().pop();
            if let Some(last) = last.filter(|_| !dir.exists())
                && workshop::start(exercise, &dir).is_ok()
            {
                drop(std::fs::write(dir.join(workshop::file(exercise)), last.answer));
            }
        }
    }

    pub(crate) fn keep(&mut self) -> Vec<u8> {
        self.browser_store.carry_out()
    }

    pub(crate) fn written(&mut self, result: WriteResult) -> Vec<Out> {
        self.browser_store.written(result).into_iter().for_each(|msg| self.handle(msg));
        self.turn()
    }

    pub(crate) fn event(&mut self, event: In, now: f64) -> Vec<Out> {
        self.model.now = Duration::from_secs_f64((now / 1000.0).max(0.0));
        for msg in self.messages(event) {
            self.handle(msg);
        }
        self.turn()
    }

    /// Turns an event into messages for the model.
    fn messages(&mut self, event: In) -> Vec<Msg> {
        match event {
            In::Key { key, code, ctrl, alt, shift } => {
                keys::event(&key, &code, ctrl, alt, shift).map(Input::Key).map(Msg::Input).into_iter().collect()
            }
            In::Press(button) => self.buttons.get(button).map(|key| Input::Key(*key).into()).into_iter().collect(),
            In::Typed(text) => text.chars().map(|c| Input::Key(KeyEvent::from(KeyCode::Char(c))).into()).collect(),
            In::Paste(text) => vec![Input::Paste(text).into()],
            In::Click { x, y } => vec![Input::Click { x, y }.into()],
            In::Wheel(rows) => vec![Input::Wheel(rows).into()],
            In::Resize { columns, rows } => {
                self.size = Size { width: columns, height: rows };
                if self.reader.is_some() { Vec::new() } else { vec![Input::Resize(self.size).into()] }
            }
            In::Tick => vec![Input::Tick(self.model.now).into()],
            In::Worker(answers) => answers.into_iter().map(|answer| self.worker(answer)).collect(),
            In::Crashed(why) => self.crashed(&why),
            In::Link(link) => self.follow(&link),
            In::Line(line) => match speaking(self.model.words, || typed(&self.model, &line)) {
                Ok(inputs) => inputs.into_iter().map(Msg::Input).collect(),
                Err(explanation) => {
                    self.out.push(Out::Lines(vec![explanation]));
                    Vec::new()
                }
            },
            In::Plain(plain) => {
                self.reader = plain.then(Reader::default);
                // In lines, each step would be a new description.
                self.model.motion = self.motion && !plain;
                vec![Input::Resize(if plain { PLAIN } else { self.size }).into()]
            }
            In::Redraw => {
                let Ok(()) = self.redraw();
                Vec::new()
            }
            In::Theme(name) => {
                self.model.theme = theme(&name);
                self.model.dirty = true;
                self.say_theme();
                Vec::new()
            }
            In::Late => {
                self.late = true;
                // The recorded times of variants are known by their PTX.
                self.model.data.show_recording();
                self.model.dirty = true;
                let waiting = std::mem::take(&mut self.waiting);
                waiting.into_iter().flat_map(|effect| self.carry_out(effect)).collect()
            }
            In::Saved { file, text } => self.saved(Path::new(&file), &text),
        }
    }

    /// Passes a message to the model and carries out the effects, until no message is left.
    fn handle(&mut self, msg: Msg) {
        let Ok(()) = host::handle(self, msg);
    }

    /// Carries out an effect that had to wait for files.
    fn carry_out(&mut self, effect: Effect) -> Vec<Msg> {
        let Ok(msgs) = host::carry_out(self, effect);
        msgs
    }

    /// Finishes an event: draws, or prints in the plain mode.
    fn turn(&mut self) -> Vec<Out> {
        if self.ticking != self.model.wants_ticks() {
            self.ticking = !self.ticking;
            self.out.push(Out::Ticks(self.ticking));
        }
        match &mut self.reader {
            Some(reader) => {
                self.model.dirty = false;
                // Prints the results of a launch when it is over, not after every sample.
                if self.model.job.is_none() && !self.model.saving.is_busy() {
                    let news = reader.new_lines(&self.model);
                    if !news.is_empty() {
                        self.out.push(Out::Lines(news));
                    }
                }
            }
            None => self.draw(),
        }
        std::mem::take(&mut self.out)
    }

    fn draw(&mut self) {
        if !std::mem::take(&mut self.model.dirty) {
            return;
        }
        let (model, mut hits) = (&self.model, Vec::new());
        self.terminal.backend_mut().size = self.size;
        let Ok(_) = self.terminal.draw(|frame| hits = view(model, frame));
        let shown = if model.buttons { buttons(model) } else { Vec::new() };
        let (buttons, keys) = shown.into_iter().map(|(key, label, pressed)| ((key, label), pressed.event())).unzip();
        (self.model.hits, self.buttons) = (hits, keys);
        let grid = self.terminal.backend_mut();
        self.out.push(Out::Frame(Frame {
            runs: std::mem::take(&mut grid.runs),
            whole: std::mem::take(&mut grid.cleared),
            cursor: grid.cursor.map(|at| [at.x, at.y]),
            editing: self.model.overlay_editing() || self.model.overlays.is_empty() && self.model.screen_editing(),
            place: self.place(),
            buttons,
        }));
    }

    /// Sends a request to the worker.
    pub(super) fn ask_worker(&mut self, request: Request) {
        self.working.push_back(request.clone());
        self.out.push(Out::Work(request));
    }

    /// Describes the emulator. Asking a worker would start it before it is needed.
    pub(super) fn describe(&mut self) {
        let mut replies = std::sync::Mutex::new(Vec::new());
        let send = |reply| replies.lock().map(|mut replies| replies.push(reply)).unwrap_or_default();
        Answering::default().answer(&Request::Describe, &false.into(), &send);
        for reply in replies.get_mut().map(std::mem::take).unwrap_or_default() {
            let reply = match reply {
                Reply::Description(known) => Reply::Description(known.on_emulator(sentence!("web-no-gpu"))),
                other => other,
            };
            self.handle(Msg::Worker(reply));
        }
    }

    fn worker(&mut self, answer: Answer) -> Msg {
        match answer {
            Answer::Reply(reply) => {
                self.answered(&reply);
                Msg::Worker(reply)
            }
            Answer::Coloured { file, lines } => Msg::Highlighted { file, lines },
        }
    }

    /// Notes the end of a request.
    fn answered(&mut self, reply: &Reply) {
        if let Reply::Finished { id: ended, .. } | Reply::Failed { id: ended, .. } | Reply::Compiled { id: ended, .. } =
            reply
        {
            self.working.retain(|request| request.id() != *ended);
        }
    }

    pub(super) fn restart(&mut self) {
        self.out.push(Out::Stop);
        self.out.extend(self.working.iter().cloned().map(Out::Work));
    }

    /// Reports the request during which the worker ended.
    fn crashed(&mut self, why: &str) -> Vec<Msg> {
        let lost = self.working.pop_front();
        self.restart();
        let error = ExecError::new(ExecErrorKind::Worker, sentence!("web-worker-crashed", why = why));
        lost.map(|request| Msg::Worker(Reply::Failed { id: request.id(), error })).into_iter().collect()
    }

    /// Writes a text that the student saved.
    fn saved(&mut self, file: &Path, text: &str) -> Vec<Msg> {
        if let Err(error) = std::fs::write(file, text) {
            return vec![Msg::Say(error.to_string())];
        }
        let Some((exercise, watched)) = &self.watched else { return Vec::new() };
        if watched != file {
            return Vec::new();
        }
        let event = FolderEvent::Saved(tutor_support::text::read(file));
        vec![Msg::Folder { exercise: exercise.clone(), file: file.to_owned(), event }]
    }

    /// Switches to the next language; returns the messages that bring the model along.
    pub(super) fn next_language(&mut self) -> Vec<Msg> {
        let languages = self.model.data.languages();
        let at = languages.iter().position(|code| *code == self.lang);
        let Some(next) = languages.get(at.map_or(0, |at| at + 1) % languages.len().max(1)) else { return Vec::new() };
        self.lang.clone_from(next);
        let words = Words::of(next);
        words::speak(words);
        self.say_language();
        vec![Msg::Language(words), Msg::Reloaded(Box::new(load_data(&self.source, &self.lang)))]
    }

    fn say_language(&mut self) {
        self.out.push(Out::Language { code: self.lang.clone(), texts: texts() });
    }

    pub(super) fn say_theme(&mut self) {
        let colour = |colour| css(colour).unwrap_or_default();
        let ground = self.model.theme.ground().map(|(back, front)| [colour(back), colour(front)]);
        self.out.push(Out::Theme { name: self.model.theme.name().to_owned(), ground });
    }

    /// Returns the part of the address that leads to this screen.
    fn place(&self) -> String {
        let page = |level: usize, page: usize| {
            let level = self.model.data.course.levels.get(level)?;
            Some(format!("{}/{}", level.id, tutor_tui::app_data::pages(level).get(page)?.id.value))
        };
        match self.model.screen() {
            Some(Screen::Lesson(lesson)) => page(lesson.level, lesson.page).unwrap_or_default(),
            Some(Screen::Exercise(exercise)) => format!("exercise={}", exercise.id),
            Some(Screen::Workshop(_)) => "workshop".to_owned(),
            Some(Screen::Picture(picture)) => {
                picture.preview.map_or_else(|| picture.link(), |[level, at]| page(level, at)).unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// Opens the place that a link leads to. A locked page opens as a preview.
    fn follow(&mut self, link: &str) -> Vec<Msg> {
        let Some(link) = links::read(link, &self.model.data) else {
            return vec![Msg::Say(t!("web-no-place", link = link))];
        };
        self.model.overlays.clear();
        self.model.dirty = true;
        let picture = match &link {
            Link::Go(Go::Page { level, page }) => PictureScreen::preview(*level, *page, &self.model.context()),
            Link::Banks(view) => {
                tutor_pictures::picture(&Show::Banks(view.clone()), self.model.data.setting()).map(PictureScreen::from)
            }
            Link::Go(_) => None,
        };
        let Some(picture) = picture else {
            return if let Link::Go(go) = link { vec![Msg::Go(go)] } else { Vec::new() };
        };
        self.model.screens.pop_if(|screen| matches!(screen, Screen::Picture(_)));
        self.model.show(picture);
        Vec::new()
    }
}

fn theme(name: &str) -> Theme {
    Theme::named(name).or_else(|_| Theme::named("dark")).unwrap_or_else(|_| std::process::abort())
}

/// Returns the store of a new student. SQLite in memory fails only without memory, which ends the page anyway.
fn empty_store() -> Store {
    Store::in_memory().unwrap_or_else(|_| std::process::abort())
}
