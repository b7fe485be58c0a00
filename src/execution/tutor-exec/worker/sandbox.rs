/*! Restricts the worker before it reads its first request.

Untrusted PTX reaches the interpreter, the compiler or the driver only in this process. If it breaks out of one of them,
the system still protects the user: Landlock blocks files, and seccomp blocks connections and other programs. Both apply
to every thread and cannot be undone. They exist only on Linux.

A compiler reads any file that a source includes, and quotes it in its messages. So the thread that compiles gives up
more: once the compiler's libraries are loaded, it can read only CUDA's headers. The process also removes the environment
variables that no library here reads.
*/

use crate::protocol::Sandbox;

/// The environment variable that switches the sandbox off if it is `off`. Tools such as compute-sanitizer need this,
/// because they attach to the process.
pub const SANDBOX_VARIABLE: &str = "MATMUL_TUTOR_SANDBOX";

/// Enters the sandbox. The process must still have only one thread.
pub(super) fn enter() -> Sandbox {
    if is_off() {
        return Sandbox::Off;
    }
    system::forget_secrets();
    system::enter()
}

/// Blocks all files except CUDA's headers for the compiler, which this thread is about to call. Its libraries are
/// already loaded.
#[cfg(feature = "cuda")]
pub(crate) fn enter_compiler(headers: &[std::path::PathBuf]) {
    if !is_off() {
        system::enter_compiler(headers);
    }
}

fn is_off() -> bool {
    std::env::var_os(SANDBOX_VARIABLE).is_some_and(|value| value == "off")
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::Sandbox;

    pub(super) fn enter() -> Sandbox {
        Sandbox::NotHere
    }

    pub(super) fn forget_secrets() {}

    #[cfg(feature = "cuda")]
    pub(super) fn enter_compiler(_: &[std::path::PathBuf]) {}
}

