//! GPU properties that programs and costs depend on: size, atomics, scopes, and windows of generic addresses.

mod device;
mod window;

pub use device::Device;
pub(crate) use device::Target;
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
    pub(crate) role: Role,
}

/// What a `volatile` access is for, as far as the code around it shows (`lower::roles`). PTX makes such accesses strong,
/// but CUDA C++ gives them no order between threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The access is weak or atomic, and not `volatile`.
    Other,
    /// It reads or writes data.
    Data,
    /// A store that may follow a fence, or a load whose value only decides what runs next or that precedes a fence.
    Signal,
    /// A load that its thread repeats until it has the value that it waits for.
    Wait,
}

impl Role {
    /// True if two unordered strong accesses exchange data and not a signal. At least one of them writes. An atomic may read
    /// what a `volatile` store writes, and the reverse, as a lock or a counter does.
    pub(crate) fn conflicts(self, other: Self, both_write: bool) -> bool {
        match (self, other) {
            (Self::Wait, _) | (_, Self::Wait) => false,
            (Self::Other, other) | (other, Self::Other) => both_write && other == Self::Data,
            (Self::Signal, Self::Signal) => both_write,
            _ => true,
        }
    }
}

impl Order {
    /// The ordering of ordinary (weak) accesses.
    pub(crate) const WEAK: Self =
        Self { strong: false, release: false, acquire: false, scope: Scope::Device, role: Role::Other };

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
        let role = if has(&["volatile"]) { Role::Data } else { Role::Other };
        Self { strong, release: has(&["release", "acq_rel"]), acquire: has(&["acquire", "acq_rel"]), scope, role }
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
