// A layer of the opening book: the exact value of the positions of the 7x6 board with a given number of plies, for the side to
// move, as a static function of their keys. Positions in which a classic game can be won with the next stone are left out.
//
// The key is that of src/maxconnect4/position_keys.py: in each column the highest bit marks the lowest empty cell, and the
// bits below it are the red stones; of a position and its mirror image the smaller one.
#pragma once

#include <stdexcept>

#include "board.hpp"
#include "static_function.hpp"

namespace maxconnect4 {

class BookLayer {
   public:
    static constexpr int most_plies = 16;  // the positions with more are too many

    BookLayer(int plies, int least, StaticFunction numbers) : plies_(plies), least_(least), numbers_(numbers) {
        if (plies < 1 || plies > most_plies || least < -128 || least > 0)
            throw std::invalid_argument("a layer of a book has from 1 to 16 plies, and its least value from -128 to 0");
    }

    int plies() const { return plies_; }
    // The result is arbitrary for a position that no game leads to: is_reachable() has to be asked before.
    int value(Bits key) const { return least_ + static_cast<int>(numbers_(key)); }

   private:
    int plies_, least_;  // the least value has the number 0
    StaticFunction numbers_;
};

}  // namespace maxconnect4
