/*! Colours CUDA C++ and PTX, on a thread of its own.

`syntect` parses C++. The highlighter maps its scopes to [`Meaning`]s, so that only the themes choose colours. `syntect`
does not know CUDA or PTX. CUDA is parsed as C++ plus the words below; PTX, whose lines are simple, has a tokenizer here.
*/

use crate::prelude::*;
use syntect::parsing::{ParseState, ScopeStack, SyntaxSet};
use ui_kit::code::{ColouredLines, Language};

/// Words that CUDA adds to C++, besides everything that begins with `__`.
const CUDA_WORDS: [&str; 9] =
    ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3", "float4", "float2", "asm"];

/// Meanings by scope prefix; the first that fits is used.
const SCOPES: [(&str, Meaning); 11] = [
    ("comment", Meaning::CodeComment),
    ("string", Meaning::CodeLiteral),
    ("constant", Meaning::CodeLiteral),
    ("storage.type", Meaning::CodeType),
    ("storage.modifier", Meaning::CodeKeyword),
    ("support.type", Meaning::CodeType),
    ("entity.name.function", Meaning::CodeFunction),
    ("variable.function", Meaning::CodeFunction),
    ("keyword.operator", Meaning::Code),
    ("keyword", Meaning::CodeKeyword),
    ("entity.name", Meaning::CodeType),
];

pub struct Highlighter {
    set: SyntaxSet,
}

impl Default for Highlighter {
    fn default() -> Self {
        // C++ and C of syntect's syntaxes, because no other one is shown. A test writes this file.
        let dump = include_bytes!("../../../assets/syntaxes/cpp.packdump");
        Self { set: syntect::dumps::from_uncompressed_data(dump).unwrap_or_default() }
    }
}

impl Highlighter {
    /// Splits each line of `source` into runs of one meaning.
    pub fn highlight(&self, language: Language, source: &str) -> ColouredLines {
        match language {
            Language::Cuda => self.cuda(source),
            Language::Ptx => source.lines().map(ptx).collect(),
        }
    }

    fn cuda(&self, source: &str) -> ColouredLines {
        let Some(syntax) = self.set.find_syntax_by_name("C++") else {
            return source.lines().map(|line| vec![(Meaning::Code, line.to_owned())]).collect();
        };
        let mut state = ParseState::new(syntax);
        let mut stack = ScopeStack::new();
        source
            .lines()
            .map(|line| {
                let mut runs = Vec::new();
                let with_end = format!("{line}\n");
                let operations = state.parse_line(&with_end, &self.set).unwrap_or_default();
                let mut from = 0;
                for (at, operation) in operations {
                    push(&mut runs, meaning(&stack), line.get(from..at.min(line.len())).unwrap_or(""));
                    from = at.min(line.len());
                    // An extra pop is an error in the syntax definition; only colours depend on it.
                    let _ = stack.apply(&operation);
                }
                push(&mut runs, meaning(&stack), line.get(from..).unwrap_or(""));
                runs
            })
            .collect()
    }
}

fn meaning(stack: &ScopeStack) -> Meaning {
    for scope in stack.as_slice().iter().rev() {
        let name = scope.build_string();
        if let Some((_, meaning)) = SCOPES.iter().find(|(prefix, _)| name.starts_with(prefix)) {
            return *meaning;
        }
    }
    Meaning::Code
}

fn push(runs: &mut Vec<(Meaning, String)>, meaning: Meaning, text: &str) {
    if matches!(meaning, Meaning::CodeComment | Meaning::CodeLiteral) {
        return join(runs, meaning, text);
    }
    for piece in words(text) {
        let cuda = piece.starts_with("__") || CUDA_WORDS.contains(&piece);
        join(runs, if cuda { Meaning::CodeCuda } else { meaning }, piece);
    }
}

/// Splits a text into words and the text between them, alternately.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '%' | '$');
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = word(rest.chars().next()?);
        let (piece, tail) = rest.split_at(rest.find(|c| word(c) != first).unwrap_or(rest.len()));
        rest = tail;
        Some(piece)
    })
}

/// Splits a line of PTX into directives, instruction, registers, numbers and comment.
fn ptx(line: &str) -> Vec<(Meaning, String)> {
    let (code, comment) = line.split_at(line.find("//").unwrap_or(line.len()));
    let mut runs = Vec::new();
    let mut opcode = true; // the next lower-case word is the opcode
    for piece in words(code) {
        let first = piece.chars().next().unwrap_or(' ');
        let meaning = match first {
            '%' if ["%tid", "%ctaid", "%ntid", "%nctaid", "%laneid"].iter().any(|name| piece.starts_with(name)) => {
                Meaning::CodeCuda
            }
            '0'..='9' => Meaning::CodeLiteral,
            '.' if ptx_type(piece) => Meaning::CodeType,
            '.' => Meaning::CodeKeyword,
            'a'..='z' if opcode => {
                opcode = false;
                Meaning::CodeFunction
            }
            '$' => Meaning::CodeType,
            _ => Meaning::Code,
        };
        if first == '.' {
            opcode = false;
        }
        join(&mut runs, meaning, piece);
    }
    join(&mut runs, Meaning::CodeComment, comment);
    runs
}

