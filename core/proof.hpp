// One thread's search for a proof that a position is worth more than a number, or that it is not: what it is in both games.
//
// The contract of search(position, empty cells, alpha), fail-soft with a null window: it returns a number v, and the true
// value t of the position for the side to move satisfies
//     v <= alpha  =>  t <= v        v > alpha  =>  t >= v.
// The table, the order of the columns and other threads change how long it takes, never this.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "board.hpp"
#include "game.hpp"

namespace maxconnect4 {

template <class B>
class Proof : public Search {
   public:
    Proof(int columns, SharedTable& table, Race& race)
        : columns_(columns), cells_(B::cells_in(columns)), table_(table), race_(race) {}

    std::uint64_t nodes() const final { return nodes_.load(std::memory_order_relaxed); }

   protected:
    static constexpr int infinity = SharedTable::unknown;
    static constexpr Range anything{-infinity, infinity};

    struct Best {
        int value = -infinity;
        Bits landing = 0;

        void offer(int other_value, Bits other_landing) {
            if (other_value > value) *this = {other_value, other_landing};
        }
    };

    // `pause` is called every thousand nodes from now on.
    void call_now_and_then(const Pause& pause) { pause_ = &pause; }

    void count_node() {
        const std::uint64_t count = nodes() + 1;
        nodes_.store(count, std::memory_order_relaxed);
        if ((count & 0x3FF) == 0 && (race_.over.load(std::memory_order_relaxed) || (*pause_)())) throw Abandoned{};
    }

    SharedKey shared_key(Position<B> position) const {
        const Bits key = position.key() & (cells_ | cells_ << 1);
        return SharedKey::of(key, B::mirrored(key) >> (B::columns - columns_) * B::right);
    }
    // The column of the one that is the column of the other.
    int in_image(int column, bool mirrored) const { return mirrored ? columns_ - 1 - column : column; }

    // Moves that another thread is busy with come last.
    template <class Moves>
    void put_off_busy(Moves& moves, int next, int count, Position<B> position) const {
        for (int i = next + 1; i < count && race_.is_busy(position.after(moves[next].landing).key()); ++i)
            std::rotate(moves.begin() + next, moves.begin() + next + 1, moves.begin() + count);
    }
    static constexpr int alone = 14;  // with so few cells left a thread is sooner done than another could join in

    int columns_;
    Bits cells_;
    SharedTable& table_;
    Race& race_;

   private:
    const Pause* pause_ = nullptr;
    std::atomic<std::uint64_t> nodes_{0};
};

}  // namespace maxconnect4
