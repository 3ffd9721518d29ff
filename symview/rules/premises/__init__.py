"""The search for a weakest premise: labels of points, conditions that fit them, and proofs of both directions."""
