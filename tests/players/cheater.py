"""Makes its move, and turns every piece of the opponent into one of its own."""

from honest import position_after_move, write

*rows, player = position_after_move()
own = "2" if player == "1" else "1"
write([*(row.replace(player, own) for row in rows), player])
