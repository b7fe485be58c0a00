# The course map.

map-looking = looking for a GPU…
map-worker-unasked = GPU from Slurm, when you run a kernel
map-worker-silent = the worker has sent nothing for { $seconds } s…
map-no-worker = no worker ({ $why })
map-emulator = emulator
map-emulator-because = emulator ({ $why })
map-no-levels = The course has no levels.

map-level = level
map-pages = pages
map-gate = quiz
map-of-cublas = of cuBLAS
map-of-cublas-on = { $cublas }, { $device }

map-broken = broken
map-locked = locked by quiz { $gate }
map-reading-only = reading, no quiz
map-all-read = all done
map-passed = passed
map-passed-with = { $correct }/{ $of } passed
map-under-way = in progress
map-missed = { $correct }/{ $of }, needs { $needed }
map-exercise-left = needs exercise
map-needs = needs { $needed } of { $of }

map-opens-by = Locked: pass the quiz of level { $level } ({ $title }) to open it.
map-opens-by-exercise = Locked: you passed the quiz of level { $level } ({ $title }). You still need one of its exercises (any, `w`).
map-next-nothing = Every quiz is passed. You can read every page again.
map-next-page = **Next:** level { $level }, page { $page } of { $of }, “{ $title }”
map-next-gate = **Next:** the quiz of level { $level } (`g`).
map-next-exercise = **Next:** any exercise of level { $level } (`w`). It opens the next level.
map-next-under-way = **Next:** continue with the quiz of level { $level } (`g`).
map-problems =
    { $first }{ $more ->
        [0] { "" }
       *[other] { " " }And { $more } more.
    } `matmul-tutor course check` lists all problems of the course.

map-ladder = Share of cuBLAS, n = { $n }
map-ladder-recorded = recorded, { $device }
map-ladder-yours = your runs
map-ladder-hidden = A kernel's speed shows once its level is done.

map-your-record = your record
map-label-predictions = predictions
map-label-gates = quizzes
map-label-runs = runs
map-predictions-none = none yet
map-predictions = { $right } of { $of } correct on the first try
map-predictions-skipped = { $right } of { $of } correct on the first try, { $skipped } skipped
map-gates-passed = { $passed } of { $of } passed{ $none ->
    [0] { "" }
    [one] ; one level has none
   *[other] ; { $none } levels have none
}
map-runs-elsewhere = timed on { $devices }; the ladder shows only the recorded GPU
map-due = **Due:** { $due } for review (`v`).
map-workshop = **Workshop:** { $passed } of { $of } passed{ $starred ->
    [0] { "" }
   *[other] , { $starred } { $star }
} (`w`).
map-shipped = **Bugs that shipped:** { $passed } of { $of } fixed (`w`).
map-record = Predictions: { $predictions }.

map-sign-done = A level that is done: you passed its quiz or, if it has none, read its pages
map-sign-recorded = A kernel's recorded share of cuBLAS
map-sign-yours = Your own fastest run of that kernel
map-sign-hidden = A kernel of an unfinished level: its speed is still hidden
map-nothing-due = Nothing is due for review today.
