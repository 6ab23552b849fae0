// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "tessera/instruction_set.hpp"

namespace tessera {

namespace {

using Operand = InstructionInfo::Operand;
using Value = InstructionInfo::Value;
using Values = InstructionInfo::Values;

std::string bit_range(unsigned hi, unsigned lo) {
    return hi == lo ? fmt::format("[{}]", lo) : fmt::format("[{}:{}]", hi, lo);
}

/// The anchor of a heading on the page.
std::string link(std::string_view heading) {
    std::string anchor;
    for (const char c : heading) {
        if (c >= 'A' && c <= 'Z') anchor += static_cast<char>(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_') anchor += c;
        if (c == ' ') anchor += '-';
    }
    return fmt::format("[{}](#{})", heading, anchor);
}

std::string operand_text(const Operand& o) {
    std::string text = fmt::format("`{}` {}", o.name, bit_range(o.hi, o.lo));
    for (const auto& alias : o.also) text += fmt::format(" (also `{}`)", alias);
    if (!o.says.title.empty()) text += " " + link(o.says.title);
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

/// Sets of values by architecture; empty if none of its operands uses the set.
using ByArch = std::array<Values, 2>;
using AllValues = std::map<std::string, ByArch>;

void collect(const InstructionInfo& info, AllValues& all) {
    const auto add = [&](const Values& values) {
        if (!values.title.empty()) all[values.title][static_cast<std::size_t>(info.arch)] = values;
    };
    for (const auto& operand : info.operands) add(operand.says);
    for (const auto& form : info.forms)
        for (const auto& operand : form.operands) add(operand.says);
    for (const auto& registers : info.registers) add(registers);
}

std::string number(const Value& value) {
    constexpr std::uint32_t whole = ~0u;
    if (value.mask == whole) return fmt::format("{}", value.value);
    if (value.mask == value.value) return fmt::format("0x{:X}", value.value);
    return fmt::format("0x{:X} of 0x{:X}", value.value, value.mask);
}

const Value* find(const Values& among, const std::string& name) {
    for (const auto& value : among.values)
        if (value.name == name) return &value;
    return nullptr;
}

std::string value_row(const Value* blackhole, const Value* wormhole) {
    const Value& any = blackhole ? *blackhole : *wormhole;
    std::string also;
    for (const auto& other : any.also) also += fmt::format("{}`{}`", also.empty() ? "" : ", ", other);
    return fmt::format("| `{}` | {} | {} | {} | {} |\n", any.name, blackhole ? number(*blackhole) : "",
                       wormhole ? number(*wormhole) : "", any.meaning.empty() ? "(a spelling of these)" : any.meaning,
                       also);
}

std::string describe(const ByArch& by_arch) {
    const auto& [blackhole, wormhole] = by_arch;
    const Values& any = blackhole.title.empty() ? wormhole : blackhole;
    std::string text = fmt::format("\n### {}\n\n", any.title);
    if (!any.about.empty()) text += any.about + ".\n";
    if (blackhole.values.empty() && wormhole.values.empty()) return text;
    text += any.about.empty() ? "" : "\n";
    text += "| name | Blackhole | Wormhole | meaning | also |\n|---|---|---|---|---|\n";
    for (const auto& value : blackhole.values) text += value_row(&value, find(wormhole, value.name));
    for (const auto& value : wormhole.values)
        if (!find(blackhole, value.name)) text += value_row(nullptr, &value);
    return text;
}

constexpr std::string_view introduction = R"(# Instructions

Made from the declarations in `src/isa/` by `tessera isa --markdown`.

Bits count from 0, the lowest; the opcode is [31:24]. An operand's range is the span that the vendor's operand list gives
it; "used" are the bits of it that mean something. Behind it is a link to what its values mean. "Held back by" are the
bits of the block masks of STALLWAIT and SEMWAIT (B0 to B8: TDMA, SYNC, PACK, UNPACK, XMOV, THCON, MATH, CFG, SFPU), each
of which keeps the instruction at the wait gate. Of several forms that match a word, the first counts. Set bits that
neither select the word's form nor belong to one of its operands have no meaning.
)";

constexpr std::string_view values_introduction = R"(
## Values

What operands' values mean. `.tts` takes the names, letter case aside, joined by `|` where the table has bits:
`STALLWAIT block=math wait=unpack0|pack`. A decimal number is the whole operand; "0x1 of 0x3" is what the bits of 0x3
say, which other names may stand beside. No number: the architecture has no such value. "also" are the kernel library's
names.
)";

}  // namespace

std::string instruction_reference() {
    std::string text(introduction);
    AllValues all;
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
        collect(blackhole, all);
        if (wormhole) collect(*wormhole, all);
        if (!wormhole) {
            text += "- Blackhole only\n" + body;
        } else if (describe(*wormhole) == body) {
            text += body;
        } else {
            text += "\nBlackhole:\n\n" + body + "\nWormhole:\n\n" + describe(*wormhole);
        }
        for (const auto& registers : blackhole.registers) text += "- " + link(registers.title) + "\n";
    }
    text += values_introduction;
    for (const auto& [title, values] : all) text += describe(values);
    return text;
}

}  // namespace tessera
