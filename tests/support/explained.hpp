// SPDX-License-Identifier: Apache-2.0
// Explanations of a program's instructions at issue.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera::test {

/// The last explained instruction of a program of thread 0.
class Explained {
public:
    /// `l1`: what each byte of L1 is at the beginning.
    explicit Explained(const std::string& text, std::string_view mnemonic = "UNPACR", Arch arch = Arch::blackhole,
                       std::uint8_t l1 = 0)
        : core_(arch) {
        std::ranges::fill(core_.l1(), l1);
        const auto program = assemble(text, arch);
        if (!program) throw std::runtime_error(program.error().describe());
        RunOptions options;
        options.max_cycles = 10'000;
        options.explain = [&](unsigned, std::int64_t, std::uint32_t word) {
            return disassemble_named(word, arch).starts_with(mnemonic);
        };
        run_ = core_.run(*program, options).value();
        if (run_.explanations.empty()) throw std::runtime_error("nothing explained");
    }

    const Run& run() const { return run_; }
    const std::vector<Explanation::Line>& lines() const { return run_.explanations.back().lines; }
    /// Values of the lines of that topic and name, joined by blanks.
    std::string operator()(std::string_view topic, std::string_view name) const {
        std::string text;
        for (const auto& line : lines())
            if (line.topic == topic && line.name == name) text += (text.empty() ? "" : " ") + line.value;
        return text;
    }
    std::vector<std::string> names(std::string_view topic) const {
        std::vector<std::string> all;
        for (const auto& line : lines())
            if (line.topic == topic) all.push_back(line.name);
        return all;
    }
    /// Names of the "should be" lines of one finding or fault.
    std::vector<std::string> cures_of(std::string_view code) const {
        std::vector<std::string> all;
        bool here = false;
        for (const auto& line : lines()) {
            if (line.topic != "should be") here = line.name == code;
            if (line.topic == "should be" && here) all.push_back(line.name);
        }
        return all;
    }

private:
    Core core_;
    Run run_;
};

}  // namespace tessera::test
