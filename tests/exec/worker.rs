//! The worker process and its parent's handle, each against a partner that misbehaves.

use super::shared::{PATIENCE, until};
use super::{Talk, binary, error, failure, request};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use tutor_exec::protocol::{CompileRequest, ExecErrorKind, Program, Reply, Request, Shape};
use tutor_exec::results::LaunchState;
use tutor_exec::worker::WorkerConfig;
use tutor_support::words::Words;

fn compilation(id: u64, file: &str, source: &str) -> Request {
    Request::Compile(CompileRequest { id, file: file.into(), source: source.into(), ..CompileRequest::default() })
}

fn launch(id: u64) -> Request {
    Request::Launch(request(id, "sgemm_tiled", Shape::square(16)))
}

/// Waits until a process is gone and reaped: a zombie still has its directory.
#[cfg(target_os = "linux")]
fn wait_until_dead(process: u32) {
    let directory = format!("/proc/{process}");
    until("the process is gone", || (!std::path::Path::new(&directory).exists()).then_some(()));
}

/// Waits until no process of a group runs any more.
#[cfg(target_os = "linux")]
fn wait_until_group_is_dead(group: u32) {
    let is_member = |stat: String| {
        // `pid (name) state parent group …`; the name may hold anything.
        let fields: Vec<String> = stat.rsplit(')').next()?.split_whitespace().map(str::to_owned).collect();
        Some(fields.first()? != "Z" && *fields.get(2)? == group.to_string())
    };
    until("nothing of the group runs", || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let mut stats = processes.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
        (!stats.any(|stat| is_member(stat) == Some(true))).then_some(())
    });
}

#[test]
fn a_worker_describes_what_is_there() {
    let talk = Talk::real();
    let description = talk.describe();
    assert!(!description.device.name.is_empty());
    assert_eq!(description.why_not_cuda.is_none(), description.cuda.is_some());
}

#[test]
fn what_the_worker_says_is_translated_where_it_is_shown() {
    let talk = Talk::real();
    let results = talk.launch(request(1, "bf16_wgmma", Shape::square(100)));
    let (_, why) = results.programs[0].instead.as_ref().unwrap();
    let shown = |code| why.translate(Words::of(code));
    assert_eq!(shown("en"), "lda = 100 is not a multiple of 8");
    assert_eq!(shown("ko"), "lda = 100, 8의 배수가 아님");
}

#[test]
fn an_unknown_kernel_fails_with_advice_and_the_worker_lives_on() {
    let talk = Talk::real();
    for id in [1, 2] {
        let (kind, message) = error(&talk.launch(request(id, "sgemm_nobody", Shape::square(16))));
        assert_eq!(kind, ExecErrorKind::Invalid);
        assert!(message.contains("sgemm_nobody"), "{message}");
    }
}

#[test]
fn an_absurd_size_is_refused_with_the_memory_that_it_needs() {
    let talk = Talk::real();
    let (kind, message) = error(&talk.launch(request(1, "sgemm_tiled", Shape::square(1_000_000))));
    assert_eq!(kind, ExecErrorKind::OutOfMemory);
    assert!(message.contains("needs") && message.contains("TiB") && message.contains("free"), "{message}");
}

#[test]
fn a_number_that_is_none_is_refused_before_it_is_sent() {
    let talk = Talk::real();
    let mut bad = request(1, "sgemm_tiled", Shape::square(16));
    bad.alpha = f64::NAN;
    assert_eq!(error(&talk.launch(bad)).0, ExecErrorKind::Invalid);
    assert_eq!(talk.worker.process_id(), None);
}

