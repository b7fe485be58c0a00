//! A PTX text that was read, its kernels, and the variables that they share.

use crate::memory::{BufferId, Memory};
use crate::program::{Param, Verified};
use crate::{Fault, LoadError, LoadErrorKind, lower, ptx};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A PTX text that was read, with all its kernels lowered.
#[derive(Debug, Clone)]
pub struct Module {
    kernels: BTreeMap<String, Result<Kernel, LoadError>>,
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
    /// [`LoadErrorKind::Parse`] with line and column if the text is not PTX. A kernel that the emulator does not
    /// support is found by [`Module::kernel`], so that it does not stand in the way of others.
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
        Ok(Self { kernels })
    }

    /// Names of the kernels, those that cannot be run included.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.keys().map(String::as_str)
    }

    /// A kernel by its name in the PTX.
    ///
    /// # Errors
    /// [`LoadErrorKind::Unsupported`] with line and column if it has an instruction that the emulator does not run;
    /// [`LoadErrorKind::NoKernel`] if there is no such kernel; [`LoadErrorKind::Internal`] if the emulator has a bug.
    pub fn kernel(&self, name: &str) -> Result<Kernel, LoadError> {
        match self.kernels.get(name) {
            Some(found) => found.clone(),
            None => {
                let known: Vec<&str> = self.kernels().collect();
                let message = if known.is_empty() {
                    format!("There is no kernel `{name}`: the PTX has no `.entry`.")
                } else {
                    format!("There is no kernel `{name}`; the PTX has {}.", known.join(", "))
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

    /// What the emulator has made of it, as text for people: an instruction a line, with the registers that it reads and
    /// writes and the line of the PTX. The form may change with any version.
    pub fn listing(&self) -> impl std::fmt::Display + '_ {
        &**self.program
    }

    /// Bytes of static shared memory.
    pub fn static_shared(&self) -> u64 {
        self.program.shared_bytes
    }

    /// Instructions of the text, with copies of inlined functions and the functions that are called.
    pub fn instructions(&self) -> u64 {
        self.program.blocks.iter().map(|block| u64::from(block.length)).sum()
    }
}

impl Memory {
    /// The buffer of a variable that a kernel uses (`__device__` or `__constant__`), as `cudaMemcpyToSymbol` and
    /// `cudaMemcpyFromSymbol` reach it; with its initial value, if no launch has changed it yet. Kernels of the same
    /// [`Module`](crate::Module) share it. Names are those of the PTX.
    ///
    /// # Errors
    /// [`FaultKind::Launch`](crate::FaultKind::Launch) if the kernel uses no such variable, or if there is no room for its
    /// module's.
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
