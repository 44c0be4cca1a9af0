// The one file of core/ that knows Python: plain functions over whole boards, and nothing else.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <pthread.h>
#endif

#include "search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// Python handles signals in the main thread alone, and taking its lock in another one while it shuts down is fatal.
bool is_main_thread() {
#if defined(__linux__)
    return syscall(SYS_gettid) == getpid();
#elif defined(__APPLE__)
    return pthread_main_np() != 0;
#else
    return true;
#endif
}

// Lets Python's signal handlers run, a hundred times a second, and stops the search if one of them raised (as the
// handler of Ctrl-C does).
class SignalWatch {
   public:
    bool operator()() {
        if (!is_main_) return false;
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return false;
        next_ = now + std::chrono::milliseconds(10);
        nb::gil_scoped_acquire gil;
        return PyErr_CheckSignals() != 0;
    }

   private:
    bool is_main_ = is_main_thread();
    std::chrono::steady_clock::time_point next_{};
};

maxconnect4::Choice choose(int columns, int rows, bool classic, maxconnect4::Bits red, maxconnect4::Bits green,
                           std::string_view evaluation, int depth, double seconds, bool all_scores,
                           std::size_t table_bytes) {
    const maxconnect4::Task task{columns, rows, classic, red, green, evaluation, depth, seconds, all_scores, table_bytes};
    std::optional<maxconnect4::Choice> choice;
    {
        nb::gil_scoped_release no_gil;
        choice = maxconnect4::choose(task, SignalWatch{});
    }
    if (!choice) throw nb::python_error();
    return *choice;
}

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "The searching core. Boards are two integers, a bit for each stone of red and of green: bit "
                   "column * (rows + 1) + row, both counted from 0.";

    nb::class_<maxconnect4::Choice>(module, "Choice")
        .def_ro("column", &maxconnect4::Choice::column)
        .def_ro("value", &maxconnect4::Choice::value)
        .def_ro("depth", &maxconnect4::Choice::depth)
        .def_ro("exact", &maxconnect4::Choice::exact)
        .def_ro("nodes", &maxconnect4::Choice::nodes)
        .def_ro("scores", &maxconnect4::Choice::scores);

    module.def("choose", &choose, "columns"_a, "rows"_a, "classic"_a, "red"_a, "green"_a, "evaluation"_a, "depth"_a,
               "seconds"_a, "all_scores"_a, "table_bytes"_a);
    module.def("evaluate", &maxconnect4::evaluate, "columns"_a, "rows"_a, "red"_a, "green"_a, "evaluation"_a, "for_red"_a);
    module.def("perft", &maxconnect4::perft, "columns"_a, "rows"_a, "classic"_a, "red"_a, "green"_a, "depth"_a);
    module.attr("CLASSIC_WIN") = maxconnect4::classic_win;
}
