/*! NVIDIA's assembler: which PTX a GPU loads, and what a kernel takes of it.

Two libraries contain the assembler. nvJitLink assembles any PTX. NVRTC assembles what it compiled. Its
messages name lines of the PTX, which this module replaces by lines of the source if the PTX has them.
*/

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// What a kernel takes of a GPU.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of static shared memory per block.
    pub shared_bytes: u64,
    /// Bytes per thread of the instructions that store registers in local memory.
    pub spilled_bytes: u64,
}

/// The assembler's report on a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assembled {
    /// The library and its version, e.g. `nvJitLink 12.9`.
    pub by: String,
    /// The architecture, e.g. `sm_90a`.
    pub arch: String,
    /// By the name of the kernel in the PTX.
    pub kernels: BTreeMap<String, Figures>,
}

/// Why the assembler refuses a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub by: String,
    pub arch: String,
    /// Lines such as `k.cu(12): error: …`.
    pub lines: Vec<String>,
}

/// Maximum number of messages that are kept.
#[cfg(feature = "cuda")]
const MAX_MESSAGES: usize = 5;

impl Assembled {
    /// Describes what one kernel takes.
    pub fn sentence(&self, entry: &str) -> Option<Sentence> {
        let Figures { registers, shared_bytes, spilled_bytes } = *self.kernels.get(entry)?;
        let (by, arch) = (self.by.as_str(), self.arch.as_str());
        Some(sentence!("kernels-assembled", by, arch, registers, shared = shared_bytes, spilled = spilled_bytes))
    }

    /// True if the assembler knew that it had the whole program, as in a driver. nvJitLink assembles code to be linked, as
    /// `ptxas -c` does: of 118 kernels, 69 took as many registers as in the driver (NVIDIA H200, driver 580.159.04).
    pub fn is_whole(&self) -> bool {
        self.by.starts_with("NVRTC")
    }

    /// Returns the registers per thread of each kernel, as far as they are those in a driver.
    pub fn registers(&self) -> BTreeMap<String, u32> {
        let known = self.kernels.iter().filter(|(_, figures)| figures.registers > 0 && self.is_whole());
        known.map(|(name, figures)| (name.clone(), figures.registers)).collect()
    }

    /// Reads the report of a text that was assembled.
    #[cfg(feature = "cuda")]
    pub(super) fn read(log: &str, by: String, arch: String) -> Self {
        let (mut kernels, mut name) = (BTreeMap::<String, Figures>::new(), "");
        for line in log.lines() {
            if let Some((_, rest)) = line.split_once("Compiling entry function '") {
                name = rest.split('\'').next().unwrap_or_default();
                kernels.insert(name.to_owned(), Figures::default());
            }
            let before =
                |unit: &str| line.split_once(unit)?.0.rsplit([' ', ',']).find(|word| !word.is_empty())?.parse().ok();
            if let Some(figures) = kernels.get_mut(name) {
                if line.contains("Function properties for") && !line.trim_end().ends_with(name) {
                    name = "";
                    continue;
                }
                figures.registers = before(" registers").map_or(figures.registers, |registers: u64| registers as u32);
                figures.shared_bytes = before(" bytes smem").unwrap_or(figures.shared_bytes);
                figures.spilled_bytes = before(" bytes spill stores").unwrap_or(figures.spilled_bytes);
            }
        }
        Self { by, arch, kernels }
    }
}

impl Refusal {
    /// Reads the messages about a text that was not assembled. Returns `None` if there is none about the text, or if the
    /// assembler is older than the text.
    #[cfg(feature = "cuda")]
    pub(super) fn read(log: &str, ptx: &str, file: &str, by: String, arch: String) -> Option<Self> {
        let mut lines = Vec::new();
        for line in log.lines() {
            let place = line.split_once("ptx input, line ").and_then(|(_, rest)| rest.split_once(';'));
            let Some((_, message)) = line.split_once("error   : ").or_else(|| line.split_once("fatal   : ")) else {
                continue;
            };
            if message.starts_with("Unsupported .version") {
                return None;
            }
            let of_text = line.trim_start().starts_with("ptxas") || message.starts_with("Entry function");
            // The emulator names the line that needs another file.
            if !of_text || message.starts_with("Ptx assembly aborted") || message.starts_with("Unresolved extern") {
                continue;
            }
            let place = place.and_then(|(line, _)| line.parse().ok()).map(|line| source_line(ptx, line, file));
            let place = place.or_else(|| Some(source_line(ptx, entry_line(ptx, message)?, file)));
            let text = match place {
                Some((file, line)) => format!("{file}({line}): error: {message}"),
                None => format!("error: {message}"),
            };
            if !lines.contains(&text) {
                lines.push(text);
            }
        }
        lines.truncate(MAX_MESSAGES);
        (!lines.is_empty()).then_some(Self { by, arch, lines })
    }