#[cfg(target_os = "linux")]
mod system {
    use super::Sandbox;
    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
        RulesetCreatedAttr as _, RulesetStatus, Scope, path_beneath_rules,
    };
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    };
    use std::collections::BTreeMap;
    use std::ffi::{CStr, OsStr, c_char};
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::{Path, PathBuf};

    /// The newest Landlock interface that this code uses. An older kernel enforces what it supports.
    const INTERFACE: ABI = ABI::V6;

    /// Libraries, and the files that they read about the system.
    const LIBRARIES: [&str; 16] = [
        "/usr",
        "/lib",
        "/lib32",
        "/lib64",
        "/opt",
        "/nix/store",
        "/gnu/store",
        "/etc/ld.so.cache",
        "/etc/ld.so.conf",
        "/etc/ld.so.conf.d",
        "/proc/cpuinfo",
        "/proc/meminfo",
        "/sys/devices",
        "/dev/null",
        "/dev/zero",
        "/dev/urandom",
    ];

    /// The devices that every NVIDIA driver needs. If they exist, the driver does not start a program to create them.
    const GPU: [&str; 2] = ["/dev/nvidiactl", "/dev/nvidia-uvm"];
    /// Devices of the Windows driver (WSL) and of NVIDIA's boards.
    const OTHER_GPU: [&str; 2] = ["/dev/dxg", "/dev/nvhost-gpu"];

    pub(super) fn enter() -> Sandbox {
        let there = |path: &str| Path::new(path).exists();
        let [control, memory] = GPU.map(there);
        // Another kind of driver, or one that still has to create its devices with a separate program.
        if control != memory || OTHER_GPU.into_iter().any(there) {
            return Sandbox::Gpu { files: false, calls: false };
        }
        let gpu = control;
        let files = files(gpu).unwrap_or(false);
        let calls = calls(gpu).is_some();
        if gpu { Sandbox::Gpu { files, calls } } else { Sandbox::Emulator { files, calls } }
    }

    /// Prefixes of the variables that the worker, its libraries or the driver read.
    const NEEDED: [&str; 21] = [
        "CONDA_PREFIX",
        "CUBLAS",
        "CUDA",
        "GLIBC_TUNABLES",
        "HOME=",
        "LANG",
        "LC_",
        "LD_",
        "MALLOC_",
        "MATMUL_TUTOR_",
        "NVIDIA_",
        "NVRTC",
        "NV_",
        "PATH=",
        "PTX_EMULATOR_",
        "RAYON_",
        "RUST_",
        "TMPDIR=",
        "VIRTUAL_ENV=",
        "XDG_",
        "__",
    ];

    /// Removes all other variables from the environment and clears them in memory, so that a kernel cannot read secrets
    /// such as a grading token.
    pub(super) fn forget_secrets() {
        unsafe extern "C" {
            static environ: *const *mut c_char;
        }
        // SAFETY: The process still has one thread, so no other thread reads or changes the environment. Its strings
        // are NUL-terminated, writable, and keep their addresses when a variable is removed.
        unsafe {
            let mut strings = Vec::new();
            let mut entry = environ;
            while !entry.is_null() && !(*entry).is_null() {
                strings.push(*entry);
                entry = entry.add(1);
            }
            for string in strings {
                let text = CStr::from_ptr(string).to_bytes();
                if NEEDED.iter().any(|name| text.starts_with(name.as_bytes())) {
                    continue;
                }
                let (length, name) = (text.len(), text.split(|byte| *byte == b'=').next().unwrap_or_default());
                if !name.is_empty() {
                    std::env::remove_var(OsStr::from_bytes(name));
                }
                string.write_bytes(0, length);
            }
        }
    }

    #[cfg(feature = "cuda")]
    pub(super) fn enter_compiler(headers: &[PathBuf]) {
        // If the system has no Landlock, `doctor` reports it.
        let _ = restrict(headers, &[], Scope::Signal.into());
    }

    /// Sets the Landlock rules, and returns whether the system enforces them. Nothing is written, and only libraries
    /// are read. With a GPU, only the driver's files are written.
    fn files(gpu: bool) -> Option<bool> {
        let (readable, writable) = if gpu { (vec![PathBuf::from("/")], drivers()) } else { (libraries(), Vec::new()) };
        // Parts of the driver communicate through abstract sockets.
        let scope = if gpu { Scope::Signal.into() } else { Scope::Signal | Scope::AbstractUnixSocket };
        restrict(&readable, &writable, scope)
    }

    /// Blocks all files except these for this thread and the threads that it starts. Returns whether the system
    /// enforces it.
    fn restrict(readable: &[PathBuf], writable: &[PathBuf], scope: BitFlags<Scope>) -> Option<bool> {
        let (read, all) = (AccessFs::from_read(INTERFACE), AccessFs::from_all(INTERFACE));
        let rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)
            .and_then(|rules| rules.handle_access(AccessNet::from_all(INTERFACE)))
            .and_then(|rules| rules.scope(scope))
            .and_then(Ruleset::create)
            .and_then(|rules| rules.add_rules(path_beneath_rules(readable, read)))
            .and_then(|rules| rules.add_rules(path_beneath_rules(writable, all)))
            .and_then(landlock::RulesetCreated::restrict_self);
        Some(rules.ok()?.ruleset != RulesetStatus::NotEnforced)
    }

    fn libraries() -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = LIBRARIES.iter().map(PathBuf::from).collect();
        paths.extend(std::env::var_os("LD_LIBRARY_PATH").iter().flat_map(std::env::split_paths));
        #[cfg(feature = "cuda")]
        paths.extend(tutor_kernels::nvrtc::directories());
        // A relative or empty path would be the directory in which the tutor was started.
        paths.retain(|path| path.is_absolute() && path.exists());
        paths
    }

    /// Returns the directories that the driver writes: devices, shared memory, and its cache of compiled code.
    fn drivers() -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = ["/dev", "/proc", "/tmp", "/run"].iter().map(PathBuf::from).collect();
        let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".nv"));
        paths.extend(std::env::var_os("CUDA_CACHE_PATH").map(PathBuf::from).or(home).filter(|path| path.is_absolute()));
        paths.retain(|path| path.exists());
        paths
    }

    /// System calls that Landlock does not cover: connections, rights, times and attributes of files, other users, what
    /// other programs can share, their priority, and the machine's name and clock.
    const CHANGES: [i64; 34] = [
        libc::SYS_connect,
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        // fchmodat2, which has the same number on all architectures.
        452,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        libc::SYS_utimensat,
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_fsetxattr,
        libc::SYS_removexattr,
        libc::SYS_lremovexattr,
        libc::SYS_fremovexattr,
        libc::SYS_setuid,
        libc::SYS_setgid,
        libc::SYS_setreuid,
        libc::SYS_setregid,
        libc::SYS_setresuid,
        libc::SYS_setresgid,
        libc::SYS_setgroups,
        libc::SYS_shmget,
        libc::SYS_shmat,
        libc::SYS_msgget,
        libc::SYS_semget,
        libc::SYS_sethostname,
        libc::SYS_setpriority,
        libc::SYS_ioprio_set,
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_setattr,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setscheduler,
        libc::SYS_chroot,
        libc::SYS_settimeofday,
        libc::SYS_clock_settime,
    ];
    /// Older system calls with the same effect, which newer architectures do not have, and calls that create processes.
    #[cfg(target_arch = "x86_64")]
    const OLD_CHANGES: [i64; 8] = [
        libc::SYS_chmod,
        libc::SYS_chown,
        libc::SYS_lchown,
        libc::SYS_utime,
        libc::SYS_utimes,
        libc::SYS_futimesat,
        libc::SYS_fork,
        libc::SYS_vfork,
    ];

    /// Makes seccomp refuse connections and other programs. With a GPU, sockets within this machine are still allowed.
    fn calls(gpu: bool) -> Option<()> {
        let arch = std::env::consts::ARCH.try_into().ok()?;
        let is =
            |argument, operator, value| SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value).ok();
        let rule = |condition| SeccompRule::new(vec![condition]).ok();
        let mut refused: BTreeMap<i64, Vec<SeccompRule>> = [
            libc::SYS_execve,
            libc::SYS_execveat,
            libc::SYS_ptrace,
            libc::SYS_process_vm_readv,
            libc::SYS_process_vm_writev,
            libc::SYS_io_uring_setup,
            libc::SYS_bpf,
            libc::SYS_userfaultfd,
            libc::SYS_mount,
            libc::SYS_unshare,
            libc::SYS_setns,
            libc::SYS_keyctl,
            libc::SYS_add_key,
            libc::SYS_request_key,
            libc::SYS_open_by_handle_at,
        ]
        .map(|call| (call, Vec::new()))
        .into();
        let sockets = if gpu { vec![rule(is(0, SeccompCmpOp::Ne, libc::AF_UNIX as u64)?)?] } else { Vec::new() };
        refused.insert(libc::SYS_socket, sockets);
        // The limits of another process may be read, but not set.
        let set = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0).ok()?;
        let other = SeccompRule::new(vec![is(0, SeccompCmpOp::Ne, 0)?, set]).ok()?;
        refused.insert(libc::SYS_prlimit64, vec![other]);
        if !gpu {
            refused.extend(CHANGES.map(|call| (call, Vec::new())));
            #[cfg(target_arch = "x86_64")]
            refused.extend(OLD_CHANGES.map(|call| (call, Vec::new())));
            // Starting a thread is allowed; starting a process is not.
            let thread = libc::CLONE_THREAD as u64;
            refused.insert(libc::SYS_clone, vec![rule(is(0, SeccompCmpOp::MaskedEq(thread), 0)?)?]);
        }
        let with = |calls, errno: i32| -> Option<BpfProgram> {
            let no = SeccompAction::Errno(errno.unsigned_abs());
            SeccompFilter::new(calls, SeccompAction::Allow, no, arch).ok()?.try_into().ok()
        };
        seccompiler::apply_filter(&with(refused, libc::EPERM)?).ok()?;
        if !gpu {
            // The flags of `clone3` are in memory, where no filter can see them. Without it, the C library uses
            // `clone`.
            seccompiler::apply_filter(&with([(libc::SYS_clone3, Vec::new())].into(), libc::ENOSYS)?).ok()?;
        }
        Some(())
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::process::Command;

    /// Set in the process that runs the tries.
    const TRIES: &str = "MATMUL_TUTOR_SANDBOX_TRIES";

    /// Tries what a sandboxed thread can do. The sandbox cannot be undone, so the test below runs this in a separate
    /// process.
    #[test]
    fn tries() {
        if std::env::var_os(TRIES).is_none() {
            return;
        }
        let target = std::env::temp_dir().join("matmul-tutor-sandbox-test");
        let own = std::env::current_exe().unwrap();
        let times = std::fs::FileTimes::new().set_accessed(std::time::SystemTime::UNIX_EPOCH);
        let file = std::fs::File::open(&own).unwrap();
        let rights = file.metadata().unwrap().permissions();
        // The compiler's thread is restricted more than the others.
        #[cfg(feature = "cuda")]
        let compiler = std::thread::spawn(|| {
            enter_compiler(&[]);
            std::fs::read("/proc/self/environ").is_ok()
        });
        #[cfg(feature = "cuda")]
        let compiler = compiler.join().unwrap();
        assert!(std::fs::read("/proc/self/environ").is_ok());
        let Sandbox::Emulator { files, calls } = enter() else {
            println!("\ntried: gpu");
            return;
        };
        let could = [
            ("write a file", std::fs::write(&target, "x").is_ok(), files),
            ("read a file", std::fs::read("/etc/passwd").is_ok(), files),
            ("read the environment", std::fs::read("/proc/self/environ").is_ok(), files),
            ("change rights", std::fs::set_permissions(&own, rights.clone()).is_ok(), calls),
            ("change the rights of an open file", file.set_permissions(rights).is_ok(), calls),
            ("change times", file.set_times(times).is_ok(), calls),
            // SAFETY: No pointer is passed.
            ("make a message queue", unsafe { libc::msgget(libc::IPC_PRIVATE, 0o600) } >= 0, calls),
            (
                "connect",
                std::net::TcpStream::connect("127.0.0.1:9")
                    .is_err_and(|error| error.raw_os_error() == Some(libc::ECONNREFUSED)),
                calls || files,
            ),
            ("open a socket", std::net::UdpSocket::bind("127.0.0.1:0").is_ok(), calls),
            ("run a program", Command::new("true").status().is_ok(), calls),
        ];
        #[cfg(feature = "cuda")]
        assert_eq!(compiler, !files);
        for (what, could, walled) in could {
            assert_eq!(could, !walled, "{what}: files {files}, calls {calls}");
        }
        assert_eq!(std::thread::spawn(|| 6 * 7).join().unwrap(), 42);
        assert!(std::env::var_os("PATH").is_some() && std::env::var_os("COURSE_TOKEN").is_none());
        println!("\ntried: files {files}, calls {calls}");
    }

    #[test]
    fn the_worker_can_do_nothing_that_the_sandbox_says_it_cannot() {
        let program = std::env::current_exe().unwrap();
        let (_, module) = module_path!().split_once("::").unwrap();
        let child = format!("{module}::tries");
        let mut command = Command::new(program);
        command.args([&child, "--exact", "--nocapture", "--test-threads=1"]).env(TRIES, "1");
        command.env("COURSE_TOKEN", "secret").env_remove(SANDBOX_VARIABLE);
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains("tried: "), "{text}");
    }
}
