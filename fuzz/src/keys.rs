/*! Drives the tutor's model with arbitrary events, and compares it with a small state of its own.

A byte below 128 is a key; the others are named keys, clicks, pastes, sizes, time and replies of a worker ([`Events`]).
After every event the screen is drawn, whatever its size, and these must hold:

- an answer is given only by Enter (or a click or a list's row that stands for it), only to the question on the screen,
  only as it was selected or typed, and only after something was selected or typed there;
- an answer given stays given, in the model and, at the end, in the store; so does a prediction;
- a draft is what was typed;
- an action that is listed does something, and a key that is not listed does nothing.
*/

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Size};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::convert::Infallible;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tutor_course::{CourseSource, QuizFile};
use tutor_exec::protocol::{Reply, Request};
use tutor_progress::{Answer, Begun, Outline, Prediction, QuestionKind, Store};
use tutor_support::words::{Words, languages, speaking};
use tutor_tui::app::{Input, Model, Msg, OverlayKind, Screen, update, view};
use tutor_tui::app_data::AppData;
use tutor_tui::effect::{Effect, StoreRequest};
use tutor_tui::host::{Host, carry_out};
use tutor_tui::loading::load_data;
use tutor_tui::screens::{Component as _, Hit};
use tutor_tui::storing;
use ui_kit::action::{Action, find};
use ui_kit::look::SMALLEST;
use ui_kit::theme::Theme;

/// Maximum number of events taken from one input. More would only take longer.
const MAX_EVENTS: usize = 200;
/// Maximum length of a field's text, in bytes.
const MAX_FIELD_BYTES: usize = 512;
/// Replies of workers, one per line, to the launch or witness `"ID"`.
const REPLIES: &str = include_str!("replies.jsonl");

/// The built-in course, open to its end, with a quiz of all kinds of questions after its last level.
static DATA: LazyLock<AppData> = LazyLock::new(|| {
    let mut data = load_data(&CourseSource::BuiltIn, "en");
    let mut quiz: QuizFile =
        serde_yaml::from_str(include_str!("../../tests/mastery/all-kinds.yaml")).expect("a quiz of all kinds");
    let course = Arc::get_mut(&mut data.course).expect("nobody else has it yet");
    for level in &mut course.levels {
        level.quiz = None;
    }
    let last = course.levels.last_mut().expect("a course with levels");
    quiz.level.value.clone_from(&last.id);
    last.quiz = Some(Ok(quiz));
    data
});

/// Uses arbitrary bytes as events.
pub fn keys(bytes: &[u8]) {
    let mut student = Student::new();
    let mut events = Events(bytes);
    for _ in 0..MAX_EVENTS {
        let Some(msg) = events.next(&student) else { break };
        student.take(msg);
    }
    student.end();
}

/// Reads events from bytes.
struct Events<'a>(&'a [u8]);

