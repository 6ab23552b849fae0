// SPDX-License-Identifier: Apache-2.0
// The history of an Execution: its initial state, and the calls since. A run is deterministic, so a pickled snapshot
// consists of the same.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "members.hpp"
#include "tessera/execution.hpp"

namespace tessera::python {

/// One call of an Execution.
struct Move {
    enum class Kind : std::uint8_t { step, step_cycles, run_until, write_l1, reset, start };
    Kind kind{};
    std::uint64_t n = 1;               ///< instructions or cycles; of write_l1 the address
    std::optional<unsigned> thread{};  ///< of step
    Breakpoints until{};               ///< of run_until
    std::vector<std::byte> bytes{};    ///< of write_l1
    RiscvCore core{};                  ///< of reset and start

    bool is_of_host() const { return kind > Kind::run_until; }
    /// Applies a host's call.
    Result<void> take(Execution& execution) const {
        if (kind == Kind::write_l1) return execution.write_l1(n, bytes);
        return kind == Kind::reset ? execution.reset(core) : execution.start(core);
    }
    Pause apply(Execution& execution) const {
        if (is_of_host()) {
            static_cast<void>(take(execution));
            return {};
        }
        if (kind == Kind::step_cycles) return execution.step_cycles(n);
        if (kind == Kind::run_until) return execution.run_until(until);
        Pause pause;
        for (std::uint64_t i = 0; i < n; ++i)
            if (pause = execution.step(thread); pause.why == Pause::Why::end) break;
        return pause;
    }
    /// True if this step continues `before` with more instructions.
    bool continues(const Move& before) const {
        return kind == Kind::step && before.kind == Kind::step && thread == before.thread;
    }
};

/// The start of a run.
struct Origin {
    Core core;
    std::optional<Program> program;
    std::optional<Kernels> kernels;
    RunOptions options;
};

struct History {
    std::shared_ptr<const Origin> origin;
    std::vector<Move> moves;
    std::string unrepeatable;  ///< why the moves do not lead to the present state; empty: they do

    void add(Move move) {
        if (!moves.empty() && move.continues(moves.back()))
            moves.back().n += move.n;
        else
            moves.push_back(std::move(move));
    }
    /// Starts the run again, on a core equal to origin->core.
    Result<Execution> begin(Core& core, const std::function<bool()>& interrupt) const {
        RunOptions options = origin->options;
        options.interrupt = interrupt;
        return origin->kernels ? Execution::begin(core, *origin->kernels, std::move(options))
                               : Execution::begin(core, *origin->program, std::move(options));
    }
};

template <>
struct Enumeration<Pause::Why> : UpTo<Pause::Why, Pause::Why::word> {};
template <>
struct Enumeration<Move::Kind> : UpTo<Move::Kind, Move::Kind::start> {};

template <class A>
void members(A& a, StateElement& element) {
    auto& [section, number, value] = element;
    a(section, number, value);
}
template <class A>
void members(A& a, Pause& pause) {
    auto& [why, cycle, where, written, finding] = pause;
    a(why, cycle, where, written, finding);
}
template <class A>
void members(A& a, Breakpoints::Instruction& instruction) {
    auto& [thread, index, place, name] = instruction;
    a(thread, index, place, name);
}
template <class A>
void members(A& a, Breakpoints::Elements& elements) {
    auto& [section, first, count] = elements;
    a(section, first, count);
}
template <class A>
void members(A& a, Breakpoints& breakpoints) {
    auto& [cycle, instructions, written, word, finding, findings] = breakpoints;
    a(cycle, instructions, written, word, finding, findings);
}
template <class A>
void members(A& a, Move& move) {
    auto& [kind, n, thread, until, bytes, core] = move;
    a(kind, n, thread, until, bytes, core);
}

/// A snapshot in a pickle.
struct PickledSnapshot {
    std::vector<std::byte> core;  ///< Core::image() at the start of the run
    std::optional<Program> program;
    std::optional<Kernels> kernels;
    RunOptions options;
    std::vector<Move> moves;
    std::uint64_t state = 0;  ///< digest of the core's image at the snapshot
};
template <class A>
void members(A& a, PickledSnapshot& pickled) {
    auto& [core, program, kernels, options, moves, state] = pickled;
    a(core, program, kernels, options, moves, state);
}

}  // namespace tessera::python
