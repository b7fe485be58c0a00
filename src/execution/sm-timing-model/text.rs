//! Reads the instructions of one kernel from its PTX: pipe, registers, address and branch target of each.
//!
//! The emulator has already accepted the text. So this reader only splits it, and an instruction that it does not know
//! is a reason to give no estimate.

use super::Refusal;
use std::collections::HashMap;

/// The unit that executes an instruction, with what the simulation must know about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// No machine instruction: the assembler renames a register or folds the operation into another instruction.
    Free,
    /// Division of integers by a value that is not in the text.
    Divide { wide: bool },
    /// Single-precision arithmetic.
    Float,
    /// Integer multiply-add.
    Multiply,
    /// Other integer and logical operations, comparisons and selections.
    Integer,
    /// Double-precision arithmetic.
    Double,
    /// Conversions between number formats, and approximate functions.
    Special,
    /// Load from shared memory.
    SharedLoad,
    /// Store to shared memory.
    SharedStore,
    /// Load from global memory. `ordered`: it must not move across stores.
    GlobalLoad { ordered: bool },
    /// Store to global memory.
    GlobalStore,
    /// `cp.async` from global to shared memory.
    Copy,
    /// End of a group of copies.
    Commit,
    /// Waits until at most this many groups of the thread are in flight.
    Wait(u16),
    /// `mma.sync`, which takes as long as this many halves of one of 16×8×16 bf16 numbers.
    Mma(u8),
    /// `mma.sync` of 16×8×4 FP64 numbers, or of 8×8×4, which takes as long.
    DoubleMma,
    /// `wgmma.mma_async` with this many columns, and operands of 32 bytes along K.
    Wgmma(u16),
    /// End of a group of `wgmma`.
    CommitProducts,
    /// Waits until at most this many groups of `wgmma` are in flight.
    WaitProducts(u16),
    /// Bulk copy to shared memory, or from there.
    Bulk { store: bool },
    /// Arrival at an `mbarrier`.
    Arrive,
    /// Waits for a phase of an `mbarrier`.
    Test,
    /// Barrier of this number of warps of the block, or of all if 0.
    Barrier(u16),
    /// Jump.
    Branch,
}

impl Kind {
    /// True if the assembler moves nothing across it.
    pub(crate) fn divides(self) -> bool {
        matches!(self, Self::Barrier(_) | Self::Wait(_) | Self::WaitProducts(_) | Self::Test)
    }

    /// True for a load or store of shared memory.
    pub(crate) fn is_shared(self) -> bool {
        matches!(self, Self::SharedLoad | Self::SharedStore)
    }

    /// True for an access of a warp to global memory.
    pub(crate) fn is_global(self) -> bool {
        matches!(self, Self::GlobalLoad { .. } | Self::GlobalStore | Self::Copy)
    }

    /// True if the emulator may report one execution several times.
    pub(crate) fn repeats(self) -> bool {
        self.multiplies()
            || matches!(self, Self::Barrier(_) | Self::Test | Self::CommitProducts | Self::WaitProducts(_))
    }

    /// True for arithmetic, which only computes a result.
    pub(crate) fn computes(self) -> bool {
        matches!(self, Self::Float | Self::Multiply | Self::Integer | Self::Double | Self::Special)
            || matches!(self, Self::Divide { .. } | Self::DoubleMma)
    }

    /// True if the tensor cores execute it.
    pub(crate) fn multiplies(self) -> bool {
        matches!(self, Self::Mma(_) | Self::Wgmma(_))
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Instruction {
    /// Opcode with types.
    pub(crate) opcode: String,
    pub(crate) kind: Kind,
    /// Machine instructions that it becomes.
    pub(crate) slots: u8,
    pub(crate) writes: Vec<u32>,
    pub(crate) reads: Vec<u32>,
    /// Base register and offset of an access.
    pub(crate) address: Option<(u32, i64)>,
    /// Bytes per lane of an access.
    pub(crate) bytes: u32,
    /// Its PTX line, and the line of the source, or 0.
    pub(crate) line: u32,
    pub(crate) source: u32,
    /// Index of the instruction that a branch jumps to.
    pub(crate) target: Option<usize>,
    /// True if it runs only where a predicate holds.
    pub(crate) guarded: bool,
    /// True if control never continues with the next instruction.
    pub(crate) ends: bool,
    /// True if it reads the number of the thread, so that its result differs between lanes.
    pub(crate) varies: bool,
    /// True for the addition of a number to a register.
    pub(crate) steps: bool,
}

/// The instructions of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Text {
    pub(crate) code: Vec<Instruction>,
    /// By PTX line: the index in `code` of its first instruction, and their number.
    at_line: Vec<(u32, u32)>,
    /// Registers of 32 bits that a PTX register takes: 0 for a predicate.
    pub(crate) widths: Vec<u8>,
    /// Indices at which the compiler forbids unrolling the loop that contains them.
    pub(crate) rolled: Vec<usize>,
    /// `.maxntid`, `.reqntid` and `.minnctapersm`.
    pub(crate) most_threads: Option<u32>,
    pub(crate) least_blocks: Option<u32>,
    /// Most registers to which warps change their number, if they do.
    pub(crate) reassigned: Option<u32>,
}

impl Text {
    /// Returns the index of the first instruction on a PTX line, and their number.
    pub(crate) fn on_line(&self, line: u32) -> Option<(u32, u32)> {
        self.at_line.get(line as usize).copied().filter(|(_, count)| *count > 0)
    }
}

/// Registers by name while a text is read.
#[derive(Default)]
struct Names<'a> {
    known: HashMap<&'a str, u32>,
    /// Width by prefix, from `.reg` directives.
    prefixes: HashMap<&'a str, u8>,
    widths: Vec<u8>,
}

