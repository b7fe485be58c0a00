//! Statements: declarations, conditions and loops.

use super::*;

impl<'t, 'a> Host<'t, 'a> {
    pub(super) fn run(&mut self, tokens: Tokens<'_, 'a>) -> Flow {
        let mut at = 0;
        while at < tokens.len() {
            let end = end_of(tokens, at).max(at + 1).min(tokens.len());
            at = match self.statement(&tokens[at..end]) {
                Flow::Next => end,
                Flow::Goto(label) => match tokens.windows(2).position(|pair| pair[0].is(&label) && pair[1].is(":")) {
                    Some(place) => place + 2,
                    None => return Flow::Goto(label),
                },
                other => return other,
            };
        }
        Flow::Next
    }

    pub(super) fn scoped(&mut self, tokens: Tokens<'_, 'a>) -> Flow {
        if self.scopes.len() > MAX_DEPTH * 8 {
            return Flow::Next;
        }
        self.scopes.push(HashMap::new());
        let variables = self.variables.len();
        let flow = self.run(tokens);
        self.scopes.pop();
        self.variables.truncate(variables.max(self.pinned));
        flow
    }

    /// Counts a step. Returns true if there were too many, or if the time is over.
    pub(super) fn is_over(&mut self) -> bool {
        self.spent += 1;
        if self.steps.len() >= MAX_LAUNCHES || Instant::now() > self.ends {
            self.spent = MAX_STEPS + 1;
        }
        self.spent > MAX_STEPS
    }

    pub(super) fn statement(&mut self, tokens: Tokens<'_, 'a>) -> Flow {
        let Some(first) = tokens.first() else { return Flow::Next };
        if self.is_over() {
            return Flow::Exit;
        }
        self.last = (self.file.as_ptr().addr(), first.at);
        let head = tokens.iter().position(|token| token.is("(")).filter(|at| *at <= 2);
        let inside = |at: usize| &tokens[at + 1..closing(tokens, at).min(tokens.len())];
        let after = |at: usize| (closing(tokens, at) + 1).min(tokens.len());
        match (first.text, head) {
            ("{", _) => return self.scoped(inside(0)),
            ("if", Some(open)) => {
                // A chain of `else if` is not nested.
                let (mut tokens, mut open) = (tokens, open);
                loop {
                    let body = (closing(tokens, open) + 1).min(tokens.len());
                    let then = end_of(tokens, body);
                    let otherwise = tokens.get(then).is_some_and(|token| token.is("else"));
                    let other = if otherwise { then + 1 } else { tokens.len() };
                    let parts = split(&tokens[open + 1..(body - 1).max(open + 1)], ";");
                    parts.iter().rev().skip(1).rev().for_each(|part| drop(self.statement(part)));
                    let holds = parts.last().and_then(|part| self.value(part).truth());
                    let next = &tokens[other..];
                    let chained = next.first().is_some_and(|token| token.is("if"));
                    let next_open = next.iter().position(|token| token.is("(")).filter(|at| *at <= 2);
                    match (holds, next_open) {
                        (Some(false), Some(at)) if chained => (tokens, open) = (next, at),
                        _ => return self.either(holds, &tokens[body..then], next),
                    }
                }
            }
            ("for", Some(open)) => {
                let parts = split(inside(open), ";");
                self.scopes.push(HashMap::new());
                let flow = match parts.as_slice() {
                    [start, rest @ ..] if !rest.is_empty() => {
                        self.statement(start);
                        let condition = rest.first().copied().unwrap_or_default();
                        self.repeat(
                            [condition, rest.get(1).copied().unwrap_or_default(), &tokens[after(open)..]],
                            false,
                        )
                    }
                    [one] => self.over(one, &tokens[after(open)..]),
                    _ => Flow::Next,
                };
                self.scopes.pop();
                return flow;
            }
            ("while", Some(open)) => return self.repeat([inside(open), &[], &tokens[after(open)..]], false),
            ("do", _) => {
                let body = end_of(tokens, 1);
                let open = tokens[body..].iter().position(|token| token.is("(")).map_or(tokens.len(), |at| body + at);
                let condition = if open < tokens.len() { inside(open) } else { &[] };
                return self.repeat([condition, &[], &tokens[1..body]], true);
            }
            ("switch", Some(open)) => {
                let wanted = self.value(inside(open));
                return self.switch(&wanted, &tokens[(after(open) + 1).min(tokens.len())..tokens.len() - 1]);
            }
            ("case" | "default" | "try" | "catch" | ";", _) => return Flow::Next,
            ("goto", _) => return Flow::Goto(tokens.get(1).map_or("", |label| label.text).to_owned()),
            ("break", _) => return Flow::Break,
            ("continue", _) => return Flow::Continue,
            ("return", _) => {
                let value = self.value(&tokens[1..]);
                return if self.exits { Flow::Exit } else { Flow::Return(value) };
            }
            ("using" | "typedef", _) => self.alias(tokens),
            ("enum", _) => self.enumerators(tokens),
            _ => {
                if !self.declaration(tokens) {
                    self.value(tokens);
                }
            }
        }
        if self.exits { Flow::Exit } else { Flow::Next }
    }

