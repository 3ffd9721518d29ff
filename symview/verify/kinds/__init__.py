"""Rules that derive obligations, one file for each kind of statement; `cases` and `maps` are shared by several."""
