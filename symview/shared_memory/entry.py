"""What shared memory adds to CuTe's layouts: the questions, and their answers."""

FEATURES = {
    "symview.cute.Access": "symview.shared_memory.accesses:Access",
    "symview.cute.BestLayout": "symview.shared_memory.answer:BestLayout",
    "symview.cute.UndecidedLayout": "symview.shared_memory.answer:UndecidedLayout",
    "symview.cute.best_padding": "symview.shared_memory.padding:best_padding",
    "symview.cute.best_swizzle": "symview.shared_memory.best:best_swizzle",
    "symview.cute.swizzle_tradeoffs": "symview.shared_memory.best:swizzle_tradeoffs",
}
