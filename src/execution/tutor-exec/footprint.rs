//! Computes the memory that a product needs, before it is allocated.

use crate::prelude::*;

/// Sizes of A, B and C in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Footprint {
    pub(super) a: u64,
    pub(super) b: u64,
    pub(super) c: u64,
}

impl Footprint {
    pub(super) fn of(shape: Shape, elements: Elements) -> Self {
        let Shape { m, n, k, batch } = shape;
        // Extents are at most 2³⁰, so rows times columns times eight bytes fits in a u64.
        let bytes = |rows: u32, columns: u32, elements: Elements| {
            (u64::from(rows) * u64::from(columns) * u64::from(elements.bytes())).saturating_mul(batch.into())
        };
        Self { a: bytes(m, k, elements), b: bytes(k, n, elements), c: bytes(m, n, elements.result()) }
    }

    pub(super) fn total(self) -> u64 {
        self.a.saturating_add(self.b).saturating_add(self.c)
    }

    /// Returns an error that states the needed memory, if it exceeds the free memory.
    pub(super) fn must_fit(self, needed: u64, free: u64, place: &Sentence) -> Result<(), ExecError> {
        if needed <= free {
            return Ok(());
        }
        let message = sentence!(
            "exec-memory",
            needed = human_bytes(needed),
            place,
            a = human_bytes(self.a),
            b = human_bytes(self.b),
            c = human_bytes(self.c),
            free = human_bytes(free),
        );
        Err(ExecError::new(ExecErrorKind::OutOfMemory, message).help(sentence!("exec-memory-help")))
    }

    /// Returns an error if `copies` copies of the matrices, a float64 reference and scratch memory do not fit in this machine's memory.
    pub(super) fn must_fit_host(self, copies: u64, scratch: u64) -> Result<(), ExecError> {
        let needed =
            self.total().saturating_mul(copies).saturating_add(self.c.saturating_mul(2)).saturating_add(scratch);
        self.must_fit(needed, host_memory(), &sentence!("exec-memory-host"))
    }
}

/// Formats a number of bytes, e.g. `1.5 GiB`.
pub(super) fn human_bytes(bytes: u64) -> Sentence {
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return sentence!("exec-bytes", bytes);
    }
    let (mut value, mut unit) = (bytes as f64 / 1024.0, 0);
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", units[unit]).into()
}

/// Returns the available memory, or a cautious guess if the system does not report it.
fn host_memory() -> u64 {
    let available = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    available.map_or(4 << 30, |kib| kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_stated_before_it_is_refused() {
        let shape = Shape::new(1 << 30, 1 << 30, 1 << 30);
        let error = Footprint::of(shape, Elements::F32).must_fit_host(1, 0).unwrap_err();
        assert_eq!(error.kind, ExecErrorKind::OutOfMemory);
        assert!(error.message.to_string().contains("needs 16.0 EiB"), "{}", error.message);
        assert_eq!(human_bytes(1_610_612_736).to_string(), "1.5 GiB");
        assert_eq!(human_bytes(12).to_string(), "12 bytes");
        assert!(Footprint::of(Shape::square(64), Elements::Bf16).must_fit_host(2, 0).is_ok());
    }
}