    pub(super) fn alias(&mut self, tokens: Tokens<'_, 'a>) {
        let end = tokens.iter().position(|token| token.is(";")).unwrap_or(tokens.len());
        let (name, ty) = match tokens.iter().position(|token| token.is("=")) {
            Some(equal) if tokens[0].is("using") && equal > 0 => (tokens[equal - 1].text, &tokens[equal + 1..end]),
            None if tokens[0].is("typedef") && end > 2 => (tokens[end - 1].text, &tokens[1..end - 1]),
            _ => return,
        };
        let ty = self.ty(ty);
        self.declare(name, "", Value::Type(ty));
    }

    /// Runs one of two branches, or both.
    pub(super) fn either(&mut self, holds: Option<bool>, then: Tokens<'_, 'a>, other: Tokens<'_, 'a>) -> Flow {
        match holds {
            Some(true) => return self.scoped(then),
            Some(false) => return self.scoped(other),
            None => {}
        }
        let before = self.variables.clone();
        let first = self.scoped(then);
        let ended = std::mem::take(&mut self.exits);
        let mut after = std::mem::replace(&mut self.variables, before);
        let second = self.scoped(other);
        let ended_too = std::mem::take(&mut self.exits);
        let stays = |flow: &Flow, ended: bool| *flow == Flow::Next && !ended;
        match (stays(&first, ended), stays(&second, ended_too)) {
            (true, false) => self.variables = after,
            (false, true) => {}
            _ => {
                after.truncate(self.variables.len());
                for (now, other) in self.variables.iter_mut().zip(after) {
                    if now.value != other.value {
                        now.value = Value::Unknown;
                    }
                }
            }
        }
        Flow::Next
    }

    /// Runs a loop over the elements of an array.
    pub(super) fn over(&mut self, head: Tokens<'_, 'a>, body: Tokens<'_, 'a>) -> Flow {
        let Some(colon) = head.iter().position(|token| token.is(":")).filter(|at| *at > 0) else { return Flow::Next };
        let list = match &head[colon + 1..] {
            [open, inside @ .., _] if open.is("{") => self.listed("[]", inside).value,
            other => {
                let list = self.expression(other);
                self.pointed_list(&decayed(&list))
            }
        };
        let Value::List(_, items) = list else { return self.either(None, body, &[]) };
        for item in items.iter().take(MAX_ITERATIONS) {
            self.declare(head[colon - 1].text, "", item.clone());
            match self.scoped(body) {
                Flow::Break => break,
                Flow::Next | Flow::Continue => {}
                other => return other,
            }
        }
        Flow::Next
    }

    pub(super) fn repeat(&mut self, [condition, step, body]: [Tokens<'_, 'a>; 3], once: bool) -> Flow {
        let launches = body.iter().any(|token| uses_gpu(token) || self.launching.contains(token.text));
        let before = self.allowance;
        if !launches {
            self.allowance = self.allowance.min(self.spent + MAX_IDLE);
        }
        let flow = self.repeated([condition, step, body], once);
        self.allowance = before;
        flow
    }