fn ptx_type(word: &str) -> bool {
    matches!(word.as_bytes(), [b'.', b'u' | b's' | b'b' | b'f', b'0'..=b'9', ..] | b".pred")
}

fn join(runs: &mut Vec<(Meaning, String)>, meaning: Meaning, text: &str) {
    if text.is_empty() {
        return;
    }
    match runs.last_mut() {
        Some((last, run)) if *last == meaning => run.push_str(text),
        _ => runs.push((meaning, text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(language: Language, source: &str, word: &str) -> Option<Meaning> {
        let lines = Highlighter::default().highlight(language, source);
        lines.iter().flatten().find(|(_, text)| text.trim() == word).map(|(meaning, _)| *meaning)
    }

    #[test]
    fn cuda_is_cpp_with_its_own_words() {
        let source = "__shared__ float A_tile[16][16]; // desk\nint tx = threadIdx.x;\nfor (;;) __syncthreads();\n";
        assert_eq!(of(Language::Cuda, source, "__shared__"), Some(Meaning::CodeCuda));
        assert_eq!(of(Language::Cuda, source, "threadIdx"), Some(Meaning::CodeCuda));
        assert_eq!(of(Language::Cuda, source, "float"), Some(Meaning::CodeType));
        assert_eq!(of(Language::Cuda, source, "for"), Some(Meaning::CodeKeyword));
        assert_eq!(of(Language::Cuda, source, "// desk"), Some(Meaning::CodeComment));
    }

    #[test]
    fn ptx_has_directives_instructions_registers_and_comments() {
        let source = ".reg .f32 %f<4>;\n\tfma.rn.f32 %f1, %f2, %f3, 0f3F800000; // one\n\tmov.u32 %r1, %tid.x;\n";
        assert_eq!(of(Language::Ptx, source, ".reg"), Some(Meaning::CodeKeyword));
        assert_eq!(of(Language::Ptx, source, "fma.rn.f32"), Some(Meaning::CodeFunction));
        assert_eq!(of(Language::Ptx, source, "0f3F800000"), Some(Meaning::CodeLiteral));
        assert_eq!(of(Language::Ptx, source, "// one"), Some(Meaning::CodeComment));
        assert_eq!(of(Language::Ptx, source, "%tid.x"), Some(Meaning::CodeCuda));
    }

    /// `UPDATE_SYNTAXES=1` writes the dump again, for a new version of syntect.
    #[test]
    fn the_dump_colours_kernels_as_all_syntaxes_of_syntect_do() {
        let all = SyntaxSet::load_defaults_newlines();
        if std::env::var_os("UPDATE_SYNTAXES").is_some() {
            let mut dumped = syntect::parsing::SyntaxSetBuilder::new();
            for mut syntax in all.clone().into_builder().syntaxes().iter().cloned() {
                // Other syntaxes become empty but keep their index, because contexts refer to syntaxes by index.
                if !["C", "C++"].contains(&&*syntax.name) {
                    (syntax.name, syntax.first_line_match) = (String::new(), None);
                    (syntax.file_extensions, syntax.contexts, syntax.variables) = Default::default();
                }
                dumped.add(syntax);
            }
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../assets/syntaxes/cpp.packdump");
            syntect::dumps::dump_to_uncompressed_file(&dumped.build(), file).unwrap();
        }
        let (ours, theirs) = (Highlighter::default(), Highlighter { set: all });
        for kernel in tutor_kernels::Catalog::built_in().kernels().iter().step_by(12) {
            let source = kernel.source.text();
            assert_eq!(ours.cuda(source), theirs.cuda(source), "{}", kernel.file);
        }
    }

    #[test]
    fn the_runs_put_together_are_the_text() {
        let source = include_str!("../../../kernels/sgemm_tiled.cu");
        let lines = Highlighter::default().highlight(Language::Cuda, source);
        let joined: Vec<String> =
            lines.iter().map(|runs| runs.iter().map(|(_, text)| text.as_str()).collect()).collect();
        assert_eq!(joined, source.lines().collect::<Vec<_>>());
    }
}
