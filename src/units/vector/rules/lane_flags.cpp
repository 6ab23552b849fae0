// SPDX-License-Identifier: Apache-2.0
// SFPENCC, SFPPUSHC, SFPPOPC, SFPCOMPC (their pages, Functional model): lane flags, and the stack that keeps them.
// Reference: reference/models/vector_flags.cpp.
#include "isa/values/vector.hpp"
#include "units/vector/lanes.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

using state::cells::cc_block, state::cells::cc_enable_block;
using state::cells::cc_stack_block, state::cells::cc_stack_depth, state::cells::cc_stack_size_block;

struct Operands {
    isa::Operand d, mode;
};
consteval Operands operands_of(std::string_view name) {
    return {isa::operand(name, "lreg_dest"), isa::operand(name, "instr_mod1")};
}
constexpr auto imm2 = isa::operand("SFPENCC", "imm12_math");

/// LaneFlags, a bit per lane, and UseLaneFlagsForLaneEnable.
struct Flags {
    std::uint32_t lanes = 0;
    std::uint32_t enable = 0;
};

state::Cell flags_at(unsigned entry) { return cc_stack_block[2 * entry]; }
state::Cell enable_at(unsigned entry) { return cc_stack_block[2 * entry + 1]; }

// BooleanOp of the pages, modes 1 to 12.
std::uint32_t boolean(std::uint32_t mode, std::uint32_t a, std::uint32_t b) {
    switch (mode) {
        case 1: return b;
        case 2: return ~b;
        case 3: return a & b;
        case 4: return a | b;
        case 5: return a & ~b;
        case 6: return a | ~b;
        case 7: return ~a & b;
        case 8: return ~a | b;
        case 9: return ~(a | b);
        case 10: return ~(a & b);
        case 11: return a ^ b;
        default: return ~(a ^ b);
    }
}

// The changes of a flag instruction. Flags are per lane; UseLaneFlagsForLaneEnable and the stack's height are those
// of lane 0 for all lanes, and stay if lane 0 does not execute (spec-notes V62).
class Change {
public:
    Change(const StateView& view, plan::Plan& plan, const isa::Operand& vd)
        : look_(view), plan_(plan), lanes_(vector_of(view, plan, vd).executing) {
        if (lanes_ && ~lanes_) plan.note(findings::id("vector.divided-flags"), {lanes_});
    }

    bool nothing() const { return !lanes_; }
    Flags now() const { return {look_[cc_block[0]], look_[cc_enable_block[0]]}; }
    std::uint32_t size() const { return look_[cc_stack_size_block[0]]; }
    Flags entry(unsigned i) const { return {look_[flags_at(i)], look_[enable_at(i)]}; }

    void set(const Flags& flags) {
        set_lanes(cc_block[0], flags.lanes);
        set_shared(cc_enable_block[0], flags.enable);
    }
    void set_lanes(std::uint32_t flags) { set_lanes(cc_block[0], flags); }
    void set_size(std::uint32_t size) { set_shared(cc_stack_size_block[0], size); }
    void set_entry(unsigned i, const Flags& flags) {
        set_lanes(flags_at(i), flags.lanes);
        set_shared(enable_at(i), flags.enable);
    }
    void push(std::uint32_t size) {
        if (!has_lane_0()) return;  // without a greater height the entry is lost
        set_entry(size, now());
        set_size(size + 1);
    }

private:
    bool has_lane_0() const { return lanes_ & 1; }
    void set_shared(state::Cell cell, std::uint32_t value) {
        if (has_lane_0()) plan_.effect(cell, value, plan::When::start);
    }
    void set_lanes(state::Cell cell, std::uint32_t value) {
        if (~lanes_) value = (value & lanes_) | (look_[cell] & ~lanes_);
        plan_.effect(cell, value, plan::When::start);
    }

    const StateView& look_;
    plan::Plan& plan_;
    std::uint32_t lanes_;
};

// SFPPUSHC of Blackhole with Mod1: the top of the stack changes.
void change_top(Change& change, plan::Plan& plan, std::uint32_t mode) {
    const std::uint32_t size = change.size();
    if (!size) return plan.note(findings::id("vector.stack-empty"), {}, "SFPPUSHC");
    Flags flags = change.now();
    Flags top{~0u, 1};
    if (mode <= 12) {
        top = {boolean(mode, change.entry(size - 1).lanes, flags.lanes), flags.enable};
    } else if (mode == 13) {
        flags.lanes = ~flags.lanes;
        change.set_lanes(flags.lanes);
        top = flags;
    } else if (mode == 15) {
        top.lanes = 0;
    }
    change.set_entry(size - 1, top);
}

void resolve_sfpencc(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SFPENCC");
    using isa::value, isa::values::encc_immediates, isa::values::encc_modes;
    constexpr std::uint32_t complement_enable = value(encc_modes, "ec"), enable_immediate = value(encc_modes, "ei"),
                            result_immediate = value(encc_modes, "ri"), enables = value(encc_immediates, "e"),
                            results = value(encc_immediates, "r");
    Change change(view, plan, operands.d);
    if (change.nothing()) return;
    const std::uint32_t mode = view[operands.mode], immediate = view[imm2];
    Flags flags = change.now();
    if (mode & enable_immediate)
        flags.enable = immediate & enables;
    else if (mode & complement_enable)
        flags.enable = !flags.enable;
    flags.lanes = !(mode & result_immediate) || immediate & results ? ~0u : 0;
    change.set(flags);
}

void resolve_sfppushc(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SFPPUSHC");
    Change change(view, plan, operands.d);
    if (change.nothing()) return;
    const std::uint32_t mode = view.blackhole() ? view[operands.mode] : 0;
    if (mode) return change_top(change, plan, mode);
    const std::uint32_t size = change.size();
    if (size >= cc_stack_depth) return plan.note(findings::id("vector.stack-full"));
    change.push(size);
}

void resolve_sfppopc(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SFPPOPC");
    Change change(view, plan, operands.d);
    if (change.nothing()) return;
    const std::uint32_t mode = view[operands.mode], size = change.size();
    const Flags now = change.now(), top = size ? change.entry(size - 1) : Flags{};
    if (mode == 0) {
        if (size)
            change.set_size(size - 1);
        else
            plan.note(findings::id("vector.stack-empty"), {}, "SFPPOPC");
        return change.set(top);
    }
    if (size == cc_stack_depth && !view.blackhole()) {
        plan.note(findings::id("vector.popc-full-stack"), {mode});
        change.set_entry(0, top);
    }
    if (mode <= 12)
        change.set({boolean(mode, now.lanes, top.lanes), top.enable});
    else if (mode == 13)
        change.set_lanes(~now.lanes);
    else
        change.set({mode == 14 ? ~0u : 0, 1});
}

void resolve_sfpcompc(const StateView& view, plan::Plan& plan) {
    static constexpr auto d = isa::operand("SFPCOMPC", "lreg_dest");
    Change change(view, plan, d);
    if (change.nothing()) return;
    const Flags now = change.now(), top = change.size() ? change.entry(change.size() - 1) : Flags{~0u, 1};
    change.set_lanes(top.enable && now.enable ? top.lanes & ~now.lanes : 0);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPENCC"), resolve_sfpencc, {1, 1, unit_page}},
    {isa::mnemonic("SFPPUSHC"), resolve_sfppushc, {1, 1, unit_page}},
    {isa::mnemonic("SFPPOPC"), resolve_sfppopc, {1, 1, unit_page}},
    {isa::mnemonic("SFPCOMPC"), resolve_sfpcompc, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> lane_flags_rules() { return behaviours; }

}  // namespace tessera::units::vector
