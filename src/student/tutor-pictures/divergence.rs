/*! Divergence: the lanes of a warp that take each side of a branch, and the instructions that the warp issues.

Up and down select the condition or the length of a side, left and right change it. `x` opens an editor for the
condition. The emulator runs and counts each branch.
*/

mod draw;

use super::control::next_in_cycle;
use crate::prelude::*;
use ptx_emulator::{Arg, Counts, Fault, Launch, Measure, Memory, Module, Options, run};
use std::sync::Arc;
use tutor_course::DivergenceView;
use tutor_exec::fault::explain;
use tutor_support::expr::{Expr, ExprError};
use tutor_support::words::Sentence;
use ui_kit::field::Field;

/// Compiled from `assets/pictures/kernels/branch.cu`.
const PTX: &str = include_str!("../../../assets/pictures/assets/ptx/branch.ptx");
/// Maximum number of warp instructions: many times what the longest sides need.
const STEPS: u64 = 1 << 16;

/// Conditions that the keys step through. The student can type any other one.
const CONDITIONS: [&str; 6] = ["lane % 2", "lane / 16", "lane / 31", "lane & 4", "1", "0"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Condition,
    Then,
    Else,
}

/// Counted instructions of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Issued {
    all: u64,
    /// Additions of the first side, and multiplications of the second.
    sides: [u64; 2],
    /// All instructions, if every lane took the first side or every lane took the second.
    alone: [u64; 2],
    /// All instructions that one more step of a side adds.
    step: u64,
}

/// A warp at a branch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Divergence {
    condition: String,
    steps: [u32; 2],
    /// Mask of the lanes that take the first side, or the error in the condition.
    taken: Result<u32, ExprError>,
    /// What was counted, or why nothing was.
    issued: Arc<Result<Issued, Sentence>>,
    /// The condition that is being typed, and the previous one.
    edit: Option<(Field, String)>,
}

/// Returns the mask of lanes for which a condition is not 0, as in C.
fn taken(condition: &str) -> Result<u32, ExprError> {
    let condition = Expr::parse(condition)?;
    (0..32).try_fold(0u32, |lanes, lane| {
        let holds = condition.integer(&|name| matches!(name, "lane" | "tx").then_some(lane))? != 0;
        Ok(lanes | u32::from(holds) << lane)
    })
}

fn count(lanes: u32, [then, other]: [u32; 2]) -> Result<Counts, Fault> {
    let kernel = Module::parse(PTX)?.kernel("branch")?;
    let mut memory = Memory::new();
    let conditions: Vec<u8> = (0..32).flat_map(|lane| (lanes >> lane & 1).to_le_bytes()).collect();
    let (condition, out) = (memory.add("condition", &conditions), memory.add_f32("out", &[0.0; 32]));
    let args = vec![Arg::Buffer(condition), Arg::Buffer(out), Arg::U32(then), Arg::U32(other)];
    let launch = Launch { grid: [1; 3], block: [32, 1, 1], dynamic_shared: 0, cooperative: false, args };
    let options = Options { measure: Measure::Counts, ..Options::default() };
    let run = run(&kernel, &launch, &mut memory, &options, &ptx_emulator::Control::default().steps(STEPS))?;
    Ok(run.counts.unwrap_or_default())
}

fn issued(lanes: u32, steps: [u32; 2]) -> Result<Issued, Fault> {
    let counts = count(lanes, steps)?;
    let of = |op: &str| counts.lines.iter().filter(|line| line.op == op).map(|line| line.warp_instructions).sum();
    let whole = |lanes, steps| count(lanes, steps).map(|counts| counts.totals.warp_instructions);
    let alone = |lanes| whole(lanes, steps);
    let step = whole(u32::MAX, [2, 0])?.saturating_sub(whole(u32::MAX, [1, 0])?);
    let all = counts.totals.warp_instructions;
    Ok(Issued { all, sides: [of("add"), of("mul")], alone: [alone(u32::MAX)?, alone(0)?], step })
}

impl Divergence {
    pub(crate) fn new(view: &DivergenceView) -> Self {
        let [least, most] = DivergenceView::STEPS;
        let steps = [view.then, view.otherwise].map(|steps| steps.clamp(least, most));
        let mut branch = Self {
            condition: String::new(),
            steps,
            taken: Ok(0),
            issued: Arc::new(Err(Sentence::default())),
            edit: None,
        };
        branch.set_condition(&view.condition);
        branch
    }

    fn condition(&self) -> &str {
        &self.condition
    }

    fn set_condition(&mut self, condition: &str) {
        condition.clone_into(&mut self.condition);
        self.taken = taken(condition);
        self.run();
    }

    fn run(&mut self) {
        let counted = match &self.taken {
            Ok(lanes) => issued(*lanes, self.steps).map_err(|fault| explain(&fault)),
            Err(error) => Err(error.message.clone()),
        };
        self.issued = Arc::new(counted);
    }

    fn lanes(&self) -> [u32; 2] {
        let taken = self.taken.as_ref().copied().unwrap_or(0);
        [taken, !taken]
    }
}

impl Controls for Divergence {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Condition, Control::Then, Control::Else];

    fn can(&self, control: Control, up: bool) -> bool {
        let [least, most] = DivergenceView::STEPS;
        let within = |value: u32| if up { value < most } else { value > least };
        match control {
            Control::Condition => true,
            Control::Then => within(self.steps[0]),
            Control::Else => within(self.steps[1]),
        }
    }

    fn apply(&mut self, control: Control, up: bool) {
        let side = match control {
            Control::Condition => {
                let next = next_in_cycle(&CONDITIONS, &self.condition, up).to_owned();
                return self.set_condition(&next);
            }
            Control::Then => 0,
            Control::Else => 1,
        };
        let [least, most] = DivergenceView::STEPS;
        let value = self.steps[side];
        let next = if up { (value * 2).max(1) } else { value / 2 };
        self.steps[side] = next.clamp(least, most);
        self.run();
    }
}
