"""What symview proves as text that Rocq checks."""
