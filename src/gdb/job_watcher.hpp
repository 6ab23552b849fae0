// SPDX-License-Identifier: Apache-2.0
// Looks for breakpoints and watchpoints while a tile's run goes forwards, or again from a checkpoint.
#pragma once

#include <array>

#include "gdb/job_target.hpp"
#include "riscv/memory_operand.hpp"

namespace tessera::gdb {

class JobTarget::Watcher : public Timeline::Hooks {
public:
    explicit Watcher(JobTarget& target, const Interrupted& interrupted) : target_(target), interrupted_(interrupted) {
        asked_.fill(~std::uint64_t{0});
    }
    bool was_interrupted() const { return was_interrupted_; }

protected:
    const core::DebugView& view() const { return target_.timeline().view(); }
    /// A breakpoint that the core's next instruction meets, the first time that it is asked for.
    std::optional<Hit> breakpoint(unsigned core);
    /// A watchpoint that the core's next instruction will meet.
    std::optional<Hit> watchpoint(unsigned core) const;
    /// From now on the core's instruction may meet this; empty: it meets nothing.
    void touches(const std::optional<Hit>& hit) { touched_ = hit; }
    /// What the last step has met.
    std::optional<Hit> take_touched();
    /// Now and then.
    bool is_interrupted();

    JobTarget& target_;
    /// Cores whose points count (a bit each): gdb does not expect a core to stop that it has not resumed.
    unsigned reports_ = ~0u;

private:
    bool concerns(const Points::Watch& watch, unsigned core, const riscv::MemoryOperand& operand) const;

    const Interrupted& interrupted_;
    std::array<std::uint64_t, riscv_cores> asked_{};
    std::optional<Hit> touched_;
    unsigned steps_ = 0;
    bool was_interrupted_ = false;
};

/// Until something is met, or cores have made their steps.
class JobTarget::Forwards final : public JobTarget::Watcher {
public:
    Forwards(JobTarget& target, const Resume& how, const Interrupted& interrupted);
    const std::optional<Hit>& hit() const { return hit_; }
    /// The last step was the access of a core to what is watched.
    bool has_accessed();

private:
    Timeline::Answer before(unsigned core) override;
    bool after() override;
    bool has_stepped(unsigned core);

    const Resume& how_;
    core::DebugView::Counts begin_;
    std::vector<unsigned> steppers_;
    std::optional<Hit> hit_;
};

/// Until the core is to execute its instruction of that number.
class JobTarget::BeforeInstruction final : public Timeline::Hooks {
public:
    BeforeInstruction(const Timeline& timeline, unsigned core, std::uint64_t number)
        : timeline_(timeline), core_(core), number_(number) {}

private:
    Timeline::Answer before(unsigned core) override {
        const bool there = core == core_ && timeline_.view().executed(core) == number_;
        return there ? Timeline::Answer::stops : Timeline::Answer::executes;
    }
    bool after() override { return timeline_.view().executed(core_) > number_; }

    const Timeline& timeline_;
    const unsigned core_;
    const std::uint64_t number_;
};

/// Until a moment that lies ahead; remembers the last thing that was met.
class JobTarget::Backwards final : public JobTarget::Watcher {
public:
    Backwards(JobTarget& target, const Position* until, const Interrupted& interrupted)
        : Watcher(target, interrupted), until_(until) {}
    /// Before each step, for what meets it from outside the cores.
    const Position& before_step() const { return before_step_; }
    void note(const Hit& hit) { last_ = hit; }
    /// The last step was the access of a core to what is watched. Then it is noted.
    bool notes_access();
    const std::optional<Hit>& last() const { return last_; }
    bool is_there() const { return is_there_; }

private:
    Timeline::Answer before(unsigned core) override;
    bool after() override;

    const Position* until_;
    Position before_step_;
    std::optional<Hit> last_;
    bool is_there_ = false;
};

}  // namespace tessera::gdb
