formats-parts = sign, exponent, fraction
formats-lost = lost { $share }
formats-overflow = overflow
formats-infinity = infinity
formats-sum = Only the factors are rounded here; tensor cores add the products in FP32.
