//! Functions: their parameters, directives and aliases.

use super::ast::{Function, Space, Statement, Tree, Variable};
use super::lex::TokenKind;
use super::parse::Parser;
use crate::LoadError;
use std::collections::HashMap;

impl<'a> Parser<'a> {
    fn params(&mut self) -> Result<Vec<Variable<'a>>, LoadError> {
        let mut all = Vec::new();
        if !self.accept(b'(') {
            return Ok(all);
        }
        while !self.accept(b')') {
            let token = self.word("`.param`")?;
            match token.text {
                ".param" => all.push(self.variable(Space::Param, true)?),
                ".reg" => all.push(self.variable(Space::Register, true)?),
                word => return Err(token.at.parse(format!("expected `.param`, found `{word}`"))),
            }
            if !self.accept(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(all)
    }

    pub(super) fn function(&mut self, entry: bool) -> Result<Function<'a>, LoadError> {
        self.vectors.open();
        let function = self.whole_function(entry);
        self.vectors.close();
        function
    }

    fn whole_function(&mut self, entry: bool) -> Result<Function<'a>, LoadError> {
        if self.peek().text == ".attribute" {
            self.next();
            self.attribute()?;
        }
        let returns = if entry { Vec::new() } else { self.params()? };
        let name = self.word("a function name")?;
        let params = self.params()?;
        if let Some(open) = params.iter().find(|param| entry && param.bytes == 0) {
            return Err(open.at.parse(format!("the parameter `{}` of a kernel has no extent", open.name)));
        }
        let mut function = Function {
            name: name.text,
            entry,
            returns,
            params,
            body: None,
            locs: Vec::new(),
            sites: HashMap::new(),
            max_threads: None,
            min_blocks: None,
            max_registers: None,
            threads: None,
            cluster: None,
            max_cluster: None,
            at: name.at,
        };
        loop {
            let token = self.peek();
            match (token.kind, token.text) {
                (TokenKind::Mark(b'{'), _) => break,
                (TokenKind::Mark(b';'), _) => {
                    self.next();
                    return Ok(function);
                }
                (TokenKind::Word, ".maxntid" | ".reqntid") => {
                    self.next();
                    let extent = self.extent()?;
                    function.max_threads = Some(extent.iter().fold(1, |all, n| all.saturating_mul(*n)));
                    if token.text == ".reqntid" {
                        function.threads = Some(extent);
                    }
                }
                (TokenKind::Word, ".reqnctapercluster") => {
                    self.next();
                    function.cluster = Some(self.extent()?);
                }
                (TokenKind::Word, ".maxclusterrank") => {
                    self.next();
                    function.max_cluster = Some(self.integer()?);
                }
                (TokenKind::Word, ".explicitcluster" | ".noreturn") => {
                    self.next();
                }
                (TokenKind::Word, ".minnctapersm") => {
                    self.next();
                    function.min_blocks = Some(self.integer()?);
                }
                (TokenKind::Word, ".maxnreg") => {
                    self.next();
                    function.max_registers = Some(self.integer()?);
                }
                // These directives affect only the register allocation, so they change no result.
                (TokenKind::Word, ".maxnctapersm" | ".abi_preserve" | ".abi_preserve_control") => {
                    self.next();
                    self.integer()?;
                }
                (TokenKind::Word, ".pragma") => self.skip_statement()?,
                // Some old compilers omit the semicolon after a function declaration.
                (
                    TokenKind::Word,
                    ".visible" | ".extern" | ".weak" | ".func" | ".entry" | ".file" | ".global" | ".const",
                ) if !entry => {
                    return Ok(function);
                }
                (TokenKind::Word, word) if word.starts_with('.') => {
                    return Err(token.at.unsupported(format!("the directive `{word}`")));
                }
                _ => return Err(self.unexpected("a function body")),
            }
        }
        self.expect(b'{')?;
        let mut body = self.body(&mut function.locs)?;
        if entry && self.version < (1, 4) {
            // Before PTX 1.4, the body declared the parameters.
            body.retain(|statement| match statement {
                Statement::Variable(variable) if variable.space == Space::Param => {
                    function.params.push(variable.clone());
                    false
                }
                _ => true,
            });
        }
        function.body = Some(body);
        for (index, loc) in function.locs.iter().enumerate().filter(|(_, loc)| loc.inlined_at.is_some()) {
            function.sites.entry((loc.file, loc.line, loc.column)).or_insert(index as u32);
        }
        Ok(function)
    }

    /// Parses one to three numbers.
    fn extent(&mut self) -> Result<[u64; 3], LoadError> {
        let mut extent = [self.integer()?, 1, 1];
        for axis in &mut extent[1..] {
            if self.accept(b',') {
                *axis = self.integer()?;
            }
        }
        Ok(extent)
    }

    /// Parses `.alias name, function;`: a second name for a function that has a body.
    pub(super) fn alias(&mut self, tree: &mut Tree<'a>) -> Result<(), LoadError> {
        self.next();
        let name = self.word("a function name")?;
        self.expect(b',')?;
        let meant = self.word("a function name")?;
        self.expect(b';')?;
        let Some(function) = tree.functions.iter().find(|f| f.name == meant.text && f.body.is_some() && !f.entry)
        else {
            return Err(meant.at.parse(format!("there is no function `{}` with a body before this", meant.text)));
        };
        let mut function = function.clone();
        let body = function.body.as_ref().map_or(0, Vec::len);
        for _ in 0..body + tree.functions.len() {
            self.part()?;
        }
        (function.name, function.at) = (name.text, name.at);
        // The alias replaces an earlier declaration of the same name.
        tree.functions.retain(|known| known.name != name.text);
        tree.functions.push(function);
        Ok(())
    }
}
