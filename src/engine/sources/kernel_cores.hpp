// SPDX-License-Identifier: Apache-2.0
// Turns of RISC-V cores. A core goes on by itself until the next thing that others could see, or could change, comes to a later cycle than
// somebody else's turn.
#pragma once

#include <optional>

#include "engine/sources/core_port.hpp"
#include "engine/sources/time_loops.hpp"
#include "engine/turn_limits.hpp"

namespace tessera::engine {

/// How long nothing has changed that a core could notice: once in a while it is worth a look whether time alone could change anything.
struct QuietTime {
    std::uint64_t changes = 0;  ///< so many at `since`
    Cycle since = 0, look_at = 0;

    bool is_over(std::uint64_t now_changes, Cycle now) const { return changes == now_changes && now >= look_at; }
    void note(std::uint64_t now_changes, Cycle now) {
        if (changes != now_changes) *this = {now_changes, now, now + TimeLoops::first_look};
    }
    /// After a first look, others come when the time without a change has doubled.
    void looked(Cycle now) { look_at = now + (now - since); }
};

class KernelCores final : public CorePort {
public:
    KernelCores(const Context& context, const CorePortParts& parts, const TurnLimits& limits,
                const VectorSchedule& schedule)
        : CorePort(context, parts), limits_(limits), schedule_(schedule) {}

    const QuietTime& quiet_time() const { return quiet_; }
    void restore(const CorePortState& saved, const QuietTime& quiet) {
        CorePort::restore(saved);
        quiet_ = quiet;
    }

    enum class Acted : std::uint8_t {
        done,
        only_repeats,  ///< nothing will ever change: every core that could do something only repeats itself
        is_quiet,      ///< nothing is on its way, and nothing has changed for long
    };
    /// The core's turn, and those of others as long as nothing but cores acts.
    Acted act(unsigned actor);
    /// The host takes its step, which is due.
    void act_host();
    void host_wrote_l1(std::uint32_t address, std::uint32_t bytes);
    void host_resets(RiscvCore core, bool start);

    // In a copy of a run (only_time_passes.hpp).

    /// The core's turn is the next.
    void set_turn(unsigned actor) { turn_of_ = actor; }
    /// One turn of it, as if there were no other. Nothing: somebody could notice what it did, or it has stopped.
    std::optional<Turn> act_alone(unsigned core, Cycle now, TimeLoops::TurnOf one);

    bool next_turn(Cycle time) override;

    /// At the start of a run: whether several cores run.
    void share_l1(bool shared) { l1_shared_ = shared; }

private:
    /// The core that comes first, and the last cycle at which it may touch what others can see: it still comes before the second.
    struct Next {
        unsigned actor = 0;
        Cycle limit = 0;
        bool acts = false;  ///< else somebody else comes first
    };
    Next next(Cycle until) const;
    void begin_turn(unsigned core, Cycle limit);
    bool nothing_is_on_its_way() const;
    bool only_repeats() const;
    bool is_quiet();
    Cause touch_of_turn(unsigned actor) const;

    const TurnLimits& limits_;
    const VectorSchedule& schedule_;
    QuietTime quiet_;
    Cycle cores_until_ = 0;  ///< TurnLimits::only_cores_until(), unless the core has changed something
};

}  // namespace tessera::engine
