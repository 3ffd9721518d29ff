"""What can be asked of views, and the facades of the answers: merging, reshaping, chains, guards, counterexamples."""
