"""The questions about views: merging, chains, reshaping, masks, strides; numbers first, then names."""