#[test]
fn the_child_answers_garbage_with_an_error_and_ends_with_its_input() {
    let mut child = Command::new(binary())
        .arg("worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut replies = BufReader::new(child.stdout.take().unwrap()).lines();
    stdin.write_all(b"garbage\n\n{\"launch\":{}}\n\"describe\"\n").unwrap();
    for _ in 0..2 {
        let reply: Reply = serde_json::from_str(&replies.next().unwrap().unwrap()).unwrap();
        assert_eq!(failure(&reply).map(|(id, kind, _)| (id, kind)), Some((0, ExecErrorKind::Invalid)));
    }
    let reply: Reply = serde_json::from_str(&replies.next().unwrap().unwrap()).unwrap();
    assert!(matches!(reply, Reply::Description(_)));
    drop(stdin);
    assert!(replies.next().is_none(), "nothing follows");
    assert!(child.wait().unwrap().success());
}

#[test]
#[cfg(target_os = "linux")]
fn a_killed_worker_is_reported_and_the_next_request_gets_a_new_one() {
    let talk = Talk::real();
    talk.describe();
    let first = talk.worker.process_id().unwrap();
    // A worker that dies while it is idle causes no message.
    kill(first);
    wait_until_dead(first);
    assert_eq!(error(&talk.launch(request(7, "sgemm_nobody", Shape::square(16)))).0, ExecErrorKind::Invalid);
    assert_ne!(talk.worker.process_id(), Some(first));
}

#[test]
fn an_idle_worker_is_replaced_when_something_new_is_to_be_found() {
    let talk = Talk::real();
    let described = || {
        talk.describe();
        talk.worker.process_id().unwrap()
    };
    let first = described();
    assert_eq!(described(), first);
    talk.worker.renew();
    assert_ne!(described(), first);
}

#[test]
#[cfg(target_os = "linux")]
fn a_launcher_that_is_gone_is_replaced_even_if_what_it_started_holds_the_pipe() {
    let talk = Talk::script(&format!("sleep 600 & exec {} worker", binary()));
    talk.describe();
    let first = talk.worker.process_id().unwrap();
    kill(first);
    // Whether the request still goes to the dead one depends on how fast it dies; the next one does not.
    let kind = |id| error(&talk.launch(request(id, "sgemm_nobody", Shape::square(16)))).0;
    assert!([ExecErrorKind::Worker, ExecErrorKind::Invalid].contains(&kind(1)));
    assert_eq!(kind(2), ExecErrorKind::Invalid);
    wait_until_dead(first);
    wait_until_group_is_dead(first);
}

#[cfg(target_os = "linux")]
fn kill(process: u32) {
    assert!(Command::new("kill").args(["-9", &process.to_string()]).status().unwrap().success());
}

/// Replies to the first request with its start, then does `then`.
#[cfg(unix)]
fn starts_then(then: &str) -> String {
    let started =
        r#"{"started":{"id":1,"device":{"kind":"cuda","name":"a GPU","driver":null,"capability":null},"note":null}}"#;
    format!("read line; echo '{started}'; {then}")
}

/// A worker that has started a launch and then does nothing, and its process.
#[cfg(target_os = "linux")]
fn started() -> (Talk, u32) {
    let talk = Talk::script(&starts_then("sleep 600"));
    talk.worker.send(launch(1));
    talk.until(|reply| matches!(reply, Reply::Started { .. }).then_some(()));
    let process = talk.worker.process_id().unwrap();
    (talk, process)
}

#[test]
#[cfg(target_os = "linux")]
fn a_worker_that_dies_in_the_middle_fails_its_launch_and_no_other() {
    // Dies by its first launch; the one that takes its place is a real worker.
    let mark = tempfile::tempdir().unwrap();
    let mark = mark.path().join("died");
    let script = format!(
        "if [ -e {mark} ]; then exec {} worker; fi; touch {mark}; {}",
        binary(),
        starts_then("echo 'last words' >&2; kill -9 $$"),
        mark = mark.display()
    );
    let talk = Talk::script(&script);
    talk.worker.send(launch(1));
    talk.worker.send(Request::Launch(request(2, "sgemm_nobody", Shape::square(16))));
    let (id, kind, message) = talk.failure();
    assert_eq!((id, kind), (1, ExecErrorKind::Worker));
    assert!(message.contains("signal 9"), "{message}");
    let (id, kind, _) = talk.failure();
    assert_eq!((id, kind), (2, ExecErrorKind::Invalid), "the second was sent again");
}

#[test]
#[cfg(target_os = "linux")]
fn a_silent_launch_is_stopped_with_everything_that_it_started() {
    let process = Talk::limited(&starts_then("sleep 600 & sleep 600"), |talk, limit| {
        talk.worker.send(launch(1));
        let started = |reply: &Reply| match reply {
            Reply::Started { .. } => Some(true),
            Reply::Failed { .. } => Some(false),
            _ => None,
        };
        if !talk.until(started) {
            return None;
        }
        let process = talk.worker.process_id().unwrap();
        let (id, kind, message) = talk.failure();
        assert_eq!((id, kind), (1, ExecErrorKind::TimedOut));
        assert!(message.contains(&format!("{:.1} s", limit.as_secs_f64())), "{message}");
        talk.worker.send(compilation(2, "a.cu", "text"));
        let (id, _, message) = talk.failure();
        assert!(id == 2 && message.contains("compiler"), "{message}");
        Some(process)
    });
    wait_until_dead(process);
    wait_until_group_is_dead(process);
}

#[test]
#[cfg(target_os = "linux")]
fn a_command_that_never_answers_is_called_no_worker_with_what_it_said() {
    let message = Talk::limited("echo not a worker; sleep 600", |talk, limit| {
        talk.worker.send(launch(1));
        let (id, kind, message) = talk.failure();
        assert_eq!((id, kind), (1, ExecErrorKind::Worker));
        assert!(message.contains(&format!("did not answer for {:.1} s", limit.as_secs_f64())), "{message}");
        message.ends_with("not a worker").then_some(message)
    });
    assert!(message.contains('\n'), "{message}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_cancellation_that_is_not_heeded_kills_the_worker() {
    let (talk, process) = started();
    talk.cancel();
    wait_until_dead(process);
}

#[test]
fn a_command_that_is_not_there_or_ends_at_once_fails_every_request_and_is_named() {
    for (config, part) in [
        (WorkerConfig::command(["/nonexistent/worker"]), "/nonexistent/worker"),
        (WorkerConfig::command(["false"]), "before it sent anything"),
        (WorkerConfig::command(Vec::<&str>::new()), "empty"),
    ] {
        let talk = Talk::with(config);
        for id in 1..=3 {
            talk.worker.send(launch(id));
        }
        for id in 1..=3 {
            let (of, kind, message) = talk.failure();
            assert_eq!((of, kind), (id, ExecErrorKind::Worker));
            assert!(message.contains(part), "{message}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_command_that_writes_no_replies_without_end_is_stopped_and_called_no_worker() {
    let described = r#"{"description":{"device":{"kind":"cuda","name":"a GPU","driver":null,"capability":null},"why_not_cuda":null,"nvrtc":{"Err":""},"cublas":{"Err":""}}}"#;
    for (script, part) in [
        ("yes nonsense".to_owned(), "something other than replies"),
        ("yes | tr -d '\\n'".to_owned(), "something other than replies"),
        (format!("read line; read line; yes '{described}'"), "requests that do not exist"),
        (r#"exec 1>&-; sleep 600"#.to_owned(), "it closed its standard output, so it was stopped"),
    ] {
        let talk = Talk::script(&script);
        talk.worker.send(launch(1));
        talk.worker.send(launch(2));
        for id in [1, 2] {
            let (of, kind, message) = talk.failure();
            assert_eq!((of, kind), (id, ExecErrorKind::Worker), "{script}");
            assert!(message.contains(part) && !message.contains("signal"), "{script}: {message}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_worker_that_writes_without_end_on_stderr_is_heard_all_the_same() {
    let talk = Talk::script(&format!("yes | tr -d '\\n' >&2 & exec {} worker", binary()));
    talk.describe();
    let results = talk.launch(request(1, "sgemm_tiled", Shape::square(16)));
    assert_eq!(results.state, LaunchState::Over { cancelled: false });
}

#[test]
#[cfg(unix)]
fn a_flood_of_progress_does_not_keep_a_cancellation_from_being_heard() {
    let talk = Talk::script(&starts_then(r#"yes '{"progress":{"id":1,"doing":"flooding","fraction":0.5}}'"#));
    talk.worker.send(launch(1));
    talk.until(|reply| matches!(reply, Reply::Progress { .. }).then_some(()));
    talk.cancel();
}

#[test]
#[cfg(unix)]
fn whoever_waits_for_a_silent_worker_is_told_before_it_is_stopped() {
    let config = WorkerConfig::command(["sh", "-c", "sleep 600"]);
    let talk = Talk::with(config.with_limit(2 * PATIENCE));
    let (seconds, limit) = talk.ask(|reply| match reply {
        Reply::Silent { id: 0, seconds, limit } => Some((*seconds, *limit)),
        Reply::Failed { .. } => panic!("stopped without a word"),
        _ => None,
    });
    assert!(seconds >= 1.5 && limit == 2.0 * PATIENCE.as_secs_f64(), "{seconds} of {limit}");
}

#[test]
fn what_a_kernel_prints_comes_as_a_reply_of_its_own() {
    let talk = Talk::real();
    let mut asked = request(1, "sgemm_tiled", Shape::square(32));
    asked.programs[0].ptx = Some(include_str!("prints.ptx").to_owned());
    let printed = |request| {
        let printed = talk.launch(request).printed.into_iter();
        printed.map(|part| (part.program, part.text, part.cut)).collect::<Vec<_>>()
    };
    // Two blocks in each of two rows; once, though the launch is both verified and counted.
    let blocks = "block 0\nblock 0\nblock 1\nblock 1\n".repeat(2);
    asked.counts = true;
    asked.hazards = true;
    assert_eq!(printed(asked.clone()), [(Some(0), blocks.clone(), 0)]);
    asked.verify = false;
    assert_eq!(printed(asked), [(Some(0), blocks, 0)]);
}

#[test]
#[cfg(unix)]
fn a_launchers_greeting_is_passed_over() {
    let talk = Talk::script(&format!("echo 'Welcome to gpu-box'; echo '{{}}'; exec {} worker", binary()));
    talk.describe();
}

#[test]
#[cfg(target_os = "linux")]
fn dropping_the_handle_ends_the_child() {
    let (talk, process) = started();
    drop(talk);
    wait_until_dead(process);
}

#[test]
#[cfg(target_os = "linux")]
fn a_dead_parent_takes_the_worker_with_it() {
    // The shell stands for the parent: it holds the worker's stdin open until it is killed.
    let parent = r#"mkfifo "$0/in"; $1 worker < "$0/in" > /dev/null & echo $!; exec 3> "$0/in"; exec sleep 600"#;
    let directory = tempfile::tempdir().unwrap();
    let mut shell = Command::new("sh")
        .arg("-c")
        .arg(parent)
        .arg(directory.path())
        .arg(binary())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(shell.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let worker: u32 = line.trim().parse().unwrap();
    // It runs only once both ends of the pipe are open.
    until("the worker starts", || {
        let line = std::fs::read_to_string(format!("/proc/{worker}/cmdline")).ok()?;
        line.starts_with(binary()).then_some(())
    });
    shell.kill().unwrap();
    shell.wait().unwrap();
    // A zombie still has its directory, but no command line.
    let is_alive = || std::fs::read(format!("/proc/{worker}/cmdline")).is_ok_and(|line| !line.is_empty());
    until("the worker ends with its parent", || (!is_alive()).then_some(()));
}

#[test]
fn a_kernel_of_ones_own_needs_ptx_and_a_grid_that_can_be_read() {
    let talk = Talk::real();
    let spec = tutor_exec::protocol::KernelSpec {
        entry: "mine".into(),
        block: [32, 1, 1],
        grid: vec!["ceil_div(Q, 32)".into()],
        ..Default::default()
    };
    let own = Program { kernel: "mine".into(), ptx: Some(".version 8.0".into()), spec: Some(spec) };
    let without = Program { ptx: None, ..own.clone() };
    for (id, program, part) in [(1, own, "uses `Q`"), (2, without, "no PTX")] {
        let mut launch = request(id, "", Shape::square(16));
        launch.programs = vec![program];
        let (kind, message) = error(&talk.launch(launch));
        assert_eq!(kind, ExecErrorKind::Invalid);
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_compilation_gives_ptx_or_the_compilers_words_or_says_that_there_is_no_compiler() {
    let talk = Talk::real();
    let compile = |id, source| compilation(id, "mine.cu", source);
    talk.worker.send(compile(1, "extern \"C\" __global__ void mine(float* C) { C[0] = nobody; }"));
    let (id, kind, message) = talk.failure();
    assert_eq!(id, 1);
    if kind == ExecErrorKind::NoDevice {
        assert!(message.contains("NVRTC"), "{message}");
        return;
    }
    assert_eq!(kind, ExecErrorKind::Compile);
    assert!(message.contains("mine.cu(1)") && message.contains("nobody"), "{message}");
    talk.worker.send(compile(2, "extern \"C\" __global__ void mine(float* C) { C[0] = 1; }"));
    let ptx = talk.until(|reply| match reply {
        Reply::Compiled { id: 2, compiled } => Some(compiled.ptx.clone()),
        _ => None,
    });
    assert!(ptx.contains(".entry mine(") && ptx.contains("\"mine.cu\""));
}
