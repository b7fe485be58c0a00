# A kernel on a page.

code-title = code: { $file }
code-title-region = code: { $file }, region “{ $region }”
code-title-both = { $file } and its PTX
code-title-ptx = PTX of { $kernel }
code-launch = n = { $n }, { $shared }
code-no-shared = no shared memory
code-shared = { $bytes } bytes shared
code-more-ptx = { $count } more
code-no-kernel = There is no kernel `{ $kernel }` in the catalogue.
code-no-ptx = `{ $kernel }` has no PTX; `matmul-tutor kernels build` makes it.
code-no-region = { $file } has no region `{ $region }`.
