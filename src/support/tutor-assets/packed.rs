//! The files of a page: archives that `scripts/release/web` writes, and that the page loads beside its module.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Error, Read as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum memory for unpacking.
const MAX_MEMORY_KIB: u32 = 64 << 10;
/// Size of a block in tar's format, and where the length of a file is in its head.
const BLOCK: usize = 512;
const LENGTH: std::ops::Range<usize> = 124..135;

type Files = BTreeMap<&'static str, &'static [u8]>;

fn files() -> MutexGuard<'static, Files> {
    static FILES: Mutex<Files> = Mutex::new(Files::new());
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds the files of an archive in tar's format that is packed with LZMA.
pub fn add(packed: &[u8]) -> Result<(), Error> {
    let mut archive = Vec::new();
    lzma_rust2::LzmaReader::new_mem_limit(packed, MAX_MEMORY_KIB, None)?.read_to_end(&mut archive)?;
    let mut rest: &'static [u8] = archive.leak();
    while let Some((head, after)) = rest.split_at_checked(BLOCK).filter(|(head, _)| head[0] != 0) {
        let text = |bytes: &'static [u8]| str::from_utf8(bytes).ok()?.split('\0').next();
        let length = text(&head[LENGTH]).and_then(|digits| usize::from_str_radix(digits, 8).ok());
        let file = text(&head[..100]).zip(length).and_then(|(name, length)| Some((name, after.get(..length)?)));
        let (name, bytes) = file.ok_or_else(|| Error::other("the archive is damaged"))?;
        files().insert(name, bytes);
        rest = after.get(bytes.len().next_multiple_of(BLOCK)..).unwrap_or_default();
    }
    Ok(())
}

pub struct EmbeddedFile {
    pub data: Cow<'static, [u8]>,
}

fn get(folder: &str, name: &str) -> Option<EmbeddedFile> {
    files().get(&*format!("{folder}{name}")).map(|bytes| EmbeddedFile { data: Cow::Borrowed(bytes) })
}

fn iter(folder: &str) -> impl Iterator<Item = Cow<'static, str>> {
    let names: Vec<_> = files().keys().filter_map(|path| path.strip_prefix(folder)).map(Cow::Borrowed).collect();
    names.into_iter()
}

macro_rules! folders {
    ($($name:ident: $folder:literal,)*) => {$(
        pub struct $name;

        impl $name {
            pub fn get(name: &str) -> Option<EmbeddedFile> {
                get($folder, name)
            }

            pub fn iter() -> impl Iterator<Item = Cow<'static, str>> {
                iter($folder)
            }
        }
    )*};
}

folders! {
    Kernels: "kernels/",
    Exercises: "kernels/exercises/",
    Ptx: "assets/ptx/",
    Packs: "assets/ptx/exercises/",
    Faults: "assets/faults/",
    Modules: "modules/",
    Quizzes: "quizzes/",
    Recordings: "assets/recorded/",
    Sweeps: "assets/recorded/sweeps/",
    Sentences: "assets/i18n/",
}
