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

/// Configures unpacker 0 for a BF16 face at L1 0x10010, to SrcA.
inline constexpr std::string_view face_to_src_a = R"(
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float16_b
.cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1
.cfg THCON_SEC0_REG0_TileDescriptor_XDim = 256
.cfg THCON_SEC0_REG0_TileDescriptor_YDim = 1
.cfg THCON_SEC0_REG2_Out_data_format = Float16_b
.cfg THCON_SEC0_REG3_Base_address = 0x10000 / 16
.cfg UNP0_ADDR_BASE_REG_1_Base = 4 * 16 * 2
)";

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
