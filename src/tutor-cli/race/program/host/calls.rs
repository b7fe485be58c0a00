//! Calls of the file's functions, and launches.

use super::*;

impl<'t, 'a> Host<'t, 'a> {
    /// Calls a function of the file. `this` is the address of the object, for a method.
    pub(super) fn call(
        &mut self,
        (tokens, item): Declared<'t, 'a>,
        given: &[Out],
        explicit: &[Value],
        this: Option<Out>,
    ) -> Out {
        if self.depth > MAX_DEPTH * 6 || self.scopes.len() > MAX_DEPTH * 4 {
            return Out::default();
        }
        let body = self.bodies.entry(std::ptr::from_ref(item).addr());
        let macros = self.macros;
        let body = Arc::clone(body.or_insert_with(|| Arc::new(expanded(&tokens[item.body.clone()], macros))));
        let mut frame = HashMap::new();
        let declared = parameters(&tokens[item.parameters.clone()]);
        for (name, value) in self.deduced(&tokens[item.template.clone()], &declared, given, explicit) {
            self.variables.push(Variable { ty: String::new(), value });
            frame.insert(name.to_owned(), self.variables.len() - 1);
        }
        let outer = self.scopes.split_off(1);
        self.scopes.push(frame);
        if let Some(this) = &this {
            self.class_arguments(&this.ty);
            self.declare("this", &this.ty, this.value.clone());
        }
        for (at, parameter) in declared.iter().enumerate() {
            if parameter.is_pack() {
                self.declare(parameter.name, "...", Value::Unknown);
                for (number, out) in given.iter().skip(at).enumerate() {
                    self.declare(&format!("{}#{number}", parameter.name), &out.ty, decayed(out));
                }
                break;
            }
            let ty = self.ty(parameter.ty);
            let out = match (given.get(at), parameter.default) {
                (Some(out), _) => out.clone(),
                (None, Some(default)) => self.expression(&expanded(default, macros)),
                _ => Out::default(),
            };
            let reference = parameter.ty.iter().any(|token| token.is("&"));
            match out.place.clone().filter(|(_, fields)| reference && fields.is_empty()) {
                Some((place, _)) => drop(self.scopes[1].insert(parameter.name.to_owned(), place)),
                None => drop(self.declare(parameter.name, &ty, if is_vector(&ty) { out.value } else { decayed(&out) })),
            }
        }
        self.depth += 4;
        let file = std::mem::replace(&mut self.file, tokens);
        if let Some(this) = this.filter(|_| item.name == item.owner) {
            self.initialise((tokens, item), &this);
        }
        let flow = self.run(&body);
        self.file = file;
        self.depth -= 4;
        self.scopes.truncate(1);
        self.scopes.extend(outer);
        let head = &tokens[item.tokens.start..item.parameters.start.saturating_sub(2).max(item.tokens.start)];
        let ty = self.ty(&head[head.iter().position(|token| token.is(">")).map_or(0, |at| at + 1)..]);
        match flow {
            Flow::Return(value) => Out::of(value.cast(&ty), ty),
            _ => Out { ty, ..Out::default() },
        }
    }

    /// Returns the arguments of a template, those that are given and those that follow from the arguments of a call.
    pub(super) fn deduced(
        &mut self,
        template: Tokens<'t, 'a>,
        declared: &[Parameter<'t, 'a>],
        given: &[Out],
        explicit: &[Value],
    ) -> Vec<(&'a str, Value)> {
        let mut found = Vec::new();
        for (at, parameter) in parameters(template).into_iter().enumerate() {
            let from_type = || {
                let place = declared.iter().position(|declared| declared.ty.iter().any(|word| word.is(parameter.name)));
                let (declared, given) = (&declared[place?].ty, given.get(place?)?);
                let stars = declared.iter().filter(|token| token.is("*")).count();
                let ty = given.ty.split('[').next().unwrap_or_default();
                let ty = if given.ty.contains('[') { format!("{ty}*") } else { given.ty.clone() };
                let base = ty.strip_suffix(&"*".repeat(stars))?.to_owned();
                (!base.is_empty()).then_some(Value::Type(base))
            };
            let value = match (explicit.get(at).cloned().or_else(from_type), parameter.default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.template_argument(&expanded(default, self.macros)),
                (None, None) => Value::Unknown,
            };
            found.push((parameter.name, value));
        }
        found
    }

