"""What the checker adds to answers: what a certificate is obliged to show, and that as SMT-LIB."""

FEATURES = {
    "obligations": "symview.verify.checking:obligations",
    "SMT-LIB": "symview.verify.smtlib:script",
}
