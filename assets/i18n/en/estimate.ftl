### Estimated times.

estimate-heading = Estimated for an { $device }, not measured.
estimate-time = { $ms } ms ({ $low } to { $high } ms), with { $launch } µs for launching (assumed); the instructions of the assembler are guessed from the PTX
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
    [other] { " " }No launch on this GPU was compared.
   *[here] {""}
 }
estimate-interval = { $low } to { $high }
estimate-brief = Estimated for an { $device } at { $row }
estimate-row = n = { $n }: { $time } ({ $interval }), { $speed }.
estimate-share = { $choice ->
    [best] That is { $share } of the recorded speed of cuBLAS's fastest choice.
   *[other] That is { $share } of the recorded speed of cuBLAS's default choice.
}
estimate-busy = { $unit ->
    [Float] The multiply-add pipes hold it back: they work { $share } of the time.
    [Integer] Integer arithmetic holds it back: its pipe works { $share } of the time.
    [Double] FP64 arithmetic holds it back: its pipe works { $share } of the time.
    [Special] Conversions and approximate functions hold it back: their pipe works { $share } of the time.
    [Tensor] The tensor cores hold it back: they work { $share } of the time.
    [DataPipe] The data pipe of L1 holds it back: it is busy { $share } of the time.
    [L2] L2 holds it back: data from it arrive { $share } of the time.
    [Memory] Global memory holds it back: data from it arrive { $share } of the time.
   *[Schedulers] The number of instructions holds it back: the schedulers start one in { $share } of the cycles.
}
estimate-held = { $unit ->
    [SharedMemory] Shared memory holds it back: warps wait for it { $share } of their time.
    [GlobalMemory] Global memory holds it back: warps wait for it { $share } of their time.
    [Arithmetic] Its own arithmetic holds it back: warps wait for results or pipes { $share } of their time.
    [Barriers] Barriers hold it back: warps wait there for other warps { $share } of their time.
    [BlockStarts] The start of blocks holds it back: each block has too little work.
   *[Tail] Idle SMs hold it back: the blocks fill the GPU { $waves } times.
}
estimate-held-two = Two things hold it back about equally: { $first ->
    [SharedMemory] shared memory
    [GlobalMemory] global memory
    [Arithmetic] arithmetic
    [Barriers] barriers
    [BlockStarts] the start of blocks
   *[Tail] idle SMs
} and { $second ->
    [SharedMemory] shared memory
    [GlobalMemory] global memory
    [Arithmetic] arithmetic
    [Barriers] barriers
    [BlockStarts] the start of blocks
   *[Tail] idle SMs
}.
estimate-held-none = No single unit or wait holds it back.
estimate-does = { $stall ->
    [Selected] starts an instruction
    [LongScoreboard] waits for global memory (long scoreboard)
    [ShortScoreboard] waits for shared memory (short scoreboard)
    [Wait] waits a fixed time for a result (wait)
    [MioThrottle] waits for room in the queue of the load and store unit (MIO throttle)
    [LgThrottle] waits for room in the queue to L2 (LG throttle)
    [MathPipeThrottle] waits for a busy pipe (math pipe throttle)
    [Tensor] waits for products of the tensor cores (tensor)
    [Barrier] waits at a barrier, for other warps or for copies (barrier)
    [NotSelected] could start an instruction, but another warp was chosen (not selected)
   *[other] has not begun or has ended
}
