# What grading and the progress file say to students.

mastery-unknown-id = There is no `{ $id }` to choose from; there are { $known }.
mastery-given-twice = `{ $id }` is given twice.
mastery-too-long = An answer has at most { $most } characters.
mastery-takes-single = This question takes the id of one choice.
mastery-takes-multiple = This question takes a list of ids of choices.
mastery-takes-fault = This question takes the number of a line and the id of a consequence.
mastery-fault-line = Choose a line, 1 to { $last }.
mastery-fault-consequence = Choose what comes of it, by its letter.
mastery-counts-nothing = `{ $kernel }` makes no { $op } request there.
mastery-count-size = Size { $size } is not between 1 and { $most }.
mastery-takes-number = This question takes a number.
mastery-takes-text = This question takes a short text.
mastery-takes-cloze = This question takes a list with one text a blank.
mastery-takes-order = This question takes a list of the ids of all items, in order.
mastery-takes-match = This question takes a map from each left-hand id to a right-hand id.
mastery-choose-one = Choose at least one.
mastery-type-an-answer = Type an answer.
mastery-blanks-not = There are { $blanks } blanks to fill, not { $given }.
mastery-blank-empty = Blank { $number } is empty.
mastery-blank-why = Blank { $number }: { $why }
mastery-order-lacks = The order lacks `{ $id }`.
mastery-misplaced = The first item out of place is “{ $event }”. { $why }
mastery-match-open = { $open ->
    [one] One pair is still open.
   *[other] { $open } pairs are still open.
}
mastery-mismatched = “{ $left }” has the wrong partner. { $why }
mastery-does-not-hold = “{ $choice }” does not hold.
mastery-more-holds = What you chose holds, but there is more that holds.
mastery-not-answered = Not answered.
mastery-another-kind = The answer is of another kind than the question.
mastery-no-variant = The quiz has no variant `{ $variant }` in slot `{ $slot }`.

mastery-number-long = A number has at most { $most } characters.
mastery-type-a-number = Type a number.
mastery-number-infinite = `{ $typed }` is not a finite number.
mastery-divides-by-zero = This divides by zero.
mastery-no-number = `{ $typed }` is not a number.
mastery-several-numbers = `{ $typed }` is more than one number. Type one, without spaces.
mastery-number-comma = `{ $typed }` can be read as { $whole }{ $part } or as { $whole }.{ $part }. Type it without a comma, with a point before decimals.
mastery-unit-unknown = `{ $typed }` is not understood here. Type the number alone.
mastery-unit-other = `{ $typed }` is not understood. The answer is asked in { $asked }; type the number alone.
mastery-unit-kilo = `{ $typed }` can be 1000 or 1024 bytes. Type `kB` for 1000, `KiB` for 1024, or the number in { $asked }.

mastery-quiz-broken-help = Tell whoever wrote the course; `matmul-tutor check` finds such faults.
mastery-quiz-unreadable = A question of this attempt cannot be read from the progress file any more.
mastery-begin-anew = Begin a new attempt.
mastery-quiz-edited = The quiz was edited since this question was drawn: { $what }.
mastery-quiz-edited-help = This attempt cannot be graded fairly any more. Begin a new one.
mastery-attempt-over = This attempt is over: it was submitted or left in another terminal.
mastery-attempt-over-help = Open the quiz again to see where it stands.
mastery-no-attempt-left = The { $attempts ->
    [one] one attempt
   *[other] { $attempts } attempts
} that this gate allows { $attempts ->
    [one] was
   *[other] were
} made.
mastery-wait = The next attempt at this gate may begin at { $until }.
mastery-practise = Practice is open all the same: P in the tutor, `matmul-tutor quiz LEVEL --practice` here.
mastery-locked = Level `{ $level }` is locked: pass the gate of level `{ $by }` first.
mastery-locked-help = Its quiz can be taken without reading: `matmul-tutor quiz { $by }`.

mastery-no-home = There is no home directory to keep progress in.
mastery-no-home-help = Choose a directory with `--data DIR`.
mastery-unwritable = Progress cannot be written to { $path }: { $why }.
mastery-unwritable-help = Make room or give permission, or choose another directory with `--data DIR`.
mastery-newer = { $path } was written by a newer matmul-tutor (its format is { $found }; this one knows { $known }).
mastery-newer-help = Update matmul-tutor, or choose another directory with `--data DIR`. The file was not changed.
mastery-foreign = { $path } is another program's database.
mastery-foreign-help = Choose another directory with `--data DIR`. The file was not changed.
mastery-gone = { $path } was taken away or cut off while it was in use.
mastery-damaged = { $path } turned out to be damaged while it was in use.
mastery-gone-help = Find out what changed the data directory: nothing but matmul-tutor should.
mastery-lost = What you did since progress could not be written any more is lost: there is still no way to write it in { $path }.
mastery-busy = In use by { $holder } for too long: { $path }.
mastery-busy-help = Try again; if it lasts, end that process.
mastery-sqlite = { $path } cannot be used: { $why }.
mastery-sqlite-help = Try again; if it lasts, choose another directory with `--data DIR`.

mastery-in-memory = Until then progress is kept in memory and is lost when the tutor ends.
mastery-new-file = A new file, { $path }, holds all that the tutor knew.
mastery-home = Progress is written to { $path } again.
mastery-home-help = Nothing was lost.
mastery-set-aside = { $path } was damaged. It was set aside as { $aside }, and a new one begun.
mastery-set-aside-help = Nothing was deleted: `sqlite3 FILE .recover` may bring more of the old file back.
mastery-carried = Carried over: { $rows }.
mastery-carried-some = Carried over: { $rows }. Not readable: { $lost }.
mastery-carried-lost = Nothing of it could be read; lost: { $lost }.
mastery-carried-nothing = Nothing of it could be read.
mastery-carried-backup = A part of them comes from the backup { $backup }.
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
mastery-lock-held = { $path } is held by { $holder }.
mastery-lock-held-help = Progress is stored all the same; only a damaged or older file would have to wait.
mastery-shared = Another matmul-tutor writes to the same progress.
mastery-shared-by = Another tutor is open: { $holder }.
mastery-shared-help = Both may be used; of two answers to a question the later counts.
mastery-holder = { $name } (process { $process })
mastery-somebody = another process
mastery-why-read-only = it is read-only
mastery-why-full = the disk is full
mastery-why-closed = it cannot be opened
mastery-why-damaged = it is damaged
mastery-quiz-empty = The quiz of level `{ $level }` has no questions.
mastery-slot-empty = Slot `{ $slot }` of the quiz has no variant that can be asked.
mastery-formula = The formula `{ $formula }` cannot be computed: { $why }
mastery-question-gone = it is not asked any more
mastery-choices-changed = it has other choices now
mastery-key-changed = another answer is right now
mastery-why-no-backup = no backup can be made before it is brought up to date ({ $why })
mastery-why-silent = the disk does not answer
mastery-why-directory = it is a directory
mastery-why-pipe = it is a pipe, not a file
mastery-why-socket = it is a socket, not a file
mastery-why-device = it is a device, not a file

mastery-exam-practice = This is an exam: its quizzes have no keys to practise with.
mastery-exam-nobody = This is an exam, whose questions are drawn for each student.
mastery-exam-nobody-help = Say who you are: `--student NAME`, or MATMUL_TUTOR_STUDENT in the environment.
