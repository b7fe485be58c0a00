# The workshop in the tutor: the list of exercises, and an exercise.

workshop-title = workshop
workshop-none = The course has no exercises.
workshop-sum = { $passed } of { $of } passed{ $starred ->
    [0] { "" }
   *[other] , { $starred } { $star }
}
workshop-level-sum = { $passed } of { $of }
workshop-shipped = Bugs that shipped, with their levels: { $passed } of { $of }
workshop-starred = passed, a star
workshop-locked = locked
workshop-about-repair = The kernel is broken. Find the line at fault, choose the fix, and see what it does.
workshop-about-fill = The kernel has holes. Fill them, and run the result.
workshop-about-write = You write in an editor. Each save is judged.
workshop-offer = { $enter } opens it in the workshop.
workshop-sign-star = Passed, and fast enough on a GPU for a star
workshop-sign-tried = Tried, and not passed yet
workshop-sign-met = A goal that is met
workshop-sign-not-met = The first goal that is not met
workshop-sign-unknown = A goal that has not been checked yet
workshop-sign-some = Elements of C, some of them wrong
workshop-sign-changed = A line that a choice has changed

workshop-code-broken = { $file }, broken
workshop-code-cured = { $file }, with your fix
workshop-code-holes = { $file }
workshop-code-starter = { $file }: the starter code
workshop-code-solution = { $file }: a solution
workshop-code-changes = what changed since the last try
workshop-note-reads = thread { $thread } reads
workshop-note-writes = thread { $thread } writes
workshop-note-here = here

workshop-unpacking = looking for the kernel
workshop-compiling = compiling
workshop-running-broken = running the broken kernel
workshop-judging = judging
workshop-racing = timing on the GPU

workshop-do-line = Which line is at fault? { $arrows }, then { $enter }
workshop-do-cure = Which change fixes it? Letter, then { $enter }
workshop-do-again = { $judged ->
    [0] Not judged
   *[1] Not yet
  }: { $enter } to try again
workshop-do-passed = Passed
workshop-do-fill = Fill the holes: Tab, { $arrows }; { $left ->
    [one] 1 is empty
   *[other] { $left } are empty
}
workshop-do-run = { $enter } runs it
workshop-do-other-filling = Not yet: choose something else
workshop-do-begin = { $enter } makes your file
workshop-do-edit = e edits; each save is judged
workshop-do-edit-on = e edits on; each save is judged
workshop-do-edit-only = e edits; judging needs a compiler
workshop-do-solution = A solution; s goes back to yours
workshop-do-changes = d goes back to all of it

workshop-not-begun = You have not written anything yet. Your file will be created in a directory named after the exercise, in the directory where you started the tutor.
workshop-no-nvrtc = Compiling CUDA C++ needs NVRTC, which was not found. `matmul-tutor nvrtc install` installs it. The other kinds of exercise need no compiler.
workshop-reset = The file contains the starter code again. Your text is now in { $kept }.
workshop-opened = Level { $level }, { $title }, is open now.
workshop-plain-line = You chose line { $line }: { $code }
workshop-started-over = Your choices are cleared.

workshop-broken = What the broken kernel does:
workshop-not-judged = It could not be judged.
workshop-judged = Judged in { $seconds } s. { $tries ->
    [0] { "" }
    [one] 1 try is kept.
   *[other] { $tries } tries are kept.
}
workshop-goal-compiles = compiles
workshop-goal-runs = runs
workshop-goal-results = results
workshop-goal-hazards = hazards
workshop-goal-counts = counts
workshop-goal-faster = star
workshop-goal-star = a star: faster than { $rung } on a GPU
workshop-map = C, { $m } rows of { $n }; filled elements are wrong:
workshop-map-scaled = C, { $m } rows of { $n }; a sign stands for { $rows } × { $columns }:
workshop-map-first = C, { $m } rows of { $n }; the first { $most } wrong ones:
workshop-hint = hint { $number } of { $of }{ $other ->
    [1] , for a different mistake
   *[0] { "" }
  }
workshop-next = what comes next
workshop-solution-line = At fault: line { $lines }. The fix:
workshop-estimating = estimating the time on a GPU
workshop-estimated = Estimated, not measured
