//! The video instructions, scalar and parallel.

use super::alu::{refuse, take};
use super::draft::{Lowerer, Virtual};
use crate::LoadError;
use crate::arith::video;
use crate::arith::video::{Operation, Second, Video};
use crate::ptx::{Instruction, Operand};

fn operation(name: &str) -> Option<Operation> {
    Some(match name {
        "vadd" => Operation::Add,
        "vsub" => Operation::Sub,
        "vabsdiff" => Operation::AbsDiff,
        "vmin" => Operation::Min,
        "vmax" => Operation::Max,
        "vavrg" => Operation::Average,
        "vshl" => Operation::Left,
        "vshr" => Operation::Right,
        _ => return None,
    })
}

fn comparison(word: &str) -> Option<Operation> {
    Some(match word {
        "eq" => Operation::Eq,
        "ne" => Operation::Ne,
        "lt" => Operation::Lt,
        "le" => Operation::Le,
        "gt" => Operation::Gt,
        "ge" => Operation::Ge,
        _ => return None,
    })
}

/// A cursor over the modifiers of an instruction.
struct Words<'b>(&'b [&'b str]);

impl Words<'_> {
    fn accept(&mut self, word: &str) -> bool {
        let found = self.0.first() == Some(&word);
        self.0 = &self.0[usize::from(found)..];
        found
    }

    /// Takes a type. Returns true if it is signed.
    fn signed(&mut self) -> Option<bool> {
        if self.accept("u32") { Some(false) } else { self.accept("s32").then_some(true) }
    }

    fn next(&mut self) -> Option<&str> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }
}

/// Splits a register's name from the selector after it.
fn selected<'a>(operand: &Operand<'a>) -> Option<(Operand<'a>, &'a str)> {
    let Operand::Name(name) = operand else { return None };
    let (register, selector) = name.rsplit_once('.')?;
    Some((Operand::Name(register), selector))
}

/// Returns the part of a word that a selector names; see [`Video::parts`].
fn part(selector: &str) -> Option<u32> {
    ["b0", "b1", "b2", "b3", "h0", "h1"].iter().position(|known| *known == selector).map(|at| at as u32 + 1)
}

impl<'a> Lowerer<'a> {
    pub(super) fn video(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        if name == "vmad" {
            return self.video_multiply(m, i);
        }
        let stem = name.trim_end_matches(['2', '4']);
        let width = match &name[stem.len()..] {
            "2" => 16,
            "4" => 8,
            _ => 32,
        };
        let mut words = Words(m);
        let found = if stem == "vset" { Self::video_set(&mut words) } else { Self::video_types(stem, &mut words) };
        let Some(mut how) = found else { return refuse(i) };
        how.width = width;
        how.second = match words.next() {
            None => Second::None,
            Some("add") => Second::Add,
            Some("min") if width == 32 => Second::Min,
            Some("max") if width == 32 => Second::Max,
            Some(_) => return refuse(i),
        };
        // Accumulated results cannot be saturated.
        if !words.0.is_empty() || (width != 32 && how.sat && how.second != Second::None) {
            return refuse(i);
        }
        if width == 32 { self.video_one(how, i) } else { self.video_several(how, i) }
    }

    /// Parses types, saturation and the mode of shift amounts.
    fn video_types(stem: &str, words: &mut Words<'_>) -> Option<Video> {
        let operation = operation(stem)?;
        let signed = [words.signed()?, words.signed()?, words.signed()?];
        let sat = words.accept("sat");
        let shifts = matches!(operation, Operation::Left | Operation::Right);
        let wrap = shifts && words.accept("wrap");
        if shifts && (signed[2] || !wrap && !words.accept("clamp")) {
            return None;
        }
        Some(Video { operation, signed, sat, wrap, second: Second::None, width: 32, parts: [0; 3] })
    }

    /// Parses types and relation of `vset`, whose result is unsigned.
    fn video_set(words: &mut Words<'_>) -> Option<Video> {
        let signed = [false, words.signed()?, words.signed()?];
        let operation = comparison(words.next()?)?;
        Some(Video { operation, signed, sat: false, wrap: false, second: Second::None, width: 32, parts: [0; 3] })
    }

    /// Returns an operand and the part of it that is selected.
    fn video_source(&mut self, operand: &Operand<'a>, i: &Instruction<'a>) -> Result<(Virtual, u32), LoadError> {
        match selected(operand) {
            Some((register, selector)) => {
                let Some(part) = part(selector) else { return refuse(i) };
                Ok((self.source(&register, 32, i.at)?, part))
            }
            None => Ok((self.source(operand, 32, i.at)?, 0)),
        }
    }

