// One game on boards of one height, behind an interface that does not depend on either.
//
// Shifts depend on the height, so the search is a template with one instance per game and height, which takes seconds to
// compile. Everything else of the solver is compiled once, on top of this interface: it calls the search for thousands of
// nodes at a time, so that virtual calls cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "board.hpp"
#include "book_layer.hpp"
#include "shared_search.hpp"
#include "shared_transposition_table.hpp"
#include "solver.hpp"

namespace maxconnect4 {

// Called every thousand nodes; true abandons the search.
using Pause = std::function<bool()>;

// The null-window search of one thread: see null_window_search.hpp.
class Search {
   public:
    virtual ~Search() = default;
    // Throws SearchAborted.
    virtual int run(Sides position, int alpha, const Pause& pause) = 0;
    virtual std::uint64_t nodes() const = 0;
    // Looks positions up in a layer of the opening book from now on, if a game leads to the root; nullptr for none.
    virtual void use_layer(const BookLayer* layer) = 0;
    // The value of the root if it is a position of that layer.
    virtual std::optional<int> value_in_layer(Sides root) const = 0;
};

// Values do not count what is on the board: on_board() is added to them.
class Game {
   public:
    virtual ~Game() = default;
    virtual std::unique_ptr<Search> new_search(SharedTranspositionTable& table, SharedSearch& shared) const = 0;

    // The size, as a logarithm, of the table to begin with, and the number of nodes after which a larger one pays.
    virtual int first_table_size() const = 0;
    virtual std::uint64_t nodes_before_growth(std::size_t entries) const = 0;

    virtual int on_board(Sides position) const = 0;
    virtual int gain(Sides position, Bits landing) const = 0;
    // The value if the game is over, with `left` cells empty.
    virtual std::optional<int> end(Sides position, int left) const = 0;
    virtual Range range(int left) const = 0;
    // The alpha of the next null-window search, given the range so far, a guess and the number of finished searches.
    virtual int next_alpha(Range range, int guess, int searches) const = 0;
    virtual StaticBounds bounds(Sides position, Bits empty, Bits playable) const = 0;
};

// Defined in make_game.hpp and instantiated in *_rows*.cpp, for MaxGame<B> and ClassicGame<B>.
template <class GameOnBoard>
std::unique_ptr<Game> make_game(int columns);

}  // namespace maxconnect4
