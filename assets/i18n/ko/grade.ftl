# `grade`: what a class handed in.

grade-no-file = { $file } 파일이 없습니다.
grade-none = 제출한 것 중에 `….{ $extension }` 파일이 없습니다.
grade-one = 이 형식은 제출물 하나를 받는데 지금 { $files }개입니다.
grade-one-help = 플랫폼처럼 한 번에 파일 하나를 채점하세요.
grade-progress = { $of }개 중 { $done }개를 채점했습니다.
grade-row = { $file }  { $seconds }초  { $mib } MiB  { $state }
grade-sum = { $of }개 중 { $passed }개 통과.
grade-line = 적은 줄에는 잘못이 없습니다.
grade-time = 허용된 시간을 넘어 중단했습니다.
grade-memory = 허용된 메모리를 넘어 중단했습니다.
grade-keep = { $file } 파일에 쓸 수 없습니다: { $why }
grade-kept = { $of }개 중 { $kept }개는 { $file }에서 가져왔습니다.

# Spread over a cluster

grade-slurm = Slurm 작업 { $job }번, 배열 { $jobs }개로 넘겼습니다.
grade-no-slurm = `{ $program }` 명령을 시작할 수 없습니다: { $why }.
grade-no-slurm-help = 클러스터의 로그인 노드처럼 Slurm의 명령이 되는 곳에서 실행하세요.
grade-slurm-refused = `{ $program }` 명령이 거부했습니다: { $why }
grade-slurm-lost = Slurm 작업 { $job }번이 결과 없이 끝났습니다({ $state }).
grade-spool = 현재 디렉터리에 배열용 폴더를 만들 수 없습니다: { $why }.
grade-slurm-silent = `{ $program }` 프로그램이 { $seconds }초 안에 답하지 않았습니다.
grade-slurm-silent-help = 그래도 제출되었는지 `squeue --me --name=matmul-tutor-grade`로 확인해 보세요.
