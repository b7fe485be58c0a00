# The error of an FP64 product from residues, by the number of moduli.
moduli-what = error, relative to ||a|| ||b||
moduli-largest = largest of { $count } elements
moduli-data = (u - 0.5) · exp({ $phi } · n)
moduli-count = moduli
moduli-reached = A plain { $name } sum has an error of { $error }. With { $count } moduli, the error is smaller.
moduli-not-reached = A plain { $name } sum has an error of { $error }. Even with { $count } moduli, the error is larger.
moduli-chosen = { $count } moduli: P = { $p }, so a scaled row has a norm of at most { $t }. The error is { $error }.
moduli-sign-bar = the error with a number of moduli; an eighth of a cell is a factor of 2
moduli-sign-line = the error of a plain sum in FP32, and in FP64
