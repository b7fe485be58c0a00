/*! The table of instructions: the forms that the emulator runs, and how each is lowered.

A [`Row`] is a form: the instruction's name and modifiers, the types of its operands, the first PTX version and device
that have it, and how it is lowered. [`find`] looks up each instruction of a PTX text. An instruction without a row is
refused. [`crate::forms`] returns the same rows. So do the list in the documentation, `matmul-tutor emulate --list`,
and the words of the fuzzers.

# The notation of forms

| notation | meaning |
|---|---|
| `.rn` | this modifier |
| `.(lo\|hi)` | one of these |
| `{.sat}` | optional |
| `<.lt{.ftz}>` | all of these, in any order, as the assembler accepts them |
| `(min\|max)` at the beginning | one of these instructions |
| `xorsign.abs` among alternatives | both words, in this order |
| `INT`, `ROUND`, … | one word of a set, see [`sets::SETS`] |

# The notation of operands

There is one word per operand, the destination first. An operand in braces is optional.

- `t` has the width of the instruction's type, which is the last modifier that is a type. `2t` has twice that width.
  `w` has the width of the first of two types. `b32` has 32 bits.
- `v` is a value of the type, or a vector in braces of the length that `.v2`, `.v4` or `.v8` states.
- `p` is a predicate, `q` a predicate that is read, `p|p` one or two predicates that are written.
- `[a]` is an address, `#` a constant, `L` a label.
- `…` means that the operands depend on the modifiers, as described by tables in the manual.

With `.L2::cache_hint`, a 64-bit policy follows as the last operand.

# Versions

A version and a device are the first ones for which NVIDIA's assembler (12.9) accepts the row's oldest opcode, with
64-bit addresses. `scripts/instruction-versions` tests one to four statements per row. For a row with `…`, and for some
loads, stores and atomics, version and device are those of the PTX ISA instead. 0 means that this assembler does not
accept the form, which is newer.
*/

mod async_copy;
mod convert;
mod float;
mod integer;
mod logic;
mod memory;
mod pattern;
mod sets;
mod tensor;
mod warp;

use super::alu::type_of;
use super::draft::Lowerer;
use crate::LoadError;
use crate::arith::Handler;
use crate::arith::scalar::int;
use crate::program::{Op, Scalar};
use crate::ptx::Instruction;
use pattern::Pattern;
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

pub(super) struct Row {
    form: &'static str,
    operands: &'static str,
    /// Ten times the first PTX version.
    ptx: u8,
    /// The first device.
    sm: u8,
    rule: LoweringRule,
}

/// How an instruction is lowered.
enum LoweringRule {
    /// As a function of its operands, lane by lane.
    Lanes(Lanes),
    /// By a method that interprets its modifiers.
    By(Method),
}

type Method = for<'a, 'm> fn(&mut Lowerer<'a>, &'m str, &'m [&'m str], &'a Instruction<'a>) -> Result<(), LoadError>;

/// How each lane's result is computed.
struct Lanes {
    function: Scalar,
    /// Derives the function's last argument from the modifiers.
    variant: fn(&TypedModifiers<'_>) -> u64,
    /// Returns the handler for all lanes at once, if there is one.
    fast: fn(&TypedModifiers<'_>) -> Option<Handler>,
}

/// The modifiers of an instruction, and its type.
pub(super) struct TypedModifiers<'m> {
    words: &'m [&'m str],
    ty: &'m str,
    bits: u32,
    signed: bool,
}

impl<'m> TypedModifiers<'m> {
    fn of(m: &'m [&'m str]) -> Self {
        let types = m.iter().rev().filter_map(|word| type_of(word).map(|found| (*word, found)));
        let (ty, (bits, signed)) = types.into_iter().next().unwrap_or(("", (32, false)));
        Self { words: m, ty, bits, signed }
    }

    fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// Returns the index of the first of `words` that is a modifier, or 0.
    fn among(&self, words: &[&str]) -> u64 {
        words.iter().position(|word| self.has(word)).unwrap_or(0) as u64
    }

    /// Returns the type as the functions of `arith::scalar` expect it.
    fn int(&self) -> u64 {
        int(self.bits, self.signed)
    }

    /// Returns the handler for this width.
    fn wide(&self, narrow: Handler, wide: Handler) -> Option<Handler> {
        match self.bits {
            32 => Some(narrow),
            64 => Some(wide),
            _ => None,
        }
    }
}

const fn row(form: &'static str, operands: &'static str, ptx: u8, sm: u8, rule: LoweringRule) -> Row {
    Row { form, operands, ptx, sm, rule }
}

const TABLES: [&[Row]; 9] = [
    integer::ROWS,
    logic::ROWS,
    float::ROWS,
    convert::ROWS,
    memory::ROWS,
    memory::ATOMICS,
    warp::ROWS,
    async_copy::ROWS,
    tensor::ROWS,
];

