"""Answers as text, LaTeX and SMT-LIB."""
