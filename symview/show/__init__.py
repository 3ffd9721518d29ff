"""Renders answers as text, LaTeX and SMT-LIB."""