/// The rows of each name, with their patterns once an instruction of that name is looked up.
static BY_NAME: LazyLock<HashMap<&'static str, Rows>> = LazyLock::new(|| {
    let mut all: HashMap<&'static str, Rows> = HashMap::new();
    for row in TABLES.into_iter().flatten() {
        for name in pattern::names(row.form) {
            all.entry(name).or_default().rows.push(row);
        }
    }
    all
});

#[derive(Default)]
struct Rows {
    rows: Vec<&'static Row>,
    patterns: OnceLock<Vec<Pattern>>,
}

impl Rows {
    fn parsed(&self) -> impl Iterator<Item = (&Pattern, &'static Row)> {
        let read = || self.rows.iter().map(|row| Pattern::read(row.form)).collect();
        self.patterns.get_or_init(read).iter().zip(self.rows.iter().copied())
    }
}

/// Finds the row of an instruction. If several forms have the same words, the number of operands decides.
pub(super) fn find(name: &str, m: &[&str], operands: usize) -> Option<&'static Row> {
    let mut found = BY_NAME.get(name)?.parsed().filter(|(pattern, _)| pattern.fits(m)).map(|(_, row)| row).peekable();
    let first = found.peek().copied();
    found.find(|row| row.takes(operands)).or(first)
}

/// Returns the modifiers of an instruction in the order of a form, if a form has them in another order.
pub(super) fn arranged<'m>(name: &str, m: &[&'m str], operands: usize) -> Option<Vec<&'m str>> {
    let mut rows = BY_NAME.get(name)?.parsed().filter(|(_, row)| row.takes(operands));
    rows.find_map(|(pattern, _)| pattern.arranged(name, m))
}

/// True if a row has an instruction with this name.
pub(super) fn knows(name: &str) -> bool {
    BY_NAME.contains_key(name)
}

/// Returns a known name that differs by one letter (inserted, omitted or replaced) or by two swapped letters. The
/// alphabetically first one wins.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let one_letter = |known: &str| {
        let (a, b) = (name.as_bytes(), known.as_bytes());
        let shorter = a.len().min(b.len());
        let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let behind = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count().min(shorter - before);
        match (&a[before..a.len() - behind], &b[before..b.len() - behind]) {
            ([], [_]) | ([_], [] | [_]) => true,
            ([a, b], [c, d]) => (a, b) == (d, c),
            _ => false,
        }
    };
    BY_NAME.keys().copied().filter(|known| one_letter(known)).min()
}

/// True for instructions at which the lanes of a warp, or the warps of a block, synchronise.
pub(super) fn is_collective(name: &str) -> bool {
    matches!(name, "bar" | "barrier" | "shfl" | "vote" | "match" | "redux" | "activemask" | "elect" | "mma")
}

/// Returns why an instruction without a row is not supported, if there is a specific reason.
pub(super) fn refusal(name: &str, m: &[&str]) -> Option<&'static str> {
    let applies = |(names, words, _): &&(&str, &[&str], &str)| {
        names.split('|').any(|known| known == name)
            && (words.is_empty() || m.iter().any(|m| words.iter().any(|word| m.starts_with(word))))
    };
    REFUSED.iter().find(applies).map(|(.., why)| *why)
}

/// Names, prefixes of modifiers (none matches every form), and the reason why such an instruction is not supported.
const REFUSED: &[(&str, &[&str], &str)] = &[
    ("multimem", &[], ", which reaches the memories of several devices at once"),
    ("tcgen05", &[], LATER),
    ("ldmatrix|stmatrix", &["m16n16", "m8n16", "m16n8"], LATER),
    ("mma", &["e3m2", "e2m3", "e2m1", "kind::", "block_scale"], LATER),
    ("tex|tld4|txq", &[], ": textures"),
    ("suld|sust|sured|suq", &[], ": surfaces"),
    ("vadd|vsub|vabsdiff|vmin|vmax|vshl|vshr|vset|vmad", &[], VIDEO),
    ("vadd2|vsub2|vabsdiff2|vmin2|vmax2|vset2|vavrg2", &[], VIDEO),
    ("vadd4|vsub4|vabsdiff4|vmin4|vmax4|vset4|vavrg4", &[], VIDEO),
    ("istypep", &[], ": types of opaque variables"),
    ("cp", &["im2col::w"], " (columns along one dimension of an image)"),
    ("cp", &["tile::gather4", "tile::scatter4"], " (four rows that are not neighbours)"),
    ("cp", &["cta_group::"], " (a copy whose `mbarrier` may be that of a pair of blocks)"),
    ("cp", &["ignore_oob"], ", which leaves out bytes at both ends of a copy"),
];

const VIDEO: &str = ": video instructions";
const LATER: &str = ", which devices of compute capability 9.0 do not have";

impl Row {
    /// True if the row accepts this number of operands.
    fn takes(&self, operands: usize) -> bool {
        let all = self.operands.split_whitespace();
        let least = all.clone().filter(|operand| !operand.starts_with('{')).count();
        (least..=all.count()).contains(&operands)
    }

    /// Returns ten times the first PTX version, and the first device. Both are 0 if they are not known.
    pub(super) fn first(&self) -> (u8, u8) {
        (self.ptx, self.sm)
    }

