// SPDX-License-Identifier: Apache-2.0
// SFPSETCC, SFPENCC, SFPCOMPC, SFPPUSHC, SFPPOPC, SFPLE, SFPGT, Functional models; spec-notes V39, V61, V62.
// Rules: units/vector/rules/lane_flags.cpp, units/vector/rules/sfpsetcc_sfple_sfpgt.cpp; loops:
//    units/vector/loops/sfpsetcc_sfple_sfpgt_loops.cpp.
#include <array>
#include <vector>

#include "reference/vector_models.hpp"

namespace tessera::reference::vector {

namespace {

struct FlagStackEntry {
    bool LaneFlags = false, UseLaneFlagsForLaneEnable = false;
};

constexpr std::size_t Capacity = state::cells::cc_stack_depth;

// The masks of one lane, as on the pages.
struct LaneMasks {
    bool LaneFlags = false, UseLaneFlagsForLaneEnable = false;
    std::vector<FlagStackEntry> FlagStack;
};

struct Masks {
    std::array<LaneMasks, Lanes> lane;

    explicit Masks(const VectorMachine& m) {
        for (std::uint32_t Lane = 0; Lane < Lanes; ++Lane) {
            lane[Lane].LaneFlags = m.LaneFlags(Lane);
            lane[Lane].UseLaneFlagsForLaneEnable = m.UseLaneFlagsForLaneEnable();
            for (std::uint32_t n = 0; n < m[state::cells::cc_stack_size_block[0]]; ++n)
                lane[Lane].FlagStack.push_back({(m[state::cells::cc_stack_block[2 * n]] >> Lane & 1) != 0,
                                                m[state::cells::cc_stack_block[2 * n + 1]] != 0});
        }
    }

