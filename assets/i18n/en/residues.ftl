# An integer or a small product by residues.
residues-range = from { $least } to { $most }
residues-element = element
residues-factor = A times
residues-step = step
residues-moduli = moduli
residues-left = not used: { $moduli }
residues-digit = q is the inverse of P/p modulo p. d = q · x modulo p.
residues-exact = exact
residues-by = mod { $p }
residues-result = result
residues-sum = Sum for { $name }
residues-right = x is in the range, so the result is x.
residues-all-right = Every element is in the range, so every result is exact.
residues-wrong = { $name } is out of range. Its result { $result } is { $is }.
residues-sign-rows = the next row of a matrix
