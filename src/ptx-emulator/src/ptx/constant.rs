//! Constant expressions, as in C: `(1 << 4) | 3`, `-(1.5)`, `1 > 2 ? 3 : 4`.

use super::ast::Operand;
use super::lex::TokenKind;
use super::literal::number;
use super::parse::Parser;
use crate::LoadError;

/// Maximum nesting depth of parentheses, signs and conditional operators.
const MAX_DEPTH: u32 = 32;

#[derive(Debug, Clone, Copy)]
enum Value {
    Signed(i64),
    Unsigned(u64),
    Real(f64),
    /// A `0f…` literal. Every operation converts it to a [`Value::Real`].
    Single(u32),
}

/// Binary operators with their precedence, the lowest first. `||` comes before `|`, because the first match wins.
const OPERATORS: [(&str, u32); 18] = [
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<<", 8),
    (">>", 8),
    ("<=", 7),
    (">=", 7),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

impl<'a> Parser<'a> {
    /// True if the next token begins a number or a constant expression.
    pub(super) fn constant_follows(&self) -> bool {
        let starts = |text: &str| text.strip_prefix('.').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit());
        let (token, after) = (self.peek(), self.look(1));
        match token.kind {
            TokenKind::Word => starts(token.text),
            TokenKind::Mark(b'+' | b'-' | b'~' | b'!' | b'(') => match after.kind {
                TokenKind::Word => {
                    starts(after.text) || token.kind == TokenKind::Mark(b'(') && after.text.starts_with('.')
                }
                TokenKind::Mark(mark) => matches!(mark, b'+' | b'-' | b'~' | b'!' | b'('),
                _ => false,
            },
            _ => false,
        }
    }

    pub(super) fn constant(&mut self) -> Result<Operand<'a>, LoadError> {
        Ok(match self.choice(0)? {
            Value::Signed(value) => Operand::Int(value as u64),
            Value::Unsigned(value) => Operand::Int(value),
            Value::Single(bits) => Operand::F32(bits),
            Value::Real(value) => Operand::F64(value.to_bits()),
        })
    }

    /// Parses a constant expression that must be an integer, for example an offset.
    pub(super) fn whole_constant(&mut self, what: &str) -> Result<i64, LoadError> {
        let at = self.at();
        match self.constant()? {
            Operand::Int(value) => Ok(value as i64),
            _ => Err(at.parse(format!("{what} must be a whole number"))),
        }
    }

    fn choice(&mut self, depth: u32) -> Result<Value, LoadError> {
        if depth > MAX_DEPTH {
            return Err(self.at().parse("the expression is nested too deeply"));
        }
        let condition = self.binary(0, depth)?;
        if !self.accept(b'?') {
            return Ok(condition);
        }
        let yes = self.choice(depth + 1)?;
        self.expect(b':')?;
        let no = self.choice(depth + 1)?;
        Ok(if is_true(condition) { yes } else { no })
    }

    /// Parses a chain of binary operators with a precedence of at least `least`.
    fn binary(&mut self, least: u32, depth: u32) -> Result<Value, LoadError> {
        let mut left = self.unary(depth)?;
        while let Some((operator, tightness)) = self.operator().filter(|(_, tightness)| *tightness >= least) {
            let at = self.at();
            for _ in 0..operator.len() {
                self.next();
            }
            let right = self.binary(tightness + 1, depth)?;
            left = apply(operator, left, right).map_err(|why| at.parse(why))?;
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(&'static str, u32)> {
        let (first, second) = (self.peek(), self.look(1));
        OPERATORS.into_iter().find(|(operator, _)| {
            let (one, two) = operator.split_at(1);
            // The lexer returns a single `%` as a word, because register names begin with it.
            let fits = first.text == one && (matches!(first.kind, TokenKind::Mark(_)) || one == "%");
            fits && (two.is_empty() || second.text == two && matches!(second.kind, TokenKind::Mark(_)))
        })
    }

    fn unary(&mut self, depth: u32) -> Result<Value, LoadError> {
        if depth > MAX_DEPTH {
            return Err(self.at().parse("the expression is nested too deeply"));
        }
        let token = self.peek();
        let TokenKind::Mark(mark) = token.kind else { return self.number() };
        let whole = |value: Value| match value {
            Value::Signed(value) => Ok((value as u64, true)),
            Value::Unsigned(value) => Ok((value, false)),
            _ => Err(token.at.parse(format!("`{}` takes a whole number", token.text))),
        };
        match mark {
            b'(' => {
                self.next();
                let cast = Some(self.peek().text).filter(|text| matches!(*text, ".s64" | ".u64"));
                if let Some(cast) = cast {
                    self.next();
                    self.expect(b')')?;
                    let (bits, _) = whole(self.unary(depth + 1)?)?;
                    return Ok(if cast == ".u64" { Value::Unsigned(bits) } else { Value::Signed(bits as i64) });
                }
                let value = self.choice(depth + 1)?;
                self.expect(b')')?;
                Ok(value)
            }
            b'+' => {
                self.next();
                self.unary(depth + 1)
            }
            b'-' => {
                self.next();
                Ok(match self.unary(depth + 1)? {
                    Value::Signed(value) => Value::Signed(value.wrapping_neg()),
                    Value::Unsigned(value) => Value::Unsigned(value.wrapping_neg()),
                    Value::Single(bits) => Value::Single(bits ^ 1 << 31),
                    Value::Real(value) => Value::Real(-value),
                })
            }
            b'~' => {
                self.next();
                let (bits, signed) = whole(self.unary(depth + 1)?)?;
                Ok(if signed { Value::Signed(!bits as i64) } else { Value::Unsigned(!bits) })
            }
            b'!' => {
                self.next();
                Ok(Value::Signed(i64::from(!is_true(self.unary(depth + 1)?))))
            }
            _ => self.number(),
        }
    }

    fn number(&mut self) -> Result<Value, LoadError> {
        let token = self.word("a number")?;
        if !token.text.strip_prefix('.').unwrap_or(token.text).starts_with(|c: char| c.is_ascii_digit()) {
            return Err(token.at.unsupported(format!("`{}` where a number is expected", token.text)));
        }
        Ok(match number(token.text, token.at)? {
            Operand::F32(bits) => Value::Single(bits),
            Operand::F64(bits) => Value::Real(f64::from_bits(bits)),
            Operand::Int(value) if token.text.ends_with(['U', 'u']) || i64::try_from(value).is_err() => {
                Value::Unsigned(value)
            }
            Operand::Int(value) => Value::Signed(value as i64),
            _ => return Err(token.at.parse(format!("`{}` is not a number", token.text))),
        })
    }
}

fn is_true(value: Value) -> bool {
    match value {
        Value::Signed(value) => value != 0,
        Value::Unsigned(value) => value != 0,
        Value::Real(value) => value != 0.0,
        Value::Single(bits) => f32::from_bits(bits) != 0.0,
    }
}

fn real(value: Value) -> f64 {
    match value {
        Value::Signed(value) => value as f64,
        Value::Unsigned(value) => value as f64,
        Value::Real(value) => value,
        Value::Single(bits) => f32::from_bits(bits).into(),
    }
}

fn apply(operator: &str, left: Value, right: Value) -> Result<Value, String> {
    let truth = |yes: bool| Ok(Value::Signed(i64::from(yes)));
    match (operator, left, right) {
        ("&&", ..) => truth(is_true(left) && is_true(right)),
        ("||", ..) => truth(is_true(left) || is_true(right)),
        // The assembler computes the remainder unsigned, but the quotient signed.
        ("%", Value::Signed(a), Value::Signed(b)) => unsigned(operator, a as u64, b as u64),
        (_, Value::Signed(a), Value::Signed(b)) => signed(operator, a, b),
        (_, Value::Signed(a), Value::Unsigned(b)) if matches!(operator, "<<" | ">>") => {
            signed(operator, a, i64::try_from(b).unwrap_or(64))
        }
        (_, Value::Signed(_) | Value::Unsigned(_), Value::Signed(_) | Value::Unsigned(_)) => {
            let bits = |value| match value {
                Value::Signed(value) => value as u64,
                Value::Unsigned(value) => value,
                Value::Real(_) | Value::Single(_) => 0,
            };
            unsigned(operator, bits(left), bits(right))
        }
        _ => {
            let (a, b) = (real(left), real(right));
            match operator {
                "==" => truth(a == b),
                "!=" => truth(a != b),
                "<=" => truth(a <= b),
                ">=" => truth(a >= b),
                "<" => truth(a < b),
                ">" => truth(a > b),
                "+" => Ok(Value::Real(a + b)),
                "-" => Ok(Value::Real(a - b)),
                "*" => Ok(Value::Real(a * b)),
                "/" => Ok(Value::Real(a / b)),
                _ => Err(format!("`{operator}` takes whole numbers")),
            }
        }
    }
}

fn signed(operator: &str, a: i64, b: i64) -> Result<Value, String> {
    let shift = u32::try_from(b).unwrap_or(64).min(64);
    Ok(Value::Signed(match operator {
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "<<" => a.checked_shl(shift).unwrap_or(0),
        ">>" => a >> shift.min(63),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        _ if b == 0 => return Err("a division by zero".to_owned()),
        _ => a.wrapping_div(b),
    }))
}

fn unsigned(operator: &str, a: u64, b: u64) -> Result<Value, String> {
    let shift = u32::try_from(b).unwrap_or(64).min(64);
    let truth = |yes: bool| Ok(Value::Signed(i64::from(yes)));
    Ok(Value::Unsigned(match operator {
        "==" => return truth(a == b),
        "!=" => return truth(a != b),
        "<=" => return truth(a <= b),
        ">=" => return truth(a >= b),
        "<" => return truth(a < b),
        ">" => return truth(a > b),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "<<" => a.checked_shl(shift).unwrap_or(0),
        ">>" => a.checked_shr(shift).unwrap_or(0),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        _ if b == 0 => return Err("a division by zero".to_owned()),
        "/" => a / b,
        _ => a % b,
    }))
}
