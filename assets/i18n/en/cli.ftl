# What the command line says to everybody.

cli-tutor-no-terminal = The tutor needs a terminal. Without one, run `matmul-tutor --plain`, `matmul-tutor status`, `matmul-tutor run KERNEL`, `matmul-tutor quiz LEVEL` or `matmul-tutor --help`.
cli-banks-nothing = Nothing is asked: give an access, or JSON lines on standard input.
cli-banks-nothing-help = For example: matmul-tutor banks 'smem[lane][5]' --pitch 16     More: matmul-tutor banks --help
cli-banks-no-access = `{ $text }` is no access: write an array with one or two indices, in quotes.

cli-kernels-recorded = Speed and share of cuBLAS as recorded on { $device }, driver { $driver }, { $date }, n = { $n }.
cli-kernels-level = Level { $number }: { $title }
cli-kernels-wrong = { $title } (wrong on purpose)
cli-kernels-no-gpu = Kernels run on the emulator here. { $why }
cli-kernels-unavailable = { $why } ({ $kernels })

cli-bench-no-gpu = Timing kernels needs a GPU. { $why }
cli-bench-emulator = An emulator's time says nothing about one.
cli-bench-recorded = This was recorded on another machine:
cli-bench-nothing-recorded = There is no recording of these kernels at these sizes either.
cli-bench-no-cublas = not there
cli-bench-heading = { $device }, driver { $driver }, CUDA { $cuda }, cuBLAS { $cublas }
cli-bench-heading-recorded = Recorded on { $device }, driver { $driver }, CUDA { $cuda }, cuBLAS { $cublas }, { $date }
cli-bench-unit = TFLOP/s of the median time, and the share of cuBLAS
cli-bench-type = { $elements }; cuBLAS is { $math }
cli-bench-wrong = the results of this kernel are wrong
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
cli-tune-heading = on { $device }, { $date }
cli-tune-heading-recorded = recorded on { $device }, { $date }
cli-tune-heading-counted = counted on the emulator
cli-tune-unit-timed = TFLOP/s; higher is better
cli-tune-unit-counted = bytes asked of memory for each multiply-add, counted; lower is better
cli-tune-best = best: { $variant }  { $speed }
cli-tune-of-cublas = { $share } of { $name } ({ $speed })
cli-tune-least = asks least: { $variant }  { $bytes } bytes a multiply-add
cli-tune-equals-timed = { $count } variants share the best speed, { $speed } TFLOP/s.
cli-tune-equals-counted = { $count } variants ask for the least, { $bytes } bytes a multiply-add: these counts do not tell which is fastest.
cli-tune-impossible = impossible: { $count } of { $all } combinations; `--list` says why
cli-tune-wrong-one = wrong
cli-tune-wrong = { $count ->
    [one] wrong result: one variant
   *[other] wrong result: { $count } variants
}

cli-no-edition = This course has no edition in `{ $asked }`: it is shown in `{ $shown }`.
cli-no-language = There is no language `{ $asked }` here.
cli-languages = There are: { $known }.


cli-check-found = { $errors ->
        [one] { $errors } error
       *[other] { $errors } errors
    }, { $warnings ->
        [one] { $warnings } warning
       *[other] { $warnings } warnings
    }.
cli-check-claims = Claims: { $held } held, { $failed } failed, { $skipped } not checked.
cli-check-skipped = note: { $count ->
        [one] { $count } claim
       *[other] { $count } claims
    } not checked: { $why }

cli-worker-silent = Nothing heard of the worker for { $seconds } s; it is stopped after { $limit } s.

cli-interrupted = The command was interrupted.
cli-failed = The command failed; standard error says why.
cli-unwritten = Standard output cannot be written to: { $why }.
