//! The two ways to evaluate: in 64-bit integers and in `f64`.

use super::{ExprError, Function, Node, Operator};
use crate::sentence;

fn unknown(name: &str) -> ExprError {
    ExprError::eval(sentence!("expr-no-name", name))
}

pub(super) fn integer(node: &Node, variable: &dyn Fn(&str) -> Option<i64>) -> Result<i64, ExprError> {
    let overflow = || ExprError::eval(sentence!("expr-overflow"));
    Ok(match node {
        Node::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => *number as i64,
        Node::Number(number) => return Err(ExprError::eval(sentence!("expr-not-whole", number = number.to_string()))),
        Node::Variable(name) => variable(name).ok_or_else(|| unknown(name))?,
        Node::Negate(inner) => integer(inner, variable)?.checked_neg().ok_or_else(overflow)?,
        Node::Not(inner) => (integer(inner, variable)? == 0).into(),
        // As in C, the second operand counts only if the first does not decide.
        Node::Binary(Operator::OrElse, left, right) => {
            (integer(left, variable)? != 0 || integer(right, variable)? != 0).into()
        }
        Node::Binary(Operator::AndAlso, left, right) => {
            (integer(left, variable)? != 0 && integer(right, variable)? != 0).into()
        }
        Node::Binary(operator, left, right) => {
            let (left, right) = (integer(left, variable)?, integer(right, variable)?);
            let shift = u32::try_from(right).ok();
            match operator {
                Operator::Or => Some(left | right),
                Operator::Xor => Some(left ^ right),
                Operator::And => Some(left & right),
                Operator::ShiftLeft => shift.and_then(|by| left.checked_mul(1i64.checked_shl(by).filter(|_| by < 63)?)),
                Operator::ShiftRight => shift.and_then(|by| left.checked_shr(by)),
                Operator::Add => left.checked_add(right),
                Operator::Subtract => left.checked_sub(right),
                Operator::Multiply => left.checked_mul(right),
                Operator::Divide => left.checked_div(right),
                Operator::Remainder => left.checked_rem(right),
                comparison => comparison.compare(&left, &right).map(i64::from),
            }
            .ok_or_else(overflow)?
        }
        Node::Call(function, arguments) => {
            let values = arguments.iter().map(|a| integer(a, variable)).collect::<Result<Vec<_>, _>>()?;
            match (function, values.as_slice()) {
                (Function::Min, [a, b]) => Some(*a.min(b)),
                (Function::Max, [a, b]) => Some(*a.max(b)),
                (Function::Ceil | Function::Floor, [a]) => Some(*a),
                (Function::Gcd, [a, b]) => i64::try_from(gcd(a.unsigned_abs(), b.unsigned_abs())).ok(),
                (Function::Pow, [a, b]) => u32::try_from(*b).ok().and_then(|b| a.checked_pow(b)),
                (Function::CeilDiv, [a, b]) if *b > 0 => a.checked_add(b - 1).map(|sum| sum.div_euclid(*b)),
                _ => None,
            }
            .ok_or_else(overflow)?
        }
    })
}

/// Evaluates in `f64`. Every intermediate result must be finite: `min(1 / 0, 3)` is an error, not 3.
pub(super) fn real(node: &Node, variable: &dyn Fn(&str) -> Option<f64>) -> Result<f64, ExprError> {
    let value = match node {
        Node::Number(number) => *number,
        Node::Variable(name) => variable(name).ok_or_else(|| unknown(name))?,
        Node::Negate(inner) => -real(inner, variable)?,
        Node::Not(_) | Node::Binary(Operator::OrElse | Operator::AndAlso, ..) => {
            return Err(ExprError::eval(sentence!("expr-bits")));
        }
        Node::Binary(operator, left, right) => {
            let (left, right) = (real(left, variable)?, real(right, variable)?);
            match operator {
                Operator::Add => left + right,
                Operator::Subtract => left - right,
                Operator::Multiply => left * right,
                Operator::Divide => left / right,
                Operator::Remainder => left % right,
                other => {
                    let holds = other.compare(&left, &right);
                    holds.map(f64::from).ok_or_else(|| ExprError::eval(sentence!("expr-bits")))?
                }
            }
        }
        Node::Call(function, arguments) => {
            let values = arguments.iter().map(|a| real(a, variable)).collect::<Result<Vec<_>, _>>()?;
            match (function, values.as_slice()) {
                (Function::Min, [a, b]) => a.min(*b),
                (Function::Max, [a, b]) => a.max(*b),
                (Function::Ceil, [a]) => a.ceil(),
                (Function::Floor, [a]) => a.floor(),
                (Function::Gcd, [a, b]) => gcd(a.abs() as u64, b.abs() as u64) as f64,
                (Function::Pow, [a, b]) => a.powf(*b),
                (Function::CeilDiv, [a, b]) => (a / b).ceil(),
                _ => return Err(ExprError::eval(sentence!("expr-wrong-count"))),
            }
        }
    };
    if value.is_finite() { Ok(value) } else { Err(ExprError::eval(sentence!("expr-not-finite"))) }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
