# `seal`, and exams

seal-there = `{ $directory }` already exists.
seal-written = Wrote { $directory }: { $files } files without answer keys. Students hand in the file that `export-progress` writes. `results --exam '{ $exam }'` grades it with the full course.
seal-kept = Your { $questions } answers are kept. Your instructor grades them: hand in the file that `matmul-tutor export-progress FILE` writes.
seal-regraded = { $attempts ->
    [one] One attempt was
   *[other] { $attempts } attempts were
} graded by this course.
seal-other-draw = { $student }: the questions of { $level } were not drawn for this student in this exam.
seal-not-asked = { $items ->
    [one] { $student }: one answer of { $level } does not count. The exam did not ask this student that question, or the file contains its answer twice.
   *[other] { $student }: { $items } answers of { $level } do not count. The exam did not ask this student those questions, or the file contains their answers twice.
}
seal-marks = { $student }: the file states marks for { $level }. They do not count.
