"""What results of games tell, and how far they can be trusted; knows numbers only."""
