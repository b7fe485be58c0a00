//! The modifiers of loads, stores and atomics: which may stand together.

use super::alu::type_of;
use crate::program::Reach;

/// What the modifiers of an access say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Modifiers<'b> {
    /// `None` for a generic address.
    pub(super) reach: Option<Reach>,
    /// The address is one of parameters.
    pub(super) param: bool,
    pub(super) lanes: u32,
    pub(super) ty: &'b str,
    pub(super) operation: Option<&'b str>,
    /// A cache policy is the last operand.
    pub(super) hinted: bool,
    /// Other threads' writes must reach it, so that threads may spin on it.
    pub(super) spins: bool,
}

/// Kinds of modifiers, of each of which an access has at most one.
const KINDS: [(Kind, &[&str]); 11] = [
    (
        Kind::Space,
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
    (Kind::Order, &["weak", "volatile", "relaxed", "acquire", "release", "acq_rel"]),
    (Kind::Scope, &["cta", "cluster", "gpu", "sys"]),
    (Kind::Cache, &["ca", "cg", "cs", "lu", "cv", "wb", "wt"]),
    (Kind::Flag, &["nc", "mmio"]),
    (Kind::First, &["L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"]),
    (Kind::Second, &["L2::evict_normal", "L2::evict_first", "L2::evict_last"]),
    (Kind::Hint, &["L2::cache_hint"]),
    (Kind::Prefetch, &["L2::64B", "L2::128B", "L2::256B"]),
    (Kind::Vector, &["v2", "v4", "v8"]),
    (Kind::Operation, &["exch", "cas", "add", "inc", "dec", "min", "max", "and", "or", "xor"]),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    Order,
    Scope,
    Cache,
    Flag,
    First,
    Second,
    Hint,
    Prefetch,
    Vector,
    Operation,
}

/// Reads the modifiers of `ld`, `ldu`, `st`, `atom` or `red`; `None` if one does not belong there.
pub(super) fn modifiers<'b>(name: &str, m: &[&'b str]) -> Option<Modifiers<'b>> {
    let (ty, rest) = m.split_last()?;
    let mut found: [Option<&'b str>; KINDS.len()] = [None; KINDS.len()];
    let mut noftz = false;
    for word in rest {
        if *word == "noftz" && !noftz {
            noftz = true;
            continue;
        }
        let at = KINDS.iter().position(|(_, words)| words.contains(word))?;
        if found[at].replace(word).is_some() {
            return None;
        }
    }
    let of = |kind: Kind| KINDS.iter().position(|(known, _)| *known == kind).and_then(|at| found[at]);
    let has = |kind: Kind| of(kind).is_some();
    let atomic = matches!(name, "atom" | "red");
    let (load, store) = (name == "ld", name == "st");
    let halves = matches!(*ty, "f16" | "f16x2" | "bf16" | "bf16x2");
    let order = of(Kind::Order);
    let fits_order = match order {
        None | Some("relaxed") => name != "ldu" || order.is_none(),
        Some("weak" | "volatile") => load || store,
        Some("acquire") => load || name == "atom",
        Some("release") => store || atomic,
        _ => name == "atom",
    };
    // Plain accesses concern no scope; strong ones name theirs.
    let ordered = matches!(order, Some("relaxed" | "acquire" | "release" | "acq_rel"));
    let fits_scope = atomic || has(Kind::Scope) == ordered;
    let plain = matches!(order, None | Some("weak"));
    let space = of(Kind::Space);
    let fits_space = match space {
        None | Some("global") => true,
        Some("shared" | "shared::cta" | "shared::cluster") => name != "ldu",
        Some("const" | "param::entry") => load && plain,
        Some("local" | "param" | "param::func") => (load || store) && plain,
        _ => false,
    };
    let cached = matches!(space, None | Some("global"));
    let mmio = of(Kind::Flag) == Some("mmio");
    let fits_flag = match of(Kind::Flag) {
        None => true,
        Some("nc") => load && space == Some("global") && order.is_none(),
        _ => (load || store) && order == Some("relaxed") && of(Kind::Scope) == Some("sys") && cached,
    };
    let fits_cache = match of(Kind::Cache) {
        None => true,
        Some("ca") => load && plain,
        Some("lu" | "cv") => load && plain && !has(Kind::Flag),
        Some("cg" | "cs") => (load || store) && plain,
        _ => store && plain,
    };
    let lanes = match of(Kind::Vector) {
        Some("v2") => 2,
        Some("v4") => 4,
        Some(_) => 8,
        None => 1,
    };
    // 256 bits: of global memory only, and only they have a priority in the second cache.
    let wide = matches!((lanes, type_of(ty)), (8, Some((32, _))) | (4, Some((64, _))));
    let special = mmio || order == Some("volatile");
    let fits_first = !has(Kind::First) || (load || store) && cached && !has(Kind::Cache) && !special;
    let fits_second = !has(Kind::Second) || wide && (load || store) && !has(Kind::Cache) && !special;
    let fits_hint = !has(Kind::Hint) || name != "ldu" && cached && !special;
    let fits_prefetch = !has(Kind::Prefetch) || load && cached && !mmio;
    let rounds = matches!(of(Kind::Operation), Some("add" | "min" | "max"));
    let fits_operation = has(Kind::Operation) == atomic && noftz == (halves && rounds);
    let fits_type = (*ty == "b128" || type_of(ty).is_some()) && *ty != "pred" && (atomic || !halves);
    let fits_vector = match name {
        "ldu" => lanes < 8 && !wide,
        _ => atomic || !wide || cached,
    };
    let all = [
        fits_order,
        fits_scope,
        fits_space,
        fits_flag,
        fits_cache,
        fits_first,
        fits_second,
        fits_hint,
        fits_prefetch,
        fits_operation,
        fits_type,
        fits_vector,
    ];
    if all.contains(&false) {
        return None;
    }
    Some(Modifiers {
        reach: match space {
            None => None,
            Some("global" | "const") => Some(Reach::Global),
            Some("shared" | "shared::cta") => Some(Reach::Shared),
            Some("shared::cluster") => Some(Reach::Cluster),
            Some(_) => Some(Reach::Local),
        },
        param: space.is_some_and(|space| space.starts_with("param")),
        lanes,
        ty,
        operation: of(Kind::Operation),
        hinted: has(Kind::Hint),
        spins: load && matches!(order, Some("volatile" | "relaxed" | "acquire")),
    })
}
