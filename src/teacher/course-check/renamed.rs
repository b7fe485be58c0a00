//! Renames the PTX of a source as if NVRTC had compiled it under another name. Mangled symbols contain names with their
//! lengths.

#[derive(Debug, Clone, Copy)]
pub(super) struct Module<'a> {
    /// The file name without `.cu`.
    pub(super) file: &'a str,
    /// The kernel in the file.
    pub(super) entry: &'a str,
}

impl Module<'_> {
    /// Returns the prefix of the file's internal symbols. It contains the file name and the kernel's name, or the
    /// CRC-32 of a long kernel name.
    fn internal(self) -> String {
        let file = format!("{}_cu", self.file.replace('-', "_"));
        let own =
            if self.entry.len() > 8 { format!("{:08x}", crc32(self.entry.as_bytes())) } else { self.entry.to_owned() };
        let name = format!("_INTERNAL_00000000_{}_{file}_{own}", file.len());
        format!("_ZN{}{name}", name.len())
    }

    /// Returns the prefix of the kernel's shared arrays.
    fn array(self) -> String {
        format!("_ZZ{}{}E", self.entry.len(), self.entry)
    }
}

/// Returns the PTX of one module as that of another module with the same code.
pub(super) fn renamed(ptx: &str, from: Module<'_>, to: Module<'_>) -> String {
    let ptx = ptx.replace(&from.internal(), &to.internal()).replace(&from.array(), &to.array());
    let ptx = ptx.replace(&format!("{}.cu", from.file), &format!("{}.cu", to.file));
    if from.entry == to.entry { ptx } else { ptx.replace(from.entry, to.entry) }
}

/// CRC-32 of IEEE 802.3.
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
