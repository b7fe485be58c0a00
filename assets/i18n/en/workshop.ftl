# The workshop in the tutor: the list of exercises, and an exercise.

workshop-title = workshop
workshop-none = The course has no exercises.
workshop-sum = { $passed } of { $of } passed{ $starred ->
    [0] { "" }
   *[other] , { $starred } { $star }
}
workshop-level-sum = { $passed } of { $of }
workshop-starred = passed, a star
workshop-locked = locked
workshop-about-repair = The kernel is broken. Find the line at fault, then choose the cure, and see what it does.
workshop-about-fill = The kernel has holes. Fill them, and run what you put together.
workshop-about-write = You write in your own editor. Each save is judged.
workshop-offer = { $enter } opens it in the workshop.
workshop-sign-star = Passed, and fast enough on a GPU for a star
workshop-sign-tried = Tried, and not passed yet
workshop-sign-met = A goal that is met
workshop-sign-not-met = The first goal that is not met
workshop-sign-unknown = A goal that was not looked at yet
workshop-sign-some = Elements of C of which some are wrong
workshop-sign-changed = A line that a choice has changed

workshop-code-broken = { $file }, broken
workshop-code-cured = { $file }, with your cure
workshop-code-holes = { $file }
workshop-code-starter = { $file }: what your file begins with
workshop-code-solution = { $file }: a solution
workshop-code-changes = what changed since the last try
workshop-note-reads = thread { $thread } reads
workshop-note-writes = thread { $thread } writes
workshop-note-here = here

workshop-unpacking = looking for the kernel
workshop-compiling = compiling
workshop-running-broken = running the broken kernel
workshop-judging = judging
workshop-racing = racing on the GPU

workshop-do-line = Which line is at fault? { $arrows }, then { $enter }
workshop-do-cure = What cures it? Letter, then { $enter }
workshop-do-again = Not yet: { $enter } to try again
workshop-do-passed = Passed
workshop-do-fill = Fill the holes: Tab, { $arrows }; { $left ->
    [one] 1 is empty
   *[other] { $left } are empty
}
workshop-do-run = { $enter } runs it
workshop-do-other-filling = Not yet: put in something else
workshop-do-begin = { $enter } makes your file
workshop-do-edit = e edits; each save is judged
workshop-do-edit-on = e edits on; each save is judged
workshop-do-solution = A solution; s goes back to yours
workshop-do-changes = d goes back to all of it

workshop-not-begun = Nothing is written yet: your file will be made in a folder of the exercise's name, where you started the tutor.
workshop-no-nvrtc = To compile CUDA C++, NVRTC is needed, and it is not here. `matmul-tutor nvrtc install` fetches it. Exercises of the other kinds need no compiler.
workshop-reset = As at the beginning. What it was is { $kept }.
workshop-opened = Level { $level }, { $title }, is open now.
workshop-plain-line = Line { $line } is chosen: { $code }
workshop-started-over = Nothing is chosen any more.

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
workshop-map = C, { $m } rows of { $n }; wrong ones are filled:
workshop-map-scaled = C, { $m } rows of { $n }; a sign stands for { $rows } × { $columns }:
workshop-map-first = C, { $m } rows of { $n }; the first { $most } wrong ones:
workshop-hint = hint { $number } of { $of }
workshop-next = what comes next
workshop-solution-line = At fault: line { $lines }. The cure:
