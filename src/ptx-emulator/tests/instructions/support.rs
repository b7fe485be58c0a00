//! Helpers that the tests share.

use ptx_emulator::{Arg, Launch, Measure, Memory, Options};

/// A reproducible generator of test data (xorshift64*).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number in -1…1.
    pub(crate) fn f32(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub(crate) fn f32s(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.f32()).collect()
    }
}

/// Dimensions and pitches of a product.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Problem {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
    /// Elements added to the minimum pitches of A, B and C.
    pub(crate) extra: [usize; 3],
    pub(crate) alpha: f32,
    pub(crate) beta: f32,
}

pub(crate) struct Product {
    pub(crate) problem: Problem,
    pub(crate) a: Vec<f32>,
    pub(crate) b: Vec<f32>,
    pub(crate) c: Vec<f32>,
}

impl Product {
    pub(crate) fn new(problem: Problem, seed: u64) -> Self {
        let mut random = Random(seed | 1);
        let [ea, eb, ec] = problem.extra;
        Self {
            a: random.f32s(problem.m * (problem.k + ea)),
            b: random.f32s(problem.k * (problem.n + eb)),
            c: random.f32s(problem.m * (problem.n + ec)),
            problem,
        }
    }

    /// Returns the product as the kernels compute it: sequential fused multiply-adds, k ascending.
    pub(crate) fn expected(&self) -> Vec<f32> {
        let Problem { m, n, k, extra: [ea, eb, ec], alpha, beta } = self.problem;
        let mut c = self.c.clone();
        for row in 0..m {
            for column in 0..n {
                let mut sum = 0.0f32;
                for i in 0..k {
                    sum = self.a[row * (k + ea) + i].mul_add(self.b[i * (n + eb) + column], sum);
                }
                let old = &mut c[row * (n + ec) + column];
                *old = if beta == 0.0 { alpha * sum } else { old.mul_add(beta, alpha * sum) };
            }
        }
        c
    }

    pub(crate) fn launch(
        &self,
        memory: &mut Memory,
        block: [u32; 3],
        grid: [u32; 3],
    ) -> (Launch, ptx_emulator::BufferId) {
        let Problem { m, n, k, extra: [ea, eb, ec], alpha, beta } = self.problem;
        let a = memory.add_f32("A", &self.a);
        let b = memory.add_f32("B", &self.b);
        let c = memory.add_f32("C", &self.c);
        let int = |n: usize| Arg::S32(n as i32);
        let args = vec![
            Arg::Buffer(a),
            Arg::Buffer(b),
            Arg::Buffer(c),
            int(m),
            int(n),
            int(k),
            int(k + ea),
            int(n + eb),
            int(n + ec),
            Arg::F32(alpha),
            Arg::F32(beta),
        ];
        (Launch { grid, block, args, ..Launch::default() }, c)
    }
}

pub(crate) fn options(measure: Measure) -> Options {
    Options { measure, threads: Some(1), ..Options::default() }
}
