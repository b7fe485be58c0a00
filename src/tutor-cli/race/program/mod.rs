/*! Reads a whole CUDA program: `main`, kernels and launches in one file.

NVRTC compiles only what runs on the GPU. So this module blanks the functions of the host, line for line, and lists them.
What NVRTC still refuses because it is for the host (a variable, a type, an include) is blanked afterwards, unless it is a
function of the GPU. The launches come from the host's functions ([`host`]).
*/

mod host;
mod items;
mod tokens;
mod value;

use host::{Buffer, Contents, Host};
pub(super) use host::{Launch, Step};
use items::{Item, Kind, items};
use ptx_emulator::Param;
use std::collections::HashMap;
use std::ops::Range;
use std::time::Instant;
use tokens::{File, Macros, Token, given, read};
use tutor_kernels::nvrtc::is_for_kernels;
pub(super) use value::Value;

/// Headers of the C++ library that a program includes for its host part. They are empty for the GPU.
const HOST_HEADERS: &str = "algorithm array atomic bitset cctype cerrno chrono complex condition_variable cstring ctime deque exception \
    filesystem fstream functional future initializer_list iomanip iostream iterator list map memory mutex numeric \
    ostream queue random set sstream stdexcept string thread tuple unordered_map utility vector";

/// Headers of libraries that declare no more for the GPU than CUDA's types of 16 bits.
const CUDA_LIBRARIES: [&str; 4] = ["cublas_v2.h", "cublas.h", "cublasLt.h", "cudnn.h"];

/// What a header of the C++ or C library declares for all.
const PREFIX: &str = "#pragma once
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
";
/// The name of a file that is only for the host.
const HOST_FILE: &str = "?";
const PREFIX_NAME: &str = "matmul-tutor/program.h";

/// A program without its host part.
#[derive(Clone)]
pub(super) struct Program {
    pub(super) source: String,
    pub(super) headers: Vec<(String, String)>,
    /// Options of the compiler.
    pub(super) extra: Vec<String>,
    /// Names of what was left out, with the lines in the file.
    pub(super) left_out: Vec<(String, Range<usize>)>,
    /// What may be left out if the compiler refuses it: the name of the header (empty for the file itself), and bytes.
    removable: Vec<(String, String, Range<usize>)>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) steps: Vec<Step>,
    /// Kernels that no launch names.
    pub(super) unused: Vec<String>,
    /// Launches that were not reached, with their kernels and lines.
    pub(super) unreached: Vec<(String, usize)>,
    /// The line at which the program ends without a launch, with the arguments that it was given.
    pub(super) ended: Option<usize>,
    /// The parameters of each kernel that are integers of 8 bytes, and no addresses.
    integers: HashMap<String, Vec<usize>>,
}

