// The Python bindings: plain functions over whole boards. No other file of core/ includes Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <pthread.h>
#endif

#include "search.hpp"
#include "solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace std::chrono_literals;

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

// Calls a function every so often, beginning that long from now.
class Interval {
   public:
    explicit Interval(std::chrono::milliseconds every) : every_(every) {}

    template <class Function>
    bool operator()(Function function) {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return false;
        next_ = now + every_;
        return function();
    }

   private:
    std::chrono::milliseconds every_;
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + every_;
};

// Calls back into Python. True if that raised: the error then waits in Python.
template <class... Values>
bool raises(const nb::object& function, const Values&... values) {
    nb::gil_scoped_acquire gil;
    try {
        function(values...);
        return false;
    } catch (nb::python_error& error) {
        error.restore();
        return true;
    }
}

// Lets Python's signal handlers run, a hundred times a second, and stops the search if one of them raised (as the
// handler of Ctrl-C does).
class SignalWatch {
   public:
    bool operator()() {
        return tick_([] {
            if (!is_main_thread()) return false;
            nb::gil_scoped_acquire gil;
            return PyErr_CheckSignals() != 0;
        });
    }

   private:
    Interval tick_{10ms};
};

maxconnect4::Choice choose(int columns, int rows, bool classic, maxconnect4::Bits red, maxconnect4::Bits green,
                           std::string_view evaluation, int depth, double seconds, std::uint64_t nodes,
                           bool all_scores, std::size_t table_bytes, nb::object should_stop, nb::object on_depth) {
    const maxconnect4::SearchTask task{columns, rows,    classic, red,        green,      evaluation,
                                 depth,   seconds, nodes,   all_scores, table_bytes};
    const auto report_depth = [&](const maxconnect4::Choice& choice) { return raises(on_depth, choice); };
    std::optional<maxconnect4::Choice> choice;
    {
        nb::gil_scoped_release no_gil;
        SignalWatch signals;
        Interval tick(100ms);
        choice = maxconnect4::choose(
            task, [&] { return signals() || (!should_stop.is_none() && tick([&] { return raises(should_stop); })); },
            on_depth.is_none() ? maxconnect4::OnDepth() : report_depth);
    }
    if (!choice) throw nb::python_error();
    return *choice;
}

// A layer of the opening book. Its content is any object with bytes, such as a mapped file, and is not copied.
class PythonBookLayer {
   public:
    PythonBookLayer(int plies, int least, int bits, int segment_bits, std::uint32_t windows, std::uint64_t seed,
                    nb::handle content)
        : content_(content), layer_(plies, least, {{bits, segment_bits, windows, seed}, content_.bytes()}) {}

    const maxconnect4::BookLayer& layer() const { return layer_; }

   private:
    class Buffer {
       public:
        explicit Buffer(nb::handle content) {
            if (PyObject_GetBuffer(content.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
        }
        ~Buffer() { PyBuffer_Release(&view_); }
        Buffer(const Buffer&) = delete;
        Buffer& operator=(const Buffer&) = delete;

        maxconnect4::StaticFunction::Content bytes() const {
            return {static_cast<const std::uint8_t*>(view_.buf), static_cast<std::size_t>(view_.len)};
        }

       private:
        Py_buffer view_;
    };

    Buffer content_;
    maxconnect4::BookLayer layer_;
};

// The arguments `segment_bits`, `windows`, `seed` and `content` of a layer in which each key has its number.
std::tuple<int, std::uint32_t, std::uint64_t, nb::bytes> build_layer(
    const std::vector<maxconnect4::Bits>& keys, const std::vector<std::uint8_t>& numbers, int bits) {
    const auto [shape, content] = maxconnect4::StaticFunction::build(keys, numbers, bits);
    return {shape.segment_bits, shape.windows, shape.seed, nb::bytes(content.data(), content.size())};
}

// A solver for boards of one size, with its transposition table. `kind` is "value", "best" (also the best column), "line"
// (also a principal variation), "scores" (of every column) or "all" (scores and principal variation).
// `progress` is called ten times a second with the bounds of the value, those of each column (None for a full one), and
// the nodes so far; an exception that it raises stops the search.
class PythonSolver {
   public:
    PythonSolver(int columns, int rows, bool classic, std::size_t table_bytes, int threads, const PythonBookLayer* layer)
        : solver_(maxconnect4::Solver::make(columns, rows, classic, table_bytes, threads,
                                            layer ? std::optional(layer->layer()) : std::nullopt)) {}

    void clear_table() {
        const auto guard = lock();
        solver_->clear_table();
    }

    int table_permille() {
        const auto guard = lock();
        return solver_->table_permille();
    }

    maxconnect4::Analysis analyse(maxconnect4::Bits red, maxconnect4::Bits green, std::string_view kind,
                                  nb::object progress) {
        const auto analysis_kind = kind == "value"    ? maxconnect4::AnalysisKind::value
                         : kind == "best"   ? maxconnect4::AnalysisKind::best
                         : kind == "line"   ? maxconnect4::AnalysisKind::line
                         : kind == "scores" ? maxconnect4::AnalysisKind::scores
                                              : maxconnect4::AnalysisKind::all;
        const auto guard = lock();
        std::optional<maxconnect4::Analysis> analysis;
        {
            nb::gil_scoped_release no_gil;
            SignalWatch signals;
            Interval tick(100ms);
            analysis = solver_->analyse(red, green, analysis_kind, [&](const maxconnect4::Progress& now) {
                return signals() || (!progress.is_none() && tick([&] { return report_raises(progress, now); }));
            });
        }
        if (!analysis) throw nb::python_error();
        return *analysis;
    }

