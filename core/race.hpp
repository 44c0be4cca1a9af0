// What the threads of one search have in common, apart from the table.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "board.hpp"

namespace maxconnect4 {

// How often a cell has proved what was asked, from 0 to 40000.
using Worths = std::array<std::atomic<int>, 64>;

class Race {
   public:
    std::atomic<bool> over{false};
    bool crowded = false;  // there is more than one thread
    std::array<Worths, 2> history{};                  // by whose turn it is
    std::array<std::array<Worths, 64>, 2> replies{};  // and by the cell played last

    // A position that some thread is searching: another one had better begin with something else. Of two with the same
    // place the later one is kept; a mistake costs time alone.
    bool is_busy(Bits key) const { return place(key).load(std::memory_order_relaxed) == key; }

    class Busy {
       public:
        Busy(Race& race, Bits key) : place_(key != 0 ? &race.place(key) : nullptr) {
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

// Thrown out of a search that is given up.
struct Abandoned {};

}  // namespace maxconnect4
