//! Expressions, in C++'s order of precedence.

use super::*;

impl<'t, 'a> Host<'t, 'a> {
    pub(super) fn value(&mut self, tokens: Tokens<'_, 'a>) -> Value {
        self.expression(tokens).value
    }

    pub(super) fn expression(&mut self, tokens: Tokens<'_, 'a>) -> Out {
        let mut reader = Reader { tokens, at: 0 };
        let mut out = Out::default();
        while reader.at < tokens.len() && !reader.is(";") {
            out = self.assignment(&mut reader);
            if !reader.eat(",") {
                break;
            }
        }
        out
    }

    pub(super) fn assignment(&mut self, reader: &mut Reader<'_, 'a>) -> Out {
        self.depth += 1;
        if self.depth > MAX_DEPTH * 8 {
            reader.at = reader.tokens.len();
        }
        let left = self.ternary(reader);
        let sign = reader.sign();
        let out = match sign {
            "=" => {
                reader.at += 1;
                let right = if reader.is("{") {
                    let close = closing(reader.tokens, reader.at).min(reader.tokens.len());
                    let inside = &reader.tokens[reader.at + 1..close];
                    reader.at = close + 1;
                    self.listed(&left.ty, inside)
                } else {
                    let right = self.assignment(reader);
                    let array = is_vector(&left.ty) || matches!(left.value, Value::List(..));
                    if array { right } else { decayed(&right).into() }
                };
                self.assign(&left, right.value)
            }
            "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" => {
                reader.at += 1;
                let right = self.assignment(reader);
                let value = left.value.clone().binary(&sign[..sign.len() - 1], right.value);
                self.assign(&left, value)
            }
            // `>>=` is read as two signs.
            ">" if reader.adjacent(&[">", ">="]) => {
                reader.at += 2;
                let right = self.assignment(reader);
                let value = left.value.clone().binary(">>", right.value);
                self.assign(&left, value)
            }
            _ => left,
        };
        self.depth -= 1;
        out
    }

    pub(super) fn assign(&mut self, to: &Out, value: Value) -> Out {
        if let (Value::Device { buffer, .. }, true) = (&to.value, is_vector(&to.ty)) {
            let (buffer, bytes) = (*buffer, self.buffers[*buffer].bytes);
            self.copied(buffer, 0, &value.into(), inner(&to.ty), bytes);
            return to.clone();
        }
        let value = if to.ty.is_empty() { value } else { value.cast(&to.ty) };
        if let Some(place) = &to.place {
            self.store(place, value.clone());
        }
        Out { value, ..to.clone() }
    }

    /// Stores a value at an address, if it is one.
    pub(super) fn set(&mut self, to: &Value, value: Value) {
        if let Value::Address(variable, fields) = to {
            self.store(&(*variable, fields.clone()), value);
        }
    }

    pub(super) fn store(&mut self, (variable, fields): &(usize, Vec<String>), value: Value) {
        let Some(variable) = self.variables.get_mut(*variable) else { return };
        let mut slot = &mut variable.value;
        for field in fields {
            slot = match slot {
                Value::Fields(fields) => fields.entry(field.clone()).or_default(),
                unknown @ Value::Unknown if field == ALLOWED => {
                    *unknown = Value::Fields(BTreeMap::new());
                    let Value::Fields(fields) = unknown else { return };
                    fields.entry(field.clone()).or_default()
                }
                Value::List(_, list) => {
                    let at = field.parse::<usize>().ok().filter(|at| *at < list.len());
                    let (Some(at), true) = (at, self.spent < MAX_STEPS) else { return };
                    // A branch that may not be taken has changed a copy.
                    self.spent += if Arc::strong_count(list) > 1 { list.len() / 64 } else { 0 };
                    &mut Arc::make_mut(list)[at]
                }
                _ => return,
            };
        }
        *slot = value;
    }

    pub(super) fn load(&self, (variable, fields): &(usize, Vec<String>)) -> Out {
        let Some(variable) = self.variables.get(*variable) else { return Out::default() };
        let mut slot = Some(&variable.value);
        for field in fields {
            slot = match slot {
                Some(Value::Fields(fields)) => fields.get(field),
                Some(Value::List(_, list)) => field.parse::<usize>().ok().and_then(|at| list.get(at)),
                _ => None,
            };
        }
        let ty = fields.iter().fold(variable.ty.clone(), |ty, field| match field.parse::<usize>() {
            Ok(_) => inner(&ty).to_owned(),
            Err(_) => self.member_type(&ty, field).unwrap_or_default(),
        });
        Out::of(slot.cloned().unwrap_or_default(), ty)
    }

