# `export-progress` and `results`.

results-there = { $file } is there already.
results-there-help = Choose another name, or remove it.
results-unwritten = { $file } cannot be written: { $why }
results-written = { $attempts ->
    [one] { $file } has { $attempts } attempt.
   *[other] { $file } has { $attempts } attempts.
}
results-nobody = It says nothing of whose it is: `--student NAME`, or { $variable } in the environment, does.
results-no-file = There is no { $file }.
results-unread = { $file } was left out: { $why }
results-no-database = it is no progress file.
results-newer = it was written by a newer program, in version { $version } of the format.
results-others = { $others ->
    [one] { $others } file is of another course than `{ $course }`.
   *[other] { $others } files are of other courses than `{ $course }`.
}
results-twice = { $student } has more than one file; each has a row.
results-none = Nothing that was given is work in the course `{ $course }`.
results-none-help = `--course DIR` names another course; students write their file with `matmul-tutor export-progress FILE`.
results-title = { $students ->
    [one] { $course }: { $students } student
   *[other] { $course }: { $students } students
}
results-student = student
results-level = level { $level }
results-exercises = exercises
results-pages = pages
results-legend = Best result of how many questions, bold if the gate was passed, and the number of attempts; exercises passed of those begun.
results-questions = Questions, by first attempts
results-heads = question | n | right | 95 % | item–rest | median | look at
results-choices = What each choice attracted
results-choice = `{ $id }`: { $taken }, { $upper } % of the best third, { $lower } % of the weakest
results-key = (right)
results-idle = (hardly anybody takes it)
results-misconceptions = Most frequent replies to wrong answers
results-too-easy = too easy
results-negative = negative discrimination
results-beaten = a distractor beats the key
