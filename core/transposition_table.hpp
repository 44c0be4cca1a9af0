// The transposition table of the depth-limited search, used by one thread.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "board.hpp"
#include "memory.hpp"

namespace maxconnect4 {

enum class Bound : std::uint8_t { none, lower, upper, exact };

struct Entry {
    Bits key = 0;            // the whole key: two positions are never taken for each other
    std::int32_t value = 0;  // from the view of the side to move
    Bound bound = Bound::none;
    std::uint8_t horizon = 0;  // the number of stones at which the search of this entry stopped
    std::uint8_t column = 0;   // the best column, or the one that refuted
    std::uint8_t height = 0;   // plies from here to the horizon: the work behind the entry
};
static_assert(sizeof(Entry) == 16);

class TranspositionTable {
   public:
    // At least one bucket, and never more than the limit in bytes (and the table before it, while it grows).
    explicit TranspositionTable(std::size_t limit_bytes)
        : TranspositionTable(std::bit_floor(std::max(limit_bytes / sizeof(Bucket), std::size_t{1})), std::size_t{1} << 10) {}

    const Entry* find(Bits key) const {
        for (const Entry& entry : bucket(key).entries)
            if (entry.key == key && entry.bound != Bound::none) return &entry;
        return nullptr;
    }

    // Replaces the entry of the same position, else the one with the least work of an earlier horizon, else of this.
    void store(const Entry& fresh) {
        Entry* victim = nullptr;
        int least = 0;
        for (Entry& entry : bucket(fresh.key).entries) {
            if (entry.key == fresh.key || entry.bound == Bound::none) {
                victim = &entry;
                break;
            }
            const int priority = entry.height + (entry.horizon == fresh.horizon ? 256 : 0);
            if (victim == nullptr || priority < least) {
                victim = &entry;
                least = priority;
            }
        }
        *victim = fresh;
    }

    void prefetch(Bits key) const { __builtin_prefetch(&bucket(key)); }

    // Grows towards a number of entries, as far as the limit allows, and keeps its entries: a shallow search then
    // touches little memory, and a deep one has enough. Calls `poll`, which may throw, at intervals.
    template <class Poll>
    void grow(std::size_t entries, Poll poll) {
        const std::size_t target = std::min(limit_, std::bit_ceil(entries / entries_per_bucket + 1));
        if (target <= size_) return;
        try {
            TranspositionTable larger(limit_, target);
            for (std::size_t i = 0; i < size_; ++i) {
                if (i % 0x2000 == 0) poll();
                for (const Entry& entry : buckets()[i].entries)
                    if (entry.bound != Bound::none) larger.store(entry);
            }
            *this = std::move(larger);
        } catch (const std::bad_alloc&) {  // the system has no more memory: keep this size
            limit_ = size_;
        }
    }

    // The share of the largest size that is in use, in thousandths, estimated from a sample.
    int permille() const {
        const std::size_t sample = std::min(size_, std::size_t{1000});
        std::size_t used = 0;
        for (std::size_t i = 0; i < sample; ++i)
            for (const Entry& entry : buckets()[i].entries) used += entry.bound != Bound::none;
        return static_cast<int>(1000.0 * used / (sample * entries_per_bucket) * size_ / limit_);
    }

   private:
    static constexpr std::size_t entries_per_bucket = 4;
    struct alignas(64) Bucket {
        std::array<Entry, entries_per_bucket> entries;
    };

    TranspositionTable(std::size_t limit, std::size_t size)
        : limit_(limit), size_(std::min(limit, size)), memory_(size_ * sizeof(Bucket)) {}

    // The top bits of a product depend on all the bits of the key (Fibonacci hashing).
    std::size_t index(Bits key) const {
        return size_ == 1 ? 0 : (key * 0x9E3779B97F4A7C15u) >> (64 - std::countr_zero(size_));
    }
    Bucket* buckets() const { return static_cast<Bucket*>(memory_.start()); }
    Bucket& bucket(Bits key) const { return buckets()[index(key)]; }

    std::size_t limit_, size_;  // in buckets, powers of two
    ZeroedMemory memory_;       // an entry of zeros is an empty one
};

}  // namespace maxconnect4
