# The timeline: cycles of a simulated SM.

timeline-idle = Enter simulates the launch on one SM. You do not need a GPU.
timeline-running = Simulating the launch at n = { $n }: { $share }. X stops it.
timeline-stopped = Stopped. Enter simulates the launch again.
timeline-for = Estimated, not measured, for an { $device }, n = { $n }. { $blocks ->
    [one] One block fits on an SM.
   *[other] { $blocks } blocks fit on an SM.
  }
timeline-blocks = { $blocks ->
    [one] one block
   *[other] { $blocks } blocks
  } at once: { $time } ({ $interval })
