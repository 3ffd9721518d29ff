"""What has to hold for answers, each kind in a file of its own; what several need is in `cases` and `maps`."""
