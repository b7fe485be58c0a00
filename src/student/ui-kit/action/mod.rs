/*! All actions and their keys, in one table.

`table` gives each [`Action`] its keys. The message catalogues ([`tutor_support::words`]) have a short label for the key
bar and a sentence for the help.

A screen lists the actions that work *now*, most important first. [`find`] returns the first one with the pressed key,
so the focused part of the screen comes before the parts behind it. The key bar, the `?` help and the `:` palette are
made from the same list, so they never show a key that does nothing.
*/

mod table;

pub(crate) use table::kebab;
pub use table::{Action, Entry, TABLE};

use crate::keys::{KeyCode, KeyEvent, KeyModifiers};
use std::borrow::Cow;
use tutor_support::IN_A_PAGE;

/// A key as the table of actions names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A character. The character includes the effect of Shift.
    Char(char),
    Ctrl(char),
    Code(KeyCode),
    Shift(KeyCode),
}

use Key::{Char, Code, Ctrl, Shift};

impl Key {
    /// Returns the key of an event, or None for a release or a combination that the table cannot name.
    pub fn from_event(event: KeyEvent) -> Option<Self> {
        let shift = event.modifiers.contains(KeyModifiers::SHIFT);
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        if event.kind == crate::keys::KeyEventKind::Release || event.modifiers.contains(KeyModifiers::ALT) {
            return None;
        }
        Some(match event.code {
            KeyCode::Char(c) if control => Ctrl(c.to_ascii_lowercase()),
            KeyCode::Char(c) => Char(c),
            KeyCode::BackTab => Code(KeyCode::BackTab),
            code if shift => Shift(code),
            code => Code(code),
        })
    }

    /// Returns the event that this key sends.
    pub fn event(self) -> KeyEvent {
        match self {
            Char(c) => KeyEvent::from(KeyCode::Char(c)),
            Ctrl(c) => KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL),
            Code(code) => KeyEvent::from(code),
            Shift(code) => KeyEvent::new(code, KeyModifiers::SHIFT),
        }
    }

    /// Returns the key's name for the student.
    pub fn name(self, ascii: bool) -> Cow<'static, str> {
        let pick = |sign: &'static str, word: &'static str| Cow::Borrowed(if ascii { word } else { sign });
        match self {
            Char(' ') => "Space".into(),
            Char(c) => c.to_string().into(),
            // A browser keeps some keys with Ctrl for itself.
            Ctrl(c) => format!("{}-{}", if IN_A_PAGE { "Alt" } else { "Ctrl" }, c.to_ascii_uppercase()).into(),
            Shift(code) => format!("Shift-{}", Code(code).name(ascii)).into(),
            Code(KeyCode::Esc) => "Esc".into(),
            Code(KeyCode::Enter) => pick("⏎", "Enter"),
            Code(KeyCode::Tab) => "Tab".into(),
            Code(KeyCode::BackTab) => "Shift-Tab".into(),
            Code(KeyCode::Left) => pick("←", "Left"),
            Code(KeyCode::Right) => pick("→", "Right"),
            Code(KeyCode::Up) => pick("↑", "Up"),
            Code(KeyCode::Down) => pick("↓", "Down"),
            Code(KeyCode::PageUp) => "PgUp".into(),
            Code(KeyCode::PageDown) => "PgDn".into(),
            Code(KeyCode::Home) => "Home".into(),
            Code(KeyCode::End) => "End".into(),
            Code(KeyCode::Backspace) => "Backspace".into(),
            Code(KeyCode::F(n)) => format!("F{n}").into(),
            Code(code) => code.to_string().into(),
        }
    }
}

/// Returns the first of `actions` that has `key`.
pub fn find(actions: &[Action], key: KeyEvent) -> Option<Action> {
    let key = Key::from_event(key)?;
    actions.iter().copied().find(|action| action.entry().keys.contains(&key))
}

/// Returns the keys that trigger `actions[at]`: those that no earlier action has and that no text field receives.
pub fn reaching(actions: &[Action], at: usize, editing: bool) -> Vec<Key> {
    let Some(action) = actions.get(at) else { return Vec::new() };
    let typed = |key: &Key| match key {
        Char(_) => true,
        Code(code) => {
            matches!(code, KeyCode::Left | KeyCode::Right | KeyCode::Home | KeyCode::End | KeyCode::Backspace)
        }
        _ => false,
    };
    let taken =
        |key: &Key| editing && typed(key) || actions[..at].iter().any(|earlier| earlier.entry().keys.contains(key));
    action.entry().keys.iter().copied().filter(|key| !taken(key)).collect()
}

/// A hint on the key bar: some keys and what they do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The first of the actions.
    pub action: Action,
    /// The name of each key, its action, and the key.
    pub all: Vec<(String, Action, Key)>,
    /// The keys as shown, in pieces. A piece with an action can be clicked.
    pub keys: Vec<(String, Option<Action>)>,
    /// What the keys do, in a word or two.
    pub label: String,
}

impl Hint {
    /// Returns keys and label as shown.
    pub fn text(&self) -> String {
        let keys: String = self.keys.iter().map(|(key, _)| key.as_str()).collect();
        format!("{keys} {}", self.label)
    }

    /// Returns the action that a click on the label triggers: the only one, or of two directions the second, which leads
    /// forward. A label for several choices has none.
    pub fn of_label(&self) -> Option<Action> {
        match self.all.as_slice() {
            [(_, only, _)] => Some(*only),
            [_, (key, forward, _)] if !is_letter(key) => Some(*forward),
            _ => None,
        }
    }

