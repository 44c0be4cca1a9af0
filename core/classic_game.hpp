// What the solver has to know of the classic game.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "classic_proof.hpp"
#include "game.hpp"

namespace maxconnect4 {

template <class B>
class ClassicGame final : public Game {
   public:
    // Many positions take no more, and then starting again costs nothing.
    int first_table_size() const override { return 8; }
    // A small table, which fits a processor's cache, knows nearly as much as a large one.
    std::uint64_t nodes_worth(std::size_t entries) const override { return 16 * static_cast<std::uint64_t>(entries); }

    explicit ClassicGame(int columns) : columns_(columns) {}

    std::unique_ptr<Search> new_search(SharedTable& table, Race& race) const override {
        return std::make_unique<ClassicProof<B>>(columns_, table, race);
    }

    int on_board(Sides) const override { return 0; }
    int gain(Sides, Bits) const override { return 0; }
    std::optional<int> end(Sides position, int left) const override {
        if (B::has_four(position.theirs)) return ClassicProof<B>::lost(left);
        return left == 0 ? std::optional(0) : std::nullopt;
    }
    Range range(int left) const override { return {-(left / 2), (left + 1) / 2}; }

    // Quick wins and losses are soon ruled out, or found; then who wins comes before how soon.
    int question(Range range, int, int asked) const override {
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

    StaticBounds bounds(Sides root, Bits empty, Bits) const override {
        const Range known = ClassicProof<B>::known({root}, empty | root.stones());
        StaticBounds found;
        found.at_least = known.low;
        found.at_most = known.high;
        return found;
    }

   private:
    int columns_;
};

}  // namespace maxconnect4
