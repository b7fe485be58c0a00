# A page of a level.

lesson-page-of = page { $page }/{ $pages }
lesson-more-on = more on page { $page }
lesson-more = More on this, if you like: “{ $title }”
lesson-launch-hint = { $key } launches, and then this page explains the result.
lesson-esc-explains = Esc explains it
lesson-recall-hint = Answer in your head. Then { $key } shows our answer.
lesson-select-hint = a–{ $last } select an answer; s shows it without yours; n leaves the question open.
lesson-again-hint = Once more: a–{ $last } select an answer. Your first answer stays on record.
lesson-answer-hint = { $key } submits { $letter } as your answer. Until then you can change it.
lesson-your-answer = your answer
lesson-first-answer = your first
lesson-right = Correct.
lesson-wrong = Not quite.
lesson-right-one = **It is { $letter }.** { $reply }
lesson-skip-sure = Once more: s shows the answer, and the question counts as skipped.
lesson-skipped = Skipped: it is { $letters }.
lesson-first-skipped = You skipped this question the first time.
lesson-first-was = Your first answer, { $letter }, was { $verdict ->
        [right] correct
       *[other] wrong
    }.
lesson-question-open = The question is still open. n goes on without an answer, Backspace goes back.
lesson-why-hint = Enter: write one or two sentences, then compare.
lesson-why-write-hint = One or two sentences; the tutor saves what you type.
lesson-why-compare-hint = { $key } compares it with a model answer.
lesson-why-missed = Which of these did you leave out?
lesson-why-mark-hint = Letters mark what was missing; { $key } saves it.
lesson-why-again-hint = Enter starts a new text.
lesson-picture-later = This opens once you have answered or skipped the question.
lesson-opens-after = { $name }: opens after the question
lesson-tab-opens = { $name }: Tab opens it
lesson-more-above = { $count } more above
lesson-more-below = { $count } more
lesson-more-text = { $count } text
lesson-more-code = { $count } code
lesson-more-picture = { $count } picture
lesson-more-page-down = { $hidden }, PgDn

# Purposes of pages.
lesson-tag-recall = look back
lesson-tag-concrete = a scene
lesson-tag-picture = picture
lesson-tag-idea = idea
lesson-tag-abstract = formula
lesson-tag-code = code
lesson-tag-simulate = try it
lesson-tag-hazard = hazard
lesson-tag-run = run
lesson-tag-why = why
lesson-tag-exercise = exercise
lesson-tag-summary = summary
lesson-tag-preview = what comes

# Signs on a page, for help.
lesson-sign-region = the lines of code that the page is about
lesson-sign-note = a note on the line next to it
lesson-sign-left-out = lines that only mark a region are left out
lesson-sign-selected = the answer that Enter would give
lesson-sign-right = the correct answer
lesson-sign-wrong = your answer, which is wrong
lesson-sign-answer = which answer was yours
lesson-sign-below = more text below; PgDn goes there