impl Events<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn next(&mut self, student: &Student) -> Option<Msg> {
        use KeyCode::{
            BackTab, Backspace, Delete, Down, End, Enter, Esc, F, Home, Left, PageDown, PageUp, Right, Tab, Up,
        };
        const CODES: [KeyCode; 14] =
            [Up, Down, Left, Right, Home, End, PageUp, PageDown, BackTab, Delete, F(1), Enter, Tab, Backspace];
        let key = |code| Some(Msg::Input(Input::Key(KeyEvent::from(code))));
        let size = student.model.size;
        let byte = self.byte()?;
        match byte {
            b'\r' | b'\n' => key(Enter),
            b'\t' => key(Tab),
            0x1b => key(Esc),
            0x7f => key(Backspace),
            0x01..=0x1a => {
                let letter = char::from(byte - 1 + b'a');
                Some(Msg::Input(Input::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL))))
            }
            b' '..=b'~' => key(KeyCode::Char(byte.into())),
            0x80..=0x8d => key(CODES[usize::from(byte - 0x80)]),
            0x8e | 0x8f => {
                let code = if byte == 0x8e { Left } else { Right };
                Some(Msg::Input(Input::Key(KeyEvent::new(code, KeyModifiers::SHIFT))))
            }
            0x90..=0x97 => {
                let (x, y) = (u16::from(self.byte()?) % size.width, u16::from(self.byte()?) % size.height);
                Some(Msg::Input(Input::Click { x, y }))
            }
            // Clicks an area that reacts to clicks.
            0x98..=0x9f => {
                let hits = &student.model.hits;
                let hit = hits.get(usize::from(self.byte()?) % hits.len().max(1));
                let area = hit.map(|(area, _)| *area).unwrap_or_default();
                Some(Msg::Input(Input::Click { x: area.x, y: area.y }))
            }
            0xa0..=0xa7 => {
                let length = usize::from(self.byte()?).min(self.0.len());
                let (text, rest) = self.0.split_at(length);
                self.0 = rest;
                Some(Msg::Input(Input::Paste(String::from_utf8_lossy(text).into_owned())))
            }
            0xa8..=0xaf => {
                let (width, height) = (1 + u16::from(self.byte()?) % 200, 1 + u16::from(self.byte()?) % 60);
                Some(Msg::Input(Input::Resize(Size { width, height })))
            }
            0xb0..=0xb7 => {
                Some(Msg::Input(Input::Tick(student.model.now + Duration::from_millis(20 * u64::from(self.byte()?)))))
            }
            0xb8..=0xcf => {
                let lines: Vec<&str> = REPLIES.lines().collect();
                let line = lines.get(usize::from(self.byte()?) % lines.len().max(1))?;
                let reply = Reply::read(line.replace("\"ID\"", &student.asked.to_string()).as_bytes());
                Some(Msg::Worker(reply.expect("a worker's reply")))
            }
            0xd0..=0xd3 => Some(Msg::Input(Input::Wheel(if byte % 2 == 0 { 3 } else { -3 }))),
            0xd4..=0xd7 => Some(Msg::Input(Input::Row(usize::from(self.byte()?)))),
            0xd8..=0xdf => {
                key(KeyCode::Char(['é', '유', '\u{301}', '×', '\u{202e}', 'µ', '²', '🧮'][usize::from(byte - 0xd8)]))
            }
            _ => key(KeyCode::Null),
        }
    }
}

/// Where a question is: in a slot of an attempt, or on a page of a level.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Slot(i64, String),
    Page(String, String),
}

struct Student {
    model: Model,
    store: Store,
    /// Number of the last requested launch or witness.
    asked: u64,
    frame: Buffer,
    /// Questions at which something was selected or typed.
    touched: BTreeSet<Place>,
    answers: BTreeMap<Place, Answer>,
    /// The first and the latest prediction of each question.
    predictions: BTreeMap<Place, (Prediction, Prediction)>,
    /// The text in the field of each question, if it is known.
    typed: BTreeMap<Place, Option<String>>,
    ended: bool,
}

impl Student {
    fn new() -> Self {
        let mut data = DATA.clone();
        let mut store = Store::in_memory().expect("a store in memory");
        data.learn(store.known(&data.course.id).expect("an empty store"));
        let theme = Theme::named("mono").expect("a theme of the tutor");
        let model = Model::new(data, theme, false, Size { width: 80, height: 24 });
        let mut student = Self {
            model,
            store,
            asked: 1,
            frame: Buffer::default(),
            touched: BTreeSet::new(),
            answers: BTreeMap::new(),
            predictions: BTreeMap::new(),
            typed: BTreeMap::new(),
            ended: false,
        };
        student.draw();
        student
    }

    fn draw(&mut self) {
        let Size { width, height } = self.model.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal in memory");
        let mut hits = Vec::new();
        terminal.draw(|frame| hits = view(&self.model, frame)).expect("a frame");
        self.model.hits = hits;
        self.frame = terminal.backend().buffer().clone();
    }

    /// Returns the question on the screen, even if an overlay covers it.
    fn place(&self) -> Option<Place> {
        match self.model.screens.last()? {
            Screen::Quiz(quiz) => Some(Place::Slot(quiz.attempt.id, quiz.attempt.current()?.slot.clone())),
            Screen::Lesson(lesson) => {
                let level = self.model.data.course.levels.get(lesson.level)?;
                let page = level.lesson.as_ref().ok()?.pages.get(lesson.page)?;
                Some(Place::Page(level.id.clone(), page.id.value.clone()))
            }
            _ => None,
        }
    }

