divergence-issued = issued: { $n } instructions
divergence-no-condition = no condition
divergence-condition = condition
divergence-then-steps = then, steps
divergence-else-steps = else, steps
divergence-names = formula of lane; 0 means no
divergence-then = then
divergence-else = else
divergence-side = { $n } for { $lanes ->
    [one] one lane
   *[other] { $lanes } lanes
}
divergence-one-way = All lanes go one way, so the other side is not issued.
divergence-one-empty = The lanes separate, but one side has nothing to do: the other lanes only sit out.
divergence-both = Both sides are issued, one after the other.
divergence-alone = The emulator counts { $all } instructions of the warp. If all lanes took the first side, it would be { $then }; with the second side, { $other }.
divergence-step = Each step of a side is { $n } instructions: the addition or multiplication, and those of the loop.
divergence-sign-takes-part = a lane that takes this side
divergence-sign-sits-out = a lane that sits out
