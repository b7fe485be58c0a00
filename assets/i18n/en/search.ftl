# Search for pages by words.

search-how = Type words that a page contains, in any order.
search-nothing = No open page contains all of these words.
search-not-searched = { $locked ->
        [0] Not searched: what predictions and recalls still hold back.
        [one] Not searched: one locked level, and what predictions and recalls still hold back.
       *[other] Not searched: { $locked } locked levels, and what predictions and recalls still hold back.
    }
