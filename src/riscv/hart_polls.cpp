// SPDX-License-Identifier: Apache-2.0
// Loops that poll a device, or repeat themselves: rounds that are known are counted, not executed.
#include <algorithm>

#include "riscv/hart.hpp"

namespace tessera::riscv {

Stop Hart::run_from_poll(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change) {
    const std::uint8_t* const l1 = l1_.bytes.data();
    now_ = std::max(now_, time);
    if (!poll_round_.is_known(l1, number_, turn.devices) && begins_round(turn)) {
        const Stop stop = go_round(bus, turn, change);
        if (stop.why != Stop::Why::instructions) return stop;
    }
    if (poll_round_.is_known(l1, number_, turn.devices)) {
        skip_rounds(turn, time);
        if (now_ > turn.limit) return {Stop::Why::limit, now_};
        if (turn.instructions > poll_round_.instructions()) {
            const Stop stop = go_round(bus, turn, change);
            if (stop.why != Stop::Why::instructions) return stop;
            if (now_ > turn.limit && poll_round_.is_known(l1, number_, turn.devices)) return {Stop::Why::limit, now_};
        }
    }
    return execute_timed(bus, turn, time, change);
}

bool Hart::begins_round(const Turn& turn) {
    if (!poll_round_.has_code(l1_.bytes.data())) find_round(state_.pc);
    return turn.instructions > poll_round_.instructions() && is_settled();
}

Stop Hart::go_round(Bus& bus, Turn& turn, std::uint64_t& change) {
    const auto x = state_.x;
    const Cycle begin = now_;
    const std::uint64_t front_end = front_end_changes();
    polled_at_ = nowhere;
    const std::uint32_t others = turn.instructions - poll_round_.instructions();
    turn.instructions = poll_round_.instructions();
    const Stop stop = execute_timed(bus, turn, now_, change);
    turn.instructions = others;
    if (state_.pc == poll_round_.pc() && polled_at_ == state_.pc && x == state_.x && is_settled() &&
        front_end == front_end_changes())
        poll_round_.know(number_, turn.devices, now_ - begin);
    return stop;
}

Cycle Hart::skip_repeats(Cycle until) {
    const auto& period = repetition_.period();
    if (!period || period->cycles == 0 || held_ || until < now_) return now_;
    const std::uint64_t rounds = (until - now_) / period->cycles;
    const Cycle later = rounds * period->cycles;
    fetch_.pass(now_ - period->cycles, later);
    for (Cycle& ready : ready_) ready += later;
    for (Cycle& flight : in_flight_) flight += later;
    latest_ += later;
    now_ += later;
    number_ += rounds * period->instructions;
    retire_.pass(rounds * period->instructions, later);
    store_port_.pass(period->from, later);
    state_.cycles = now_ + cycle_base_;
    state_.retired = number_ + instret_base_;
    poll_round_ = {};
    return now_;
}

void Hart::skip_rounds(Turn& turn, Cycle time) {
    if (now_ > turn.limit) return;
    const Cycle left = turn.limit - now_, cycles = poll_round_.cycles();
    const std::uint32_t instructions = poll_round_.instructions();
    std::uint64_t rounds = now_ == time;
    if (left >= cycles) rounds = std::min(left / cycles, std::uint64_t{(turn.instructions - 1) / instructions});
    rounds = std::min(rounds, std::uint64_t{repetition_.unobserved()});
    repetition_.skip(static_cast<std::uint32_t>(rounds));
    turn.instructions -= static_cast<std::uint32_t>(rounds) * instructions;
    count_rounds(rounds);
}

void Hart::count_rounds(std::uint64_t rounds) {
    poll_round_.count(rounds);
    fetch_.pass(now_ - poll_round_.cycles(), rounds * poll_round_.cycles());
    now_ += rounds * poll_round_.cycles();
    number_ += rounds * poll_round_.instructions();
    state_.cycles = now_ + cycle_base_;
    state_.retired = number_ + instret_base_;
}

}  // namespace tessera::riscv
