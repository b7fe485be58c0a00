//! Files as one file, in the tar format (ustar, POSIX.1-1988).

const BLOCK: usize = 512;
/// Maximum length of a name in bytes.
const MAX_NAME: usize = 100;

/// Returns an archive of files by name. `None` if a name is too long for the format.
pub fn tar<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Option<Vec<u8>> {
    let mut archive = Vec::new();
    for (name, bytes) in files {
        archive.extend(header(name, bytes.len())?);
        archive.extend(bytes);
        archive.resize(archive.len().next_multiple_of(BLOCK), 0);
    }
    archive.resize(archive.len() + 2 * BLOCK, 0);
    Some(archive)
}

fn header(name: &str, length: usize) -> Option<[u8; BLOCK]> {
    if name.len() > MAX_NAME {
        return None;
    }
    let mut header = [0; BLOCK];
    let mut put = |at: usize, text: &str| header[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    // Mode, owner, group, length, time.
    put(100, "0000644\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{length:011o}\0"));
    put(136, "00000000000\0");
    // The sum is computed with spaces in its place.
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    let sum: u32 = header.iter().copied().map(u32::from).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Some(header)
}

#[cfg(test)]
mod tests {
    use super::tar;

    #[test]
    fn an_archive_has_a_header_and_whole_blocks_per_file() {
        let archive = tar([("folder/a.ptx", b"abc".as_slice()), ("folder/empty", b"")]).unwrap();
        assert_eq!(archive.len(), 512 * (2 + 1 + 2));
        assert_eq!(&archive[..12], b"folder/a.ptx");
        assert_eq!(&archive[124..136], b"00000000003\0");
        assert_eq!(&archive[512..515], b"abc");
        let sum: u32 = archive[..512]
            .iter()
            .enumerate()
            .map(|(at, byte)| if (148..156).contains(&at) { 32 } else { u32::from(*byte) })
            .sum();
        assert_eq!(archive[148..156], *format!("{sum:06o}\0 ").as_bytes());
        assert_eq!(tar([("x".repeat(101).as_str(), b"".as_slice())]), None);
    }
}
