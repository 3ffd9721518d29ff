"""What Rocq adds to the checker of certificates: they are written for it."""

FEATURES = {"--rocq": "symview.rocq.replies:write"}
