//! Parses a PTX text into a syntax tree that borrows from the text.

mod ast;
mod constant;
mod function;
mod lex;
mod literal;
mod operand;
mod parse;
mod targets;
mod variable;
mod vector;

pub(crate) use ast::*;
pub(crate) use parse::parse;
pub(crate) use variable::type_bytes;
