/*! The further parameters of a launch: scales, a bias, the largest value.

Scales are bfloat16 numbers from 0.25 to 1.25, and not only powers of two. An element of at most 16 bits times its scale
is exact in FP32. So the reference multiplies the elements first, and then computes an ordinary product. This agrees with
IEEE arithmetic because no random scale is 0, infinite or NaN. The numbers of a bias are like those of A.
*/

use super::input::random;
use super::matrix::rounded;
use crate::prelude::*;
use rayon::prelude::*;
use std::borrow::Cow;
use tutor_kernels::{Epilogue, EpilogueParams, Scales};

/// The further parameters of a kernel, with their contents at the beginning of a launch.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EpilogueBuffers {
    pub(super) further: EpilogueParams,
    /// One buffer per parameter.
    pub(super) buffers: Vec<Vec<f64>>,
    shape: Shape,
}

impl EpilogueBuffers {
    /// Makes random numbers. They depend only on the seed.
    pub(super) fn random(further: EpilogueParams, shape: Shape, seed: u64) -> Self {
        let extents = further.extents(shape.m, shape.n, shape.k);
        let mut buffers: Vec<Vec<f64>> = (4..)
            .zip(extents)
            .map(|(stream, [rows, columns])| random(Elements::F32, rows as usize * columns as usize, seed, stream))
            .collect();
        if further.scaled().is_some() {
            let scale = |value: &mut f64| *value = rounded(Elements::Bf16, 0.25 + value.abs());
            buffers.iter_mut().take(2).for_each(|buffer| buffer.iter_mut().for_each(scale));
        }
        if let Some(largest) = buffers.get_mut(2) {
            largest.fill(0.0);
        }
        Self { further, buffers, shape }
    }

    /// Returns A and B times their scales, and the old C as this kernel stores it.
    pub(super) fn inputs<'i>(&self, inputs: &'i Inputs) -> Cow<'i, Inputs> {
        let Shape { m, n, k, .. } = self.shape;
        let mut own = Cow::Borrowed(inputs);
        if let Some(Scales { a, b }) = self.further.scaled() {
            let own = own.to_mut();
            let (across, along) = (m.div_ceil(a[0]) as usize, a[1] as usize);
            own.a.par_chunks_mut(k as usize).enumerate().for_each(|(row, values)| {
                let scales = self.buffers[0].iter().skip(row / a[0] as usize).step_by(across);
                values
                    .chunks_mut(along)
                    .zip(scales)
                    .for_each(|(values, scale)| values.iter_mut().for_each(|v| *v *= scale));
            });
            let across = n.div_ceil(b[0]) as usize;
            own.b.par_chunks_mut(n as usize).enumerate().for_each(|(l, values)| {
                let scales = &self.buffers[1][l / b[1] as usize * across..];
                let blocks = values.chunks_mut(b[0] as usize).zip(scales);
                blocks.for_each(|(values, scale)| values.iter_mut().for_each(|v| *v *= scale));
            });
        }
        if self.further.epilogue == Some(Epilogue::E4m3) {
            own.to_mut().c.par_iter_mut().for_each(|old| *old = rounded(Elements::E4m3, *old));
        }
        own
    }

    /// Returns the product that the kernel computes. `inputs` are those of [`Self::inputs`].
    pub(super) fn problem<'i>(&'i self, job: &Job, inputs: &'i Inputs) -> Problem<'i> {
        let epilogue = self.further.epilogue.map(|epilogue| (epilogue, self.buffers[1].as_slice()));
        Problem { epilogue, moduli: self.further.moduli, ..job.problem(inputs) }
    }
}
