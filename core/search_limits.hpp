// The limits of a depth-limited search: time, nodes, and a caller that stops it.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

#include "search.hpp"

namespace maxconnect4 {

class SearchLimits {
   public:
    struct LimitReached {};
    struct Stopped {};

    SearchLimits(const SearchTask& task, const ShouldStop& should_stop)
        : should_stop_(should_stop), deadline_(seconds_from_now(task.seconds)),
          most_nodes_(task.nodes == 0 ? std::numeric_limits<std::uint64_t>::max() : task.nodes) {}

    bool out_of_nodes(std::uint64_t nodes) const { return nodes >= most_nodes_; }
    bool run_out(std::uint64_t nodes) const { return out_of_nodes(nodes) || out_of_time(); }

    // Throws if the search has to end here. With `may_run_out` false, only the caller can stop it.
    void check(std::uint64_t nodes, bool may_run_out) const {
        if (may_run_out && run_out(nodes)) throw LimitReached{};
        if (should_stop_()) throw Stopped{};
    }

   private:
    using Clock = std::chrono::steady_clock;

    static Clock::time_point seconds_from_now(double seconds) {
        if (!(seconds < 1e9)) return Clock::time_point::max();
        return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }
    bool out_of_time() const { return deadline_ != Clock::time_point::max() && Clock::now() >= deadline_; }

    const ShouldStop& should_stop_;
    Clock::time_point deadline_;
    std::uint64_t most_nodes_;
};

}  // namespace maxconnect4
