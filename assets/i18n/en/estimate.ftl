### Estimated times.

estimate-heading = Estimated for an { $device }, not measured.
estimate-time = { $ms } ms ({ $low } to { $high } ms), with { $launch } µs for launching (assumed); the instructions of the assembler are modelled from the PTX
estimate-speed = { $gflops } GFLOP/s
estimate-launch = { $source ->
    [estimated] { $registers } registers per thread (estimated)
   *[other] { $registers } registers per thread (known)
}, room for { $resident } blocks at once on an SM, { $waves } waves of blocks
estimate-stalls = where the warps' time goes: { $shares } (the barrier's share is usually too large and that of MIO throttle too small; 100 of 126 such shares were within 10 points of Nsight Compute's)
estimate-without = { $part ->
    [SharedMemory] if shared memory cost nothing: { $times } times as fast
    [GlobalMemory] if global memory cost nothing: { $times } times as fast
    [Arithmetic] if arithmetic cost nothing: { $times } times as fast
    [Barriers] if barriers cost nothing: { $times } times as fast
    [BlockStarts] if starting a block cost nothing: { $times } times as fast
   *[Tail] if all SMs were full to the end: { $times } times as fast
}
estimate-none = There is no estimate for { $device }. { $why }
estimate-unmet = The kernel must meet all goals first.
estimate-no-device = There are no constants of `{ $name }`. Known: { $known }, or a file of measured constants.
estimate-bad-device = The constants of `{ $name }` cannot be read: { $why }.
estimate-impossible = The constants of `{ $name }` are those of no GPU: { $constant }.
estimate-no-error = The errors of other estimates are not known.
estimate-instruction = The model does not know `{ $name }` (PTX line { $line }).
estimate-unreadable = The model cannot follow the PTX in line { $line }: it expects one instruction per line and no called functions.
estimate-spilled = The assembler keeps { $bytes } bytes per thread in local memory. The model does not count their loads and stores.
estimate-may-spill = The kernel may have fewer registers than the model counts. If the assembler keeps values in local memory, the model does not count that.
estimate-cluster = The model does not know cooperative launches, nor clusters of more than two blocks.
estimate-spills = The kernel seems to need { $needs } registers per thread and may have { $most }. The model does not know what keeping the rest in local memory costs.
estimate-stuck = In the simulation, warps wait for each other without end.
estimate-too-large = No block fits on an SM.
estimate-faulted = The emulator stopped the kernel: { $why }
estimate-cancelled = It was cancelled.
estimate-doing = estimating { $kernel }
estimate-accuracy = A simulation of one SM estimated this time{ $source ->
    [assembler] , with the registers that the assembler takes
   *[ptx] {""}
 }. It was compared with { $kernels } other launches of matrix products on an { $device }: nine of ten measured times were within a factor of { $factor } of the estimate.{ $here ->
    [other] { " " }None of these launches was on this GPU.
   *[here] {""}
 }
estimate-interval = { $low } to { $high }
estimate-brief = Estimated for an { $device } at { $row }
estimate-row = { $shape }: { $time } ({ $interval }), { $speed }.
estimate-share = { $choice ->
    [best] That is { $share } of the recorded speed of cuBLAS's fastest choice.
   *[other] That is { $share } of the recorded speed of cuBLAS's default choice.
}
estimate-near = The nearest bound is { $bound ->
    [DataPipe] the data pipe of L1
    [Schedulers] the issue slots
    [L2] L2
    [Memory] global memory
   *[Float] arithmetic
}, busy { $share } of the time.
estimate-far = No bound is near. The nearest is { $bound ->
    [DataPipe] the data pipe of L1
    [Schedulers] the issue slots
    [L2] L2
    [Memory] global memory
   *[Float] arithmetic
}, busy { $share } of the time.
estimate-latency = The rest is latency: warps spend { $share } of their time waiting { $stall ->
    [LongScoreboard] for data from L2 or global memory.
    [ShortScoreboard] for data from shared memory.
    [MioThrottle] for room in the queue of the data pipe.
    [LgThrottle] for room in the queue to L2.
    [Barrier] at barriers, for other warps.
    [Tensor] for products of the tensor cores.
    [MathPipeThrottle] for a busy arithmetic pipe.
   *[other] for results of their own instructions.
}
estimate-bounds = cycles per 32 multiply-adds: data pipe { $pipe } (busy { $pipe_busy }), issue slots { $issue } ({ $issue_busy }), arithmetic { $arithmetic } ({ $arithmetic_busy })
estimate-data-pipe = wavefronts of the data pipe: shared loads { $loads }, shared stores { $stores }, global lines { $global }, copies { $copies }, barriers and waits { $others }
estimate-idle = SMs are idle: the blocks fill the GPU { $waves } times.
estimate-starts = Each block has so little work that starting it takes part of the time.
estimate-does = { $stall ->
    [Selected] starts an instruction
    [LongScoreboard] waits for global memory (long scoreboard)
    [ShortScoreboard] waits for shared memory (short scoreboard)
    [Wait] waits a fixed time for a result (wait)
    [MioThrottle] waits for room in the queue of the data pipe (MIO throttle)
    [LgThrottle] waits for room in the queue to L2 (LG throttle)
    [MathPipeThrottle] waits for a busy pipe (math pipe throttle)
    [Tensor] waits for products of the tensor cores (tensor)
    [Barrier] waits at a barrier, for other warps or for copies (barrier)
    [NotSelected] could start an instruction, but another warp was chosen (not selected)
   *[other] has not begun or has ended
}
