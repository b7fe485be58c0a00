//! Special registers.

use super::draft::{Lowerer, Virtual};
use crate::program::{Op, Preload, Special};

/// True if a special register is set only by a driver or a profiler. Such registers read as zero.
fn is_counter(name: &str) -> bool {
    let number = |rest: &str, most: u32| rest.parse::<u32>().is_ok_and(|number| number <= most);
    name.strip_prefix("%envreg").is_some_and(|rest| number(rest, 31))
        || name.strip_prefix("%pm").is_some_and(|rest| number(rest.strip_suffix("_64").unwrap_or(rest), 7))
        || matches!(name, "%reserved_smem_offset_begin" | "%reserved_smem_offset_end" | "%reserved_smem_offset_cap")
        || name.strip_prefix("%reserved_smem_offset_").is_some_and(|rest| number(rest, 1))
}

impl Lowerer<'_> {
    /// Returns a special register as a row, and its width.
    pub(super) fn special(&mut self, name: &str) -> Option<(Virtual, u32)> {
        let axis = |rest: &str| match rest {
            ".x" => Some(0u8),
            ".y" => Some(1),
            ".z" => Some(2),
            _ => None,
        };
        let split = name.find('.').unwrap_or(name.len());
        let (stem, rest) = name.split_at(split);
        let fill = match (stem, rest) {
            ("%tid", _) => Special::Tid(axis(rest)?),
            ("%ntid", _) => Special::Ntid(axis(rest)?),
            ("%ctaid", _) => Special::Ctaid(axis(rest)?),
            ("%nctaid", _) => Special::Nctaid(axis(rest)?),
            ("%cluster_ctaid", _) => Special::ClusterCtaid(axis(rest)?),
            ("%cluster_nctaid", _) => Special::ClusterNctaid(axis(rest)?),
            ("%clusterid", _) => Special::ClusterId(axis(rest)?),
            ("%nclusterid", _) => Special::NclusterId(axis(rest)?),
            ("%cluster_ctarank", "") => Special::ClusterRank,
            ("%cluster_nctarank", "") => Special::ClusterSize,
            ("%laneid", "") => Special::LaneId,
            ("%warpid", "") => Special::WarpId,
            ("%nwarpid", "") => Special::WarpCount,
            ("%gridid", "") => return Some((self.preload(Preload::Special(Special::GridId), 64), 64)),
            ("%smid", "") => Special::SmId,
            ("%envreg1", "") => Special::WorkspaceHigh,
            ("%envreg2", "") => Special::Workspace,
            ("%nsmid", "") => Special::SmCount,
            ("%lanemask_eq", "") => Special::LaneMaskEq,
            ("%lanemask_le", "") => Special::LaneMaskLe,
            ("%lanemask_lt", "") => Special::LaneMaskLt,
            ("%lanemask_ge", "") => Special::LaneMaskGe,
            ("%lanemask_gt", "") => Special::LaneMaskGt,
            ("%dynamic_smem_size", "") => Special::DynamicShared,
            ("%total_smem_size", "") => Special::TotalShared,
            ("%clock" | "%clock_hi" | "%globaltimer_lo" | "%globaltimer_hi", "") => {
                let d = self.fresh(32);
                let high = name.ends_with("_hi");
                if high {
                    return Some((self.preload(Preload::Special(Special::Zero), 32), 32));
                }
                self.op(Op::Clock, d, &[]);
                return Some((d, 32));
            }
            ("%clock64" | "%globaltimer", "") => {
                let d = self.fresh(64);
                self.op(Op::Clock, d, &[]).inst.x = 1;
                return Some((d, 64));
            }
            ("%aggr_smem_size", "") => Special::TotalShared,
            ("%current_graph_exec", "") => return Some((self.preload(Preload::Special(Special::Zero), 64), 64)),
            _ if is_counter(stem) && rest.is_empty() => {
                let bits = if stem.ends_with("_64") { 64 } else { 32 };
                return Some((self.constant(0, bits), bits));
            }
            ("WARP_SZ", "") => return Some((self.constant(32, 32), 32)),
            _ => return None,
        };
        Some((self.preload(Preload::Special(fill), 32), 32))
    }
}
