//! Asynchronous kernels that NVRTC 12 and 13 compiled: blocks of a cluster that exchange values, pipelines of copies.

use super::{fixture, words};
use crate::support::{Problem, Product, options};
use ptx_emulator::{Arg, Control, Launch, Measure, Memory, Options, Schedule, run};

#[test]
fn blocks_exchange_through_each_others_shared_memory() {
    for file in ["cluster.12.ptx", "cluster.13.ptx"] {
        for schedule in [Schedule::InOrder, Schedule::RoundRobin] {
            for measure in [Measure::None, Measure::Counts, Measure::All] {
                let mut memory = Memory::new();
                let input: Vec<u8> = (0..7u32 * 32).flat_map(|i| (i * i + 3).to_le_bytes()).collect();
                let (from, to) = (memory.add("in", &input), memory.add("out", &[0; 6 * 128]));
                let args = vec![Arg::Buffer(from), Arg::Buffer(to)];
                let launch = Launch { grid: [6, 1, 1], block: [32, 1, 1], args, ..Launch::default() };
                let options = Options { schedule: schedule.clone(), ..options(measure) };
                let kernel = fixture(file, "exchange");
                let run = run(&kernel, &launch, &mut memory, &options, &Control::default()).unwrap();
                assert_eq!(run.hazards, [], "{file}");
                let found = words(memory.read(to));
                for (index, value) in found.into_iter().enumerate() {
                    let (block, lane) = (index / 32, index % 32);
                    let at = |i: usize| (i * i + 3) as u32;
                    assert_eq!(value, at((block ^ 1) * 32 + lane) + at(6 * 32 + lane), "{file} {block} {lane}");
                }
            }
        }
    }
}

fn product(file: &str, problem: Problem, measure: Measure) -> (Vec<f32>, Vec<f32>, ptx_emulator::Run) {
    let product = Product::new(problem, 7);
    let mut memory = Memory::new();
    let up = |extent: usize| extent.div_ceil(16) as u32;
    let (launch, c) = product.launch(&mut memory, [16, 16, 1], [up(problem.n), up(problem.m), 1]);
    let kernel = fixture(file, "pipeline");
    let run = run(&kernel, &launch, &mut memory, &options(measure), &Control::default()).unwrap();
    (memory.read_f32(c), product.expected(), run)
}

#[test]
fn a_pipeline_of_copies_multiplies() {
    for file in ["pipeline.12.ptx", "pipeline.13.ptx"] {
        for (m, n, k) in [(16, 16, 16), (17, 33, 70), (40, 20, 1), (5, 48, 31)] {
            let problem = Problem { m, n, k, extra: [1, 2, 3], alpha: 0.5, beta: 2.0 };
            let (found, expected, run) = product(file, problem, Measure::All);
            assert_eq!(found, expected, "{file} {m} {n} {k}");
            assert_eq!(run.hazards, [], "{file} {m} {n} {k}");
        }
    }
}

#[test]
fn a_pipeline_that_does_not_wait_is_wrong_every_time() {
    let problem = Problem { m: 16, n: 16, k: 64, extra: [0; 3], alpha: 1.0, beta: 0.0 };
    for file in ["pipeline_no_wait.12.ptx", "pipeline_no_wait.13.ptx"] {
        let (found, expected, _) = product(file, problem, Measure::None);
        assert!(found.iter().zip(&expected).all(|(found, expected)| found != expected), "{file}");
        assert_eq!(found, product(file, problem, Measure::None).0, "{file}");
    }
}
