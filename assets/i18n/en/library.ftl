library-what = { $books }, { $desk ->
    [one] { $desk } fits
   *[other] { $desk } fit
} on the desk
library-books = { $n ->
    [one] { $n } book
   *[other] { $n } books
}
library-trips = { $n ->
    [one] { $n } trip
   *[other] { $n } trips
}
library-of = of { $n }
library-read = read { $n } of { $of }
library-hint = Fetch, and count the trips.
library-meaning = shelf = global memory, desk = shared memory, { $books } = one tile
library-shelf = shelf: { $n } left
library-desk = desk: { $n } of { $of }
library-desk-of = desk of { $n }
library-full-desks = { $n ->
    [one] { $n } full desk
   *[other] { $n } full desks
}
library-desks-and-books = { $desks } and { $books }
library-record = A desk of { $desk } took { $trips }: { $split }.
library-sign-book = a book
library-sign-more = more books than there is space to draw
library-sign-runs = the student walks until all books are read
