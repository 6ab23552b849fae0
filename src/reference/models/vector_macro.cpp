// SPDX-License-Identifier: Apache-2.0
// SFPLOADMACRO, Functional model; spec-notes V43, V65 to V73.
// Rules: units/vector/rules/sfploadmacro.cpp, units/vector/rules/sfpnop.cpp.
#include "reference/vector_macro.hpp"

#include <algorithm>

namespace tessera::reference {

namespace vector {

namespace {

struct MacroFields {
    std::uint32_t MacroIndex;
    Insn load;
};

MacroFields fields_of(const Insn& i) {
    const std::uint32_t VDLo = i.VD & 3, VDHi = i.Imm & 1;
    MacroFields f{i.VD >> 2, i};
    f.load.VD = VDHi << 2 | VDLo;
    return f;
}

std::uint32_t SequenceBits(const VectorMachine& m, std::uint32_t Lane, std::uint32_t MacroIndex, unsigned i) {
    return m.LoadMacroConfig(Lane, MacroSequence + MacroIndex) >> i * 8 & 0xFF;
}

bool schedules_something(const VectorMachine& m, std::uint32_t MacroIndex) {
    for (std::uint32_t Lane = 0; Lane < Columns; ++Lane)
        for (unsigned i = 0; i < 4; ++i)
            if (SequenceBits(m, Lane, MacroIndex, i) & 7) return true;
    return false;
}

Outcome SFPLOADMACRO(VectorMachine& m, const Insn& i) {
    const MacroFields f = fields_of(i);
    if (schedules_something(m, f.MacroIndex)) return Outcome::unsupported;
    const std::uint32_t Mod0 = resolve_Mod0(m, i.Mod);
    load_from(m, f.load, Mod0, load_address(m, f.load, Mod0));
    m.ApplyPartialAddrMod(i.AddrMod);
    return Outcome::done;
}

constexpr Registered models[] = {
    of_unit(isa::mnemonic("SFPLOADMACRO"), SFPLOADMACRO, SubUnit::Load),
};

}  // namespace

}  // namespace vector

std::span<const Registered> vector_macro_models() { return vector::models; }

using vector::SubUnit;

bool MacroSchedule::CanExecuteOpcode(SubUnit unit, const isa::Instruction& instruction) {
    if (instruction.is(isa::mnemonic("SFPNOP"))) return unit != SubUnit::Store;
    const Registered* row = vector::find(instruction);
    return row && row->sub_unit == unit;
}

// The instruction that the macro assembles for sub-unit `i`; none where the page has UndefinedBehavior() (V71).
std::optional<MacroSchedule::Entry> MacroSchedule::assemble(VectorMachine& m, const Insn& macro, unsigned i,
                                                            std::uint32_t Addr) const {
    const auto f = vector::fields_of(macro);
    const std::uint32_t bits = vector::SequenceBits(m, 0, f.MacroIndex, i), VD = f.load.VD;
    const std::uint32_t Misc = m.LoadMacroConfig(0, MacroMisc);
    const auto unit = static_cast<SubUnit>(i);
    Entry entry{m.CurrentThread, nullptr, {}, bits >> 3 & 7, (Misc >> (8 + i) & 1) != 0, 0};

    if ((bits & 7) == 1) return {};
    const bool store = unit == SubUnit::Store;
    if ((bits & 7) == 2 && store) return {};
    if ((bits & 7) == 3) {
        if (store) entry.model = vector::SFPSTORE;
    } else if ((bits & 7) >= 4) {
        const std::uint32_t word = m.LoadMacroConfig(0, (bits & 7) - 4);
        const auto instruction = isa::decode(word, m.CurrentInstruction.arch);
        if (CanExecuteOpcode(unit, instruction)) {
            entry.insn = ParseInsn(instruction);
            entry.model = vector::find(instruction)->of_fields;
        } else if (store) {
            return {};
        }
    }
    if (!entry.model) return entry;  // SFPNOP

    Insn& Insn = entry.insn;
    Insn.Scheduled = true;
    if (!store) {
        if (bits & 0x80) {
            Insn.VB = VD;
            if (!Insn.VC) Insn.VC = Insn.VD;
        } else {
            Insn.VC = VD;
            if (!Insn.VB) Insn.VB = Insn.VD;
        }
        Insn.VD = bits & 0x40 ? 16 : VD;
    } else {
        if (bits & 0x40) {
            Insn.VD = 16;
        } else if (!(bits & 0x80)) {
            Insn.VD = VD;
        }
        const bool UsesLoadMod0ForStore = Misc >> (4 + f.MacroIndex) & 1;
        Insn.Mod = UsesLoadMod0ForStore ? macro.Mod : Misc & 0xF;
        entry.Addr = Addr;
    }
    return entry;
}

// LoadMacroConfig of column 0 counts for all lanes (V70).
void MacroSchedule::load_macro(VectorMachine& m, const Insn& macro) {
    const auto f = vector::fields_of(macro);
    const std::uint32_t Mod0 = vector::resolve_Mod0(m, macro.Mod);
    const std::uint32_t Addr = vector::load_address(m, f.load, Mod0);
    vector::load_from(m, f.load, Mod0, Addr);
    m.ApplyPartialAddrMod(macro.AddrMod);

    for (unsigned i = 0; i < sub_units.size(); ++i) {
        const std::uint32_t bits = vector::SequenceBits(m, 0, f.MacroIndex, i), Delay = bits >> 3 & 7;
        if ((bits & 7) == 0) continue;  // V65
        if (Delay != 7) std::erase_if(sub_units[i], [&](const Entry& e) { return e.Delay == Delay; });
        if (const auto entry = assemble(m, macro, i, Addr)) sub_units[i].push_back(*entry);
    }
}

Outcome MacroSchedule::execute(const Entry& entry) {
    if (!entry.model) return Outcome::done;
    VectorMachine m(state_, entry.CurrentThread, 0x8F000000);
    if (entry.model != vector::SFPSTORE) return entry.model(m, entry.insn);
    vector::store_to(m, entry.insn, vector::resolve_Mod0(m, entry.insn.Mod), entry.Addr);
    return Outcome::done;
}

namespace {

// State shared by sub-units: each sub-unit sees the state before the cycle, and all writes are merged after it.
class SharedState {
public:
    explicit SharedState(state::State& state) : state_(state), before_(read(state)), after_(before_) {}

