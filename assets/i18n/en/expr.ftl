# Errors in an expression: an index, a formula, a typed number.

expr-too-long = The expression is longer than { $most } bytes.
expr-too-deep = The expression is nested too deeply
expr-want-operator = Expected the end or an operator of C, such as `+`, `%`, `<` or `==`
expr-want-number = Expected a number
expr-want-value = Expected a number, a name or `(`
expr-want-close = Expected `)`
expr-want-more = Expected `,` or `)`
expr-found = { $what }, found { $found }.
expr-the-end = the end
expr-no-function = Unknown function `{ $name }`.
expr-no-name = Unknown name `{ $name }`.
expr-arguments = `{ $name }` takes { $takes ->
        [one] one argument
       *[other] { $takes } arguments
    }, not { $given }.
expr-wrong-count = Wrong number of arguments.
expr-overflow = The result does not fit 64-bit integers, or divides by zero.
expr-not-whole = { $number } is not a whole number.
expr-not-finite = The result is not a finite number.
expr-bits = Bit and logical operators need whole numbers.
