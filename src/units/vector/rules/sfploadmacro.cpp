// SPDX-License-Identifier: Apache-2.0
// SFPLOADMACRO (its page, Functional model): a load, and up to four instructions for later.
// Reference: reference/models/vector_macro.cpp.
#include <fmt/format.h>

#include "isa/names.hpp"
#include "isa/opcode.hpp"
#include "units/rwc.hpp"
#include "units/vector/lanes.hpp"
#include "units/vector/macro_cells.hpp"
#include "units/vector/schedule.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

using state::Macro;
using state::Scheduled;

constexpr auto lreg = isa::operand("SFPLOADMACRO", "lreg_ind");
constexpr auto mode = isa::operand("SFPLOADMACRO", "instr_mod0");
constexpr auto addr_mode = isa::operand("SFPLOADMACRO", "sfpu_addr_mode");
constexpr auto dst_address = isa::operand("SFPLOADMACRO", "dest_reg_addr");

constexpr unsigned hidden_lreg = 16, endless_delay = 7;

// The LReg of the first operand with one of these names; none if the instruction has no such operand.
std::optional<std::uint8_t> operand_named(const isa::Instruction& instruction,
                                          std::initializer_list<std::string_view> names) {
    for (std::size_t i = 0; i < instruction.spec->operand_count; ++i) {
        const auto& operand = instruction.spec->operands[i];
        for (const auto name : names)
            if (operand.name == name && operand.bits) return instruction.word >> operand.lo & 0xF;
    }
    return std::nullopt;
}

// VB of instructions whose declaration calls it an immediate, since other modes use it as one. Blackhole's SFPAND and
// SFPOR have one if a modifier selects it.
std::optional<std::uint8_t> vb_of(const isa::Instruction& instruction) {
    constexpr auto immediate = isa::operand("SFPSHFT2", "imm12_math"), modifiers = isa::operand("SFPAND", "instr_mod1");
    constexpr std::uint32_t use_vb = 1;
    const bool combines = instruction.is(isa::mnemonic("SFPAND")) || instruction.is(isa::mnemonic("SFPOR"));
    if (instruction.is(isa::mnemonic("SFPSHFT2")) || instruction.is(isa::mnemonic("SFPARECIP")) ||
        (combines && instruction.arch == Arch::blackhole && instruction[modifiers] & use_vb))
        return instruction[immediate] & 0xF;
    return operand_named(instruction, {"lreg_src_b"});
}
std::optional<std::uint8_t> vc_of(const isa::Instruction& instruction) {
    return operand_named(instruction, {"lreg_c", "lreg_src_c"});
}
std::uint8_t vd_of(const isa::Instruction& instruction) {
    return operand_named(instruction, {"lreg_dest", "lreg_ind", "config_dest"}).value_or(0);
}

// LoadMacroConfig of column 0. A difference in another column is reported (spec-notes V70).
class Config {
public:
    Config(const StateView& view, plan::Plan& plan) : look_(view), plan_(plan) {}

    std::uint32_t operator()(Macro item, unsigned i = 0) {
        const std::uint32_t value = look_[state::cells::macro(0, item, i)];
        for (unsigned column = 1; column < columns && !differs_; ++column)
            differs_ = look_[state::cells::macro(column, item, i)] != value;
        return value;
    }
    void report_differences() const {
        if (differs_) plan_.note(findings::id("vector.macro-columns"));
    }

private:
    const StateView& look_;
    plan::Plan& plan_;
    bool differs_ = false;
};

struct Request {
    unsigned macro = 0;
    std::uint8_t vd = 0, load_mode = 0;
    std::uint16_t address = 0;
};

isa::Instruction named(isa::Mnemonic mnemonic, Arch arch) { return isa::decode(isa::bare_word(mnemonic), arch); }

// The template, or its replacement. None if the page leaves the result open.
std::optional<isa::Instruction> instruction_for(const StateView& view, plan::Plan& plan, Config& config, SubUnit unit,
                                                SequenceBits sequence) {
    const Arch arch = view.arch().arch;
    isa::Instruction instruction;
    switch (sequence.code()) {
        case SequenceBits::undefined: plan.note(findings::id("vector.macro-code"), {}, name(unit)); return std::nullopt;
        case SequenceBits::nop: instruction = named(isa::mnemonic("SFPNOP"), arch); break;
        case SequenceBits::store: instruction = named(isa::mnemonic("SFPSTORE"), arch); break;
        default:
            instruction = isa::decode(config(Macro::template_0, sequence.code() - SequenceBits::first_template), arch);
    }
    if (instruction.spec && can_execute(unit, instruction.mnemonic)) return instruction;
    if (unit == SubUnit::store) {
        plan.note(findings::id("vector.macro-store"), {instruction.word});
        return std::nullopt;
    }
    plan.note(findings::id("vector.macro-unfit"), {instruction.word}, name(unit));
    return named(isa::mnemonic("SFPNOP"), arch);
}

