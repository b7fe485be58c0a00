//! What follows a value: members, methods, indices, calls, and launches of a pointer to a kernel.

use super::*;

impl<'a> Host<'_, 'a> {
    pub(super) fn postfix(&mut self, reader: &mut Reader<'_, 'a>) -> Out {
        let mut out = self.primary(reader);
        loop {
            match reader.sign() {
                "." | "->" => {
                    if reader.is("->") {
                        out = self.pointed(&out);
                    }
                    let name = reader.tokens.get(reader.at + 1).map_or("", |name| name.text);
                    reader.at += 2;
                    let end = if reader.is("<") { angles(reader.tokens, reader.at) } else { None };
                    let end = end.filter(|end| reader.tokens.get(*end).is_some_and(|next| next.is("(")));
                    let explicit = end.map(|end| self.template_arguments(reader, end)).unwrap_or_default();
                    if reader.is("(") {
                        let given = self.arguments_of(reader);
                        let list = matches!(out.value, Value::List(..) | Value::Device { .. });
                        let method = if list { None } else { self.function(name, Some(&out.ty), given.len()) };
                        if let (Some(method), Some((variable, fields))) = (method, out.place.clone()) {
                            let this = Value::Address(variable, fields);
                            let this = Out::of(this, out.ty + "*");
                            out = self.call(method, &given, &explicit, Some(this));
                            continue;
                        }
                        let value = match (name, &out.value) {
                            ("size", Value::List(Some(n), _)) => Value::Int(*n),
                            ("size", Value::Device { buffer, .. }) => {
                                let size = self.size(inner(&out.ty)).filter(|size| *size > 0);
                                let bytes = self.buffers[*buffer].bytes;
                                bytes.zip(size).map_or(Value::Unknown, |(bytes, size)| Value::Int(bytes / size))
                            }
                            ("get", Value::Address(..)) => out.value.clone(),
                            ("data" | "begin" | "get", Value::List(..) | Value::Device { .. }) => decayed(&out),
                            ("resize" | "assign", Value::List(..)) => {
                                let count = given.first().and_then(|n| n.value.int());
                                let item = given.get(1).map_or(Value::Int(0), |item| item.value.clone());
                                self.assign(&out, array(count, item)).value
                            }
                            ("push_back" | "emplace_back", Value::List(Some(n), items)) => {
                                let mut items = items.as_ref().clone();
                                if items.len() < MAX_ELEMENTS {
                                    items.extend(given.first().map(|item| item.value.clone()));
                                }
                                self.assign(&out, Value::List(Some(n + 1), Arc::new(items))).value
                            }
                            _ => Value::Unknown,
                        };
                        out = Out::of(value, inner(&out.ty).to_owned() + "*");
                    } else if let Some((variable, mut fields)) = out.place.take() {
                        fields.push(name.to_owned());
                        let place = (variable, fields);
                        out = Out { place: Some(place.clone()), ..self.load(&place) };
                    } else {
                        let value = match &out.value {
                            Value::Fields(fields) => fields.get(name).cloned().unwrap_or_default(),
                            _ => Value::Unknown,
                        };
                        out = value.into();
                    }
                }
                "[" => {
                    let close = closing(reader.tokens, reader.at).min(reader.tokens.len());
                    let index = self.value(&reader.tokens[reader.at + 1..close]);
                    reader.at = close + 1;
                    let ty = inner(&out.ty).to_owned();
                    if let Value::Device { .. } = out.value {
                        let (ty, value) = (out.ty.clone(), out.value.binary("+", index));
                        out = self.pointed(&Out::of(value, ty));
                        continue;
                    }
                    if let (Value::Text(text), Some(at)) = (&out.value, index.int()) {
                        let letter = usize::try_from(at).ok().and_then(|at| text.as_bytes().get(at)).copied();
                        out = Out { ty, ..Value::Int(letter.unwrap_or(0).into()).into() };
                        continue;
                    }
                    let place = match (&out.value, out.place.take()) {
                        (Value::List(..), Some((variable, fields))) => Some((variable, fields, Some(0))),
                        (Value::Address(variable, fields), _) => {
                            let first = fields.last().map_or(Some(0), |first| first.parse::<i64>().ok());
                            Some((*variable, fields[..fields.len().saturating_sub(1)].to_vec(), first))
                        }
                        _ => None,
                    };
                    out = match place {
                        Some((variable, mut fields, first)) => {
                            let at = first.zip(index.int()).map(|(first, at)| first.saturating_add(at));
                            fields.push(at.map_or_else(String::new, |at| at.to_string()));
                            let place = (variable, fields);
                            Out { place: Some(place.clone()), ty, ..self.load(&place) }
                        }
                        None => Out { ty, ..Out::default() },
                    };
                }
                "++" | "--" => {
                    let value = out.value.clone().binary(&reader.sign()[1..], Value::Int(1));
                    reader.at += 1;
                    self.assign(&out, value);
                }
                "(" => {
                    self.arguments_of(reader);
                    out = Out::default();
                }
                "<<<" => match out.value {
                    Value::Kernel(kernel) => {
                        self.launch(&kernel, reader.tokens[reader.at], &[], reader);
                        out = Out::default();
                    }
                    _ => return out,
                },
                _ => return out,
            }
        }
    }

    /// Evaluates the arguments in the parentheses here. `args...` are those of a pack.
    pub(super) fn arguments_of(&mut self, reader: &mut Reader<'_, 'a>) -> Vec<Out> {
        let close = closing(reader.tokens, reader.at).min(reader.tokens.len());
        let inside = reader.tokens.get(reader.at + 1..close).unwrap_or_default();
        reader.at = close + 1;
        let mut given = Vec::new();
        for part in split(inside, ",") {
            let names = part.iter().filter(|_| part.last().is_some_and(|last| last.is("...")));
            let is_pack = |name: &&Token| self.find(name.text).is_some_and(|at| self.variables[at].ty == "...");
            match names.rev().find(is_pack).map(|pack| pack.text) {
                Some(pack) => {
                    let places = (0..).map_while(|number| self.find(&format!("{pack}#{number}")));
                    given.extend(places.map(|at| self.load(&(at, Vec::new()))));
                }
                None => given.push(self.expression(part)),
            }
        }
        given
    }

    /// Evaluates the template arguments here, up to `end`.
    pub(super) fn template_arguments(&mut self, reader: &mut Reader<'_, 'a>, end: usize) -> Vec<Value> {
        let inside = &reader.tokens[reader.at + 1..end - 1];
        reader.at = end;
        split(inside, ",").into_iter().map(|part| self.template_argument(part)).collect()
    }
}
