// SPDX-License-Identifier: Apache-2.0
// Looks for breakpoints and watchpoints while a run goes on step by step.
#pragma once

#include <utility>
#include <vector>

#include "gdb/tiles_target.hpp"
#include "riscv/memory_operand.hpp"

namespace tessera::gdb {

class TilesTarget::Watcher : public Hooks {
public:
    Watcher(TilesTarget& target, const Interrupted& interrupted)
        : target_(target), reports_(target.cores(), true), interrupted_(interrupted), asked_(target.cores(), ~std::uint64_t{0}) {}
    bool was_interrupted() const { return was_interrupted_; }

protected:
    /// A breakpoint that the core's next instruction meets, the first time that it is asked for.
    std::optional<Hit> breakpoint(unsigned core);
    /// A watchpoint that the core's next instruction will meet.
    std::optional<Hit> watchpoint(unsigned core) const;
    /// From now on the core's instruction may meet this; empty: it meets nothing.
    void touches(const std::optional<Hit>& hit) { touched_ = hit; }
    /// The point that the last step has met. Empty: none. `stored_at`: as of Hit.
    std::optional<Hit> take_touched(std::uint64_t stored_at);
    /// Now and then.
    bool is_interrupted();

    TilesTarget& target_;
    /// By core: its points count.
    std::vector<bool> reports_;

private:
    /// `core`: whose memory it is, unless that is shared.
    bool concerns(const Points::Watch& watch, unsigned core, const riscv::MemoryOperand& operand) const;
    /// Blackhole's cores reach the local data RAM of each other, and their own, by windows, too. The core whose RAM the operand is in, and its
    /// address there; of another operand, the acting core and the operand.
    std::pair<unsigned, riscv::MemoryOperand> behind_window(unsigned core, riscv::MemoryOperand operand) const;

    const Interrupted interrupted_;
    std::vector<std::uint64_t> asked_;
    std::optional<Hit> touched_;
    unsigned steps_ = 0;
    bool was_interrupted_ = false;
};

/// Until something is met, or cores have made their steps.
class TilesTarget::Forwards final : public TilesTarget::Watcher {
public:
    Forwards(TilesTarget& target, const Resume& how, const Interrupted& interrupted);
    const std::optional<Hit>& hit() const { return hit_; }
    /// The last step was the access of a core to what is watched. `stored_at`: as of Hit.
    bool has_accessed(std::uint64_t stored_at = 0);
    /// The core goes on past its points.
    void ignore(unsigned core) { reports_[core] = false; }

private:
    Answer before(unsigned core) override;
    bool after() override;

    struct Stepper {
        unsigned core = 0;
        Resume::OfCore how;
        std::uint64_t executed = 0;
    };
    bool has_stepped(Stepper& one) const;

    std::vector<Stepper> steppers_;
    std::optional<Hit> hit_;
};

}  // namespace tessera::gdb
