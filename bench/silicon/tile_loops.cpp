// SPDX-License-Identifier: Apache-2.0
#include "silicon/tile_loops.hpp"

#include <fmt/format.h>

#include "riscv/encode.hpp"
#include "texts.hpp"

namespace tessera::bench::silicon {

namespace {

/// Conditions of STALLWAIT, whose bits differ between the chips (STALLWAIT, Conditions).
std::string conditions(Arch arch) {
    const bool blackhole = arch == Arch::blackhole;
    return fmt::format(
        ".equ SRCA_CLR, {}\n.equ SRCB_CLR, {}\n.equ SRCA_VLD, {}\n.equ SRCB_VLD, {}\n.equ TRISC_CFG, {}\n.equ "
        "MATRIX_BUSY, {}\n.equ MATRIX_OR_VECTOR, {}\n.equ L1_DEST_ADDR, {}\n",
        blackhole ? 0x20 : 0x100, blackhole ? 0x40 : 0x200, blackhole ? 0x80 : 0x400, blackhole ? 0x100 : 0x800,
        blackhole ? 0x400 : 0x2000, blackhole ? 0x10 : 0x80, blackhole ? 0x810 : 0x4080, blackhole ? 69 : 57);
}

}  // namespace

std::function<Result<double>(const Machine&)> cycles_of_tile(TileLoop loop) {
    return [loop = std::move(loop)](const Machine& machine) -> Result<double> {
        std::string text;
        for (const std::string& program : loop.programs) text += text_of("silicon/" + program);
        auto loops = loops_of(machine.arch, text, conditions(machine.arch) + loop.symbols);
        if (!loops) return tl::make_unexpected(loops.error());
        const std::uint32_t nop = riscv::encode::i(riscv::Op::addi, 0, 0, 0);
        for (std::size_t core = 0; core < riscv_cores; ++core)
            if (auto& one = (*loops)[core]) {
                one->times = loop.times[core];
                one->body.insert(one->body.end(), loop.own[core], nop);
            }
        const auto cycles = cycles_of_round(machine, *loops);
        if (!cycles) return tl::make_unexpected(cycles.error());
        return (*cycles)[static_cast<std::size_t>(loop.measured)] / loop.tiles;
    };
}

}  // namespace tessera::bench::silicon
