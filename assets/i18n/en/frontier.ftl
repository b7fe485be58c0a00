# Error against speed of FP32 products.
frontier-what = error against speed
frontier-recorded = recorded on { $device }
frontier-way = way
frontier-products = { $n ->
    [one] { $n } product
   *[other] { $n } products
}
frontier-promoted = { $n ->
    [one] { $n } product, promoted
   *[other] { $n } products, promoted
}
frontier-first = { $name }: { $speed } TFLOP/s, error { $error }. Nothing here is both faster and more accurate: it is on the frontier.
frontier-beaten = { $name }: { $speed } TFLOP/s, error { $error }. { $other } is at least as fast and at least as accurate.
frontier-grows = Error at n = 1024, 4096 and 8192: { $errors }; on numbers between 0 and 1 at 4096: { $uniform }.
frontier-source = Errors as a norm against float64, normal random data. { $date }, driver { $driver }, cuBLAS { $cublas }.
frontier-none = Nothing has been recorded.
frontier-sign-library = a library's product
frontier-sign-promoted = products of bf16 parts, promoted
frontier-sign-cut = products of bf16 parts, summed by the tensor cores alone
