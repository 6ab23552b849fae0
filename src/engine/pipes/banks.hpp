// SPDX-License-Identifier: Apache-2.0
// Banks of SrcA and SrcB: whether an instruction owns those that it needs.
#pragma once

#include <algorithm>
#include <array>

#include "engine/kept.hpp"
#include "engine/wait.hpp"
#include "plan/plan.hpp"
#include "state/state.hpp"
#include "units/plan_cache.hpp"
#include "util/set_bits.hpp"

namespace tessera::engine {

struct BanksState {
protected:
    std::array<std::uint8_t, 4> hand_overs_{};  ///< per bank: instructions in flight that pass it on at their end
};

class Banks : public Kept<BanksState> {
public:
    explicit Banks(const state::State& state) : state_(state) {}

    /// A bank that is about to be passed on has no owner, so that no later instruction takes it first.
    bool ready(const plan::BankNeed& need) const {
        const auto owner = state::cells::bank_owner(need.src, need.bank);
        return state_[owner] == static_cast<std::uint32_t>(need.owner) &&
               hand_overs_[state::index(owner) - state::cells::bank_owner_block.first] == 0;
    }
    /// All banks that the plan needs.
    bool ready(const plan::Plan& plan) const {
        for (const auto& need : plan.banks)
            if (!ready(need)) return false;
        return true;
    }
    /// The wait for the first of the plan's banks that is missing; there is one.
    Wait wait(const plan::Plan& plan) const {
        return wait(*std::find_if(plan.banks.begin(), plan.banks.end(), [&](const auto& need) { return !ready(need); }));
    }
    static Wait wait(const plan::BankNeed& need) {
        return {Wait::Kind::bank, static_cast<std::uint8_t>(need.src), need.bank,
                static_cast<std::uint16_t>(need.owner)};
    }

    /// The instruction starts. It will pass its banks on when it ends.
    void begin_hand_over(const units::Resolved& resolved) {
        for (const unsigned bank : util::SetBits(resolved.hands_over)) ++hand_overs_[bank];
    }
    /// The instruction ends: calls f(source * 2 + bank) for each bank that it passes on.
    template <class F>
    void end_hand_over(const units::Resolved& resolved, F&& f) {
        for (const unsigned bank : util::SetBits(resolved.hands_over)) {
            f(bank);
            --hand_overs_[bank];
        }
    }

private:
    const state::State& state_;
};

}  // namespace tessera::engine
