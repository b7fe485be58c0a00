/*! Calls that are not inlined, and what the machine does for a kernel in place of CUDA's device runtime.

Most calls of a text are copied into the kernel while it is lowered. What cannot be copied is called: a function that
calls itself, if only by way of others, one that is called through a pointer, one whose copy would be too long. The
function is lowered once a kernel, with registers of its own. A call keeps the caller's registers that are read after it
(the callee may have the same rows), gives each lane a *frame* in its local memory for the callee's parameters and
variables, and copies arguments there; a return copies the results back. Lanes of a warp may be in different functions
and at different depths: each has its own column of the rows, its own frame and its own chain of calls
(`machine::call`), and they go on together behind the call.

A thread's stack begins behind the kernel's own local variables and grows up. A call takes the callee's frame, the
registers kept, and [`LINK`] bytes; what that comes to is bounded by [`crate::run::Options::stack_bytes`].
*/

use super::Slot;

/// Bytes on the stack that a call takes for the way back.
pub(crate) const LINK: u64 = 16;

/// Bytes of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// Offset from the beginning of the frame; in the kernel itself, in local memory.
    pub(crate) at: u64,
    pub(crate) bytes: u64,
}

/// A function of the text that is called.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// Its first instruction.
    pub(crate) entry: u32,
    /// The address that stands for it.
    pub(crate) address: u64,
    pub(crate) params: Vec<Span>,
    pub(crate) returns: Vec<Span>,
    /// Bytes of its parameters, results and variables.
    pub(crate) frame: u64,
}

/// A call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Call {
    /// Index of the function; through a pointer, it is the one of `among` that has the address.
    pub(crate) callee: Option<u32>,
    /// Functions whose address is taken somewhere and whose parameters fit the call.
    pub(crate) among: Vec<u32>,
    pub(crate) arguments: Vec<Span>,
    pub(crate) results: Vec<Span>,
    /// Where it goes on.
    pub(crate) back: u32,
    /// What is read after it: predicates, rows of 32 and of 64 bits.
    pub(crate) predicates: Vec<Slot>,
    pub(crate) rows: Vec<Slot>,
    pub(crate) wide: Vec<Slot>,
    /// Shapes of the address rows among them.
    pub(crate) shapes: Vec<u32>,
}

impl Call {
    /// Bytes on the stack that it takes in the caller.
    pub(crate) fn kept_bytes(&self) -> u64 {
        LINK + 4 * self.rows.len() as u64 + 8 * self.wide.len() as u64
    }
}

/// The rows that hold where a lane's frame begins and where its stack ends, and the shape of the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stack {
    pub(crate) frame: Slot,
    pub(crate) top: Slot,
    pub(crate) shape: Option<u32>,
    /// Alignment of frames.
    pub(crate) align: u64,
}

/// What the machine does itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Service {
    Print,
    Assertion,
    Allocate,
    Free,
}

impl Service {
    /// The service behind a function that has no body, and how many arguments and results it has.
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

/// A call of a service.
#[derive(Debug, Clone)]
pub(crate) struct ServiceCall {
    pub(crate) service: Service,
    pub(crate) arguments: Vec<Span>,
    pub(crate) result: Option<Span>,
}
