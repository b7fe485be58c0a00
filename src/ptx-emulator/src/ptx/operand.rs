//! Parses instructions and their operands.

use super::ast::{Instruction, Operand};
use super::lex::TokenKind;
use super::parse::Parser;
use crate::LoadError;

impl<'a> Parser<'a> {
    pub(super) fn instruction(&mut self, locs: usize) -> Result<Instruction<'a>, LoadError> {
        let guard = if self.accept(b'@') {
            let negated = self.accept(b'!');
            Some((self.word("a predicate register")?.text, negated))
        } else {
            None
        };
        let opcode = self.word("an instruction")?;
        if !opcode.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Err(opcode.at.parse(format!("`{}` is not an instruction", opcode.text)));
        }
        if self.peek().text.starts_with('.') && !self.constant_follows() {
            let what = format!("a space within an opcode; write `{}{}`", opcode.text, self.peek().text);
            return Err(opcode.at.unsupported(what));
        }
        self.lists = opcode.text.starts_with("call");
        self.addresses = opcode.text.starts_with("mov") || opcode.text.starts_with("cvta");
        let mut operands = Vec::new();
        if !self.accept(b';') {
            loop {
                operands.push(self.operand(0)?);
                if !self.accept(b',') {
                    break;
                }
            }
            self.expect(b';')?;
        }
        let loc = if locs == 0 { u32::MAX } else { (locs - 1) as u32 };
        Ok(Instruction { guard, opcode: opcode.text, operands, loc, at: opcode.at })
    }

    fn operands(&mut self, close: u8, depth: u32) -> Result<Vec<Operand<'a>>, LoadError> {
        let mut all = Vec::new();
        while !self.accept(close) {
            all.push(self.operand(depth + 1)?);
            if !self.accept(b',') {
                self.expect(close)?;
                break;
            }
        }
        Ok(all)
    }

    fn operand(&mut self, depth: u32) -> Result<Operand<'a>, LoadError> {
        if depth > 4 {
            return Err(self.at().parse("the operand is nested too deeply"));
        }
        self.part()?;
        let token = self.peek();
        let first = match token.kind {
            TokenKind::Mark(b'-') if self.names_follow() => {
                self.next();
                Operand::Negative(self.word("a register")?.text)
            }
            _ if self.constant_follows() && !(self.lists && token.kind == TokenKind::Mark(b'(')) => self.constant()?,
            TokenKind::Mark(b'!') => {
                self.next();
                Operand::Not(self.word("a predicate register")?.text)
            }
            TokenKind::Mark(b'{') => {
                self.next();
                Operand::Vector(self.operands(b'}', depth)?)
            }
            TokenKind::Mark(b'(') => {
                self.next();
                Operand::List(self.operands(b')', depth)?)
            }
            TokenKind::Mark(b'[') => {
                self.next();
                self.address(depth)?
            }
            TokenKind::Word if self.look(1).kind == TokenKind::Mark(b'[') && self.elements.contains_key(token.text) => {
                self.next();
                self.element(token.text)?
            }
            TokenKind::Word => {
                self.next();
                if let Some(vector) = self.vector_operand(token)? {
                    return Ok(vector);
                }
                match self.offset()? {
                    Some(offset) => Operand::Offset(token.text, offset),
                    None => Operand::Name(token.text),
                }
            }
            _ => return Err(self.unexpected("an operand")),
        };
        if self.accept(b'|') {
            let second = self.operand(depth + 1)?;
            return Ok(Operand::Pair(Box::new(first), Box::new(second)));
        }
        Ok(first)
    }

    /// Parses `[3]` after the name of an array: the fourth element, or its address.
    fn element(&mut self, name: &'a str) -> Result<Operand<'a>, LoadError> {
        self.expect(b'[')?;
        let at = self.at();
        let index = self.whole_constant("an index")?;
        self.expect(b']')?;
        let bytes = self.elements.get(name).copied().unwrap_or(1);
        let offset = i64::try_from(bytes).ok().and_then(|bytes| index.checked_mul(bytes));
        let offset = offset.ok_or_else(|| at.parse(format!("the index {index} of `{name}` is too large")))?;
        Ok(if self.addresses { Operand::Offset(name, offset) } else { Operand::Address(Some(name), offset) })
    }

    /// True if a name, not a number, follows the next token.
    fn names_follow(&self) -> bool {
        let after = self.look(1);
        after.kind == TokenKind::Word
            && after.text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '%' | '_' | '$'))
    }

    /// Parses `+8`, `-8` or `+-8` after a base.
    fn offset(&mut self) -> Result<Option<i64>, LoadError> {
        if self.peek().kind == TokenKind::Mark(b'-') || self.accept(b'+') {
            return self.whole_constant("an offset").map(Some);
        }
        Ok(None)
    }

    fn address(&mut self, depth: u32) -> Result<Operand<'a>, LoadError> {
        let single = if self.constant_follows() {
            Operand::Address(None, self.whole_constant("an address")?)
        } else {
            let base = self.word("an address")?;
            Operand::Address(Some(base.text), self.offset()?.unwrap_or(0))
        };
        if self.accept(b']') {
            if self.peek().text == ".unified" {
                // `.unified` concerns only the host, so the emulator ignores it.
                self.next();
            }
            return Ok(single);
        }
        self.expect(b',')?;
        let mut all = vec![single];
        all.append(&mut self.operands(b']', depth)?);
        Ok(Operand::Brackets(all))
    }
}