    pub(super) fn repeated(&mut self, [condition, step, body]: [Tokens<'_, 'a>; 3], once: bool) -> Flow {
        for turn in 0.. {
            let holds = if condition.is_empty() { Some(true) } else { self.value(condition).truth() };
            match holds {
                _ if once && turn == 0 => {}
                Some(false) => break,
                None => {
                    let flow = self.either(None, body, &[]);
                    self.forget(body);
                    return flow;
                }
                Some(true) if turn >= MAX_ITERATIONS || self.spent > self.allowance.min(MAX_STEPS / 2) => {
                    // Nothing after an endless loop runs.
                    if condition.iter().all(|token| token.kind == Kind::Number || token.is("true")) {
                        return Flow::Exit;
                    }
                    self.forget(body);
                    self.forget(step);
                    break;
                }
                Some(true) => {}
            }
            match self.scoped(body) {
                Flow::Break => break,
                Flow::Next | Flow::Continue => {}
                other => return other,
            }
            self.value(step);
        }
        Flow::Next
    }

    /// Forgets the numbers that a loop changes.
    pub(super) fn forget(&mut self, tokens: Tokens) {
        for pair in tokens.windows(2) {
            let changes = |sign: &Token| {
                sign.is("++")
                    || sign.is("--")
                    || (sign.text.ends_with('=') && !["==", "<=", ">=", "!="].contains(&sign.text))
            };
            let name = if changes(&pair[1]) { pair[0] } else { pair[1] };
            if (changes(&pair[1]) || pair[0].is("++") || pair[0].is("--"))
                && name.kind == Kind::Word
                && let Some(at) = self.find(name.text).filter(|at| self.variables[*at].value.real().is_some())
            {
                self.variables[at].value = Value::Unknown;
            }
        }
    }

    pub(super) fn switch(&mut self, wanted: &Value, body: Tokens<'_, 'a>) -> Flow {
        let (mut at, mut runs) = (0, false);
        let known = wanted.int();
        // The first pass looks for the value, the second one for `default`.
        for default in [false, true] {
            while at < body.len() {
                let end = end_of(body, at).max(at + 1).min(body.len());
                let label = body[at].is("case") || body[at].is("default");
                if label && !runs {
                    runs = match known {
                        None => true,
                        Some(_) if body[at].is("default") => default,
                        Some(known) => self.value(&body[at + 1..end - 1]).int() == Some(known),
                    };
                } else if runs && !label {
                    match (self.statement(&body[at..end]), known) {
                        (Flow::Next, _) | (Flow::Break, None) => {}
                        (Flow::Break, _) => return Flow::Next,
                        (other, Some(_)) => return other,
                        (_, None) => self.exits = false,
                    }
                }
                at = end;
            }
            if runs {
                return Flow::Next;
            }
            at = 0;
        }
        Flow::Next
    }

    /// Returns the end of a type that begins here, if one does.
    pub(super) fn type_end(&self, tokens: Tokens, mut at: usize) -> Option<usize> {
        const BUILT_IN: &str = "unsigned signed long short int char float double bool void auto";
        const SKIPPED: &str =
            "const constexpr static volatile extern register inline struct class typename enum thread_local";
        const KEYWORDS: &str = "delete throw else new sizeof return co_await operator";
        while tokens.get(at).is_some_and(|token| token.is_in(SKIPPED)) {
            at += 1;
        }
        let first = *tokens.get(at)?;
        if first.kind != Kind::Word {
            return None;
        }
        if first.is_in(BUILT_IN) {
            while tokens.get(at).is_some_and(|token| token.is_in(BUILT_IN) || token.is("const")) {
                at += 1;
            }
        } else {
            let value = self.find(first.text).map(|at| &self.variables[at].value);
            if first.is_in(KEYWORDS) || value.is_some_and(|value| !matches!(value, Value::Type(_))) {
                return None;
            }
            at += 1;
            loop {
                if tokens.get(at).is_some_and(|token| token.is("<")) {
                    at = angles(tokens, at)?;
                } else if tokens.get(at).is_some_and(|token| token.is("::")) {
                    at += 2;
                } else {
                    break;
                }
            }
        }
        while tokens.get(at).is_some_and(|token| token.is("const")) {
            at += 1;
        }
        Some(at)
    }

