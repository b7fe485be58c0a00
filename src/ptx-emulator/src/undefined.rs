//! Behaviour that PTX or CUDA C++ leaves undefined, apart from races: the rules, and a finding.
//!
//! A run goes on after such behaviour, as on a GPU. What the emulator cannot continue is a [`Fault`](crate::Fault).

use crate::report::{Dim3, SourceLocation};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// How much harm undefined behaviour does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum UndefinedSeverity {
    /// A GPU may give another result, or may hang.
    Error,
    /// Today's GPUs are not known to behave differently.
    Warning,
    /// A result that PTX does not determine, or that only CUDA C++ leaves undefined.
    Note,
}

/// Declares the rules: variant, name, severity, document and section, title, sentence. The detail of a finding replaces `{}`.
macro_rules! rules {
    ($($rule:ident $name:literal $severity:ident $clause:literal $title:literal $sentence:literal)*) => {
        /// A rule of PTX or CUDA C++ whose violation is undefined. [`Undefined::message`] states it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "the table has a sentence for each rule")]
        pub enum Rule {
            $(#[cfg_attr(feature = "serde", serde(rename = $name))] $rule,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &[Self] = &[$(Self::$rule),*];

            /// Returns the rule's title.
            pub const fn title(self) -> &'static str {
                match self {
                    $(Self::$rule => $title,)*
                }
            }

            /// Returns the rule's name, severity, clause and sentence.
            const fn row(self) -> (&'static str, UndefinedSeverity, &'static str, &'static str) {
                match self {
                    $(Self::$rule => ($name, UndefinedSeverity::$severity, $clause, $sentence),)*
                }
            }
        }
    };
}

rules! {
    AbsentLane "absent-lane" Error "PTX ISA, shfl.sync"
        "A shuffle reads a lane that does not execute it"
        "A shuffle reads a lane of its mask that does not execute the shuffle. The value {}."
    UnnamedLane "unnamed-lane" Error "PTX ISA, shfl.sync"
        "A shuffle reads a lane outside its mask"
        "A shuffle reads a lane outside its mask. The value {}."
    MissingLane "missing-lane" Error "CUDA C++ Programming Guide, Warp Vote Functions and Warp Shuffle Functions"
        "A mask names a lane that does not execute the instruction"
        "The mask {}, which does not execute this instruction with this mask."
    ExitedLane "exited-lane" Note "PTX ISA, vote.sync; CUDA C++ Programming Guide, Warp Vote Functions"
        "A mask names a lane that has left the kernel"
        "The mask {}, which leaves the kernel without this instruction. PTX waits until it has left."
    ActiveMask "active-mask" Note "CUDA C++ Programming Guide, Warp Vote Functions"
        "A mask comes from `activemask`"
        "The mask comes from `activemask`, {}. Which lanes it contains is not determined."
    UnwrittenRegister "unwritten-register" Error "C++ standard, [basic.indet] (in C++17: [dcl.init]); CUDA C++ Programming Guide, C++ Language Support"
        "A variable is read before it has a value"
        "A variable is read before it has a value. The value {}."
    UnwrittenShared "unwritten-shared" Error "CUDA C++ Guidelines for Robust and Safety-Critical Programming, directive 1.3"
        "Shared memory is read before it is written"
        "Shared memory is read before it is written. The value {}."
    WrittenReadOnly "written-read-only" Warning "CUDA C++ Programming Guide, Compute Capability 5.x, Global Memory; PTX ISA, ld.global.nc"
        "A kernel writes what it reads as read-only data"
        "The kernel writes {}, which it reads as read-only data (`__ldg`, or `const` with `__restrict__`)."
    MatrixAddress "matrix-address" Error "PTX ISA, ldmatrix"
        "A lane gives `ldmatrix` no valid address"
        "For `sm_75` and older targets, all 32 lanes must give a valid row address. {}."
    BarrierPlaces "barrier-places" Warning "CUDA Programming Guide 13, Thread Block Synchronization Functions"
        "Threads of a block wait at different barriers"
        "Threads of a block wait at different `__syncthreads()`: {}."
    BarrierSkipped "barrier-skipped" Error "CUDA Programming Guide 13, Thread Block Synchronization Functions"
        "Threads of a block do not reach a barrier"
        "Threads of a block wait at a `__syncthreads()` that {} does not reach."
    ClusterExit "cluster-exit" Error "CUDA C++ Programming Guide, Distributed Shared Memory"
        "Shared memory of a block that may have left its cluster is accessed"
        "The thread accesses shared memory of block {}, which may already have left the kernel."
    UnorderedInit "unordered-init" Error "PTX ISA, mbarrier.inval"
        "Nothing orders the use of an `mbarrier` after its initialisation"
        "The thread uses an `mbarrier`, but nothing orders this after {}."
    InitTwice "init-twice" Warning "PTX ISA, mbarrier.init"
        "An `mbarrier` is initialised twice"
        "The thread initialises {}, which is an `mbarrier` already. `mbarrier.inval` must come first."
    BulkSource "bulk-source" Error "PTX ISA, cp.async.bulk.wait_group; CUDA C++ Programming Guide, __shared__"
        "A block ends while a bulk copy may still read its memory"
        "The block ends while a bulk copy may still read {}. `cp.async.bulk.wait_group.read` must come first."
}

impl Rule {
    /// Returns the rule's name in reports.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns how much harm it does to violate the rule.
    pub fn severity(self) -> UndefinedSeverity {
        self.row().1
    }

    /// Returns the document and the section that state the rule.
    pub fn clause(self) -> &'static str {
        self.row().2
    }

    /// Returns the sentence of a finding.
    pub(crate) fn sentence(self, detail: &str) -> String {
        self.row().3.replace("{}", detail)
    }
}

/// Behaviour that PTX or CUDA C++ leaves undefined, at one place of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Undefined {
    /// The rule.
    pub rule: Rule,
    /// How much harm it does.
    pub severity: UndefinedSeverity,
    /// What happens, in one or two sentences.
    pub message: String,
    /// The document and the section that state the rule.
    pub clause: String,
    /// Where it happens.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub place: SourceLocation,
    /// Thread of the example, if the example is one thread's: its index in its block.
    #[cfg_attr(feature = "serde", serde(default))]
    pub thread: Option<Dim3>,
    /// Its block.
    #[cfg_attr(feature = "serde", serde(default))]
    pub block: Option<Dim3>,
    /// How often it happens there.
    pub occurrences: u64,
}

impl Undefined {
    /// True if this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == UndefinedSeverity::Error
    }
}
