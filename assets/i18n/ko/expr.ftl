# What is wrong with an expression: an index, a formula, a typed number.

expr-too-long = 식이 { $most }바이트보다 깁니다.
expr-too-deep = 식이 너무 깊이 중첩되어 있습니다
expr-want-operator = 식의 끝이나 `+`, `%`, `<`, `==` 같은 C 연산자가 와야 합니다
expr-want-number = 수가 와야 합니다
expr-want-value = 수, 이름, `(` 중 하나가 와야 합니다
expr-want-close = `)` 기호가 와야 합니다
expr-want-more = `,` 또는 `)` 기호가 와야 합니다
expr-found = { $what }. 실제로 있는 것: { $found }.
expr-the-end = 식의 끝
expr-no-function = `{ $name }`: 모르는 함수입니다.
expr-no-name = `{ $name }`: 모르는 이름입니다.
expr-arguments = `{ $name }` 함수의 인수는 { $takes }개입니다. 지금은 { $given }개입니다.
expr-wrong-count = 인수의 개수가 맞지 않습니다.
expr-overflow = 결과가 64비트 정수에 들어가지 않거나, 0으로 나누었습니다.
expr-not-whole = { $number }: 정수가 아닙니다.
expr-not-finite = 결과가 유한한 수가 아닙니다.
expr-bits = 비트 연산자와 논리 연산자에는 정수가 필요합니다.