    /// Combines several actions under one label, each with the key to show.
    pub fn group(group: &[(Action, Key)], label: String, ascii: bool) -> Option<Self> {
        let (action, _) = *group.first()?;
        let all: Vec<(String, Action, Key)> =
            group.iter().map(|(action, key)| (key.name(ascii).into_owned(), *action, *key)).collect();
        let named: Vec<(String, Option<Action>)> =
            all.iter().map(|(key, action, _)| (key.clone(), Some(*action))).collect();
        let sign = |(key, _): &(String, _)| key.chars().count() == 1;
        let dash = if ascii { "-" } else { "–" };
        let keys = match named.as_slice() {
            // Letters and digits shorten to a range (a to d, 1 to 9). Arrows do not.
            [first, .., last] if [first, last].iter().all(|(key, _)| is_letter(key)) => {
                vec![first.clone(), (dash.to_owned(), None), last.clone()]
            }
            all if all.len() > 1 && all.iter().all(sign) => named,
            all => {
                let mut keys = Vec::new();
                for key in all {
                    if !keys.is_empty() {
                        keys.push(("/".to_owned(), None));
                    }
                    keys.push(key.clone());
                }
                keys
            }
        };
        Some(Self { action, all, keys, label })
    }
}

/// Returns the hints for the key bar. Neighbouring actions with the same label become one hint.
pub fn hints(actions: &[Action], ascii: bool, editing: bool) -> Vec<Hint> {
    let mut groups: Vec<(Vec<(Action, Key)>, String)> = Vec::new();
    for (at, action) in actions.iter().enumerate() {
        let Some(key) = reaching(actions, at, editing).first().copied() else { continue };
        let label = action.entry().label();
        match groups.last_mut() {
            Some((keys, last)) if *last == label => keys.push((*action, key)),
            _ => groups.push((vec![(*action, key)], label)),
        }
    }
    groups.into_iter().filter_map(|(group, label)| Hint::group(&group, label, ascii)).collect()
}

/// True if an action is housekeeping: `?` and the palette show it, the key bar never does.
pub fn is_housekeeping(action: Action) -> bool {
    matches!(
        action,
        Action::Palette | Action::NextTheme | Action::NextLanguage | Action::Redraw | Action::Suspend | Action::QuitNow
    )
}

/// True if the key bar may show an action: it is neither housekeeping nor a second key for another action.
pub fn is_for_bar(action: Action) -> bool {
    !is_spare(action) && !is_housekeeping(action)
}

/// True if an action is a second key for what `n`, Backspace, Tab or scrolling do.
pub fn is_spare(action: Action) -> bool {
    use Action::{First, Last, PageBackward, PageForward, TurnPage, UsePicture};
    matches!(action, PageForward | PageBackward | TurnPage | UsePicture | First | Last)
}

/// True if a key is a letter or a digit, so that several of them form a range.
fn is_letter(key: &str) -> bool {
    key.len() == 1 && key.chars().all(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_every_action_once_with_keys_and_short_words() {
        for (at, entry) in TABLE.iter().enumerate() {
            assert!(!TABLE[..at].iter().any(|other| other.action == entry.action), "{:?} twice", entry.action);
            assert!(!entry.keys.is_empty(), "{:?}", entry.action);
            let [label, about] = entry.keys_of_words();
            assert!(entry.label() != label && entry.about() != about, "{:?} has no words", entry.action);
            assert!(!entry.about().ends_with('.'), "{:?}", entry.action);
        }
    }

    fn shown(actions: &[Action], ascii: bool) -> Vec<String> {
        hints(actions, ascii, false).iter().map(Hint::text).collect()
    }

    #[test]
    fn neighbours_with_one_label_become_one_hint() {
        let actions = [Action::StepBack, Action::StepForward, Action::Choose(0), Action::Choose(1), Action::Choose(2)];
        assert_eq!(shown(&actions, false), ["←→ step", "a–c select"]);
        assert_eq!(shown(&actions, true), ["Left/Right step", "a-c select"]);
        let arrows = [Action::Left, Action::Down, Action::Up, Action::Right];
        assert_eq!(shown(&arrows, false), ["←↓↑→ move"]);
        assert_eq!(shown(&arrows, true), ["Left/Down/Up/Right move"]);
    }

    #[test]
    fn each_shown_key_of_a_hint_can_be_clicked() {
        let places = |actions: &[Action]| hints(actions, false, false).remove(0).keys;
        let (left, right) = (Action::StepBack, Action::StepForward);
        assert_eq!(places(&[left, right]), [("←".to_owned(), Some(left)), ("→".to_owned(), Some(right))]);
        let range = [Action::Choose(0), Action::Choose(1), Action::Choose(2)];
        let [a, c] = [0, 2].map(|n| Some(Action::Choose(n)));
        assert_eq!(places(&range), [("a".to_owned(), a), ("–".to_owned(), None), ("c".to_owned(), c)]);
    }

    #[test]
    fn a_key_means_the_first_action_that_has_it() {
        let key = KeyEvent::new(KeyCode::Right, KeyModifiers::NONE);
        assert_eq!(find(&[Action::StepForward, Action::PageForward], key), Some(Action::StepForward));
        assert_eq!(find(&[Action::PageForward, Action::StepForward], key), Some(Action::PageForward));
    }

    #[test]
    fn a_hint_names_a_key_that_is_not_taken_by_an_earlier_action() {
        let actions = [Action::Choose(1), Action::Banks];
        assert_eq!(shown(&actions, false), ["b select"]);
        assert!(!shown(&[Action::Answer, Action::Launch], false)[1].starts_with('⏎'));
        assert_eq!(shown(&[Action::NextPage, Action::PageForward], false), ["n→ next"]);
    }
}
