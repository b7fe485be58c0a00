ilp-what = FMAs of an SM in a cycle
ilp-recorded = recorded on { $device }
ilp-sums = sums a thread
ilp-warps = warps an SM
ilp-bar = { $n ->
    [one] { $n } sum
   *[other] { $n } sums
}
ilp-of = { $n } of { $most }
ilp-idle = { $n } of { $all } schedulers has a warp.
ilp-independent = { $n ->
    [one] A scheduler has { $n } independent FMA. Each takes { $takes } cycles, so it needs { $takes } to start one in every cycle.
   *[other] A scheduler has { $n } independent FMAs. Each takes { $takes } cycles, so it needs { $takes } to start one in every cycle.
}
ilp-source = Each FMA of a sum waits for the one before; { $date }, driver { $driver }.
ilp-sign-bar = multiply-adds in a cycle, of those that could be
