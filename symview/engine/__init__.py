"""The algorithms under the answers: integers in, integers out, without users or notation."""
