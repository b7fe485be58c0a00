//! What a GPU is, as far as programs and costs know it: its size, atomics, scopes, the windows of generic addresses.

mod device;
mod window;

pub use device::Device;
pub(crate) use window::*;

/// What an atomic does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtomicKind {
    Exchange,
    CompareSwap,
    Add,
    AddF32,
    /// In global memory, too, with subnormal numbers: what bulk copies do.
    AddF32NoFtz,
    AddF64,
    /// One or two halves, by the size.
    AddF16,
    AddBf16,
    MinF16,
    MaxF16,
    MinBf16,
    MaxBf16,
    MinS32,
    MinS64,
    MaxS32,
    MaxS64,
    Min,
    Max,
    And,
    Or,
    Xor,
    Increment,
    Decrement,
}

/// What an access means for the order of accesses, after the PTX memory consistency model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Order {
    /// Atomic, `volatile`, `relaxed`, `acquire` or `release`: two of them do not race with each other.
    pub(crate) strong: bool,
    /// It makes known what its thread knows.
    pub(crate) release: bool,
    /// Its thread comes to know what those made known whose writes it reads.
    pub(crate) acquire: bool,
    /// Among which threads.
    pub(crate) scope: Scope,
}

impl Order {
    /// Of plain accesses.
    pub(crate) const WEAK: Self = Self { strong: false, release: false, acquire: false, scope: Scope::Device };

    /// From the modifiers of an instruction; atomics are strong without one.
    pub(crate) fn of(modifiers: &[&str], atomic: bool) -> Self {
        let has = |any: &[&str]| modifiers.iter().any(|m| any.contains(m));
        let strong = atomic || has(&["volatile", "relaxed", "acquire", "release"]);
        let scope = if has(&["cta"]) {
            Scope::Block
        } else if has(&["cluster"]) {
            Scope::Cluster
        } else {
            Scope::Device
        };
        Self { strong, release: has(&["release", "acq_rel"]), acquire: has(&["acquire", "acq_rel"]), scope }
    }
}

/// How far a fence or a synchronising access reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// Threads of the block.
    Block,
    /// Threads of the cluster.
    Cluster,
    /// All threads of the launch.
    Device,
}
