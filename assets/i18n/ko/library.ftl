library-what = { $books }, 책상에는 { $desk }권
library-books = 책 { $n }권
library-trips = 왕복 { $n }번
library-of = / { $n }번
library-read = 읽음 { $n }/{ $of }
library-hint = 책을 가져오면서 왕복을 세어 보세요.
library-meaning = 서가 = 글로벌 메모리, 책상 = 공유 메모리, { $books } = 타일 하나
library-shelf = 서가: { $n }권 남음
library-desk = 책상: { $n }/{ $of }
library-desk-of = 책상 { $n }권
library-full-desks = 가득 찬 책상 { $n }번
library-desks-and-books = { $desks } + { $books }
library-record = 책상 { $desk }권: { $trips }({ $split }).
library-sign-book = 책 한 권
library-sign-more = 다 그릴 수 없는 나머지 책
library-sign-runs = 다 읽을 때까지 학생이 오감
