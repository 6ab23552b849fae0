// SPDX-License-Identifier: Apache-2.0
#include "engine/sources/cores_apart.hpp"

namespace tessera::engine {

namespace {

/// Parts of L1 that a core has used.
class Parts {
public:
    static constexpr std::uint32_t bytes = 256;
    struct Part {
        std::uint32_t number = 0;
        bool is_stored = false;
    };

    void add(std::uint32_t address, bool store) {
        const std::uint32_t number = address / bytes;
        if (last_[store] == number || are_too_many()) return;
        last_[store] = number;
        for (Part& part : all())
            if (part.number == number) {
                part.is_stored |= store;
                return;
            }
        if (count_ < parts_.size()) parts_[count_] = {number, store};
        ++count_;
    }
    bool are_too_many() const { return count_ > parts_.size(); }
    std::span<Part> all() { return std::span(parts_).first(count_); }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::array<std::uint32_t, 2> last_{none, none};  ///< of loads and of stores
    std::array<Part, 32> parts_;
    std::size_t count_ = 0;
};

}  // namespace

void CoresApart::find(Cycle& until) {
    count_ = 0;
    for (const unsigned i : core_actors) {
        const Cycle due = scheduler_.due(i), place = TurnLimits::place_of(due, i);
        if (place >= until) continue;
        const Actor& actor = scheduler_.actor(i);
        if (due == 0 || actor.wait.kind != Wait::Kind::none || actor.period || !cores_->may_act_apart(core_of(i), scheduler_.changes()))
            until = place;
        else
            all_[count_++] = {i, place, false, {}, 0};
    }
    std::sort(ones().begin(), ones().end(), [](const One& a, const One& b) { return a.place < b.place; });
    while (count_ && all_[count_ - 1].place >= until) --count_;
}

bool CoresApart::act(One& one, Cycle until) {
    const auto did = cores_->act_apart(core_of(one.actor), Scheduler::time_of(one.place),
                                       TurnLimits::limit_before(until, one.actor));
    const Cycle begin = one.place;
    one = {one.actor, TurnLimits::place_of(did.next, one.actor), true, did.accesses, did.changes};
    if (did.is_cut) one.place = did.accesses.empty() ? begin : one.place_of(did.accesses.back());
    return did.can_be_kept;
}

void CoresApart::undo(One& one) {
    if (!one.has_acted) return;
    cores_->undo_apart(core_of(one.actor));
    one = {one.actor, due(one), false, {}, 0};
}

bool CoresApart::give_up(int turns) {
    // In reverse, since they may have met.
    for (unsigned i = count_; i-- > 0;) undo(all_[i]);
    turns_ = -turns;
    return false;
}

bool CoresApart::have_met() {
    std::array<Parts, riscv_cores> parts;
    for (unsigned i = 0; i < count_; ++i)
        for (const state::L1Access& access : all_[i].accesses) parts[i].add(access.address, access.is_store);
    for (unsigned i = 0; i < count_; ++i) {
        if (parts[i].are_too_many()) return true;
        for (const auto& part : parts[i].all()) {
            if (part.is_stored && cores_->may_hold_code(part.number * Parts::bytes)) return true;
            for (unsigned j = 0; j < i; ++j)
                for (const auto& other : parts[j].all())
                    if (part.number == other.number && (part.is_stored || other.is_stored)) return true;
        }
    }
    return false;
}

bool CoresApart::act(Cycle until, QuietTime& quiet) {
    const Cycle begin = scheduler_.now();
    until = std::min({until, TurnLimits::place_of(begin + most_cycles), TurnLimits::place_of(quiet.look_at)});
    find(until);
    if (count_ < 2 || all_[1].place + least_places > until) return give_up(least_turns);
    const Cycle least = all_[1].place + least_places / 8;
    for (One& one : ones()) {
        if (one.place >= until) continue;
        if (!act(one, until)) return give_up(1024);
        until = std::min(until, one.place);
    }
    if (until < least) return give_up(4 * least_turns);
    if (have_met()) return give_up(256);
    // Some have acted before it was known where another one comes to something else.
    for (One& one : ones()) {
        const Cycle last = one.accesses.empty() ? due(one) : one.place_of(one.accesses.back());
        if (!one.has_acted || last < until) continue;
        undo(one);
        if (one.place < until) act(one, until);
    }
    unsigned cores = 0;
    for (const One& one : ones()) cores |= unsigned{one.has_acted} << core_of(one.actor);
    if (!cores_->keep_apart(cores)) return give_up(64);
    for (const One& one : ones())
        if (one.has_acted) scheduler_.try_go_on_at(one.actor, cores_->kept_until(core_of(one.actor)));
    const Scheduler::Moment moment = scheduler_.moment();
    check();
    scheduler_.go_back_to(moment);
    pass(quiet);
    return true;
}

// Most accesses concern no other core, if none has met them: the checker hears of them in any order.
void CoresApart::check() {
    std::array<std::span<const state::L1Access>, riscv_cores> left;
    for (unsigned i = 0; i < count_; ++i)
        left[i] = all_[i].accesses.subspan(port_.note_undisturbed(core_of(all_[i].actor), all_[i].accesses));
    for (;;) {
        Cycle place = never;
        unsigned first = 0;
        for (unsigned i = 0; i < count_; ++i) {
            const Cycle next = left[i].empty() ? never : all_[i].place_of(left[i].front());
            if (next < place) place = next, first = i;
        }
        if (place == never) return;
        port_.check_l1(core_of(all_[first].actor), left[first].front());
        left[first] = left[first].subspan(1);
    }
}

std::size_t CoresApart::One::count_before(Cycle end) const {
    return static_cast<std::size_t>(
        std::partition_point(accesses.begin(), accesses.end(), [&](const auto& access) { return place_of(access) < end; }) - accesses.begin());
}

CoresApart::Times CoresApart::turn_of(const One& one, std::size_t which) {
    Cycle begin = 0, end = never;
    for (const One& other : ones()) {
        if (&other == &one) continue;
        const std::size_t before = other.count_before(one.place_of(one.accesses[which]));
        if (before != 0) begin = std::max(begin, other.place_of(other.accesses[before - 1]));
        if (before != other.accesses.size()) end = std::min(end, other.place_of(other.accesses[before]));
    }
    return {one.accesses[one.count_before(begin)].at, one.accesses[one.count_before(end) - 1].at};
}

void CoresApart::pass(QuietTime& quiet) {
    struct Last {
        const One* one = nullptr;
        std::size_t which = 0;
        Cycle place = 0;
        void take(const One& other, std::size_t i) {
            const Cycle there = other.place_of(other.accesses[i]);
            if (!one || there > place) *this = {&other, i, there};
        }
    } last, last_change;
    for (const One& one : ones()) {
        scheduler_.changes() += one.changes;
        if (!one.accesses.empty()) last.take(one, one.accesses.size() - 1);
        for (std::size_t i = one.changes ? one.accesses.size() : 0; i-- > 0;)
            if (one.accesses[i].has_changed) {
                last_change.take(one, i);
                break;
            }
    }
    if (last_change.one) quiet.note(scheduler_.changes(), turn_of(*last_change.one, last_change.which).end);
    if (!last.one) return;
    const Times turn = turn_of(*last.one, last.which);
    scheduler_.pass_to(turn.begin);
    scheduler_.begin_act(last.one->actor);
    scheduler_.pass_to(turn.end);
}

}  // namespace tessera::engine
