# Messages of grading and of the progress file to students.

mastery-unknown-id = `{ $id }` is not one of the choices: { $known }.
mastery-given-twice = `{ $id }` is given twice.
mastery-too-long = An answer has at most { $most } characters.
mastery-takes-single = This question takes the id of one choice.
mastery-takes-multiple = This question takes a list of ids of choices.
mastery-takes-fault = This question takes the number of a line and the id of a consequence.
mastery-fault-line = Choose a line, 1 to { $last }.
mastery-fault-consequence = Choose the consequence by its letter.
mastery-counts-nothing = `{ $kernel }` makes no { $op } request there.
mastery-count-own = `{ $kernel }` is not a built-in kernel. Write its count next to it, as `is`.
mastery-count-size = Size { $size } is not between 1 and { $most }.
mastery-takes-number = This question takes a number.
mastery-takes-text = This question takes a short text.
mastery-takes-cloze = This question takes a list with one text per blank.
mastery-takes-order = This question takes a list of the ids of all items, in order.
mastery-takes-match = This question takes a map from each left-hand id to a right-hand id.
mastery-choose-one = Choose at least one.
mastery-type-an-answer = Type an answer.
mastery-type-a-term = This is a sentence. Type only the term that the question asks for.
mastery-blanks-not = There { $blanks ->
    [one] is 1 blank
   *[other] are { $blanks } blanks
} to fill, not { $given }.
mastery-blank-empty = Blank { $number } is empty.
mastery-blank-why = Blank { $number }: { $why }
mastery-order-lacks = The order lacks `{ $id }`.
mastery-misplaced = The first item out of place is “{ $event }”. { $why }
mastery-match-open = { $open ->
    [one] One pair is still open.
   *[other] { $open } pairs are still open.
}
mastery-mismatched = “{ $left }” has the wrong partner. { $why }
mastery-does-not-hold = “{ $choice }” is not true.
mastery-more-holds = Everything you chose is true, but other choices are true as well.
mastery-not-answered = Not answered.
mastery-another-kind = The answer does not have the form that this question takes.
mastery-no-variant = The quiz has no variant `{ $variant }` in slot `{ $slot }`.

mastery-number-long = A number has at most { $most } characters.
mastery-type-a-number = Type a number.
mastery-number-infinite = `{ $typed }` is not a finite number.
mastery-divides-by-zero = This divides by zero.
mastery-no-number = `{ $typed }` is not a number.
mastery-several-numbers = `{ $typed }` is more than one number. Type one, without spaces.
mastery-number-comma = `{ $typed }` could mean { $whole }{ $part } or { $whole }.{ $part }. Type it without a comma, and use a point before decimals.
mastery-unit-unknown = The unit in `{ $typed }` is not known here. Type only the number.
mastery-unit-other = The unit in `{ $typed }` is not known here. The question asks for { $asked }. Type only the number.
mastery-unit-kilo = `{ $typed }` could mean a power of 1000 or 1024. Type `{ $binary }` for 1024, or only the number in { $asked }.

mastery-quiz-broken-help = Report this to the author of the course. `matmul-tutor course check` finds such faults.
mastery-quiz-unreadable = A question of this attempt can no longer be read from the progress file.
mastery-begin-anew = Begin a new attempt.
mastery-quiz-edited = The quiz has been edited since this question was drawn: { $what }.
mastery-quiz-edited-help = This attempt can no longer be graded fairly. Begin a new one.
mastery-attempt-over = This attempt is over: it was submitted or left in another terminal.
mastery-attempt-over-help = Open the quiz again to see its current state.
mastery-no-attempt-left = You have used { $attempts ->
    [one] the one attempt
   *[other] all { $attempts } attempts
} that this quiz allows.
mastery-wait = The next attempt at this quiz may begin at { $until }.
mastery-practise = You can still practise: P in the tutor, `matmul-tutor quiz LEVEL --practice` on the command line.
mastery-locked = Level { $level } is locked: pass the quiz of level { $by } first.
mastery-locked-help = You may take its quiz without reading the pages: `matmul-tutor quiz { $by }`.

