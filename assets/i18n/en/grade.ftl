# `class grade`: the submissions of a class.

grade-no-file = { $file } does not exist.
grade-none = No submission has a file `….{ $extension }`.
grade-one = This format describes one submission, but there are { $files }.
grade-one-help = Call `class grade` once per file, as the platform does.
grade-progress = { $done } of { $of } submissions graded.
grade-row = { $student }  { $file }  { $points }  { $seconds } s  { $mib } MiB  { $state }
grade-sum = { $passed } of { $of } passed. The seed was { $seed }.
grade-seeded = { $text } (Seed { $seed })
grade-line = The line you named is not the one at fault.
grade-time = It exceeded the time limit and was stopped.
grade-memory = It exceeded the memory limit and was stopped.
grade-keep = { $file } cannot be written: { $why }
grade-kept = { $kept } of { $of } results come from { $file }.
grade-untouched = The submission contains only the starter code, or nothing.
grade-missing = The student submitted no file `….{ $extension }`.
grade-too-many = There are { $files } files `….{ $extension }`: { $names }. Submit only one of them.
grade-crash = The process that judges this submission ends each time, but it can judge the solution. { $why }
grade-not-even = It exceeded a limit, but not even the solution can be judged here within the limits.
grade-several = The student handed in { $files } files.
grade-several-of = These students handed in several files: { $students }.
grade-without = No submission has these names, so these students of the table handed in nothing: { $students }.
grade-names-line = { $file }, line { $line }: a line has a file or directory, a comma, and a name.
grade-part = A part is a number, `/` and the number of parts, for example `3/10`.
grade-weights = `{ $part }` is not a weight. A weight is `compiles`, `runs`, `results`, `hazards` or `counts`, then `=` and a number up to 1000.
grade-similar = Similar to: { $students }.
grade-similar-note = Some submissions have similar structure. This proves nothing: a short exercise has few correct solutions, and a copy that was rewritten is not found. Read both texts before you draw a conclusion.
grade-unwritten = A result cannot be kept, or a report cannot be written: { $why }. Judging continues.
grade-reports = The directory for the reports cannot be created: { $why }.
grade-met = met
grade-unmet = not met
grade-unjudged = not judged
grade-report-file = File
grade-report-verdict = Verdict
grade-report-points = Points
grade-report-goal = Goal
grade-report-again = To repeat this with the same inputs: matmul-tutor exercise check { $exercise } { $file } --seed { $seed }
