// SPDX-License-Identifier: Apache-2.0
// Arithmetic on a thread's GPRs: ADDDMAREG, SUBDMAREG, MULDMAREG, BITWOPDMAREG, SHIFTDMAREG, CMPDMAREG (their pages,
// Functional model and Performance). The right operand is a GPR or a constant.
// Reference: reference/models/scalar.cpp.
#include "isa/values/scalar.hpp"
#include "units/scalar/scalar.hpp"

namespace tessera::units::scalar {

namespace {

struct Operands {
    isa::Operand is_constant, result, right, left;
};

consteval Operands operands_of(std::string_view name) {
    return {isa::operand(name, "OpBisConst"), isa::operand(name, "ResultRegIndex"), isa::operand(name, "OpBRegIndex"),
            isa::operand(name, "OpARegIndex")};
}

constexpr std::uint32_t gpr_mask = 0x3F;
constexpr std::uint32_t mode_mask = 7;

// Calls f(left value, right value) for the result.
template <class F>
void compute(const StateView& view, plan::Plan& plan, const Operands& operands, F&& f) {
    const std::uint32_t left = view[operands.left] & gpr_mask, right = view[operands.right] & gpr_mask;
    const bool constant = view[operands.is_constant];
    const std::uint32_t left_value = view[state::cells::gpr(view.thread, left)];
    const std::uint32_t right_value = constant ? right : view[state::cells::gpr(view.thread, right)];
    plan.effect(state::cells::gpr(view.thread, view[operands.result] & gpr_mask), f(left_value, right_value),
                plan::When::end);
    // Registers in different groups of four are read one after the other.
    if (!constant && left / 4 != right / 4 && plan.cost.latency) {
        ++plan.cost.occupancy;
        ++plan.cost.latency;
    }
}

// The page leaves this mode undefined; it gives the left value.
std::uint32_t undefined_mode(plan::Plan& plan, std::uint32_t mode, std::uint32_t left) {
    plan.note(findings::id("scalar.undefined-mode"), {mode});
    return left;
}

void resolve_adddmareg(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("ADDDMAREG");
    compute(view, plan, operands, [](std::uint32_t a, std::uint32_t b) { return a + b; });
}

void resolve_subdmareg(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SUBDMAREG");
    compute(view, plan, operands, [](std::uint32_t a, std::uint32_t b) { return a - b; });
}

void resolve_muldmareg(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("MULDMAREG");
    compute(view, plan, operands, [](std::uint32_t a, std::uint32_t b) { return (a & 0xFFFF) * (b & 0xFFFF); });
}

void resolve_bitwopdmareg(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("BITWOPDMAREG");
    static constexpr auto op = isa::operand("BITWOPDMAREG", "OpSel");
    const std::uint32_t mode = view[op] & mode_mask;
    compute(view, plan, operands, [&](std::uint32_t a, std::uint32_t b) {
        switch (mode) {
            case isa::value(isa::values::bit_operations, "and"): return a & b;
            case isa::value(isa::values::bit_operations, "or"): return a | b;
            case isa::value(isa::values::bit_operations, "xor"): return a ^ b;
            default: return undefined_mode(plan, mode, a);
        }
    });
}

void resolve_shiftdmareg(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SHIFTDMAREG");
    static constexpr auto op = isa::operand("SHIFTDMAREG", "OpSel");
    const std::uint32_t mode = view[op] & mode_mask;
    compute(view, plan, operands, [&](std::uint32_t a, std::uint32_t b) {
        switch (mode) {
            case isa::value(isa::values::shift_directions, "left"): return a << (b & 31);
            case isa::value(isa::values::shift_directions, "right"): return a >> (b & 31);
            default: return undefined_mode(plan, mode, a);
        }
    });
}

void resolve_cmpdmareg(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("CMPDMAREG");
    static constexpr auto op = isa::operand("CMPDMAREG", "OpSel");
    const std::uint32_t mode = view[op] & mode_mask;
    compute(view, plan, operands, [&](std::uint32_t a, std::uint32_t b) -> std::uint32_t {
        switch (mode) {
            case isa::value(isa::values::comparisons, "gt"): return a > b;
            case isa::value(isa::values::comparisons, "lt"): return a < b;
            case isa::value(isa::values::comparisons, "eq"): return a == b;
            default: return undefined_mode(plan, mode, a);
        }
    });
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("ADDDMAREG"), resolve_adddmareg, {3, 3, unit_page}},
    {isa::mnemonic("SUBDMAREG"), resolve_subdmareg, {3, 3, unit_page}},
    {isa::mnemonic("MULDMAREG"), resolve_muldmareg, {3, 3, unit_page}},
    {isa::mnemonic("BITWOPDMAREG"), resolve_bitwopdmareg, {3, 3, unit_page}},
    {isa::mnemonic("SHIFTDMAREG"), resolve_shiftdmareg, {3, 3, unit_page}},
    {isa::mnemonic("CMPDMAREG"), resolve_cmpdmareg, {3, 3, unit_page}},
};

}  // namespace

std::span<const Behaviour> arithmetic_rules() { return behaviours; }

}  // namespace tessera::units::scalar
