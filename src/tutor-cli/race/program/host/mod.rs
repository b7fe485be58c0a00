/*! Runs the host part of a program, as far as its values are known, to read the launches.

It follows `main` statement by statement: integers, `dim3`, sizes of `cudaMalloc`, calls of the file's own functions. CUDA's
functions succeed. A value from anywhere else is unknown. If a condition is unknown, both branches run, and what they
leave different is unknown afterwards. A branch that ends the program is then not taken. Loops are limited.
*/

mod calls;
mod classes;
mod expressions;
mod library;
mod postfix;
mod reader;
mod statements;

use super::items::{Item, Kind as ItemKind, Parameter, parameters};
use super::tokens::{Kind, Macros, Token, angles, closing, expanded, joined, split};
use super::value::{Value, size_of};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use classes::Member;
use library::{arguments_text, array, decayed, inner, is_vector, list};
use reader::{Reader, character, number};
use statements::uses_gpu;

/// `cudaLaunchAttributeProgrammaticStreamSerialization` in CUDA's headers.
const PROGRAMMATIC: i64 = 6;
/// The member of the attribute's value.
const ALLOWED: &str = "programmaticStreamSerializationAllowed";

/// Maximum number of launches, of iterations of a loop, and of statements and loops in all.
const MAX_LAUNCHES: usize = 64;
const MAX_ITERATIONS: usize = 1 << 12;
const MAX_STEPS: usize = 1 << 19;
/// Maximum number of statements in a loop that launches nothing.
const MAX_IDLE: usize = 1 << 14;
const MAX_DEPTH: usize = 24;
/// Maximum number of elements of an array that are followed.
const MAX_ELEMENTS: usize = 1 << 12;

/// The initial contents of a buffer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Contents {
    /// Nothing is copied into it.
    Zeros,
    /// The program copies something unknown into it.
    Copied,
    /// These bytes again and again.
    Bytes(Vec<u8>),
    /// Those of a variable of the GPU, such as `__constant__ float taps[9]`.
    Variable,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Buffer {
    pub(crate) name: String,
    pub(crate) bytes: Option<i64>,
    pub(crate) contents: Contents,
    /// The variable with what the host writes into managed memory.
    mirror: Option<usize>,
}

/// An argument: its value, and its text in the source.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Argument {
    pub(crate) value: Value,
    pub(crate) text: String,
}

/// A launch, with what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Launch {
    /// The kernel with its template arguments.
    pub(crate) kernel: String,
    /// A C++ expression for it, if the compiler would not compile it otherwise.
    pub(crate) expression: Option<String>,
    /// Byte in the file, and the first token of the file.
    pub(crate) at: usize,
    pub(crate) file: usize,
    /// The header with the launch (empty for the file itself), and its line there.
    pub(crate) header: String,
    pub(crate) line: usize,
    pub(crate) grid: Value,
    pub(crate) block: Value,
    pub(crate) shared: Value,
    pub(crate) cooperative: bool,
    /// True if it may start before the launch before it has ended, and the host does nothing between the two.
    pub(crate) dependent: bool,
    pub(crate) args: Vec<Argument>,
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    Launch(Launch),
    /// `cudaMemset`, or a copy into a buffer that a launch has used: bytes of the buffer get this pattern, again and again.
    /// `None` is not known.
    Set {
        buffer: usize,
        offset: i64,
        bytes: i64,
        pattern: Option<Vec<u8>>,
    },
}

#[derive(Debug, Clone, PartialEq)]
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
    Goto(String),
    /// The program ends.
    Exit,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Variable {
    ty: String,
    value: Value,
}

/// The value of an expression, its type, and the variable with it.
#[derive(Default, Clone)]
struct Out {
    value: Value,
    ty: String,
    place: Option<(usize, Vec<String>)>,
    /// What `&` returns, if that is not a variable's address.
    address: Option<Value>,
}

impl Out {
    fn of(value: Value, ty: impl Into<String>) -> Self {
        Self { value, ty: ty.into(), ..Self::default() }
    }
}

impl From<Value> for Out {
    fn from(value: Value) -> Self {
        Self { value, ..Self::default() }
    }
}

type Tokens<'t, 'a> = &'t [Token<'a>];
type Declared<'t, 'a> = (Tokens<'t, 'a>, &'t Item<'a>);

