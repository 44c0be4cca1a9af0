// The state that the threads of one search share, apart from the transposition table: history counters, the positions
// being searched, and the flag that ends all of them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "board.hpp"

namespace maxconnect4 {

// How often a move to a cell caused a cut-off: a counter from 0 to 40000.
using HistoryCounts = std::array<std::atomic<int>, 64>;

class SharedSearch {
   public:
    std::atomic<bool> abort{false};
    bool parallel = false;  // there is more than one thread
    std::array<HistoryCounts, 2> history{};                  // by the side to move
    std::array<std::array<HistoryCounts, 64>, 2> replies{};  // and by the previous move

    // Whether a thread is searching the position: another thread then tries other moves first. Of two positions with the
    // same index the later one is kept; a collision costs only time.
    bool is_busy(Bits key) const { return place(key).load(std::memory_order_relaxed) == key; }

    class Busy {
       public:
        Busy(SharedSearch& shared, Bits key) : place_(key != 0 ? &shared.place(key) : nullptr) {
            if (place_ != nullptr) place_->store(key, std::memory_order_relaxed);
        }
        ~Busy() {
            if (place_ != nullptr) place_->store(0, std::memory_order_relaxed);
        }
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;

       private:
        std::atomic<Bits>* place_;
    };

   private:
    static constexpr int size_bits = 12;
    static std::size_t index(Bits key) { return key * 0x9E3779B97F4A7C15u >> (64 - size_bits); }
    const std::atomic<Bits>& place(Bits key) const { return busy_[index(key)]; }
    std::atomic<Bits>& place(Bits key) { return busy_[index(key)]; }

    std::array<std::atomic<Bits>, 1 << size_bits> busy_{};
};

// Ends the search of a thread early.
struct SearchAborted {};

}  // namespace maxconnect4
