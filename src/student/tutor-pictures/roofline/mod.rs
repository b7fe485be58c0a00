/*! The roofline: a kernel's speed and its arithmetic intensity, compared with the limits of the device.

The emulator counts the intensities. Speeds are recorded or have just been measured, and the roof is the device's
measured limits. The plot shows only what is known: a kernel without a time is a line at its intensity, and without
measured limits there is no roof.
*/

mod draw;
mod model;

use super::names::{Names, kernel_names};
use crate::effect::request;
use crate::prelude::*;
use model::{Point, Roof, Speed};
use ptx_emulator::Totals;
use tutor_course::RooflineView as View;
use tutor_exec::protocol::{DeviceKind, LaunchRequest, Program, Reply};
use tutor_exec::recorded::Recording;
use tutor_exec::results::LaunchResults;

/// Kernels under the roof of a device.
#[derive(Debug)]
pub(crate) struct Roofline {
    kernels: Vec<String>,
    size: u32,
    /// What all kernels' names have in common.
    shared: String,
    points: Vec<Point>,
    /// The roof of the device whose times are shown.
    roof: Option<Roof>,
    roofs: Vec<Roof>,
    /// The device whose times are shown, and true if they are recorded.
    device: Option<(String, bool)>,
    launch: Option<LaunchResults>,
}

impl Roofline {
    /// Creates the picture of the page's kernels. Without a GPU it has recorded speeds.
    pub(crate) fn new(view: &View, setting: Setting) -> Self {
        Self::with(view, setting, Recording::built_in(), Roof::built_in())
    }

    fn with(view: &View, setting: Setting, recordings: &'static [Recording], roofs: Vec<Roof>) -> Self {
        let kernels: Vec<String> = view.kernels.iter().take(6).map(|kernel| kernel.value.clone()).collect();
        let gpu = setting.description.is_some_and(|known| known.device.kind == DeviceKind::Cuda);
        let row = |recording: &'static Recording, id: &String| recording.row(setting.catalog.kernel(id)?, view.size);
        let holds = |recording: &&'static Recording| kernels.iter().any(|kernel| row(recording, kernel).is_some());
        let recording = recordings.iter().find(holds).filter(|_| !gpu);
        let Names { shared, each } = kernel_names(&kernels, setting.catalog);
        let points = kernels
            .iter()
            .zip(each)
            .map(|(kernel, name)| Point {
                name,
                intensity: None,
                speed: recording
                    .and_then(|recording| row(recording, kernel))
                    .map(|row| Speed { gflops: row.time.gflops, live: false }),
            })
            .collect();
        let device = match recording {
            Some(recording) => Some((recording.device.clone(), true)),
            None => setting.description.filter(|_| gpu).map(|known| (known.device.name.clone(), false)),
        };
        let mut roofline = Self { kernels, size: view.size, shared, points, roof: None, roofs, device, launch: None };
        roofline.choose_roof();
        roofline
    }

    /// Chooses the roof of the device that is shown, or the first known roof if there is no device.
    fn choose_roof(&mut self) {
        let of = |name: &str| self.roofs.iter().find(|roof| roof.device == name).cloned();
        self.roof = match &self.device {
            Some((name, _)) => of(name),
            None => self.roofs.first().cloned(),
        };
    }

    /// Returns the launch, if it is not over.
    fn running(&self) -> Option<&LaunchResults> {
        self.launch.as_ref().filter(|launch| launch.is_running())
    }

    fn launch(&mut self) -> Vec<Effect> {
        let programs = self.kernels.iter().map(|kernel| Program::new(kernel.clone())).collect();
        let request = LaunchRequest { time: true, seconds: 1.0, counts: true, ..request(programs, self.size, 1) };
        self.launch = Some(LaunchResults::of(&request));
        vec![Effect::Launch(Box::new(request))]
    }
}

impl Picture for Roofline {
    fn kind(&self) -> &'static str {
        "roofline"
    }

    fn rename(&mut self, setting: Setting) {
        let Names { shared, each } = kernel_names(&self.kernels, setting.catalog);
        self.shared = shared;
        self.points.iter_mut().zip(each).for_each(|(point, name)| point.name = name);
    }

    fn actions(&self) -> Vec<Action> {
        if self.running().is_some() { vec![Action::CancelLaunch] } else { vec![Action::Launch] }
    }

    /// A queued launch counts as running, but it can be requested again.
    fn can(&self, action: Action) -> bool {
        action == Action::Launch || self.actions().contains(&action)
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Launch => self.launch(),
            Action::CancelLaunch => self.running().map(|launch| Effect::CancelLaunch(launch.id)).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn click(&mut self, _: Position, _: Rect) -> Vec<Effect> {
        self.focus()
    }

    fn focus(&mut self) -> Vec<Effect> {
        let known = self.points.iter().all(|point| point.intensity.is_some());
        if known || self.running().is_some() { Vec::new() } else { self.launch() }
    }

    fn reply(&mut self, reply: &Reply) -> bool {
        let Some(launch) = &mut self.launch else { return false };
        if !launch.apply(reply) {
            return false;
        }
        if let Some(device) = launch.device.as_ref().filter(|device| device.kind == DeviceKind::Cuda) {
            self.device = Some((device.name.clone(), false));
        }
        let (live, flop) = (launch.is_on(DeviceKind::Cuda), launch.shape.flop());
        for (point, found) in self.points.iter_mut().zip(&launch.programs) {
            if let Some(Totals { flop, global_bytes, .. }) = found.counts.as_ref().map(|counts| &counts.totals) {
                point.intensity = (*global_bytes > 0).then(|| *flop as f64 / *global_bytes as f64);
            }
            // Recorded times of another device must not be mixed with new measurements.
            if live {
                let speed = |ms| Speed { gflops: flop / (ms * 1e6), live };
                point.speed = found.timed.median_ms().map(speed);
            }
        }
        self.choose_roof();
        true
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    /// Returns the number of rows of the text, and ten for a plot of eight rows with its axis.
    fn min_height(&self, width: u16) -> u16 {
        ui_kit::look::with_mono_look(|look| draw::in_words(self, look, width).height()) + 10
    }

    fn describe(&self) -> Vec<String> {
        ui_kit::look::with_mono_look(|look| draw::in_words(self, look, 96).lines())
    }
}

#[cfg(test)]
mod tests;
