"""The obligations of answers, one file for each kind; `cases` and `maps` are shared by several."""
