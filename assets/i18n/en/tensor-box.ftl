tensor-box-what = box of { $rows } × { $columns }
tensor-box-over = matrix of { $rows } × { $columns }, 2 bytes each
tensor-box-column = first column
tensor-box-row = first row
tensor-box-swizzle = swizzle
tensor-box-piece = marked piece
tensor-box-128 = 128 B
tensor-box-none = none
tensor-box-in-matrix = the box
tensor-box-in-shared = in shared memory
tensor-box-row-of = row { $n }
tensor-box-zeros = { $n } of { $all } pieces are zeros
tensor-box-wavefronts = { $n ->
    [one] read by 8 lanes: { $n } wavefront
   *[other] read by 8 lanes: { $n } wavefronts
}
tensor-box-bytes = All { $bytes } bytes are counted at the mbarrier.
tensor-box-sign-piece = 16 bytes, by their place in the box's row
tensor-box-sign-part = 16 bytes, some of them zeros
tensor-box-sign-zeros = 16 bytes of zeros, from outside the matrix
