// SPDX-License-Identifier: Apache-2.0
// Instructions that wait inside their unit: ATCAS and ATINCGETPTR for L1, FLUSHDMA for units, STOREIND for a source
// bank. They block the scalar unit for all threads. Hardware retries every few cycles; the engine retries only after a
// change, at the cycle of the hardware's retry.
#pragma once

#include <optional>

#include "engine/context.hpp"
#include "engine/kept.hpp"
#include "engine/last_causes.hpp"
#include "engine/observe/waits.hpp"
#include "engine/pipes/banks.hpp"
#include "engine/pipes/records.hpp"
#include "engine/scheduler.hpp"

namespace tessera::engine {

struct HeldInstructionState {
protected:
    struct Held {
        std::uint32_t record = 0;
        Cycle tried = 0;  ///< the last attempt
        bool scheduled = false;
    };
    std::optional<Held> held_;  ///< only instructions of the scalar unit wait there
    UnitWait wait_;
    Cause ended_by_;
    unsigned thread_ = no_thread;  ///< of the instruction that waits there or may come to
};

class HeldInstruction : private Context, public Kept<HeldInstructionState> {
public:
    HeldInstruction(const Context& context, Scheduler& scheduler, const Workload& work, const Banks& banks,
                    Records& records, Waits& waits)
        : Context(context), scheduler_(scheduler), work_(work), banks_(banks), records_(records), waits_(waits) {}

    /// An instruction of the thread that may wait is issued. The unit starts no other one, and the thread issues none.
    void begin(unsigned thread) { thread_ = thread; }
    /// Whether one waits, or may come to.
    bool any() const { return thread_ != no_thread; }
    bool is_of(unsigned thread) const { return thread_ == thread; }
    /// An attempt. True: the instruction continues. False: it is held.
    bool try_resume(std::uint32_t record, Cycle now);
    /// A resource changed: schedules an attempt if it can succeed now.
    void look_again();
    bool holds() const { return held_.has_value(); }
    bool holds(std::uint32_t record) const { return held_ && held_->record == record; }
    /// The plan of the held instruction, or null.
    const plan::Plan* plan() const { return held_ ? &records_[held_->record].plan() : nullptr; }
    /// The wait of the held instruction.
    Blocked describe(const LastCauses& last_causes) const;
    /// The run ends while it is held: closes its wait for observers.
    void report_unfinished() const;

private:
    bool has_all(const plan::Plan& plan) const;
    std::string missing(const plan::Plan& plan) const;
    UnitWait reason(const plan::Plan& plan) const;

    Scheduler& scheduler_;
    const Workload& work_;
    const Banks& banks_;
    Records& records_;
    Waits& waits_;
};

}  // namespace tessera::engine