    pub(super) fn ternary(&mut self, reader: &mut Reader<'_, 'a>) -> Out {
        let condition = self.binary(reader, 0);
        if !reader.eat("?") {
            return condition;
        }
        let then = self.assignment(reader);
        reader.eat(":");
        let other = self.assignment(reader);
        match condition.value.truth() {
            Some(true) => then,
            Some(false) => other,
            None if then.value == other.value => then,
            None => Out { ty: then.ty, ..Out::default() },
        }
    }

    pub(super) fn binary(&mut self, reader: &mut Reader<'_, 'a>, level: usize) -> Out {
        const LEVELS: [&[&str]; 10] = [
            &["||"],
            &["&&"],
            &["|"],
            &["^"],
            &["&"],
            &["==", "!="],
            &["<", ">", "<=", ">="],
            &["<<", ">>"],
            &["+", "-"],
            &["*", "/", "%"],
        ];
        let Some(signs) = LEVELS.get(level) else { return self.unary(reader) };
        let mut left = self.binary(reader, level + 1);
        loop {
            let shift = reader.adjacent(&[">", ">"]) && !reader.adjacent(&[">", ">", ">"]);
            let sign = if shift { ">>" } else { reader.sign() };
            if !signs.contains(&sign) || reader.adjacent(&[">", ">="]) {
                return left;
            }
            reader.at += if shift { 2 } else { 1 };
            let right = self.binary(reader, level + 1);
            let pointer = left.ty.ends_with('*') || matches!(left.value, Value::Device { .. });
            let real = [&left.ty, &right.ty].into_iter().find(|ty| ty.contains("double") || *ty == "float");
            let ty = if pointer { left.ty.clone() } else { real.cloned().unwrap_or_else(|| left.ty.clone()) };
            let value = if pointer || !matches!(sign, "+" | "-") { left.value } else { decayed(&left) };
            left = Out::of(value.binary(sign, right.value), ty);
        }
    }

    pub(super) fn unary(&mut self, reader: &mut Reader<'_, 'a>) -> Out {
        self.depth += 1;
        if self.depth > MAX_DEPTH * 8 {
            reader.at = reader.tokens.len();
        }
        let sign = reader.sign();
        let out = match sign {
            "-" | "+" | "!" | "~" => {
                reader.at += 1;
                let inner = self.unary(reader);
                let value = match sign {
                    "-" => Value::Int(0).binary("-", inner.value),
                    "~" => Value::Int(-1).binary("^", inner.value),
                    "!" => inner.value.truth().map_or(Value::Unknown, |truth| Value::Int(i64::from(!truth))),
                    _ => inner.value,
                };
                Out::of(value, inner.ty)
            }
            "++" | "--" => {
                reader.at += 1;
                let inner = self.unary(reader);
                let value = inner.value.clone().binary(&sign[1..], Value::Int(1));
                self.assign(&inner, value)
            }
            "&" => {
                reader.at += 1;
                let inner = self.unary(reader);
                let address = inner.place.map(|(variable, fields)| Value::Address(variable, fields));
                self.pinned = self.variables.len();
                let kernel = Some(inner.value).filter(|value| matches!(value, Value::Kernel(_)));
                Out {
                    value: kernel.or(inner.address).or(address).unwrap_or_default(),
                    ty: inner.ty + "*",
                    ..Out::default()
                }
            }
            "*" => {
                reader.at += 1;
                let inner = self.unary(reader);
                self.pointed(&inner)
            }
            _ => self.cast(reader),
        };
        self.depth -= 1;
        out
    }

    pub(super) fn pointed(&self, pointer: &Out) -> Out {
        let ty = inner(&pointer.ty).to_owned();
        match &pointer.value {
            Value::Device { buffer, offset, size: Some(size) }
                if *size > 0 && self.buffers[*buffer].mirror.is_some() =>
            {
                let place = (self.buffers[*buffer].mirror.unwrap_or_default(), vec![(offset / size).to_string()]);
                Out { place: Some(place.clone()), ty, address: Some(pointer.value.clone()), ..self.load(&place) }
            }
            Value::Address(variable, fields) => {
                let place = (*variable, fields.clone());
                Out { place: Some(place.clone()), ..self.load(&place) }
            }
            device @ Value::Device { .. } => Out { ty, address: Some(device.clone()), ..Out::default() },
            _ => Out { ty, ..Out::default() },
        }
    }

    /// Reads `(TYPE) x`, or something simpler.
    pub(super) fn cast(&mut self, reader: &mut Reader<'_, 'a>) -> Out {
        if reader.is("(") {
            let close = closing(reader.tokens, reader.at);
            let inside = reader.tokens.get(reader.at + 1..close).unwrap_or_default();
            let operand = reader.tokens.get(close + 1).is_some_and(|next| {
                next.kind != Kind::Sign || ["(", "&", "*", "-", "!", "~", "::", "["].contains(&next.text)
            });
            if operand && self.is_type(inside) {
                reader.at = close + 1;
                let ty = self.ty(inside);
                let inner = self.unary(reader);
                return Out { value: inner.value.cast(&ty), ty, ..inner };
            }
        }
        self.postfix(reader)
    }

