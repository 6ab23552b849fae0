// SPDX-License-Identifier: Apache-2.0
#include "silicon/tile_loops.hpp"

#include <fmt/format.h>

#include "riscv/encode.hpp"
#include "texts.hpp"

namespace tessera::bench::silicon {

namespace {

/// THCON_SEC0_REG1_L1_Dest_addr as a word of configuration, which differs between the chips.
std::string addresses(Arch arch) { return fmt::format(".equ L1_DEST_ADDR, {}\n", arch == Arch::blackhole ? 69 : 57); }

}  // namespace

std::function<Result<double>(const Machine&)> cycles_of_tile(TileLoop loop) {
    return [loop = std::move(loop)](const Machine& machine) -> Result<double> {
        std::string text;
        for (const std::string& program : loop.programs) text += text_of("silicon/" + program);
        text += loop.text;
        for (const std::string& program : loop.last) text += text_of("silicon/" + program);
        auto loops = loops_of(machine.arch, text, addresses(machine.arch) + loop.symbols, loop.inner);
        if (!loops) return tl::make_unexpected(loops.error());
        const std::uint32_t nop = riscv::encode::i(riscv::Op::addi, 0, 0, 0);
        for (std::size_t core = 0; core < riscv_cores; ++core)
            if (auto& one = (*loops)[core]) {
                one->times = loop.times[core];
                one->gathers = loop.gathers || machine.arch == Arch::wormhole;
                one->body.insert(one->body.end(), loop.own[core], nop);
            }
        const auto cycles = cycles_of_round(machine, *loops);
        if (!cycles) return tl::make_unexpected(cycles.error());
        return (*cycles)[static_cast<std::size_t>(loop.measured)] / loop.tiles;
    };
}

}  // namespace tessera::bench::silicon
