"""What the kernel of proofs and the checker of certificates both stand on; it imports nothing else of symview.

`document` reads a certificate, `formulas` computes what it says, `linear` checks refutations, `work` counts steps.
"""
