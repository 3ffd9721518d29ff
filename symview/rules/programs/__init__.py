"""Programs of tensors: their notation and operations, their pieces, and proofs or refutations by these."""
