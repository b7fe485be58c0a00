//! A list scheduler (Gibbons and Muchnick 1986): the longest way to the end first, as long as the registers suffice.

use super::Draft;
use crate::liveness::{Liveness, Set, contains};
use crate::text::Kind;
use std::collections::{HashMap, HashSet};

/// Cycles that the assembler plans for an instruction until its result is there.
const PLANNED_GLOBAL: u32 = 200;
const PLANNED_SHARED: u32 = 30;
const PLANNED_BRANCH: u32 = 13;
const PLANNED: u32 = 4;

/// Registers in use while a region is scheduled.
pub(super) struct Pressure {
    pub(super) room: u32,
    /// Uses to come of each node's result, and of each register from before the region.
    uses: Vec<u32>,
    registers: HashMap<u32, u32>,
}

impl Pressure {
    pub(super) fn new(draft: &Draft, liveness: &Liveness, (start, end): (&Set, &Set)) -> Self {
        let mut found = Self { room: 0, uses: vec![0; draft.nodes.len()], registers: HashMap::new() };
        for node in &draft.nodes {
            node.needs.iter().for_each(|need| found.uses[*need as usize] += 1);
            node.registers.iter().for_each(|register| *found.registers.entry(*register).or_default() += 1);
        }
        for value in draft.values.values() {
            value.nodes.iter().for_each(|node| found.uses[*node as usize] += 1);
            value.registers.iter().for_each(|register| *found.registers.entry(*register).or_default() += 1);
        }
        found.room = liveness.room(start, |register| found.registers.contains_key(&register));
        for (register, uses) in &mut found.registers {
            // Still there at the end, unless something else took its place.
            *uses += u32::from(contains(end, *register) && !draft.values.contains_key(register));
        }
        found
    }

    /// Returns by how much the registers in use would change.
    fn change(&self, draft: &Draft, liveness: &Liveness, node: usize) -> i64 {
        let one = &draft.nodes[node];
        let ended = one.needs.iter().filter(|need| self.uses[**need as usize] == 1);
        let ended: u32 = ended.map(|need| draft.widths[*need as usize]).sum();
        let gone = one.registers.iter().filter(|register| self.registers.get(register) == Some(&1));
        let gone: u32 = gone.map(|register| u32::from(liveness.weights[*register as usize])).sum();
        i64::from(draft.widths[node]) - i64::from(ended + gone)
    }

    /// Executes a node. Returns the registers in use while it does.
    pub(super) fn issue(&mut self, draft: &Draft, liveness: &Liveness, node: usize) -> u32 {
        let change = self.change(draft, liveness, node);
        for need in &draft.nodes[node].needs {
            self.uses[*need as usize] = self.uses[*need as usize].saturating_sub(1);
        }
        for register in &draft.nodes[node].registers {
            self.registers.entry(*register).and_modify(|uses| *uses = uses.saturating_sub(1));
        }
        let during = self.room;
        self.room = self.room.saturating_add_signed(change.clamp(-1000, 1000) as i32);
        during.max(self.room)
    }
}

fn planned(kind: Kind) -> u32 {
    match kind {
        Kind::GlobalLoad { .. } => PLANNED_GLOBAL,
        Kind::SharedLoad => PLANNED_SHARED,
        Kind::Double | Kind::Special => 2 * PLANNED,
        Kind::Branch => PLANNED_BRANCH,
        Kind::Mma(_) => PLANNED_SHARED,
        _ => PLANNED,
    }
}

/// Returns the nodes in scheduled order.
pub(super) fn ordered(draft: &Draft, liveness: &Liveness, mut pressure: Pressure, budget: u32) -> Vec<usize> {
    let count = draft.nodes.len();
    let (mut users, mut waits) = (vec![Vec::new(); count], vec![0usize; count]);
    for (node, waits) in waits.iter_mut().enumerate() {
        let before: HashSet<u16> = draft.nodes[node].needs.iter().chain(&draft.after[node]).copied().collect();
        *waits = before.len();
        before.iter().for_each(|need| users[*need as usize].push(node));
    }
    let mut way = vec![0u32; count];
    for node in (0..count).rev() {
        let longest = users[node].iter().map(|user| way[*user]).max().unwrap_or(0);
        way[node] = longest + planned(draft.nodes[node].kind);
    }
    let (mut when, mut ready, mut order) = (vec![0u32; count], Vec::new(), Vec::with_capacity(count));
    ready.extend((0..count).filter(|node| waits[*node] == 0));
    let mut now = 0;
    while order.len() < count {
        let tight = pressure.room >= budget;
        let rank = |node: &usize| {
            let more = pressure.change(draft, liveness, *node);
            // With too many values in use, first what ends some, in the order of the text; else the longest way.
            (tight && more > 0, std::cmp::Reverse(if tight { 0 } else { way[*node] }), *node)
        };
        let timely = ready.iter().enumerate().filter(|(_, node)| when[**node] <= now);
        let best = timely.min_by_key(|(_, node)| rank(node)).map(|(at, node)| (at, rank(node)));
        let soonest = ready.iter().map(|node| when[*node]).filter(|when| *when > now).min();
        let chosen = match (best, soonest) {
            (Some((_, (true, ..))), Some(later)) | (None, Some(later)) => {
                now = later;
                continue;
            }
            (Some((at, _)), _) => at,
            (None, None) => break,
        };
        let node = ready.swap_remove(chosen);
        pressure.issue(draft, liveness, node);
        order.push(node);
        now += u32::from(draft.nodes[node].slots.max(1));
        for user in &users[node] {
            let reads = draft.nodes[*user].needs.contains(&(node as u16));
            let done = now + if reads { planned(draft.nodes[node].kind) } else { 0 };
            when[*user] = when[*user].max(done);
            waits[*user] -= 1;
            if waits[*user] == 0 {
                ready.push(*user);
            }
        }
    }
    order
}
