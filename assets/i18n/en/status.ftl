# `matmul-tutor status`: the student's progress.

status-level = level
status-pages = pages
status-predictions = correct on the first try
status-gate = quiz
status-right = { $right } of { $of }
status-right-skipped = { $right } of { $of }, { $skipped } skipped
status-skipped = { $count } skipped
status-locked = locked: pass the quiz of level { $level }
status-no-gate = none
status-broken-gate = its quiz cannot be read
status-passed = passed
status-passed-best = passed, best { $best } of { $of }
status-exercise-left = passed, still needs one exercise (any)
status-needs = needs { $required } of { $questions }
status-needs-best = needs { $required } of { $questions }, best { $best } of { $of }
status-done = Every quiz is passed, and every page of a level without a quiz is done.
status-next-gate = Next: the quiz of level { $level }, `matmul-tutor quiz { $level }`.
status-next-exercise = Next: one exercise of level { $level }, `matmul-tutor exercise list { $level }`.
status-next-page = Next: level { $level }, page { $page } of { $of }: { $title }
status-under-way = { $gate }, an attempt is open
