# Messages of the command line that several commands share.

cli-students = For students:
cli-engineers = For engineers:
cli-teachers = For teachers:
cli-no-command = Without a command, the tutor opens in the terminal.
cli-former = There is no command `matmul-tutor { $former }`: use `matmul-tutor { $now }`.

cli-tutor-no-terminal = The tutor needs a terminal. Without one, run `matmul-tutor --plain`, `matmul-tutor status`, `matmul-tutor run KERNEL`, `matmul-tutor quiz LEVEL` or `matmul-tutor --help`.
cli-banks-nothing = No access was given: pass one as an argument, or pass JSON lines on standard input.
cli-banks-nothing-help = For example: matmul-tutor banks 'smem[lane][5]' --pitch 16     More: matmul-tutor banks --help
cli-banks-no-access = `{ $text }` is not an access: write an array with one or two indices, in quotes.

cli-kernels-recorded = Speed and share of { $cublas } as recorded on { $device }, driver { $driver }, { $date }, n = { $n }.
cli-kernels-level = Level { $number }: { $title }
cli-kernels-wrong = { $title } (wrong on purpose)
cli-kernels-variant = { $title } (recorded: { $variant })
cli-kernels-no-gpu = Here, kernels run on the emulator. { $why }
cli-kernels-unavailable = { $why } ({ $kernels })

cli-bench-no-gpu = Timing kernels needs a GPU. { $why }
cli-bench-emulator = The emulator's own time says nothing about a GPU.
cli-bench-recorded = This was recorded on another machine:
cli-bench-nothing-recorded = There is no recording of these kernels at these sizes either.
cli-bench-no-cublas = not found
cli-bench-heading = { $device }, driver { $driver }, CUDA { $cuda }, cuBLAS { $cublas }
cli-bench-heading-recorded = Recorded on { $device }, driver { $driver }, CUDA { $cuda }, cuBLAS { $cublas }, { $date }
cli-bench-unit = TFLOP/s of the median time, and the share of cuBLAS
cli-bench-type = { $elements }; cuBLAS: { $math }
cli-bench-graphs = At n = { $sizes }, the times are from CUDA graphs and do not contain what a launch costs the host.
cli-bench-wrong = the results of this kernel are wrong
cli-bench-variants = { $kernel }: { $variants }
cli-bench-variant = { $variant } at n = { $sizes }
cli-bench-own-run = { $kernel } was timed in a separate run. The clock and the power above are not from that run. Its shares compare with cuBLAS in that run: { $speeds }
cli-bench-clock = SM clock, MHz
cli-bench-power = power, W
cli-bench-left-out = not timed: { $kernel } at n = { $n }: { $why }

cli-tune-no-gpu = There is no GPU to tune on. { $why }
cli-tune-recorded = There is no GPU to tune on. { $why } This was recorded on another machine:
cli-tune-kept = Best at n = { $n }: { $variant }, kept for this GPU.
cli-tune-forgot = { $count ->
    [one] Forgot one choice for { $kernel }.
   *[other] Forgot { $count } choices for { $kernel }.
}
cli-tune-again = { $count ->
    [one] Timing the best one again
   *[other] Timing the best { $count } again
}
cli-tune-part = n = { $n }: variants { $first } to { $last } of { $all }
cli-tune-progress = { $done } of { $all }: { $doing }
cli-tune-driver = { $device }, driver { $driver }
cli-tune-heading = on { $device }, { $date }
cli-tune-heading-recorded = recorded on { $device }, { $date }
cli-tune-heading-counted = counted on the emulator
cli-tune-unit-timed = TFLOP/s; higher is better
cli-tune-unit-counted = bytes requested from memory per multiply-add, counted; lower is better
cli-tune-best = best: { $variant }  { $speed }
cli-tune-of-cublas = { $share } of { $name } ({ $speed })
cli-tune-least = fewest bytes: { $variant }  { $bytes } bytes per multiply-add
cli-tune-equals-timed = { $count } variants share the best speed, { $speed } TFLOP/s.
cli-tune-equals-counted = { $count } variants request the fewest bytes, { $bytes } per multiply-add. These counts do not show which one is fastest.
cli-tune-none = No variant of `{ $kernel }` can run: { $why }.
cli-tune-unlike = The variants do not compute the same, or not with the same accuracy, so none is the best.
cli-tune-impossible = impossible: { $count } of { $all } combinations; `--list` shows the reasons
cli-tune-wrong-one = wrong
cli-tune-wrong = { $count ->
    [one] wrong result: one variant
   *[other] wrong result: { $count } variants
}

