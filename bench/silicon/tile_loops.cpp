// SPDX-License-Identifier: Apache-2.0
#include "silicon/tile_loops.hpp"

#include <fmt/format.h>

#include "texts.hpp"

namespace tessera::bench::silicon {

namespace {

/// THCON_SEC0_REG1_L1_Dest_addr as a word of configuration, which differs between the chips; and symbols that few programs change.
std::string defaults(Arch arch) {
    return fmt::format(
        ".equ L1_DEST_ADDR, {}\n.equ FORMAT, 5\n.equ PACKED, 5\n.equ PACKERS, 0xF\n.equ SECTION, 0\n"
        ".equ COLUMNS, 1\n.equ HALVES, 1\n",
        arch == Arch::blackhole ? 69 : 57);
}

}  // namespace

std::function<Result<double>(const Machine&)> cycles_of_tile(TileLoop loop) {
    return [loop = std::move(loop)](const Machine& machine) -> Result<double> {
        std::string text;
        for (const std::string& program : loop.programs) text += text_of("silicon/" + program);
        text += loop.text;
        for (const std::string& program : loop.last) text += text_of("silicon/" + program);
        auto loops = loops_of(machine.arch, text, defaults(machine.arch) + loop.symbols, loop.own, loop.inner);
        if (!loops) return tl::make_unexpected(loops.error());
        for (std::size_t core = 0; core < riscv_cores; ++core)
            if (auto& one = (*loops)[core]) {
                one->times = loop.times[core];
                one->gathers |= loop.gathers;
            }
        const auto cycles = cycles_of_round(machine, *loops);
        if (!cycles) return tl::make_unexpected(cycles.error());
        return (*cycles)[static_cast<std::size_t>(loop.measured)] / loop.tiles;
    };
}

}  // namespace tessera::bench::silicon
