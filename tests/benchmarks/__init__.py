"""What things cost: ratios against a peer or a baseline in the same run, on named generators."""