cli-no-edition = This course has no edition in `{ $asked }`. The tutor shows it in `{ $shown }`.
cli-no-language = The language `{ $asked }` is not available.
cli-languages = Available: { $known }.


cli-check-no-directory = There is no directory { $directory }.
cli-check-no-directory-help = Give the directory that holds `modules/` and `quizzes/`.
cli-check-running = run { $count }: { $kernel }
cli-check-judging = text { $count } of the exercises: { $text }
cli-check-no-level = The course has no level `{ $level }`.
cli-new-there = `{ $name }` already exists.
cli-new-name = `{ $name }` cannot be a name. Use lower-case letters, digits and `-` (or `_` for a kernel), and begin with a letter.
cli-new-not-added = `new` cannot add anything to { $file } in its present form. Add it by hand, as docs/authoring.md shows.
cli-new-ask-id = Id, used to store progress (Enter keeps it):
cli-new-ask-title = Title (Enter keeps it):
cli-new-id = my-course
cli-new-title = My course
cli-preview-no-level = The course has no level `{ $name }`.
cli-preview-no-page = The level has no page `{ $name }`.
cli-preview-no-slot = The level's quiz has no slot `{ $name }`.
cli-preview-no-variant = The slot has no variant `{ $name }`.
cli-preview-no-exercise = The course has no exercise `{ $name }`.
cli-preview-what = `{ $name }` is neither a course directory nor a part of a course. Give LEVEL, LEVEL/PAGE, `quiz LEVEL/SLOT/VARIANT` or `exercise ID`.
cli-preview-near = Did you mean `{ $name }`?
cli-preview-known = Known names: { $names }.

cli-check-found = { $errors ->
        [one] { $errors } error
       *[other] { $errors } errors
    }, { $warnings ->
        [one] { $warnings } warning
       *[other] { $warnings } warnings
    }.
cli-check-allowed = { $count ->
    [one] One more is allowed by `course.yaml`.
   *[other] { $count } more are allowed by `course.yaml`.
}
cli-check-watch-what = The built-in course does not change. Name the directory of a course.
cli-check-watching = `check` runs again when a file in { $directory } changes. Ctrl-C stops it.
cli-check-claims = Claims: { $held } held, { $failed } failed, { $skipped } not checked.
cli-check-cause = { $kernel }, compared with { $from } at { $size }: { $bound ->
    [DataPipe] data pipe
    [SharedLoads] shared loads
    [SharedStores] shared stores
    [GlobalLoads] global loads
    [GlobalStores] global stores
    [Copies] copies
    [IssueSlots] issue slots
   *[Arithmetic] arithmetic
} { $to } → { $of } cycles per 32 multiply-adds. Predicted { $predicted }, recorded { $recorded } times the time.
cli-check-kernels = { $run ->
    [one] 1 kernel
   *[other] { $run } kernels
} run: { $differ } not as the catalogue states, { $skipped } not run.
cli-check-kernels-skipped = note: { $count ->
        [one] 1 kernel
       *[other] { $count } kernels
    } not run: { $why }
cli-check-exercises = { $exercises ->
    [one] 1 exercise
   *[other] { $exercises } exercises
}: { $judged } texts judged, { $differ } of them not as stated.
cli-check-mutants = { $mutants } mutants made, { $killed } found by the judge, { $excused } excused.
cli-check-exercises-skipped = { $count ->
    [one] 1 exercise was not judged
   *[other] { $count } exercises were not judged
}: { $why }
cli-check-skipped = note: { $count ->
        [one] { $count } claim
       *[other] { $count } claims
    } not checked: { $why }

cli-worker-waiting = { $text }… (Ctrl-C gives up)
cli-worker-silent = The worker has sent nothing for { $seconds } s. It will be stopped after { $limit } s, or later if the machine is busy.

cli-interrupted = The command was interrupted.
cli-failed = The command failed; standard error says why.
cli-unwritten = Writing to standard output failed: { $why }.
cli-note = note: { $text }
cli-error = error: { $text }
cli-wrote = wrote { $file }
cli-link = { $file } is a link. Only the file itself counts.
cli-needs = It needs { $demand }.
cli-no-directory = There is no directory { $directory }. Give the directory that contains `modules/` and `quizzes/`.
cli-no-level = There is no level `{ $name }`. There are: { $known }.
cli-no-level-in = The course { $directory } has no readable level. `matmul-tutor course check { $directory }` shows why.
cli-no-level-built-in = The course has no readable level. `matmul-tutor course check` shows why.

