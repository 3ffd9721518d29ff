"""Sweeps: a law, a rule or a comparison with a peer, over all small inputs or a seeded stream; resumable."""
