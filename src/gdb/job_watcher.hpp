// SPDX-License-Identifier: Apache-2.0
// Looks for what was met while a tile's run goes on again from a checkpoint.
#pragma once

#include "gdb/job_target.hpp"
#include "gdb/watcher.hpp"

namespace tessera::gdb {

/// Until the core is to execute its instruction of that number.
class JobTarget::BeforeInstruction final : public Hooks {
public:
    BeforeInstruction(const Timeline& timeline, unsigned core, std::uint64_t number)
        : timeline_(timeline), core_(core), number_(number) {}

private:
    Answer before(unsigned core) override {
        const bool there = core == core_ && timeline_.view().tile().executed(core) == number_;
        return there ? Answer::stops : Answer::executes;
    }
    bool after() override { return timeline_.view().tile().executed(core_) > number_; }

    const Timeline& timeline_;
    const unsigned core_;
    const std::uint64_t number_;
};

/// Until a moment that lies ahead; remembers the last thing that was met.
class JobTarget::Backwards final : public TilesTarget::Watcher {
public:
    Backwards(JobTarget& target, const Position* until, const Interrupted& interrupted)
        : Watcher(target, interrupted), timeline_(target.timeline_), until_(until) {}
    /// Before each step, for what meets it from outside the cores.
    const Position& before_step() const { return before_step_; }
    void note(const Hit& hit) { last_ = hit; }
    /// The last step was the access of a core to what is watched. Then it is noted. `stored_at`: as of Hit.
    bool notes_access(std::uint64_t stored_at = 0);
    const std::optional<Hit>& last() const { return last_; }

private:
    Answer before(unsigned core) override;
    bool after() override;

    const Timeline& timeline_;
    const Position* until_;
    Position before_step_;
    std::optional<Hit> last_;
};

}  // namespace tessera::gdb
