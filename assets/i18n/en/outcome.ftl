# The result of an attempt at a quiz.

outcome-passed = Level { $level } passed
outcome-not-passed = Level { $level } not passed yet
outcome-practice-enough = Practice, level { $level }: enough to pass
outcome-practice-short = Practice, level { $level }: not enough
outcome-reviewed = Reviewed
outcome-review-next = Nothing more is due today. The next review is on { $next }. Missed questions come back first.
outcome-review-more = { $due ->
    [one] One more question is due today.
   *[other] { $due } more questions are due today.
}
outcome-score = { $correct } of { $questions }
outcome-missing = { $missing ->
    [one] One more correct answer would have passed; { $required } are needed.
   *[other] { $missing } more correct answers would have passed; { $required } are needed.
}
outcome-of-cublas-on = of { $cublas } on { $device }
outcome-of-cublas = of cuBLAS
outcome-first-try = First try { $first } of { $of }, now { $now } of { $questions }.
outcome-predictions = { $right } of { $made } predictions correct on the first try.
outcome-predictions-weakest = { $right } of { $made } predictions correct on the first try. Most often wrong ({ $wrong } of { $of }): { $objective }.
outcome-due = { $due ->
    [one] One question on earlier levels is due for review: v asks it.
   *[other] { $due } questions on earlier levels are due for review: v asks them.
}
outcome-opens = Opens
outcome-next = Next
outcome-opens-too = Level { $level }, { $title }, is also open.
outcome-pages = { $pages ->
    [one] one page
   *[other] { $pages } pages
}
outcome-exercise-left = **You still need one exercise of level { $level } (any).** `w` lists them. After that, the next level opens.
outcome-last-gate = That was the last quiz of the course.
outcome-missed-some = { $missed ->
    [one] One question was missed: r shows it with the reason.
   *[other] { $missed } questions were missed: r shows them with the reasons.
}
outcome-none-missed = No question was missed.
outcome-read-again = What you missed, and what to read again. The next attempt asks other questions. This one does not show its correct answers.
outcome-look-again = What you missed, and why.
outcome-your-answer = Your answer:
outcome-question-right = Question { $number }: correct
outcome-question-wrong = Question { $number }: wrong
outcome-question-open = Question { $number }: not answered
outcome-more-below = { $count } more
outcome-re-read = Read “{ $title }” again
outcome-handed-in = Submitted
