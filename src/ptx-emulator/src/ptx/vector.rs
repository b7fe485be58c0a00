//! Vector registers (PTX ISA 5.4.2). After `.reg .v4 .f32 %v;`, `%v.x` is the first of four registers, and `%v` means
//! `{%v.x, %v.y, %v.z, %v.w}`. Which names are vectors depends on the scope.

use super::ast::Operand;
use super::lex::Token;
use super::parse::Parser;
use crate::LoadError;
use std::collections::HashMap;

/// Number of elements, and number of registers in the family (`None` for a single register).
type Shape = (u32, Option<u32>);

#[derive(Default)]
pub(super) struct Vectors<'a> {
    names: HashMap<&'a str, Shape>,
    /// What to restore when scopes close: each name with its previous shape.
    changed: Vec<(&'a str, Option<Shape>)>,
    /// The length of `changed` when each open scope began.
    open: Vec<usize>,
}

impl<'a> Vectors<'a> {
    pub(super) fn open(&mut self) {
        self.open.push(self.changed.len());
    }

    pub(super) fn close(&mut self) {
        let first = self.open.pop().unwrap_or(0);
        for (name, shape) in self.changed.drain(first.min(self.changed.len())..).rev() {
            match shape {
                Some(shape) => self.names.insert(name, shape),
                None => self.names.remove(name),
            };
        }
    }

    /// Declares a register. A register with one element needs an entry only if it hides a vector of the same name.
    pub(super) fn declare(&mut self, name: &'a str, elements: u32, count: Option<u32>) {
        if elements > 1 || self.names.contains_key(name) {
            let old = self.names.insert(name, (elements, count));
            self.changed.push((name, old));
        }
    }

    /// Returns the number of elements of register `name`, if it is a vector.
    fn elements(&self, name: &str) -> Option<u32> {
        if self.names.is_empty() {
            return None;
        }
        if let Some((elements, None)) = self.names.get(name) {
            return Some(*elements).filter(|elements| *elements > 1);
        }
        let digits = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let found = (digits.max(name.len().saturating_sub(10))..name.len()).find_map(|split| {
            let number: u32 = name.get(split..)?.parse().ok()?;
            self.names.get(name.get(..split)?).filter(|(_, count)| count.is_some_and(|count| number < count))
        });
        found.map(|(elements, _)| *elements).filter(|elements| *elements > 1)
    }
}

impl<'a> Parser<'a> {
    /// Returns the operand for a name that is a vector register or one of its elements.
    pub(super) fn vector_operand(&mut self, token: Token<'a>) -> Result<Option<Operand<'a>>, LoadError> {
        if let Some(elements) = self.vectors.elements(token.text) {
            for _ in 0..elements {
                self.part()?;
            }
            let all = (0..elements).map(|index| Operand::Element(token.text, index));
            return Ok(Some(Operand::Vector(all.collect())));
        }
        let Some((name, element)) = token.text.rsplit_once('.') else { return Ok(None) };
        let Some(elements) = self.vectors.elements(name) else { return Ok(None) };
        let index = match element {
            "x" | "r" => 0,
            "y" | "g" => 1,
            "z" | "b" => 2,
            "w" | "a" => 3,
            _ => elements,
        };
        if index >= elements {
            return Err(token.at.parse(format!("`{name}` has {elements} elements and no `.{element}`")));
        }
        Ok(Some(Operand::Element(name, index)))
    }
}
