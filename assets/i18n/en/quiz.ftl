# The quiz's screens in the tutor.

quiz-gate = quiz
quiz-practice = practice
quiz-more-below = { $count } more
quiz-due-today = what is due today
quiz-what-is-due = Review
quiz-question-of = question { $number } of { $count }
quiz-review = review
quiz-before-submit = before you submit
quiz-bloom-remember = remember
quiz-bloom-understand = understand
quiz-bloom-apply = apply
quiz-bloom-analyse = analyse
quiz-bloom-evaluate = evaluate
quiz-bloom-marked = { $bloom }, marked for review
quiz-marked = marked

quiz-preview = quiz, with key
quiz-variant-of = question { $question } of { $questions }, variant { $variant } of { $variants }
quiz-variant-about = { $id }: { $bloom }, objective { $objective }, page { $page }
quiz-variant-numbers = Asked with { $numbers }, among others.
quiz-no-question = The quiz has no question.
quiz-any-other = any other answer
quiz-no-partner = no partner: { $text }
quiz-any-other-at = { $number }: anything else
quiz-any-other-line = any other line

quiz-hint-multiple = More than one may be true. Letters tick a choice, or use { $arrows } and Space.
quiz-hint-number = Type a number.
quiz-hint-predict = Type a number. When you submit, the emulator counts the real value.
quiz-hint-fault = { $arrows } choose a line, a letter chooses the consequence.
quiz-hint-text = Type a word or two.
quiz-hint-numbers = { $blanks ->
    [one] Numbers only.
   *[other] Numbers only; Tab goes to the next blank.
}
quiz-hint-blanks = Type what is missing; Tab goes to the next blank.
quiz-hint-blank = Type what is missing.
quiz-hint-order = Space picks a row up and puts it down; { $arrows } move it. The keys - and + also move it. If the order is correct, press Space twice.
quiz-hint-match = { $arrows } choose a row above; a letter chooses its partner below.

quiz-drafted = Selected, not confirmed: { $key } confirms this answer.
quiz-typed = Typed, not confirmed: { $key } confirms this answer.
quiz-next-blank = Typed, not confirmed: { $key } goes to the next blank.
quiz-changed = Answered. Your later change is not confirmed: { $key } confirms it.
quiz-answered = This is your answer. You can change it until you submit.
quiz-saving = This is your answer. It is being saved.
quiz-right = Correct.
quiz-wrong = Not quite.

quiz-state-open = open
quiz-state-drafted = not confirmed
quiz-state-answered = answered
quiz-state-right = right
quiz-state-wrong = wrong
quiz-state-saving = being saved
quiz-state-changed = answered, changed
quiz-all-answered = Every question is answered. S submits the attempt.
quiz-unfinished = { $open ->
    [0] { "" }
    [one] One question is still open.{" "}
   *[other] { $open } questions are still open.{" "}
}{ $drafted ->
    [0] { "" }
    [one] One answer is not confirmed yet.{" "}
   *[other] { $drafted } answers are not confirmed yet.{" "}
}Enter goes to the question under the cursor.
quiz-warned = { $open ->
    [0] { "" }
    [one] One question is open and will count as wrong.{" "}
   *[other] { $open } questions are open and will count as wrong.{" "}
}{ $drafted ->
    [0] { "" }
    [one] One answer is not confirmed and counts as selected.{" "}
   *[other] { $drafted } answers are not confirmed and count as selected.{" "}
}S once more submits it.
quiz-enter-goes-on = Enter gives the answer and continues; → continues without it.

quiz-letters = Here, letters go into the answer. { $key }: { $label }.

quiz-continues = The quiz continues where you left it.
quiz-goes-on = The quiz continues where you left it: { $given } answered{ $drafted ->
    [0] .
   *[other] , { $drafted } not confirmed.
}
quiz-cannot-go-on = This attempt cannot continue

quiz-export-folder = This format consists of several files: name a directory with --out.
quiz-exported = { $questions } questions exported; { $remarks ->
    [one] one remark
   *[other] { $remarks } remarks
} on what the format cannot say.