mastery-no-home = There is no home directory in which to store progress.
mastery-no-home-help = Choose a directory with `--data DIR`.
mastery-unwritable = Progress cannot be written to { $path }: { $why }.
mastery-unwritable-help = Free some space, give write permission, or choose another directory with `--data DIR`.
mastery-newer = A newer matmul-tutor wrote { $path } (its format is { $found }; this one knows { $known }).
mastery-newer-help = Update matmul-tutor, or choose another directory with `--data DIR`. The file was not changed.
mastery-foreign = { $path } is the database of another program.
mastery-foreign-help = Choose another directory with `--data DIR`. The file was not changed.
mastery-gone = { $path } was removed or truncated while the tutor was using it.
mastery-damaged = { $path } turned out to be damaged while the tutor was using it.
mastery-damaged-help = Leave the tutor and start it again. It then keeps the damaged file under another name and begins a new one.
mastery-gone-help = Find out what changed the data directory. Only matmul-tutor should write there.
mastery-busy = In use by { $holder } for too long: { $path }.
mastery-busy-help = Try again. If the message comes back, end that process.
mastery-sqlite = { $path } cannot be used: { $why }.
mastery-sqlite-help = Try again. If the message comes back, choose another directory with `--data DIR`.

mastery-new-file = The tutor has written everything that was saved to a new file, { $path }.
mastery-unavailable = Until then, nothing is saved, and no quiz can begin.
mastery-set-aside = { $path } was damaged. The tutor kept it as { $aside }.
mastery-set-aside-backup = It continues with a copy of the backup { $backup }.
mastery-set-aside-empty = It began an empty file.
mastery-set-aside-help = Nothing was deleted. To add what can still be read in the damaged file, run `matmul-tutor doctor --recover { $aside }`.
mastery-carried = Read from the file: { $rows }.
mastery-carried-some = Read from the file: { $rows }. Not readable: { $lost }.
mastery-carried-lost = Nothing in it could be read. Lost: { $lost }.
mastery-carried-nothing = Nothing in it could be read.
mastery-rows-attempts = { $n ->
    [one] 1 attempt
   *[other] { $n } attempts
}
mastery-rows-answers = { $n ->
    [one] 1 answer
   *[other] { $n } answers
}
mastery-rows-submissions = { $n ->
    [one] 1 result
   *[other] { $n } results
}
mastery-rows-visits = { $n ->
    [one] 1 visit to a page
   *[other] { $n } visits to pages
}
mastery-rows-predictions = { $n ->
    [one] 1 prediction
   *[other] { $n } predictions
}
mastery-rows-explanations = { $n ->
    [one] 1 explanation
   *[other] { $n } explanations
}
mastery-rows-runs = { $n ->
    [one] 1 run
   *[other] { $n } runs
}
mastery-rows-flags = { $n ->
    [one] 1 mark
   *[other] { $n } marks
}
mastery-lock-held = { $holder } holds a lock on { $path }.
mastery-lock-held-help = Progress is stored all the same. Only repairing or upgrading the file would have to wait.
mastery-shared = Another matmul-tutor is writing to the same progress file.
mastery-shared-by = Another tutor is open: { $holder }.
mastery-shared-help = You can use both. If both answer a question, the later answer counts.
mastery-holder = { $name } (process { $process })
mastery-somebody = another process
mastery-why-read-only = it is read-only
mastery-why-full = the disk is full
mastery-why-closed = it cannot be opened
mastery-why-io = the disk reports an error, or your quota is used up ({ $why })
mastery-why-no-locks = this file system does not support file locks
mastery-why-damaged = it is damaged
mastery-quiz-empty = The quiz of level `{ $level }` has no questions.
mastery-slot-empty = Slot `{ $slot }` of the quiz has no usable variant.
mastery-formula = The formula `{ $formula }` cannot be computed: { $why }
mastery-question-gone = the quiz no longer asks it
mastery-choices-changed = its choices have changed
mastery-key-changed = its correct answer has changed
mastery-why-no-backup = the backup before the upgrade cannot be made ({ $why })
mastery-why-silent = the disk does not respond

mastery-exam-practice = This is an exam. Its quizzes contain no answer keys, so you cannot practise with them.
mastery-exam-nobody = This is an exam. Its questions are drawn for each student separately.
mastery-exam-nobody-help = State who you are: `--student NAME`, or set MATMUL_TUTOR_STUDENT.
