//! Runs a launch on the GPU: loads, verifies and times the kernels.

use super::baseline::Library;
use super::buffers::{Buffers, product, upload};
use super::driver::{CudaExecutor, failed};
use super::launch::start;
use super::load::{Loaded, load};
use super::measure;
use super::reference::References;
use crate::epilogue_buffers::EpilogueBuffers;
use crate::footprint::Footprint;
use crate::job::Executor;
use crate::matrix::decode;
use crate::prelude::*;
use crate::protocol::Subject;

impl Executor for CudaExecutor {
    fn device(&self) -> Device {
        self.device.clone()
    }

    fn run(&mut self, job: &Job) -> Result<(), ExecError> {
        run(self, job)
    }
}

fn run(gpu: &CudaExecutor, job: &Job) -> Result<(), ExecError> {
    let footprint = Footprint::of(job.shape(), job.elements);
    // The host stores the inputs, a result and its reference in double precision, and one copy as bytes.
    Footprint::of(job.shape(), Elements::F64).must_fit_host(2, 0)?;
    let (free, _) = gpu.context.mem_get_info().map_err(|error| failed(&sentence!("exec-doing-free-memory"), &error))?;
    let padded = job.programs.iter().filter_map(Resolved::padded);
    let padded: u64 = padded.map(|shape| Footprint::of(shape, job.elements).total()).sum();
    let scratch: u64 = job.programs.iter().flat_map(Resolved::scratch).sum();
    footprint.must_fit(footprint.total() + padded + scratch, free as u64, &sentence!("exec-memory-gpu"))?;

    let mut loaded = job.load_each(|program| {
        job.progress(sentence!("exec-doing-load", kernel = program.id), 0.0);
        load(gpu, program)
    })?;
    job.progress(sentence!("exec-doing-inputs"), 0.0);
    let inputs = job.inputs();
    let mut buffers = upload(gpu, &inputs, job.shape(), job.elements)?;
    for kernel in &mut loaded {
        if let Some(program) = job.programs.iter().find(|program| program.index == kernel.index) {
            kernel.bind(gpu, program, &extra(job, program), job.shape(), &buffers)?;
        }
    }
    if job.request.verify && !job.cancelled() {
        verify(gpu, job, &loaded, &inputs, &mut buffers)?;
    }
    if job.request.time && !job.cancelled() {
        time(gpu, job, &loaded, &inputs, &mut buffers)?;
    }
    Ok(())
}

fn extra(job: &Job, program: &Resolved) -> EpilogueBuffers {
    EpilogueBuffers::random(program.further, job.shape(), job.request.seed)
}

fn verify(
    gpu: &CudaExecutor,
    job: &Job,
    loaded: &[Loaded],
    inputs: &Inputs,
    buffers: &mut Buffers,
) -> Result<(), ExecError> {
    let mut references = References::default();
    for kernel in loaded {
        if job.cancelled() {
            return Ok(());
        }
        let Some(program) = job.programs.iter().find(|program| program.index == kernel.index) else { continue };
        let doing = sentence!("exec-doing-run", kernel = kernel.id);
        job.progress(&doing, 0.0);
        let extra = extra(job, program);
        let seen = extra.inputs(inputs);
        let problem = extra.problem(job, &seen);
        let result = program.further.result(job.elements);
        let c = product(gpu, (&seen, result), buffers, &doing, |buffers| start(gpu, job, kernel, buffers))?;
        let largest = match kernel.further.get(2).filter(|_| problem.epilogue.is_some()) {
            Some(largest) => gpu.stream.clone_dtoh(largest).map_err(|error| failed(&doing, &error))?,
            None => Vec::new(),
        };
        gpu.stream.synchronize().map_err(|error| failed(&doing, &error))?;
        let largest = decode(Elements::F32, &largest).first().copied();
        let verification = references.compare(gpu, job, &problem, buffers, (program, &c, largest))?;
        job.reply(Reply::Verified { id: job.id(), program: kernel.index, verification });
    }
    Ok(())
}

fn time(
    gpu: &CudaExecutor,
    job: &Job,
    loaded: &[Loaded],
    inputs: &Inputs,
    buffers: &mut Buffers,
) -> Result<(), ExecError> {
    let mut subjects: Vec<Subject> = loaded.iter().map(|kernel| Subject::Program(kernel.index)).collect();
    let library = match &gpu.blas {
        _ if !job.request.cublas => None,
        Ok(blas) => Some(Library::find(gpu, blas, job, inputs, buffers)?),
        Err(why) => {
            job.note(sentence!("exec-no-cublas", why));
            None
        }
    };
    subjects.extend(library.iter().flat_map(Library::subjects));
    let mut launch = |subject: Subject| match subject {
        Subject::Program(index) => match loaded.iter().find(|kernel| kernel.index == index) {
            Some(kernel) => start(gpu, job, kernel, buffers),
            None => Ok(()),
        },
        subject => library.as_ref().map_or(Ok(()), |library| library.start(subject)),
    };
    measure::measure(gpu, job, &subjects, &mut launch)
}
