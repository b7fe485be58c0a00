//! Estimated times on any GPU: the option, the request to the worker, and the output.

use crate::prelude::*;
use tutor_exec::estimate::{EstimateRequest, Estimated, gpu};
use tutor_exec::protocol::{ExecError, LaunchRequest, Program, Shape};
use tutor_exec::results::ProgramResults;
use tutor_support::words::Sentence;

/// The GPU for which a command estimates times.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct EstimateOption {
    /// Also estimate the time on a GPU: nvidia-h100, nvidia-h200, or a file of measured constants.
    #[arg(long = "estimate", value_name = "DEVICE")]
    device: Option<String>,
}

impl EstimateOption {
    /// Returns the request for a shape, if the user named a GPU. With `always`, the default is the GPU that the tutor
    /// knows best.
    ///
    /// # Errors
    /// If the constants of the GPU are not known.
    pub(crate) fn request(&self, shape: Shape, always: bool) -> Result<Option<Box<EstimateRequest>>, Sentence> {
        match &self.device {
            Some(name) => gpu(name).map(|gpu| Some(EstimateRequest::new(gpu, shape))),
            None => Ok(EstimateRequest::of(None, shape).filter(|_| always)),
        }
    }

    /// True if the user named a GPU.
    pub(crate) fn is_given(&self) -> bool {
        self.device.is_some()
    }

    /// Reports constants that are not known, before anything runs.
    pub(crate) fn refused(&self) -> Option<Exit> {
        let why = self.request(Shape::default(), false).err()?;
        Some(failure(Exit::Usage, why.to_string(), None))
    }
}

/// An estimate in the form of `--json`, or the reason why there is none.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Estimate {
    pub(crate) estimated: Option<Estimated>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why_not: Option<String>,
    #[serde(skip)]
    device: String,
}

impl Estimate {
    pub(crate) fn new(device: &str, found: Result<Estimated, Sentence>) -> Self {
        let device = device.to_owned();
        match found {
            Ok(found) => Self { estimated: Some(found), why_not: None, device },
            Err(why) => Self { estimated: None, why_not: Some(why.to_string()), device },
        }
    }

    fn why_not(&self) -> String {
        t!("estimate-none", device = self.device, why = self.why_not.as_deref().unwrap_or_default())
    }

    /// Prints the estimate under a heading of its own, or why there is none.
    pub(crate) fn print(&self) -> std::io::Result<()> {
        let Some(found) = &self.estimated else { return output::hanging("", self.why_not()) };
        output::hanging("", found.heading())?;
        found.lines().iter().try_for_each(|line| output::hanging("  ", line))
    }

    /// Prints the estimate for a square product of size `n` with its error, without another heading.
    pub(crate) fn print_brief(&self, n: u32) -> std::io::Result<()> {
        let Some(found) = &self.estimated else { return output::hanging("", self.why_not()) };
        [found.brief(n), found.why(), found.accuracy()].iter().try_for_each(|text| output::hanging("", text))
    }

    /// Prints the estimate for products of a shape in a line that begins with a name.
    pub(crate) fn print_row(&self, name: &str, shape: Shape) -> std::io::Result<()> {
        match &self.estimated {
            Some(found) => {
                output::hanging(&format!("  {name}  "), format_args!("{} {}", found.row(shape), found.why()))
            }
            None => output::hanging(&format!("  {name}  "), self.why_not()),
        }
    }

    /// Returns the statement that must stand above the number.
    pub(crate) fn heading(&self) -> Option<Sentence> {
        self.estimated.as_ref().map(Estimated::heading)
    }
}

/// Estimates the times of programs. Returns `None` after Ctrl-C.
pub(crate) fn estimates(
    session: &Session,
    id: u64,
    programs: Vec<Program>,
    request: Box<EstimateRequest>,
) -> Result<Option<Vec<Estimate>>, ExecError> {
    let device = request.gpu.device.clone();
    let launch = LaunchRequest::new(id, programs, request.shape);
    let launched = session.launch(LaunchRequest { estimate: Some(request), ..launch }, |_, _| {}).finished()?;
    let estimate = |found: ProgramResults| match found.estimated {
        Some(found) => Estimate::new(&device, found.map(|found| Estimated { timeline: None, ..*found })),
        None => Estimate::default(),
    };
    Ok(launched.map(|results| results.programs.into_iter().map(estimate).collect()))
}
