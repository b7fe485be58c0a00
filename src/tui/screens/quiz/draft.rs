//! What is being answered, before and after it is kept.

use crate::mastery::{Answer, Question, QuestionKind};
use crate::tui::field::Field;
use crossterm::event::KeyEvent;
use std::collections::BTreeSet;

/// An answer as it stands on the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum Draft {
    /// The review.
    Nothing,
    /// The chosen id.
    Single(Option<String>),
    /// The ticked ids.
    Multiple(BTreeSet<String>),
    /// A number, a text, or the blanks of a piece of code.
    Fields {
        /// One, or one a blank.
        fields: Vec<Field>,
        /// Which has the keys.
        at: usize,
        /// What they make.
        kind: FieldKind,
    },
    /// Events in the order shown.
    Order {
        /// Their ids.
        ids: Vec<String>,
        /// Whether the one under the cursor moves with it.
        held: bool,
        /// Whether the student put them so.
        touched: bool,
    },
}

/// What fields make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// A number.
    Number,
    /// A text.
    Text,
    /// Blanks.
    Blanks,
}

impl Draft {
    /// The draft of a question that may have been answered.
    pub fn of(question: &Question, answer: Option<&Answer>) -> Self {
        let typed = |kind, text: Option<&String>| Self::Fields {
            fields: vec![Field::new(text.cloned().unwrap_or_default())],
            at: 0,
            kind,
        };
        match (&question.kind, answer) {
            (QuestionKind::Single { .. }, Some(Answer::Single(id))) => Self::Single(Some(id.clone())),
            (QuestionKind::Single { .. }, _) => Self::Single(None),
            (QuestionKind::Multiple { .. }, Some(Answer::Multiple(ids))) => {
                Self::Multiple(ids.iter().cloned().collect())
            }
            (QuestionKind::Multiple { .. }, _) => Self::Multiple(BTreeSet::new()),
            (QuestionKind::Numeric { .. }, Some(Answer::Number(text))) => typed(FieldKind::Number, Some(text)),
            (QuestionKind::Numeric { .. }, _) => typed(FieldKind::Number, None),
            (QuestionKind::Text, Some(Answer::Text(text))) => typed(FieldKind::Text, Some(text)),
            (QuestionKind::Text, _) => typed(FieldKind::Text, None),
            (QuestionKind::Cloze { blanks, .. }, answer) => {
                let given: &[String] = if let Some(Answer::Blanks(given)) = answer { given } else { &[] };
                let field = |at: usize| Field::new(given.get(at).cloned().unwrap_or_default());
                Self::Fields { fields: (0..*blanks).map(field).collect(), at: 0, kind: FieldKind::Blanks }
            }
            (QuestionKind::Order { .. }, Some(Answer::Order(ids))) => {
                Self::Order { ids: ids.clone(), held: false, touched: true }
            }
            (QuestionKind::Order { items }, _) => {
                Self::Order { ids: items.iter().map(|item| item.id.clone()).collect(), held: false, touched: false }
            }
        }
    }

    /// The answer that it makes; none while nothing is chosen or typed.
    pub fn answer(&self) -> Option<Answer> {
        match self {
            Self::Nothing | Self::Single(None) => None,
            Self::Single(Some(id)) => Some(Answer::Single(id.clone())),
            Self::Multiple(ids) => Some(Answer::Multiple(ids.iter().cloned().collect())),
            Self::Fields { fields, kind, .. } => {
                let mut texts = fields.iter().map(|field| field.text().to_owned());
                match kind {
                    FieldKind::Number => texts.next().map(Answer::Number),
                    FieldKind::Text => texts.next().map(Answer::Text),
                    FieldKind::Blanks => Some(Answer::Blanks(texts.collect())),
                }
            }
            Self::Order { ids, .. } => Some(Answer::Order(ids.clone())),
        }
    }

    /// Chooses or ticks.
    pub fn pick(&mut self, id: &str) {
        match self {
            Self::Single(chosen) => *chosen = Some(id.to_owned()),
            Self::Multiple(ticked) if ticked.contains(id) => {
                ticked.remove(id);
            }
            Self::Multiple(ticked) => {
                ticked.insert(id.to_owned());
            }
            _ => {}
        }
    }

    /// Takes the event under the cursor up, or puts it down.
    pub fn hold(&mut self) {
        if let Self::Order { held, .. } = self {
            *held = !*held;
        }
    }

    /// Whether an event moves with the cursor.
    pub fn held(&self) -> bool {
        matches!(self, Self::Order { held: true, .. })
    }

    /// Moves an event; its new place, if it moved.
    pub fn move_item(&mut self, from: usize, by: isize) -> Option<usize> {
        let Self::Order { ids, touched, .. } = self else { return None };
        let to = from.checked_add_signed(by).filter(|to| *to < ids.len() && from < ids.len())?;
        ids.swap(from, to);
        *touched = true;
        Some(to)
    }

    /// Gives the keys to another field.
    pub fn next_field(&mut self, by: isize) {
        if let Self::Fields { fields, at, .. } = self
            && !fields.is_empty()
        {
            *at = (*at as isize + by).rem_euclid(fields.len() as isize) as usize;
        }
    }

    /// Whether at least `count` fields follow the one with the keys.
    pub fn last_field_but(&self, count: usize) -> bool {
        matches!(self, Self::Fields { fields, at, .. } if at + count < fields.len())
    }

    /// A key for the field.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        match self {
            Self::Fields { fields, at, .. } => fields.get_mut(*at).is_some_and(|field| field.key(key)),
            _ => false,
        }
    }

    /// Text for the field.
    pub fn paste(&mut self, text: &str) {
        if let Self::Fields { fields, at, .. } = self
            && let Some(field) = fields.get_mut(*at)
        {
            field.paste(text);
        }
    }
}
