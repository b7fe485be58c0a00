# What grading and the progress file say to students.

mastery-unknown-id = There is no `{ $id }` to choose from; there are { $known }.
mastery-given-twice = `{ $id }` is given twice.
mastery-too-long = An answer has at most { $most } characters.
mastery-takes-single = This question takes the id of one choice.
mastery-takes-multiple = This question takes a list of ids of choices.
mastery-takes-number = This question takes a number.
mastery-takes-text = This question takes a short text.
mastery-takes-cloze = This question takes a list with one text a blank.
mastery-takes-order = This question takes a list of the ids of all events, in order.
mastery-takes-match = This question takes a map from each left-hand id to a right-hand id.
mastery-choose-one = Choose at least one.
mastery-type-an-answer = Type an answer.
mastery-blanks-not = There are { $blanks } blanks to fill, not { $given }.
mastery-blank-empty = Blank { $number } is empty.
mastery-blank-why = Blank { $number }: { $why }
mastery-order-lacks = The order lacks `{ $id }`.
mastery-misplaced = The first event out of place is “{ $event }”. { $why }
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
mastery-quiz-edited = The quiz was edited since this question was drawn: in slot `{ $slot }`, { $what }.
mastery-quiz-edited-help = This attempt cannot be graded fairly any more. Begin a new one.
mastery-attempt-over = This attempt is over: it was submitted or left in another terminal.
mastery-attempt-over-help = Open the quiz again to see where it stands.
mastery-locked = Level `{ $level }` is locked: pass the gate of level `{ $by }` first.
mastery-locked-help = Its quiz can be taken without reading: `matmul-tutor quiz { $by }`.

mastery-no-home = There is no home directory to keep progress in.
mastery-no-home-help = Choose a directory with `--data DIR`.
mastery-unwritable = Progress cannot be written to { $path }: { $why }.
mastery-unwritable-help = Make room or give permission, or choose another directory with `--data DIR`. Until then progress is kept in memory and is lost when the tutor ends.
mastery-newer = { $path } was written by a newer matmul-tutor (its format is { $found }; this one knows { $known }).
mastery-newer-help = Update matmul-tutor, or choose another directory with `--data DIR`. The file was not changed.
mastery-foreign = { $path } is another program's database.
mastery-foreign-help = Choose another directory with `--data DIR`. The file was not changed.
mastery-set-aside = { $path } was damaged. It was set aside as { $aside }, and a new one begun.
mastery-set-aside-help = Nothing of it was deleted: `sqlite3 FILE .recover` may bring its contents back.
mastery-busy = { $path } is in use by another process for too long.
mastery-busy-help = Try again; if it lasts, end the other matmul-tutor.
mastery-sqlite = { $path } cannot be used: { $why }.
mastery-sqlite-help = Try again; if it lasts, choose another directory with `--data DIR`. Until then progress is kept in memory and is lost when the tutor ends.
mastery-why-read-only = it is read-only
mastery-why-full = the disk is full
mastery-why-closed = it cannot be opened
mastery-why-damaged = it is damaged
mastery-quiz-empty = The quiz of level `{ $level }` has no questions.
mastery-slot-empty = Slot `{ $slot }` of the quiz has no variant that can be asked.
mastery-formula = The formula `{ $formula }` cannot be computed: { $why }
mastery-variant-gone = variant `{ $variant }` is gone
mastery-variant-changed = variant `{ $variant }` was changed
mastery-key-changed = the answer to variant `{ $variant }` was changed
