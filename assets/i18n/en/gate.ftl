# The page before the quiz of a level.

gate-text = **{ $questions } questions, { $required } correct answers pass.** { $unread ->
    [0] { "" }
    [one] One page is not done yet: { $page }.
   *[other] { $unread } pages are not done yet, the first is { $page }.
}
gate-page = page { $page }, “{ $title }”
gate-closed = You have not started the quiz. Press g to start it.
gate-opens = It opens level { $level }, { $title }.
gate-exercise = The level also requires one exercise of the workshop.
gate-exercise-passed = You have passed the exercise that the level requires.
gate-passed = You have passed it. Another attempt cannot take that away.
gate-last = It is the last quiz of the course.
gate-about = Nothing is judged before you submit. After that you see which answers were wrong and why. The correct answers are shown only once you pass. You may leave at any time, and continue later. A failed attempt costs nothing, and the next one asks other questions.
gate-attempts = You have used { $made } of { $most } attempts.
gate-wait = The next may begin at { $until }.
