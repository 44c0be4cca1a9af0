"""What any server needs: it knows nothing of games."""
