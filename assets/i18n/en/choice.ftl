# The variants of a kernel for a shape, ranked by the model.
choice-for = predicted for { $device }
choice-variant = variant
choice-blocks = blocks/SM
choice-waves = waves
choice-steps = steps
choice-time = µs
choice-loss = Over { $pairs } measured pairs of a shape and a GPU, the first variant loses { $mean } on average and { $worst } at worst, compared with the fastest. Always using the same variant loses { $always } on average.
choice-others = Those pairs were measured on { $gpus }; no variant was timed on this GPU.
choice-unknown = The model has no data for this kernel: no variant of its current version was measured.
choice-more = { $n ->
    [one] One more variant is slower.
   *[other] { $n } more variants are slower.
}
choice-sign-bar = predicted time
