occupancy-what = H200: { $warps } of { $all } warps
occupancy-blocks = { $n ->
    [0] no block fits
    [one] { $n } block on an SM
   *[other] { $n } blocks on an SM
}
occupancy-kernel = kernel
occupancy-of-kernel = { $kernel } ({ $assembler }, sm_90a)
occupancy-own = your own numbers
occupancy-threads = threads per block
occupancy-registers = registers per thread
occupancy-shared = shared memory, B
occupancy-grid = blocks of the grid
occupancy-multiprocessors = SMs
occupancy-room = { $n ->
    [one] { $n } fits
   *[other] { $n } fit
}
occupancy-none = Not even one block fits: the launch is refused.
occupancy-by-registers = { $n ->
    [one] Registers permit one block.
   *[other] Registers permit { $n } blocks.
}
occupancy-by-shared = { $n ->
    [one] Shared memory permits one block.
   *[other] Shared memory permits { $n } blocks.
}
occupancy-by-warps = { $n ->
    [one] The limit of { $all } warps permits one block.
   *[other] The limit of { $all } warps permits { $n } blocks.
}
occupancy-by-blocks = No SM takes more than { $n } blocks.
occupancy-share = Occupancy: { $warps } of { $all } warps, { $share }.
occupancy-registers-taken = A block takes { $block } of { $all } registers.
occupancy-registers-rounded = { $registers } registers are given as { $given }, so a block takes { $block } of { $all }.
occupancy-waves-title = waves
occupancy-wave = wave { $n }
occupancy-full-waves = waves 1 to { $last }
occupancy-of = { $blocks } of { $all }
occupancy-no-waves = Nothing runs.
occupancy-all-full = { $n ->
    [one] The one wave is full.
   *[other] All { $n } waves are full.
}
occupancy-idle = { $idle } of { $all } SMs have nothing to do: { $lost } of the capacity is lost.
occupancy-lost = { $waves } waves take as long as { $count }, if all blocks take equally long: { $lost } is lost.
occupancy-sign-blocks = what each block takes, alternating
occupancy-sign-empty = what is left
occupancy-sign-limit = the resource that limits the number of blocks
