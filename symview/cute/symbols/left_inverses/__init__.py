"""Left inverses of layouts with symbols: one kind of layout after the other (`inverse`).

Of strides: these as places, or multiples of one unknown (`multiples`), or two unknowns (`two_strides`). Of sizes: an
open last one (`lengths`), or another (`open_sizes`), for which `classes` finds a layout from some size on, and
`increments` and `small_values` show that there is none.
"""