    /// Reads a launch. `explicit` are the template arguments that it names.
    pub(super) fn launch(&mut self, kernel: &str, name: Token<'a>, explicit: &[Value], reader: &mut Reader<'_, 'a>) {
        self.reached.insert((self.file.as_ptr().addr(), reader.tokens[reader.at].at));
        let start = reader.at + 1;
        let close = (start..reader.tokens.len())
            .find(|at| reader.tokens[*at..].get(..3).is_some_and(|three| three.iter().all(|token| token.is(">"))));
        let Some(close) = close else { return reader.at = reader.tokens.len() };
        let settings: Vec<Value> =
            split(&reader.tokens[start..close], ",").into_iter().map(|part| self.value(part)).collect();
        reader.at = close + 3;
        let open = reader.at;
        let end = closing(reader.tokens, open).min(reader.tokens.len());
        let texts: Vec<String> =
            split(reader.tokens.get(open + 1..end).unwrap_or_default(), ",").into_iter().map(joined).collect();
        let given = self.arguments_of(reader);
        let of = |at: usize, usual: Value| settings.get(at).cloned().unwrap_or(usual);
        self.in_stream(&of(3, Value::Int(0)));
        let (grid, block, shared) = (of(0, Value::Unknown), of(1, Value::Unknown), of(2, Value::Int(0)));
        self.launched(kernel, name.at, [grid, block, shared], false, given, texts, explicit);
    }

    /// Notes the stream of the next launch. Launches in different streams may run at the same time, unless the host or an
    /// event orders them. The default stream waits for all others.
    pub(super) fn in_stream(&mut self, stream: &Value) {
        let stream = stream.int().unwrap_or(0);
        if stream == 0 || self.streams.contains(&0) || self.streams.contains(&stream) {
            self.streams.clear();
        }
        self.streams.push(stream);
    }

    /// True if two launches differ only in where they stand, or in buffers that the same statement allocated.
    fn repeats(&self, known: &Launch, new: &Launch) -> bool {
        let buffer = |value: &Value| match value {
            Value::Device { buffer, offset, .. } => {
                let buffer = &self.buffers[*buffer];
                let name = buffer.name.split('#').next().unwrap_or_default().to_owned();
                Some((name, buffer.bytes, buffer.contents.clone(), *offset))
            }
            _ => None,
        };
        let alike = |(a, b): (&Argument, &Argument)| {
            a == b || (buffer(&a.value).is_some() && buffer(&a.value) == buffer(&b.value))
        };
        let settings = Launch { at: new.at, file: new.file, args: new.args.clone(), ..known.clone() };
        settings == *new && known.args.len() == new.args.len() && known.args.iter().zip(&new.args).all(alike)
    }

    /// Calls a lambda. It sees the variables of its caller instead of those around it.
    pub(super) fn call_lambda(&mut self, number: usize, given: Vec<Out>) -> Out {
        let Some(lambda) = self.lambdas.get(number).cloned() else { return Out::default() };
        if self.depth > MAX_DEPTH * 6 || self.scopes.len() > MAX_DEPTH * 4 {
            return Out::default();
        }
        self.scopes.push(HashMap::new());
        for (parameter, out) in parameters(&lambda.parameters).iter().zip(given) {
            let ty = self.ty(parameter.ty);
            self.declare(parameter.name, &ty, decayed(&out));
        }
        self.depth += 4;
        let flow = self.run(&lambda.body);
        self.depth -= 4;
        self.scopes.pop();
        match flow {
            Flow::Return(value) => value.into(),
            _ => Out::default(),
        }
    }