impl<'a> Names<'a> {
    fn id(&mut self, name: &'a str) -> u32 {
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let width = *self.prefixes.get(name).or_else(|| self.prefixes.get(prefix)).unwrap_or(&1);
        let widths = &mut self.widths;
        *self.known.entry(name).or_insert_with(|| {
            widths.push(width);
            (widths.len() - 1) as u32
        })
    }

    /// `.reg .b64 %rd<5>` or `.reg .pred %p, %q`.
    fn declare(&mut self, directive: &'a str) {
        let mut words = directive.split_whitespace().skip(1);
        let width = match words.next().unwrap_or("") {
            ".pred" => 0,
            ty if ty.ends_with("128") => 4,
            ty if ty.ends_with("64") => 2,
            _ => 1,
        };
        for name in words.flat_map(|word| word.split(',')).filter(|name| !name.is_empty()) {
            self.prefixes.insert(name.split('<').next().unwrap_or(name), width);
        }
    }
}

/// Reads the kernel `entry` of a PTX text.
pub(crate) fn read(ptx: &str, entry: &str) -> Result<Text, Refusal> {
    let lines = body(ptx, entry).ok_or(Refusal::Unreadable { line: 0 })?;
    let (mut text, mut names) = (Text::default(), Names::default());
    let mut labels = HashMap::new();
    let (mut jumps, mut source) = (Vec::new(), 0);
    for (number, line) in lines {
        let mut rest = line.split("//").next().unwrap_or("").trim();
        while let Some((label, after)) = rest.split_once(':').filter(|(label, _)| is_name(label.trim())) {
            labels.insert(label.trim(), text.code.len());
            rest = after.trim();
        }
        rest = rest.trim_start_matches('{').trim_end_matches('}').trim();
        if let Some(words) = rest.strip_prefix('.').filter(|_| rest.matches(';').count() < 2) {
            match words.split_whitespace().next().unwrap_or("") {
                "reg" => names.declare(rest.trim_end_matches(';')),
                // In a function that the compiler has inlined, the line of the call.
                "loc" => source = numbers(words.rsplit("inlined_at").next().unwrap_or(words)).nth(1).unwrap_or(0),
                "pragma" if rest.contains("nounroll") => text.rolled.push(text.code.len()),
                "maxntid" | "reqntid" => text.most_threads = Some(numbers(words).product()),
                // Of larger clusters, fewer fit on a GPU than it has SMs.
                "reqnctapercluster" if numbers(words).product::<u32>() > 2 => return Err(Refusal::Cluster),
                "minnctapersm" => text.least_blocks = numbers(words).next(),
                _ => {}
            }
            continue;
        }
        for part in rest.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            if part.starts_with(".reg") {
                names.declare(part);
                continue;
            }
            let (mut found, jump) = instruction(part, number, &mut names)?;
            if part.starts_with("setmaxnreg") {
                let last = part.split_whitespace().next_back().and_then(|word| word.parse().ok());
                text.reassigned = text.reassigned.max(last);
            }
            found.source = source;
            jumps.extend(jump.map(|label| (text.code.len(), label)));
            text.at_line.resize(number as usize + 1, (text.code.len() as u32, 0));
            text.at_line[number as usize].1 += 1;
            text.code.push(found);
        }
    }
    for (at, label) in jumps {
        text.code[at].target = labels.get(label).copied();
    }
    text.widths = names.widths;
    Ok(text)
}

