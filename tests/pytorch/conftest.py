"""The tests in this folder are collected where PyTorch is installed: `pip install -e ".[test,torch]"`."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["test_*.py"]
