//! Loads, stores, atomics, and hints to caches (PTX ISA 9.7.9, 9.7.13).

use super::LoweringRule::{self, By};
use super::{Row, row};

const MOVE: LoweringRule = By(|l, name, m, i| l.memory(name, m, i));
const HINT: LoweringRule = By(|l, name, m, i| l.hint(name, m, i));

/// A load or store of each type, with at most 128 bits of elements.
macro_rules! each_type {
    ($($name:literal $mods:literal $operands:literal $ptx:literal $sm:literal)*) => {
        &[
            $(
                row(concat!($name, "<", $mods, "{.(v2|v4|v8)}>.M8"), $operands, $ptx, $sm, MOVE),
                row(concat!($name, "<", $mods, "{.(v2|v4)}>.M16"), $operands, $ptx, $sm, MOVE),
                row(concat!($name, "<", $mods, "{.(v2|v4)}>.M32"), $operands, $ptx, $sm, MOVE),
                row(concat!($name, "<", $mods, "{.v2}>.M64"), $operands, $ptx, $sm, MOVE),
                row(concat!($name, "<", $mods, ">.b128"), $operands, if $ptx > 83 { $ptx } else { 83 }, if $sm > 70 { $sm } else { 70 }, MOVE),
            )*
            row("ld<.mmio.relaxed.sys{.global}>.(M8|M16|M32|M64|b128)", "v [a]", 82, 70, MOVE),
            row("st<.mmio.relaxed.sys{.global}>.(M8|M16|M32|M64|b128)", "[a] v", 82, 70, MOVE),
            // Loads and stores of 256 bits are only for global memory, and only they have an L2 eviction priority.
            row("ld<{.weak}{.global}{.EVICT1}{.EVICT2}{.L2::cache_hint}{.PREFETCH}.v8>.M32", "v [a]", 88, 100, MOVE),
            row("ld<{.weak}{.global}{.EVICT1}{.EVICT2}{.L2::cache_hint}{.PREFETCH}.v4>.M64", "v [a]", 88, 100, MOVE),
            row("ld<.global.nc{.EVICT1}{.EVICT2}{.L2::cache_hint}{.PREFETCH}.v8>.M32", "v [a]", 88, 100, MOVE),
            row("ld<.global.nc{.EVICT1}{.EVICT2}{.L2::cache_hint}{.PREFETCH}.v4>.M64", "v [a]", 88, 100, MOVE),
            row("ld<.(relaxed|acquire).SCOPE{.global}{.EVICT1}{.EVICT2}{.L2::cache_hint}{.PREFETCH}.v8>.M32", "v [a]", 88, 100, MOVE),
            row("ld<.(relaxed|acquire).SCOPE{.global}{.EVICT1}{.EVICT2}{.L2::cache_hint}{.PREFETCH}.v4>.M64", "v [a]", 88, 100, MOVE),
            row("ld<.volatile{.global}{.PREFETCH}.v8>.M32", "v [a]", 88, 100, MOVE),
            row("ld<.volatile{.global}{.PREFETCH}.v4>.M64", "v [a]", 88, 100, MOVE),
            row("st<{.weak}{.global}{.EVICT1}{.EVICT2}{.L2::cache_hint}.v8>.M32", "[a] v", 88, 100, MOVE),
            row("st<{.weak}{.global}{.EVICT1}{.EVICT2}{.L2::cache_hint}.v4>.M64", "[a] v", 88, 100, MOVE),
            row("st<.(relaxed|release).SCOPE{.global}{.EVICT1}{.EVICT2}{.L2::cache_hint}.v8>.M32", "[a] v", 88, 100, MOVE),
            row("st<.(relaxed|release).SCOPE{.global}{.EVICT1}{.EVICT2}{.L2::cache_hint}.v4>.M64", "[a] v", 88, 100, MOVE),
            row("st<.volatile{.global}.v8>.M32", "[a] v", 88, 100, MOVE),
            row("st<.volatile{.global}.v4>.M64", "[a] v", 88, 100, MOVE),
            row("prefetch{.(global|local)}.(L1|L2)", "[a]", 20, 20, HINT),
            row("prefetch.global.(L2::evict_last|L2::evict_normal)", "[a]", 74, 80, HINT),
            row("prefetch{.(const|param)}.tensormap", "[a]", 80, 90, HINT),
            row("prefetchu.L1", "[a]", 20, 20, HINT),
            row("applypriority{.global}.L2::evict_normal", "[a] 128", 74, 80, HINT),
            row("discard{.global}.L2", "[a] 128", 74, 80, HINT),
            row("createpolicy.fractional.(L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged){.(L2::evict_first|L2::evict_unchanged)}.b64", "b64 {b32}", 74, 80, HINT),
            row("createpolicy.range{.global}.(L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged){.(L2::evict_first|L2::evict_unchanged)}.b64", "b64 [a] b32 b32", 74, 80, HINT),
            row("createpolicy.cvt.L2.b64", "b64 b64", 74, 80, HINT),
            row("nanosleep.u32", "t", 62, 70, HINT),
            row("pmevent{.mask}", "#", 14, 10, HINT),
            row("griddepcontrol.(launch_dependents|wait)", "", 78, 90, HINT),
        ]
    };
}