pub(super) struct Host<'t, 'a> {
    tokens: &'t HashMap<&'a str, Vec<Declared<'t, 'a>>>,
    macros: &'t Macros<'a>,
    /// The functions that use the GPU, or call one that does.
    launching: HashSet<&'a str>,
    /// The members of classes that were looked up, by the type and the name.
    members: RefCell<HashMap<(String, String), Option<Member<'t, 'a>>>>,
    bodies: HashMap<usize, Arc<Vec<Token<'a>>>>,
    variables: Vec<Variable>,
    scopes: Vec<HashMap<String, usize>>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) steps: Vec<Step>,
    /// Arguments of the program's command line. `None` if they are not known.
    arguments: Option<Vec<String>>,
    depth: usize,
    spent: usize,
    exits: bool,
    /// State of `rand`.
    random: u32,
    /// Number of variables that an address may name.
    pinned: usize,
    /// True if the next launch may overlap the last one, and if the host has done something since the last one that orders them.
    dependent: bool,
    ordered: bool,
    /// The streams of the last launches, which may all run at the same time.
    streams: Vec<i64>,
    /// Number of streams that were created.
    created: i64,
    /// The value of `spent` at which the current loop ends.
    allowance: usize,
    /// When to give up.
    ends: Instant,
    /// The file of the function that runs.
    file: Tokens<'t, 'a>,
    /// The first token of the file, and the byte in it, of the last statement that ran.
    pub(super) last: (usize, usize),
    /// The same of each launch that was reached.
    pub(super) reached: HashSet<(usize, usize)>,
    lambdas: Vec<Arc<Lambda<'a>>>,
}

/// The parameters and the body of a lambda.
struct Lambda<'a> {
    parameters: Vec<Token<'a>>,
    body: Vec<Token<'a>>,
}

/// Finds the functions that use the GPU, or call one that does.
fn launching<'a>(index: &HashMap<&'a str, Vec<Declared<'_, 'a>>>, macros: &Macros<'a>) -> HashSet<&'a str> {
    let mut callers: HashMap<&'a str, Vec<&'a str>> = HashMap::new();
    let mut waiting = Vec::new();
    for (tokens, item) in index.values().flatten().filter(|(_, item)| item.is_followed()) {
        for word in &tokens[item.body.clone()] {
            let hidden = macros.get(word.text).is_some_and(|found| found.body.iter().any(uses_gpu));
            if hidden || uses_gpu(word) {
                waiting.push(item.name);
            } else if index.contains_key(word.text) {
                callers.entry(word.text).or_default().push(item.name);
            }
        }
    }
    let mut found = HashSet::new();
    while let Some(name) = waiting.pop() {
        if found.insert(name) {
            waiting.extend(callers.remove(name).unwrap_or_default());
        }
    }
    found
}

/// Evaluates an integer constant expression, in which unknown names are 0.
pub(super) fn constant(tokens: Tokens) -> Option<i64> {
    let (none, macros) = (HashMap::new(), Macros::new());
    let mut host = Host::new(&none, &macros, None, Instant::now() + Duration::from_secs(1));
    host.scopes[0].insert(String::new(), 0);
    host.value(tokens).int()
}

impl<'t, 'a> Host<'t, 'a> {
    pub(super) fn new(
        tokens: &'t HashMap<&'a str, Vec<Declared<'t, 'a>>>,
        macros: &'t Macros<'a>,
        arguments: Option<Vec<String>>,
        ends: Instant,
    ) -> Self {
        Self {
            tokens,
            macros,
            launching: launching(tokens, macros),
            members: RefCell::default(),
            bodies: HashMap::new(),
            variables: Vec::new(),
            scopes: vec![HashMap::new()],
            buffers: Vec::new(),
            steps: Vec::new(),
            arguments,
            depth: 0,
            spent: 0,
            exits: false,
            random: 1,
            pinned: 0,
            dependent: false,
            ordered: true,
            streams: Vec::new(),
            created: 0,
            allowance: usize::MAX,
            ends,
            file: &[],
            last: (0, 0),
            reached: HashSet::new(),
            lambdas: Vec::new(),
        }
    }

    /// True if names that are not declared are 0, as in `#if`.
    fn in_directive(&self) -> bool {
        self.scopes[0].contains_key("")
    }

    /// Reads a declaration outside functions.
    pub(super) fn global(&mut self, tokens: Tokens<'_, 'a>) {
        let tokens = expanded(tokens, self.macros);
        if tokens.iter().any(|token| token.is("enum")) {
            self.enumerators(&tokens);
        } else {
            self.run(&tokens);
        }
    }

    fn enumerators(&mut self, tokens: Tokens<'_, 'a>) {
        let Some(open) = tokens.iter().position(|token| token.is("{")) else { return };
        let mut next = Value::Int(0);
        for part in split(&tokens[open + 1..closing(tokens, open)], ",") {
            let Some(name) = part.first() else { continue };
            let value = if part.len() > 2 { self.value(&part[2..]) } else { next };
            next = value.clone().binary("+", Value::Int(1));
            self.declare(name.text, "int", value);
        }
    }

