// SPDX-License-Identifier: Apache-2.0
// Runs the ops of a program: each thread's core pushes words and executes its own ops.
#include <fmt/format.h>

#include "engine/rest_of_program.hpp"
#include "functional/machine.hpp"
#include "functional/run.hpp"
#include "tessera/assembly.hpp"

namespace tessera::functional {

namespace {

using engine::Wait;

class ProgramRun {
public:
    ProgramRun(state::State& state, units::Slots& slots, const Program& program, const RunOptions& options)
        : program_(program), places_(program.arch, &program, nullptr), machine_(state, slots, options, places_) {}

    Run run() {
        for (bool more = true; more && !machine_.stopped();) {
            more = false;
            for (unsigned t = 0; t < state::threads && !machine_.stopped(); ++t) more |= feed(t);
            more |= machine_.settle();
        }
        if (!machine_.stopped() && !is_finished()) machine_.stop({findings::id("deadlock")}, {});
        if (machine_.outcome().stuck()) list_blocked();
        return machine_.finish();
    }

private:
    struct Feed {
        std::size_t next = 0;
        Wait wait;
    };

    // Runs the core until it must wait. Returns true if it acted.
    bool feed(unsigned t) {
        Feed& core = cores_[t];
        const auto& ops = program_.threads[t];
        const std::size_t before = core.next;
        core.wait = {};
        while (core.next < ops.size() && !machine_.stopped() && act(t, ops[core.next])) ++core.next;
        return core.next != before;
    }

    bool act(unsigned t, const Op& op) {
        const auto wait_for = [&](const Wait& wait) {
            cores_[t].wait = wait;
            return false;
        };
        const auto index = static_cast<std::int64_t>(cores_[t].next);
        if (op.kind == Op::Kind::ins)
            return machine_.push(t, {&op.value, 1}, index, 1, false) || wait_for({Wait::Kind::fifo_full});
        if (op.kind == Op::Kind::mop) {
            machine_.store_mop(t, op.index, op.value, index);
            return true;
        }
        machine_.settle();
        if (const auto what = engine::store_of(op, t, machine_.state())) {
            if (!machine_.in_order(t, what->resources, true)) return wait_for({Wait::Kind::own_instructions});
            machine_.store(what->cell, what->how, op.value, t, index);
            return true;
        }
        if (op.kind == Op::Kind::drain) return machine_.is_idle(t) || wait_for({Wait::Kind::drain});
        if (op.value == Op::until_nonzero) machine_.await(op.index);
        const auto wait = engine::semaphore_wait(op, machine_.state());
        return !wait || wait_for(*wait);
    }

    bool is_finished() const {
        for (unsigned t = 0; t < state::threads; ++t)
            if (cores_[t].next < program_.threads[t].size()) return false;
        return machine_.all_idle();
    }

    void list_blocked() {
        auto& list = machine_.outcome().run().blocked;
        engine::NextOps next{};
        for (unsigned t = 0; t < state::threads; ++t) next[t] = cores_[t].next;
        const engine::RestOfProgram rest = machine_.blocked().rest_of(program_, next);
        for (unsigned t = 0; t < state::threads; ++t) {
            const auto& ops = program_.threads[t];
            Blocked b;
            b.since = no_cycle;
            b.who = fmt::format("T{} core", t);
            b.finished = cores_[t].next >= ops.size();
            if (!b.finished) {
                const Op& op = ops[cores_[t].next];
                b.waits_for = machine_.blocked().wait_text(cores_[t].wait, t);
                machine_.blocked().name_holder(cores_[t].wait, t, b);
                machine_.blocked().name_holder(rest, cores_[t].wait, t, b);
                if (op.kind == Op::Kind::ins) b.instruction = disassemble_named(op.value, program_.arch);
                b.place = program_.place(t, cores_[t].next);
            }
            list.push_back(std::move(b));
        }
        for (unsigned t = 0; t < state::threads; ++t) list.push_back(machine_.blocked().front_end(t, &rest));
        machine_.blocked().list_units(list);
    }

    const Program& program_;
    const diagnostics::Places places_;
    Machine machine_;
    std::array<Feed, state::threads> cores_;
};

}  // namespace

Run run(state::State& state, units::Slots& slots, const Program& program, const RunOptions& options) {
    return ProgramRun(state, slots, program, options).run();
}

}  // namespace tessera::functional
