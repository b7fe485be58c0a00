# Search for pages by words.

search-how = Type words that a page contains, in any order.
search-nothing = No open page contains all of these words.
search-not-searched = { $locked ->
        [0] Not searched: text that you have not revealed yet.
        [one] Not searched: one locked level, and text that you have not revealed yet.
       *[other] Not searched: { $locked } locked levels, and text that you have not revealed yet.
    }