    /// Returns advice on the first message, if there is any.
    pub fn help(&self) -> Option<Sentence> {
        let has = |words: &str| self.lines.iter().any(|line| line.contains(words));
        if has("too much shared data") {
            Some(sentence!("kernels-too-much-shared"))
        } else if has("requires .target") || has("not supported on .target") || has("does not support .target") {
            Some(sentence!("kernels-other-target"))
        } else {
            None
        }
    }
}

impl From<&Refusal> for Sentence {
    fn from(refusal: &Refusal) -> Self {
        let Refusal { by, arch, lines } = refusal;
        sentence!("kernels-not-assembled", by, arch) + format!("\n{}", lines.join("\n"))
    }
}

/// Returns the number of the line that declares the kernel which a message names.
#[cfg(feature = "cuda")]
fn entry_line(ptx: &str, message: &str) -> Option<usize> {
    let name = message.strip_prefix("Entry function '")?.split('\'').next()?;
    let declares = |line: &str| {
        let rest = line.split_once(".entry").and_then(|(_, rest)| rest.trim_start().strip_prefix(name));
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "_$".contains(c)))
    };
    let at = ptx.lines().position(declares)?;
    // The first line of its body that has a line of the source.
    let first = ptx.lines().skip(at).position(|line| line.trim_start().starts_with(".loc"));
    Some(at + 1 + first.unwrap_or(0))
}

/// Returns the file and line in the source of a line of PTX. Without line information, returns the line of the PTX.
#[cfg(feature = "cuda")]
fn source_line(ptx: &str, line: usize, file: &str) -> (String, usize) {
    let told = ptx.lines().take(line).collect::<Vec<_>>();
    let own = told.iter().rev().map_while(|line| (!line.contains(".entry")).then(|| line.trim_start()));
    let found = own.filter_map(|line| line.strip_prefix(".loc")).find_map(|loc| {
        let mut numbers = loc.split_whitespace();
        let (of, line) = (numbers.next()?, numbers.next()?.parse().ok().filter(|line| *line > 0)?);
        let named = |line: &str| {
            let (number, name) = line.trim_start().strip_prefix(".file")?.trim().split_once(char::is_whitespace)?;
            (number == of).then(|| name.split('"').nth(1))?.map(str::to_owned)
        };
        Some((ptx.lines().find_map(named)?, line))
    });
    found.unwrap_or_else(|| (file.to_owned(), line))
}

#[cfg(all(test, feature = "cuda"))]
mod tests {
    use super::*;

    #[test]
    fn what_each_kernel_takes_is_read_from_the_report() {
        let log = "ptxas info    : 308 bytes gmem\n\
                   ptxas info    : Compiling entry function 'one' for 'sm_90'\n\
                   ptxas info    : Function properties for one\n\
                   ptxas         .     8 bytes stack frame, 24 bytes spill stores, 28 bytes spill loads\n\
                   ptxas info    : Used 82 registers, used 1 barriers, 8196 bytes smem, 408 bytes cmem[0]\n\
                   ptxas info    : Function properties for helper\n\
                   ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
                   ptxas info    : Compiling entry function 'two' for 'sm_90'\n\
                   ptxas info    : Used 10 registers\n";
        let read = Assembled::read(log, "x".into(), "sm_90".into()).kernels;
        let one = Figures { registers: 82, shared_bytes: 8196, spilled_bytes: 24 };
        assert_eq!(read, [("one".into(), one), ("two".into(), Figures { registers: 10, ..Figures::default() })].into());
    }

    #[test]
    fn a_message_names_the_line_of_the_source() {
        let ptx = ".version 8.0\n.visible .entry kk()\n{\n.loc 1 3 1\n}\n.visible .entry k(\n)\n{\n.loc 1 7 2\n\
                   cp.async x;\nret;\n}\n.file 1 \"a/k.cu\"\n";
        let read =
            |log: &str| Refusal::read(log, ptx, "k.ptx", "x".into(), "sm_75".into()).map(|refusal| refusal.lines);
        let target =
            "ptxas application ptx input, line 10; error   : Feature 'cp.async' requires .target sm_80 or higher\n";
        let log = target.repeat(2) + "ptxas fatal   : Ptx assembly aborted due to errors\n";
        assert_eq!(read(&log).unwrap(), ["a/k.cu(7): error: Feature 'cp.async' requires .target sm_80 or higher"]);
        let much = "Entry function 'k' uses too much shared data (0xc004 bytes, 0xc000 max)";
        for before in [" ptxas ", "", "@E@"] {
            assert_eq!(read(&format!("{before}error   : {much}")).unwrap(), [format!("a/k.cu(7): error: {much}")]);
        }
        let plain = Refusal::read(target, ".version 8.0\n", "k.ptx", "x".into(), "sm_75".into()).unwrap();
        assert!(plain.lines[0].starts_with("k.ptx(10): error: "));
        assert_eq!(
            read("ptxas application ptx input, line 1; fatal   : Unsupported .version 8.4; current version is '8.0'"),
            None
        );
        assert_eq!(read("error   : Undefined reference to 'f' in 'k.ptx'"), None);
    }
}
