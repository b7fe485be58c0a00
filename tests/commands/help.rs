//! `--help` of every command, the manual page and the completions, so that none changes unseen.

use super::shared::untranslated;
use super::tutor;
use ratatui::text::Line;

/// Every command, as it is called: those that the program lists, theirs, and the program itself.
fn commands() -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let help = said(&["--help"]);
    let (list, _) = help.split_once("\nGeneral options:").unwrap();
    for name in names(list) {
        let help = said(&[&name, "--help"]);
        let list = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap());
        commands.extend(names(list).map(|inner| vec![name.clone(), inner]));
        commands.push(vec![name]);
    }
    commands
}

/// The names of the commands in a list of commands, without `help`.
fn names(list: &str) -> impl Iterator<Item = String> {
    let rows = list.lines().filter_map(|line| line.strip_prefix("  ")).filter(|row| !row.starts_with(' '));
    rows.filter_map(|row| row.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned)
}

fn said(arguments: &[&str]) -> String {
    let called = tutor(arguments);
    assert_eq!(called.code, Some(0), "{arguments:?}: {}", called.err);
    assert_eq!(called.err, "");
    called.out.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

/// A help text with the general options by their names alone: the program's own help explains them.
fn folded(help: &str) -> String {
    let trimmed: Vec<&str> = help.lines().map(str::trim_end).collect();
    let Some(at) = trimmed.iter().position(|line| *line == "General options:") else { return trimmed.join("\n") };
    let (before, general) = (&trimmed[..at], &trimmed[at + 1..]);
    let end = general.iter().position(|line| !line.is_empty() && !line.starts_with("  ")).unwrap_or(general.len());
    let names = general[..end].iter().filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|word| word.starts_with("--")).collect();
    format!("{}\nGeneral options: {}\n\n{}", before.join("\n"), names.join(" "), general[end..].join("\n"))
}

#[test]
fn every_command_says_how_it_is_used() {
    for command in commands() {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let name = if command.is_empty() { "tutor".to_owned() } else { command.join("-") };
        let help = said(&[command.as_slice(), &["--help"]].concat());
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{name} fits its width:\n{help}");
        let shown = if command.is_empty() { help } else { folded(&help) };
        insta::assert_snapshot!(format!("help-{name}"), shown);
    }
}

#[test]
fn the_list_of_commands_fits_80_columns() {
    for lang in ["en", "ko"] {
        let help = said(&["--help", "--lang", lang]);
        let (from, to) =
            if lang == "en" { ("For students:", "General options:") } else { ("학생용:", "공통 옵션:") };
        let (list, _) = help.split_once(from).unwrap().1.split_once(to).unwrap();
        assert!(list.lines().all(|line| Line::from(line).width() <= 80), "{list}");
        assert_eq!(names(list).count(), 14, "{list}");
    }
}

#[test]
fn a_former_name_of_a_command_is_answered_with_the_form_that_replaces_it() {
    for (former, now) in [
        (&["check"][..], "course check"),
        (&["--lang", "en", "kernels", "build", "--check"], "course build"),
        (&["kernels"], "run --list"),
        (&["results", "handed-in", "--format", "csv"], "class results"),
    ] {
        let called = tutor(former);
        let told = format!("use `matmul-tutor {now}`.\n");
        assert_eq!((called.code, called.err.lines().count()), (Some(2), 1), "{}", called.err);
        assert!(called.err.ends_with(&told) && called.out.is_empty(), "{}", called.err);
        let document = tutor(&[former, &["--json"]].concat()).json();
        assert_eq!((&document["ok"], &document["error"]["kind"]), (&false.into(), &"usage".into()));
        assert!(document["error"]["message"].as_str().unwrap().contains(now), "{document}");
    }
}

#[test]
fn every_help_is_translated() {
    let mut lacking = Vec::new();
    for command in commands() {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let korean = said(&[command.as_slice(), &["--help", "--lang", "ko"]].concat());
        assert!(korean.contains("사용법:"), "{command:?}:\n{korean}");
        let lines: Vec<&str> = korean.lines().collect();
        let hangul = |lines: &[&str]| lines.iter().any(|line| line.contains(|c| matches!(c, '가'..='힣')));
        let stated = |line: &str| ["      --", "  [", "  <"].iter().any(|start| line.starts_with(start));
        let options = lines.iter().enumerate().filter(|(at, line)| *at == 0 || stated(line));
        let english = options.filter(|(at, _)| !hangul(&lines[*at..lines.len().min(at + 1 + usize::from(*at > 0))]));
        lacking.extend(english.map(|(_, line)| format!("{} --help: {line}", command.join(" "))));
    }
    untranslated(&lacking);
}

#[test]
fn the_manual_page_is_this() {
    insta::assert_snapshot!("man", said(&["man"]));
}

#[test]
fn the_completions_name_every_command_and_a_shell_that_is_installed_can_read_them() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let script = said(&["completions", shell]);
        for name in commands().iter().flatten() {
            assert!(script.contains(name), "{shell} does not complete {name}");
        }
        let file = dir.path().join(shell);
        std::fs::write(&file, script).unwrap();
        // `-n` reads the script and runs nothing.
        match std::process::Command::new(shell).arg("-n").arg(&file).output() {
            Ok(read) => assert!(read.status.success(), "{shell}: {}", String::from_utf8_lossy(&read.stderr)),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{shell}"),
        }
    }
}

#[test]
fn an_option_that_a_command_has_no_use_for_is_not_listed_and_is_taken() {
    for (command, idle) in
        [("schema", ["--theme", "--on ", "--data", "--ascii"]), ("new", ["--theme", "--on ", "--data", "--ascii"])]
    {
        let help = said(&["course", command, "--help"]);
        assert!(idle.iter().all(|option| !help.contains(option)), "{help}");
    }
    assert_eq!(
        said(&["course", "schema", "lesson", "--theme", "dark", "--on", "emulator"]),
        said(&["course", "schema", "lesson"])
    );
}
