# What a gate is, before it begins.

gate-text = **{ $questions } questions, { $required } right answers pass.** { $unread ->
    [0] { "" }
    [one] One page is not done yet.
   *[other] { $unread } pages are not done yet.
}
gate-opens = It opens level { $level }, { $title }.
gate-exercise = Beside it the level asks for one exercise of the workshop.
gate-exercise-passed = The exercise that it asks for beside it is passed.
gate-passed = You have passed it; another attempt takes nothing away.
gate-last = It is the last gate of the course.
gate-about = Nothing is judged before you submit. Then you see which answers were wrong and why; the right ones are told only once you pass. You may leave in the middle: everything is kept. An attempt that fails costs nothing, and the next one asks other questions.
gate-attempts = { $made } of { $most } attempts are made.
gate-wait = The next may begin at { $until }.
gate-opens-at = Opens: { $when }.
gate-due = Due: { $when }.