    /// True if tokens are a type, and cannot be a value.
    pub(super) fn is_type(&self, tokens: Tokens) -> bool {
        let Some(end) = self.type_end(tokens, 0) else { return false };
        let stars = tokens[end..].iter().all(|token| token.is("*") || token.is("&") || token.is("const"));
        let alias = |name: &str| self.find(name).is_some_and(|at| matches!(self.variables[at].value, Value::Type(_)));
        let ty = self.ty(&tokens[..end]);
        let known = size_of(&ty).is_some() || ty.ends_with("_t") || ty == "dim3" || alias(&ty);
        stars && (known || self.is_class(&ty) || end < tokens.len())
    }

    pub(super) fn primary(&mut self, reader: &mut Reader<'_, 'a>) -> Out {
        let Some(token) = reader.tokens.get(reader.at).copied() else { return Out::default() };
        reader.at += 1;
        match token.kind {
            Kind::Number => return number(token.text),
            Kind::Text if token.text.starts_with('\'') => {
                let value = character(token.text).map_or(Value::Unknown, Value::Int);
                return Out::of(value, "char");
            }
            Kind::Text => {
                let mut text = token.text.to_owned();
                while reader.tokens.get(reader.at).is_some_and(|next| next.kind == Kind::Text) {
                    text = text[..text.len() - 1].to_owned() + &reader.tokens[reader.at].text[1..];
                    reader.at += 1;
                }
                let text = text.trim_matches('"').to_owned();
                let value = if text.contains('\\') { Value::Unknown } else { Value::Text(text) };
                return Out::of(value, "char*");
            }
            Kind::Sign => {
                match token.text {
                    "(" => {
                        let close = closing(reader.tokens, reader.at - 1).min(reader.tokens.len());
                        let out = self.expression(&reader.tokens[reader.at..close]);
                        reader.at = close + 1;
                        return out;
                    }
                    // A lambda.
                    "[" => {
                        let body = reader.tokens[reader.at..].iter().position(|token| token.is("{"));
                        let body = body.map_or(reader.tokens.len(), |at| reader.at + at);
                        let (start, end) = (reader.at, closing(reader.tokens, body).min(reader.tokens.len()));
                        reader.at = (end + 1).min(reader.tokens.len());
                        let list = (start..body).find(|at| reader.tokens[*at].is("("));
                        let list = list.map(|open| &reader.tokens[open + 1..closing(reader.tokens, open).min(body)]);
                        let parameters = list.unwrap_or_default().to_vec();
                        let body = reader.tokens.get(body + 1..end).unwrap_or_default().to_vec();
                        self.lambdas.push(Arc::new(Lambda { parameters, body }));
                        return Value::Lambda(self.lambdas.len() - 1).into();
                    }
                    "::" => return self.primary(reader),
                    "{" => {
                        reader.at -= 1;
                        let items = self.arguments_of(reader).into_iter().map(|out| out.value).collect();
                        return list(items).into();
                    }
                    _ => {}
                }
                return Out::default();
            }
            Kind::Word => {}
        }
        let mut name = token;
        while reader.is("::") && reader.tokens.get(reader.at + 1).is_some_and(|next| next.kind == Kind::Word) {
            name = reader.tokens[reader.at + 1];
            reader.at += 2;
        }
        let simple = |value: i64, ty: &str| Out::of(Value::Int(value), ty.to_owned());
        match name.text {
            "true" | "false" => return simple(i64::from(name.is("true")), "bool"),
            "RAND_MAX" => return simple(0x7fff, "int"),
            "nullptr" | "NULL" | "EXIT_SUCCESS" | "cudaSuccess" => return simple(0, "int"),
            "EXIT_FAILURE" => return simple(1, "int"),
            "cudaLaunchAttributeProgrammaticStreamSerialization" => {
                return simple(PROGRAMMATIC, "cudaLaunchAttributeID");
            }
            "sizeof" => {
                let close = if reader.is("(") { closing(reader.tokens, reader.at) } else { reader.at };
                let inside = match reader.is("(") {
                    true => reader.tokens.get(reader.at + 1..close).unwrap_or_default(),
                    false => reader.tokens.get(reader.at..=close).unwrap_or_default(),
                };
                reader.at = close + 1;
                let ty = match self.is_type(inside) {
                    true => self.ty(inside),
                    false => self.expression(inside).ty,
                };
                return Out::of(self.size(&ty).map_or(Value::Unknown, Value::Int), "size_t");
            }
            "new" => {
                let end = self.type_end(reader.tokens, reader.at).unwrap_or(reader.at);
                let ty = self.ty(&reader.tokens[reader.at..end]);
                reader.at = end;
                if self.is_class(&ty) && !reader.is("*") && !reader.is("[") {
                    let given = if reader.is("(") || reader.is("{") { self.arguments_of(reader) } else { Vec::new() };
                    return self.object(&[Value::Type(ty)], &given);
                }
                while reader.eat("*") {}
                let count = reader.is("[").then(|| closing(reader.tokens, reader.at).min(reader.tokens.len()));
                let count = count.map(|close| (self.value(&reader.tokens[reader.at + 1..close]).int(), close));
                reader.at = count.map_or(reader.at, |(_, close)| close + 1);
                return self.memory(count.and_then(|(n, _)| n), Value::Unknown).into();
            }
            "delete" => return self.unary(reader),
            "static_cast" | "reinterpret_cast" | "const_cast" if reader.is("<") => {
                let end = angles(reader.tokens, reader.at).unwrap_or(reader.at + 1);
                let ty = self.ty(&reader.tokens[reader.at + 1..end - 1]);
                reader.at = end;
                let inner = self.arguments_of(reader).pop().unwrap_or_default();
                return Out { value: inner.value.cast(&ty), ty, ..inner };
            }
            _ => {}
        }
        self.named(name, reader)
    }