    /// Reads a declaration of variables. Returns false if this is not one.
    pub(super) fn declaration(&mut self, tokens: Tokens<'_, 'a>) -> bool {
        let Some(end) = self.type_end(tokens, 0) else { return false };
        let mark = |token: &Token| ["*", "&", "&&", "const", "__restrict__", "volatile"].contains(&token.text);
        // A pointer to a function, or an array of them.
        if let [open, star, name, next, ..] = tokens.get(end..).unwrap_or_default()
            && open.is("(")
            && star.is("*")
            && (next.is(")") || next.is("["))
        {
            let equal = tokens[end..].iter().position(|token| token.is("="));
            let value = match equal {
                Some(at) => self.value(&tokens[end + at + 1..]),
                None if next.is("[") => array(None, Value::Unknown),
                None => Value::Unknown,
            };
            self.declare(name.text, "", value);
            return true;
        }
        let name = (end..tokens.len()).find(|at| !mark(&tokens[*at]));
        let next = name.and_then(|name| tokens.get(name + 1));
        let follows = next.is_none_or(|next| ["=", ";", ",", "(", "[", "{", ":"].contains(&next.text));
        if !follows || name.is_none_or(|name| tokens[name].kind != Kind::Word) {
            return false;
        }
        let base = self.ty(&tokens[..end]);
        let last = tokens.len() - usize::from(tokens[tokens.len() - 1].is(";"));
        for declared in split(&tokens[end..last], ",") {
            self.declarator(&base, declared);
        }
        true
    }

    pub(super) fn declarator(&mut self, base: &str, tokens: Tokens<'_, 'a>) {
        let Some(name) = tokens
            .iter()
            .position(|token| token.kind == Kind::Word && !token.text.starts_with("__restrict") && !token.is("const"))
        else {
            return;
        };
        let mut ty = base.to_owned() + &"*".repeat(tokens[..name].iter().filter(|token| token.is("*")).count());
        let reference = tokens[..name].iter().any(|token| token.is("&"));
        let (name, mut at) = (tokens[name].text, name + 1);
        let mut counts = Vec::new();
        while tokens.get(at).is_some_and(|token| token.is("[")) {
            let close = closing(tokens, at).min(tokens.len());
            let n = self.value(&tokens[at + 1..close]).int();
            counts.push(n);
            ty += &n.map_or_else(|| "[]".to_owned(), |n| format!("[{n}]"));
            at = (close + 1).min(tokens.len());
        }
        let rest = &tokens[at..];
        let inside = |at: usize| rest.get(at + 1..closing(rest, at)).unwrap_or_default();
        let (mut given, assigned) = (Vec::new(), rest.first().is_some_and(|sign| sign.is("=")));
        let out = match rest.first().map(|token| token.text) {
            Some("{") if is_vector(&ty) => self.listed("[]", inside(0)),
            Some("=") if rest.get(1).is_some_and(|token| token.is("{")) => {
                let ty = if is_vector(&ty) { "[]" } else { &ty };
                self.listed(ty, inside(1))
            }
            Some("=") => self.expression(&rest[1..]),
            Some("{" | "(") => {
                given = split(inside(0), ",").into_iter().map(|part| self.expression(part)).collect();
                self.made(&ty, &given.iter().map(|out| out.value.clone()).collect::<Vec<_>>()).into()
            }
            _ => self.made(&ty, &[]).into(),
        };
        if let (true, Some((place, fields))) = (reference, &out.place)
            && fields.is_empty()
        {
            let last = self.scopes.len() - 1;
            self.scopes[last].insert(name.to_owned(), *place);
            return;
        }
        let value = match () {
            // Only as many elements are followed as those of a simple array.
            () if rest.is_empty() && !counts.is_empty() => {
                let room = |n: &Option<i64>| n.unwrap_or(i64::MAX).max(1);
                let all = counts.iter().map(room).fold(1, i64::saturating_mul);
                let item =
                    if counts.len() > 1 && all > MAX_ELEMENTS as i64 { Value::Unknown } else { self.made(base, &[]) };
                let inner = if item == Value::Unknown { &counts[..1] } else { &counts[..] };
                inner.iter().rev().fold(item, |item, n| array(*n, item))
            }
            () if ty.ends_with('*') => decayed(&out),
            () => out.value,
        };
        let ty = if base == "auto" { out.ty } else { ty };
        let object = matches!(value, Value::Fields(_)) && !assigned && self.is_class(&ty);
        let at = self.declare(name, &ty, value);
        if is_vector(&ty) && ty.contains("device_vector<") {
            self.device_vector(at, &ty, &if assigned { vec![self.load(&(at, Vec::new()))] } else { given });
        } else if object {
            let this = Out::of(Value::Address(at, Vec::new()), ty + "*");
            self.construct(this, &given);
        }
    }

