//! A recursive-descent parser.

use super::{ExprError, Function, Node, Operator};
use crate::sentence;
use crate::words::Sentence;

const MAX_DEPTH: u32 = 64;

const FUNCTIONS: [(&str, Function, usize); 7] = [
    ("min", Function::Min, 2),
    ("max", Function::Max, 2),
    ("ceil", Function::Ceil, 1),
    ("floor", Function::Floor, 1),
    ("gcd", Function::Gcd, 2),
    ("pow", Function::Pow, 2),
    ("ceil_div", Function::CeilDiv, 2),
];

/// Operators by precedence, lowest first, as in C.
const LEVELS: [&[(&str, Operator)]; 10] = [
    &[("||", Operator::OrElse)],
    &[("&&", Operator::AndAlso)],
    &[("|", Operator::Or)],
    &[("^", Operator::Xor)],
    &[("&", Operator::And)],
    &[("==", Operator::Equal), ("!=", Operator::NotEqual)],
    &[("<", Operator::Less), ("<=", Operator::LessOrEqual), (">", Operator::Greater), (">=", Operator::GreaterOrEqual)],
    &[("<<", Operator::ShiftLeft), (">>", Operator::ShiftRight)],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Remainder)],
];

/// Parses the whole text as one expression.
pub(super) fn whole(text: &str) -> Result<Node, ExprError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let root = parser.binary(0)?;
    parser.space();
    if parser.at < text.len() {
        return Err(parser.error(&sentence!("expr-want-operator")));
    }
    Ok(root)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn error(&self, what: &Sentence) -> ExprError {
        let found = self.text[self.at..].chars().next();
        let found = found.map_or_else(|| sentence!("expr-the-end"), |c| format!("`{}`", c.escape_debug()).into());
        ExprError { message: sentence!("expr-found", what, found), offset: Some(self.at) }
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// Takes the next operator if it is one of `operators`. `<` is not the operator at `<<`.
    fn operator(&mut self, operators: &[(&str, Operator)]) -> Option<Operator> {
        self.space();
        let rest = &self.text[self.at..];
        let here = LEVELS.into_iter().flatten().filter(|(token, _)| rest.starts_with(token));
        let (token, operator) = here.max_by_key(|(token, _)| token.len()).filter(|found| operators.contains(found))?;
        self.at += token.len();
        Some(*operator)
    }

    fn binary(&mut self, level: usize) -> Result<Node, ExprError> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(operators) {
            let right = self.binary(level + 1)?;
            left = Node::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Node, ExprError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(&sentence!("expr-too-deep")));
        }
        let node = if self.eat("-") {
            Node::Negate(Box::new(self.unary()?))
        } else if self.eat("!") {
            Node::Not(Box::new(self.unary()?))
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(node)
    }

    fn primary(&mut self) -> Result<Node, ExprError> {
        if self.eat("(") {
            let inner = self.binary(0)?;
            return if self.eat(")") { Ok(inner) } else { Err(self.error(&sentence!("expr-want-close"))) };
        }
        let rest = &self.text[self.at..];
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        if digits > 0 {
            let number = rest[..digits].parse().map_err(|_| self.error(&sentence!("expr-want-number")))?;
            self.at += digits;
            return Ok(Node::Number(number));
        }
        let letters = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        if letters == 0 {
            return Err(self.error(&sentence!("expr-want-value")));
        }
        let name = &rest[..letters];
        let start = self.at;
        self.at += letters;
        if !self.eat("(") {
            return Ok(Node::Variable(name.to_owned()));
        }
        let Some(&(_, function, arity)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
            return Err(ExprError { message: sentence!("expr-no-function", name), offset: Some(start) });
        };
        let mut arguments = vec![self.binary(0)?];
        while self.eat(",") {
            arguments.push(self.binary(0)?);
        }
        if !self.eat(")") {
            return Err(self.error(&sentence!("expr-want-more")));
        }
        if arguments.len() != arity {
            return Err(ExprError {
                message: sentence!("expr-arguments", name, takes = arity, given = arguments.len()),
                offset: Some(start),
            });
        }
        Ok(Node::Call(function, arguments))
    }
}
