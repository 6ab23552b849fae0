// SPDX-License-Identifier: Apache-2.0
#include "support/unpack_speeds.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "support/page_speeds.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "units/costs/costs.hpp"

namespace tessera::test {

namespace {

constexpr std::uint32_t tile_address = 0x10000;
constexpr int transfers_beside = 40;

unsigned bits(DataFormat format) {
    switch (format) {
        case DataFormat::Bfp2_b: return 2;
        case DataFormat::Bfp4_b: return 4;
        case DataFormat::Bfp8_b:
        case DataFormat::Int8: return 8;
        case DataFormat::Float16_b: return 16;
        default: return 32;
    }
}

std::string_view name_of_throttle(unsigned throttle) {
    constexpr std::string_view names[] = {"0 (x1)", "1 (x2)", "2 (x4)", "3 (x8)", "by default"};
    return names[throttle];
}

std::string configured(unsigned u, std::string_view in, std::string_view out, unsigned throttle, unsigned x_dim,
                       bool compressed) {
    std::string text = fmt::format(R"(
.cfg THCON_SEC{0}_REG0_TileDescriptor_InDataFormat = {1}
.cfg THCON_SEC{0}_REG0_TileDescriptor_IsUncompressed = {2}
.cfg THCON_SEC{0}_REG0_TileDescriptor_XDim = {3}
.cfg THCON_SEC{0}_REG0_TileDescriptor_YDim = 1
.cfg THCON_SEC{0}_REG2_Out_data_format = {4}
.cfg THCON_SEC{0}_REG2_Throttle_mode = {5}
.cfg THCON_SEC{0}_REG3_Base_address = {6}
)",
                                   u, in, compressed ? 0 : 1, x_dim, out, throttle & 3, tile_address / 16 - 1);
    return text;
}

}  // namespace

const std::vector<KindOfTile> kinds_of_tile = {
    {"face of 16 x 16", 256},
    {"tile of 32 x 32", 1024},
    {"tile of 32 x 32, to Dst", 1024, false, false, true},
    {"tilized rows of 1024 datums", 1024, true},
    {"compressed, 256 datums", 256, false, true},
    {"face, upsampled by 1", 256, false, false, false, 1},
    {"face, upsampled by 3", 256, false, false, false, 2},
};

const std::vector<DataFormat> formats_of_tiles = {DataFormat::Bfp2_b, DataFormat::Bfp4_b,    DataFormat::Bfp8_b,
                                                  DataFormat::Int8,   DataFormat::Float16_b, DataFormat::Float32};

unsigned UnpackSpeed::bytes() const { return tile->datums * (bits(format) + (tile->compressed ? 4 : 0)) / 8; }

// The page's list of constraints; 2-bit datums are x1 in tilize mode, too.
unsigned UnpackSpeed::wanted() const {
    if (tile->compressed || tile->upsample_rate > 1 || bits(format) == 2) return 0;
    const unsigned asked = throttle != by_default ? throttle : bits(format) == 8 ? 3 : 2;
    const unsigned speed = tile->tilize ? 2 : asked;
    const bool at_most_x2 = tile->upsample_rate == 1 || (tile->to_dst && bits(format) == 4);
    return at_most_x2 ? std::min(speed, 1u) : speed;
}

unsigned UnpackSpeed::documented() const {
    const bool twice = arch == Arch::blackhole && wanted() == 2 && bits(format) > 8;
    const unsigned alone = bytes_at[wanted()] * (twice ? 2 : 1);
    return beside == idle ? alone : shared_rate(0, wanted(), beside, alone);
}

unsigned UnpackSpeed::documented_cycles() const { return (bytes() + documented() - 1) / documented(); }

