# `class grade`: what a class handed in.

grade-no-file = { $file } 파일이 없습니다.
grade-none = 제출한 것 중에 `….{ $extension }` 파일이 없습니다.
grade-one = 이 형식은 제출물 하나를 받는데 지금 { $files }개입니다.
grade-one-help = 플랫폼처럼 한 번에 파일 하나를 채점하세요.
grade-progress = { $of }개 중 { $done }개를 채점했습니다.
grade-row = { $student }  { $file }  { $points }  { $seconds }초  { $mib } MiB  { $state }
grade-sum = { $of }개 중 { $passed }개 통과. 시드는 { $seed }입니다.
grade-seeded = { $text } (시드 { $seed })
grade-line = 적은 줄에는 잘못이 없습니다.
grade-time = 허용된 시간을 넘어 중단했습니다.
grade-memory = 허용된 메모리를 넘어 중단했습니다.
grade-keep = { $file } 파일에 쓸 수 없습니다: { $why }
grade-kept = { $of }개 중 { $kept }개는 { $file }에서 가져왔습니다.
grade-untouched = 제출한 파일이 시작 코드 그대로이거나 비어 있습니다.
grade-missing = 학생이 낸 `….{ $extension }` 파일이 없습니다.
grade-missing-but = 학생이 낸 `….{ $extension }` 파일이 없고 { $files }{ $more ->
    [0] { "" }
   *[other] { " " }외 { $more }개
}만 있습니다.
grade-nothing = 학생이 낸 것이 없습니다. `{ $name }`: 없음.
grade-too-many = `….{ $extension }` 파일이 { $files }개입니다: { $names }. 하나만 제출하세요.
grade-crash = 이 제출물을 판정하는 프로세스가 매번 끝나 버리지만 풀이는 판정할 수 있습니다. { $why }
grade-not-even = 한도를 넘었지만, 여기서는 풀이조차 한도 안에서 판정할 수 없습니다.
grade-several = 이 학생은 파일 { $files }개를 냈습니다.
grade-several-counts = 이 학생은 파일 { $files }개를 냈습니다. 점수가 가장 높은 `{ $file }` 파일을 셉니다.
grade-several-of = 파일을 여러 개 낸 학생(점수가 가장 높은 파일을 셉니다): { $students }.
grade-without = 표에 있지만 그 이름으로 낸 것이 없는 학생: { $students }.
grade-without-one = { $name }(`{ $key }`, { $line }번 줄)
grade-older = 마지막 시도만 셉니다. 앞선 시도도 있는 학생: { $students }.
grade-clock = 시계를 읽습니다. GPU에서는 실행할 때마다 시계 값이 다릅니다.
grade-no-id = 플랫폼의 압축 파일에 번호가 없어 표에 없는 학생: { $students }.
grade-late = 플랫폼에 늦은 제출로 표시되어 있습니다.
grade-archive = { $file } 파일은 압축 파일입니다.
grade-archive-help = 압축을 풀고 그 디렉터리를 지정하세요.
grade-names-line = { $file }의 { $line }번 줄: 한 줄은 파일이나 폴더, 쉼표, 이름입니다.
grade-names-columns = { $file } 파일은 열이 셋 이상인데, 첫 줄에 제출물과 학생의 열 이름이 없습니다. 쓸 수 있는 열 이름: { $known }.
grade-names-head = 표의 첫 줄이 열 이름이라면 다음 이름 중에서 쓰세요: { $known }.
grade-names-twice = { $file }의 { $first }번과 { $second }번 줄: `{ $key }`에 학생이 둘입니다: { $one }, { $other }. 한 줄을 지우거나 두 이름을 한 줄에 쓰세요.
grade-names-again = { $file }의 { $first }번과 { $second }번 줄이 모두 `{ $key }` 학생의 이름입니다.
grade-names-encoding = { $file } 파일은 UTF-8이 아니어서 { $encoding }로 읽었습니다. 이름이 이상하면 UTF-8로 저장하세요.
grade-part = 부분은 번호, `/`, 부분의 개수로 씁니다. 예: `3/10`.
grade-weights = 배점이 아닌 값: `{ $part }`. 배점은 `compiles`, `runs`, `results`, `hazards`, `counts` 중 하나와 `=`, 1000까지의 수입니다.
grade-similar = 비슷한 제출물: { $students }.
grade-similar-note = 구조가 비슷한 제출물이 있습니다. 이것은 아무것도 증명하지 않습니다. 짧은 연습에는 맞는 풀이가 몇 가지뿐이고, 고쳐 쓴 베끼기는 찾지 못합니다. 판단하기 전에 두 글을 모두 읽으세요.
grade-unwritten = 결과를 보관하거나 보고서를 쓸 수 없습니다: { $why }. 판정은 계속합니다.
grade-reports = 보고서 폴더를 만들 수 없습니다: { $why }.
grade-met = 달성
grade-unmet = 미달
grade-unjudged = 판정하지 않음
grade-report-file = 파일
grade-report-verdict = 판정
grade-report-points = 점수
grade-report-goal = 목표
grade-report-again = 같은 입력으로 다시 하려면: matmul-tutor exercise check { $exercise } { $file } --seed { $seed }