    /// Returns the kernel of this name that fits the arguments best, and whether there are others.
    fn kernel(&self, name: &str, given: &[Out]) -> Option<(Declared<'t, 'a>, bool)> {
        let all = self.tokens.get(name)?.iter().copied().filter(|(_, item)| item.kind == ItemKind::Kernel);
        let (defined, only): (Vec<_>, Vec<_>) = all.partition(|(_, item)| item.body.start > item.tokens.start);
        let all = if defined.is_empty() { only } else { defined };
        let fit = |(tokens, item): &Declared<'t, 'a>| {
            let declared = parameters(&tokens[item.parameters.clone()]);
            let alike = |(parameter, out): &(&Parameter<'_, '_>, &Out)| self.ty(parameter.ty) == out.ty;
            let most = declared.len() >= given.len();
            (most, usize::MAX - declared.len().abs_diff(given.len()), declared.iter().zip(given).filter(alike).count())
        };
        let best = all.iter().rev().max_by_key(|kernel| fit(kernel)).copied()?;
        Some((best, all.len() > 1))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a launch")]
    pub(super) fn launched(
        &mut self,
        kernel: &str,
        at: usize,
        [grid, block, shared]: [Value; 3],
        cooperative: bool,
        mut given: Vec<Out>,
        mut texts: Vec<String>,
        explicit: &[Value],
    ) {
        texts.resize(given.len(), texts.last().cloned().unwrap_or_default());
        let plain = kernel.split('<').next().unwrap_or(kernel);
        let (mut kernel, mut expression) = (kernel.to_owned(), None);
        if let Some(((tokens, item), overloaded)) = self.kernel(plain, &given) {
            let declared = parameters(&tokens[item.parameters.clone()]);
            for parameter in declared.iter().skip(given.len()) {
                let Some(default) = parameter.default else { break };
                texts.push(joined(default));
                given.push(self.expression(&expanded(default, self.macros)));
            }
            if !item.template.is_empty() && (!kernel.contains('<') || !explicit.is_empty()) {
                let all = self.deduced(&tokens[item.template.clone()], &declared, &given, explicit);
                // A number becomes an enumerator only by a cast.
                let cast = |(parameter, (_, value)): (Parameter, (&str, Value))| match (self.ty(parameter.ty), value) {
                    (ty, Value::Int(n)) if size_of(&ty).is_none() && ty != "auto" => Value::Text(format!("({ty}){n}")),
                    (_, value) => value,
                };
                let all: Vec<Value> =
                    parameters(&tokens[item.template.clone()]).into_iter().zip(all).map(cast).collect();
                kernel = plain.to_owned() + &arguments_text(&all);
            }
            let full = item.path.clone() + &kernel;
            if overloaded && item.template.is_empty() {
                let types: Vec<String> = declared.iter().map(|parameter| joined(parameter.ty)).collect();
                expression = Some(format!("(void (*)({})) {full}", types.join(", ")));
            } else if item.hidden || !item.template.is_empty() {
                expression = Some(full);
            }
        }
        if !self.steps.iter().any(|step| matches!(step, Step::Launch(_))) {
            self.mirrored();
        }
        let dependent = (std::mem::take(&mut self.dependent) && !self.ordered) || self.streams.len() > 1;
        let args = given.into_iter().zip(texts).map(|(out, text)| Argument { value: out.value, text }).collect();
        let file = self.file.as_ptr().addr();
        let launch = Launch {
            kernel,
            expression,
            at,
            file,
            header: String::new(),
            line: 0,
            grid,
            block,
            shared,
            cooperative,
            dependent,
            args,
        };
        self.ordered = false;
        // A benchmark repeats its launches, and the second one finds nothing new.
        let same = |step: &Step| matches!(step, Step::Launch(known) if self.repeats(known, &launch));
        if !self.steps.iter().any(same) {
            self.steps.push(Step::Launch(launch));
        }
    }
}
