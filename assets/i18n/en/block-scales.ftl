# Numbers of a block that share a scale.
block-scales-what = A block of { $size } numbers has one scale
block-scales-bits = { $bits } bits per number
block-scales-format = format
block-scales-number = number
block-scales-value = value
block-scales-divided = / scale
block-scales-stored = stored
block-scales-becomes = becomes
block-scales-power = The largest magnitude is { $most }, and the largest { $element } number is { $top }. Their exponents give the scale { $value }, stored as { $bits }.
block-scales-fine = The largest magnitude is { $most }, and the largest { $element } number is { $top }. Their quotient gives the scale { $value }: { $stored } in E4M3, stored as { $bits }, times { $matrix } for the whole matrix.
block-scales-off = off by { $share }
