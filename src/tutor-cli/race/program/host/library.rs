//! Functions of CUDA and of the C library, and the memory that they allocate.

use super::*;

/// Properties of the device, an H200. Most have the same name as an attribute, such as `cudaDevAttrWarpSize`.
const PROPERTIES: [(&str, i64); 13] = [
    ("multiProcessorCount", 132),
    ("warpSize", 32),
    ("major", 9),
    ("minor", 0),
    ("maxThreadsPerBlock", 1024),
    ("maxThreadsPerMultiProcessor", 2048),
    ("sharedMemPerBlock", 49_152),
    ("cooperativeLaunch", 1),
    ("managedMemory", 1),
    ("concurrentKernels", 1),
    ("concurrentManagedAccess", 1),
    ("unifiedAddressing", 1),
    ("canMapHostMemory", 1),
];

impl<'t, 'a> Host<'t, 'a> {
    /// Calls a function of CUDA or of the C library.
    pub(super) fn library(&mut self, name: &str, given: Vec<Out>, explicit: &[Value], alias: Option<Value>) -> Out {
        let value = |at: usize| given.get(at).map(|out| out.value.clone()).unwrap_or_default();
        let integer = |at: usize| value(at).int();
        let real = |at: usize| value(at).real();
        let both = || real(0).zip(real(1));
        // A copy, and the host's waiting, come after the launch before them and before the one after them.
        let is = |words: &[&str]| name.starts_with("cuda") && words.iter().any(|word| name.contains(word));
        self.ordered |= is(&["Memcpy", "Memset", "Synchronize"]);
        if is(&["Memcpy", "Memset", "Synchronize", "WaitEvent", "Graph", "Free"]) && !name.ends_with("Async") {
            self.streams.clear();
        }
        match name {
            "cudaMalloc" | "cudaMallocManaged" | "cudaMallocAsync" | "cudaMallocHost" | "cudaHostAlloc" => {
                let contents =
                    if name.starts_with("cudaMalloc") && !name.ends_with("Managed") && !name.ends_with("Host") {
                        Contents::Zeros
                    } else {
                        Contents::Copied
                    };
                self.allocate(&value(0), integer(1), contents);
            }
            "cudaMallocPitch" => {
                let pitch = integer(2).map(|width| (width + 511) / 512 * 512);
                self.set(&value(1), pitch.map_or(Value::Unknown, Value::Int));
                self.allocate(&value(0), pitch.zip(integer(3)).and_then(|(a, b)| a.checked_mul(b)), Contents::Zeros);
            }
            "cudaHostGetDevicePointer" => {
                self.set(&value(0), value(1));
            }
            "cudaMemcpy" | "cudaMemcpyAsync" | "cudaMemcpy2D" => {
                if let Value::Device { buffer, offset, .. } = value(0) {
                    let source = given.get(1).cloned().unwrap_or_default();
                    let ty = given.first().map_or("", |to| inner(&to.ty)).to_owned();
                    self.copied(buffer, offset, &source, &ty, integer(2));
                }
            }
            "cudaMemcpyToSymbol" | "cudaMemcpyToSymbolAsync" => {
                let variable = given.first().map_or("", |out| out.ty.as_str()).trim_end_matches('*');
                let source = given.get(1).cloned().unwrap_or_default();
                let known = |buffer: &Buffer| buffer.name == variable && buffer.contents == Contents::Variable;
                let buffer = self.buffers.iter().position(known).unwrap_or_else(|| {
                    let (name, contents) = (variable.to_owned(), Contents::Variable);
                    self.buffers.push(Buffer { name, bytes: None, contents, mirror: None });
                    self.buffers.len() - 1
                });
                self.copied(buffer, integer(3).unwrap_or(0), &source, "int", integer(2));
            }
            "cudaMemset" | "cudaMemsetAsync" => {
                if let Value::Device { buffer, offset, .. } = value(0) {
                    let set = integer(1).zip(integer(2));
                    if let (Some((value, bytes)), false) = (set, self.steps.is_empty() && integer(1) == Some(0)) {
                        self.steps.push(Step::Set { buffer, offset, bytes, pattern: Some(vec![value as u8]) });
                    }
                }
            }
            "cudaGetDeviceProperties"
            | "cudaDeviceGetAttribute"
            | "cudaGetDeviceCount"
            | "cudaOccupancyMaxActiveBlocksPerMultiprocessor" => {
                let attribute = given.get(1).and_then(|out| out.ty.strip_prefix("cudaDevAttr"));
                let found = match name {
                    "cudaGetDeviceProperties" => {
                        Value::Fields(PROPERTIES.map(|(name, n)| (name.to_owned(), Value::Int(n))).into())
                    }
                    "cudaDeviceGetAttribute" => {
                        let is = |(name, _): &&(&str, i64)| attribute.is_some_and(|of| of.eq_ignore_ascii_case(name));
                        PROPERTIES.iter().find(is).map_or(Value::Unknown, |(_, n)| Value::Int(*n))
                    }
                    _ => Value::Int(1),
                };
                self.set(&value(0), found);
            }
            "cudaOccupancyMaxPotentialBlockSize" => {
                for (at, n) in [(0, 132), (1, 256)] {
                    self.set(&value(at), Value::Int(n));
                }
            }
            "cudaStreamCreate" | "cudaStreamCreateWithFlags" | "cudaStreamCreateWithPriority" => {
                self.created += 1;
                self.set(&value(0), Value::Int(self.created));
            }
            "cudaLaunchKernel" | "cudaLaunchCooperativeKernel" => {
                if let (Value::Kernel(kernel), Some(given)) =
                    (value(0), given.get(3).and_then(|list| self.listed_arguments(list)))
                {
                    self.in_stream(&value(5));
                    let settings = [value(1), value(2), value(4)];
                    self.launched(&kernel, self.last.1, settings, name.contains("Coop"), given, Vec::new(), &[]);
                }
            }
            "cudaLaunchKernelEx" | "cudaLaunchKernelExC" => {
                if let (Value::Kernel(kernel), config) = (value(1), self.pointed(&value(0).into()).value) {
                    let field = |of: &Value, name: &str| match of {
                        Value::Fields(fields) => fields.get(name).cloned(),
                        _ => None,
                    };
                    let of = |name: &str| field(&config, name);
                    let shared = of("dynamicSmemBytes").unwrap_or(Value::Int(0));
                    let settings = [of("gridDim").unwrap_or_default(), of("blockDim").unwrap_or_default(), shared];
                    let attributes = match of("attrs").map(|list| self.pointed_list(&list)) {
                        Some(Value::List(_, list)) => list.to_vec(),
                        one => one.into_iter().collect(),
                    };
                    self.dependent = attributes.iter().any(|one| {
                        let allowed = field(one, "val").and_then(|value| field(&value, ALLOWED));
                        field(one, "id") == Some(Value::Int(PROGRAMMATIC)) && allowed != Some(Value::Int(0))
                    });
                    let listed = || given.get(2).and_then(|list| self.listed_arguments(list)).unwrap_or_default();
                    let given = if name.ends_with('C') { listed() } else { given[2..].to_vec() };
                    self.in_stream(&of("stream").unwrap_or(Value::Int(0)));
                    self.launched(&kernel, self.last.1, settings, false, given, Vec::new(), &[]);
                }
            }
            _ if name.starts_with("cuda") => {
                for out in &given {
                    self.set(&out.value, Value::Unknown);
                }
            }
            "malloc" | "aligned_alloc" | "realloc" | "memalign" => return self.memory(None, Value::Unknown).into(),
            "calloc" => return self.memory(None, Value::Int(0)).into(),
            "rand" | "random" | "lrand48" => {
                // The constants are those of `rand` in the C standard's example (7.22.2).
                self.random = self.random.wrapping_mul(1_103_515_245).wrapping_add(12_345);
                return Out::of(Value::Int((self.random >> 16 & 0x7fff).into()), "int");
            }
            "drand48" => {
                self.random = self.random.wrapping_mul(1_103_515_245).wrapping_add(12_345);
                return Value::Real(f64::from(self.random >> 8) / f64::from(1 << 24)).into();
            }
            "exit" | "abort" | "_Exit" | "quick_exit" => self.exits = true,
            "raw_pointer_cast" | "device_pointer_cast" | "move" | "forward" | "ref" if given.len() == 1 => {
                return given[0].clone();
            }
            "make_unique" | "make_shared" => return self.object(explicit, &given),
            // In CUDA's samples: the cores of a multiprocessor, and the options, which the program does not get.
            "_ConvertSMVer2Cores" => return Value::Int(128).into(),
            "checkCmdLineFlag" | "getCmdLineArgumentString" | "getenv" => return Value::Int(0).into(),
            "atoi" | "atol" | "atoll" | "strtol" | "stoi" | "strtoul" | "strtoull" | "stoul" => {
                if let Value::Text(text) = value(0) {
                    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len());
                    return text[..digits].parse().map_or(Value::Int(0), Value::Int).into();
                }
            }
            "atof" | "strtod" | "stof" | "stod" => {
                if let Value::Text(text) = value(0) {
                    return Value::Real(text.parse().unwrap_or(0.0)).into();
                }
            }
            "strlen" => {
                if let Value::Text(text) = value(0) {
                    return Value::Int(text.len() as i64).into();
                }
            }
            "strcmp" => {
                if let (Value::Text(a), Value::Text(b)) = (value(0), value(1)) {
                    return Value::Int(a.cmp(&b) as i64).into();
                }
            }
            "min" | "max" | "fmin" | "fmax" | "MIN" | "MAX" if both().is_some() => {
                let less = both().is_some_and(|(a, b)| a <= b);
                return given[usize::from(less == name.to_lowercase().contains("max"))].clone();
            }
            _ if function_of_one(name).is_some() => {
                let function = function_of_one(name);
                return real(0).zip(function).map_or(Value::Unknown, |(x, function)| Value::Real(function(x))).into();
            }
            "pow" | "powf" => return both().map_or(Value::Unknown, |(a, b)| Value::Real(a.powf(b))).into(),
            "abs" => return integer(0).map_or(Value::Unknown, |n| Value::Int(n.saturating_abs())).into(),
            "swap" => {
                if let [Out { place: Some(a), .. }, Out { place: Some(b), .. }] = given.as_slice() {
                    self.store(a, value(1));
                    self.store(b, value(0));
                }
            }
            "dim3" => return self.made("dim3", &given.into_iter().map(|out| out.value).collect::<Vec<_>>()).into(),
            _ => {
                let ty = match alias {
                    Some(Value::Type(ty)) => ty,
                    _ => name.to_owned(),
                };
                if size_of(&ty).is_some() && given.len() == 1 {
                    return Out::of(value(0).cast(&ty), ty);
                }
                if self.is_class(name) {
                    let object = self.object(&[Value::Type(name.to_owned() + &arguments_text(explicit))], &given);
                    return self.pointed(&object);
                }
                // A function elsewhere may change what it gets the address of, in the GPU's memory the last one.
                for out in &given {
                    self.set(&out.value, Value::Unknown);
                }
                let device = given.iter().rev().find(|out| matches!(out.value, Value::Device { .. }));
                if let Some(Value::Device { buffer, offset, .. }) =
                    device.map(|out| &out.value).filter(|_| !name.contains("print"))
                {
                    self.copied(*buffer, *offset, &Out::default(), "", None);
                }
                return Out::default();
            }
        }
        Out { value: if name.starts_with("cuda") { Value::Int(0) } else { Value::Unknown }, ..Out::default() }
    }

    /// Returns the arguments whose addresses are in a list.
    fn listed_arguments(&self, list: &Out) -> Option<Vec<Out>> {
        let Value::List(_, list) = self.pointed_list(&decayed(list)) else { return None };
        Some(list.iter().map(|value| self.pointed(&value.clone().into())).collect())
    }

    pub(super) fn pointed_list(&self, value: &Value) -> Value {
        match value {
            Value::Address(variable, fields) => {
                let fields = fields[..fields.len().saturating_sub(1)].to_vec();
                self.load(&(*variable, fields)).value
            }
            other => other.clone(),
        }
    }

    /// Allocates memory of the host.
    pub(super) fn memory(&mut self, count: Option<i64>, item: Value) -> Value {
        self.variables.push(Variable { ty: String::new(), value: array(count, item) });
        self.pinned = self.variables.len();
        Value::Address(self.variables.len() - 1, vec!["0".to_owned()])
    }

    pub(super) fn allocate(&mut self, to: &Value, bytes: Option<i64>, contents: Contents) {
        let Value::Address(variable, fields) = to else { return };
        let place = (*variable, fields.clone());
        let ty = self.load(&place).ty;
        let element = ty.strip_suffix('*').unwrap_or_else(|| inner(&ty)).to_owned();
        let name = self.scopes.iter().rev().flatten().find(|(_, at)| **at == *variable).map(|(name, _)| name.clone());
        let name =
            fields.iter().fold(name.unwrap_or_else(|| "memory".to_owned()), |name, field| format!("{name}.{field}"));
        let others = self.buffers.iter().filter(|buffer| buffer.name.split('#').next() == Some(&name)).count();
        let name = if others == 0 { name } else { format!("{name}#{}", others + 1) };
        let mirror = (contents == Contents::Copied).then(|| self.memory(None, UNWRITTEN));
        let mirror = mirror.and_then(|memory| if let Value::Address(at, _) = memory { Some(at) } else { None });
        self.buffers.push(Buffer { name, bytes: bytes.filter(|n| *n >= 0), contents, mirror });
        let size = Some(element.as_str()).filter(|ty| *ty != "void").and_then(|ty| self.size(ty));
        self.store(&place, Value::Device { buffer: self.buffers.len() - 1, offset: 0, size });
    }

    /// Allocates what a `thrust::device_vector` has, and copies its initial elements.
    pub(super) fn device_vector(&mut self, to: usize, ty: &str, given: &[Out]) {
        let source = given.first().map(|first| (self.pointed_list(&decayed(first)), first));
        let count = match &source {
            Some((Value::List(count, _), _)) => *count,
            Some((count, _)) => count.int(),
            None => Some(0),
        };
        let bytes = count.zip(self.size(inner(ty))).and_then(|(count, size)| count.checked_mul(size));
        self.allocate(&Value::Address(to, Vec::new()), bytes, Contents::Zeros);
        if let (Value::Device { buffer, .. }, Some((list @ Value::List(..), _))) =
            (self.variables[to].value.clone(), source)
        {
            self.copied(buffer, 0, &list.into(), inner(ty), bytes);
        }
    }

    /// Makes an object, and returns its address.
    pub(super) fn object(&mut self, explicit: &[Value], given: &[Out]) -> Out {
        let Some(Value::Type(ty)) = explicit.first().filter(|_| !self.is_over()) else { return Out::default() };
        self.variables.push(Variable { ty: ty.clone(), value: Value::Fields(BTreeMap::new()) });
        self.pinned = self.variables.len();
        let value = Value::Address(self.variables.len() - 1, Vec::new());
        let this = Out::of(value, ty.clone() + "*");
        self.construct(this.clone(), given);
        this
    }

    /// Notes that the host copies something into a buffer.
    pub(super) fn copied(&mut self, buffer: usize, offset: i64, from: &Out, to: &str, bytes: Option<i64>) {
        let own = inner(&from.ty);
        let ty = if size_of(own).is_some() && own != "void" { own } else { to }.to_owned();
        let mirror =
            |buffer: usize| self.buffers[buffer].mirror.map(|mirror| Value::Address(mirror, vec!["0".to_owned()]));
        let from = match decayed(from) {
            Value::Device { buffer, offset: 0, .. } => mirror(buffer).unwrap_or_default(),
            other => other,
        };
        let contents = match from {
            Value::Text(text) => Some(text.into_bytes()),
            list @ Value::List(..) => bytes_of(&list, &ty),
            Value::Address(variable, fields) => {
                let first = fields.last().and_then(|first| first.parse::<usize>().ok());
                let value = match (first, self.pointed_list(&Value::Address(variable, fields.clone()))) {
                    (Some(first), Value::List(_, items)) => list(items.iter().skip(first).cloned().collect()),
                    _ => self.load(&(variable, fields)).value,
                };
                bytes_of(&value, &ty)
            }
            _ => None,
        };
        let reads = |arg: &Argument| matches!(arg.value, Value::Device { buffer: of, .. } if of == buffer);
        let variable = self.buffers.get(buffer).is_some_and(|buffer| buffer.contents == Contents::Variable);
        let used = variable
            || self.steps.iter().any(|step| matches!(step, Step::Launch(launch) if launch.args.iter().any(reads)));
        let Some(known) = self.buffers.get_mut(buffer) else { return };
        let pattern = contents.filter(|all| !all.is_empty());
        if used {
            let bytes = bytes.or(known.bytes).unwrap_or(0);
            // Only the last copy before a launch counts.
            if matches!(self.steps.last(), Some(Step::Set { buffer: of, offset: at, .. }) if (*of, *at) == (buffer, offset))
            {
                self.steps.pop();
            }
            self.steps.push(Step::Set { buffer, offset, bytes, pattern });
            return;
        }
        let whole = offset == 0 && bytes.is_some() && bytes == known.bytes;
        known.contents = pattern.filter(|_| whole).map_or(Contents::Copied, Contents::Bytes);
    }

    /// Notes what the host has written into managed memory, before the first launch.
    pub(super) fn mirrored(&mut self) {
        for at in 0..self.buffers.len() {
            let Some(mirror) = self.buffers[at].mirror else { continue };
            let points = |variable: &&Variable| matches!(variable.value, Value::Device { buffer, .. } if buffer == at);
            let ty =
                self.variables.iter().find(points).map(|variable| inner(&variable.ty).to_owned()).unwrap_or_default();
            let written =
                |value: &Value| matches!(value, Value::List(_, items) if items.iter().any(|item| *item != UNWRITTEN));
            if !written(&self.variables[mirror].value) {
                self.buffers[at].contents = Contents::Zeros;
            } else if let Some(all) = bytes_of(&self.variables[mirror].value, &ty) {
                self.buffers[at].contents = Contents::Bytes(all);
            }
        }
    }
}