cli-no-course = { $directory } is not a course: it has no `modules/course.yaml`.
cli-run-not-finite = Alpha and beta must be finite numbers.
cli-run-unbuilt = { $file } { $why }.
cli-run-unbuilt-help = Run `matmul-tutor{ $course } course build`.

cli-banks-line-long = The line is longer than { $most } bytes.
cli-banks-line-broken = This is not an access: { $why }.
cli-banks-line-bytes = `bytes` is { $bytes }, but an access has 4, 8 or 16 bytes per lane.
cli-banks-line-address = Lane { $lane }'s address { $address } is not a multiple of { $bytes }.
cli-banks-line-beyond = Lane { $lane }'s address { $address } is beyond shared memory.

cli-bench-turns = { $elements }, n = { $n }: { $count ->
        [one] one kernel
       *[other] { $count } kernels
    } and cuBLAS, alternating
cli-bench-kernel-wrong = { $kernel } is wrong at n = { $n }.
cli-bench-size = It does not support this size: { $why }.
cli-bench-long = A launch would take about { $expected } ms, more than { $most }.
cli-bench-no-time = The worker returned no time for it.
cli-bench-no-kernel-help = `matmul-tutor run --list` lists them, `matmul-tutor bench --tune KERNEL --list` a kernel's variants.
cli-bench-no-level = No kernel has this level and these types of elements.
cli-bench-no-level-help = `matmul-tutor run --list` lists the levels with their kernels.
cli-bench-too-many = `bench` cannot alternate { $count } kernels: the limit is { $most }.
cli-bench-too-many-help = Choose a level with `--level`, or kernels with `--kernel`.

cli-tune-nearest = Did you mean `{ $nearest }`?
cli-tune-one-variant = `{ $kernel }` has only one variant.
cli-tune-one-variant-help = These kernels have several variants: { $kernels }.
cli-tune-wrong-variant = The variant { $variant } is wrong.
cli-tune-list-impossible = impossible: { $why }
cli-tune-possible = { $count } of { $all } combinations are possible

cli-kernels-not-built = { $file } { $why }; `matmul-tutor course build` makes it.
cli-kernels-not-emulated = The emulator cannot run it: { $why }

cli-build-no-catalog = There is no kernels/catalog.yaml in { $directory }.
cli-build-no-catalog-help = Give a course's directory with --course; `matmul-tutor course new DIR --kernel NAME` writes the first kernel of one.
cli-build-release = This NVRTC is { $release } ({ $path }). The committed PTX was compiled with { $pinned }.
cli-build-release-help = `pip install { $wheel }` in a virtual environment, and set MATMUL_TUTOR_NVRTC to its libnvrtc.so.12.
cli-build-not-compared = { $message } PTX from another release cannot be compared.
cli-build-to-commit = { $message } To commit the PTX: { $help }
cli-build-built = built { $file }
cli-build-removed = removed { $file }, which does not belong to any variant
cli-build-fresh = All { $count } PTX files match what NVRTC { $release } compiles from their sources.
cli-build-stale = Stale: { $files }.
cli-build-stale-more = Stale: { $files } and { $more } more.
cli-build-stale-help = `matmul-tutor course build` compiles them again.

cli-new-wrote = Wrote { $count } files to { $directory }. Next:
cli-new-see = see the course as its author
cli-new-check = list every problem at once and run the claims
cli-new-not-empty = { $directory } is not empty. Nothing in it was changed. Name a new directory.
cli-new-not-written = { $path } cannot be written: { $why }. Name a directory on a disk with free space where you may write.

cli-plot-title = Matrix products, { $recorded }
cli-plot-note = { $recorded }; medians, kernel and cuBLAS alternating on the same data
cli-plot-axes = TFLOP/s over n = M = N = K
cli-plot-roof = multiply-adds alone
cli-plot-no-recording = { $file } is not a recording: { $why }.
cli-plot-no-recording-help = `matmul-tutor bench --record FILE` makes one on a machine with a GPU.
cli-plot-nothing = The recording has no kernels of these types.