    /// Returns the selected or typed answer to the question on the screen.
    fn selected(&self) -> Option<Answer> {
        match self.model.screens.last()? {
            Screen::Quiz(quiz) => quiz.panel.as_ref()?.selected(),
            _ => None,
        }
    }

    fn take(&mut self, msg: Msg) {
        if self.ended {
            return;
        }
        let place = self.place();
        let said = format!("{msg:?} at {place:?}");
        let commits = self.commits(&msg);
        if let (Some(place), true) = (&place, self.model.overlays.is_empty() && selects(&msg)) {
            self.touched.insert(place.clone());
        }
        let selected = self.selected();
        // A submission takes what is selected in every question.
        let drafts = match self.model.screens.last() {
            Some(Screen::Quiz(quiz)) if self.chooses(&msg, Action::Submit) => quiz.drafts.clone(),
            _ => Default::default(),
        };
        let choice = match self.model.screens.last() {
            Some(Screen::Lesson(lesson)) => lesson.selected,
            _ => None,
        };
        self.type_along(&msg);
        let listed = self.expected(&msg);
        let depth = (self.model.overlays.len(), self.model.screens.len());
        let theme = self.model.theme.next_name();

        let mut done = Vec::new();
        let mut msgs = VecDeque::from([msg]);
        while let Some(msg) = msgs.pop_front() {
            for effect in update(&mut self.model, msg) {
                match &effect {
                    Effect::Store(StoreRequest::Change { attempt, change }) => {
                        if let Some((slot, answer)) = &change.answer {
                            let at = Place::Slot(*attempt, slot.clone());
                            assert!(self.touched.contains(&at), "answered and never selected: {said}");
                            if answer.is_some() && drafts.get(slot) != answer.as_ref() {
                                assert!(commits, "answered by {said}");
                                assert_eq!((Some(&at), answer), (place.as_ref(), &selected), "{said}");
                            }
                            // An answer that was cleared is withdrawn.
                            match answer {
                                Some(answer) => self.answers.insert(at, answer.clone()),
                                None => self.answers.remove(&at),
                            };
                        }
                    }
                    Effect::Store(StoreRequest::Predicted { level, page, choice: Some(given), correct }) => {
                        let at = Place::Page(level.clone(), page.clone());
                        assert!(commits, "predicted by {said}");
                        assert!(self.touched.contains(&at), "predicted and never selected: {said}");
                        assert_eq!((Some(&at), Some(*given)), (place.as_ref(), choice), "{said}");
                        let made = Prediction { choice: Some(*given), correct: *correct };
                        self.predictions.entry(at).or_insert((made, made)).1 = made;
                    }
                    Effect::Store(StoreRequest::Predicted { level, page, choice: None, correct }) => {
                        let made = Prediction { choice: None, correct: *correct };
                        let at = Place::Page(level.clone(), page.clone());
                        self.predictions.entry(at).or_insert((made, made)).1 = made;
                    }
                    _ => {}
                }
                done.push(effect.clone());
                let Ok(replies) = carry_out(self, effect);
                msgs.extend(replies);
            }
        }
        let before = std::mem::take(&mut self.frame);
        if listed == Some(false) {
            // The tutor may explain why the key does nothing.
            self.model.message = None;
        }
        self.draw();
        let seen = before != self.frame
            || depth != (self.model.overlays.len(), self.model.screens.len())
            || theme != self.model.theme.next_name();
        if let Some(listed) = listed
            && !done.iter().any(|effect| matches!(effect, Effect::Store(StoreRequest::PageRead { .. })))
        {
            let does = seen || !done.is_empty();
            assert_eq!(listed, does, "{said}: listed or not, and does something or not; {done:?}");
        }
        self.holds(&said);
    }

    /// True if an event is the key of an action, or a click on it.
    fn chooses(&self, msg: &Msg, action: Action) -> bool {
        match msg {
            Msg::Input(Input::Key(key)) => find(&[action], *key).is_some(),
            Msg::Input(Input::Click { x, y }) => self.hit(*x, *y) == Some(Hit::Action(action)),
            _ => false,
        }
    }