/// Returns a function of one number in the C library, also of those whose names end with `f`.
fn function_of_one(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name.strip_suffix('f').unwrap_or(name) {
        "sin" => f64::sin,
        "cos" => f64::cos,
        "exp" => f64::exp,
        "log" => f64::ln,
        "log2" => f64::log2,
        "log10" => f64::log10,
        "sqrt" => f64::sqrt,
        "fabs" => f64::abs,
        "ceil" => f64::ceil,
        "floor" => f64::floor,
        "trunc" => f64::trunc,
        "round" | "lround" => f64::round,
        "rint" | "nearbyint" => f64::round_ties_even,
        _ => return None,
    })
}

/// An element of managed memory that the host has not written.
const UNWRITTEN: Value = Value::Type(String::new());

/// Returns an array of equal elements.
pub(super) fn array(count: Option<i64>, item: Value) -> Value {
    let length = count.map_or(MAX_ELEMENTS, |n| usize::try_from(n).unwrap_or(0).min(MAX_ELEMENTS));
    Value::List(count, Arc::new(vec![item; length]))
}

pub(super) fn list(items: Vec<Value>) -> Value {
    Value::List(Some(items.len() as i64), Arc::new(items))
}

/// Returns the address of an array's first element, as C++ passes an array.
pub(super) fn decayed(out: &Out) -> Value {
    match (&out.value, &out.place) {
        (Value::List(..), Some((variable, fields))) => {
            Value::Address(*variable, fields.iter().cloned().chain(["0".to_owned()]).collect())
        }
        (value, _) => value.clone(),
    }
}

