/*! Colours CUDA C++ and PTX: it divides each line into runs of one [`Meaning`], so that only the themes choose colours.

A tokenizer is enough for both languages. It knows no declarations: a name is a function if a parenthesis follows it.
*/

use crate::prelude::*;
use tutor_pictures::code::{ColouredLines, Language};

/// Words that CUDA adds to C++, besides everything that begins with `__`.
const CUDA_WORDS: &str = "threadIdx blockIdx blockDim gridDim warpSize dim3 float4 float2 asm";
/// Words of C++ that name or begin a type, besides everything that ends with `_t`.
const TYPES: &str =
    "auto bool char class double enum float int long namespace short signed struct template union unsigned void";
const KEYWORDS: &str = "alignas alignof break case const constexpr continue default delete do else extern for goto if \
     inline new operator reinterpret_cast return static static_assert static_cast switch typename using volatile while";
const CONSTANTS: &str = "true false nullptr";

/// Splits each line of `source` into runs of one meaning.
pub fn highlight(language: Language, source: &str) -> ColouredLines {
    match language {
        Language::Cuda => {
            let mut in_comment = false;
            source.lines().map(|line| cuda(line, &mut in_comment)).collect()
        }
        Language::Ptx => source.lines().map(ptx).collect(),
    }
}

/// Splits a line of CUDA C++. `in_comment` is true inside of a comment that began with `/*`.
fn cuda(line: &str, in_comment: &mut bool) -> Vec<(Meaning, String)> {
    let mut runs = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let until = |end: &dyn Fn(char) -> bool| rest.find(end).unwrap_or(rest.len());
        let (length, meaning) = match first {
            _ if *in_comment || rest.starts_with("/*") => {
                let from = if *in_comment { 0 } else { 2 };
                let end = rest[from..].find("*/").map(|at| from + at + 2);
                *in_comment = end.is_none();
                (end.unwrap_or(rest.len()), Meaning::CodeComment)
            }
            '/' if rest.starts_with("//") => (rest.len(), Meaning::CodeComment),
            '"' | '\'' => (quoted(rest, first), Meaning::CodeLiteral),
            '<' if line.trim_start().starts_with("#include") => (rest.len(), Meaning::CodeLiteral),
            '#' => (until(&|c| c == ' '), Meaning::CodeKeyword),
            '0'..='9' => (until(&|c| !c.is_alphanumeric() && !matches!(c, '.' | '\'')), Meaning::CodeLiteral),
            _ if first == '_' || first.is_alphabetic() => {
                let length = until(&|c| c != '_' && !c.is_alphanumeric());
                (length, cuda_word(&rest[..length], rest[length..].trim_start().starts_with('(')))
            }
            _ => (first.len_utf8(), Meaning::Code),
        };
        let (token, after) = rest.split_at(length);
        join(&mut runs, meaning, token);
        rest = after;
    }
    runs
}

fn cuda_word(word: &str, called: bool) -> Meaning {
    let is_one_of = |words: &str| words.split_ascii_whitespace().any(|known| known == word);
    if word.starts_with("__") || is_one_of(CUDA_WORDS) {
        Meaning::CodeCuda
    } else if word.ends_with("_t") || is_one_of(TYPES) {
        Meaning::CodeType
    } else if is_one_of(KEYWORDS) {
        Meaning::CodeKeyword
    } else if is_one_of(CONSTANTS) {
        Meaning::CodeLiteral
    } else if called {
        Meaning::CodeFunction
    } else {
        Meaning::Code
    }
}

/// Returns the length of a text in quotation marks, or of the line if it does not end there.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = true; // like the mark itself
    let end = text.char_indices().find(|(_, c)| {
        let ends = *c == mark && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + mark.len_utf8())
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
        let lines = highlight(language, source);
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

    #[test]
    fn the_runs_put_together_are_the_text() {
        let source = include_str!("../../kernels/sgemm_tiled.cu");
        let lines = highlight(Language::Cuda, source);
        let joined: Vec<String> =
            lines.iter().map(|runs| runs.iter().map(|(_, text)| text.as_str()).collect()).collect();
        assert_eq!(joined, source.lines().collect::<Vec<_>>());
    }
}
