"""What is known of a position, as plain values and in words: it knows nothing of servers."""
