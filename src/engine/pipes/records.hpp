// SPDX-License-Identifier: Apache-2.0
// Instructions in flight whose landing or end is an event.
#pragma once

#include "engine/actors.hpp"
#include "engine/pipes/pipes.hpp"
#include "engine/wait.hpp"
#include "hazards/order.hpp"
#include "units/plan_cache.hpp"
#include "util/paged.hpp"

namespace tessera::engine {

/// The plan of a record. Copies do not share it: a run that was saved may go on in another host thread.
struct RecordedPlan : units::PlanRef {
    RecordedPlan() = default;
    RecordedPlan(units::PlanRef plan) : PlanRef(std::move(plan)) {}
    RecordedPlan(const RecordedPlan& other) : PlanRef(other ? other.clone() : PlanRef()) {}
    RecordedPlan(RecordedPlan&&) noexcept = default;
    RecordedPlan& operator=(RecordedPlan other) noexcept {
        PlanRef::operator=(std::move(other));
        return *this;
    }
};

/// An instruction's issue.
struct Issued {
    std::int64_t number = 0;  ///< tessera::Event::number
    Origin origin;
    Cycle pushed = 0, gate = 0, issue = 0;
    std::int64_t explanation = -1;  ///< in Run::explanations, if elements are traced; else -1
    /// Executes by its plan under RunOptions::reference, too: no word was issued.
    bool by_plan = false;
    Cycle waits = 0;  ///< cycles in the place in front of the vector unit
};

struct Record : Issued {
    RecordedPlan resolved;
    const plan::Plan& plan() const { return resolved->plan; }

    Cycle ready = 0;
    Times times;
    Cycle blocked_since = never;  ///< by more than earlier instructions
    Wait blocked_by;
    std::uint64_t end_event = 0;
    hazards::ClockedTicket ticket;
    bool by_core = false;  ///< a command to the mover by stores, not an instruction of a thread
    bool used = false;

    Cause cause(Cycle now) const { return {false, plan().thread, origin.index, now, number}; }
    /// Nothing happens at its end. A run without observers need not keep it until then (LazyEnds).
    bool ends_quietly() const {
        return resolved->plain || (!by_core && times.land == times.start && !plan().cost.transfer.bytes &&
                                   !resolved->has(plan::When::end));
    }
    unsigned pipe() const { return Pipes::first_of(plan().pipes); }
};

class Records {
public:
    Record& operator[](std::uint32_t id) { return records_[id]; }
    const Record& operator[](std::uint32_t id) const { return records_[id]; }
    /// Of records, used or not.
    std::size_t size() const { return records_.size(); }

    std::uint32_t add(units::PlanRef resolved, const Issued& issued) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(records_.size()));
            records_.add();
        }
        const std::uint32_t id = free_.back();
        free_.pop_back();
        Record& record = records_[id];
        static_cast<Issued&>(record) = issued;
        record.used = true;
        record.resolved = std::move(resolved);
        record.ready = issued.issue;
        record.blocked_since = never;
        return id;
    }
    void remove(std::uint32_t id) {
        records_[id].used = records_[id].by_core = false;
        free_.push_back(id);
    }

    /// Instructions are numbered in issue order, with or without a record.
    std::int64_t next_number() { return next_number_++; }
    void pass_numbers(std::size_t count) { next_number_ += static_cast<std::int64_t>(count); }

private:
    Paged<Record> records_;
    std::vector<std::uint32_t> free_;
    std::int64_t next_number_ = 0;
};

}  // namespace tessera::engine