std::string UnpackSpeed::text() const {
    const bool blackhole = arch == Arch::blackhole, wide = format == DataFormat::Float32;
    const std::string_view out = wide && !tile->to_dst ? "Tf32" : name(format);
    std::string text = configured(0, name(format), out, throttle, tile->datums, tile->compressed) +
                       configured(1, "Int8", "Int8", beside, 1024, false);
    if (blackhole)
        text += fmt::format(
            ".cfg THCON_SEC0_REG1_ovrd_default_throttle_mode = {}\n"
            ".cfg THCON_SEC1_REG1_ovrd_default_throttle_mode = 1\n",
            throttle == by_default ? 0 : 1);
    text += fmt::format(
        ".cfg THCON_SEC0_REG2_Tileize_mode = {}\n.cfg THCON_SEC0_REG2_Upsample_rate = {}\n"
        ".cfg THCON_SEC0_REG2_Unpack_If_Sel = {}\n.cfg THCON_SEC0_REG2_Shift_amount_cntx0 = {}\n",
        tile->tilize ? 1 : 0, tile->upsample_rate, tile->to_dst ? 1 : 0, tile->tilize ? 8 : 0);
    text += fmt::format(".cfg SRCA_SET_SetOvrdWithAddr = {}\n.cfg UNP0_ADDR_BASE_REG_1_Base = {}\n",
                        tile->to_dst ? 0 : 1, 64 * std::max(bits(format), 8u) / 8);
    text += fmt::format(
        "SETADCXX CntSetMask=1 x_start=0 x_end2={}\nSETADCXX CntSetMask=2 x_start=0 x_end2=1023\n"
        ".repeat 20\nNOP\n.end\n",
        tile->datums - 1);
    const std::string other = "UNPACR Unpack_block_selection=1\n";
    if (beside == idle) return text + "UNPACR\n";
    return text + other + other + "UNPACR\n" + fmt::format(".repeat {}\n{}.end\n", transfers_beside, other);
}

unsigned UnpackSpeed::measured_cycles() const {
    const auto program = assemble(text(), arch, "speed", 0);
    if (!program) throw std::runtime_error(program.error().describe());
    Core core(arch, Reset::vendor_sim);
    // Row starts of a compressed tile of one row: from 0 to all of its datums.
    if (tile->compressed) core.l1()[tile_address + 3] = static_cast<std::uint8_t>(tile->datums >> 8);
    RunOptions options{.timing = Timing::documented};
    const std::uint64_t pipeline = units::costs(arch, Timing::documented).unpack.pipeline;
    Event measured, last;
    options.on_event = [&](const Event& event) {
        if (!event.instruction.starts_with("ttunpacr")) return;
        (event.unit == "unpacker 0" ? measured : last) = event;
    };
    const auto run = core.run(*program, options);
    if (!run) throw std::runtime_error(run.error().describe());
    if (run->fault) throw std::runtime_error(run->fault->describe());
    if (beside != idle && last.start < measured.end) throw std::runtime_error("the other unpacker was done too early");
    return static_cast<unsigned>(measured.end - measured.start - pipeline);
}

std::string unpack_speeds_page(bool& all_same) {
    std::string page = R"(# Speeds of the unpackers

How long unpacker 0 reads L1, measured by running UNPACR, and beside it the bytes per cycle of UNPACR_Regular, Performance
(on Blackhole with [spec-notes](spec-notes.md) F1 and F3). A cell has cycles, then bytes per cycle. Columns: unpacker 1
does nothing, or reads all the while at a speed. Before these cycles come two of address calculation (a compressed tile: four),
behind them eight until the instruction is done. scripts/unpack_speeds writes this page again.

All runs have `--timing documented`. By default Blackhole's unpackers do not slow each other, and each starts its next UNPACR five cycles
behind the last byte ([spec-notes](spec-notes.md) S8).
)";
    all_same = true;
    for (const Arch arch : all_archs) {
        const bool blackhole = arch == Arch::blackhole;
        const unsigned speeds = blackhole ? 4 : 3;
        page += fmt::format(
            "\n## {}\n\n| tile | format | Throttle_mode | bytes | alone | beside x1 | beside x2 | beside x4 |{}\n",
            blackhole ? "Blackhole" : "Wormhole", blackhole ? " beside x8 |" : "");
        page += blackhole ? "|---|---|---|---|---|---|---|---|---|\n" : "|---|---|---|---|---|---|---|---|\n";
        for (const KindOfTile& tile : kinds_of_tile)
            for (const DataFormat format : formats_of_tiles)
                for (unsigned throttle = 0; throttle <= (blackhole ? by_default : 2); ++throttle) {
                    UnpackSpeed one{arch, &tile, format, throttle};
                    page += fmt::format("| {} | {} | {} | {} |", tile.name, name(format), name_of_throttle(throttle),
                                        one.bytes());
                    const auto cell = [&](unsigned beside) {
                        one.beside = beside;
                        const unsigned cycles = one.measured_cycles();
                        all_same = all_same && cycles == one.documented_cycles();
                        page += fmt::format(" {} ({}) |", cycles, one.documented());
                    };
                    cell(idle);
                    for (unsigned beside = 0; beside < speeds; ++beside) cell(beside);
                    page += "\n";
                }
    }
    return page;
}

}  // namespace tessera::test
