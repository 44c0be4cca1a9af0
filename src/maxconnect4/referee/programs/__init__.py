"""Foreign programs: what runs them, within limits, and holds what they do against the rules."""