    /// Reads a variable, a call or a launch.
    pub(super) fn named(&mut self, name: Token<'a>, reader: &mut Reader<'_, 'a>) -> Out {
        let variable = self.find(name.text);
        let alias = variable.map(|at| self.variables[at].value.clone());
        let known = self.tokens.get(name.text).map(Vec::as_slice).unwrap_or_default();
        let of = |kind: ItemKind| known.iter().filter(move |(_, item)| item.kind == kind);
        let mut explicit = Vec::new();
        if reader.is("<") && variable.is_none_or(|_| matches!(alias, Some(Value::Type(_)))) {
            let end = angles(reader.tokens, reader.at);
            if let Some(end) = end.filter(|end| {
                reader.tokens.get(*end).is_none_or(|next| ["<<<", "(", ",", ")", ";", "{", "::"].contains(&next.text))
            }) {
                explicit = self.template_arguments(reader, end);
            }
        }
        if let (Some(Value::Lambda(number)), true) = (&alias, reader.is("(")) {
            let given = self.arguments_of(reader);
            return self.call_lambda(*number, given);
        }
        // A function of the host may have a kernel's name.
        let called = reader.is("(") && of(ItemKind::Host).any(|(_, item)| !item.body.is_empty());
        if (of(ItemKind::Kernel).next().is_some() && !called) || reader.is("<<<") {
            let kernel = match alias {
                Some(Value::Kernel(kernel)) => kernel,
                _ => name.text.to_owned() + &arguments_text(&explicit),
            };
            if reader.is("<<<") {
                self.launch(&kernel, name, &explicit, reader);
                return Out::default();
            }
            return Value::Kernel(kernel).into();
        }
        if reader.is("(") || (reader.is("{") && (name.is("dim3") || of(ItemKind::Type).next().is_some())) {
            let given = self.arguments_of(reader);
            let constructor = |(_, item): &Declared<'t, 'a>| item.name == item.owner;
            if let Some(function) = self.function(name.text, None, given.len()).filter(|item| !constructor(item)) {
                let this = self.find("this").filter(|_| !function.1.owner.is_empty());
                let this = this.map(|at| self.load(&(at, Vec::new())));
                return self.call(function, &given, &explicit, this);
            }
            return self.library(name.text, given, &explicit, alias);
        }
        match variable {
            Some(variable) => {
                let place = (variable, Vec::new());
                Out { place: Some(place.clone()), ..self.load(&place) }
            }
            None if self.in_directive() => Value::Int(0).into(),
            None => self.own_member(name.text).unwrap_or_else(|| Out { ty: name.text.to_owned(), ..Out::default() }),
        }
    }

    /// Returns a template argument: a type, a number, or the text.
    pub(super) fn template_argument(&mut self, tokens: Tokens<'_, 'a>) -> Value {
        if self.is_type(tokens) {
            return Value::Type(self.ty(tokens));
        }
        if let Some(at) = tokens.first().filter(|_| tokens.len() == 1).and_then(|name| self.find(name.text)) {
            return self.variables[at].value.clone();
        }
        match self.value(tokens) {
            Value::Unknown | Value::Fields(_) => Value::Text(joined(tokens)),
            other => other,
        }
    }
}
