//! Parses declarations of variables and registers.

use super::ast::{At, Operand, Registers, Relocation, Space, Variable};
use super::lex::TokenKind;
use super::parse::Parser;
use crate::LoadError;
use std::sync::Arc;

/// Returns the size in bytes of a fundamental type, named without its dot.
pub(crate) fn type_bytes(ty: &str) -> Option<u64> {
    Some(match ty {
        "b8" | "u8" | "s8" | "e4m3" | "e5m2" => 1,
        "b16" | "u16" | "s16" | "f16" | "bf16" => 2,
        "b32" | "u32" | "s32" | "f32" | "f16x2" | "bf16x2" | "tf32" => 4,
        // An opaque handle of a texture, sampler or surface, which only refused instructions use.
        "b64" | "u64" | "s64" | "f64" | "texref" | "samplerref" | "surfref" => 8,
        "b128" => 16,
        _ => return None,
    })
}

const MAX_BYTES: u64 = 1 << 40;

impl<'a> Parser<'a> {
    /// Parses the rest of a `.reg` declaration, including the semicolon.
    pub(super) fn registers(&mut self) -> Result<Vec<Registers<'a>>, LoadError> {
        let at = self.at();
        let mut ty = self.directive_word("a register type")?;
        let elements = match ty {
            "v2" => 2,
            "v4" => 4,
            _ => 1,
        };
        if elements > 1 {
            ty = self.directive_word("a register type")?;
            if type_bytes(ty).is_none_or(|bytes| u64::from(elements) * bytes > 16) {
                return Err(at.parse(format!("registers cannot be vectors of {elements} elements of type `.{ty}`")));
            }
        }
        let mut all = Vec::new();
        loop {
            self.part()?;
            let name = self.word("a register name")?;
            let count = if self.accept(b'<') {
                let count = self.integer()?;
                self.expect(b'>')?;
                let count = u32::try_from(count).map_err(|_| name.at.parse("there are too many registers"))?;
                Some(count)
            } else {
                None
            };
            self.vectors.declare(name.text, elements, count);
            all.push(Registers { name: name.text, ty, elements, count, at: name.at });
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b';')?;
        Ok(all)
    }

    /// Parses the rest of a declaration after the state space: type, name and dimensions, but not the initialiser.
    pub(super) fn variable(&mut self, space: Space, depth_of_params: bool) -> Result<Variable<'a>, LoadError> {
        let (mut align, mut lanes, mut ty) = (None, 1u64, None);
        let at = self.at();
        while self.peek().kind == TokenKind::Word && self.peek().text.starts_with('.') {
            let token = self.next();
            match token.text {
                ".align" => align = Some(self.integer()?),
                ".v2" => lanes = 2,
                ".v4" => lanes = 4,
                ".v8" => lanes = 8,
                ".attribute" => self.attribute()?,
                ".ptr" | ".global" | ".const" | ".shared" | ".local" if depth_of_params => {}
                ".pred" if space == Space::Register => ty = Some("pred"),
                word if type_bytes(&word[1..]).is_some() => ty = Some(&word[1..]),
                word => return Err(token.at.unsupported(format!("`{word}` in a declaration"))),
            }
        }
        let Some(ty) = ty else {
            return Err(at.parse("the declaration has no type"));
        };
        if lanes > 1 && space == Space::Param {
            return Err(at.parse("a parameter cannot be a vector; an aligned array of bytes can hold one"));
        }
        let element = type_bytes(ty).unwrap_or(1) * lanes;
        let align = align.unwrap_or(element);
        if !align.is_power_of_two() || align > 1 << 20 {
            return Err(at.parse(format!("the alignment {align} is not a power of two")));
        }
        self.declared(space, ty, element, align)
    }

    /// Parses a name and its dimensions.
    fn declared(&mut self, space: Space, ty: &'a str, element: u64, align: u64) -> Result<Variable<'a>, LoadError> {
        self.part()?;
        let name = self.word("a variable name")?;
        self.elements.insert(name.text, element);
        let mut bytes = element;
        while self.accept(b'[') {
            let extent = if self.peek().kind == TokenKind::Mark(b']') { 0 } else { self.integer()? };
            self.expect(b']')?;
            bytes = bytes
                .checked_mul(extent)
                .filter(|bytes| *bytes <= MAX_BYTES)
                .ok_or_else(|| name.at.parse(format!("the array `{}` is too large", name.text)))?;
        }
        if space == Space::Register {
            let elements = bytes / type_bytes(ty).unwrap_or(1);
            self.vectors.declare(name.text, elements.min(4) as u32, None);
        }
        let (init, relocations) = (Arc::default(), Vec::new());
        Ok(Variable { name: name.text, space, align, ty, bytes, init, relocations, at: name.at })
    }

    /// Parses a list of variables with their initialisers, from after the state space to the semicolon.
    pub(super) fn variables(&mut self, space: Space) -> Result<Vec<Variable<'a>>, LoadError> {
        let mut all = vec![self.variable(space, false)?];
        let (ty, align) = (all[0].ty, all[0].align);
        let element = type_bytes(ty).unwrap_or(1);
        loop {
            if let Some(variable) = all.last_mut()
                && self.accept(b'=')
            {
                if matches!(space, Space::Shared | Space::Local | Space::Param) {
                    return Err(variable
                        .at
                        .parse(format!("`{}` can have no initial value in its space", variable.name)));
                }
                if matches!(ty, "texref" | "samplerref" | "surfref") {
                    self.skip_braces()?;
                } else {
                    let mut init = Vec::new();
                    self.initialiser(ty, &mut init, &mut variable.relocations, 0)?;
                    variable.init = init.into();
                }
                let given = variable.init.len() as u64;
                if variable.bytes == 0 {
                    variable.bytes = given;
                } else if given > variable.bytes {
                    let what = format!("`{}` has {} bytes, its initial values {given}", variable.name, variable.bytes);
                    return Err(variable.at.parse(what));
                }
            }
            if !self.accept(b',') {
                break;
            }
            let next = self.declared(space, ty, element, align)?;
            all.push(next);
        }
        self.expect(b';')?;
        Ok(all)
    }

    /// Skips the initialiser of a texture or sampler.
    fn skip_braces(&mut self) -> Result<(), LoadError> {
        let at = self.at();
        while !self.accept(b'}') {
            if self.next().kind == TokenKind::End {
                return Err(at.parse("the initialiser is not closed"));
            }
        }
        Ok(())
    }

    fn initialiser(
        &mut self,
        ty: &str,
        out: &mut Vec<u8>,
        relocations: &mut Vec<Relocation<'a>>,
        depth: u32,
    ) -> Result<(), LoadError> {
        if self.accept(b'{') {
            if depth > 8 {
                return Err(self.at().parse("the initialiser is nested too deeply"));
            }
            while !self.accept(b'}') {
                self.initialiser(ty, out, relocations, depth + 1)?;
                if !self.accept(b',') {
                    self.expect(b'}')?;
                    break;
                }
            }
            return Ok(());
        }
        let at = self.at();
        let width = type_bytes(ty).unwrap_or(1).min(8) as usize;
        let token = self.peek();
        if token.kind == TokenKind::Word && !self.constant_follows() {
            if width < 4 {
                return Err(at.unsupported("an address in a variable of less than 32 bits"));
            }
            self.part()?;
            let (name, plus) = self.symbol()?;
            relocations.push(Relocation { at: out.len() as u64, name, plus, bytes: width as u32, from: 0 });
            out.extend_from_slice(&[0; 8][..width]);
            return Ok(());
        }
        if self.look(1).kind == TokenKind::Mark(b'(') {
            // `0xFF00(name)`: some bytes of an address, as in packed structures.
            let Operand::Int(mask) = self.signed_number()? else {
                return Err(at.parse("the part of an address must be a whole number"));
            };
            let from = (mask.trailing_zeros() / 8).min(7);
            if mask != u64::MAX >> (64 - 8 * width) << (8 * from) {
                return Err(at.unsupported(format!("the part {mask:#x} of an address in {} bits", 8 * width)));
            }
            self.expect(b'(')?;
            let (name, plus) = self.symbol()?;
            self.expect(b')')?;
            relocations.push(Relocation { at: out.len() as u64, name, plus, bytes: width as u32, from });
            out.extend_from_slice(&[0; 8][..width]);
            return Ok(());
        }
        let whole = !matches!(ty, "f16" | "bf16" | "f32" | "f64");
        let bits = match self.constant()? {
            Operand::Int(value) if ty == "f32" => (value as i64 as f32).to_bits().into(),
            Operand::Int(value) if ty == "f64" => (value as i64 as f64).to_bits(),
            Operand::Int(value) => value,
            Operand::F32(bits) if ty == "f64" => f64::from(f32::from_bits(bits)).to_bits(),
            Operand::F32(_) | Operand::F64(_) if whole && !ty.starts_with('b') => {
                return Err(at.parse(format!("a number with a fraction in a variable of type `.{ty}`")));
            }
            Operand::F32(bits) => bits.into(),
            Operand::F64(bits) if ty == "f32" => (f64::from_bits(bits) as f32).to_bits().into(),
            Operand::F64(bits) => bits,
            _ => return Err(at.unsupported("an initialiser that is not a number")),
        };
        out.extend_from_slice(&bits.to_le_bytes()[..width]);
        Ok(())
    }

    /// Skips the list after `.attribute`. It states where the host keeps a variable, which has no effect here.
    pub(super) fn attribute(&mut self) -> Result<(), LoadError> {
        self.expect(b'(')?;
        loop {
            let token = self.word("an attribute")?;
            if !matches!(token.text, ".managed" | ".unified") {
                return Err(token.at.unsupported(format!("the attribute `{}`", token.text)));
            }
            if self.accept(b'(') {
                self.integer()?;
                while self.accept(b',') {
                    self.integer()?;
                }
                self.expect(b')')?;
            }
            if !self.accept(b',') {
                return self.expect(b')');
            }
        }
    }

    /// Parses `name`, `name+4`, `generic(name)` or `generic(name)+4`.
    fn symbol(&mut self) -> Result<(&'a str, i64), LoadError> {
        let mut name = self.word("a name")?.text;
        if name == "generic" && self.accept(b'(') {
            name = self.word("a name")?.text;
            self.expect(b')')?;
        }
        if self.peek().kind == TokenKind::Mark(b'-') || self.accept(b'+') {
            return Ok((name, self.whole_constant("an offset")?));
        }
        Ok((name, 0))
    }

    /// Parses a non-negative integer.
    pub(super) fn integer(&mut self) -> Result<u64, LoadError> {
        let at: At = self.at();
        match self.signed_number()? {
            Operand::Int(value) if value <= i64::MAX as u64 => Ok(value),
            _ => Err(at.parse("expected a whole number, 0 or greater")),
        }
    }
}
