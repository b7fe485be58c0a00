//! Instructions on a whole warp, block or cluster (PTX ISA 9.7.13).

use super::LoweringRule::{self, By};
use super::{Row, row};

const WARP: LoweringRule = By(|l, name, m, i| l.warp_wide(name, m, i));
const FENCE: LoweringRule = By(|l, _, m, i| l.proxy_fence(m, i));

pub(super) const ROWS: &[Row] = &[
    row("bar{.cta}.(sync|arrive)", "b32 {b32}", 10, 10, WARP),
    row("bar{.cta}.red.popc.u32", "b32 b32 {b32} q", 20, 20, WARP),
    row("bar{.cta}.red.(and|or).pred", "p b32 {b32} q", 20, 20, WARP),
    row("barrier{.cta}.(sync|arrive){.aligned}", "b32 {b32}", 60, 30, WARP),
    row("barrier{.cta}.red.popc{.aligned}.u32", "b32 b32 {b32} q", 60, 30, WARP),
    row("barrier{.cta}.red.(and|or){.aligned}.pred", "p b32 {b32} q", 60, 30, WARP),
    row("bar.warp.sync", "b32", 60, 30, WARP),
    row("membar.(cta|gl|sys)", "", 14, 10, WARP),
    row("fence<{.(sc|acq_rel)}.SCOPE>", "", 60, 70, WARP),
    row("fence.(acquire|release).SCOPE", "", 60, 70, WARP),
    row("fence.acquire.sync_restrict::shared::cluster.cluster", "", 86, 90, FENCE),
    row("fence.release.sync_restrict::shared::cta.cluster", "", 86, 90, FENCE),
    row("fence.proxy.alias", "", 75, 70, FENCE),
    row("fence.proxy.async{.(global|shared::cta|shared::cluster)}", "", 80, 90, FENCE),
    row("fence.proxy.tensormap::generic.release.SCOPE", "", 83, 90, FENCE),
    row("fence.proxy.tensormap::generic.acquire.SCOPE", "[a] 128", 83, 90, FENCE),
    row("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", "", 86, 90, FENCE),
    row("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster", "", 86, 90, FENCE),
    row("fence.mbarrier_init.release.cluster", "", 80, 90, FENCE),
    row("activemask.b32", "t", 62, 30, WARP),
    row("shfl.(up|down|bfly|idx).b32", "t|p t b32 b32", 30, 30, WARP),
    row("shfl.sync.(up|down|bfly|idx).b32", "t|p t b32 b32 b32", 60, 30, WARP),
    row("vote.(all|any|uni).pred", "p q", 12, 12, WARP),
    row("vote.ballot.b32", "b32 q", 20, 20, WARP),
    row("vote.sync.(all|any|uni).pred", "p q b32", 60, 30, WARP),
    row("vote.sync.ballot.b32", "b32 q b32", 60, 30, WARP),
    row("match.any.sync.(b32|b64)", "b32 t b32", 60, 70, WARP),
    row("match.all.sync.(b32|b64)", "b32|p t b32", 60, 70, WARP),
    row("redux.sync.(add|min|max).SHORT", "t t b32", 70, 80, WARP),
    row("redux.sync.LOGIC.b32", "t t b32", 70, 80, WARP),
    row("redux.sync.(min|max)<{.abs}{.NaN}>.f32", "t t b32", 86, 100, WARP),
    row("elect.sync", "b32|p b32", 80, 90, By(|l, _, _, i| l.elect(i))),
    row("setmaxnreg.(inc|dec).sync.aligned.u32", "#", 80, 90, By(|l, _, _, i| l.register_count(i))),
    row(
        "barrier.cluster.arrive<{.(release|relaxed)}{.aligned}>",
        "",
        78,
        90,
        By(|l, _, m, i| l.cluster_barrier(&m[1..], i)),
    ),
    row("barrier.cluster.wait<{.acquire}{.aligned}>", "", 78, 90, By(|l, _, m, i| l.cluster_barrier(&m[1..], i))),
    row("mapa{.shared::cluster}.u64", "b64 b64 b32", 78, 90, By(|l, _, m, i| l.map_address(m, i))),
    row("mapa.shared::cluster.u32", "b32 b32 b32", 78, 90, By(|l, _, m, i| l.map_address(m, i))),
    row("getctarank{.shared::cluster}.u64", "b32 b64", 78, 90, By(|l, _, m, i| l.rank_of_address(m, i))),
    row("getctarank.shared::cluster.u32", "b32 b32", 78, 90, By(|l, _, m, i| l.rank_of_address(m, i))),
];