/// True for `std::vector<T>`, and for `host_vector` and `device_vector` of `thrust`.
pub(super) fn is_vector(ty: &str) -> bool {
    ty.ends_with('>') && ty.split_once('<').is_some_and(|(name, _)| name.ends_with("vector"))
}

/// Returns the type of an element.
pub(super) fn inner(ty: &str) -> &str {
    let vector = ty.split_once('<').filter(|_| is_vector(ty)).and_then(|(_, inside)| inside.strip_suffix('>'));
    let array = || ty.split_once('[').map(|(base, _)| base);
    vector.or_else(array).or_else(|| ty.strip_suffix('*')).unwrap_or_default()
}

/// Returns the bytes of a number or of an array of numbers, up to the first element that is not known.
pub(super) fn bytes_of(value: &Value, ty: &str) -> Option<Vec<u8>> {
    let of = |value: &Value| {
        Some(match ty {
            "float" => (value.real()? as f32).to_le_bytes().to_vec(),
            "double" => value.real()?.to_le_bytes().to_vec(),
            _ => value.int()?.to_le_bytes().get(..usize::try_from(size_of(ty)?).ok()?)?.to_vec(),
        })
    };
    match value {
        Value::List(_, items) => {
            let known: Vec<Vec<u8>> = items.iter().map_while(|item| bytes_of(item, ty)).collect();
            (known.len() * 2 > items.len() || known.len() > 64).then(|| known.concat())
        }
        other => of(other),
    }
}

pub(super) fn arguments_text(values: &[Value]) -> String {
    let texts: Vec<String> = values
        .iter()
        .map(|value| match value {
            Value::Type(text) | Value::Text(text) | Value::Kernel(text) => text.clone(),
            Value::Int(n) => n.to_string(),
            Value::Real(n) => n.to_string(),
            _ => "?".to_owned(),
        })
        .collect();
    if texts.is_empty() { String::new() } else { format!("<{}>", texts.join(", ")) }
}
