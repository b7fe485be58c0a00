/*! Short arithmetic expressions in named variables: launch geometry, shared-memory indices, quiz formulas.

There is one grammar and two ways to evaluate. [`Expr::integer`] uses 64-bit integers with the rules of C: `/` and `%`
truncate, and shifts and bit operators are allowed. [`Expr::real`] uses `f64`. A comparison is 1 or 0. An expression has no loops and no side effects.
Its length and nesting are limited. Every overflow and every division by zero is an error.
```
use tutor_support::expr::Expr;
let bank = Expr::parse("(ty * 16 + 5) % 32")?;
assert_eq!(bank.integer(&|name| (name == "ty").then_some(3))?, 21);
# Ok::<(), tutor_support::expr::ExprError>(())
```
*/

mod evaluate;
mod parse;

use crate::sentence;
use crate::words::Sentence;

/// Maximum length of an expression, in bytes.
pub const MAX_LENGTH: usize = 512;

/// A parsed expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    root: Node,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Number(f64),
    Variable(String),
    Negate(Box<Node>),
    Not(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    Call(Function, Vec<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    OrElse,
    AndAlso,
    Or,
    Xor,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Operator {
    /// Compares two values; `None` if the operator is not a comparison.
    fn compare<T: PartialOrd>(self, left: &T, right: &T) -> Option<bool> {
        Some(match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Function {
    Min,
    Max,
    Ceil,
    Floor,
    Gcd,
    Pow,
    CeilDiv,
}

/// Why an expression cannot be read or evaluated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExprError {
    pub message: Sentence,
    /// Byte offset in the expression, if the expression cannot be parsed.
    pub offset: Option<usize>,
}

impl ExprError {
    fn eval(message: Sentence) -> Self {
        Self { message, offset: None }
    }
}

impl Expr {
    /// Parses an expression.
    ///
    /// # Errors
    /// If the text is not an expression, is too long, or is nested too deeply.
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        if text.len() > MAX_LENGTH {
            return Err(ExprError { message: sentence!("expr-too-long", most = MAX_LENGTH), offset: Some(MAX_LENGTH) });
        }
        Ok(Self { root: parse::whole(text)? })
    }

    /// Returns the names of the variables, in order of first occurrence.
    pub fn variables(&self) -> Vec<&str> {
        fn walk<'a>(node: &'a Node, names: &mut Vec<&'a str>) {
            match node {
                Node::Number(_) => {}
                Node::Variable(name) => {
                    if !names.contains(&name.as_str()) {
                        names.push(name);
                    }
                }
                Node::Negate(inner) | Node::Not(inner) => walk(inner, names),
                Node::Binary(_, left, right) => {
                    walk(left, names);
                    walk(right, names);
                }
                Node::Call(_, arguments) => arguments.iter().for_each(|argument| walk(argument, names)),
            }
        }
        let mut names = Vec::new();
        walk(&self.root, &mut names);
        names
    }

    /// Evaluates in integers. `/` and `%` truncate towards zero, as in C.
    ///
    /// # Errors
    /// If a variable is unknown, a number is not an integer, or the arithmetic overflows or divides by zero.
    pub fn integer(&self, variable: &dyn Fn(&str) -> Option<i64>) -> Result<i64, ExprError> {
        evaluate::integer(&self.root, variable)
    }

    /// Evaluates in `f64`.
    ///
    /// # Errors
    /// If a variable is unknown, a bit operator is used, or the result is not finite.
    pub fn real(&self, variable: &dyn Fn(&str) -> Option<f64>) -> Result<f64, ExprError> {
        evaluate::real(&self.root, variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Result<i64, ExprError> {
        Expr::parse(text)?.integer(&|name| match name {
            "lane" => Some(7),
            "k" => Some(-3),
            _ => None,
        })
    }

    #[test]
    fn precedence_is_that_of_c() {
        for (text, value) in [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("10 - 4 - 3", 3),
            ("1 << 2 + 1", 8),
            ("6 & 3 | 8", 10),
            ("lane ^ 1", 6),
            ("-lane + 1", -6),
            ("7 / 2 * 2", 6),
            ("k % 2", -1),
            ("ceil_div(33, 16)", 3),
            ("lane<16", 1),
            ("lane == 7 && !0", 1),
            ("lane & 1 == 0", 0),
            ("lane >= 8 || lane != 7 || 2 < 1 << 2", 1),
            ("lane <= 6 && 1 / 0", 0),
            ("!(lane > 6) | 4", 4),
            ("gcd(32, 17) + min(2, 3) + max(2, 3)", 6),
        ] {
            assert_eq!(int(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn faults_are_errors_and_never_panics() {
        for text in [
            "",
            "1 +",
            "(1",
            "1 2",
            "f(1)",
            "min(1)",
            "1 / 0",
            "1 % 0",
            "9007199254740991 * 9007199254740991",
            "1 << 63",
            "1 << -1",
            "nobody",
            "1.5",
            "é",
        ] {
            assert!(int(text).is_err(), "{text}");
        }
        assert!(int(&"(".repeat(500)).is_err());
        assert!(int(&"-".repeat(500)).is_err());
        assert!(int(&"1+".repeat(400)).is_err());
    }

    #[test]
    fn reals_divide_exactly_and_refuse_infinity() {
        let real = |text: &str| Expr::parse(text).and_then(|e| e.real(&|_| Some(16.0)));
        assert_eq!(real("2 * n / (8 * n) * n"), Ok(4.0));
        assert_eq!(real("ceil(100 / n)"), Ok(7.0));
        for text in ["1 / 0", "min(1 / 0, 3)", "1 / (1 / 0)", "max(0 / 0, 1)", "gcd(1 / 0, 2)", "pow(10, 400)", "n % 0"]
        {
            assert!(real(text).is_err(), "{text}");
        }
    }
}

#[cfg(test)]
mod properties {
    use super::*;
    use proptest::prelude::*;

    /// Generates a fully parenthesised expression, and its value in wide integers if it has one.
    fn expression() -> impl Strategy<Value = (String, Option<i128>)> {
        let leaf = prop_oneof![
            (0i128..100_000).prop_map(|n| (n.to_string(), Some(n))),
            Just(("lane".to_owned(), Some(7))),
            Just(("big".to_owned(), Some(i128::from(i64::MAX)))),
        ];
        leaf.prop_recursive(6, 40, 2, |inner| {
            let operator = prop::sample::select(vec!["+", "-", "*", "/", "%", "&", "|", "^"]);
            (inner.clone(), operator, inner).prop_map(|((a, x), operator, (b, y))| {
                let value = x.zip(y).and_then(|(x, y)| match operator {
                    "+" => Some(x + y),
                    "-" => Some(x - y),
                    "*" => Some(x * y),
                    "/" => x.checked_div(y),
                    "%" => x.checked_rem(y),
                    "&" => Some(x & y),
                    "|" => Some(x | y),
                    _ => Some(x ^ y),
                });
                // A step that does not fit in 64 bits is an error, so its wider value never matters.
                let fits = value.filter(|value| i64::try_from(*value).is_ok());
                (format!("({a} {operator} {b})"), fits)
            })
        })
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
            let _ = Expr::parse(&text);
        }

        #[test]
        fn text_that_looks_like_an_expression_never_panics(text in "[-+*/%&|^<>=!()., a-z0-9]{0,120}") {
            if let Ok(expr) = Expr::parse(&text) {
                let _ = expr.integer(&|_| Some(i64::MIN));
                let _ = expr.real(&|_| Some(f64::MAX));
                prop_assert!(expr.real(&|_| Some(0.5)).map_or(true, f64::is_finite));
            }
        }

        #[test]
        fn values_are_those_of_wide_integers((text, value) in expression()) {
            prop_assume!(text.len() <= MAX_LENGTH);
            let found = Expr::parse(&text).and_then(|expr| expr.integer(&|name| match name {
                "lane" => Some(7),
                "big" => Some(i64::MAX),
                _ => None,
            }));
            prop_assert_eq!(found.ok().map(i128::from), value, "{}", text);
        }

        #[test]
        fn precedence_needs_no_parentheses(a in 1i64..1000, b in 1i64..1000, c in 1i64..1000) {
            let value = |text: String| Expr::parse(&text).and_then(|expr| expr.integer(&|_| None));
            prop_assert_eq!(value(format!("{a} + {b} * {c}")), Ok(a + b * c));
            prop_assert_eq!(value(format!("{a} - {b} - {c}")), Ok(a - b - c));
            prop_assert_eq!(value(format!("{a} & {b} ^ {c}")), Ok((a & b) ^ c));
            prop_assert_eq!(value(format!("-{a} % {b}")), Ok(-a % b));
        }
    }
}
