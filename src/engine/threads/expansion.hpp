// SPDX-License-Identifier: Apache-2.0
// A thread's expanders (frontend/expanders.hpp) in time, with the waits and signals of their queues.
#pragma once

#include "engine/context.hpp"
#include "engine/observe/waits.hpp"
#include "engine/observe/writes.hpp"
#include "engine/scheduler.hpp"
#include "engine/sources/program_feed.hpp"

namespace tessera::engine {

class Expansion final : public frontend::ExpanderListener, private Context {
public:
    Expansion(const Context& context, Scheduler& scheduler, Fronts& fronts, ProgramFeed& feed, Writes& writes)
        : Context(context), scheduler_(scheduler), fronts_(fronts), feed_(feed), writes_(writes) {}

    /// Brings the next instruction to the wait gate. False: there is none, and the front end waits or is finished.
    bool fill_gate(unsigned thread);

    void found(const findings::Note& note, unsigned thread, const frontend::WordOrigin& origin) override;
    void failed(const findings::Note& note, unsigned thread, const frontend::WordOrigin& origin) override;
    bool is_over() const override { return outcome_.stopped(); }
    void taken(unsigned thread, std::int64_t index) override;
    void stored(unsigned thread, std::int64_t index, state::Cell cell) override {
        writes_.core_stored(thread, index, cell);
    }
    void mop_expanded(unsigned thread) override;

private:
    bool no_instruction(unsigned thread);
    bool all_cores_finished(unsigned thread) const;
    bool await(unsigned thread, Wait::Kind why, Cycle time, const Cause& begun_by = {});

    Scheduler& scheduler_;
    Fronts& fronts_;
    ProgramFeed& feed_;
    Writes& writes_;
};

}  // namespace tessera::engine