    fn hit(&self, x: u16, y: u16) -> Option<Hit> {
        let hit = self.model.hits.iter().rev().find(|(area, _)| area.contains(Position::new(x, y)));
        hit.map(|(_, hit)| *hit)
    }

    /// True if an event may give an answer.
    fn commits(&self, msg: &Msg) -> bool {
        let list = self.model.overlay() == Some(OverlayKind::Palette);
        match msg {
            Msg::Input(Input::Key(key)) => key.code == KeyCode::Enter || find(&[Action::NextQuestion], *key).is_some(),
            Msg::Input(Input::Row(_)) => list,
            Msg::Input(Input::Click { x, y }) => {
                use Action::{Answer, GoOn, NextQuestion, Skip};
                list || matches!(self.hit(*x, *y), Some(Hit::Action(Answer | GoOn | NextQuestion | Skip)))
            }
            _ => false,
        }
    }

    /// Returns true if the key is listed and must do something, false if it must do nothing, and `None` if the effect is not visible.
    fn expected(&self, msg: &Msg) -> Option<bool> {
        let Msg::Input(Input::Key(key)) = msg else { return None };
        let model = &self.model;
        let small = model.size.width < SMALLEST.0 || model.size.height < SMALLEST.1;
        let hidden = small || model.screen_editing() || !model.overlays.is_empty();
        // Something changes by itself or with any key.
        if hidden || model.wants_ticks() || model.message.is_some() {
            return None;
        }
        // The length of the lines, and so the scrolling, depends on the language.
        match speaking(model.words, || find(&model.actions(), *key)) {
            // A selected choice can be selected again, without an effect.
            Some(Action::Choose(_)) => None,
            action => Some(action.is_some()),
        }
    }

    /// Applies the typing of an event to the expected text of the question on the screen.
    fn type_along(&mut self, msg: &Msg) {
        let model = &self.model;
        let small = model.size.width < SMALLEST.0 || model.size.height < SMALLEST.1;
        let Some(Screen::Quiz(quiz)) = model.screens.last() else { return };
        let Some(question) = quiz.attempt.current() else { return };
        let field =
            matches!(question.kind, QuestionKind::Numeric(_) | QuestionKind::Text(_) | QuestionKind::Predict(_));
        if !(field && quiz.editing() && model.overlays.is_empty()) {
            return;
        }
        let place = Place::Slot(quiz.attempt.id, question.slot.clone());
        let typed = self.typed.entry(place).or_insert_with(|| Some(String::new()));
        let Some(text) = typed else { return };
        let put = |text: &mut String, more: &str| {
            for c in more.chars().filter(|c| !c.is_control()) {
                if text.len() + c.len_utf8() > MAX_FIELD_BYTES {
                    break;
                }
                text.push(c);
            }
        };
        match msg {
            Msg::Input(Input::Paste(more)) => put(text, more),
            Msg::Input(Input::Key(_)) if small => {}
            Msg::Input(Input::Key(key)) => match key.code {
                KeyCode::Char('e') if key.modifiers == KeyModifiers::CONTROL => {}
                KeyCode::Char('u') if key.modifiers == KeyModifiers::CONTROL => text.clear(),
                KeyCode::Char('a' | 'k' | 'w') if key.modifiers == KeyModifiers::CONTROL => *typed = None,
                KeyCode::Char(c) if key.modifiers.is_empty() => put(text, c.encode_utf8(&mut [0; 4])),
                KeyCode::Backspace if text.is_ascii() => drop(text.pop()),
                KeyCode::Backspace | KeyCode::Delete | KeyCode::Left | KeyCode::Right | KeyCode::Home => *typed = None,
                _ => {}
            },
            _ => {}
        }
    }

