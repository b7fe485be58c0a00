# `quiz --export`: what a format cannot express, after the name of the question

export-only-the-term = Type only the term.
export-which-line = The number of the line at fault?
export-which-consequence = What is the consequence?

export-no-pair-replies = { $name }: The format has no replies to single pairs. Every wrong answer gets the general reason.
export-counted-now = { $name }: The number was counted now. It is not counted again for grading.
export-not-counted = { $name }: Left out, because it cannot be counted: { $why }
export-two-questions = { $name }: Exported as two questions, one about the line and one about the consequence.
export-sets = { $name }: { $sets } of its { $all } sets of numbers are exported, each as a question.
export-not-finite = Left out, because its answer is not a finite number.

export-partial-marks = Moodle gives part of the points if some of the choices are right. Here, a student gets all points or none.
export-one-unit = Moodle takes `{ $unit }` after the number. It ignores every other unit and does not convert it.
export-letter-by-letter = Moodle compares the blanks letter by letter, not token by token. It accepts each answer as written and without spaces.
export-ordering = Moodle has ordering questions from version 4.4. Earlier versions need the plugin `qtype_ordering`.

export-no-units = GIFT has no units. The question names `{ $unit }`, and an answer with a unit is not a number.
export-arrow = Left out, because GIFT reads the `->` in the answer `{ $text }` as the sign of a pair. Moodle XML has this question.
export-mark = Left out, because it contains `{ $mark }`, which Moodle uses itself while it reads GIFT. Moodle XML has this question.
export-no-blanks = Left out, because GIFT has no blanks in code. Moodle XML has this question.
export-order-as-pairs = GIFT has no order. The question asks for pairs of a place and an event, and the reason is in the general feedback.
export-no-pair-reasons = GIFT has no reasons for pairs. They are in the general feedback.

export-qti-tolerance = The item accepts numbers within { $within } of the answer. Some programs ignore the tolerance of QTI's `equal`.
export-qti-unit = QTI compares numbers. An answer with a unit, such as `1 { $unit }`, is not a number and gets no point.
export-qti-blanks = Left out, because each item has one response and this question has several blanks. Moodle XML has this question.
