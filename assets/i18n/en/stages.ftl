stages-what = { $n ->
    [one] { $n } stage, { $tiles } tiles
   *[other] { $n } stages, { $tiles } tiles
}
stages-cycles = { $n } cycles
stages-stages = stages
stages-load = load, cycles
stages-multiply = multiply, cycles
stages-l1 = L1
stages-l2 = L2
stages-memory = memory
stages-page-s = the page's number
stages-recorded = { $memory }, recorded: { $device }
stages-stage = stage { $n }
stages-multiplies = multiplies
stages-waited = For { $waiting } of { $total } cycles nothing is multiplied: { $share }.
stages-faster = That is { $times } times as fast as one stage.
stages-added = Loading and multiplying alternate: one tile every { $period } cycles.
stages-load-bound = { $n ->
    [one] One tile ahead is not enough: a tile every { $period } cycles, when its load is done.
   *[other] { $n } tiles ahead are not enough: a tile every { $period } cycles on average.
}
stages-hidden = All loads but the first are hidden: a tile every { $period } cycles.
stages-tile-said = Tile { $n }: requested at { $load }, arrives at { $there }, multiplied from { $begin } to { $end }.
stages-sign-load = a tile in flight; the digit is its number
stages-sign-there = it has arrived and waits
stages-sign-multiply = it is being multiplied
stages-sign-wait = no multiplication
