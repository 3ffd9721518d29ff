"""What the answers stand on: integers in, integers out; nothing here knows users or notation."""
