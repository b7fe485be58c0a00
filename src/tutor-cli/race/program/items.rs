//! Finds the declarations of a file: kernels, functions of the GPU, functions of the host, and types.

use super::tokens::{Macros, Token, angles, closing, split};
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Kernel,
    /// A function that the GPU can call.
    Device,
    /// A function without `__device__` and `__global__`.
    Host,
    /// A class, structure, union or enumeration.
    Type,
    Other,
}

/// A declaration. Ranges are of tokens.
#[derive(Debug)]
pub(super) struct Item<'a> {
    pub(super) kind: Kind,
    pub(super) name: &'a str,
    /// The class or namespace of a function, if its name or the class around it tells one.
    pub(super) owner: &'a str,
    /// The namespaces around it, such as `a::b::`.
    pub(super) path: String,
    pub(super) tokens: Range<usize>,
    /// The parameters of a template, without angle brackets.
    pub(super) template: Range<usize>,
    /// The parameters of a function, without parentheses.
    pub(super) parameters: Range<usize>,
    /// The body, without braces. It is empty for a declaration.
    pub(super) body: Range<usize>,
    /// True if another file cannot name it, so that a compiler leaves it out if nothing here uses it.
    pub(super) hidden: bool,
}

impl Item<'_> {
    /// True if it is a function that the host can follow.
    pub(super) fn is_followed(&self) -> bool {
        matches!(self.kind, Kind::Host | Kind::Device) && self.body.start > self.tokens.start
    }
}

/// Words before parentheses that are not the parameters of a function.
const ATTRIBUTES: &str = "__launch_bounds__ __cluster_dims__ __maxnreg__ __block_size__ __align__ __attribute__ \
    __declspec alignas decltype noexcept";

/// Lists the declarations of a file, with the functions in its classes.
pub(super) fn items<'a>(tokens: &[Token<'a>], macros: &Macros<'a>) -> Vec<Item<'a>> {
    let mut found = Vec::new();
    Reader { tokens, macros, found: &mut found, depth: 0, path: String::new() }.scope(0..tokens.len(), "", false);
    found
}

struct Reader<'t, 'a> {
    tokens: &'t [Token<'a>],
    macros: &'t Macros<'a>,
    found: &'t mut Vec<Item<'a>>,
    /// How many namespaces and classes are around this place.
    depth: usize,
    /// The namespaces among them, such as `a::b::`.
    path: String,
}

/// Maximum number of namespaces and classes around a declaration that is read.
const MAX_SCOPES: usize = 64;

