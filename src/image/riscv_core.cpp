// SPDX-License-Identifier: Apache-2.0
#include "tessera/kernels.hpp"

namespace tessera {

namespace {

constexpr std::array<std::string_view, riscv_cores> names = {"brisc", "trisc0", "trisc1", "trisc2", "ncrisc"};

}  // namespace

std::string_view name(RiscvCore core) { return names.at(static_cast<std::size_t>(core)); }

std::optional<RiscvCore> parse_riscv_core(std::string_view text) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (text == names[i]) return static_cast<RiscvCore>(i);
    return std::nullopt;
}

}  // namespace tessera
