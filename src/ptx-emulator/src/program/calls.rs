/*! Calls that are not inlined, and what the machine does for a kernel in place of CUDA's device runtime.

Lowering copies most functions into the kernel. The program calls a function only if it cannot be copied: if it is
recursive (directly or indirectly), is called through a pointer, or would make the copy too long. Such a function is
lowered once per kernel and has registers of its own.

A call saves the caller's registers that are read afterwards, because the callee may use the same rows. It gives each
lane a *frame* in local memory for the callee's parameters and variables, and copies the arguments there. A return
copies the results back. Lanes of a warp may be in different functions and at different call depths. Each lane has its
own column of the rows, its own frame and its own chain of calls (`machine::call`). The lanes meet again after the
call.

A thread's stack begins after the kernel's local variables and grows upwards. A call takes space for the callee's
frame, the saved registers, and [`LINK`] bytes. [`crate::run::Options::stack_bytes`] limits the total.
*/

use super::Slot;

/// Bytes on the stack for a call's return information.
pub(crate) const LINK: u64 = 16;

/// A range of bytes in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// Offset from the start of the frame; in the kernel itself, from the start of local memory.
    pub(crate) at: u64,
    pub(crate) bytes: u64,
}

/// A function that the program calls.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// Index of its first instruction.
    pub(crate) entry: u32,
    /// The address used for pointers to it.
    pub(crate) address: u64,
    pub(crate) params: Vec<Span>,
    pub(crate) returns: Vec<Span>,
    /// Size of its frame in bytes: parameters, results and variables.
    pub(crate) frame: u64,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Call {
    /// Index of the function. `None` for a call through a pointer, which selects from `among` by address.
    pub(crate) callee: Option<u32>,
    /// The functions whose address is taken and whose parameters fit this call.
    pub(crate) among: Vec<u32>,
    pub(crate) arguments: Vec<Span>,
    pub(crate) results: Vec<Span>,
    /// Index of the instruction to continue at.
    pub(crate) back: u32,
    /// Registers that are read after the call: predicates, 32-bit rows and 64-bit rows.
    pub(crate) predicates: Vec<Slot>,
    pub(crate) rows: Vec<Slot>,
    pub(crate) wide: Vec<Slot>,
    /// Address patterns of the saved rows that hold addresses.
    pub(crate) patterns: Vec<u32>,
}

impl Call {
    /// Returns the number of bytes that the call needs on the caller's stack.
    pub(crate) fn kept_bytes(&self) -> u64 {
        LINK + 4 * self.rows.len() as u64 + 8 * self.wide.len() as u64
    }
}

/// The rows that hold the start of each lane's frame and the end of its stack, and the address pattern of the first
/// row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stack {
    pub(crate) frame: Slot,
    pub(crate) top: Slot,
    pub(crate) pattern: Option<u32>,
    pub(crate) align: u64,
}

/// A function that the machine itself implements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Service {
    Print,
    Assertion,
    Allocate,
    Free,
}

impl Service {
    /// Returns the service with this function name, and its number of arguments and results.
    pub(crate) fn of(name: &str) -> Option<(Self, usize, usize)> {
        Some(match name {
            "vprintf" => (Self::Print, 2, 1),
            "__assertfail" => (Self::Assertion, 5, 0),
            "malloc" => (Self::Allocate, 1, 1),
            "free" => (Self::Free, 1, 0),
            _ => return None,
        })
    }
}

#[derive(Debug, Clone)]
pub(crate) struct ServiceCall {
    pub(crate) service: Service,
    pub(crate) arguments: Vec<Span>,
    pub(crate) result: Option<Span>,
}
