// SPDX-License-Identifier: Apache-2.0
// What an explanation of a short program says.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera::test {

/// The last instruction with that mnemonic in a program, explained when it was issued.
class Explained {
public:
    Explained(const std::string& text, std::string_view mnemonic, Arch arch) : core_(arch) {
        const Program program = assemble(text, arch).value();
        RunOptions options;
        options.max_cycles = 10'000;
        options.explain = [&](unsigned, std::int64_t, std::uint32_t word) {
            return disassemble_named(word, arch).starts_with(mnemonic);
        };
        run_ = core_.run(program, options).value();
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

private:
    Core core_;
    Run run_;
};

}  // namespace tessera::test
