//! A PTX as NVRTC would have written it of a source of another name. Names stand in it with their lengths.

/// What a source is called.
#[derive(Debug, Clone, Copy)]
pub(super) struct Module<'a> {
    /// The file, without `.cu`.
    pub(super) file: &'a str,
    /// The kernel in it.
    pub(super) entry: &'a str,
}

impl Module<'_> {
    /// What symbols of the file alone begin with: its name, and that of its kernel, or the CRC-32 of that if it is long.
    fn internal(self) -> String {
        let file = format!("{}_cu", self.file.replace('-', "_"));
        let own =
            if self.entry.len() > 8 { format!("{:08x}", crc32(self.entry.as_bytes())) } else { self.entry.to_owned() };
        let name = format!("_INTERNAL_00000000_{}_{file}_{own}", file.len());
        format!("_ZN{}{name}", name.len())
    }

    /// What shared arrays of its kernel begin with.
    fn array(self) -> String {
        format!("_ZZ{}{}E", self.entry.len(), self.entry)
    }
}

/// The PTX of one module as that of another with the same code.
pub(super) fn renamed(ptx: &str, from: Module<'_>, to: Module<'_>) -> String {
    let ptx = ptx.replace(&from.internal(), &to.internal()).replace(&from.array(), &to.array());
    let ptx = ptx.replace(&format!("{}.cu", from.file), &format!("{}.cu", to.file));
    if from.entry == to.entry { ptx } else { ptx.replace(from.entry, to.entry) }
}

/// CRC-32 as in IEEE 802.3.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_kernels::Catalog;

    #[test]
    fn symbols_are_named_as_the_compiler_names_them() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        for (file, entry) in [("sgemm_tiled", "sgemm_tiled"), ("sgemm_tiled32", "sgemm_tiled32")] {
            let ptx = Catalog::built_in().kernel(file).unwrap().ptx.clone().unwrap();
            let module = Module { file, entry };
            assert!(ptx.contains(&module.internal()) && ptx.contains(&module.array()), "{file}");
            let other = Module { file: "mine", entry: "mine" };
            let back = renamed(&renamed(&ptx, module, other), other, module);
            assert_eq!(back, *ptx, "{file}");
        }
    }
}
