//! GPU properties that programs and costs depend on: size, atomics, scopes, and windows of generic addresses.

mod device;
mod window;

pub use device::Device;
pub(crate) use window::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtomicKind {
    Exchange,
    CompareSwap,
    Add,
    AddF32,
    /// Keeps subnormal numbers in global memory too, as bulk copies do.
    AddF32NoFtz,
    AddF64,
    /// One or two half-precision values, depending on the size.
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

/// Memory-ordering properties of an access, after the PTX memory consistency model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Order {
    /// Atomic, `volatile`, `relaxed`, `acquire` or `release`. Two strong accesses do not race with each other.
    pub(crate) strong: bool,
    /// Publishes every earlier access of its thread.
    pub(crate) release: bool,
    /// If it reads a released value, its thread also sees all that the release published.
    pub(crate) acquire: bool,
    /// The threads to which the ordering applies.
    pub(crate) scope: Scope,
}

impl Order {
    /// The ordering of ordinary (weak) accesses.
    pub(crate) const WEAK: Self = Self { strong: false, release: false, acquire: false, scope: Scope::Device };

    /// Derives the ordering from an instruction's modifiers. Atomics are strong even without a modifier.
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

/// The set of threads that a fence or synchronising access affects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    Block,
    Cluster,
    /// All threads of the launch.
    Device,
}
