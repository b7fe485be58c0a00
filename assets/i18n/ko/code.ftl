# A kernel on a page.

code-title = 코드: { $file }
code-title-region = 코드: { $file }, “{ $region }” 부분
code-title-both = { $file } + PTX
code-title-ptx = { $kernel }: PTX
code-launch = n = { $n }, { $batch ->
    [1] { $shared }
   *[other] batch = { $batch }, { $shared }
}
code-no-shared = 공유 메모리 없음
code-shared = 공유 { $bytes }바이트
code-more-ptx = { $count }줄 더
code-no-kernel = 카탈로그에 `{ $kernel }` 커널이 없습니다.
code-no-ptx = `{ $kernel }` 커널의 PTX가 없습니다. `matmul-tutor course build` 명령이 만듭니다.
code-no-region = { $file } 파일에 `{ $region }` 부분이 없습니다.
