//! A parser for modifiers in any order.

use crate::LoadError;
use crate::lower::alu::refuse;
use crate::ptx::Instruction;

/// The modifiers that have not been parsed yet. The assembler accepts most of them in any order.
pub(super) struct Form<'m>(Vec<&'m str>);

impl<'m> Form<'m> {
    pub(super) fn of(m: &[&'m str]) -> Self {
        Self(m.to_vec())
    }

    /// Removes this modifier. Returns true if it was present.
    pub(super) fn has(&mut self, word: &str) -> bool {
        self.one(&[word]).is_some()
    }

    /// Removes and returns the first of these modifiers that is present.
    pub(super) fn one(&mut self, words: &[&str]) -> Option<&'m str> {
        let at = self.0.iter().position(|have| words.contains(have))?;
        Some(self.0.remove(at))
    }

    /// Parses `.sem.scope`: one of these orders with one of these scopes, or neither.
    pub(super) fn order(&mut self, orders: &[&str], scopes: &[&str], i: &Instruction<'_>) -> Result<(), LoadError> {
        match (self.one(orders), self.one(scopes)) {
            (Some(_), Some(_)) | (None, None) => Ok(()),
            _ => Err(i.at.parse(format!("`{}` has an order without a scope, or a scope without an order", i.opcode))),
        }
    }

    /// Refuses an instruction with modifiers that have not been parsed.
    pub(super) fn end(self, i: &Instruction<'_>) -> Result<(), LoadError> {
        if self.0.is_empty() { Ok(()) } else { refuse(i) }
    }
}
