"""The weakest premise: labels of points, conditions that fit them, and proofs from both sides."""
