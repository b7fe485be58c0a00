# The run: kernels launched, timed, verified and counted.

run-several = { $count } kernels
# The kernel whose name is the beginning of the other kernels' names.
run-plain = plain

# Before the first launch.
run-before = You can launch once you have answered or skipped the question.
run-plan-gpu = Enter launches { $count ->
    [one] the kernel
   *[other] { $count } kernels
  } on { $device } at n = { $n }: timed alternately with cuBLAS, every element of C checked, and counted by the emulator.
run-plan-recorded = Enter shows the times recorded on { $device } ({ $date }) at n = { $n }: there is no GPU here.
run-plan-no-time = There is no GPU here, and no time was recorded at n = { $n }.
run-plan-emulator = The emulator runs { $count ->
    [one] the kernel
   *[other] the { $count } kernels
  } at n = { $n }, compares every element of C, and counts.
run-plan-smaller = The emulator runs { $count ->
    [one] the kernel
   *[other] the { $count } kernels
  } at n = { $n }, where it can compare every element of C, and counts. At n = { $wanted }, that would take too long.
run-device-unknown = the device that will be found
run-sizes = n: { $sizes }
run-why-no-gpu = Why no GPU: { $why }

# Times.
run-device = { $device }, driver { $driver }
run-live = live
run-measured = measured just now
run-variant = variant { $variant }
run-recorded = recorded on { $device }, driver { $driver }, { $date }
run-no-gpu = no GPU here
run-not-this-gpu = not on this GPU
run-estimated = estimated, not measured, for an { $device }, n = { $n }
run-data-pipe = data pipe, cycles
run-issue-slots = issue slots, cycles
run-arithmetic = arithmetic, cycles
run-busy = busy
run-bounds-how = Bounds: the cycles that an SM needs per 32 multiply-adds, and the share of the time for which it is busy. { $mark } is the nearest bound.
run-timeline = cycles of { $kernel }, simulated, not measured
run-timeline-cycle = cycle { $cycle }
run-timeline-scheduler = scheduler { $number }
run-timeline-warps = warps of scheduler { $number } (above: which of them starts)
run-timeline-tensor = tensor cores
run-timeline-own = warp { $number }
run-timeline-block = block { $number }
run-timeline-warp = Warp { $warp } of block { $block } { $does }.
run-timeline-starts = instructions of warp { $warp }, with the cycles that it waited before each
run-timeline-ptx = PTX line { $line }
run-timeline-legend = { $step ->
    [one] {""}
   *[other] Each column: { $step } cycles.{" "}
  }# starts or works, L global memory, S shared memory, w result, M G queues, P pipe, T tensor cores, B barrier, . another warp was chosen
run-no-time = No time was recorded at n = { $n }; the emulator's own would say nothing about a GPU.
run-of-cublas = { $share } of { $cublas }
run-past-cublas = cuBLAS is a reference and not an upper limit: at this size another kernel can be faster.
run-the-same = the same within 1 %
run-slower = { $ratio }× slower
run-faster = { $ratio }× faster
run-but-wrong = { $compared }, but wrong
run-best = Your fastest here is { $title }: { $time }, { $speed }.

# Results.
run-all-right = all { $of } correct
run-wrong = { $wrong } of { $of } wrong
run-emulated = on the emulator, n = { $n }: every element compared
run-again = Launch again: other numbers in A and B, another order of the warps, and another count of wrong elements.

# Counts.
run-counted = counted, n = { $n }: per 32 multiply-adds
run-step-row = { $what }, { $unit }
run-request-row = per request
run-at-best = best { $best }
run-best-row = at best
run-global-loads = global loads
run-global-stores = global stores
run-shared-loads = shared loads
run-shared-stores = shared stores
run-intensity = intensity, FLOP/byte
run-flop-per-byte = FLOP/byte
run-hazards = hazards
run-sectors = sectors
run-wavefronts = wavefronts
run-none = none
run-lines = global lines looked up
run-cycles = cycles of an SM
run-cycles-recorded = cycles, recorded n = { $n }
run-cycles-how = 32 multiply-adds are one step of a warp. Cycles: { $count } SMs × { $mhz } MHz × the time, divided by n·n·n / 32 steps.
run-fused = There are more wavefronts than cycles because wavefronts are counted per PTX instruction. The assembler merges four neighbouring loads into one of 16 bytes.
run-wider = Wider loads take more wavefronts per request but fewer per step, and the step is what counts.
run-wgmma-reads = Where shared loads are “none”, wgmma reads the tiles itself. There is no load instruction, so no wavefront is counted.
run-totals = totals at n = { $n }: requests and what they cost
run-no-requests = This page counts no requests.
run-blocks = { $counted } of { $blocks } blocks
run-total = { $requests } requests { $arrow } { $cost } { $unit }
run-why = what costs more than its ideal, per request
run-nothing-above = no access costs more than its ideal
run-excess = { $op }: { $cost } { $unit }, ideal { $best }

# Progress.
run-begins = Starting.
run-stopped = Stopped. Enter launches again.
run-instead = { $kernel } does not support this shape ({ $why }), so { $other } ran instead.

# The kernels as code.
run-sources = { $count ->
    [one] the kernel
   *[other] the kernels; lines that differ are marked
  }

# Signs.
run-sign-bar = time, all bars to one scale
run-sign-interval = half of the time's 95 % interval
run-sign-above = more than the ideal
run-sign-right = correct, or as good as possible
run-sign-own = a line that the other kernel does not have
run-sign-wrong = elements of C are wrong

run-printed = printed by the kernel
run-printed-more = … { $lines } more lines
run-printed-cut = … and { $bytes } more bytes, not shown
