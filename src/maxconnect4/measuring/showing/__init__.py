"""What was measured, as people and other programs read it: tables and plots."""
