// SPDX-License-Identifier: Apache-2.0
#include "tessera/instruction_set.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>

#include "frontend/wait_gate.hpp"
#include "isa/form.hpp"
#include "isa/names.hpp"
#include "isa/opcode.hpp"
#include "isa/operand_values.hpp"
#include "isa/values/frontend.hpp"
#include "isa/values/sync.hpp"
#include "state/arch_description.hpp"
#include "tessera/similar_name.hpp"

namespace tessera {

namespace {

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> result;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        if (end) result.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

InstructionInfo::Values describe(const isa::ValueSet& set, Arch arch) {
    InstructionInfo::Values result{std::string(set.title), std::string(set.about), {}};
    isa::for_each_value(set, arch, [&](const isa::ValueSpec& v) {
        result.values.push_back(
            {std::string(v.name), v.on(arch), v.mask(arch), std::string(set.meaning(v)), words(v.also)});
    });
    return result;
}

std::vector<InstructionInfo::Operand> describe(const isa::InstructionSpec& spec,
                                               std::span<const isa::OperandSpec> operands, Arch arch) {
    std::vector<InstructionInfo::Operand> result;
    for (const auto& o : operands) {
        const auto* set = isa::values_of(o);
        result.push_back({isa::spelled(o.name),
                          o.lo,
                          o.hi,
                          o.bits,
                          o.printed,
                          set ? describe(*set, arch) : InstructionInfo::Values{},
                          {}});
        isa::for_each_alias(spec, o, [&](std::string_view alias) { result.back().also.emplace_back(alias); });
    }
    return result;
}

InstructionInfo describe(const isa::InstructionSpec& spec, Arch arch) {
    const auto instruction = isa::decode(isa::bare_word(spec), arch);
    InstructionInfo info;
    info.name = spec.name;
    info.arch = arch;
    info.opcode = spec.opcode;
    info.unit = isa::name(spec.unit);
    info.meaning = spec.meaning;
    info.blocked_by_all_only = instruction.is(isa::mnemonic("NOP"));
    info.block_bits =
        info.blocked_by_all_only ? isa::block::all : frontend::block_bits(instruction, state::describe(arch));
    info.operands = describe(spec, isa::operands(spec), arch);
    for (const auto& f : spec.forms)
        info.forms.push_back({std::string(f.name), f.mask, f.value, std::string(f.meaning),
                              describe(spec, std::span(f.operands.data(), f.operand_count), arch)});
    if (instruction.is(isa::mnemonic("MOP")))
        for (const auto* set : {&isa::values::mop_register_0, &isa::values::mop_register_1})
            info.registers.push_back(describe(*set, arch));
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
    const std::string similar = suggestion(mnemonic, names);
    return fail("isa.unknown-instruction",
                fmt::format("'{}' is not an instruction{}", name, similar.empty() ? "; 'tessera isa' lists all" : similar));
}

Result<InstructionInfo> find_instruction(std::string_view name, Arch arch) {
    auto of_each = describe_instruction(name);
    if (!of_each) return tl::make_unexpected(std::move(of_each.error()));
    for (InstructionInfo& one : *of_each)
        if (one.arch == arch) return std::move(one);
    return fail("isa.unknown-instruction", fmt::format("{} has no instruction '{}'", tessera::name(arch), name));
}

std::string block_names(std::uint16_t block_bits) {
    std::string text;
    for (const isa::ValueSpec& block : isa::values::blocks) {
        const std::uint32_t bit = block.on(Arch::blackhole);
        if (!std::has_single_bit(bit) || !(block_bits & bit)) continue;
        text += text.empty() ? "" : ", ";
        for (const char c : block.name) text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return text;
}

}  // namespace tessera