/// Returns the numbered lines from the header of an entry to the end of its body.
fn body<'a>(ptx: &'a str, entry: &str) -> Option<Vec<(u32, &'a str)>> {
    let mut lines = (1..).zip(ptx.lines());
    let is_header = |line: &str| {
        let name = line.split(".entry").nth(1).map(|rest| rest.trim().trim_end_matches('(').trim());
        name.is_some_and(|name| name.split(['(', ' ']).next() == Some(entry))
    };
    lines.by_ref().find(|(_, line)| is_header(line))?;
    let (mut depth, mut found) = (0i32, Vec::new());
    for (number, line) in lines {
        let code = line.split("//").next().unwrap_or("");
        depth += code.matches('{').count() as i32 - code.matches('}').count() as i32;
        if depth > 0 || code.trim_start().starts_with('.') {
            found.push((number, line));
        } else if code.contains('}') {
            return Some(found);
        }
    }
    None
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_$".contains(c))
}

fn numbers(text: &str) -> impl Iterator<Item = u32> + '_ {
    text.split([' ', ',', '\t']).filter_map(|word| word.trim().parse().ok())
}

/// Reads `@%p1 bra LABEL` and the like. Also returns the label of a jump.
fn instruction<'a>(part: &'a str, line: u32, names: &mut Names<'a>) -> Result<(Instruction, Option<&'a str>), Refusal> {
    let (guard, rest) = match part.strip_prefix('@') {
        Some(guarded) => {
            let (guard, rest) = guarded.split_once(char::is_whitespace).ok_or(Refusal::Unreadable { line })?;
            (Some(guard.trim_start_matches('!')), rest.trim())
        }
        None => (None, part),
    };
    let (opcode, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let (kind, slots) = classified(opcode, operands)
        .ok_or_else(|| Refusal::Instruction { name: opcode.split('.').take(2).collect::<Vec<_>>().join("."), line })?;
    let varies = ["%tid", "%laneid"].iter().any(|name| operands.contains(name));
    let operands = split(operands);
    let mut found = Instruction {
        opcode: opcode.to_owned(),
        kind,
        slots,
        writes: Vec::new(),
        reads: guard.map(|name| names.id(name)).into_iter().collect(),
        address: None,
        bytes: bytes(opcode),
        line,
        source: 0,
        target: None,
        guarded: guard.is_some(),
        ends: guard.is_none() && ["bra", "ret", "exit"].contains(&opcode.split('.').next().unwrap_or("")),
        varies,
        steps: false,
    };
    if kind == Kind::Branch {
        return Ok((found, operands.first().copied().filter(|_| opcode.starts_with("bra"))));
    }
    let stores = matches!(
        kind,
        Kind::SharedStore | Kind::GlobalStore | Kind::Copy | Kind::Wait(_) | Kind::Barrier(_) | Kind::Bulk { .. }
    );
    for (index, operand) in operands.iter().enumerate() {
        if let Some(place) = operand.strip_prefix('[') {
            let place = place.trim_end_matches(']');
            let (base, offset) = place.split_once('+').unwrap_or((place, "0"));
            if base.starts_with('%') || names.prefixes.contains_key(base) {
                let base = names.id(base.trim());
                found.address = found.address.or_else(|| Some((base, offset.trim().parse().ok()?)));
                found.reads.push(base);
            }
            continue;
        }
        let known: Vec<&str> = registers(operand, names).collect();
        for name in known {
            let id = names.id(name);
            if index == 0 && !stores {
                found.writes.push(id);
            } else {
                found.reads.push(id);
            }
            if index == 0 && matches!(kind, Kind::Wgmma(_)) {
                found.reads.push(id);
            }
        }
    }
    if let (Kind::Divide { wide }, Some(Ok(by))) = (kind, operands.get(2).map(|by| by.parse::<u64>())) {
        found.kind = Kind::Integer;
        found.slots = if by.is_power_of_two() { 2 } else { 4 } * if wide { 4 } else { 1 };
    }
    found.steps = opcode.starts_with("add") && (found.reads.len(), operands.len()) == (1, 3);
    Ok((found, None))
}

/// Splits operands at commas outside of brackets and braces.
fn split(operands: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in operands.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(operands[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(operands[start..].trim());
    found.retain(|operand| !operand.is_empty());
    found
}

/// Returns the registers that an operand names. Special registers such as `%tid.x` are constants here.
fn registers<'a>(operand: &'a str, names: &Names<'a>) -> impl Iterator<Item = &'a str> {
    operand
        .split(|c: char| !(c.is_ascii_alphanumeric() || "%_$.".contains(c)))
        .filter(|word| {
            word.starts_with('%') && !word.contains('.') && word.len() > 1 || names.prefixes.contains_key(word)
        })
        .filter(|word| !["%laneid", "%warpid", "%smid", "%nsmid", "%clock", "%clock64"].contains(word))
}

/// Returns the number of bytes per lane of an access.
fn bytes(opcode: &str) -> u32 {
    let words = || opcode.split('.');
    let count = words().find_map(|word| word.strip_prefix('v')?.parse().ok()).unwrap_or(1);
    let ty = words().next_back().unwrap_or("");
    count * ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse::<u32>().unwrap_or(32) / 8
}

/// Returns the unit and the number of machine instructions of an opcode. `None` for one that the model does not know.
fn classified(opcode: &str, operands: &str) -> Option<(Kind, u8)> {
    let words: Vec<&str> = opcode.split('.').collect();
    let has = |word: &str| words.contains(&word);
    let (first, ty) = (*words.first()?, *words.last()?);
    let wide = ty.ends_with("64");
    if let Some(found) = asynchronous(&words, operands) {
        return found;
    }
    if ["f16", "f16x2", "bf16", "bf16x2", "f32x2"].iter().any(|half| has(half)) {
        // Nothing was measured of these.
        return None;
    }
    Some(match first {
        "mov" | "cvta" => (Kind::Free, 0),
        "and" | "or" | "xor" | "not" if ty == "pred" => (Kind::Free, 0),
        "ld" if has("param") => (Kind::Free, 0),
        "ld" if has("shared") => (Kind::SharedLoad, 1),
        "ld" if has("global") => (Kind::GlobalLoad { ordered: !has("nc") }, 1),
        "ldu" => (Kind::GlobalLoad { ordered: false }, 1),
        "st" if has("shared") => (Kind::SharedStore, 1),
        "st" if has("global") => (Kind::GlobalStore, 1),
        "cp" if has("async") && has("shared") && !has("bulk") => (Kind::Copy, 1),
        "cp" if has("commit_group") => (Kind::Commit, 1),
        "cp" if has("wait_group") => (Kind::Wait(operands.trim().parse().ok()?), 1),
        "cp" if has("wait_all") => (Kind::Wait(0), 1),
        "bar" | "barrier" if !has("arrive") && !has("cluster") => {
            let count = if has("red") { None } else { operands.split(',').nth(1) };
            let threads = count.map_or(Some(0), |count| count.trim().parse::<u16>().ok())?;
            (Kind::Barrier(threads / 32), 1)
        }
        "bra" | "ret" | "exit" => (Kind::Branch, 1),
        "prefetch" | "prefetchu" | "membar" | "fence" | "griddepcontrol" => return None,
        "fma" | "add" | "sub" | "mul" | "mad" | "min" | "max" | "neg" | "abs" | "div" | "rcp" | "sqrt" | "setp"
        | "selp"
            if ty == "f64" =>
        {
            match first {
                "setp" | "selp" | "min" | "max" | "neg" | "abs" => (Kind::Integer, 2),
                "fma" | "add" | "sub" | "mul" | "mad" => (Kind::Double, 1),
                _ => return None,
            }
        }
        "fma" | "add" | "sub" | "mul" | "mad" if ty == "f32" => (Kind::Float, 1),
        "neg" | "abs" if ty.starts_with('f') => (Kind::Free, 0),
        "div" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "ex2" | "lg2" | "tanh" if has("approx") => {
            (Kind::Special, 1)
        }
        "div" | "rem" if !ty.starts_with('f') => (Kind::Divide { wide }, 1),
        "popc" | "clz" | "bfind" => (Kind::Special, 1),
        "cvt" => converted(words.get(words.len().checked_sub(2)?)?, ty)?,
        "mul" | "mad" if has("wide") => (Kind::Multiply, 1),
        "mul" | "mad" => (Kind::Multiply, if wide { 4 } else { 1 }),
        // A shift of 64 bits is part of the address arithmetic that follows it.
        "shl" if wide => (Kind::Free, 0),
        "add" | "sub" | "and" | "or" | "xor" | "shl" | "shr" | "setp" | "selp" | "min" | "max" | "neg" | "abs"
        | "not" | "shf" | "bfe" | "bfi" | "prmt" | "lop3" | "brev" | "set" | "slct" => {
            (Kind::Integer, if wide && first != "setp" && first != "selp" { 2 } else { 1 })
        }
        _ => return None,
    })
}

/// Returns the unit of an instruction for the tensor cores, for asynchronous copies, or between the threads of a warp.
/// `None` for other instructions, and `Some(None)` for one that the model does not know.
fn asynchronous(words: &[&str], operands: &str) -> Option<Option<(Kind, u8)>> {
    let has = |word: &str| words.contains(&word);
    let ty = words.last();
    let number = || operands.trim().parse().ok();
    Some(match *words.first()? {
        "mma" if has("sp") => None,
        "mma" => match (words.get(3).copied()?, words.get(7).copied()?) {
            ("m16n8k16", "bf16" | "f16") | ("m16n8k8", "tf32") => Some((Kind::Mma(2), 1)),
            ("m16n8k8", "bf16" | "f16") | ("m16n8k4", "tf32") => Some((Kind::Mma(1), 1)),
            // Two products of f16 numbers. The conversions take other pipes less time.
            ("m16n8k32", "e4m3" | "e5m2") => Some((Kind::Mma(4), 2)),
            ("m8n8k4" | "m16n8k4", "f64") => Some((Kind::DoubleMma, 1)),
            _ => None,
        },
        // The emulator divides `wmma` as the assembler does. Its two products of a step are one here.
        "wmma" if has("mma") => (!has("s32") && !has("f64")).then_some((Kind::Mma(4), 2)),
        "wmma" if has("shared") => Some((if has("load") { Kind::SharedLoad } else { Kind::SharedStore }, 1)),
        "wmma" if has("load") => has("global").then_some((Kind::GlobalLoad { ordered: false }, 1)),
        "wmma" => has("global").then_some((Kind::GlobalStore, 1)),
        "wgmma" => match words.get(1).copied()? {
            "mma_async" if !has("sp") => words.iter().find_map(|word| {
                let columns = word.strip_prefix("m64n")?.split('k').next()?;
                Some((Kind::Wgmma(columns.parse().ok()?), 1))
            }),
            "commit_group" => Some((Kind::CommitProducts, 1)),
            "wait_group" => number().map(|most| (Kind::WaitProducts(most), 1)),
            "fence" => Some((Kind::Free, 0)),
            _ => None,
        },
        "ldmatrix" | "movmatrix" | "shfl" => Some((Kind::SharedLoad, 1)),
        "stmatrix" => Some((Kind::SharedStore, 1)),
        "cp" if has("bulk") && has("mbarrier::complete_tx::bytes") && has("global") => {
            Some((Kind::Bulk { store: false }, 1))
        }
        "cp" if has("bulk") && has("bulk_group") => Some((Kind::Bulk { store: true }, 1)),
        "cp" if has("bulk") && !has("commit_group") && !has("wait_group") => None,
        "mbarrier" if has("init") || has("inval") => Some((Kind::Free, 0)),
        "mbarrier" if has("try_wait") => Some((Kind::Test, 1)),
        "mbarrier" if has("arrive") => Some((Kind::Arrive, 1)),
        "mbarrier" => None,
        "ld" if has("shared::cluster") => None,
        "setmaxnreg" => Some((Kind::Free, 0)),
        // The fences between the threads' accesses and those of the copy engine. Their time is not known, but small.
        "fence" if has("async") || has("mbarrier_init") => Some((Kind::Free, 0)),
        "prefetch" if has("tensormap") => Some((Kind::Free, 0)),
        // `__syncwarp`: lanes that stay together wait for nothing.
        "bar" if has("warp") => Some((Kind::Free, 0)),
        "elect" | "mapa" => Some((Kind::Integer, 1)),
        "barrier" if has("cluster") => Some(if has("wait") { (Kind::Barrier(0), 1) } else { (Kind::Free, 0) }),
        "cvt" if words.ends_with(&["f32", "f16"]) => Some((Kind::Float, 1)),
        "cvt" if has("e4m3x2") && (ty == Some(&"f32") || has("f16x2")) => Some((Kind::Integer, 1)),
        "cvt" if ty == Some(&"f32") && ["bf16x2", "f16x2", "bf16", "f16"].iter().any(|to| has(to)) => {
            Some((Kind::Integer, 1))
        }
        _ => return None,
    })
}

/// Conversions: between integers of one size they are nothing, and to or from floating point they are slow.
fn converted(to: &str, from: &str) -> Option<(Kind, u8)> {
    let (to, from) = (to.chars().next()?, (from.chars().next()?, from));
    Some(match (to, from) {
        ('f' | 'b', _) | (_, ('f' | 'b', _)) => (Kind::Special, 1),
        // The upper half of a signed number: a shift.
        ('s', (_, "s32")) => (Kind::Integer, 1),
        _ => (Kind::Free, 0),
    })
}
