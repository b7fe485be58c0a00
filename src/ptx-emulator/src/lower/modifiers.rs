//! Parses the modifiers of loads, stores and atomics.

use crate::program::StateSpace;

#[derive(Debug, Clone, Copy)]
pub(super) struct Modifiers<'b> {
    /// `None` for a generic address.
    pub(super) reach: Option<StateSpace>,
    /// True for the state space `.param`.
    pub(super) param: bool,
    pub(super) lanes: u32,
    pub(super) ty: &'b str,
    pub(super) operation: Option<&'b str>,
    /// True if the last operand is a cache policy.
    pub(super) hinted: bool,
    /// True if it must see other threads' writes, so that threads may spin on it.
    pub(super) spins: bool,
}

/// Groups of modifiers that change what an access does. An access has at most one of each group.
const KINDS: [(ModifierKind, &[&str]); 4] = [
    (
        ModifierKind::Space,
        &[
            "global",
            "const",
            "shared",
            "shared::cta",
            "shared::cluster",
            "local",
            "param",
            "param::entry",
            "param::func",
        ],
    ),
    (ModifierKind::Order, &["weak", "volatile", "relaxed", "acquire", "release", "acq_rel"]),
    (ModifierKind::Vector, &["v2", "v4", "v8"]),
    (ModifierKind::Operation, &["exch", "cas", "add", "inc", "dec", "min", "max", "and", "or", "xor"]),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ModifierKind {
    Space,
    Order,
    Vector,
    Operation,
}

/// Parses the modifiers of `ld`, `ldu`, `st`, `atom` or `red`. They precede the type, in any order.
pub(super) fn modifiers<'b>(name: &str, m: &[&'b str]) -> Option<Modifiers<'b>> {
    let (ty, rest) = m.split_last()?;
    let mut found: [Option<&'b str>; KINDS.len()] = [None; KINDS.len()];
    for word in rest {
        if let Some(at) = KINDS.iter().position(|(_, words)| words.contains(word)) {
            found[at] = Some(word);
        }
    }
    let of = |kind: ModifierKind| KINDS.iter().position(|(known, _)| *known == kind).and_then(|at| found[at]);
    let space = of(ModifierKind::Space);
    Some(Modifiers {
        reach: match space {
            None => None,
            Some("global" | "const") => Some(StateSpace::Global),
            Some("shared" | "shared::cta") => Some(StateSpace::Shared),
            Some("shared::cluster") => Some(StateSpace::Cluster),
            Some(_) => Some(StateSpace::Local),
        },
        param: space.is_some_and(|space| space.starts_with("param")),
        lanes: match of(ModifierKind::Vector) {
            Some("v2") => 2,
            Some("v4") => 4,
            Some(_) => 8,
            None => 1,
        },
        ty,
        operation: of(ModifierKind::Operation),
        hinted: rest.contains(&"L2::cache_hint"),
        spins: name == "ld" && matches!(of(ModifierKind::Order), Some("volatile" | "relaxed" | "acquire")),
    })
}