    pub(super) fn lower<'a>(
        &self,
        lowerer: &mut Lowerer<'a>,
        (name, m): (&str, &[&str]),
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        match &self.rule {
            LoweringRule::By(method) => method(lowerer, name, m, i),
            LoweringRule::Lanes(lanes) => self.lower_lanes(lanes, lowerer, &TypedModifiers::of(m), i),
        }
    }

    fn lower_lanes<'a>(
        &self,
        lanes: &Lanes,
        lowerer: &mut Lowerer<'a>,
        modifiers: &TypedModifiers<'_>,
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let bits = |operand: &str| match operand {
            "t" => modifiers.bits,
            "2t" => 2 * modifiers.bits,
            named => type_of(named).map_or(32, |(bits, _)| bits),
        };
        let widths: Vec<u32> = self.operands.split_whitespace().map(bits).collect();
        let ([to, from @ ..], [d, operands @ ..]) = (widths.as_slice(), i.operands.as_slice()) else {
            return Err(i.at.parse("an operand is missing"));
        };
        if operands.len() != from.len() {
            let (takes, has) = (widths.len(), i.operands.len());
            return Err(i.at.parse(format!("`{}` takes {takes} operands, not {has}", i.opcode)));
        }
        let d = lowerer.destination(d, *to, i.at)?;
        let mut sources = Vec::with_capacity(from.len());
        for (operand, bits) in operands.iter().zip(from) {
            sources.push(lowerer.source(operand, *bits, i.at)?);
        }
        lowerer.scalar(lanes.function, (lanes.variant)(modifiers), d, &sources);
        if let (Some(fast), Some(draft)) = ((lanes.fast)(modifiers), lowerer.drafts.last_mut()) {
            draft.inst.op = Op::lanes(fast);
        }
        Ok(())
    }
}

/// A form of an instruction that the emulator runs: one row of its table.
///
/// `form` and `operands` use the table's notation. `lower::table` explains it, and [`Form::opcodes`] expands it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Form {
    /// Name and modifiers: `bfind{.shiftamt}.(u32|u64|s32|s64)`.
    pub form: &'static str,
    /// Types of the operands, the destination first: `b32 t`.
    pub operands: &'static str,
    /// First PTX version that has it, major and minor; zeros if it is newer than 8.8.
    pub ptx: (u8, u8),
    /// Ten times the compute capability of the first device that has it; zero if only a version newer than 8.8 states
    /// it.
    pub sm: u8,
}

impl Form {
    /// Returns the opcodes of this form: all of them, or `most` that are spread evenly.
    pub fn opcodes(&self, most: usize) -> Vec<String> {
        let pattern = Pattern::read(self.form);
        let (count, most) = (pattern.count(), most as u64);
        let numbers = (0..count.min(most)).map(|at| if count <= most { at } else { spread(at, count) });
        numbers.map(|number| pattern.opcode(number)).collect()
    }

    /// True if `opcode` belongs to this form, perhaps with its modifiers in another order.
    pub fn has(&self, opcode: &str) -> bool {
        let mut words = opcode.split('.');
        let name = words.next().unwrap_or_default();
        if pattern::names(self.form).all(|known| known != name) {
            return false;
        }
        let (words, pattern) = (words.collect::<Vec<_>>(), Pattern::read(self.form));
        pattern.fits(&words) || pattern.arranged(name, &words).is_some()
    }

    /// Returns the names of its instructions, and the words that may follow them.
    pub fn words(&self) -> Vec<String> {
        let pattern = Pattern::read(self.form);
        pattern.names.iter().copied().chain(pattern.words()).map(str::to_owned).collect()
    }
}

/// Returns element `at` of a sequence that spreads evenly over the numbers below `count` (multiples of the golden
/// ratio).
fn spread(at: u64, count: u64) -> u64 {
    ((u128::from(at.wrapping_mul(0x9e37_79b9_7f4a_7c15)) * u128::from(count)) >> 64) as u64
}

/// Returns the instructions that the emulator runs, in all supported forms.
///
/// Each opcode of each form loads if its operands fit, also with the modifiers in another order. Every other opcode is
/// refused when the PTX is loaded.
///
/// ```
/// let forms = ptx_emulator::forms();
/// let bfind = forms.iter().find(|form| form.form.starts_with("bfind")).unwrap();
/// assert_eq!((bfind.operands, bfind.ptx, bfind.sm), ("b32 t", (2, 0), 20));
/// assert!(bfind.opcodes(100).contains(&"bfind.shiftamt.s64".to_owned()));
/// ```
pub fn forms() -> Vec<Form> {
    let form =
        |row: &Row| Form { form: row.form, operands: row.operands, ptx: (row.ptx / 10, row.ptx % 10), sm: row.sm };
    TABLES.into_iter().flatten().map(form).collect()
}

/// Returns the sets that the notation of forms names, each with its words.
pub fn sets() -> &'static [(&'static str, &'static str)] {
    sets::SETS
}
