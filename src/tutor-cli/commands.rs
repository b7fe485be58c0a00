/*! The definition of the command line: the commands, their groups in the help, and the former names of commands.

The help lists the commands by reader. [`GROUPS`] is the only list of names, and a test proves that it contains every
command once.
*/

use crate::support::list_what_is_used;
use crate::{
    Globals, banks, bench, class, course, doctor, emulate, exercise, export_progress, nvrtc, quiz, race, review, run,
    shell, status, worker,
};
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, Parser, Subcommand};
use std::fmt::Write as _;
use tutor_support::t;
use ui_kit::look::pad;

const AFTER_HELP: &str = "\
First steps without the tutor:
  matmul-tutor doctor                              check this machine
  matmul-tutor run --list                          list the kernels
  matmul-tutor run sgemm_tiled --size 512          verify one kernel and count its memory traffic
  matmul-tutor banks 'smem[lane][5]' --pitch 16    draw one access to shared memory
`matmul-tutor COMMAND --help` explains a command.";

/// Learn to make a GPU multiply matrices fast, by launching the real kernels.
///
/// Exit codes: 0 success; 1 failure, such as a wrong result; 2 wrong arguments or a bad file; 3 no such device or library; 130
/// interrupted.
#[derive(Debug, Parser)]
#[command(
    name = "matmul-tutor",
    version,
    about = "Learn to make a GPU multiply matrices fast, in a terminal, by launching the real kernels.",
    propagate_version = true,
    after_help = AFTER_HELP
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show your progress and the next step.
    ///
    /// Levels, gates, pages and predictions.
    Status(status::Args),
    /// Take the quiz of a level; an attempt at its gate counts.
    Quiz(quiz::Args),
    /// Answer the questions that are due for review today.
    ///
    /// A new question for each objective that you are about to forget. FSRS-6 sets the intervals, with one memory per
    /// objective. A day has at most eight questions. With `--json`, only reports how many questions are due.
    Review(review::Args),
    /// Repair, complete and write kernels, and have them judged.
    #[command(after_help = exercise::EXAMPLES)]
    Exercise(exercise::Args),
    /// Run a kernel: verify it, time it, count its traffic.
    ///
    /// Times it only on a GPU. Exits with 1 if the result is wrong or there is a hazard, even if the catalogue expects
    /// it.
    ///
    /// `--copy` copies the kernel into a folder, unless it is already there. Then it compiles the copy, runs both on the
    /// same data, and compares results, hazards, counts and, on a GPU, times. Change the copy and compare again.
    #[command(after_help = run::EXAMPLES)]
    Run(run::Args),
    /// Time kernels alternately with cuBLAS, or show recorded times.
    ///
    /// `--svg` draws the times. `--tune` verifies every variant of a kernel and times all of them alternately with
    /// cuBLAS, the best ones again for longer. The data directory keeps the best variant, and `run` and `bench` use it.
    /// Without a GPU, `--tune` shows the recorded comparison. If there is none, or with `--on emulator`, it counts the
    /// memory traffic of each variant.
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::Args),
    /// Check this machine, and report how to fix what is missing.
    ///
    /// Checks the GPU, driver, cuBLAS, NVRTC, recordings, terminal, course, languages and data directory.
    Doctor(doctor::Args),
    /// Install NVIDIA's compiler for your own kernels, or remove it.
    ///
    /// Only the tutor uses this NVRTC. `matmul-tutor doctor` reports which NVRTC the tutor uses, and why.
    Nvrtc(nvrtc::Args),
    /// Write your work in a course into a file, to hand it in.
    ExportProgress(export_progress::Args),
    /// Run any kernel of a PTX file on the emulator.
    #[command(after_help = emulate::EXAMPLES)]
    Emulate(emulate::Args),
    /// Look for data races in a CUDA or PTX kernel, without a GPU.
    ///
    /// Launches the kernel on the emulator in several sizes and orders, and reports each pair of unordered
    /// accesses. Without `--arg`, it guesses the arguments and prints them.
    #[command(after_help = race::EXAMPLES)]
    Race(race::Args),
    /// Draw how the banks of shared memory serve a warp's access.
    ///
    /// Without ACCESS, reads accesses as JSON lines from standard input and prints the cost of each as a JSON line.
    #[command(after_help = banks::EXAMPLES)]
    Banks(banks::Args),
    /// Write, check, build and publish a course.
    #[command(subcommand)]
    Course(course::Command),
    /// Judge a class's submissions and print its gradebook.
    #[command(subcommand)]
    Class(class::Command),
    /// Run kernels for another process, which sends JSON lines on stdin and reads them from stdout.
    #[command(hide = true)]
    Worker(worker::Args),
    /// Print a completion script for a shell.
    #[command(hide = true)]
    Completions(shell::Args),
    /// Print the manual page.
    #[command(hide = true)]
    Man,
}

