"""The questions about views: merging, chains, reshaping, masks, strides. Numbers come first, then names."""
