# The roofline: arithmetic intensity against a device's limits.

roofline-source = { $device }, recorded, driver { $driver }, { $date }
roofline-unmeasured = { $device }: its limits were not measured
roofline-no-room = The plot needs more room than there is here: z gives it the whole screen.
roofline-no-roof = No roof: this device's multiply-add rate and bandwidth were not measured.
roofline-measured = { $speed }, measured
roofline-recorded = { $speed }, recorded
roofline-no-time = no time
roofline-arithmetic = arithmetic's side
roofline-memory = memory's side
roofline-counting = counting
roofline-enter = Not counted yet. When you open the picture, the emulator counts what each kernel computes and requests.
roofline-above = { $count ->
    [one] { $names } is above memory's slope: caches serve most of its requests.
   *[other] { $names } are above memory's slope: caches serve most of their requests.
  }
roofline-balance = { $speed } of arithmetic over { $bandwidth } TB/s of copying: the balance point is { $balance } FLOP/byte.
roofline-sign-slope = what the device's memory could feed at this intensity
roofline-sign-flat = what its arithmetic reaches
roofline-sign-letter = a kernel at its intensity and speed
roofline-sign-line = a kernel without a time, at its intensity
