# The error of an FP64 product from residues, by the number of moduli.
moduli-what = error, relative to ||a|| ||b||
moduli-largest = largest of { $count } elements
moduli-data = (u - 0.5) · exp({ $phi } · n)
moduli-count = moduli
moduli-reached = A plain { $name } sum has { $error }, and { $count } moduli have less.
moduli-not-reached = A plain { $name } sum has { $error }, and even { $count } moduli have more.
moduli-chosen = { $count } moduli have { $error }. P is { $p }, and the norm of a scaled row is at most { $t }.
moduli-sign-bar = the error with a number of moduli; an eighth of a cell is a factor of 2
moduli-sign-line = the error of a plain sum in FP32, and in FP64