    // Flags are kept per lane; their use and the number of stack entries are those of lane 0 (V62).
    void write_to(VectorMachine& m) const {
        m.set(state::cells::cc_enable_block[0], lane[0].UseLaneFlagsForLaneEnable);
        m.set(state::cells::cc_stack_size_block[0], static_cast<std::uint32_t>(lane[0].FlagStack.size()));
        for (unsigned n = 0; n < lane[0].FlagStack.size(); ++n) {
            std::uint32_t flags = m[state::cells::cc_stack_block[2 * n]];
            for (std::uint32_t Lane = 0; Lane < Lanes; ++Lane)
                if (n < lane[Lane].FlagStack.size())
                    flags = (flags & ~(1u << Lane)) | std::uint32_t{lane[Lane].FlagStack[n].LaneFlags} << Lane;
            m.set(state::cells::cc_stack_block[2 * n], flags);
            m.set(state::cells::cc_stack_block[2 * n + 1], lane[0].FlagStack[n].UseLaneFlagsForLaneEnable);
        }
        for (std::uint32_t Lane = 0; Lane < Lanes; ++Lane) m.set_LaneFlags(Lane, lane[Lane].LaneFlags);
    }
};

// lanewise { if (VD < 12 || LaneConfig.DISABLE_BACKDOOR_LOAD) body }
template <class Body>
Outcome mask_lanewise(VectorMachine& m, const Insn& i, Body&& body) {
    Masks masks(m);
    for (std::uint32_t Lane = 0; Lane < Lanes; ++Lane)
        if (m.executes(i, Lane)) body(masks.lane[Lane], Lane);
    masks.write_to(m);
    return Outcome::done;
}

Outcome SFPSETCC(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t IMM_BIT0 = 1, CLEAR = 8, LREG_LT0 = 0, LREG_NE0 = 2, LREG_GTE0 = 4, LREG_EQ0 = 6;
    m.lanewise_executed(i, [&](std::uint32_t Lane) {
        if (!m.UseLaneFlagsForLaneEnable() || (i.Mod & CLEAR)) return m.set_LaneFlags(Lane, false);
        if (i.Mod & IMM_BIT0) return m.set_LaneFlags(Lane, (i.Imm & 1) != 0);
        const auto c = static_cast<std::int32_t>(m.LReg(*i.VC, Lane));
        switch (i.Mod) {
            case LREG_LT0: m.set_LaneFlags(Lane, c < 0); break;
            case LREG_NE0: m.set_LaneFlags(Lane, c != 0); break;
            case LREG_GTE0: m.set_LaneFlags(Lane, c >= 0); break;
            case LREG_EQ0: m.set_LaneFlags(Lane, c == 0); break;
        }
    });
    return Outcome::done;
}

Outcome SFPENCC(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t MOD1_EC = 1, MOD1_EI = 2, MOD1_RI = 8, IMM2_E = 1, IMM2_R = 2;
    return mask_lanewise(m, i, [&](LaneMasks& l, std::uint32_t) {
        if (i.Mod & MOD1_EI) {
            l.UseLaneFlagsForLaneEnable = (i.Imm & IMM2_E) != 0;
        } else if (i.Mod & MOD1_EC) {
            l.UseLaneFlagsForLaneEnable = !l.UseLaneFlagsForLaneEnable;
        }
        l.LaneFlags = i.Mod & MOD1_RI ? (i.Imm & IMM2_R) != 0 : true;
    });
}

Outcome SFPCOMPC(VectorMachine& m, const Insn& i) {
    return mask_lanewise(m, i, [&](LaneMasks& l, std::uint32_t) {
        const FlagStackEntry Top = l.FlagStack.empty() ? FlagStackEntry{true, true} : l.FlagStack.back();
        if (Top.UseLaneFlagsForLaneEnable && l.UseLaneFlagsForLaneEnable) {
            l.LaneFlags = Top.LaneFlags && !l.LaneFlags;
        } else {
            l.LaneFlags = false;
        }
    });
}

bool BooleanOp(std::uint32_t Mod1, bool A, bool B) {
    switch (Mod1) {
        case 1: return B;
        case 2: return !B;
        case 3: return A && B;
        case 4: return A || B;
        case 5: return A && !B;
        case 6: return A || !B;
        case 7: return !A && B;
        case 8: return !A || B;
        case 9: return !A && !B;
        case 10: return !A || !B;
        case 11: return A != B;
        default: return A == B;  // 12
    }
}

Outcome SFPPUSHC(VectorMachine& m, const Insn& i) {
    const std::uint32_t Mod1 = m.blackhole() ? i.Mod : 0;
    return mask_lanewise(m, i, [&](LaneMasks& l, std::uint32_t) {
        if (Mod1 == 0) {
            if (l.FlagStack.size() < Capacity) l.FlagStack.push_back({l.LaneFlags, l.UseLaneFlagsForLaneEnable});
            return;
        }
        if (l.FlagStack.empty()) return;
        FlagStackEntry& Top = l.FlagStack.back();
        if (Mod1 <= 12) {
            Top.UseLaneFlagsForLaneEnable = l.UseLaneFlagsForLaneEnable;
            Top.LaneFlags = BooleanOp(Mod1, Top.LaneFlags, l.LaneFlags);
        } else if (Mod1 == 13) {
            l.LaneFlags = !l.LaneFlags;
            Top = {l.LaneFlags, l.UseLaneFlagsForLaneEnable};
        } else {
            Top = {Mod1 == 14, true};
        }
    });
}

Outcome SFPPOPC(VectorMachine& m, const Insn& i) {
    const std::uint32_t Mod1 = i.Mod;
    return mask_lanewise(m, i, [&](LaneMasks& l, std::uint32_t) {
        const FlagStackEntry Top = l.FlagStack.empty() ? FlagStackEntry{false, false} : l.FlagStack.back();
        if (Mod1 == 0) {
            if (!l.FlagStack.empty()) l.FlagStack.pop_back();
        } else if (!m.blackhole() && l.FlagStack.size() == Capacity) {
            l.FlagStack.front() = Top;  // the hardware bug
        }
        if (Mod1 == 0) {
            l.UseLaneFlagsForLaneEnable = Top.UseLaneFlagsForLaneEnable;
            l.LaneFlags = Top.LaneFlags;
        } else if (Mod1 <= 12) {
            l.UseLaneFlagsForLaneEnable = Top.UseLaneFlagsForLaneEnable;
            l.LaneFlags = BooleanOp(Mod1, l.LaneFlags, Top.LaneFlags);
        } else if (Mod1 == 13) {
            l.LaneFlags = !l.LaneFlags;
        } else {
            l.UseLaneFlagsForLaneEnable = true;
            l.LaneFlags = Mod1 == 14;
        }
    });
}

// SFPGT: VC smaller; SFPLE: VC greater or equal.
Outcome compare(VectorMachine& m, const Insn& i, bool when_smaller) {
    constexpr std::uint32_t SET_CC = 1, MUTATE_STACK = 2, MUTATE_OR = 4, SET_VD = 8;
    return mask_lanewise(m, i, [&](LaneMasks& l, std::uint32_t Lane) {
        const bool holds = SignMagIsSmaller(m.LReg(*i.VC, Lane), m.LReg(*i.VB, Lane)) == when_smaller;
        if (m.LaneEnabled(Lane)) {
            if (i.Mod & SET_VD) m.write_result(i.VD, Lane, holds ? 0xFFFFFFFF : 0);
            if (i.Mod & SET_CC) l.LaneFlags = holds;
        }
        if ((i.Mod & MUTATE_STACK) && !l.FlagStack.empty()) {
            bool& top = l.FlagStack.back().LaneFlags;
            top = i.Mod & MUTATE_OR ? top || holds : top && holds;
        }
    });
}

Outcome SFPGT(VectorMachine& m, const Insn& i) { return compare(m, i, true); }

Outcome SFPLE(VectorMachine& m, const Insn& i) { return compare(m, i, false); }

constexpr Registered models[] = {
    of_unit(isa::mnemonic("SFPSETCC"), SFPSETCC, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPENCC"), SFPENCC, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPCOMPC"), SFPCOMPC, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPPUSHC"), SFPPUSHC, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPPOPC"), SFPPOPC, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPGT"), SFPGT, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPLE"), SFPLE, SubUnit::Simple),
};

}  // namespace

}  // namespace tessera::reference::vector

namespace tessera::reference {

std::span<const Registered> vector_flags_models() { return vector::models; }

}  // namespace tessera::reference
