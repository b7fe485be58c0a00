//! State shared by the kernels of a PTX text during lowering: among other things, which functions are copied and which
//! are called.

use super::table::is_collective;
use crate::ptx::{Function, Operand, Statement, Tree};
use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};

/// Cost of a call in addition to its function's statements: scopes, labels, names.
pub(super) const CALL_COST: u64 = 16;
/// Maximum size of a copied function in statements, including copies inside it. Without a limit, functions that call
/// each other twice would double the size at every level.
const MAX_COPY: u64 = 1 << 14;

pub(crate) struct Text<'a> {
    pub(super) tree: &'a Tree<'a>,
    functions: HashMap<&'a str, usize>,
    /// Costs so far, in all kernels, of copies and of called functions.
    pub(super) copied: Cell<u64>,
    pub(super) called: Cell<u64>,
    costs: OnceCell<Vec<Option<u64>>>,
    pointed_to: OnceCell<HashSet<&'a str>>,
}

impl<'a> Text<'a> {
    pub(crate) fn new(tree: &'a Tree<'a>) -> Self {
        let mut functions = HashMap::new();
        for (index, function) in tree.functions.iter().enumerate() {
            // A declaration may precede or follow the definition.
            if function.body.is_some() || !functions.contains_key(function.name) {
                functions.insert(function.name, index);
            }
        }
        let (copied, called) = (Cell::new(0), Cell::new(0));
        Self { tree, functions, copied, called, costs: OnceCell::new(), pointed_to: OnceCell::new() }
    }

    /// Returns the index and the declaration of a function, with its body if there is one.
    pub(super) fn function(&self, name: &str) -> Option<(usize, &'a Function<'a>)> {
        let index = *self.functions.get(name)?;
        Some((index, &self.tree.functions[index]))
    }

    /// Returns the cost of copying a function, or `None` if it cannot or should not be copied.
    pub(super) fn cost(&self, index: usize) -> Option<u64> {
        self.costs.get_or_init(|| self.costs()).get(index).copied().flatten()
    }

    /// True if the function's name is used other than in a call.
    pub(super) fn is_pointed_to(&self, name: &str) -> bool {
        self.pointed_to.get_or_init(|| pointed_to(self.tree)).contains(name)
    }

    /// True if lanes or warps synchronise in the function's own body. Lanes from different call sites meet there
    /// because they run the same function. Copies would separate them.
    fn is_collective(&self, index: usize) -> bool {
        self.tree.functions[index].body.iter().flatten().any(|statement| match statement {
            Statement::Instruction(i) => is_collective(i.opcode.split('.').next().unwrap_or_default()),
            _ => false,
        })
    }

    /// Returns the number of call sites per function: in all functions together, plus the maximum over kernels.
    fn places(&self, callees: &[Vec<usize>]) -> Vec<u32> {
        let (mut functions, mut kernels) = (vec![0; callees.len()], vec![0; callees.len()]);
        for (function, callees) in self.tree.functions.iter().zip(callees) {
            let mut here: HashMap<usize, u32> = HashMap::new();
            callees.iter().for_each(|callee| *here.entry(*callee).or_default() += 1);
            for (callee, count) in here {
                if function.entry {
                    kernels[callee] = count.max(kernels[callee]);
                } else {
                    functions[callee] += count;
                }
            }
        }
        functions.into_iter().zip(kernels).map(|(a, b): (u32, u32)| a + b).collect()
    }

    /// Returns the functions that a body calls by name.
    fn callees(&self, index: usize) -> Vec<usize> {
        let body = self.tree.functions[index].body.iter().flatten();
        let calls = body.filter_map(|statement| match statement {
            Statement::Instruction(i) if i.opcode == "call" || i.opcode == "call.uni" => Some(i.operands.iter()),
            _ => None,
        });
        let names = calls.filter_map(|mut operands| {
            operands.find_map(|operand| if let Operand::Name(name) = operand { Some(*name) } else { None })
        });
        names.filter_map(|name| self.functions.get(name).copied()).collect()
    }

    /// Computes each function's cost, callees first, by Tarjan's strongly connected components without recursion.
    fn costs(&self) -> Vec<Option<u64>> {
        const NEW: usize = usize::MAX;
        let count = self.tree.functions.len();
        let callees: Vec<Vec<usize>> = (0..count).map(|index| self.callees(index)).collect();
        let (mut costs, mut collective) = (vec![None; count], vec![false; count]);
        let places = self.places(&callees);
        let (mut order, mut low, mut open) = (vec![NEW; count], vec![0; count], vec![false; count]);
        let (mut stack, mut next) = (Vec::new(), 0);
        for root in 0..count {
            if order[root] != NEW {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((node, edge)) = path.pop() {
                if edge == 0 {
                    (order[node], low[node], open[node]) = (next, next, true);
                    next += 1;
                    stack.push(node);
                }
                if let Some(&callee) = callees[node].get(edge) {
                    path.push((node, edge + 1));
                    if order[callee] == NEW {
                        path.push((callee, 0));
                    } else if open[callee] {
                        low[node] = low[node].min(order[callee]);
                    }
                    continue;
                }
                if let Some((caller, _)) = path.last() {
                    low[*caller] = low[*caller].min(low[node]);
                }
                if low[node] != order[node] {
                    continue;
                }
                let alone = stack.last() == Some(&node) && !callees[node].contains(&node);
                let first = stack.iter().rposition(|member| *member == node).unwrap_or(0);
                let members = stack.split_off(first);
                let inner = |member: &usize| callees[*member].iter().any(|callee| collective[*callee]);
                let any = members.iter().any(|member| self.is_collective(*member) || inner(member));
                for member in members {
                    (open[member], collective[member]) = (false, any);
                }
                let own = self.tree.functions[node].body.as_ref().map_or(0, Vec::len) as u64;
                let inner = callees[node].iter().map(|callee| costs[*callee].unwrap_or(CALL_COST));
                let cost = inner.fold(own + CALL_COST, u64::saturating_add);
                let one = places[node] < 2 || !collective[node];
                costs[node] = Some(cost).filter(|cost| alone && one && *cost <= MAX_COPY);
            }
        }
        costs
    }
}

/// Returns all names in initial values and moves. Functions among them may be called through pointers.
fn pointed_to<'a>(tree: &'a Tree<'a>) -> HashSet<&'a str> {
    let relocations = tree.variables.iter().flat_map(|variable| variable.relocations.iter().map(|r| r.name));
    let bodies = tree.functions.iter().filter_map(|function| function.body.as_ref());
    let moved = bodies.flatten().flat_map(|statement| match statement {
        Statement::Instruction(i) if i.opcode.starts_with("mov") => i.operands.as_slice(),
        _ => &[],
    });
    let names = moved.filter_map(|operand| if let Operand::Name(name) = operand { Some(*name) } else { None });
    relocations.chain(names).collect()
}
