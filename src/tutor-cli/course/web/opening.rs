//! Opens the page in a browser without a window. The page reports to this process when its first screen is drawn.

use crate::prelude::*;
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

/// Programs that are looked for.
const BROWSERS: [&str; 6] = ["chromium", "chromium-browser", "google-chrome", "firefox", "firefox-esr", "chrome"];
/// How long the page has to open.
const PATIENCE: Duration = Duration::from_secs(120);
/// What the page requests when it has opened, or why it has failed.
const READY: &str = "/ready";
const FAILED: &str = "/failed?";
/// Maximum length of a request in bytes.
const MAX_REQUEST: u64 = 16 << 10;

/// Serves the files to a browser, and reports whether the tutor appears in it.
pub(super) fn check(files: BTreeMap<String, Vec<u8>>, browser: Option<&Path>) -> anyhow::Result<Exit> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let url = format!("http://{}/?check", listener.local_addr()?);
    let profile = tempfile::tempdir()?;
    let Some(mut child) = start(browser, &url, profile.path()) else {
        return Ok(failure(Exit::NoDevice, t!("web-no-browser"), Some(&t!("web-no-browser-help"))));
    };
    let (reports, outcome) = mpsc::channel();
    std::thread::Builder::new().name("page".into()).spawn(move || {
        for stream in listener.incoming().flatten() {
            // A browser that closes a connection early asks again.
            let _ = answer(&stream, &files, &reports);
        }
    })?;
    let outcome = outcome.recv_timeout(PATIENCE);
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
    Ok(match outcome {
        Ok(None) => {
            output::line(t!("web-opens"))?;
            Exit::Done
        }
        Ok(Some(why)) => failure(Exit::Failed, t!("web-opens-not", why), None),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
            failure(Exit::Failed, t!("web-silent", seconds = PATIENCE.as_secs()), None)
        }
    })
}

/// Starts the browser, or the first one that there is.
fn start(browser: Option<&Path>, url: &str, profile: &Path) -> Option<Child> {
    let known = BROWSERS.iter().map(Path::new);
    browser.map_or_else(|| known.collect(), |browser| vec![browser]).into_iter().find_map(|program| {
        let firefox = program.file_name().is_some_and(|name| name.to_string_lossy().contains("firefox"));
        let mut call = Command::new(program);
        if firefox {
            call.arg("--headless").arg("--no-remote").arg("--profile").arg(profile);
        } else {
            // The page is ours, and a container has no sandbox for it.
            call.args(["--headless=new", "--no-sandbox", "--no-first-run"]);
            call.arg(format!("--user-data-dir={}", profile.display()));
        }
        call.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
    })
}

/// Answers one request like a plain static host.
fn answer(
    mut stream: &TcpStream,
    files: &BTreeMap<String, Vec<u8>>,
    reports: &Sender<Option<String>>,
) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut request = String::new();
    BufReader::new(stream.take(MAX_REQUEST)).read_line(&mut request)?;
    let path = request.split_whitespace().nth(1).unwrap_or("/");
    if path == READY {
        let _ = reports.send(None);
    } else if let Some(why) = path.strip_prefix(FAILED) {
        let _ = reports.send(Some(tutor_support::text::lines(&why.replace("%20", " ")).into_owned()));
    }
    let name = path.split('?').next().unwrap_or("/").trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let Some(bytes) = files.get(name) else {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    let kind = match Path::new(name).extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let length = bytes.len();
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n")?;
    stream.write_all(bytes)
}
