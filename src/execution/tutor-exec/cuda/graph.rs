//! Times launches in a CUDA graph, where no figure contains what a launch costs the host.

use super::driver::{CudaExecutor, failed};
use crate::prelude::*;
use cudarc::driver::sys::{CUevent_flags, CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaEvent, CudaGraph, DriverError};

/// Duration of one replay in ms if a launch took as long as in a stream. A short launch may take a fifth of that in a
/// graph. So a replay takes at least a millisecond, and its own start of a few µs is a small part of it.
const REPLAY_MS: f64 = 5.0;
const MAX_LAUNCHES: f64 = 1000.0;

/// Several launches as one graph.
pub(super) struct Graph {
    graph: CudaGraph,
    pub(super) launches: u32,
}

/// Measures the GPU's time between two points of the stream.
pub(super) struct Timer<'gpu> {
    gpu: &'gpu CudaExecutor,
    start: CudaEvent,
    end: CudaEvent,
}

impl<'gpu> Timer<'gpu> {
    pub(super) fn new(gpu: &'gpu CudaExecutor) -> Result<Self, ExecError> {
        let event = || {
            let flags = Some(CUevent_flags::CU_EVENT_DEFAULT);
            gpu.context.new_event(flags).map_err(|error| failed(&sentence!("exec-doing-event"), &error))
        };
        Ok(Self { gpu, start: event()?, end: event()? })
    }

    /// Returns the GPU's time in ms for what `submit` submits to the stream.
    pub(super) fn ms(
        &self,
        doing: &Sentence,
        submit: &mut dyn FnMut() -> Result<(), ExecError>,
    ) -> Result<f64, ExecError> {
        let fault = |error: DriverError| failed(doing, &error);
        self.start.record(&self.gpu.stream).map_err(fault)?;
        submit()?;
        self.end.record(&self.gpu.stream).map_err(fault)?;
        self.gpu.elapsed_ms(&self.start, &self.end).map_err(fault)
    }

    /// Makes a graph of launches that take `one_ms` each in a stream. Returns `None` if the driver or the library cannot
    /// capture them.
    pub(super) fn capture(&self, one_ms: f64, launch: &mut dyn FnMut() -> Result<(), ExecError>) -> Option<Graph> {
        let launches = (REPLAY_MS / one_ms.max(1e-6)).ceil().clamp(1.0, MAX_LAUNCHES) as u32;
        let stream = &self.gpu.stream;
        // Another thread of this process does not use the GPU, so nothing else can be captured.
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED).ok()?;
        let launched = (0..launches).try_for_each(|_| launch());
        // The capture ends in any case, so that the stream can be used again.
        let graph = stream.end_capture(CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
        launched.ok()?;
        Some(Graph { graph: graph.ok()??, launches })
    }
}

impl Graph {
    /// Submits the graph to the stream.
    pub(super) fn replay(&self, doing: &Sentence) -> Result<(), ExecError> {
        self.graph.launch().map_err(|error| failed(doing, &error))
    }
}
