// SPDX-License-Identifier: Apache-2.0
#include "tessera/instruction_set.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "frontend/wait_gate.hpp"
#include "isa/form.hpp"
#include "isa/names.hpp"
#include "isa/text.hpp"
#include "state/arch_description.hpp"

namespace tessera {

namespace {

std::vector<InstructionInfo::Operand> describe(std::span<const isa::OperandSpec> operands) {
    std::vector<InstructionInfo::Operand> result;
    for (const auto& o : operands) result.push_back({isa::spelled(o.name), o.lo, o.hi, o.bits, o.printed});
    return result;
}

InstructionInfo describe(const isa::InstructionSpec& spec, Arch arch) {
    const auto instruction = isa::decode(std::uint32_t{spec.opcode} << 24, arch);
    InstructionInfo info;
    info.name = spec.name;
    info.arch = arch;
    info.opcode = spec.opcode;
    info.unit = isa::name(spec.unit);
    info.meaning = spec.meaning;
    info.blocked_by_all_only = instruction.is(isa::mnemonic("NOP"));
    info.block_bits =
        info.blocked_by_all_only ? isa::block::all : frontend::block_bits(instruction, state::describe(arch));
    info.operands = describe(isa::operands(spec));
    for (const auto& f : spec.forms)
        info.forms.push_back({std::string(f.name), f.mask, f.value, std::string(f.meaning),
                              describe(std::span(f.operands.data(), f.operand_count))});
    return info;
}

}  // namespace

std::vector<InstructionInfo> instruction_set(Arch arch) {
    std::vector<InstructionInfo> result;
    for (const auto& spec : isa::table)
        if (isa::includes(spec.archs, arch)) result.push_back(describe(spec, arch));
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.opcode < b.opcode; });
    return result;
}

Result<std::vector<InstructionInfo>> describe_instruction(std::string_view name) {
    const bool vendor = name.size() > 2 && isa::same_name(name.substr(0, 2), "tt");
    const auto mnemonic = vendor ? name.substr(2) : name;
    std::vector<InstructionInfo> result;
    for (Arch arch : all_archs)
        if (const auto* spec = isa::find_spec(mnemonic, arch)) result.push_back(describe(*spec, arch));
    if (!result.empty()) return result;
    std::vector<std::string_view> names;
    for (const auto& spec : isa::table) names.push_back(spec.name);
    return fail("isa.unknown-instruction",
                fmt::format("'{}' is no instruction{}", name, isa::suggestion(mnemonic, names)));
}

std::string block_names(std::uint16_t block_bits) {
    constexpr std::string_view names[] = {"TDMA", "SYNC", "PACK", "UNPACK", "XMOV", "THCON", "MATH", "CFG", "SFPU"};
    std::string text;
    for (unsigned bit = 0; bit < std::size(names); ++bit) {
        if (!(block_bits >> bit & 1)) continue;
        text += text.empty() ? "" : ", ";
        text += names[bit];
    }
    return text;
}

}  // namespace tessera
