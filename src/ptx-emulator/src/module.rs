//! A parsed PTX text, its kernels, and the variables that they share.

use crate::memory::{BufferId, Memory};
use crate::program::async_copy::{AsyncOp, Asynch};
use crate::program::{Param, Preload, Special, Verified};
use crate::text::plain_name;
use crate::{Fault, LoadError, LoadErrorKind, lower, ptx};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A parsed PTX text with all its kernels lowered.
#[derive(Debug, Clone)]
pub struct Module {
    kernels: BTreeMap<String, Result<Kernel, LoadError>>,
    variables: BTreeSet<String>,
}

/// A kernel that can be run.
#[derive(Debug, Clone)]
pub struct Kernel {
    pub(crate) program: Arc<Verified>,
}

impl Module {
    /// Reads a PTX text.
    ///
    /// # Errors
    /// [`LoadErrorKind::Parse`] with line and column if the text is not PTX. An unsupported kernel is an error only of
    /// [`Module::kernel`], so the other kernels can still run.
    pub fn parse(ptx: &str) -> Result<Self, LoadError> {
        static MODULES: AtomicU64 = AtomicU64::new(0);
        let module = MODULES.fetch_add(1, Ordering::Relaxed);
        let tree = ptx::parse(ptx)?;
        let text = lower::Text::new(&tree);
        let mut kernels = BTreeMap::new();
        for function in tree.functions.iter().filter(|function| function.entry && function.body.is_some()) {
            let program = lower::lower(&text, function, module)
                .and_then(|program| program.verify().map_err(|what| function.at.internal(what)))
                .map(|program| Kernel { program: Arc::new(program) });
            if let Err(error) = &program
                && error.kind == LoadErrorKind::Parse
            {
                return Err(error.clone());
            }
            kernels.insert(function.name.to_owned(), program);
        }
        let variables = tree.variables.iter().map(|variable| variable.name.to_owned()).collect();
        Ok(Self { kernels, variables })
    }

    /// True if the text declares a module variable of this name, whether a kernel uses it or not.
    pub fn has_variable(&self, name: &str) -> bool {
        self.variables.contains(name)
    }

    /// Returns the names of all kernels, including those that cannot run.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.keys().map(String::as_str)
    }

    /// Returns the names of all kernels as a list for people: `sum, scale (_Z5scalePf)`.
    pub fn names(&self) -> String {
        let both = |name: &str| match plain_name(name) {
            plain if plain == name => plain,
            plain => format!("{plain} ({name})"),
        };
        self.kernels().map(both).collect::<Vec<_>>().join(", ")
    }

    /// Returns a kernel by its name in the PTX, or by its name in the C++ source if only one kernel has it.
    ///
    /// # Errors
    /// As [`Module::kernel`].
    pub fn named(&self, name: &str) -> Result<Kernel, LoadError> {
        let alike: Vec<&str> = self.kernels().filter(|mangled| plain_name(mangled) == name).collect();
        match alike.as_slice() {
            _ if self.kernels.contains_key(name) => self.kernel(name),
            [only] => self.kernel(only),
            [] => self.kernel(name),
            _ => {
                let message =
                    format!("Several kernels are called `{name}`. In the PTX they are: {}.", alike.join(", "));
                Err(LoadError::new(LoadErrorKind::NoKernel, message, (0, 0)))
            }
        }
    }

    /// Returns a kernel by its name in the PTX.
    ///
    /// # Errors
    /// [`LoadErrorKind::Unsupported`] with line and column if the kernel has an instruction that the emulator does not run.
    /// [`LoadErrorKind::NoKernel`] if there is no such kernel. [`LoadErrorKind::Internal`] if the emulator has a bug.
    pub fn kernel(&self, name: &str) -> Result<Kernel, LoadError> {
        match self.kernels.get(name) {
            Some(found) => found.clone(),
            None => {
                let message = if self.kernels.is_empty() {
                    format!("There is no kernel `{name}`: the PTX has no `.entry`.")
                } else {
                    format!("There is no kernel `{name}`; the PTX has {}.", self.names())
                };
                Err(LoadError::new(LoadErrorKind::NoKernel, message, (0, 0)))
            }
        }
    }
}

impl Kernel {
    /// Name in the PTX.
    pub fn name(&self) -> &str {
        &self.program.name
    }

    /// Parameters in order.
    pub fn params(&self) -> &[Param] {
        &self.program.params
    }

    /// Returns the lowered program as text for people: one instruction per line, with the registers that it reads and
    /// writes and its PTX line. The format may change in any version.
    pub fn listing(&self) -> impl std::fmt::Display + '_ {
        &**self.program
    }

    /// Bytes of static shared memory.
    pub fn static_shared(&self) -> u64 {
        self.program.shared_bytes
    }

    /// True if the kernel has an array of dynamic shared memory, so that a launch without it is probably a mistake.
    pub fn has_dynamic_shared(&self) -> bool {
        self.program.fills.iter().any(|fill| matches!(fill.from, Preload::DynamicShared(_)))
    }

    /// Returns the blocks of a cluster that the kernel declares, or 1.
    pub fn cluster_blocks(&self) -> u64 {
        self.program.cluster.map_or(1, |extent| extent.iter().product())
    }

    /// True if threads with different indices in the second dimension may act differently.
    pub fn reads_y(&self) -> bool {
        let is_y = |from: Preload| matches!(from, Preload::Special(Special::Tid(1) | Special::Ctaid(1)));
        self.program.fills.iter().any(|fill| is_y(fill.from))
    }

    /// True if the kernel has a `griddepcontrol` instruction: `.wait`, so that it may start before the launch before it ends,
    /// or with `false`, `.launch_dependents`, which lets the launch after it start early.
    pub fn overlaps_launches(&self, waits: bool) -> bool {
        let is = |what: &Asynch| matches!(what.kind, AsyncOp::GridDependency { waits: w } if w == waits);
        self.program.async_copy.iter().any(is)
    }

    /// Returns the number of lowered instructions, including copies of inlined functions and called functions.
    pub fn instructions(&self) -> u64 {
        self.program.blocks.iter().map(|block| u64::from(block.length)).sum()
    }
}

impl Memory {
    /// Returns the buffer of a `__device__` or `__constant__` variable that a kernel uses, as `cudaMemcpyToSymbol` and
    /// `cudaMemcpyFromSymbol` reach it. `name` is its name in the PTX. The buffer has the initial value until a launch
    /// changes it. Kernels of the same [`Module`](crate::Module) share the variable.
    ///
    /// # Errors
    /// [`FaultKind::Launch`](crate::FaultKind::Launch) if the kernel does not use this variable, or if the variables of
    /// its module do not fit.
    pub fn symbol(&mut self, kernel: &Kernel, name: &str) -> Result<BufferId, Fault> {
        let program = &kernel.program;
        self.variables(program.module, &program.variables, program.short)?;
        self.variables.get(&(program.module, name.to_owned())).map(|id| BufferId(*id)).ok_or_else(|| {
            let known: Vec<&str> = program.variables.iter().map(|variable| variable.name.as_str()).collect();
            let uses = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            Fault::launch(format!("`{}` uses no variable `{name}` of its module; it uses {uses}.", program.name))
        })
    }
}
