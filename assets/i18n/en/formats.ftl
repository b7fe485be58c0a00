formats-parts = sign, exponent, fraction
formats-lost = lost { $share }
formats-overflow = overflow
formats-infinity = infinity
formats-sum = Only the factors are rounded here, not the sum of their products.
formats-products = { $count ->
    [one] 1 product
   *[other] { $count } products
}
formats-summed = One of the six products that are summed, with its share of x · y.
formats-kept = A sum of 8-bit products keeps the bits before |
formats-bits = { $count } bits
formats-added = { $part } of { $whole } is added
