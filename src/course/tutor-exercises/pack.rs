/*! Packs the compiled PTX of an exercise's choices: one file per exercise.

The texts of an exercise differ in only a few lines, so that packed together they take little more space than one of
them. LZMA is used because its window holds several texts; that of gzip does not hold one. Each text begins with a line
that names it.
*/

#[cfg(feature = "cuda")]
use super::exercise::Exercise;
use super::files::packed;
#[cfg(feature = "cuda")]
use super::written::Language;
use std::collections::BTreeMap;
use tutor_course::CourseSource;
use tutor_support::words::Sentence;

pub type Texts = BTreeMap<String, String>;

/// Maximum size of an unpacked pack.
const MAX_BYTES: u64 = 16 << 20;
/// Maximum memory for unpacking.
const MAX_MEMORY_KIB: u32 = 64 << 10;
const HEAD: &str = "//// ";

pub fn join(texts: &Texts) -> String {
    let end = |text: &str| if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    texts.iter().map(|(name, text)| format!("{HEAD}{name}\n{text}{}", end(text))).collect()
}

pub fn split(pack: &str) -> Texts {
    let mut texts = BTreeMap::new();
    let mut current: Option<(String, String)> = None;
    for line in pack.split_inclusive('\n') {
        match line.strip_prefix(HEAD) {
            Some(name) => texts.extend(current.replace((name.trim_end().to_owned(), String::new()))),
            None => {
                if let Some((_, text)) = &mut current {
                    text.push_str(line);
                }
            }
        }
    }
    texts.extend(current);
    texts
}

/// Reads the pack of an exercise.
pub fn read(source: &CourseSource, id: &str) -> Result<Texts, Sentence> {
    use std::io::Read as _;
    let bytes = source.bytes(&packed(id)).map_err(|error| error.to_string())?;
    let unpacked = lzma_rust2::LzmaReader::new_mem_limit(bytes.as_slice(), MAX_MEMORY_KIB, None);
    let mut pack = String::new();
    match unpacked.and_then(|unpacked| unpacked.take(MAX_BYTES + 1).read_to_string(&mut pack)) {
        Err(error) => Err(format!("It is damaged: {error}.").into()),
        Ok(_) if pack.len() as u64 > MAX_BYTES => Err(format!("It is longer than {} MiB.", MAX_BYTES >> 20).into()),
        Ok(_) => Ok(split(&pack)),
    }
}

/// The compiled choices of an exercise.
#[cfg(feature = "cuda")]
#[derive(Debug)]
pub struct Packed {
    pub texts: Texts,
    /// True if the file on disk already contains exactly these texts.
    pub fresh: bool,
}

/// Compiles an exercise's choices and compares them with the file on disk. Unless `all` is set, a choice is not compiled
/// again if its text states that `release` made it from the current source.
///
/// # Errors
/// The name of a text that NVRTC rejects, and the reason.
#[cfg(feature = "cuda")]
pub fn build<E: Send>(
    compile: &tutor_kernels::build::Compile<'_, E>,
    release: &str,
    exercise: &Exercise,
    source: &CourseSource,
    all: bool,
) -> Result<Packed, (String, E)> {
    use rayon::prelude::*;
    use tutor_kernels::build::{compile_until, is_current};
    let file = exercise.file_name();
    let there = read(source, &exercise.id).unwrap_or_default();
    let choices = exercise.choices();
    let same_names = there.len() == choices.len();
    let one = |(name, text): (String, String)| {
        if exercise.language == Language::Ptx {
            let fresh = there.get(&name) == Some(&text);
            return Ok((name, text, fresh));
        }
        let recipe = exercise.recipe(&file, &text);
        let known = there.get(&name).map(String::as_str);
        if let Some(ptx) = known.filter(|ptx| !all && is_current(&recipe, ptx, release)) {
            return Ok((name, ptx.to_owned(), true));
        }
        match compile_until(compile, &recipe, known) {
            Ok((compiled, fresh)) => Ok((name, compiled.ptx, fresh)),
            Err(error) => Err((format!("{}/{name}", exercise.id), error)),
        }
    };
    let built: Vec<_> = choices.into_par_iter().map(one).collect::<Result<_, _>>()?;
    let fresh = same_names && built.iter().all(|(.., fresh)| *fresh);
    Ok(Packed { texts: built.into_iter().map(|(name, ptx, _)| (name, ptx)).collect(), fresh })
}

/// Writes a pack under a source tree or course directory.
#[cfg(feature = "cuda")]
pub fn write(root: &std::path::Path, id: &str, texts: &Texts) -> std::io::Result<()> {
    let path = root.join(packed(id));
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    tutor_support::write(&path, pack(texts)?)
}

pub fn pack(texts: &Texts) -> std::io::Result<Vec<u8>> {
    use std::io::Write as _;
    let text = join(texts);
    // The window of this preset holds 8 MiB.
    let options = lzma_rust2::LzmaOptions::with_preset(6);
    let mut packer = lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, Some(text.len() as u64))?;
    packer.write_all(text.as_bytes())?;
    packer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_comes_apart_again() {
        let texts = BTreeMap::from([
            ("broken".to_owned(), ".version 8.0\n// text\n".to_owned()),
            ("a+b".to_owned(), String::new()),
        ]);
        assert_eq!(split(&join(&texts)), texts);
        assert_eq!(split("no head\n"), BTreeMap::new());
    }
}
