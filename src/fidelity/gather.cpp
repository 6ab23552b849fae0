// SPDX-License-Identifier: Apache-2.0
// Finds the modes that cases prove. A case proves a mode if it passes, and fails once NOPs replace the instructions
// with that mode. A failing case with the mode disproves it.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "check/compare.hpp"
#include "fidelity/modes.hpp"
#include "isa/instruction.hpp"
#include "isa/opcode.hpp"
#include "tessera/case.hpp"
#include "tessera/fidelity.hpp"

namespace tessera {

namespace {

constexpr std::uint64_t most_cycles = 1'000'000;

/// Words that a case executed, by instruction and mode.
using Words = std::map<std::pair<std::string, std::string>, std::set<std::uint32_t>>;

struct Outcome {
    bool as_expected = false;
    Words words;
};

Result<Outcome> run_case(const Case& from, const Program& program, bool explain) {
    const Arch arch = from.job.arch;
    auto core = prepare(from.job);
    if (!core) return tl::make_unexpected(core.error());
    RunOptions options = from.job.options;
    options.max_cycles = most_cycles;
    std::vector<std::uint32_t> issued;
    if (explain)
        options.explain = [&](unsigned, std::int64_t, std::uint32_t word) {
            issued.push_back(word);
            return true;
        };
    auto run = core->run(program, options);
    if (!run) return tl::make_unexpected(run.error());
    Outcome outcome;
    const auto note = [&](std::uint32_t word, const Explanation& explanation) {
        const auto instruction = isa::decode(word, arch);
        if (!instruction.spec) return;
        for (const std::string& mode : fidelity::modes_of(instruction, explanation))
            outcome.words[{std::string(instruction.spec->name), mode}].insert(word);
    };
    for (std::size_t i = 0; i < run->explanations.size() && i < issued.size(); ++i)
        note(issued[i], run->explanations[i]);
    // The front end's own instructions are never issued, so they come from the program.
    for (const auto& thread : program.threads)
        for (const Op& op : thread)
            if (explain && op.kind == Op::Kind::ins) {
                const auto instruction = isa::decode(op.value, arch);
                if (instruction.spec && instruction.spec->unit == isa::Unit::frontend) note(op.value, {});
            }
    if (run->fault) return outcome;
    auto difference = check::first_difference(*core, nlohmann::json::parse(from.expect));
    if (!difference) return tl::make_unexpected(difference.error());
    outcome.as_expected = difference->empty();
    return outcome;
}

// The program with NOPs in place of some words, also in the templates of MOPs.
Program without(Program program, const std::set<std::uint32_t>& words) {
    constexpr std::uint32_t nop = isa::bare_word(isa::mnemonic("NOP"));
    for (auto& thread : program.threads)
        for (Op& op : thread)
            if ((op.kind == Op::Kind::ins || op.kind == Op::Kind::mop) && words.contains(op.value)) op.value = nop;
    return program;
}

}  // namespace

Result<std::string> gather_fidelity_evidence(const std::vector<std::string>& case_files) {
    struct Key {
        std::string arch, instruction, mode;
        bool model;
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, std::string> proofs;
    std::set<Key> disproved;
    for (const std::string& file : case_files) {
        const auto from = load_case(file);
        if (!from) return tl::make_unexpected(from.error());
        const std::filesystem::path path(file);
        const std::string folder = path.parent_path().filename().string();
        const bool model = folder.ends_with("-model");
        const auto outcome = run_case(*from, from->job.program, true);
        if (!outcome) return tl::make_unexpected(outcome.error());
        std::map<std::set<std::uint32_t>, bool> needed;  // by the removed words
        for (const auto& [of, words] : outcome->words) {
            const Key key{std::string(name(from->job.arch)), of.first, of.second, model};
            if (!outcome->as_expected) disproved.insert(key);
            if (!outcome->as_expected || proofs.contains(key)) continue;
            if (!needed.contains(words)) {
                const auto maimed = run_case(*from, without(from->job.program, words), false);
                if (!maimed) return tl::make_unexpected(maimed.error());
                needed[words] = !maimed->as_expected;
            }
            if (needed[words]) proofs[key] = fmt::format("{}/{}", folder, path.stem().string());
        }
    }
    std::string text;
    for (const auto& [key, proof] : proofs)
        if (!disproved.contains(key))
            text += fmt::format("{{Arch::{}, \"{}\", \"{}\", {}, \"{}\"}},\n", key.arch, key.instruction, key.mode,
                                key.model, proof);
    return text;
}

}  // namespace tessera
