# Error against speed of FP32 products.
frontier-what = 오차와 속도
frontier-recorded = 기록: { $device }
frontier-way = 방법
frontier-products = 곱 { $n }개
frontier-promoted = 곱 { $n }개, 승격
frontier-first = { $name }: { $speed } TFLOP/s, 오차 { $error }. 이보다 빠르면서 더 정확한 것은 없습니다. 경계선 위에 있습니다.
frontier-beaten = { $name }: { $speed } TFLOP/s, 오차 { $error }. 속도도 정확도도 뒤지지 않는 것: { $other }.
frontier-grows = n = 1024, 4096, 8192의 오차: { $errors }; 4096에서 0과 1 사이의 수로는 { $uniform }.
frontier-source = 오차는 float64 결과에 대한 노름, 정규분포 난수. { $date }, 드라이버 { $driver }, cuBLAS { $cublas }.
frontier-none = 기록된 것이 없습니다.
frontier-sign-library = 라이브러리의 곱
frontier-sign-promoted = bf16 조각의 곱, 승격함
frontier-sign-cut = bf16 조각의 곱, 텐서 코어만으로 더함
