// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tessera/instruction_set.hpp"

namespace tessera {

namespace {

using Operand = InstructionInfo::Operand;

std::string bit_range(unsigned hi, unsigned lo) {
    return hi == lo ? fmt::format("[{}]", lo) : fmt::format("[{}:{}]", hi, lo);
}

std::string operand_text(const Operand& o) {
    std::string text = fmt::format("`{}` {}", o.name, bit_range(o.hi, o.lo));
    if (o.bits == 0) text += " (no meaning)";
    if (o.bits != 0 && o.lo + o.bits - 1 != o.hi) text += " (used " + bit_range(o.lo + o.bits - 1, o.lo) + ")";
    if (!o.printed) text += " (by name only)";
    return text;
}

std::string operand_list(const std::vector<Operand>& operands) {
    std::string text;
    for (const auto& o : operands) text += (text.empty() ? "" : ", ") + operand_text(o);
    return text;
}

std::string selector(const InstructionInfo::Form& form) {
    return form.mask == 0 ? "any other word" : fmt::format("word & 0x{:06X} = 0x{:06X}", form.mask, form.value);
}

std::string wait_class(const InstructionInfo& info) {
    if (info.block_bits == 0) return "none: consumed before the wait gate";
    if (info.blocked_by_all_only) return "all bits together";
    constexpr std::uint16_t every_bit = 0x1FF;
    return info.block_bits == every_bit ? "any bit" : block_names(info.block_bits);
}

std::string describe(const InstructionInfo& info) {
    std::string text = "- operands: " + (info.operands.empty() ? "none" : operand_list(info.operands)) + "\n";
    if (info.forms.empty()) return text;
    text += "\n| form | selected by | meaning | operands |\n|---|---|---|---|\n";
    for (const auto& form : info.forms)
        text += fmt::format("| {} | {} | {} | {} |\n", form.name, selector(form), form.meaning,
                            form.operands.empty() ? "as above" : operand_list(form.operands));
    return text;
}

constexpr std::string_view introduction = R"(# Instructions

Made from the declarations in `src/isa/declarations/` by `tessera isa --markdown`.

Bits count from 0, the lowest; the opcode is [31:24]. An operand's range is the span that the vendor's operand list gives
it; "used" are the bits of it that mean something. "Held back by" are the bits of the block masks of STALLWAIT and
SEMWAIT (B0 to B8: TDMA, SYNC, PACK, UNPACK, XMOV, THCON, MATH, CFG, SFPU), each of which keeps the instruction at the
wait gate. Of several forms that match a word, the first counts. Set bits that neither select the word's form nor belong
to one of its operands have no meaning.
)";

}  // namespace

std::string instruction_reference() {
    std::string text(introduction);
    // Blackhole has every instruction that Wormhole has.
    for (const auto& blackhole : instruction_set(Arch::blackhole)) {
        text += fmt::format("\n## {}\n\n{}.\n\n- opcode 0x{:02X}, unit: {}\n", blackhole.name, blackhole.meaning,
                            blackhole.opcode, blackhole.unit);
        const auto found = describe_instruction(blackhole.name);
        const auto* wormhole = found && found->size() == 2 ? &(*found)[1] : nullptr;
        const auto waits = wait_class(blackhole);
        if (!wormhole || wait_class(*wormhole) == waits)
            text += fmt::format("- held back by: {}\n", waits);
        else
            text += fmt::format("- held back by: {} (Blackhole), {} (Wormhole)\n", waits, wait_class(*wormhole));
        const auto body = describe(blackhole);
        if (!wormhole) {
            text += "- Blackhole only\n" + body;
        } else if (describe(*wormhole) == body) {
            text += body;
        } else {
            text += "\nBlackhole:\n\n" + body + "\nWormhole:\n\n" + describe(*wormhole);
        }
    }
    return text;
}

}  // namespace tessera
