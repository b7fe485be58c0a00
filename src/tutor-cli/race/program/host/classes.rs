//! Objects of the host's classes: their members, constructors and methods.

use super::*;

/// Maximum number of base classes.
const MAX_BASES: usize = 8;

pub(super) type Member<'t, 'a> = (Tokens<'t, 'a>, usize, &'static str);

impl<'t, 'a> Host<'t, 'a> {
    /// Returns a class and its base classes.
    fn classes(&self, ty: &str) -> Vec<Declared<'t, 'a>> {
        let plain = |ty: &str| ty.trim_end_matches('*').split('<').next().unwrap_or_default().to_owned();
        let named = |name: &str| self.tokens.get(name)?.iter().find(|(_, item)| item.kind == ItemKind::Type).copied();
        let name = plain(ty);
        let first = named(name.rsplit("::").next().unwrap_or_default());
        let base = |(tokens, item): &Declared<'t, 'a>| {
            let head = &tokens[item.tokens.start..item.body.start];
            let colon = head.iter().position(|token| token.is(":"))?;
            head[colon..].iter().find_map(|word| named(word.text))
        };
        std::iter::successors(first, base).take(MAX_BASES).collect()
    }

    pub(super) fn is_class(&self, name: &str) -> bool {
        !self.classes(name).is_empty()
    }

    /// Returns the type of a member of a class.
    pub(super) fn member_type(&self, ty: &str, name: &str) -> Option<String> {
        let key = (ty.to_owned(), name.to_owned());
        let known = self.members.borrow().get(&key).copied();
        let (ty, stars, array) = known.unwrap_or_else(|| {
            let found = self.member(ty, name);
            self.members.borrow_mut().insert(key, found);
            found
        })?;
        Some(self.ty(ty) + &"*".repeat(stars) + array)
    }

    /// Returns what a class declares of a member: its type, the number of `*`, and `[]` for an array.
    fn member(&self, ty: &str, name: &str) -> Option<Member<'t, 'a>> {
        self.classes(ty).into_iter().find_map(|(tokens, item)| {
            split(&tokens[item.body.clone()], ";").into_iter().find_map(|part| {
                let at = part.iter().rposition(|token| token.is(name))?;
                let ends = |next: &Token| ["=", "[", ",", "{"].contains(&next.text);
                let start = part[..at].iter().rposition(|token| token.is("}") || token.is(":") || token.is(")"));
                let start = start.map_or(0, |at| at + 1);
                let end = self.type_end(part, start).filter(|end| *end <= at && part.get(at + 1).is_none_or(ends))?;
                let comma = part[end..at].iter().rposition(|token| token.is(",")).map_or(end, |comma| end + comma);
                let stars = part[comma..at].iter().filter(|token| token.is("*")).count();
                let array = if part.get(at + 1).is_some_and(|token| token.is("[")) { "[]" } else { "" };
                Some((&part[start..end], stars, array))
            })
        })
    }

    /// Returns the member of the object whose method runs.
    pub(super) fn own_member(&self, name: &str) -> Option<Out> {
        let this = &self.variables[self.find("this")?];
        let Value::Address(variable, fields) = &this.value else { return None };
        self.member_type(&this.ty, name)?;
        let place = (*variable, fields.iter().cloned().chain([name.to_owned()]).collect());
        Some(Out { place: Some(place.clone()), ..self.load(&place) })
    }

    /// Returns the function of this name that takes `given` arguments. `class` is the type of the object, for a method.
    pub(super) fn function(&self, name: &str, class: Option<&str>, given: usize) -> Option<Declared<'t, 'a>> {
        let all = self.tokens.get(name)?.iter().copied();
        let fits = |(tokens, item): &Declared<'t, 'a>| {
            let declared = parameters(&tokens[item.parameters.clone()]);
            let open = |parameter: &&Parameter<'_, '_>| parameter.default.is_none() && !parameter.is_pack();
            let least = declared.iter().filter(open).count();
            let most = if declared.iter().any(Parameter::is_pack) { usize::MAX } else { declared.len() };
            item.is_followed() && (least..=most).contains(&given)
        };
        let mut all: Vec<_> = all.filter(fits).collect();
        all.sort_by_key(|(_, item)| item.kind != ItemKind::Host);
        let Some(class) = class else { return all.first().copied() };
        let classes = self.classes(class);
        let of = |name: &str| all.iter().find(|(_, item)| item.owner == name).copied();
        classes.iter().find_map(|(_, class)| of(class.name)).or_else(|| {
            // The type of the object is not known.
            all.iter().find(|(_, item)| classes.is_empty() && !item.owner.is_empty()).copied()
        })
    }

    /// Makes the object at an address: what its class sets, then its constructor.
    pub(super) fn construct(&mut self, this: Out, given: &[Out]) {
        let classes = self.classes(&this.ty);
        let Value::Address(variable, fields) = &this.value else { return };
        for (tokens, item) in classes.iter().rev() {
            for part in split(&tokens[item.body.clone()], ";") {
                let Some(equal) = part.iter().position(|token| token.is("=")).filter(|at| *at > 0) else { continue };
                if part[..equal].iter().all(|token| !token.is("(") && !token.is("static")) {
                    let value = self.value(&expanded(&part[equal + 1..], self.macros));
                    self.store(&(*variable, [fields.as_slice(), &[part[equal - 1].text.to_owned()]].concat()), value);
                }
            }
        }
        let Some((_, class)) = classes.first() else { return };
        if let Some(constructor) = self.function(class.name, Some(class.name), given.len()) {
            self.call(constructor, given, &[], Some(this));
        }
    }

    /// Carries out what stands between the parameters and the body of a constructor.
    pub(super) fn initialise(&mut self, (tokens, item): Declared<'t, 'a>, this: &Out) {
        let list = tokens.get(item.parameters.end + 1..item.body.start.saturating_sub(1)).unwrap_or_default();
        let Some(colon) = list.iter().position(|token| token.is(":")) else { return };
        for part in split(&expanded(&list[colon + 1..], self.macros), ",") {
            let Some(open) = part.iter().position(|token| token.is("(") || token.is("{")).filter(|at| *at > 0) else {
                continue;
            };
            let name = part[0].text;
            let inside = part.get(open + 1..closing(part, open)).unwrap_or_default();
            let given: Vec<Out> = split(inside, ",").into_iter().map(|part| self.expression(part)).collect();
            match self.own_member(name) {
                Some(member) => {
                    let value = self.made(&member.ty, &given.into_iter().map(|out| out.value).collect::<Vec<_>>());
                    drop(self.assign(&member, value));
                }
                // A base class, or another constructor.
                None => {
                    if let Some(base) = self.function(name, Some(name), given.len()) {
                        self.call(base, &given, &[], Some(this.clone()));
                    }
                }
            }
        }
    }

    /// Binds the parameters of a class's template.
    pub(super) fn class_arguments(&mut self, ty: &str) {
        let Some((tokens, item)) = self.classes(ty).first().copied() else { return };
        let inside = ty.trim_end_matches('*').split_once('<').and_then(|(_, rest)| rest.strip_suffix('>'));
        for (parameter, text) in parameters(&tokens[item.template.clone()]).iter().zip(inside.unwrap_or("?").split(','))
        {
            let value = text.trim().parse().map_or_else(|_| Value::Type(text.trim().to_owned()), Value::Int);
            self.declare(parameter.name, "", value);
        }
    }
}
