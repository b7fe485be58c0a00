# The work log of `export-progress --log`

log-by = { $student }, { $at }
log-pages = { $read } of { $of } pages are done.
log-attempt = { $kind }, { $at }: { $correct } of { $questions } correct (drawn with seed { $seed })
log-attempt-kept = { $kind }, { $at }: answers kept (drawn with seed { $seed })
log-gate = quiz
log-practice = practice
log-exercises = Exercises
log-exercise = { $tries ->
    [one] one try
   *[other] { $tries } tries
}, { $hints ->
    [0] no hint
    [one] one hint
   *[other] { $hints } hints
}
log-runs = Runs
log-times = { $times ->
    [one] once
   *[other] { $times } times
}
log-best = , at best { $ms } ms
