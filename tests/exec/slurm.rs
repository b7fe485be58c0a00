//! A worker that is a job of Slurm's, with scripts in the place of Slurm's commands. `scripts/gpu/cluster-check` has a real one.

use super::shared::until;
use super::{Talk, binary};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Duration;
use tutor_exec::protocol::{Queued, Reply};
use tutor_exec::worker::WorkerConfig;

/// Waits for `go`, then runs what it is given; says when it is asked to end, and obeys unless `deaf` is there.
const SRUN: &str = r#"#!/bin/sh
d=$(dirname "$0"); exec 3<&0
echo "$SLURM_JOB_NAME" >> $d/jobs
trap 'echo TERM >> $d/signals; [ -e $d/deaf ] || { kill $child 2> /dev/null; exit 143; }' TERM
while [ "${1#-}" != "$1" ]; do shift; done
while [ ! -e $d/go ]; do sleep 0.05; done
"$@" <&3 & child=$!
wait $child"#;

struct Cluster(tempfile::TempDir);

impl Cluster {
    fn new() -> Self {
        let cluster = Self(tempfile::tempdir().unwrap());
        cluster.script("srun", SRUN);
        cluster.script("squeue", "#!/bin/sh\ncat $(dirname $0)/state");
        cluster.script("scancel", "#!/bin/sh\necho \"$@\" >> $(dirname $0)/cancelled");
        cluster.says("123|PENDING|Priority");
        cluster
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn script(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// What `squeue` says from now on.
    fn says(&self, state: &str) {
        fs::write(self.path("state.new"), state).unwrap();
        fs::rename(self.path("state.new"), self.path("state")).unwrap();
    }

    fn give_machine(&self) {
        self.says("123|RUNNING|None");
        fs::write(self.path("go"), "").unwrap();
    }

    fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn config(&self) -> WorkerConfig {
        WorkerConfig::command([self.path("srun").to_str().unwrap(), "--gres=gpu:1", binary(), "worker"])
    }
}

fn failure(reply: &Reply) -> Option<(String, Option<String>)> {
    match reply {
        Reply::Failed { error, .. } => Some((error.message.to_string(), error.help.as_ref().map(ToString::to_string))),
        _ => None,
    }
}

/// The reported state of the job. A slow `squeue` reports nothing.
fn waiting(reply: &Reply) -> Option<Queued> {
    match reply {
        Reply::Waiting { id: 0, queued } => Some(queued.clone()).filter(|queued| !queued.job.is_empty()),
        Reply::Failed { error, .. } => panic!("{error:?}"),
        _ => None,
    }
}

#[test]
fn waiting_in_the_queue_is_told_and_no_silence() {
    let cluster = Cluster::new();
    let talk = Talk::with(cluster.config().with_limit(Duration::from_millis(300)));
    let queued = talk.ask(waiting);
    assert_eq!(queued, Queued { job: "123".into(), state: "PENDING".into(), reason: "Priority".into() });
    assert_eq!(queued.describe().to_string(), "waiting for Slurm: job 123, PENDING, Priority");
    // Many times the limit of silence; and Slurm may not answer for a while.
    fs::remove_file(cluster.path("state")).unwrap();
    (0..2).for_each(|_| assert_eq!(talk.until(waiting).job, "123"));
    drop(talk);
}

#[test]
fn once_there_is_a_machine_the_request_is_answered() {
    let cluster = Cluster::new();
    let talk = Talk::with(cluster.config());
    talk.ask(waiting);
    cluster.give_machine();
    talk.until(|reply| matches!(reply, Reply::Description(_)).then_some(()));
    assert_eq!(cluster.lines("jobs"), [format!("matmul-tutor-{}-1", std::process::id())]);
    drop(talk);
    // It was let go in peace: by the end of its input, or by a signal.
    assert_eq!(cluster.lines("cancelled").len(), 0);
}

#[test]
fn who_waits_can_give_up_and_the_job_is_given_back() {
    let cluster = Cluster::new();
    let talk = Talk::with(cluster.config());
    talk.ask(waiting);
    talk.worker.cancel(0);
    talk.until(|reply| matches!(reply, Reply::Finished { id: 0, cancelled: true }).then_some(()));
    until("srun has its signal", || (cluster.lines("signals") == ["TERM"]).then_some(()));
    // The next request asks again.
    cluster.give_machine();
    talk.describe();
    assert_eq!(cluster.lines("jobs").len(), 2);
}

#[test]
fn what_srun_does_not_give_back_is_cancelled() {
    let cluster = Cluster::new();
    fs::write(cluster.path("deaf"), "").unwrap();
    let talk = Talk::with(cluster.config());
    talk.ask(waiting);
    drop(talk);
    let job = &cluster.lines("jobs")[0];
    assert_eq!(cluster.lines("cancelled"), [format!("--me --name={job}")]);
}

#[test]
fn a_machine_that_nobody_uses_is_given_back_and_asked_for_again() {
    let cluster = Cluster::new();
    cluster.give_machine();
    let talk = Talk::with(cluster.config().with_hold(Duration::from_millis(100)));
    for times in 1..3 {
        talk.describe();
        until("it is given back", || talk.worker.process_id().is_none().then_some(()));
        assert_eq!(cluster.lines("jobs").len(), times);
    }
}

#[test]
fn a_machine_is_kept_between_requests() {
    let cluster = Cluster::new();
    cluster.give_machine();
    let talk = Talk::with(cluster.config().with_hold(Duration::from_secs(600)));
    for _ in 0..3 {
        talk.describe();
    }
    assert_eq!(cluster.lines("jobs").len(), 1);
}

#[test]
fn a_job_that_is_lost_is_told_by_what_slurm_says_of_it() {
    for (state, why) in [
        ("TIMEOUT", "its time was over (TIMEOUT)"),
        ("NODE_FAIL", "its node failed (NODE_FAIL)"),
        ("CANCELLED", "it was cancelled (CANCELLED)"),
        ("PREEMPTED", "another job took its place (PREEMPTED)"),
    ] {
        let cluster = Cluster::new();
        cluster.says(&format!("123|{state}|None"));
        cluster.script("srun", "#!/bin/sh\nread line; echo 'srun: Force Terminated job 123' >&2; exit 1");
        let talk = Talk::with(cluster.config());
        let (message, help) = talk.ask(failure);
        assert_eq!(message, format!("The Slurm job 123 was lost: {why}."));
        assert_eq!(help.as_deref(), Some("The next run requests another Slurm job."));
        cluster.script("srun", SRUN);
        cluster.give_machine();
        talk.describe();
    }
}

#[test]
fn what_slurm_refuses_is_told_in_its_own_words() {
    let cluster = Cluster::new();
    cluster.says("");
    cluster.script("srun", "#!/bin/sh\necho 'srun: error: invalid partition specified: gpus' >&2; exit 1");
    let talk = Talk::with(cluster.config());
    let (message, _) = talk.ask(failure);
    assert!(message.contains("invalid partition specified: gpus"), "{message}");
}

#[test]
fn a_connection_that_is_lost_is_told_as_such() {
    let cluster = Cluster::new();
    cluster.script("ssh", "#!/bin/sh\nread line; echo 'client_loop: send disconnect: Broken pipe' >&2; exit 255");
    let talk = Talk::with(WorkerConfig::command([cluster.path("ssh").to_str().unwrap(), "gpu-box", "matmul-tutor"]));
    let (message, _) = talk.ask(failure);
    assert!(message.starts_with("The connection could not be made, or it was lost"), "{message}");
    assert!(message.contains("Broken pipe"), "{message}");
}
