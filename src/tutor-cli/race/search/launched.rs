//! What a program launches, as events in order.

use super::*;

impl Search<'_> {
    /// True if the launches of a program answer this call: it names none of its kernels, or one that is launched.
    pub(super) fn is_for(&self, program: &Program) -> bool {
        let wanted = self.described.entry.as_deref();
        let launched =
            |step: &Step| matches!(step, Step::Launch(launch) if wanted.is_none_or(|name| named(launch, name)));
        program.steps.iter().any(launched)
    }

    /// Launches what a program launches, in order on the same buffers.
    pub(super) fn program(&mut self, program: &Program, module: &Module) -> Result<Option<Fault>, Fault> {
        let mut events = Vec::new();
        let mut alone = Vec::new();
        let given = self.described;
        for step in &program.steps {
            let launch = match step {
                Step::Launch(launch) => launch,
                Step::Set { buffer, offset, bytes, pattern } => {
                    let places = usize::try_from(*offset).ok().zip(usize::try_from(*bytes).ok());
                    if let (Some(buffer), Some((offset, bytes))) = (program.buffers.get(*buffer), places) {
                        events.push(Event::Set {
                            buffer: buffer.name.clone(),
                            offset,
                            bytes,
                            pattern: pattern.clone(),
                        });
                    }
                    continue;
                }
            };
            if given.entry.as_deref().is_some_and(|name| !named(launch, name)) {
                continue;
            }
            let line = launch.line;
            let shown_line = line_of(line, &launch.header);
            let lowered = self.compiled.instances.iter().find(|(name, _)| Some(name) == launch.expression.as_ref());
            let lowered = lowered.map(|(_, ptx)| ptx.as_str());
            let kernel = match module.named(lowered.unwrap_or_else(|| plain(&launch.kernel))) {
                Ok(kernel) => kernel,
                Err(fault) => {
                    let kernel = launch.kernel.as_str();
                    self.report.left_out.push(t!(
                        "race-launch-out",
                        line = shown_line,
                        kernel,
                        why = recognise("exec-says", &fault.message)
                    ));
                    continue;
                }
            };
            let texts: Vec<&str> = launch.args.iter().map(|argument| argument.text.as_str()).collect();
            let args: Vec<Option<String>> = match given.args.is_empty() {
                true => kernel
                    .params()
                    .iter()
                    .zip(&launch.args)
                    .map(|(param, argument)| program.argument(&argument.value, param))
                    .collect(),
                false => given.args.iter().cloned().map(Some).collect(),
            };
            let shared = launch.shared.int().and_then(|n| u64::try_from(n).ok());
            let case = Case {
                described: LaunchArgs {
                    grid: given.grid.or(launch.grid.extents()),
                    block: given.block.or(launch.block.extents()),
                    shared: given.shared.or(shared).or(Some(GUESSED_SHARED)),
                    cooperative: given.cooperative || launch.cooperative,
                    ..given.clone()
                },
                name: launch.kernel.clone(),
                kernel,
                args,
                line: Some(line),
                header: launch.header.clone(),
                integers: (0..launch.args.len()).filter(|at| program.is_integer(plain(&launch.kernel), *at)).collect(),
                dependent: Some(launch.dependent),
            };
            self.ask(&case, launch, &texts);
            match (case.described.grid, case.described.block) {
                (Some(grid), Some(block)) => {
                    let (kernel, shared) = (launch.kernel.as_str(), case.described.shared.unwrap_or(0));
                    self.report.host.push(t!(
                        "race-read",
                        line = shown_line,
                        kernel,
                        grid = index(grid),
                        block = index(block),
                        shared
                    ));
                    events.push(Event::Launch(Box::new(case)));
                }
                _ => alone.push(case),
            }
        }
        if let Some(line) = program.ended {
            self.report.host.push(t!("race-ended", line));
        }
        if let (false, None) = (program.unreached.is_empty(), &given.entry) {
            let of = |(kernel, line): &(String, usize)| t!("race-host-line", name = kernel.as_str(), first = *line);
            let launches = program.unreached.iter().map(of).collect::<Vec<_>>().join(", ");
            self.report.left_out.push(t!("race-unreached", launches));
        }
        if let (Some(kernel), None) = (program.unused.first(), &given.entry) {
            let kernels: Vec<String> = program.unused.iter().map(|name| format!("`{name}`")).collect();
            self.report.left_out.push(t!("race-not-launched", kernels = kernels.join(", "), kernel = kernel.as_str()));
        }
        let mut refused = None;
        if events.iter().any(|event| matches!(event, Event::Launch(_))) {
            refused = self.sequence(&events, Some(program))?;
        }
        for case in alone {
            refused = self.sizes(&case, Some(program))?.or(refused);
        }
        Ok(refused)
    }

    /// Names what the program does not tell about a launch, and the option that does.
    fn ask(&mut self, case: &Case, launch: &Launch, texts: &[&str]) {
        let (line, kernel) = (line_of(launch.line, &launch.header), launch.kernel.as_str());
        let known = [
            ("--grid", case.described.grid.is_some()),
            ("--block", case.described.block.is_some()),
            ("--shared", self.described.shared.is_some() || launch.shared.int().is_some()),
        ];
        let mut unknown: Vec<String> =
            known.iter().filter(|(_, known)| !known).map(|(option, _)| format!("`{option}`")).collect();
        let args =
            case.kernel.params().iter().enumerate().filter(|(at, _)| case.args.get(*at).is_none_or(Option::is_none));
        unknown.extend(args.map(|(at, _)| format!("`--arg` {at} ({})", texts.get(at).copied().unwrap_or("?"))));
        // The instances of a template lack the same.
        let key = format!("`{}", plain(kernel));
        if !unknown.is_empty() && !self.report.left_out.iter().any(|text| text.contains(&key)) {
            self.report.left_out.push(t!("race-ask", line, kernel, unknown = unknown.join(", ")));
        }
    }
}

/// True if a launch is of the kernel that a name means, with or without its template arguments.
fn named(launch: &Launch, name: &str) -> bool {
    launch.kernel == name || plain(&launch.kernel) == name
}

fn plain(kernel: &str) -> &str {
    kernel.split('<').next().unwrap_or(kernel)
}