    maxconnect4::StaticBounds bounds(maxconnect4::Bits red, maxconnect4::Bits green) const {
        return solver_->bounds(red, green);
    }

   private:
    // Without Python's lock another thread, or `progress` itself, could use the same solver.
    std::unique_lock<std::mutex> lock() {
        std::unique_lock turn(one_at_a_time_, std::try_to_lock);
        if (!turn) throw std::runtime_error("the solver is searching another position");
        return turn;
    }

    static bool report_raises(const nb::object& progress, const maxconnect4::Progress& now) {
        const auto pair = [](maxconnect4::Range range) { return std::pair(range.low, range.high); };
        std::vector<std::optional<std::pair<int, int>>> columns;
        for (const auto& range : now.columns) columns.push_back(range ? std::optional(pair(*range)) : std::nullopt);
        return raises(progress, pair(now.value), columns, now.nodes);
    }

    std::unique_ptr<maxconnect4::Solver> solver_;
    std::mutex one_at_a_time_;
};

}  // namespace

NB_MODULE(_core, module) {
    nb::set_leak_warnings(false);  // a solver that a thread or a module still has when Python ends is not a leak
    module.doc() = "The searching core. Boards are two integers, a bit for each stone of red and of green: bit "
                   "column * (rows + 1) + row, both counted from 0.";

    nb::class_<maxconnect4::Choice>(module, "Choice")
        .def_ro("column", &maxconnect4::Choice::column)
        .def_ro("value", &maxconnect4::Choice::value)
        .def_ro("depth", &maxconnect4::Choice::depth)
        .def_ro("exact", &maxconnect4::Choice::exact)
        .def_ro("nodes", &maxconnect4::Choice::nodes)
        .def_ro("scores", &maxconnect4::Choice::scores)
        .def_ro("lines", &maxconnect4::Choice::lines)
        .def_ro("table_permille", &maxconnect4::Choice::table_permille);

    nb::class_<maxconnect4::Analysis>(module, "Analysis")
        .def_ro("value", &maxconnect4::Analysis::value)
        .def_ro("scores", &maxconnect4::Analysis::scores)
        .def_ro("line", &maxconnect4::Analysis::line)
        .def_ro("nodes", &maxconnect4::Analysis::nodes);

    nb::class_<maxconnect4::StaticBounds>(module, "StaticBounds")
        .def_ro("follow_up", &maxconnect4::StaticBounds::follow_up)
        .def_ro("start", &maxconnect4::StaticBounds::start)
        .def_ro("every_move", &maxconnect4::StaticBounds::every_move)
        .def_ro("running_up", &maxconnect4::StaticBounds::running_up)
        .def_ro("at_least", &maxconnect4::StaticBounds::at_least)
        .def_ro("at_most", &maxconnect4::StaticBounds::at_most);

    nb::class_<PythonBookLayer>(module, "BookLayer")
        .def(nb::init<int, int, int, int, std::uint32_t, std::uint64_t, nb::handle>(), "plies"_a, "least"_a, "bits"_a,
             "segment_bits"_a, "windows"_a, "seed"_a, "content"_a)
        .def("value", [](const PythonBookLayer& self, maxconnect4::Bits key) { return self.layer().value(key); }, "key"_a);

    nb::class_<PythonSolver>(module, "Solver")
        .def(nb::init<int, int, bool, std::size_t, int, const PythonBookLayer*>(), "columns"_a, "rows"_a, "classic"_a,
             "table_bytes"_a, "threads"_a, "layer"_a = nb::none(), nb::keep_alive<1, 7>())
        .def("clear_table", &PythonSolver::clear_table)
        .def("table_permille", &PythonSolver::table_permille)
        .def("analyse", &PythonSolver::analyse, "red"_a, "green"_a, "kind"_a, "progress"_a.none())
        .def("bounds", &PythonSolver::bounds, "red"_a, "green"_a);

    module.def("choose", &choose, "columns"_a, "rows"_a, "classic"_a, "red"_a, "green"_a, "evaluation"_a, "depth"_a,
               "seconds"_a, "nodes"_a, "all_scores"_a, "table_bytes"_a, "should_stop"_a.none(), "on_depth"_a.none());
    module.def("build_layer", &build_layer, "keys"_a, "numbers"_a, "bits"_a);
    module.def("evaluate", &maxconnect4::evaluate, "columns"_a, "rows"_a, "red"_a, "green"_a, "evaluation"_a, "for_red"_a);
    module.def("perft", &maxconnect4::perft, "columns"_a, "rows"_a, "classic"_a, "red"_a, "green"_a, "depth"_a);
    module.attr("CLASSIC_WIN") = maxconnect4::classic_win;
}