    fn video_one(&mut self, mut how: Video, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (d, a, b, c) = match i.operands.as_slice() {
            [d, a, b] => (d, a, b, None),
            [d, a, b, c] => (d, a, b, Some(c)),
            _ => return Err(i.at.parse(format!("`{}` takes three or four operands", i.opcode))),
        };
        let merged = selected(d);
        let second = how.second != Second::None;
        // An unused operand `c` is allowed.
        if c.is_none() && (merged.is_some() || second) || merged.is_some() && second {
            return Err(i.at.parse(format!("`{}` has the wrong number of operands", i.opcode)));
        }
        let (a, from_a) = self.video_source(a, i)?;
        let (b, from_b) = self.video_source(b, i)?;
        let mut sources = vec![a, b];
        if let Some(c) = c {
            sources.push(self.source(c, 32, i.at)?);
        }
        let (d, to) = match &merged {
            Some((register, selector)) => (register, part(selector)),
            None => (d, Some(0)),
        };
        let Some(to) = to else { return refuse(i) };
        how.parts = [to, from_a, from_b];
        let d = self.destination(d, 32, i.at)?;
        self.scalar(video::one, how.pack(), d, &sources);
        Ok(())
    }

    fn video_several(&mut self, mut how: Video, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [d, a, b, c] = take(i)?;
        let letter = if how.width == 16 { 'h' } else { 'b' };
        let count = 32 / how.width;
        // Digits from the highest part to the lowest. Each is the index of a part in the two words.
        let digits = |selector: &str, most: u32| -> Option<Vec<u32>> {
            let digits: Option<Vec<u32>> =
                selector.strip_prefix(letter)?.chars().rev().map(|c| c.to_digit(10)).collect();
            digits.filter(|digits| digits.iter().all(|digit| *digit < most))
        };
        let (d, mask) = match selected(d) {
            Some((register, selector)) => {
                let ascending = |digits: &Vec<u32>| !digits.is_empty() && digits.is_sorted_by(|a, b| a < b);
                let Some(digits) = digits(selector, count).filter(ascending) else { return refuse(i) };
                (register, digits.iter().fold(0, |mask, digit| mask | 1 << digit))
            }
            None => (d.clone(), (1 << count) - 1),
        };
        let mut rows = Vec::new();
        let mut parts = [mask, 0, 0];
        for (at, operand) in [a, b].into_iter().enumerate() {
            let (operand, digits) = match selected(operand) {
                Some((register, selector)) => {
                    let whole = |digits: &Vec<u32>| digits.len() == count as usize;
                    let Some(digits) = digits(selector, 2 * count).filter(whole) else { return refuse(i) };
                    (register, digits)
                }
                None => (operand.clone(), (0..count).map(|part| part + at as u32 * count).collect()),
            };
            parts[at + 1] = digits.iter().enumerate().fold(0, |all, (at, digit)| all | digit << (4 * at));
            rows.push(self.source(&operand, 32, i.at)?);
        }
        rows.push(self.source(c, 32, i.at)?);
        how.parts = parts;
        let d = self.destination(&d, 32, i.at)?;
        self.scalar(video::several, how.pack(), d, &rows);
        Ok(())
    }

    /// `vmad`: a product plus a sum, either of which may be negated.
    fn video_multiply(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let mut words = Words(m);
        let (Some(_), Some(sa), Some(sb)) = (words.signed(), words.signed(), words.signed()) else { return refuse(i) };
        let plus_one = words.accept("po");
        let sat = words.accept("sat");
        let shift = match words.next() {
            None => 0,
            Some("shr7") => 7,
            Some("shr15") => 15,
            Some(_) => return refuse(i),
        };
        if !words.0.is_empty() {
            return refuse(i);
        }
        let [d, a, b, c] = take(i)?;
        let negated = |operand: &Operand<'a>| match operand {
            Operand::Negative(name) => (Operand::Name(name), true),
            other => (other.clone(), false),
        };
        let ((a, minus_a), (b, minus_b), (c, minus_c)) = (negated(a), negated(b), negated(c));
        if plus_one && (minus_a || minus_b || minus_c) || (minus_a != minus_b) && minus_c {
            return refuse(i);
        }
        let (a, from_a) = self.video_source(&a, i)?;
        let (b, from_b) = self.video_source(&b, i)?;
        let c = self.source(&c, 32, i.at)?;
        let minus = minus_a != minus_b;
        let flags = [sa, sb, sa || sb || minus || minus_c, minus, minus_c, plus_one, sat];
        let spec = flags.iter().enumerate().fold(0, |all, (at, flag)| all | u64::from(*flag) << at)
            | shift << 8
            | u64::from(from_a) << 16
            | u64::from(from_b) << 20;
        let d = self.destination(d, 32, i.at)?;
        self.scalar(video::multiply_add, spec, d, &[a, b, c]);
        Ok(())
    }
}
