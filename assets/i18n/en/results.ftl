# `export-progress` and `class results`.

results-there = { $file } already exists.
results-there-help = Choose another name, or delete the file.
results-unwritten = { $file } cannot be written: { $why }
results-written = { $attempts ->
    [one] { $file } has { $attempts } attempt.
   *[other] { $file } has { $attempts } attempts.
}
results-nobody = `{ $file }` does not name the student. Pass `--student NAME`, or set { $variable }, and export again.
results-no-file = { $file } does not exist.
results-unread = { $file } was left out: { $why }
results-no-database = it is not a progress file.
results-newer = a newer program wrote it, in version { $version } of the format.
results-others = { $others ->
    [one] { $others } file is of another course than `{ $course }`.
   *[other] { $others } files are of other courses than `{ $course }`.
}
results-twice = There is more than one file of this student. Each has a row.
results-none = None of these files contains work in the course `{ $course }`.
results-none-help = `--course DIR` names another course; students write their file with `matmul-tutor export-progress FILE`.
results-title = { $students ->
    [one] { $course }: { $students } student
   *[other] { $course }: { $students } students
}
results-student = student
results-level = level { $level }
results-exercises = exercises
results-pages = pages
results-remarks = remarks
results-legend = Number of correct answers in the best attempt, bold if it passed, with the number of attempts in parentheses; exercises passed, out of those begun.
results-questions = Questions, by first attempts
results-heads = question | n | correct | 95 % | item–rest | median | look at
results-choices = What each choice attracted
results-choice = `{ $id }`: { $taken }, { $upper } % of the best third, { $lower } % of the weakest
results-choice-few = `{ $id }`: { $taken }
results-key = (correct)
results-idle = (hardly anyone chooses it)
results-misconceptions = Most frequent replies to wrong answers
results-too-easy = too easy
results-negative = negative discrimination
results-beaten = a distractor beats the key
