//! Maps lines of PTX to source lines by `.loc`, and reads the shared memory that PTX declares.

use std::collections::BTreeMap;

/// A line of PTX that contains an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstructionLine {
    /// Its line in the PTX text, 1-based.
    pub line: u32,
    /// The line of the kernel's source file that it was compiled from, 1-based.
    pub source: u32,
}

/// Returns the instructions of a PTX text that come from `file`, in the order of the text.
///
/// An instruction of an inlined function belongs to the function's line if that is in `file`, else to the line of the
/// call.
pub fn instruction_lines(text: &str, file: &str) -> Vec<InstructionLine> {
    let mine: Vec<u32> = text.lines().filter_map(named_file).filter(|(_, name)| *name == file).map(|it| it.0).collect();
    let mut source = None;
    let mut places = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix(".loc") {
            source = location(rest, &mine);
        } else if is_instruction(text)
            && let Some(source) = source
        {
            places.push(InstructionLine { line, source });
        } else if text.starts_with('}') && !text.contains(';') {
            source = None;
        }
    }
    places
}

/// Returns the PTX lines of each source line.
pub fn by_source(places: &[InstructionLine]) -> BTreeMap<u32, Vec<u32>> {
    let mut all: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for place in places {
        all.entry(place.source).or_default().push(place.line);
    }
    all
}

/// Returns the number of bytes of shared memory that a PTX text declares with a fixed size.
pub fn shared_bytes(text: &str) -> u64 {
    let declared = text.lines().map(str::trim).filter(|line| line.starts_with(".shared"));
    declared
        .filter_map(|line| {
            let element = line.split_whitespace().find_map(|word| word.strip_prefix(".b")?.parse::<u64>().ok())?;
            let count: u64 = line.rsplit_once('[')?.1.split_once(']')?.0.parse().ok()?;
            Some(count * element / 8)
        })
        .sum()
}

/// Reads a directive such as `.file 1 "path/name"`.
fn named_file(line: &str) -> Option<(u32, &str)> {
    let (number, path) = line.trim().strip_prefix(".file")?.trim().split_once(char::is_whitespace)?;
    let path = path.trim().strip_prefix('"')?.split('"').next()?;
    Some((number.parse().ok()?, path.rsplit('/').next()?))
}

/// Returns the source line that a `.loc` names in one of the files `mine`: the function's own line, else that of the
/// inlined call.
fn location(rest: &str, mine: &[u32]) -> Option<u32> {
    let at = |words: &str| -> Option<u32> {
        let mut words = words.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        let file: u32 = words.next()?.parse().ok()?;
        let line: u32 = words.next()?.parse().ok()?;
        (mine.contains(&file) && line > 0).then_some(line)
    };
    at(rest).or_else(|| at(rest.split_once("inlined_at")?.1))
}

/// True if a trimmed line of PTX is an instruction, not a directive, a label, a comment or a brace.
fn is_instruction(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|c| c.is_ascii_lowercase() || c == '@') && !text.ends_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_belongs_to_the_line_of_the_last_loc() {
        let text = ".file 1 \"kernels/a.cu\"\n.file 2 \"b.h\"\n{\n.loc 1 7 0\n.reg .b32 %r<2>;\nmov.u32 %r1, 1;\n\
                    $L__BB0_1:\n.loc 1 0 5\nadd.s32 %r1, 1;\n.loc 2 3 1, function_name $L, inlined_at 1 9 2\n\
                    @%p bra $L__BB0_1;\n}";
        assert_eq!(
            instruction_lines(text, "a.cu"),
            [InstructionLine { line: 6, source: 7 }, InstructionLine { line: 11, source: 9 }]
        );
        assert_eq!(instruction_lines(text, "b.h"), [InstructionLine { line: 11, source: 3 }]);
    }

    #[test]
    fn shared_memory_of_a_fixed_size_is_summed() {
        let text = ".shared .align 4 .b8 a[1024];\n\t.shared .align 4 .b32 b[16];\n.extern .shared .align 16 .b8 c[];";
        assert_eq!(shared_bytes(text), 1024 + 64);
    }

    #[test]
    fn the_loads_of_the_tiled_kernel_are_found_at_their_line() {
        let catalog = tutor_kernels::Catalog::built_in();
        let kernel = catalog.kernel("sgemm_tiled").unwrap();
        let text = kernel.ptx.as_deref().unwrap();
        let (number, _) = kernel.source.lines(None).find(|(_, line)| line.contains("A_tile[ty][tx] =")).unwrap();
        let places = by_source(&instruction_lines(text, "sgemm_tiled.cu"));
        let ops: Vec<&str> = places[&number].iter().map(|at| text.lines().nth(*at as usize - 1).unwrap()).collect();
        assert!(ops.iter().any(|op| op.contains("ld.global")), "{ops:#?}");
        assert_eq!(shared_bytes(text), 2048);
    }
}
