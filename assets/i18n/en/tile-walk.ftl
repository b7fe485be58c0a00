tile-walk-what = { $n }×{ $n }, tiles of { $tile }×{ $tile }
tile-walk-to-come = t = 0…{ $last } to come
tile-walk-last = t = { $t }, the last: done
tile-walk-step = t = { $t } of 0…{ $last }
tile-walk-begin = The block computes C[{ $row }][{ $column }]. Step, and watch what it loads.
tile-walk-loads = Loads A[{ $row }][{ $k }] and B[{ $k }][{ $column }]: { $a } + { $b } elements, { $bytes } bytes.
tile-walk-reuse = Each loaded element is used { $n } times, by { $n } threads.
tile-walk-reuse-each = Each element of A is used { $a } times, each of B { $b } times.
tile-walk-tiled = tiled
tile-walk-naive = naive
tile-walk-bytes = { $n } bytes
tile-walk-fewer = { $n }× fewer
tile-walk-sign-now = the tile that is in shared memory; in C, the share of the sum that is done
tile-walk-sign-past = a tile that was in shared memory
tile-walk-sign-next = a later tile
tile-walk-sign-step = the step in which a tile is loaded
