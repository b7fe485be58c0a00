register-tile-what = 스레드 { $tm }×{ $tn }: k = { $done }/{ $depth }
register-tile-per-fma = FMA당 읽는 수 { $share }
register-tile-k = 더한 항
register-tile-tm = 행수 TM
register-tile-tn = 열수 TN
register-tile-width = 로드당 수
register-tile-sum = 표시한 합
register-tile-each-k = k마다
register-tile-reads = FMA { $products }번에 수 { $tm } + { $tn }개: FMA당 { $share }.
register-tile-loads = 로드 { $n }번: FMA당 { $share }.
register-tile-registers = 합 { $sums }개와 수 { $reads }개: 레지스터 { $all }개.
register-tile-too-many = 레지스터 { $all }개, 스레드는 { $most }개까지: 일부는 스필됩니다.
register-tile-operands = sum[{ $row }][{ $column }] += a[{ $row }] · b[{ $column }]. 한 번 읽은 a[{ $row }] 값은 합 { $tn }개에, b[{ $column }] 값은 { $tm }개에 쓰입니다.
register-tile-sign-load = 그 수를 가져오는 로드의 번호
register-tile-sign-terms = 합에 지금까지 더한 항의 수
