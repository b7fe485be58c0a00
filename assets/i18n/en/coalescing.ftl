coalescing-rows-of = rows of { $pitch }, k = { $k }
coalescing-broken = The { $field }: { $why }
coalescing-sectors = { $n ->
    [one] { $n } sector
   *[other] { $n } sectors
}
coalescing-more = and { $n } more
coalescing-broadcast = 1 sector: one word for { $lanes } lanes
coalescing-ideal = { $n ->
    [one] { $n } sector
   *[other] { $n } sectors
}: coalesced, every byte moved is used
coalescing-each-lane = { $n } sectors where { $ideal } would be enough: one per lane
coalescing-more-than = { $n } sectors where { $ideal } would be enough
coalescing-share = { $used } of { $moved } bytes moved are used: { $share }.
coalescing-lane = In { $element }, lane { $lane } is at row { $row }, column { $column }: byte { $byte }.
coalescing-apart = In { $element }, lanes 0 and 1 are { $bytes } bytes apart.
coalescing-byte = byte = (row·{ $pitch } + column)·{ $width }.
coalescing-swap = y swaps x and y.
coalescing-swap-back = y swaps x and y back.
coalescing-no-swap = Swapping x and y does not change this picture.
coalescing-one-sector = Sector from byte { $first }: { $n ->
    [1] lane { $lanes }
   *[other] lanes { $lanes }
}, { $used } of 32 bytes used.
coalescing-legend-sector = a sector, 32 bytes
coalescing-legend-lane = the lane that reads
coalescing-legend-shared = several lanes
coalescing-legend-vain = moved but not used
