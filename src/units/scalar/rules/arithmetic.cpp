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

// Left and right value in, result out.
template <class F>
void compute(const Look& look, plan::Plan& plan, const Operands& operands, F&& f) {
    const std::uint32_t left = look[operands.left] & gpr_mask, right = look[operands.right] & gpr_mask;
    const bool constant = look[operands.is_constant];
    const std::uint32_t left_value = look[state::cells::gpr(look.thread, left)];
    const std::uint32_t right_value = constant ? right : look[state::cells::gpr(look.thread, right)];
    plan.effect(state::cells::gpr(look.thread, look[operands.result] & gpr_mask), f(left_value, right_value),
                plan::When::end);
    // Registers of two groups of four are read one after the other.
    if (!constant && left / 4 != right / 4 && plan.cost.latency) {
        ++plan.cost.occupancy;
        ++plan.cost.latency;
    }
}

// A mode that the page leaves undefined gives the left value.
std::uint32_t undefined_mode(plan::Plan& plan, std::uint32_t mode, std::uint32_t left) {
    plan.note(findings::id("scalar.undefined-mode"), {mode});
    return left;
}

void resolve_adddmareg(const Look& look, plan::Plan& plan) {
    static constexpr auto operands = operands_of("ADDDMAREG");
    compute(look, plan, operands, [](std::uint32_t a, std::uint32_t b) { return a + b; });
}

void resolve_subdmareg(const Look& look, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SUBDMAREG");
    compute(look, plan, operands, [](std::uint32_t a, std::uint32_t b) { return a - b; });
}

void resolve_muldmareg(const Look& look, plan::Plan& plan) {
    static constexpr auto operands = operands_of("MULDMAREG");
    compute(look, plan, operands, [](std::uint32_t a, std::uint32_t b) { return (a & 0xFFFF) * (b & 0xFFFF); });
}

void resolve_bitwopdmareg(const Look& look, plan::Plan& plan) {
    static constexpr auto operands = operands_of("BITWOPDMAREG");
    static constexpr auto op = isa::operand("BITWOPDMAREG", "OpSel");
    const std::uint32_t mode = look[op] & mode_mask;
    compute(look, plan, operands, [&](std::uint32_t a, std::uint32_t b) {
        switch (mode) {
            case isa::value(isa::values::bit_operations, "and"): return a & b;
            case isa::value(isa::values::bit_operations, "or"): return a | b;
            case isa::value(isa::values::bit_operations, "xor"): return a ^ b;
            default: return undefined_mode(plan, mode, a);
        }
    });
}

void resolve_shiftdmareg(const Look& look, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SHIFTDMAREG");
    static constexpr auto op = isa::operand("SHIFTDMAREG", "OpSel");
    const std::uint32_t mode = look[op] & mode_mask;
    compute(look, plan, operands, [&](std::uint32_t a, std::uint32_t b) {
        switch (mode) {
            case isa::value(isa::values::shift_directions, "left"): return a << (b & 31);
            case isa::value(isa::values::shift_directions, "right"): return a >> (b & 31);
            default: return undefined_mode(plan, mode, a);
        }
    });
}

void resolve_cmpdmareg(const Look& look, plan::Plan& plan) {
    static constexpr auto operands = operands_of("CMPDMAREG");
    static constexpr auto op = isa::operand("CMPDMAREG", "OpSel");
    const std::uint32_t mode = look[op] & mode_mask;
    compute(look, plan, operands, [&](std::uint32_t a, std::uint32_t b) -> std::uint32_t {
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
