"""What do a turn and a store cost? Measurements; not installed, not part of the tests."""
