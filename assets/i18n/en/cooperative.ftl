cooperative-what = block ({ $bx }, { $by }), t = { $t }
cooperative-thread = thread ({ $tx }, { $ty })
cooperative-loads = loads
cooperative-reads = reads
cooperative-warp = warp
cooperative-into = { $from } into { $to }
cooperative-row-and-column = the row A_tile[{ $ty }][0…{ $last }] and the column B_tile[0…{ $last }][{ $tx }]
cooperative-sectors = { $warp }: loads its part of A in { $a ->
    [one] { $a } sector
   *[other] { $a } sectors
}, of B in { $b }
cooperative-formula = All threads alike: { $a } and { $b } with { $row }, { $column }
cooperative-sign-loads = the element that the chosen thread loads
cooperative-sign-reads = elements that it reads when it multiplies
cooperative-sign-warp = elements that its warp loads
cooperative-sign-other = elements that other warps load
