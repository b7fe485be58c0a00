register-tile-what = One thread { $tm }×{ $tn }: k = { $done } of { $depth }
register-tile-per-fma = { $share } numbers read per FMA
register-tile-k = terms so far
register-tile-tm = rows TM
register-tile-tn = columns TN
register-tile-width = numbers/load
register-tile-sum = marked sum
register-tile-each-k = per k
register-tile-reads = { $tm } + { $tn } numbers for { $products } FMAs: { $share } per FMA.
register-tile-loads = { $n ->
    [one] { $n } load
   *[other] { $n } loads
}: { $share } for each FMA.
register-tile-registers = { $sums } sums and { $reads } numbers: { $all } registers.
register-tile-too-many = { $all } registers, but a thread has at most { $most }: some would be spilled.
register-tile-operands = sum[{ $row }][{ $column }] += a[{ $row }] · b[{ $column }]. Read once, a[{ $row }] serves { $tn } sums and b[{ $column }] serves { $tm }.
register-tile-sign-load = which load brings the number
register-tile-sign-terms = terms that the sum has so far
