hazard-step = { $order }, step { $step } of { $of }
hazard-order-harmful = harmful order
hazard-order-lucky = lucky order
hazard-order-correct = both barriers
hazard-running = The emulator runs one block of both kernels, in two orders of its warps.
hazard-idle = Enter runs it, and shows which thread reads what, and when.
hazard-no-story = The runs cannot be shown as steps: the kernels need the regions `tile load`, `multiply`, `first barrier` and `second barrier`.
hazard-warp = warp { $n }
hazard-barrier = barrier { $n }
hazard-no-barrier = no barrier { $n }
hazard-load = load tile { $tile }
hazard-load-writes = load tile { $tile }: writes
hazard-multiply = multiply { $k }
hazard-multiply-reads = multiply { $k }: reads
# Shorter forms for narrow screens.
hazard-writes = tile { $tile }: writes
hazard-reads = { $k }: reads
hazard-byte = byte { $byte }
hazard-holds = holds
hazard-read = read
hazard-nothing-written = nothing written yet
hazard-written = { $value }, tile { $tile }, by { $thread } of warp { $warp }
hazard-reader = by { $thread } of warp { $warp }, for tile { $tile }
hazard-wants-gets = needs { $wanted }, gets { $got }
hazard-wrong-read = step { $step }: { $got }
hazard-gets = gets { $got }
hazard-a-read = read
hazard-a-write = write
hazard-none = No hazard: a barrier separates the writes and reads of every word.
hazard-found = { $kind }: { $first } { $first_thread } { $file }:{ $first_line }, { $second } { $second_thread } :{ $second_line }, { $n ->
    [one] { $pairs } pair
   *[other] { $pairs } pairs
}
hazard-whole = all of C, n = { $n }, on { $device }
hazard-whole-running = running
hazard-whole-not-run = not run
hazard-whole-right = all { $all } correct
hazard-whole-wrong = { $wrong } of { $all } wrong
hazard-runner-removed = barrier removed
hazard-runner-correct = both barriers
hazard-runner-delayed = removed, one warp late
hazard-told = { $order }. The two warps compete for { $word }, byte { $byte } of shared memory.
hazard-sign-now = the step at the cursor
hazard-sign-barrier = a barrier that all warps pass
hazard-sign-no-barrier = here a barrier is missing
hazard-sign-right = a read that gets the value it needs
hazard-sign-wrong = a read that gets another value
