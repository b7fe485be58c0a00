# `matmul-tutor run`: the result of one run.

run-cli-emulator = SIMT emulator
run-cli-on = on { $device }
run-cli-on-driver = on { $device }, driver { $driver }
run-cli-emulated = On the emulator: { $why }
run-cli-instead = `{ $asked }` does not support this shape ({ $why }), so `{ $runs }` runs instead.

run-cli-result = result
run-cli-not-compared = not compared
run-cli-right = all { $elements } elements of C are correct; largest relative error { $error }
run-cli-wrong = { $wrong } of { $elements } elements of C are wrong
run-cli-wrong-expected = { $wrong } of { $elements } elements of C are wrong, as this kernel is meant to show
run-cli-against = compared with { $what }

run-cli-time = time
run-cli-no-time = none: an emulator's time says nothing about a GPU
run-cli-interval = (95 % interval of the median: { $low } to { $high }; { $launches } launches)
run-cli-speed = speed
run-cli-of-cublas = { $share } of { $name } ({ $speed })
run-cli-host = launch
run-cli-variant = variant
run-cli-recorded = recorded on { $device }, driver { $driver }, { $date }

run-cli-counted-all = counted on the emulator in all blocks, per PTX instruction
run-cli-counted-some = counted on the emulator in { $part } of { $all } blocks, per PTX instruction
run-cli-counted-some-checked = counted on the emulator in { $part } of { $all } blocks, per PTX instruction; the result was checked in all
run-cli-global-loads = global loads
run-cli-global-stores = global stores
run-cli-copies = async copies
run-cli-shared-loads = shared loads
run-cli-shared-stores = shared stores
run-cli-requests = { $count } requests
run-cli-sectors = sectors
run-cli-wavefronts = wavefronts
run-cli-each = ({ $each } per request, ideal { $best })
run-cli-intensity = intensity
run-cli-intensity-is = { $flop } FLOP over { $bytes } bytes requested from global memory: { $ratio } FLOP/byte

run-cli-undefined = undefined
run-cli-hazard = hazard
run-cli-by-luck = With a hazard, a correct result is only luck. It does not count as verified.
run-cli-beyond = The catalogue's `{ $kernel }` does not support this shape ({ $why }). The submitted kernel runs all the same.
run-cli-called = { $place } (called at line { $line })
run-cli-read = read by thread { $thread } at { $place }
run-cli-write = write by thread { $thread } at { $place }
run-cli-times = { $n ->
    [one] once
   *[other] { $count } times
}

run-cli-printed = printed by the kernel
run-cli-printed-cut = … and { $bytes } more bytes, not shown.
