# A kernel on a page.

code-title = code: { $file }
code-title-region = code: { $file }, region “{ $region }”
code-title-both = { $file } and its PTX
code-title-ptx = PTX of { $kernel }
code-launch = n = { $n }, { $batch ->
    [1] { $shared }
   *[other] batch = { $batch }, { $shared }
}
code-no-shared = no shared memory
code-shared = { $bytes } bytes shared
code-more-ptx = { $count } more
code-no-kernel = The catalogue has no kernel `{ $kernel }`.
code-no-ptx = `{ $kernel }` has no PTX; `matmul-tutor course build` compiles it.
code-no-region = { $file } has no region `{ $region }`.
