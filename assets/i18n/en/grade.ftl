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
grade-missing-but = The student submitted no file `….{ $extension }`, only { $files }{ $more ->
    [0] .
   *[other] { " " }and { $more } more.
}
grade-nothing = The student handed in nothing: there is no `{ $name }`.
grade-too-many = There are { $files } files `….{ $extension }`: { $names }. Submit only one of them.
grade-crash = The process that judges this submission ends each time, but it can judge the solution. { $why }
grade-not-even = It exceeded a limit, but not even the solution can be judged here within the limits.
grade-several = The student handed in { $files } files.
grade-several-counts = The student handed in { $files } files. `{ $file }` counts, because no other has more points.
grade-several-of = These students handed in several files, and the one with the most points counts: { $students }.
grade-without = No submission has these names, so these students of the table handed in nothing: { $students }.
grade-without-one = { $name } (`{ $key }`, line { $line })
grade-older = Only the latest attempt counts. These students also have earlier ones: { $students }.
grade-clock = It reads a clock, which differs in each launch on a GPU.
grade-no-id = The table leaves out students whom no archive of a platform numbers: { $students }.
grade-late = The platform marks it as late.
grade-archive = { $file } is an archive.
grade-archive-help = Unpack it, and name the directory.
grade-names-line = { $file }, line { $line }: a line has a file or directory, a comma, and a name.
grade-names-columns = { $file } has more than two columns, and its first line does not say which of them name the submission and the student. Known names of columns are: { $known }.
grade-names-head = If the first line of the table has the names of its columns, use known ones: { $known }.
grade-names-twice = { $file }, lines { $first } and { $second }: `{ $key }` belongs to two students, { $one } and { $other }. Delete a line, or write both names in one line.
grade-names-again = { $file }, lines { $first } and { $second } both name the student of `{ $key }`.
grade-names-encoding = { $file } is read as { $encoding }, because it is not UTF-8. If the names look wrong, save it as UTF-8.
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