    /// Checks what must be true of the model after every event.
    fn holds(&self, said: &str) {
        for screen in &self.model.screens {
            let Screen::Quiz(quiz) = screen else { continue };
            for question in &quiz.attempt.questions {
                let given = self.answers.get(&Place::Slot(quiz.attempt.id, question.slot.clone()));
                assert_eq!(quiz.attempt.answer_to(question), given, "what was given of {}: {said}", question.slot);
            }
        }
        for (place, (first, latest)) in &self.predictions {
            let Place::Page(level, page) = place else { continue };
            let known = self.model.data.predictions.get(&(level.clone(), page.clone()));
            let known = known.map(|known| (known.first, known.latest));
            assert_eq!(known, Some((*first, *latest)), "{place:?}: {said}");
        }
        let Some(Screen::Quiz(quiz)) = self.model.screens.last() else { return };
        let Some(question) = quiz.attempt.current() else { return };
        let place = Place::Slot(quiz.attempt.id, question.slot.clone());
        let selected = self.selected();
        let drafted = selected.clone().filter(|selected| quiz.attempt.answer_to(question) != Some(selected));
        assert_eq!(quiz.drafts.get(&question.slot), drafted.as_ref(), "{said}");
        let kept = self.model.data.drafts.get(&quiz.attempt.draft_key(question));
        assert_eq!(kept, drafted.as_ref().map(Answer::to_draft).as_ref(), "{said}");
        if let Some(Some(typed)) = self.typed.get(&place) {
            let text = match &selected {
                Some(Answer::Number(text) | Answer::Text(text) | Answer::Predicted(text)) => text.as_str(),
                _ => "",
            };
            assert_eq!(text, if typed.trim().is_empty() { "" } else { typed }, "{said}");
        }
    }

    /// Checks the stored progress at the end.
    fn end(mut self) {
        let data = &self.model.data;
        let course = Arc::clone(&data.course);
        let known = self.store.known(&course.id).expect("the store");
        assert_eq!(known.drafts, data.drafts);
        for (place, made) in &self.predictions {
            let Place::Page(level, page) = place else { continue };
            let known = known.predictions.get(&(level.clone(), page.clone())).map(|known| (known.first, known.latest));
            assert_eq!(known, Some(*made), "{place:?} on record");
        }
        let attempts: BTreeMap<i64, _> = (self.model.screens.iter())
            .filter_map(|screen| match screen {
                Screen::Quiz(quiz) => Some((quiz.attempt.id, quiz.attempt.clone())),
                _ => None,
            })
            .collect();
        for attempt in attempts.into_values() {
            let Some(quiz) = course.level(&attempt.level).and_then(|level| level.quiz()) else { continue };
            let begun = self.store.begin(&Outline::from(&*course), quiz, attempt.kind, Some(7)).expect("the attempt");
            let Begun::Resumed(stored) = begun else { panic!("the attempt under way is not under way") };
            assert_eq!((stored.id, stored.answers, stored.flagged), (attempt.id, attempt.answers, attempt.flagged));
        }
    }
}

impl Host for Student {
    type Error = Infallible;

    fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    fn store(&mut self, request: StoreRequest) -> Vec<Msg> {
        let course = Arc::clone(&self.model.data.course);
        let StoreRequest::Begin { level, kind } = &request else {
            return storing::carry_out(&mut self.store, &course, &request).expect("memory takes every change");
        };
        // The same input always asks the same questions.
        let quiz = course.level(level).and_then(|level| level.quiz());
        let begun = quiz.map(|quiz| self.store.begin(&Outline::from(&*course), quiz, *kind, Some(7)));
        let begun = begun.and_then(Result::ok).map(|begun| Msg::Begun(Box::new(begun)));
        begun.into_iter().chain([Msg::Saved]).collect()
    }

    fn work(&mut self, request: Request) {
        if matches!(request, Request::Launch(_) | Request::Witness(_)) {
            self.asked = request.id();
        }
    }

    fn switch_language(&mut self) -> Vec<Msg> {
        let known = Vec::from_iter(languages());
        let at = known.iter().position(|code| code == self.model.words.code()).unwrap_or(0);
        let next = known.get((at + 1) % known.len().max(1));
        next.map(|code| Msg::Language(Words::of(code))).into_iter().collect()
    }

    fn quit(&mut self) {
        self.ended = true;
    }
}

/// True if an event may select or type something.
fn selects(msg: &Msg) -> bool {
    match msg {
        Msg::Input(Input::Key(key)) => {
            !matches!(key.code, KeyCode::Enter | KeyCode::Esc | KeyCode::PageUp | KeyCode::PageDown)
        }
        Msg::Input(Input::Paste(_) | Input::Click { .. }) => true,
        _ => false,
    }
}
