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
results-others = { $count ->
    [one] This file has work in another course than `{ $course }`, which is left out
   *[other] These { $count } files have work in other courses than `{ $course }`, which is left out
}: { $files }.
results-remarked = { $students ->
    [one] There are remarks about one student. Read
   *[other] There are remarks about { $students } students. Read
} the column of remarks.
results-twice = There is more than one file of this student. Each has a row.
results-excel = `--excel` marks a CSV table. Add `--format csv`.
results-like = The name differs only in case from: { $students }.
results-alphabets = The name mixes letters of alphabets that look alike, such as Latin and Cyrillic.
results-shared = { $attempts ->
    [one] One attempt is also in the file of another student
   *[other] { $attempts } attempts are also in files of other students
}, who used the same data directory or copied the file: { $students }.
results-times = These times cannot be right: `{ $times }`.
results-marks = { $attempts ->
    [one] The marks of one attempt at { $level } are not those of its answers
   *[other] The marks of { $attempts } attempts at { $level } are not those of their answers
}.
results-marks-at = The marks differ at `{ $slots }`.
results-missing = The file has no answers to `{ $slots }`.
results-unknown = The quiz does not ask `{ $slots }`, or the file has it twice.
results-undrawn = { $attempts ->
    [one] One attempt at { $level } has questions that its seed does not draw
   *[other] { $attempts } attempts at { $level } have questions that their seeds do not draw
}: `{ $slots }`. The quiz has changed since, or someone has edited the file. The answers count.
results-answers-count = The answers count. If you have corrected a key since, `--regrade` also counts what was correct before.
results-marks-count = With `--regrade`, the marks count.
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
results-heads = question | n | correct | 95 % | item–rest | discrimination | median | look at
results-choices = What each choice attracted
results-choice = `{ $id }`: { $taken }, { $upper } % of the best third, { $lower } % of the weakest
results-choice-few = `{ $id }`: { $taken }
results-key = (correct)
results-idle = (hardly anyone chooses it)
results-misconceptions = Most frequent replies to wrong answers
results-typed = What students typed
results-too-hard = hardly anyone is correct: check the key
results-same-wrong = the same incorrect answer from half of the students: check the key
results-poor = poor discrimination
results-too-easy = too easy
results-negative = negative item–rest correlation
results-beaten = a distractor beats the key
