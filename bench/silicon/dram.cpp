// SPDX-License-Identifier: Apache-2.0
// Transfers with DRAM: single ones, loops, and several tiles that share a channel or have one each.
#include <fmt/format.h>

#include <algorithm>

#include "silicon/measurement.hpp"
#include "silicon/transfers.hpp"

namespace tessera::bench::silicon {

namespace {
namespace dram_rows {

constexpr std::uint64_t upper_half = 0x4000'0000;  ///< of a channel on Wormhole

/// A bank as tt-metal counts them: the tile that it uses, and where the bank begins.
struct Bank {
    NocPlace place;
    std::uint64_t begin = 0;
};
const std::vector<Bank>& banks(Arch arch) {
    static const std::vector<Bank> wormhole = {{{0, 11}}, {{0, 1}, upper_half},  {{0, 5}}, {{0, 7}, upper_half},
                                               {{5, 1}},  {{5, 11}, upper_half}, {{5, 2}}, {{5, 9}, upper_half},
                                               {{5, 8}},  {{5, 3}, upper_half},  {{5, 5}}, {{5, 7}, upper_half}},
                                   blackhole = {{{9, 11}}, {{9, 2}}, {{9, 5}}, {{9, 9}},
                                                {{0, 11}}, {{0, 3}}, {{0, 6}}, {{0, 8}}};
    return arch == Arch::wormhole ? wormhole : blackhole;
}

/// A tile by its number, row by row, of the grid of the card that was measured.
NocPlace measured_tile(Arch arch, unsigned number) {
    constexpr unsigned wormhole_x[] = {1, 2, 3, 4, 6, 7, 8, 9},
                       blackhole_x[] = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14};
    if (arch == Arch::wormhole) return {wormhole_x[number % 8], 1 + number / 8};
    return {blackhole_x[number % 12], 2 + number / 12};
}

/// tt-metal's tests: NC reads by NoC 1, B writes by NoC 0; all of bank 0.
Transfer with_bank(Arch arch, bool writes, std::uint32_t bytes, unsigned count = 1) {
    const Bank& bank = banks(arch)[0];
    return {.from = measured_tile(arch, 0),
            .to = bank.place,
            .writes = writes,
            .core = writes ? RiscvCore::b : RiscvCore::nc,
            .noc = writes ? 0u : 1u,
            .count = count,
            .bytes = bytes,
            .zone = true,
            .address = bank.begin + 0x10'0000};
}

/// dramratebench: B, NoC 0, 256 requests of 4 KiB each.
std::vector<Transfer> with_channels(Arch arch, bool writes, unsigned tiles, bool one_channel) {
    std::vector<Transfer> transfers;
    for (unsigned i = 0; i < tiles; ++i) {
        const Bank& bank = banks(arch)[one_channel ? 0 : i % banks(arch).size()];
        transfers.push_back({.from = measured_tile(arch, i),
                             .to = bank.place,
                             .writes = writes,
                             .core = RiscvCore::b,
                             .count = 256,
                             .bytes = 4096,
                             .issue = Issue::strided,
                             .address = bank.begin + 0x10'0000,
                             .stride = 4096});
    }
    return transfers;
}

std::function<Result<double>(const Machine&)> longest(std::vector<Transfer> transfers) {
    return [=](const Machine& machine) -> Result<double> {
        const auto cycles = cycles_of(machine, transfers);
        if (!cycles) return tl::make_unexpected(cycles.error());
        return *std::max_element(cycles->begin(), cycles->end());
    };
}

}  // namespace dram_rows
}  // namespace

void add_dram(Measurements& all) {
    using namespace dram_rows;
    const auto row = [&](const char* name, Arch arch, std::string what, double published,
                         std::vector<Transfer> transfers, std::string_view publication,
                         std::string_view per = "transfer") {
        all.push_back({.row = name,
                       .arch = arch,
                       .what = std::move(what),
                       .published = published,
                       .per = per,
                       .publication = publication,
                       .predict = longest(std::move(transfers))});
    };
    struct Point {
        std::uint32_t bytes;
        double cycles;
    };
    const auto curve = [&](const char* name, Arch arch, const std::vector<Point>& points) {
        for (const Point& point : points)
            row(name, arch, fmt::format("a read of DRAM, {} bytes", point.bytes), point.cycles,
                {with_bank(arch, false, point.bytes)}, "tt-metal estimator");
    };
    constexpr Arch wormhole = Arch::wormhole, blackhole = Arch::blackhole;
    curve("D1", wormhole, {{64, 397}, {512, 421}, {1024, 437}, {2048, 478}, {4096, 565}, {8192, 733}});
    curve("D2", blackhole, {{64, 481}, {512, 506}, {1024, 540}, {2048, 538}, {4096, 578}, {8192, 665}, {16384, 841}});
    row("D3", wormhole, "256 reads of DRAM, 4 KiB", 47337, {with_bank(wormhole, false, 4096, 256)},
        "tt-metal estimator");
    row("D4", blackhole, "256 reads of DRAM, 4 KiB", 26034, {with_bank(blackhole, false, 4096, 256)},
        "tt-metal estimator");
    row("D4", blackhole, "64 reads of DRAM, 16 KiB", 22818, {with_bank(blackhole, false, 16384, 64)},
        "tt-metal estimator");
    struct Many {
        const char* name;
        Arch arch;
        bool writes;
        std::vector<std::pair<unsigned, double>> one_channel, several;
    };
    const std::vector<Many> sustained = {
        {"D5",
         wormhole,
         false,
         {{1, 47356}, {4, 189375}, {8, 383023}},
         {{2, 47356}, {4, 65882}, {8, 89294}, {12, 108055}}},
        {"D6", wormhole, true, {{1, 47991}, {4, 199437}}, {{2, 71286}, {4, 144094}, {8, 298701}}},
        {"D7", blackhole, false, {{1, 22666}, {4, 96906}, {8, 183950}}, {{2, 22644}, {4, 28482}, {8, 44567}}},
        {"D8", blackhole, true, {{1, 22332}, {4, 89078}}, {{2, 35666}, {4, 71131}, {8, 140059}}}};
    for (const Many& many : sustained) {
        const char* what = many.writes ? "write" : "read";
        for (const auto& [tiles, cycles] : many.one_channel)
            row(many.name, many.arch,
                fmt::format("{} tile{} {} one channel, 1 MiB each", tiles, tiles == 1 ? "" : "s", what), cycles,
                with_channels(many.arch, many.writes, tiles, true), "tt-sim DRAM", "burst");
        for (const auto& [tiles, cycles] : many.several)
            row(many.name, many.arch, fmt::format("{} tiles {} a bank each, 1 MiB each", tiles, what), cycles,
                with_channels(many.arch, many.writes, tiles, false), "tt-sim DRAM", "burst");
    }
    struct Waited {
        const char* name;
        Arch arch;
        double read_256, read_4096, write_256, write_4096;
    };
    for (const Waited& one : {Waited{"D10", wormhole, 387, 547, 406, 574}, {"D11", blackhole, 487, 575, 375, 447}})
        for (const auto& [writes, bytes, cycles] :
             {std::tuple(false, 256u, one.read_256), std::tuple(false, 4096u, one.read_4096),
              std::tuple(true, 256u, one.write_256), std::tuple(true, 4096u, one.write_4096)})
            row(one.name, one.arch,
                fmt::format("a {} of DRAM and its barrier, {} bytes", writes ? "write" : "read", bytes), cycles,
                {with_bank(one.arch, writes, bytes)}, "tt-sim NoC");
}

}  // namespace tessera::bench::silicon