// VB and VC are the macro's, or else the encoded ones, or else the encoded VD.
RegisterCell registers_of(const isa::Instruction& instruction, SubUnit unit, SequenceBits sequence, std::uint8_t vd) {
    RegisterCell registers;
    const std::uint8_t encoded = vd_of(instruction);
    const std::uint8_t to = sequence.to_hidden() ? hidden_lreg : vd;
    if (unit == SubUnit::store) {
        registers.d = !sequence.to_hidden() && sequence.second_choice() ? encoded : to;
        return registers;
    }
    const auto b = vb_of(instruction), c = vc_of(instruction);
    registers.b = sequence.second_choice() ? vd : b.value_or(encoded);
    registers.c = sequence.second_choice() ? c.value_or(encoded) : vd;
    registers.d = to;
    return registers;
}

void report(const StateView& view, SubUnit unit, unsigned delay, bool by_instructions,
            const isa::Instruction& instruction, const RegisterCell& registers) {
    if (auto* listener = view.listener())
        listener->report(
            "schedules", fmt::format("{} sub-unit", name(unit)),
            fmt::format("{} in {} {}, VB {}, VC {}, VD {}", instruction.spec->name, delay + 1,
                        by_instructions ? "instructions" : "cycles", registers.b, registers.c, registers.d));
}

void schedule(const StateView& view, plan::Plan& plan, Config& config, SubUnit unit, SequenceBits sequence,
              const Request& request) {
    const unsigned u = static_cast<unsigned>(unit), delay = sequence.delay();
    const auto set = [&](Scheduled item, std::uint32_t value) {
        plan.effect(state::cells::scheduled(u, delay, item), value, plan::When::start);
    };
    if (sequence.code() == SequenceBits::nothing) return;  // V65
    const auto instruction = instruction_for(view, plan, config, unit, sequence);
    if (!instruction) {
        if (delay != endless_delay) set(Scheduled::word, 0);
        return;
    }
    const MiscBits misc{config(Macro::misc)};
    const RegisterCell registers = registers_of(*instruction, unit, sequence, request.vd);
    StoreCell store;
    if (unit == SubUnit::store) {
        store.address = request.address;
        store.mode = misc.uses_load_mode(request.macro) ? request.load_mode : misc.store_mode();
    }
    const HowCell how{static_cast<std::uint8_t>(view.thread), misc.by_instructions(u)};
    set(Scheduled::word, instruction->word);
    set(Scheduled::registers, registers.packed());
    set(Scheduled::store, store.packed());
    set(Scheduled::how, how.packed());
    report(view, unit, delay, how.by_instructions, *instruction, registers);
}

void resolve_sfploadmacro(const StateView& view, plan::Plan& plan) {
    Request request;
    request.macro = view[lreg] >> 2;
    request.vd = static_cast<std::uint8_t>((view[dst_address] & 1) << 2 | (view[lreg] & 3));
    request.load_mode = static_cast<std::uint8_t>(view[mode]);
    request.address = load(view, plan, request.vd, request.load_mode, view[dst_address]);
    Config config(view, plan);
    const std::uint32_t sequence = config(Macro::sequence_0, request.macro);
    bool empty = true;
    for (unsigned u = 0; u < sub_units; ++u) {
        const SequenceBits bits{static_cast<std::uint8_t>(sequence >> 8 * u)};
        empty &= bits.code() == SequenceBits::nothing;
        schedule(view, plan, config, SubUnit(u), bits, request);
    }
    if (empty) plan.note(findings::id("vector.macro-empty"), {request.macro});
    config.report_differences();
    apply_addr_mod(view, plan, view[addr_mode], false);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPLOADMACRO"), resolve_sfploadmacro, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> sfploadmacro_rules() { return behaviours; }

}  // namespace tessera::units::vector