    /// Returns the value of `TYPE name(A, B)` and `TYPE name{A, B}`.
    pub(super) fn listed(&mut self, ty: &str, tokens: Tokens<'_, 'a>) -> Out {
        let values: Vec<Out> = split(tokens, ",").into_iter().map(|part| self.expression(part)).collect();
        let values: Vec<Value> = values.into_iter().map(|out| out.value).collect();
        self.made(ty, &values).into()
    }

    pub(super) fn made(&self, ty: &str, values: &[Value]) -> Value {
        let plain = ty.trim_start_matches("std::");
        match values {
            _ if plain == "dim3" => {
                let of = |at: usize| values.get(at).cloned().unwrap_or(Value::Int(1));
                match values {
                    [whole @ Value::Fields(_)] => whole.clone(),
                    _ => Value::dim([of(0), of(1), of(2)]),
                }
            }
            _ if is_vector(plain) => {
                let count = values.first().map_or(Some(0), Value::int);
                array(count, values.get(1).cloned().unwrap_or(Value::Int(0)).cast(inner(ty)))
            }
            _ if ty.ends_with(']') => list(values.to_vec()),
            [one] if size_of(ty).is_some() => one.clone().cast(ty),
            // A pointer that owns an object.
            [one @ Value::Address(..)] => one.clone(),
            // A structure whose members are not followed until they are assigned.
            _ if size_of(ty).is_none() && !ty.is_empty() => Value::Fields(BTreeMap::new()),
            _ => Value::Unknown,
        }
    }
}

/// True if a word or a sign is for the GPU: a launch, or a function of CUDA.
pub(super) fn uses_gpu(token: &Token) -> bool {
    token.is("<<<") || (token.kind == Kind::Word && token.text.starts_with("cuda"))
}

/// Returns the end of the statement that begins here.
pub(super) fn end_of(tokens: Tokens, mut at: usize) -> usize {
    let after = |open: usize| (closing(tokens, open) + 1).min(tokens.len());
    // The statements around this one that an `else` may follow.
    let mut ifs = 0usize;
    loop {
        let Some(first) = tokens.get(at) else { return tokens.len() };
        let open = (at..tokens.len().min(at + 3)).find(|at| tokens[*at].is("("));
        let mut end = match (first.text, open) {
            ("{", _) => after(at),
            ("if", Some(open)) => {
                (ifs, at) = (ifs + 1, after(open));
                continue;
            }
            ("for" | "while" | "switch" | "catch", Some(open)) => {
                at = after(open);
                continue;
            }
            ("do", _) => {
                let body = if tokens.get(at + 1).is_some_and(|token| token.is("{")) { after(at + 1) } else { at + 1 };
                (body..tokens.len()).find(|at| tokens[*at].is(";")).map_or(tokens.len(), |at| at + 1)
            }
            ("try" | "else", _) => at + 1,
            // A label.
            _ if first.kind == Kind::Word && tokens.get(at + 1).is_some_and(|colon| colon.is(":")) => at + 2,
            ("case" | "default", _) => {
                let colon = (at..tokens.len()).find(|at| tokens[*at].is(":"));
                colon.map_or(tokens.len(), |at| at + 1)
            }
            _ => {
                let mut place = at;
                loop {
                    match tokens.get(place) {
                        None => break tokens.len(),
                        Some(token) if token.is(";") => break place + 1,
                        Some(token) if token.kind == Kind::Sign && ["(", "[", "{"].contains(&token.text) => {
                            place = closing(tokens, place);
                        }
                        Some(_) => {}
                    }
                    place += 1;
                }
            }
        };
        end = end.min(tokens.len());
        if ifs == 0 || !tokens.get(end).is_some_and(|token| token.is("else")) {
            return end;
        }
        (ifs, at) = (ifs - 1, end + 1);
    }
}
