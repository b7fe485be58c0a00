//! Parses modules and function bodies into statements.

use super::ast::*;
use super::lex::{Lexer, Token, TokenKind};
use super::literal::{negative, number};
use super::vector::Vectors;
use crate::arch::Target;
use crate::{LoadError, text};
use std::collections::{HashMap, HashSet};

/// Maximum number of nested scopes.
const MAX_DEPTH: u32 = 256;
/// Maximum number of statements, operands, variables and the like in a text. It limits the tree to 1 GiB.
const MAX_PARTS: u32 = 1 << 23;

pub(crate) fn parse(text: &str) -> Result<Tree<'_>, LoadError> {
    // NVRTC includes the terminating zero in the length of its result, so files written from it may end with a zero.
    let mut parser = Parser::new(text.trim_end_matches('\0'));
    let tree = parser.tree();
    let place = |fault: &LoadError| (fault.line, fault.column);
    match (tree, parser.lexer.fault) {
        // The parser sees a lexer error as the end of the text. So report whichever error comes first.
        (Err(fault), Some(unreadable)) if place(&fault) < place(&unreadable) => Err(fault),
        (_, Some(unreadable)) => Err(unreadable),
        (tree, None) => tree,
    }
}

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    ahead: [Token<'a>; 2],
    /// Number of tree parts so far, at most [`MAX_PARTS`].
    parts: u32,
    /// True inside the operands of a call, where lists in parentheses are allowed.
    pub(super) lists: bool,
    /// True inside the operands of an instruction that takes addresses, not the values stored there.
    pub(super) addresses: bool,
    /// Element size in bytes of each variable declared so far.
    pub(super) elements: HashMap<&'a str, u64>,
    /// The vector registers in scope.
    pub(super) vectors: Vectors<'a>,
    /// Major and minor PTX version.
    pub(super) version: (u32, u32),
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        let ahead = [lexer.token(), lexer.token()];
        Self {
            lexer,
            ahead,
            parts: 0,
            lists: false,
            addresses: false,
            elements: HashMap::new(),
            vectors: Vectors::default(),
            version: (0, 0),
        }
    }

    pub(super) fn peek(&self) -> Token<'a> {
        self.ahead[0]
    }

    /// Returns the next token (`ahead` = 0) or the one after it.
    pub(super) fn look(&self, ahead: usize) -> Token<'a> {
        self.ahead[ahead.min(1)]
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        let token = self.ahead[0];
        self.ahead = [self.ahead[1], self.lexer.token()];
        token
    }

    /// Counts one part of the tree. Fails above [`MAX_PARTS`].
    pub(super) fn part(&mut self) -> Result<(), LoadError> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(self.at().unsupported(format!("a text of more than {MAX_PARTS} statements and operands")));
        }
        Ok(())
    }

    pub(super) fn at(&self) -> At {
        self.peek().at
    }

    pub(super) fn accept(&mut self, mark: u8) -> bool {
        let found = self.peek().kind == TokenKind::Mark(mark);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect(&mut self, mark: u8) -> Result<(), LoadError> {
        if self.accept(mark) { Ok(()) } else { Err(self.unexpected(&format!("`{}`", mark as char))) }
    }

    pub(super) fn unexpected(&self, wanted: &str) -> LoadError {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Text => "a string".to_owned(),
            _ => format!("`{}`", token.text.chars().take(60).collect::<String>()),
        };
        token.at.parse(format!("expected {wanted}, found {found}"))
    }

    pub(super) fn word(&mut self, wanted: &str) -> Result<Token<'a>, LoadError> {
        if self.peek().kind == TokenKind::Word { Ok(self.next()) } else { Err(self.unexpected(wanted)) }
    }

    /// Reads a word that starts with a dot and returns it without the dot.
    pub(super) fn directive_word(&mut self, wanted: &str) -> Result<&'a str, LoadError> {
        match self.peek().text.strip_prefix('.') {
            Some(rest) if self.peek().kind == TokenKind::Word => {
                self.next();
                Ok(rest)
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    pub(super) fn signed_number(&mut self) -> Result<Operand<'a>, LoadError> {
        let minus = self.accept(b'-');
        let token = self.word("a number")?;
        if !token.text.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(token.at.unsupported(format!("`{}` where a number is expected", token.text)));
        }
        let value = number(token.text, token.at)?;
        Ok(if minus { negative(value) } else { value })
    }

    fn tree(&mut self) -> Result<Tree<'a>, LoadError> {
        let mut tree = Tree::default();
        let mut versioned = false;
        let mut target = Target::default();
        let mut defined = HashSet::new();
        // True if the current directive begins with `.extern`.
        let mut external = false;
        loop {
            let token = self.peek();
            match (token.kind, token.text) {
                (TokenKind::End, _) if versioned => {
                    (tree.version, tree.target) = (self.version, target);
                    tree.without_sync = self.version < (6, 4) || target.sm < 70;
                    return Ok(tree);
                }
                (TokenKind::End, _) => return Err(token.at.parse("the text has no `.version`, so it is not PTX")),
                (TokenKind::Word, ".version") => {
                    self.next();
                    let version = self.word("a version number")?;
                    let parts = version.text.split_once('.');
                    let numbers = parts.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
                    let Some(numbers) = numbers else {
                        return Err(version.at.parse(format!("`{}` is not a version, such as 8.0", version.text)));
                    };
                    super::targets::check_version(numbers, version.at)?;
                    self.version = numbers;
                    versioned = true;
                }
                (TokenKind::Word, ".target") => {
                    self.next();
                    loop {
                        let word = self.word("a target")?;
                        target = super::targets::target(word.text, self.version, word.at)?.unwrap_or(target);
                        if !self.accept(b',') {
                            break;
                        }
                    }
                }
                (TokenKind::Word, ".address_size") => {
                    self.next();
                    tree.address_size = Some((self.integer()?, token.at));
                }
                (TokenKind::Word, ".file") => {
                    self.next();
                    self.file(&mut tree)?;
                }
                (TokenKind::Word, ".reg") => {
                    self.next();
                    let mut registers = self.registers()?;
                    self.outside(".reg", registers.first().map(|registers| registers.at))?;
                    tree.registers.append(&mut registers);
                }
                (TokenKind::Word, ".section") => self.section()?,
                (TokenKind::Word, ".pragma") => self.skip_statement()?,
                (TokenKind::Word, ".visible" | ".weak" | ".extern" | ".common") => {
                    self.next();
                    external |= token.text == ".extern";
                    continue;
                }
                (TokenKind::Word, ".attribute") => {
                    self.next();
                    self.attribute()?;
                }
                (TokenKind::Word, ".alias") => self.alias(&mut tree)?,
                (TokenKind::Word, ".entry" | ".func") => {
                    self.next();
                    self.part()?;
                    let function = self.function(token.text == ".entry")?;
                    if function.body.is_some() && !defined.insert(function.name) {
                        return Err(function.at.parse(format!("`{}` is defined twice", function.name)));
                    }
                    tree.functions.push(function);
                }
                (TokenKind::Word, word) => match space_of(word) {
                    Some(space) => {
                        self.next();
                        for variable in self.variables(space)? {
                            if !external {
                                complete(&variable)?;
                            }
                            if space == Space::Local {
                                self.outside(".local", Some(variable.at))?;
                            }
                            let index = tree.variables.len() as u32;
                            let known = tree.variable_index.entry(variable.name).or_insert(index);
                            // An `.extern` declaration may precede or follow the definition.
                            if tree.variables.get(*known as usize).is_some_and(|known| known.init.is_empty()) {
                                *known = index;
                            }
                            tree.variables.push(variable);
                        }
                    }
                    None if word.starts_with('.') => {
                        return Err(token.at.unsupported(format!("the directive `{word}`")));
                    }
                    None => return Err(token.at.parse(format!("`{word}` is not allowed outside a function"))),
                },
                _ => return Err(self.unexpected("a directive")),
            }
            external = false;
        }
    }

    /// Refuses `.reg` and `.local` outside functions since PTX 3.0, which introduced a calling convention.
    fn outside(&self, space: &str, at: Option<At>) -> Result<(), LoadError> {
        match at.filter(|_| self.version >= (3, 0)) {
            Some(at) => Err(at.parse(format!("`{space}` is not allowed outside a function since PTX 3.0"))),
            None => Ok(()),
        }
    }

    fn file(&mut self, tree: &mut Tree<'a>) -> Result<(), LoadError> {
        let index = self.integer()?;
        let name = self.next();
        if name.kind != TokenKind::Text {
            return Err(name.at.parse("expected a file name in quotes"));
        }
        while self.accept(b',') {
            self.integer()?;
        }
        if let Ok(index) = u32::try_from(index) {
            tree.files.insert(index, text::file_name(name.text));
        }
        Ok(())
    }

    fn section(&mut self) -> Result<(), LoadError> {
        let at = self.at();
        while !self.accept(b'{') {
            if self.next().kind == TokenKind::End {
                return Err(at.parse("the section has no body"));
            }
        }
        while !self.accept(b'}') {
            if self.next().kind == TokenKind::End {
                return Err(at.parse("the section is not closed"));
            }
        }
        Ok(())
    }

    pub(super) fn skip_statement(&mut self) -> Result<(), LoadError> {
        let at = self.at();
        while !self.accept(b';') {
            if self.next().kind == TokenKind::End {
                return Err(at.parse("the statement is not closed by `;`"));
            }
        }
        Ok(())
    }

    pub(super) fn body(&mut self, locs: &mut Vec<Loc>) -> Result<Vec<Statement<'a>>, LoadError> {
        let mut all = Vec::new();
        let mut depth = 0u32;
        loop {
            let token = self.peek();
            self.part()?;
            match (token.kind, token.text) {
                (TokenKind::Mark(b'{'), _) => {
                    self.next();
                    depth += 1;
                    if depth > MAX_DEPTH {
                        return Err(token.at.parse("the scopes are nested too deeply"));
                    }
                    self.vectors.open();
                    all.push(Statement::Open);
                }
                (TokenKind::Mark(b'}'), _) => {
                    self.next();
                    if depth == 0 {
                        return Ok(all);
                    }
                    depth -= 1;
                    self.vectors.close();
                    all.push(Statement::Close);
                }
                (TokenKind::Mark(b';'), _) => {
                    self.next();
                }
                (TokenKind::Mark(b'@'), _) => all.push(Statement::Instruction(self.instruction(locs.len())?)),
                (TokenKind::Word, ".reg") => {
                    self.next();
                    all.extend(self.registers()?.into_iter().map(Statement::Registers));
                }
                (TokenKind::Word, ".loc") => {
                    self.next();
                    locs.push(self.loc()?);
                }
                (TokenKind::Word, ".pragma") => self.skip_statement()?,
                (TokenKind::Word, word) if word.starts_with('.') => match space_of(word) {
                    Some(space) => {
                        self.next();
                        for variable in self.variables(space)? {
                            complete(&variable)?;
                            all.push(Statement::Variable(variable));
                        }
                    }
                    None => return Err(token.at.unsupported(format!("the directive `{word}`"))),
                },
                (TokenKind::Word, word) if self.look(1).kind == TokenKind::Mark(b':') => {
                    self.next();
                    self.next();
                    if self.peek().text == ".callprototype" {
                        // The lowering checks calls through pointers against the functions themselves.
                        self.skip_statement()?;
                    } else if matches!(self.peek().text, ".branchtargets" | ".calltargets") {
                        self.next();
                        let mut labels = vec![self.word("a label")?.text];
                        while self.accept(b',') {
                            self.part()?;
                            labels.push(self.word("a label")?.text);
                        }
                        self.expect(b';')?;
                        all.push(Statement::Targets(word, labels));
                    } else {
                        all.push(Statement::Label(word, token.at));
                    }
                }
                (TokenKind::Word, _) => all.push(Statement::Instruction(self.instruction(locs.len())?)),
                _ => return Err(self.unexpected("an instruction")),
            }
        }
    }

    fn loc(&mut self) -> Result<Loc, LoadError> {
        let triple = |parser: &mut Self| -> Result<(u32, u32, u32), LoadError> {
            let numbers = [parser.integer()?, parser.integer()?, parser.integer()?];
            let [file, line, column] = numbers.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
            Ok((file, line, column))
        };
        let (file, line, column) = triple(self)?;
        let mut loc = Loc { file, line, column, inlined_at: None };
        while self.accept(b',') {
            let token = self.word("`function_name` or `inlined_at`")?;
            match token.text {
                "function_name" => {
                    self.word("a label")?;
                    if self.accept(b'+') {
                        self.integer()?;
                    }
                    // Some compilers omit the comma between the two attributes.
                    if self.peek().text == "inlined_at" {
                        self.next();
                        loc.inlined_at = Some(triple(self)?);
                    }
                }
                "inlined_at" => loc.inlined_at = Some(triple(self)?),
                word => return Err(token.at.parse(format!("`{word}` is not allowed in `.loc`"))),
            }
        }
        Ok(loc)
    }
}

/// Refuses an array without an extent, unless it is external.
fn complete(variable: &Variable<'_>) -> Result<(), LoadError> {
    if variable.bytes > 0 {
        return Ok(());
    }
    Err(variable.at.parse(format!("the array `{}` has no extent and no initial values", variable.name)))
}

fn space_of(word: &str) -> Option<Space> {
    Some(match word {
        ".global" => Space::Global,
        ".const" => Space::Const,
        ".shared" => Space::Shared,
        ".local" => Space::Local,
        ".param" => Space::Param,
        _ => return None,
    })
}