/// The commands of each group of readers, in the order of the help.
const GROUPS: [&[&str]; 3] = [
    &["status", "quiz", "review", "exercise", "run", "bench", "doctor", "nvrtc", "export-progress"],
    &["emulate", "race", "banks"],
    &["course", "class"],
];

/// Former names of commands, each with the form that replaces it.
const FORMER: [[&str; 2]; 15] = [
    ["check", "course check"],
    ["grade", "class grade"],
    ["kernels build", "course build"],
    ["kernels", "run --list"],
    ["new", "course new"],
    ["pack", "course pack"],
    ["play", "run --copy"],
    ["plot", "bench --svg"],
    ["preview", "course preview"],
    ["regrade", "class results --regrade"],
    ["results", "class results"],
    ["schema", "course schema"],
    ["seal", "course seal"],
    ["tune", "bench --tune"],
    ["web", "course web"],
];

/// Returns a call's former name of a command and the form that replaces it, if that is the error in the call.
pub(crate) fn former(error: &clap::Error) -> Option<[&'static str; 2]> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let next = std::env::args_os().skip_while(|word| word != name.as_str()).nth(1);
    let words = format!("{name} {}", next.unwrap_or_default().to_string_lossy());
    let named = |words: &str| FORMER.into_iter().find(|[former, _]| *former == words);
    named(&words).or_else(|| named(name))
}

/// Returns the command line. The help of each command lists the options that it uses.
pub(crate) fn definition() -> clap::Command {
    list_what_is_used(Cli::command())
}

/// Gives the program's help the commands in their groups.
pub(crate) fn grouped(command: clap::Command) -> clap::Command {
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let width = GROUPS.iter().flat_map(|names| names.iter()).map(|name| name.len()).max().unwrap_or(0);
    let row = |name: &str, about: &str| format!("  {literal}{}{literal:#}  {about}\n", pad(name, width));
    let about = |name: &str| command.find_subcommand(name).and_then(clap::Command::get_about).map(ToString::to_string);
    let mut list = String::new();
    for (heading, names) in [t!("cli-students"), t!("cli-engineers"), t!("cli-teachers")].iter().zip(GROUPS) {
        let tutor = if list.is_empty() { row("", &t!("cli-no-command")) } else { String::new() };
        let rows = names.iter().map(|name| row(name, &about(name).unwrap_or_default()));
        let rows: String = std::iter::once(tutor).chain(rows).collect();
        let _ = writeln!(list, "{header}{heading}{header:#}\n{rows}");
    }
    let options = format!("{header}General options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{options}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group_or_hidden_and_the_help_names_at_most_14() {
        let definition = definition();
        let mut shown: Vec<&str> = definition
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(clap::Command::get_name)
            .collect();
        let mut grouped: Vec<&str> = GROUPS.concat();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(shown, grouped);
        assert!(grouped.len() <= 14, "{grouped:?}");
    }

    #[test]
    fn every_former_name_is_free_and_its_replacement_exists() {
        let definition = definition();
        for [former, now] in FORMER {
            let name = former.split(' ').next().unwrap();
            assert!(definition.find_subcommand(name).is_none(), "{former} is still a command");
            let mut command = &definition;
            for word in now.split(' ') {
                match word.strip_prefix("--") {
                    Some(option) => assert!(
                        command.get_arguments().any(|argument| argument.get_long() == Some(option)),
                        "{now} does not exist"
                    ),
                    None => command = command.find_subcommand(word).unwrap_or_else(|| panic!("{now} does not exist")),
                }
            }
        }
    }
}
