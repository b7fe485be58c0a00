# The variants of a kernel for a shape, ranked by the model.
choice-for = predicted for { $device }
choice-variant = variant
choice-blocks = blocks/SM
choice-waves = waves
choice-steps = steps
choice-time = µs
choice-loss = Over { $pairs } measured pairs of a shape and a GPU, the first one loses { $mean } % in the mean and { $worst } % at worst against the fastest. Always the same one loses { $always } % in the mean.
choice-others = That was on { $gpus }; on this GPU no variant was timed.
choice-unknown = The model knows nothing of this kernel: no variant of it was measured as it is.
choice-more = { $n ->
    [one] One more variant is slower.
   *[other] { $n } more variants are slower.
}
choice-sign-bar = predicted time
