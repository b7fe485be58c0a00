//! Lists the NVRTC locations, with what each contains and which one is used.

use super::{Check, NVRTC};
use crate::prelude::*;
use tutor_exec::protocol::{Description, ExecErrorKind, Looked};
use tutor_kernels::nvrtc::{Location, is_static};

/// The result of the search.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    /// Release of the NVRTC that is used, such as `12.0.140`, as written in its output.
    release: Option<String>,
    /// All locations in search order.
    places: Vec<Looked>,
}

/// Compiles a small kernel with the NVRTC that is used. Returns `None` after Ctrl-C.
pub(super) fn check(description: &Description, session: &Session) -> Option<(Check, Option<Found>)> {
    let places = description.nvrtc_places.clone();
    let path = places.iter().find(|place| place.taken).and_then(|place| place.path.clone());
    let (check, release) = match &description.nvrtc {
        Err(why) if is_static() => (Check::missing(NVRTC, why.to_string(), t!("doctor-static-do")), None),
        Err(why) => (Check::missing(NVRTC, why.to_string(), t!("doctor-nvrtc-do")), None),
        Ok(version) => {
            let source = "extern \"C\" __global__ void nothing() {}\n";
            match session.compile("nothing.cu", source.to_owned(), None) {
                Ok((ptx, _)) => {
                    let release = ptx.lines().find_map(|line| Some(line.rsplit_once(", V")?.1.to_owned()));
                    let text = match (&release, path) {
                        (Some(release), Some(path)) => t!("doctor-nvrtc-is", release, path),
                        _ => version.clone(),
                    };
                    (Check::found(NVRTC, text), release)
                }
                Err(error) if error.kind == ExecErrorKind::Interrupted => return None,
                Err(error) => {
                    let (path, why) = (path.unwrap_or_default(), error.message);
                    let text = t!("doctor-nvrtc-compiles-not", version, path, why);
                    (Check::missing(NVRTC, text, t!("doctor-nvrtc-do")), None)
                }
            }
        }
    };
    // A JSON document has texts.
    let places: Vec<Looked> = places
        .into_iter()
        .map(|place| Looked { problem: place.problem.map(|why| why.to_string().into()), ..place })
        .collect();
    let found = (!places.is_empty()).then_some(Found { release, places });
    Some((check, found))
}

impl Found {
    /// Returns a line for each location, and whether that location is used.
    pub(super) fn lines(&self) -> Vec<(bool, String)> {
        let line = |looked: &Looked| (looked.taken, format!("{} {}", pad(&name(looked.place), 24), state(looked)));
        self.places.iter().map(line).collect()
    }
}

fn name(place: Location) -> String {
    match place {
        Location::Variable => t!("doctor-nvrtc-variable"),
        Location::OwnWheel => t!("doctor-nvrtc-own-wheel"),
        Location::Private => t!("doctor-nvrtc-private"),
        Location::Environment => t!("doctor-nvrtc-environment"),
        Location::Toolkit => t!("doctor-nvrtc-toolkit"),
        Location::System => t!("doctor-nvrtc-system"),
    }
}

fn state(looked: &Looked) -> String {
    match looked {
        Looked { path: Some(path), version: Some(version), taken, place, .. } => match (taken, place) {
            (true, Location::Variable) => t!("doctor-nvrtc-taken-variable", version, path),
            (true, _) => t!("doctor-nvrtc-taken", version, path),
            (false, _) => t!("doctor-nvrtc-version", version, path),
        },
        Looked { path: Some(path), problem: Some(why), .. } => t!("doctor-nvrtc-broken", path, why),
        Looked { place: Location::System, root: Some(root), .. } => t!("doctor-nvrtc-none-loader", root),
        Looked { root: Some(root), .. } => t!("doctor-nvrtc-none-in", root),
        Looked { place: Location::OwnWheel, .. } => t!("doctor-nvrtc-no-wheel"),
        Looked { place: Location::Environment, .. } => t!("doctor-nvrtc-no-environment"),
        Looked { .. } => t!("doctor-nvrtc-not-set"),
    }
}
