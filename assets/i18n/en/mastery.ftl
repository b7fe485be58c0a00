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
