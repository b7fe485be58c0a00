# `course seal`, and exams

seal-there = `{ $directory }` already exists.
seal-no-name = The exam needs a name.
seal-errors = { $errors ->
    [one] The course has one error, so it is not sealed.
   *[other] The course has { $errors } errors, so it is not sealed.
}
seal-errors-left = { $errors ->
    [one] The sealed course would have one error, so nothing was written.
   *[other] The sealed course would have { $errors } errors, so nothing was written.
}
seal-written = Wrote { $directory }: { $files } files without answer keys. Students hand in the file that `export-progress` writes. `class results --exam '{ $exam }'` grades it with the full course.
seal-kept = Your answers are kept, and your instructor grades them.{ $open ->
    [0] { "" }
    [one] { " " }One question has no answer.
   *[other] { " " }{ $open } questions have no answer.
}
seal-hand-in = Hand in the file that `matmul-tutor export-progress FILE` writes, with the same `--course` and `--student`.
seal-open = Answers that are not submitted are not in the file. An attempt is open at: { $levels }.
seal-gate = **{ $questions } questions, drawn for { $student }.**
seal-about = The tutor keeps your answers and does not grade them. Your instructor does. You may leave at any time, and continue later. Submit when you have finished. Then hand in the file that `matmul-tutor export-progress FILE` writes, with the same `--course` and `--student`.
seal-again = You have submitted answers. Another attempt asks the same questions and begins with these answers. The attempt that you submit last counts.
seal-asks = { $questions ->
    [one] one question
   *[other] { $questions } questions
}
seal-answers-kept = answers kept
seal-gates-kept = { $kept } of { $of } kept
seal-question = Question { $number }
seal-regraded = { $attempts ->
    [one] One attempt was
   *[other] { $attempts } attempts were
} graded by this course.
seal-foreign = { $attempts ->
    [one] One attempt at { $level } does not count. It was not drawn for this student in this exam.
   *[other] { $attempts } attempts at { $level } do not count. They were not drawn for this student in this exam.
}
seal-others = { $attempts ->
    [one] One other attempt does not count, because it is not from this exam.
   *[other] { $attempts } other attempts do not count, because they are not from this exam.
}
seal-nothing = The file contains no submitted attempt.
seal-no-exercise = This page shows an exercise, which the exam does not contain.
seal-other-day = The attempt of { $time } is more than a day from the median of the class, { $median }, by the student's clock.
seal-unnamed = The file does not name its exam. `export-progress` writes the name, so someone has removed it.
seal-legend = Number of correct answers in the last attempt, bold if they are enough to pass.
seal-questions = Questions
seal-not-asked = { $items ->
    [one] One answer of { $level } does not count. The exam did not ask this student that question, the file contains its answer twice, or the course was changed after it was sealed.
   *[other] { $items } answers of { $level } do not count. The exam did not ask this student those questions, the file contains their answers twice, or the course was changed after it was sealed.
}
seal-marks = The file states marks for { $level }. They do not count.
seal-several = The file has { $attempts } attempts at { $level }. The last one counts.
seal-other-exam = The file is from the exam `{ $of }`, not from `{ $exam }`.
seal-ungraded = { $attempts ->
    [one] One attempt is from an exam and has no grade.
   *[other] { $attempts } attempts are from an exam and have no grade.
} `class results --exam '{ $exam }'` grades it.
seal-no-exam = { $count ->
    [0] No file has an attempt at the exam `{ $exam }`.
   *[other] No file has an attempt at the exam `{ $exam }`. The files are from: { $known }.
}
seal-no-exam-help = `--exam` takes the name that `course seal --exam` got, letter by letter.
seal-no-keys = This course is sealed for the exam `{ $exam }` and has no keys. Give the full course with `--course`.
