thread-map-extent = C is { $m }×{ $n }
thread-map-along-columns = threadIdx.x along columns
thread-map-along-rows = threadIdx.x along rows
thread-map-owner = Thread ({ $x },{ $y }) of block ({ $bx },{ $by }): lane { $lane } of warp { $warp }.
thread-map-walk = It reads row { $i } of A and column { $j } of B.
thread-map-terms = { $done } of { $all } terms
thread-map-lanes = lanes
thread-map-warp-lanes = Lanes of its warp: { $lanes }.
thread-map-side-by-side = Neighbouring lanes are { $bytes } bytes apart in memory: coalesced.
thread-map-row-apart = Neighbouring lanes are a whole row, { $bytes } bytes, apart: uncoalesced.
thread-map-requests = Its warp, for one k: { $a_words } words of A in { $a_sectors ->
    [one] { $a_sectors } sector
   *[other] { $a_sectors } sectors
}, { $b_words } of B in { $b_sectors }. At the end: { $c_words } of C in { $c_sectors }.
thread-map-independent = Along k, each step needs the previous sum. Along i and j nothing waits: all { $all } sums can run at once.
thread-map-volume = { $m }·{ $n }·{ $k } = { $volume } multiply-adds, whatever the mapping.
thread-map-sign-now = the two elements that the chosen thread multiplies now
thread-map-sign-past = elements that it has multiplied
thread-map-sign-next = elements that it will multiply
thread-map-sign-chosen = the chosen element of C, with its thread's lane
thread-map-sign-lane = a lane of the chosen thread's warp; eight lanes share a colour
thread-map-sign-other = an element that this warp does not touch
thread-map-sum = sum of
