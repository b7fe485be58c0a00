# The frame of every screen: the key bar, overlays, the status of a launch.

app-too-small = matmul-tutor needs { $w } × { $h } characters; this terminal has { $width } × { $height }.
app-opening = reading the course…
app-opening-course = reading the course { $course }…
app-opening-quit = quit
app-running = running
app-worker-silent = the worker has sent nothing for { $seconds } s; it will be stopped after { $limit } s, or later if the machine is busy

app-died = it crashed, or the system ended it because memory ran out. Your answers are kept, except one that was still being saved.
app-stuck = it did not respond for two seconds and was ended.

app-percent = { $number } %

app-preview = preview

app-scroll = scroll
app-move = move
app-saving = saving…
app-saving-held = saving… { $why }
app-take = take
app-close = close
app-begin = begin
app-not-now = not now
app-leave = leave
app-stay = stay

app-pages-title = pages of { $level } { $title }
app-gate-title = quiz of { $level } { $title }
app-search-title = find a page
app-leaving-title = leave the tutor?
app-leaving = A kernel is running. If you leave, it stops and its numbers are lost.
app-unsaved-title = Your progress is not saved
app-unsaved-mark = { $answers ->
    [0] { $others ->
        [0] progress is not saved
        [one] 1 change is not saved
       *[other] { $others } changes are not saved
    }
    [one] 1 answer is not saved
   *[other] { $answers } answers are not saved
}
app-unsaved = { $answers ->
    [0] { $others ->
        [one] 1 change is
       *[other] { $others } changes are
    }
    [one] 1 answer { $others ->
        [0] is
        [one] and 1 other change are
       *[other] and { $others } other changes are
    }
   *[other] { $answers } answers { $others ->
        [0] are
        [one] and 1 other change are
       *[other] and { $others } other changes are
    }
} not saved. { $why }
app-save-again = try again
app-leave-unsaved = quit without them
app-kept-until-saved = You can go on. The tutor keeps what you do and tries again until it is saved. What is not saved when the tutor ends is lost.
app-waits-for-store = This begins as soon as your progress can be saved.
app-saved-again = Everything is saved now.
app-not-here = “{ $action }” does not work here.

app-nothing-due = Nothing is due for review today.
app-no-pages = This level has no pages.
app-no-gate = “{ $title }” has no quiz, only pages.
app-locked = Locked: pass the quiz of level { $level }, { $title }, first.
app-locked-exercise = Locked: pass one exercise of level { $level }, { $title }, first (w on the map).
app-lesson-broken = The lesson “{ $title }” cannot be shown
app-page-broken = The page `{ $page }` cannot be shown
app-quiz-broken = The quiz of “{ $title }” is broken
app-check = `matmul-tutor course check` lists every problem of the course at once.
app-no-theme = There is no theme `{ $name }`; the themes are { $known }.
app-key-nothing = { $key } does nothing here. ? lists the keys that work.
app-paste-nothing = Pasted text, and keys that arrive all at once, do nothing here.
app-key-quits = q quits on the map.{ $page ->
    [0] { " " }Ctrl-C quits anywhere.
   *[1] { "" }
  }
app-theme = Theme: { $name }
