// What the solver has to know of the classic game.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "classic_proof.hpp"
#include "solver.hpp"

namespace maxconnect4 {

template <class BoardType>
class ClassicGame {
   public:
    using B = BoardType;
    using Search = ClassicProof<B>;
    static constexpr int first_table_size = 8;  // many positions take no more, and then starting anew costs nothing
    // So many nodes are worth a larger table: a small one, which fits a processor's cache, knows nearly as much.
    static std::uint64_t nodes_worth(std::size_t entries) { return 16 * static_cast<std::uint64_t>(entries); }

    explicit ClassicGame(int columns) : columns_(columns) {}

    std::unique_ptr<Search> new_search(SharedTable& table, Race& race) const {
        return std::make_unique<Search>(columns_, table, race);
    }

    static int on_board(Position<B>) { return 0; }
    static int gain(Position<B>, Bits) { return 0; }
    // The value if the game is over.
    static std::optional<int> end(Position<B> position, int left) {
        if (B::has_four(position.theirs)) return Search::lost(left);
        return left == 0 ? std::optional(0) : std::nullopt;
    }
    static Range range(int left) { return {-(left / 2), (left + 1) / 2}; }

    // Where to ask next: is it worth more than this? Quick wins and losses are soon ruled out, or found; then who wins
    // comes before how soon.
    static int question(Range range, int, int asked) {
        const auto [low, high] = range;
        int middle = low + (high - low) / 2;
        if (asked < 2) {
            if (middle <= 0 && low / 2 < middle) middle = low / 2;
            else if (middle >= 0 && high / 2 > middle) middle = high / 2;
        } else if (low < 0 && high > 0) {
            middle = 0;
        } else {
            middle = low >= 0 ? low + (high - low) / 3 : high - 1 - (high - low) / 3;
        }
        return std::clamp(middle, low, high - 1);
    }

    static StaticBounds bounds(Position<B> root, Bits empty, Bits) {
        const Range known = Search::known(root, empty | root.stones());
        StaticBounds found;
        found.at_least = known.low;
        found.at_most = known.high;
        return found;
    }

   private:
    int columns_;
};

}  // namespace maxconnect4
