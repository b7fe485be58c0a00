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
register-tile-legend = a and b are registers, numbered from 0{ $width ->
    [1] .
   *[other] ; { $join } joins those of one load.
} { $sum } is a sum with { $done } of its { $depth } terms.
register-tile-sign-number = the numbers of A and B in registers, by their index
register-tile-sign-load = joins the numbers that one load brings
register-tile-sign-terms = a sum: the darker, the more of its terms it has
