"""Programs of tensors: from notation and operations to pieces, and from these to proof or refutation."""