    // Collects the last sub-unit's writes and restores the old state for the next.
    void take_writes() {
        const Values now = read(state_);
        for (std::size_t n = 0; n < now.lregs.lane.size(); ++n)
            if (now.lregs.lane[n] != before_.lregs.lane[n]) after_.lregs.lane[n] = now.lregs.lane[n];
        for (std::size_t n = 0; n < now.flags.size(); ++n)
            if (now.flags[n] != before_.flags[n]) after_.flags[n] = now.flags[n];
        for (std::size_t n = 0; n < now.dst.datums.size(); ++n)
            if (now.dst.datums[n] != before_.dst.datums[n]) after_.dst.datums[n] = now.dst.datums[n];
        for (std::size_t n = 0; n < now.dst.valid.size(); ++n)
            if (now.dst.valid[n] != before_.dst.valid[n]) after_.dst.valid[n] = now.dst.valid[n];
        write(before_);
    }
    void end() { write(after_); }

private:
    static constexpr unsigned first_flag = state::cells::cc_block.first;
    static constexpr unsigned flag_cells = state::cells::cc_stack_size_block.end() - first_flag;
    struct Values {
        state::LRegs lregs;
        state::Dst dst;
        std::array<std::uint32_t, flag_cells> flags;
    };

    static Values read(const state::State& state) {
        Values values{state.lregs, state.dst, {}};
        for (unsigned n = 0; n < flag_cells; ++n) values.flags[n] = state[state::Cell(first_flag + n)];
        return values;
    }
    void write(const Values& values) {
        state_.lregs = values.lregs;
        state_.dst = values.dst;
        for (unsigned n = 0; n < flag_cells; ++n) state_.write(state::Cell(first_flag + n), values.flags[n]);
    }

    state::State& state_;
    const Values before_;
    Values after_;
};

}  // namespace

Outcome MacroSchedule::cycle(const std::optional<Issued>& issued) {
    // The instructions that are due; all others count down (V65, V66).
    std::array<std::optional<Entry>, 4> due;
    bool by_instructions = false;
    for (unsigned i = 0; i < sub_units.size(); ++i) {
        for (const Entry& e : sub_units[i])
            if (e.Delay == 0) due[i] = e;
        std::erase_if(sub_units[i], [](const Entry& e) { return e.Delay == 0; });
        for (const Entry& e : sub_units[i]) by_instructions |= e.WaitForElapsedInstructions;
    }
    if (!by_instructions || issued)
        for (auto& unit : sub_units)
            for (Entry& e : unit) --e.Delay;

    // The issued instruction writes last (V68).
    SharedState shared(state_);
    Outcome outcome = Outcome::done;
    for (const auto& entry : due) {
        if (!entry || outcome != Outcome::done) continue;
        outcome = execute(*entry);
        shared.take_writes();
    }
    if (issued && outcome == Outcome::done) {
        const auto instruction = isa::decode(issued->word, state_.arch().arch);
        const auto unit = static_cast<unsigned>(vector::find(instruction)->sub_unit);
        if (instruction.is(isa::mnemonic("SFPLOADMACRO"))) {
            VectorMachine m(state_, issued->CurrentThread, issued->word);
            load_macro(m, ParseInsn(instruction));
        } else if (unit >= due.size() || !due[unit]) {
            outcome = model_of(instruction)(state_, issued->CurrentThread, issued->word);
        }
        shared.take_writes();
    }
    shared.end();
    return outcome;
}

bool MacroSchedule::idle() const {
    return std::ranges::all_of(sub_units, [](const auto& unit) { return unit.empty(); });
}

}  // namespace tessera::reference