    /// Calls a function that nothing in the file calls, with arguments that are not known.
    pub(super) fn enter(&mut self, item: &'t Item<'a>, tokens: Tokens<'t, 'a>) {
        let mut given = Vec::new();
        if item.name == "main" {
            let texts = self.arguments.clone();
            let count = texts.as_ref().map_or(Value::Unknown, |texts| Value::Int(texts.len() as i64 + 1));
            let name = Value::Text("program".to_owned());
            let texts = texts.map(|texts| texts.into_iter().map(Value::Text));
            let list = texts.map_or(Value::Unknown, |texts| list(std::iter::once(name).chain(texts).collect()));
            given = vec![count.into(), list.into()];
        }
        self.call((tokens, item), &given, &[], None);
        self.exits = false;
    }

    fn declare(&mut self, name: &str, ty: &str, value: Value) -> usize {
        let value = value.cast(ty);
        self.variables.push(Variable { ty: ty.to_owned(), value });
        let last = self.scopes.len() - 1;
        self.scopes[last].insert(name.to_owned(), self.variables.len() - 1);
        self.variables.len() - 1
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// Returns a type without qualifiers, with the names of template parameters replaced.
    fn ty(&self, tokens: Tokens) -> String {
        const QUALIFIERS: &str = "const volatile __restrict__ restrict __restrict struct class typename static constexpr register & && inline";
        let mut text = String::new();
        for (at, token) in tokens.iter().enumerate() {
            if token.is_in(QUALIFIERS) {
                continue;
            }
            let alias = self.find(token.text).map(|at| &self.variables[at]);
            let word = match alias.map(|variable| &variable.value) {
                // A parameter of a template that nothing calls.
                Some(Value::Unknown) if alias.is_some_and(|alias| alias.ty.is_empty()) => "?".to_owned(),
                Some(Value::Type(ty)) => ty.clone(),
                Some(Value::Int(n)) if at > 0 => n.to_string(),
                _ => token.text.to_owned(),
            };
            let blank = text.ends_with(char::is_alphanumeric) && word.starts_with(char::is_alphanumeric);
            text.push_str(if blank { " " } else { "" });
            text.push_str(&word);
        }
        match text.trim_start_matches("std::") {
            "unsigned long int" | "long unsigned int" => "unsigned long".to_owned(),
            "long int" => "long".to_owned(),
            "long long int" => "long long".to_owned(),
            "unsigned long long int" => "unsigned long long".to_owned(),
            "short int" => "short".to_owned(),
            other => other.to_owned(),
        }
    }

    /// Returns the size of a type, also of a structure of the file, with its members aligned.
    fn size(&self, ty: &str) -> Option<i64> {
        if let Some((base, rest)) = ty.split_once('[') {
            let counts: Option<Vec<i64>> = rest.split('[').map(|n| n.trim_end_matches(']').parse().ok()).collect();
            return self.size(base)?.checked_mul(counts?.iter().product());
        }
        size_of(ty).or_else(|| self.structure(ty).map(|(bytes, _)| bytes))
    }

    fn structure(&self, ty: &str) -> Option<(i64, i64)> {
        let (tokens, item) = self.tokens.get(ty)?.iter().find(|(_, item)| item.kind == ItemKind::Type)?;
        let (mut bytes, mut most) = (0i64, 1);
        for member in split(&tokens[item.body.clone()], ";").into_iter().filter(|member| !member.is_empty()) {
            let member = expanded(member, self.macros);
            if member.iter().any(|token| token.is("(") || token.is("static") || token.is("using") || token.is(":")) {
                return None;
            }
            let first = parameters(split(&member, ",").first()?);
            let ty = self.ty(first.first()?.ty);
            let (size, align) = match size_of(&ty) {
                Some(size) => (size, if size % 3 == 0 { size / 3 } else { size }),
                None => self.structure(&ty)?,
            };
            for name in split(&member, ",") {
                let mut count = 1;
                for (at, _) in name.iter().enumerate().filter(|(_, token)| token.is("[")) {
                    count *= constant(&expanded(&name[at + 1..closing(name, at)], self.macros)).filter(|n| *n > 0)?;
                }
                bytes = (bytes + align - 1) / align * align + size.checked_mul(count)?;
                most = most.max(align);
            }
        }
        Some(((bytes + most - 1) / most * most, most))
    }
}
