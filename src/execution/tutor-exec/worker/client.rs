//! The parent's handle of the worker process.

use super::config::WorkerConfig;
use super::supervisor::{Event, Supervisor};
use crate::protocol::{Reply, Request};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;

/// The parent's handle of the worker process. Dropping it ends the child.
#[derive(Debug)]
pub struct Worker {
    events: Sender<Event>,
    process: Arc<AtomicU32>,
    supervisor: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the supervisor. The child starts with the first request.
    ///
    /// `sink` gets every reply, on the supervisor's thread. If there is no worker for a request, it gets
    /// [`Reply::Failed`]. For [`Request::Describe`], which has no id, the id is 0.
    pub fn spawn(config: WorkerConfig, sink: impl Fn(Reply) + Send + 'static) -> std::io::Result<Self> {
        let (events, inbox) = mpsc::channel();
        let process = Arc::new(AtomicU32::new(0));
        let mut supervisor = Supervisor::new(config, sink, events.clone(), Arc::clone(&process));
        let supervisor =
            std::thread::Builder::new().name("worker supervisor".to_owned()).spawn(move || supervisor.run(&inbox))?;
        Ok(Self { events, process, supervisor: Some(supervisor) })
    }

    /// Sends a request without waiting.
    pub fn send(&self, request: Request) {
        // The supervisor lives as long as this handle.
        let _ = self.events.send(Event::Send(Box::new(request)));
    }

    /// Stops the launch with this id: asks the worker, and kills it if it does not stop in time.
    pub fn cancel(&self, id: u64) {
        self.send(Request::Cancel { id });
    }

    /// Ends an idle child. The next request starts a new one, which detects libraries installed in the meantime.
    pub fn renew(&self) {
        let _ = self.events.send(Event::Renew);
    }

    /// Returns the child's process id while there is a child.
    pub fn process_id(&self) -> Option<u32> {
        Some(self.process.load(Ordering::Relaxed)).filter(|id| *id != 0)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.events.send(Event::Stop);
        if let Some(supervisor) = self.supervisor.take() {
            let _ = supervisor.join();
        }
    }
}
