ilp-what = FMAs per SM and cycle
ilp-recorded = recorded on { $device }
ilp-sums = sums per thread
ilp-warps = warps per SM
ilp-bar = { $n ->
    [one] { $n } sum
   *[other] { $n } sums
}
ilp-of = { $n } of { $most }
ilp-idle = { $n } of { $all } schedulers has a warp.
ilp-independent = { $n ->
    [one] A scheduler has { $n } independent FMA. Each takes { $takes } cycles, so the scheduler needs { $takes } to start one per cycle.
   *[other] A scheduler has { $n } independent FMAs. Each takes { $takes } cycles, so the scheduler needs { $takes } to start one per cycle.
}
ilp-source = Each FMA of a sum waits for the previous one; { $date }, driver { $driver }.
ilp-sign-bar = multiply-adds per cycle, out of the maximum