impl<'a> Reader<'_, 'a> {
    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    /// True if a word, or a macro that it names, contains this word.
    fn means(&self, word: &Token<'a>, wanted: &str) -> bool {
        let inside = || self.macros.get(word.text).is_some_and(|found| found.body.iter().any(|word| word.is(wanted)));
        word.is(wanted) || inside()
    }

    /// Reads the declarations of a file, or of the class with this name.
    fn scope(&mut self, range: Range<usize>, class: &'a str, hidden: bool) {
        self.depth += 1;
        let mut at = if self.depth > MAX_SCOPES { range.end } else { range.start };
        while at < range.end {
            let namespace = self.is(at, "namespace") || (self.is(at, "inline") && self.is(at + 1, "namespace"));
            let linkage = self.is(at, "extern") && self.tokens.get(at + 1).is_some_and(|text| text.text == "\"C\"");
            let brace = (at..range.end.min(at + 8)).find(|at| self.is(*at, "{"));
            let simple =
                |brace: &usize| (at..*brace).all(|at| !self.is(at, "(") && !self.is(at, ";") && !self.is(at, "="));
            if let Some(brace) = brace.filter(simple).filter(|brace| namespace || (linkage && *brace == at + 2)) {
                let end = closing(self.tokens, brace);
                let outer = self.path.len();
                let first = at + 1 + usize::from(self.is(at, "inline"));
                if namespace && first < brace {
                    self.path += &(super::tokens::joined(&self.tokens[first..brace]) + "::");
                }
                self.scope(brace + 1..end, "", hidden || (namespace && first == brace));
                self.path.truncate(outer);
                at = end + 1;
            } else if self.is(at, ";") || self.is(at, "}") {
                at += 1;
            } else if !class.is_empty() && self.is(at + 1, ":") {
                at += 2;
            } else {
                at = self.item(at..range.end, class, hidden);
            }
        }
        self.depth -= 1;
    }

    /// Returns `A` of `A::` and `A<T>::` at the end of these tokens.
    fn owner(&self, range: Range<usize>) -> &'a str {
        let mut depth = 0usize;
        for token in self.tokens[range].iter().rev() {
            match token.text {
                ">" => depth += 1,
                "<" => depth = depth.saturating_sub(1),
                _ if depth == 0 => return token.text,
                _ => {}
            }
        }
        ""
    }

    /// Reads one declaration, and returns its end.
    fn item(&mut self, range: Range<usize>, class: &'a str, hidden: bool) -> usize {
        let (start, mut at) = (range.start, range.start);
        let mut template = start..start;
        while self.is(at, "template") && self.is(at + 1, "<") {
            let Some(end) = angles(self.tokens, at + 1) else { break };
            (template, at) = (at + 2..end - 1, end);
        }
        let head = at;
        let (mut name, mut parameters, mut assigned, mut kind) = ("", start..start, false, None);
        let mut owner = class;
        let mut body = start..start;
        let end = loop {
            let Some(token) = self.tokens.get(at).filter(|_| at < range.end) else { break range.end };
            match token.text {
                ";" => break at + 1,
                "struct" | "class" | "union" | "enum" if kind.is_none() && parameters.is_empty() => kind = Some(at),
                "typedef" | "using" => assigned = true,
                "=" => assigned = true,
                "operator" if name.is_empty() => {
                    name = "operator";
                    // `operator()` has two pairs of parentheses.
                    at = (at + 1..range.end).find(|at| self.is(*at, "(")).unwrap_or(range.end);
                    at = if self.is(at + 1, ")") && self.is(at + 2, "(") { at + 2 } else { at };
                    let close = closing(self.tokens, at);
                    (parameters, at) = (at + 1..close, close);
                }
                "<" if at > head => at = angles(self.tokens, at).map_or(at, |end| end - 1),
                "(" => {
                    let close = closing(self.tokens, at);
                    let before = self.tokens[at.saturating_sub(1)];
                    let attribute = ATTRIBUTES.split_whitespace().any(|word| self.means(&before, word));
                    if !attribute && name.is_empty() && !assigned && at > head {
                        (name, parameters) = (before.text, at + 1..close);
                        let is = |back: usize, sign: &str| at >= back + head && self.is(at - back, sign);
                        if is(2, "~") {
                            name = "~";
                        } else if is(2, "::") {
                            owner = self.owner(head..at - 2);
                        }
                    }
                    at = close;
                }
                ":" if !name.is_empty() && !assigned => {
                    // The members that a constructor initialises, each with parentheses or braces.
                    while at < range.end {
                        at = (at + 1..range.end).find(|at| self.is(*at, "(") || self.is(*at, "{")).unwrap_or(range.end);
                        at = closing(self.tokens, at) + 1;
                        if !self.is(at, ",") {
                            break;
                        }
                    }
                    continue;
                }
                "{" => {
                    let close = closing(self.tokens, at);
                    let first = body.start == start && !assigned;
                    if first {
                        body = at + 1..close;
                    }
                    if first && !name.is_empty() {
                        break (close + 1).min(range.end);
                    }
                    at = close;
                }
                _ => {}
            }
            at += 1;
        };
        let function = !name.is_empty() && !assigned;
        let words = &self.tokens[head..if body.start > start { body.start } else { end }];
        let says = |wanted: &str| words.iter().any(|word| self.means(word, wanted));
        let hidden = hidden || says("static");
        let kept = ["constexpr", "consteval", "default", "delete"].into_iter().any(says);
        let kind = match kind {
            _ if says("__global__") => Kind::Kernel,
            _ if function && (says("__device__") || kept) => Kind::Device,
            _ if function => Kind::Host,
            Some(_) if body.start > start => Kind::Type,
            _ => Kind::Other,
        };
        if kind == Kind::Other && name.is_empty() {
            let at = words.iter().position(|word| ["=", ";", "[", "("].contains(&word.text)).unwrap_or(words.len());
            name = at.checked_sub(1).map_or("", |at| words[at].text);
        }
        if kind == Kind::Type {
            let named = words.iter().rev().find(|word| !word.is("{") && word.kind == super::tokens::Kind::Word);
            name = named.map_or("", |word| word.text);
            if let Some(colon) = words.iter().position(|word| word.is(":")).filter(|at| *at > 0) {
                name = words[colon - 1].text;
            }
            let inner = !words.iter().any(|word| word.is("enum"));
            if inner {
                self.scope(body.clone(), name, hidden);
            }
        }
        // Declarations in a class without a body do nothing.
        let path = self.path.clone();
        let item = Item { kind, name, owner, path, tokens: start..end, template, parameters, body, hidden };
        if class.is_empty() || item.is_followed() {
            self.found.push(item);
        }
        end
    }
}

/// A parameter of a function or template: its type, its name, and its default.
pub(super) struct Parameter<'t, 'a> {
    pub(super) ty: &'t [Token<'a>],
    pub(super) name: &'a str,
    pub(super) default: Option<&'t [Token<'a>]>,
}

impl Parameter<'_, '_> {
    /// True if it takes any number of arguments, such as `Args... args`.
    pub(super) fn is_pack(&self) -> bool {
        self.ty.iter().any(|token| token.is("..."))
    }
}

/// Splits a list of parameters.
pub(super) fn parameters<'t, 'a>(list: &'t [Token<'a>]) -> Vec<Parameter<'t, 'a>> {
    let one = |tokens: &'t [Token<'a>]| {
        let equal = tokens.iter().position(|token| token.is("="));
        let (declared, default) = equal.map_or((tokens, None), |at| (&tokens[..at], Some(&tokens[at + 1..])));
        let end = declared.iter().position(|token| token.is("[")).unwrap_or(declared.len());
        let last = declared[..end].last().filter(|last| end > 1 && last.kind == super::tokens::Kind::Word);
        let ty = &declared[..end - usize::from(last.is_some() && end > 0)];
        Parameter { ty, name: last.map_or("", |last| last.text), default }
    };
    split(list, ",").into_iter().filter(|part| !part.is_empty()).map(one).collect()
}
