"""`python -m symview.cli`."""

from symview.cli import main

if __name__ == "__main__":
    main()
