// SPDX-License-Identifier: Apache-2.0
#include "units/vector/named.hpp"

#include "plan/plan.hpp"

namespace tessera::units::vector {

Vector named_by(const StateView& view, plan::Plan& plan, const isa::Operand& vd, const isa::Operand& vc) {
    Vector v = vector_of(view, plan, vd);
    if (view.macro_step) return v;
    v.b = v.d;
    v.c = view[vc];
    return v;
}

plan::LaneWork writing_d(const Vector& vector, plan::LaneWork::Loop loop, std::uint32_t reads) {
    plan::LaneWork work = lane_work(vector, loop);
    work.reads = reads;
    work.writes = lreg_set({vector.d});
    return work;
}

void flag(plan::LaneWork& work, FlagUpdate update) {
    work.mode = static_cast<std::uint8_t>(update);
    work.reads_flags = work.writes_flags = update != FlagUpdate::none;
}

std::uint32_t acting(plan::Plan& plan, std::uint32_t mode, std::uint32_t acts_as, std::string_view what) {
    if (mode != acts_as) plan.note(findings::id("vector.reserved-mode"), {mode, acts_as}, what);
    return acts_as;
}

}  // namespace tessera::units::vector
