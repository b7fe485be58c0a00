/*! The table of instructions: what the emulator runs, and what each form becomes.

A [`Row`] is a form: the instruction's name and modifiers, the types of its operands, the version of PTX and the device that have
it first, and how it is lowered. An instruction of a text is looked up here ([`find`]); what no row has is refused. The same rows are the list
that [`crate::forms`] gives, and so the list in the documentation, `matmul-tutor emulate --list`, and the words of the fuzzers.

# The notation of forms

| written | stands for |
|---|---|
| `.rn` | this modifier |
| `.(lo\|hi)` | one of these |
| `{.sat}` | this one, or nothing |
| `<.lt{.ftz}>` | all of these, in any order, as the assembler takes them |
| `(min\|max)` at the beginning | one of these instructions |
| `xorsign.abs` among alternatives | both words, one behind the other |
| `INT`, `ROUND`, … | one word of a set, see [`sets::SETS`] |

# The notation of operands

One word an operand, the destination first: `t` has the width of the instruction's type, which is the last modifier that is one; `2t` has
twice that, `w` that of the first type of two; `b32` 32 bits. `v` is a value of the type, or as many in braces as `.v2`, `.v4` or `.v8` says; `p` a predicate, `q` a predicate that is
read, `p|p` one or two predicates that are written. `[a]` is an address, `#` a constant, `L` a label. An operand in braces may be left out. With
`.L2::cache_hint` a policy of 64 bits comes last. `…` says that the operands depend on the modifiers in a way that the manual has tables for.

Versions and devices are those from which NVIDIA's assembler (12.9) takes the row's oldest opcode, with addresses of 64 bits;
`scripts/instruction-versions` asks it, with one to four statements a row. Of rows whose operands are not written out, and of some loads, stores
and atomic operations, they are the PTX ISA's word. 0 is what that assembler does not take: forms of later versions.
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
mod texture;
mod video;
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
use std::sync::LazyLock;

/// An instruction in the forms of one row.
pub(super) struct Row {
    form: &'static str,
    operands: &'static str,
    /// Ten times the first version of PTX.
    ptx: u8,
    /// The first device.
    sm: u8,
    how: How,
}

/// How an instruction becomes a program.
enum How {
    /// A function of its operands, lane by lane.
    Lanes(Lanes),
    /// A method that knows its modifiers.
    By(Method),
}

type Method = for<'a, 'm> fn(&mut Lowerer<'a>, &'m str, &'m [&'m str], &'a Instruction<'a>) -> Result<(), LoadError>;

/// What computes an instruction in each lane.
struct Lanes {
    function: Scalar,
    /// What the function is told of the modifiers: its last argument.
    variant: fn(&Said<'_>) -> u64,
    /// A form for all lanes at once, where there is one.
    fast: fn(&Said<'_>) -> Option<Handler>,
}

/// The modifiers of an instruction, and its type.
pub(super) struct Said<'m> {
    m: &'m [&'m str],
    ty: &'m str,
    bits: u32,
    signed: bool,
}

impl<'m> Said<'m> {
    fn of(m: &'m [&'m str]) -> Self {
        let types = m.iter().rev().filter_map(|word| type_of(word).map(|found| (*word, found)));
        let (ty, (bits, signed)) = types.into_iter().next().unwrap_or(("", (32, false)));
        Self { m, ty, bits, signed }
    }

    fn has(&self, word: &str) -> bool {
        self.m.contains(&word)
    }

    /// Where a modifier stands in a list that has it.
    fn among(&self, words: &[&str]) -> u64 {
        words.iter().position(|word| self.has(word)).unwrap_or(0) as u64
    }

    /// The type, as the functions of `arith::scalar` take it.
    fn int(&self) -> u64 {
        int(self.bits, self.signed)
    }

    /// The handler of this width.
    fn wide(&self, narrow: Handler, wide: Handler) -> Option<Handler> {
        match self.bits {
            32 => Some(narrow),
            64 => Some(wide),
            _ => None,
        }
    }
}

const fn row(form: &'static str, operands: &'static str, ptx: u8, sm: u8, how: How) -> Row {
    Row { form, operands, ptx, sm, how }
}

const TABLES: [&[Row]; 11] = [
    integer::ROWS,
    logic::ROWS,
    float::ROWS,
    convert::ROWS,
    memory::ROWS,
    memory::ATOMICS,
    warp::ROWS,
    async_copy::ROWS,
    tensor::ROWS,
    texture::ROWS,
    video::ROWS,
];

/// The rows by name, with their patterns read.
static BY_NAME: LazyLock<HashMap<&'static str, Vec<(Pattern, &'static Row)>>> = LazyLock::new(|| {
    let mut all: HashMap<&'static str, Vec<_>> = HashMap::new();
    for row in TABLES.into_iter().flatten() {
        for name in pattern::names(row.form) {
            all.entry(name).or_default().push((Pattern::read(row.form), row));
        }
    }
    all
});

/// The row of an instruction: of several forms with the same words, that with so many operands.
pub(super) fn find(name: &str, m: &[&str], operands: usize) -> Option<&'static Row> {
    let mut found = BY_NAME.get(name)?.iter().filter(|(pattern, _)| pattern.fits(m)).map(|(_, row)| *row).peekable();
    let first = found.peek().copied();
    found.find(|row| row.takes(operands)).or(first)
}

/// Whether some row has an instruction of this name.
pub(super) fn knows(name: &str) -> bool {
    BY_NAME.contains_key(name)
}

/// The first instruction by the alphabet whose name is one letter away: inserted, left out, another, or exchanged with its neighbour.
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

/// Instructions for which the lanes of a warp, or the warps of a block, meet.
pub(super) fn is_collective(name: &str) -> bool {
    matches!(name, "bar" | "barrier" | "shfl" | "vote" | "match" | "redux" | "activemask" | "elect" | "mma")
}

/// Why an instruction that no row has is not run, if there is more to say than that.
pub(super) fn refusal(name: &str, m: &[&str]) -> Option<&'static str> {
    let said = |(names, words, _): &&(&str, &[&str], &str)| {
        names.split('|').any(|known| known == name)
            && (words.is_empty() || m.iter().any(|m| words.iter().any(|word| m.starts_with(word))))
    };
    REFUSED.iter().find(said).map(|(.., why)| *why)
}

/// Instructions, how words of theirs begin (any do if there are none), and why they are not run.
const REFUSED: &[(&str, &[&str], &str)] = &[
    ("multimem", &[], ", which reaches the memories of several devices at once"),
    ("tcgen05", &[], LATER),
    ("ldmatrix|stmatrix", &["m16n16", "m8n16", "m16n8"], LATER),
    ("mma", &["e3m2", "e2m3", "e2m1", "kind::", "block_scale"], LATER),
    ("tex|tld4|suld|sust|txq|suq", &["cube", "acube"], ": cube maps"),
    ("tex|tld4|suld|sust|txq|suq", &["2dms", "a2dms"], ": textures of several samples a texel"),
    ("tex|txq", &["level", "grad", "base"], ": mipmaps"),
    ("suld|sust", &["p"], ": formatted surface accesses"),
    ("tex|tld4", &["f16x2"], ": fetches of two halves"),
    ("txq|suq", &["sampler"], ": samplers apart from textures"),
    ("txq|suq", &[], ": what is asked for"),
    ("sured", &[], ": reductions on surfaces"),
    ("istypep", &[], ": types of opaque variables"),
    ("cp", &["im2col::w"], " (columns along one dimension of an image)"),
    ("cp", &["tile::gather4", "tile::scatter4"], " (four rows that are not neighbours)"),
    ("cp", &["cta_group::"], " (a copy whose `mbarrier` may be that of a pair of blocks)"),
    ("cp", &["ignore_oob"], ", which leaves out bytes at both ends of a copy"),
];

const LATER: &str = ", which devices of compute capability 9.0 do not have";

impl Row {
    /// Whether it has so many operands.
    fn takes(&self, operands: usize) -> bool {
        let all = self.operands.split_whitespace();
        let least = all.clone().filter(|operand| !operand.starts_with('{')).count();
        (least..=all.count()).contains(&operands)
    }

    /// Lowers an instruction of this row.
    pub(super) fn lower<'a>(
        &self,
        lowerer: &mut Lowerer<'a>,
        (name, m): (&str, &[&str]),
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        match &self.how {
            How::By(method) => method(lowerer, name, m, i),
            How::Lanes(lanes) => self.lower_lanes(lanes, lowerer, &Said::of(m), i),
        }
    }

    fn lower_lanes<'a>(
        &self,
        lanes: &Lanes,
        lowerer: &mut Lowerer<'a>,
        said: &Said<'_>,
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let bits = |operand: &str| match operand {
            "t" => said.bits,
            "2t" => 2 * said.bits,
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
        lowerer.scalar(lanes.function, (lanes.variant)(said), d, &sources);
        if let (Some(fast), Some(draft)) = ((lanes.fast)(said), lowerer.drafts.last_mut()) {
            draft.inst.op = Op::lanes(fast);
        }
        Ok(())
    }
}

/// An instruction that the emulator runs, in the forms of one row of its table.
///
/// `form` and `operands` are written in the table's notation, which `lower::table` explains and [`Form::opcodes`] resolves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Form {
    /// Name and modifiers: `bfind{.shiftamt}.(u32|u64|s32|s64)`.
    pub form: &'static str,
    /// Types of the operands, the destination first: `b32 t`.
    pub operands: &'static str,
    /// Version of PTX, major and minor, that has it first; zeros if it is newer than 8.8.
    pub ptx: (u8, u8),
    /// Ten times the compute capability of the first device that has it; zero if only a version newer than 8.8 says.
    pub sm: u8,
}

impl Form {
    /// Opcodes of this form: all of them, or `most` that are spread evenly over them.
    pub fn opcodes(&self, most: usize) -> Vec<String> {
        let pattern = Pattern::read(self.form);
        let (count, most) = (pattern.count(), most as u64);
        let numbers = (0..count.min(most)).map(|at| if count <= most { at } else { spread(at, count) });
        numbers.map(|number| pattern.opcode(number)).collect()
    }

    /// Whether an opcode is one of this form.
    pub fn has(&self, opcode: &str) -> bool {
        let mut words = opcode.split('.');
        let name = words.next().unwrap_or_default();
        pattern::names(self.form).any(|known| known == name)
            && Pattern::read(self.form).fits(&words.collect::<Vec<_>>())
    }

    /// The names of its instructions, and the words that may stand behind them.
    pub fn words(&self) -> Vec<String> {
        let pattern = Pattern::read(self.form);
        pattern.names.iter().copied().chain(pattern.words()).map(str::to_owned).collect()
    }
}

/// The number `at` of a sequence that comes near to all numbers below `count`: multiples of the golden section.
fn spread(at: u64, count: u64) -> u64 {
    ((u128::from(at.wrapping_mul(0x9e37_79b9_7f4a_7c15)) * u128::from(count)) >> 64) as u64
}

/// The instructions that the emulator runs, in the forms in which it runs them. Each opcode of each form loads, with operands that fit it,
/// and every other opcode is refused when its text is loaded.
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

/// The sets that the notation of forms names, each with its words.
pub fn sets() -> &'static [(&'static str, &'static str)] {
    sets::SETS
}
