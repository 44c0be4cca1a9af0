// For the files that instantiate a game: each instance takes a second or more to compile.
#pragma once

#include <memory>

#include "game.hpp"

namespace maxconnect4 {

template <class GameOnBoard>
std::unique_ptr<Game> make_game(int columns) {
    return std::make_unique<GameOnBoard>(columns);
}

}  // namespace maxconnect4