pub(super) const ROWS: &[Row] = each_type! {
    "ld" "{.weak}{.global}{.(ca|cg|cs|lu|cv)}{.L2::cache_hint}{.PREFETCH}" "v [a]" 10 10
    "ld" "{.weak}{.global}.EVICT1{.L2::cache_hint}{.PREFETCH}" "v [a]" 74 70
    "ld" ".global.nc{.(ca|cg|cs)}{.L2::cache_hint}{.PREFETCH}" "v [a]" 31 32
    "ld" ".global.nc.EVICT1{.L2::cache_hint}{.PREFETCH}" "v [a]" 74 70
    "ld" "{.weak}.(SHARED|const|local|param|param::entry|param::func){.(ca|cg|cs|lu|cv)}" "v [a]" 10 10
    "ld" ".volatile{.global}{.PREFETCH}" "v [a]" 11 10
    "ld" ".volatile.SHARED" "v [a]" 11 10
    "ld" ".(relaxed|acquire).SCOPE{.global}{.EVICT1}{.L2::cache_hint}{.PREFETCH}" "v [a]" 60 70
    "ld" ".(relaxed|acquire).SCOPE.SHARED" "v [a]" 60 70
    "ldu" "{.global}" "v [a]" 20 20
    "st" "{.weak}{.global}{.(wb|wt|cg|cs)}{.L2::cache_hint}" "[a] v" 10 10
    "st" "{.weak}{.global}.EVICT1{.L2::cache_hint}" "[a] v" 74 70
    "st" "{.weak}.(SHARED|local|param|param::func){.(wb|wt|cg|cs)}" "[a] v" 10 10
    "st" ".volatile{.(global|SHARED)}" "[a] v" 11 10
    "st" ".(relaxed|release).SCOPE{.global}{.EVICT1}{.L2::cache_hint}" "[a] v" 60 70
    "st" ".(relaxed|release).SCOPE.SHARED" "[a] v" 60 70
};

/// An operation of `atom` and `red` on global and shared memory.
macro_rules! atomics {
    ($($operation:literal $types:literal [$a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal])*) => {
        &[
            $(
                row(
                    concat!("atom<{.(relaxed|acquire|release|acq_rel)}{.SCOPE}{.global}.", $operation, "{.L2::cache_hint}>.", $types),
                    "t [a] t", $a, $b, MOVE,
                ),
                row(
                    concat!("atom<{.(relaxed|acquire|release|acq_rel)}{.SCOPE}.SHARED.", $operation, ">.", $types),
                    "t [a] t", $c, $d, MOVE,
                ),
                row(
                    concat!("red<{.(relaxed|release)}{.SCOPE}{.global}.", $operation, "{.L2::cache_hint}>.", $types),
                    "[a] t", $e, $f, MOVE,
                ),
                row(
                    concat!("red<{.(relaxed|release)}{.SCOPE}.SHARED.", $operation, ">.", $types),
                    "[a] t", $g, $h, MOVE,
                ),
            )*
            row("atom<{.(relaxed|acquire|release|acq_rel)}{.SCOPE}{.global}.exch{.L2::cache_hint}>.(b32|b64|b128)", "t [a] t", 20, 20, MOVE),
            row("atom<{.(relaxed|acquire|release|acq_rel)}{.SCOPE}.SHARED.exch>.(b32|b64|b128)", "t [a] t", 12, 12, MOVE),
            row("atom<{.(relaxed|acquire|release|acq_rel)}{.SCOPE}{.global}.cas>.(b16|b32|b64|b128)", "t [a] t t", 60, 70, MOVE),
            row("atom<{.(relaxed|acquire|release|acq_rel)}{.SCOPE}.SHARED.cas>.(b16|b32|b64|b128)", "t [a] t t", 63, 70, MOVE),
            row("atom<{.(relaxed|acquire|release|acq_rel)}{.SCOPE}{.global}.(add|min|max).noftz.(v2|v4){.L2::cache_hint}>.HALF", "v [a] v", 81, 90, MOVE),
            row("atom<{.(relaxed|acquire|release|acq_rel)}{.SCOPE}{.global}.(add|min|max).noftz.v8{.L2::cache_hint}>.(f16|bf16)", "v [a] v", 81, 90, MOVE),
            row("atom<{.(relaxed|acquire|release|acq_rel)}{.SCOPE}{.global}.add.(v2|v4){.L2::cache_hint}>.f32", "v [a] v", 81, 90, MOVE),
            row("red<{.(relaxed|release)}{.SCOPE}{.global}.(add|min|max).noftz.(v2|v4){.L2::cache_hint}>.HALF", "[a] v", 81, 90, MOVE),
            row("red<{.(relaxed|release)}{.SCOPE}{.global}.(add|min|max).noftz.v8{.L2::cache_hint}>.(f16|bf16)", "[a] v", 81, 90, MOVE),
            row("red<{.(relaxed|release)}{.SCOPE}{.global}.add.(v2|v4){.L2::cache_hint}>.f32", "[a] v", 81, 90, MOVE),
        ]
    };
}

pub(super) const ATOMICS: &[Row] = atomics! {
    "add" "(u32|s32|u64|f32|f64)" [20 20 12 12 20 20 12 12]
    "add.noftz" "HALF" [63 70 63 70 63 70 63 70]
    "(min|max)" "LONG" [20 20 12 12 20 20 12 12]
    "(and|or|xor)" "(b32|b64)" [20 20 12 12 20 20 12 12]
    "(inc|dec)" "u32" [20 20 12 12 20 20 12 12]
};