/// Reads a program. Returns `None` if a file has no host part. `arguments` are those of its command line.
pub(super) fn program(
    source: &str,
    headers: &[(String, String)],
    defined: &[String],
    arguments: Option<&[String]>,
    hosts: &[String],
    ends: Instant,
) -> Option<Program> {
    let mut macros = Macros::new();
    // Those of the compiler, and those by which CUDA's samples see that the runtime's header is included.
    for predefined in [
        "__CUDACC__",
        "__NVCC__",
        "__cplusplus=201703L",
        "__CUDACC_VER_MAJOR__=12",
        "CUDART_VERSION=12000",
        "__DRIVER_TYPES_H__",
        "__CUDA_RUNTIME_H__",
    ] {
        given(predefined, &mut macros);
    }
    defined.iter().for_each(|text| given(text, &mut macros));
    let texts: Vec<(&str, &str)> = headers.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let hosts = hosts.iter().map(|text| (HOST_FILE, text.as_str()));
    let texts: Vec<(&str, &str)> = texts.into_iter().chain(hosts).chain([("", source)]).collect();
    let files: Vec<(&str, &str, File)> =
        texts.iter().map(|(name, text)| (*name, *text, read(text, &mut macros))).collect();
    let found: Vec<Vec<Item>> = files.iter().map(|(.., file)| items(&file.tokens, &macros)).collect();
    let own = found.last()?;
    let host = |item: &&Item| item.kind == Kind::Host && !item.body.is_empty();
    if files.iter().all(|(name, ..)| *name != HOST_FILE) {
        own.iter().find(host)?;
    }
    let mut index: HashMap<&str, Vec<_>> = HashMap::new();
    for ((.., file), items) in files.iter().zip(&found) {
        for item in items {
            index.entry(item.name).or_default().push((file.tokens.as_slice(), item));
        }
    }
    let main = index.get("main").and_then(|all| all.iter().find(|(_, item)| host(item)));
    let tokens = &files.last()?.2.tokens;
    let follow = |arguments: Option<Vec<String>>| {
        let mut host_part = Host::new(&index, &macros, arguments, ends);
        for ((.., file), items) in files.iter().zip(&found) {
            for item in items.iter().filter(|item| matches!(item.kind, Kind::Other | Kind::Type)) {
                let tokens = &file.tokens[item.tokens.clone()];
                if item.kind == Kind::Other || tokens.iter().take(3).any(|token| token.is("enum")) {
                    host_part.global(tokens);
                }
            }
        }
        let launches = |item: &&Item| {
            tokens[item.body.clone()].iter().any(|token| token.is("<<<") || token.text.starts_with("cudaLaunch"))
        };
        match main {
            Some((tokens, main)) => host_part.enter(main, tokens),
            None => own.iter().filter(host).filter(launches).for_each(|item| host_part.enter(item, tokens)),
        }
        host_part
    };
    let launched = |host: &Host<'_, '_>| host.steps.iter().any(|step| matches!(step, Step::Launch(_)));
    let mut followed = follow(Some(arguments.unwrap_or_default().to_vec()));
    let place = |(file, at): (usize, usize)| {
        let (name, text, _) = files.iter().find(|(.., known)| known.tokens.as_ptr().addr() == file)?;
        Some(((*name).to_owned(), lines(text, &(at..at + 1)).start))
    };
    let mut ended = None;
    if main.is_some() && !launched(&followed) {
        ended = place(followed.last).map(|(_, line)| line);
        if arguments.is_none() {
            // Without arguments, such a program only prints how to call it.
            followed = follow(None);
        }
    }
    let Host { buffers, mut steps, reached, .. } = followed;
    for step in &mut steps {
        if let Step::Launch(launch) = step {
            (launch.header, launch.line) = place((launch.file, launch.at)).unwrap_or_default();
        }
    }
    let kernels = || own.iter().filter(|item| item.kind == Kind::Kernel);
    let on_gpu = |at: usize| {
        own.iter().any(|item| matches!(item.kind, Kind::Kernel | Kind::Device) && item.tokens.contains(&at))
    };
    let unreached = tokens.iter().enumerate().filter(|(at, token)| {
        token.is("<<<") && !reached.contains(&(tokens.as_ptr().addr(), token.at)) && !on_gpu(*at)
    });
    let unreached = unreached.filter_map(|(at, token)| {
        let before = tokens[at.saturating_sub(40)..at].iter().rev();
        let kernel = before.map(|token| token.text).find(|name| kernels().any(|item| item.name == *name))?;
        Some((kernel.to_owned(), lines(source, &(token.at..token.at + 1)).start))
    });
    let unreached: Vec<(String, usize)> = unreached.collect();
    let named = |name: &str| {
        steps.iter().any(|step| matches!(step, Step::Launch(launch) if launch.kernel.split('<').next() == Some(name)))
    };
    let unused =
        own.iter().filter(|item| item.kind == Kind::Kernel && !named(item.name)).map(|item| item.name.to_owned());
    let mut unused: Vec<String> = unused.collect();
    unused.dedup();
    unused.retain(|name| !unreached.iter().any(|(known, _)| known == name));
    let mut program = Program {
        source: source.to_owned(),
        headers: Vec::new(),
        extra: vec!["-default-device".to_owned(), format!("--pre-include={PREFIX_NAME}")],
        left_out: Vec::new(),
        removable: Vec::new(),
        integers: integers(&index),
        unused,
        unreached,
        ended,
        buffers,
        steps,
    };
    for ((name, text, file), items) in files.iter().zip(&found).filter(|((name, ..), _)| *name != HOST_FILE) {
        let (mut text, index) = ((*text).as_bytes().to_vec(), Lines::new(text));
        let bytes = |item: &Item| {
            let tokens = &file.tokens[item.tokens.clone()];
            tokens.first().map_or(0, |first| first.at)..tokens.last().map_or(0, tokens::Token::end)
        };
        for item in items {
            let (span, words) = (bytes(item), &file.tokens[item.tokens.clone()]);
            let device = |token: &tokens::Token| {
                ["__device__", "__global__", "__constant__", "__shared__"].contains(&token.text)
            };
            match item.kind {
                // A constructor without statements does no harm.
                Kind::Host if item.owner.is_empty() || !item.body.is_empty() => {
                    if name.is_empty() && !item.body.is_empty() {
                        let what = match item.owner {
                            "" => item.name.to_owned(),
                            owner if item.name == "~" => format!("{owner}::~{owner}"),
                            owner => format!("{owner}::{}", item.name),
                        };
                        program.left_out.push((what, index.of(&span)));
                    }
                    blank(&mut text, span);
                }
                Kind::Type | Kind::Other => program.removable.push(((*name).to_owned(), item.name.to_owned(), span)),
                Kind::Device if !words.iter().any(device) => {
                    program.removable.push(((*name).to_owned(), item.name.to_owned(), span));
                }
                _ => {}
            }
        }
        for (of, line) in &file.includes {
            let what = format!("#include {of}");
            if !of.starts_with("thrust/") || of.ends_with("complex.h") {
                program.removable.push(((*name).to_owned(), what, line.clone()));
                continue;
            }
            blank(&mut text, line.clone());
            if name.is_empty() {
                program.left_out.push((what, index.of(line)));
            }
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        if name.is_empty() { program.source = text } else { program.headers.push(((*name).to_owned(), text)) }
    }
    let known = |name: &str| program.headers.iter().any(|(known, _)| known == name);
    let empty =
        HOST_HEADERS.split_whitespace().filter(|name| !known(name)).map(|name| (name.to_owned(), String::new()));
    let mut all: Vec<_> = empty.collect();
    all.extend(
        CUDA_LIBRARIES.map(|name| (name.to_owned(), "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n".to_owned())),
    );
    all.push((PREFIX_NAME.to_owned(), PREFIX.to_owned()));
    program.headers.extend(all);
    Some(program)
}

impl Program {
    /// Leaves out what the compiler refuses in its messages, and is not for the GPU. Returns false if there is nothing.
    pub(super) fn leave_out(&mut self, log: &str, file: &str) -> bool {
        let mut places = Vec::new();
        for line in log.lines() {
            let Some((place, message)) = line.split_once("): ") else { continue };
            let Some((name, number)) = place.rsplit_once('(') else { continue };
            let number = number.parse::<usize>().ok();
            if message.contains("error") {
                places.extend(number.map(|number| (if name == file { "" } else { name }.to_owned(), number)));
            }
        }
        let before = self.removable.len();
        for (name, number) in places {
            let text = match self.headers.iter_mut().find(|(known, _)| *known == name) {
                Some((_, text)) => text,
                None if name.is_empty() => &mut self.source,
                None => continue,
            };
            // The outermost declaration around the line comes last.
            let index = Lines::new(text);
            let around =
                |(of, _, span): &(String, String, Range<usize>)| *of == name && index.of(span).contains(&number);
            let needed = |what: &str| what.strip_prefix("#include ").is_some_and(is_for_kernels);
            let all = self.removable.iter().enumerate().filter(|(_, item)| around(item) && !needed(&item.1));
            let found = all.max_by_key(|(_, item)| item.2.len());
            if let Some((at, _)) = found {
                let (of, what, span) = self.removable.remove(at);
                if of.is_empty() {
                    self.left_out.push((what, index.of(&span)));
                }
                let mut bytes = std::mem::take(text).into_bytes();
                blank(&mut bytes, span);
                *text = String::from_utf8_lossy(&bytes).into_owned();
            }
        }
        self.removable.len() < before
    }

    /// Returns `--buffer` for each buffer of known size. Copied contents are unknown: numbers below `modulus`.
    pub(super) fn buffers(&self, modulus: u32) -> Vec<String> {
        let of = |buffer: &Buffer| {
            let (name, bytes) = (&buffer.name, buffer.bytes?);
            Some(match &buffer.contents {
                Contents::Zeros | Contents::Bytes(_) | Contents::Variable => format!("{name}=zeros:{bytes}"),
                Contents::Copied => format!("{name}=u32:mod:{}:{modulus}", bytes.unsigned_abs().div_ceil(4)),
            })
        };
        self.used().filter_map(of).collect()
    }

    /// Returns the buffers of the launches.
    fn used(&self) -> impl Iterator<Item = &Buffer> {
        let uses = |at: usize| {
            move |step: &Step| match step {
                Step::Launch(launch) => {
                    launch.args.iter().any(|arg| matches!(arg.value, Value::Device { buffer, .. } if buffer == at))
                }
                Step::Set { .. } => false,
            }
        };
        self.buffers
            .iter()
            .enumerate()
            .filter(move |(at, _)| self.steps.iter().any(uses(*at)))
            .map(|(_, buffer)| buffer)
    }

    /// Returns the buffers whose contents are known, with bytes that repeat in them.
    pub(super) fn contents(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.buffers.iter().filter_map(|buffer| match &buffer.contents {
            Contents::Bytes(all) => Some((buffer.name.as_str(), all.as_slice())),
            _ => None,
        })
    }

    /// Names the buffers whose contents are not known.
    pub(super) fn copied(&self) -> Vec<String> {
        self.used()
            .filter(|buffer| buffer.contents == Contents::Copied)
            .map(|buffer| format!("`{}`", buffer.name))
            .collect()
    }

    /// True if a parameter of a kernel is an integer, though it is as wide as an address.
    pub(super) fn is_integer(&self, kernel: &str, parameter: usize) -> bool {
        self.integers.get(kernel).is_some_and(|all| all.contains(&parameter))
    }

    /// Returns `--arg` for a value, or `None` if it is not known.
    pub(super) fn argument(&self, value: &Value, param: &Param) -> Option<String> {
        let real = matches!(param.ty.as_str(), "f32" | "f64");
        match value {
            Value::Device { buffer, offset, .. } if param.bytes == 8 => {
                let buffer = self.buffers.get(*buffer).filter(|buffer| buffer.bytes.is_some())?;
                u64::try_from(*offset).ok().map(|offset| format!("ptr:{}+{offset}", buffer.name))
            }
            Value::Int(_) | Value::Real(_) if real => value.real().map(|n| format!("{}:{n:?}", param.ty)),
            Value::Int(n) => match param.bytes {
                1 => Some(format!("u8:{}", *n as u8)),
                2 => Some(format!("u16:{}", *n as u16)),
                4 if *n < 0 => Some(format!("s32:{}", *n as i32)),
                4 => Some(format!("u32:{}", *n as u32)),
                8 => Some(format!("u64:{}", *n as u64)),
                _ => None,
            },
            Value::Real(n) => self.argument(&Value::Int(*n as i64), param),
            _ => None,
        }
    }

    /// Returns C++ expressions for the kernels that a compiler would otherwise leave out.
    pub(super) fn instances(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for step in &self.steps {
            if let Step::Launch(Launch { expression: Some(expression), .. }) = step
                && !expression.contains('?')
                && !names.contains(expression)
            {
                names.push(expression.clone());
            }
        }
        names
    }
}

/// Finds the parameters that are integers of 8 bytes.
fn integers(index: &HashMap<&str, Vec<(&[Token], &Item)>>) -> HashMap<String, Vec<usize>> {
    let all = index.iter().filter_map(|(name, all)| {
        let (tokens, item) = all.iter().find(|(_, item)| item.kind == Kind::Kernel)?;
        let is = |parameter: &items::Parameter| {
            let ty = tokens::joined(parameter.ty);
            !ty.contains('*') && value::size_of(ty.trim_start_matches("const ")) == Some(8) && !ty.contains("double")
        };
        let found = items::parameters(&tokens[item.parameters.clone()]);
        Some(((*name).to_owned(), (0..found.len()).filter(|at| is(&found[*at])).collect()))
    });
    all.collect()
}

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect())
    }

    /// Returns the lines of bytes, from 1, without the last one's successor.
    fn of(&self, span: &Range<usize>) -> Range<usize> {
        let line = |at: usize| self.0.partition_point(|newline| *newline < at) + 1;
        line(span.start)..line(span.end.saturating_sub(1)) + 1
    }
}

fn lines(text: &str, span: &Range<usize>) -> Range<usize> {
    Lines::new(text).of(span)
}

/// Replaces bytes by blanks. Lines stay where they are.
fn blank(text: &mut [u8], span: Range<usize>) {
    let bytes = text.get_mut(span).unwrap_or_default();
    bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}
