//! Launches a loaded kernel with its companion.

use super::buffers::Buffers;
use super::driver::{CudaExecutor, failed};
use super::load::{Loaded, config};
use crate::prelude::*;
use crate::resolve::{Companion, copies};
use cudarc::driver::{CudaFunction, DevicePtr as _, PushKernelArg as _};
use std::iter;
use tutor_kernels::Epilogue;

/// Starts a kernel on the stream.
pub(super) fn start(gpu: &CudaExecutor, job: &Job, kernel: &Loaded, buffers: &mut Buffers) -> Result<(), ExecError> {
    let at = |buffers: &Buffers| [&buffers.a, &buffers.b, &buffers.c].map(|slice| slice.device_ptr(&gpu.stream).0);
    let given = (at(buffers), job.shape());
    let (places, shape) = kernel.padded.as_ref().map_or(given, |(copies, shape)| (at(copies), *shape));
    let copy = |copier: &CudaFunction, which: &[usize], sides: [([u64; 3], Shape); 2]| {
        copy(gpu, kernel, copier, buffers.elements, which, sides)
    };
    let others = kernel.companion.as_ref().map_or(&[][..], |(_, others)| others);
    let companion = kernel.companion.as_ref().map(|(companion, _)| companion).zip(others.first());
    if let Some((Companion::PaddedCopies(_), (copier, _))) = companion {
        copy(copier, &[0, 1], [given, (places, shape)])?;
        if job.factors[1] != 0.0 {
            copy(copier, &[2], [given, (places, shape)])?;
        }
    }
    let [lda, ldb, ldc] = buffers.elements.stored(shape.m, shape.n, shape.k).map(|[_, columns]| columns as i32);
    let [m, n, k, batch] = [shape.m, shape.n, shape.k, shape.batch].map(|extent| extent as i32);
    let (doubles, floats) = (job.factors, job.factors.map(|factor| factor as f32));
    let own = (kernel.function.clone(), kernel.config);
    // Kernels of integers run two others before and one afterwards, with the same parameters.
    let (before, after) = match companion {
        Some((Companion::Integers(_), _)) => others.split_at(2),
        _ => (&[][..], &[][..]),
    };
    for (function, config) in before.iter().chain(iter::once(&own)).chain(after) {
        let mut launch = gpu.stream.launch_builder(function);
        for map in &kernel.maps {
            launch.arg(map);
        }
        for place in &places {
            launch.arg(place);
        }
        launch.arg(&m).arg(&n).arg(&k).arg(&lda).arg(&ldb).arg(&ldc);
        match buffers.elements {
            Elements::F64 => launch.arg(&doubles[0]).arg(&doubles[1]),
            _ => launch.arg(&floats[0]).arg(&floats[1]),
        };
        for buffer in &kernel.further {
            launch.arg(buffer);
        }
        if kernel.batched {
            launch.arg(&batch);
        }
        // SAFETY: Every kernel of the catalogue takes its tensor maps, these eleven parameters, and its further ones. The buffers hold
        // m·k, k·n and m·n elements for each product. A student's own kernel may do anything. That is why it runs in the worker process.
        unsafe { launch.launch(*config) }
            .map_err(|error| failed(&sentence!("exec-doing-launch", kernel = kernel.id), &error))?;
    }
    match companion {
        None | Some((Companion::Integers(_), _)) => Ok(()),
        Some((Companion::PaddedCopies(_), (copier, _))) => copy(copier, &[2], [(places, shape), given]),
        Some((Companion::SecondKernel, (second, _))) => {
            let mut launch = gpu.stream.launch_builder(second);
            launch.arg(&places[2]).arg(&m).arg(&n).arg(&ldc).arg(&kernel.further[1]);
            // SAFETY: The second kernel of an epilogue takes these five parameters. C and the bias have n columns.
            let started = unsafe { launch.launch(config(Epilogue::second(shape.m, shape.n))) };
            started.map(drop).map_err(|error| failed(&sentence!("exec-doing-launch", kernel = kernel.id), &error))
        }
    }
}

/// Starts the copy of some of A, B and C (0, 1, 2) from one side to the other, each with its addresses and shape.
fn copy(
    gpu: &CudaExecutor,
    kernel: &Loaded,
    copier: &CudaFunction,
    elements: Elements,
    which: &[usize],
    [(from, old), (to, new)]: [([u64; 3], Shape); 2],
) -> Result<(), ExecError> {
    let (geometry, extents) = copies(elements, old, new, which);
    let mut launch = gpu.stream.launch_builder(copier);
    for (at, extents) in which.iter().chain([&0, &0]).zip(&extents) {
        launch.arg(&from[*at]).arg(&to[*at]);
        for extent in extents {
            launch.arg(extent);
        }
    }
    // SAFETY: `copy_rows` takes these twelve parameters. The extents are those of the buffers.
    unsafe { launch.launch(config(geometry)) }
        .map_err(|error| failed(&sentence!("exec-doing-launch", kernel = kernel.id), &error))?;
    Ok(())
}
