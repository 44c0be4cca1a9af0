// The classic game, for the solver.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "classic_search.hpp"
#include "game.hpp"

namespace maxconnect4 {

template <class B>
class ClassicGame final : public Game {
   public:
    // Many positions take no more, and then starting again costs nothing.
    int first_table_size() const override { return 8; }
    // A small table, which fits a processor's cache, causes nearly as many cut-offs as a large one.
    std::uint64_t nodes_before_growth(std::size_t entries) const override { return 16 * static_cast<std::uint64_t>(entries); }

    explicit ClassicGame(int columns) : columns_(columns) {}

    std::unique_ptr<Search> new_search(SharedTranspositionTable& table, SharedSearch& shared) const override {
        return std::make_unique<ClassicSearch<B>>(columns_, table, shared);
    }

    int on_board(Sides) const override { return 0; }
    int gain(Sides, Bits) const override { return 0; }
    std::optional<int> end(Sides position, int left) const override {
        if (B::has_four(position.theirs)) return ClassicSearch<B>::loss_value(left);
        return left == 0 ? std::optional(0) : std::nullopt;
    }
    Range range(int left) const override { return {-(left / 2), (left + 1) / 2}; }

    // The first searches find or exclude quick wins and losses; the next ones determine the winner, the last ones the distance.
    int next_alpha(Range range, int, int searches) const override {
        const auto [low, high] = range;
        int middle = low + (high - low) / 2;
        if (searches < 2) {
            if (middle <= 0 && low / 2 < middle) middle = low / 2;
            else if (middle >= 0 && high / 2 > middle) middle = high / 2;
        } else if (low < 0 && high > 0) {
            middle = 0;
        } else {
            middle = low >= 0 ? low + (high - low) / 3 : high - 1 - (high - low) / 3;
        }
        return std::clamp(middle, low, high - 1);
    }

    StaticBounds bounds(Sides root, Bits empty, Bits) const override {
        const Range range = ClassicSearch<B>::static_bounds({root}, empty | root.stones());
        StaticBounds found;
        found.at_least = range.low;
        found.at_most = range.high;
        return found;
    }

   private:
    int columns_;
};

}  // namespace maxconnect4
