// SPDX-License-Identifier: Apache-2.0
// Fuzzes requests over the NoC: a core of each of four tiles writes any values to registers of its NIUs and polls them. The end is the same on
// any number of threads.
#include "fuzz/support/fuzzer.hpp"
#include "support/kernel_image.hpp"
#include "support/riscv_words.hpp"
#include "tessera/chip.hpp"
#include "tessera/state_digest.hpp"

namespace tessera::fuzz {

namespace {

constexpr std::uint32_t table = 0x1'0000, entry = 0x6000, niu = 0xFFB2'0000;
constexpr unsigned most_stores = 64;

/// Stores pairs of address and value from `table` until an address of 0.
KernelImage storing() {
    using namespace test::rv;
    using test::rv::Op;
    const std::vector<std::uint32_t> code = {lui(a0, table >> 12),
                                             i(Op::lw, a1, a0, 0),
                                             i(Op::lw, a2, a0, 4),
                                             branch(Op::beq, a1, zero, 16),
                                             store(Op::sw, a2, 0, a1),
                                             i(Op::addi, a0, a0, 8),
                                             jal(zero, -20),
                                             halt};
    return test::image_of("kernel.elf", code, entry);
}

/// Registers of one of the tile's two NIUs, mostly those of an initiator. Values are mostly places of tiles, addresses in L1, lengths or bits.
std::pair<std::uint32_t, std::uint32_t> store_of(Bytes& input, const Chip& chip) {
    constexpr std::uint32_t of_requests[] = {0x00, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18, 0x1C, 0x20, 0x24, 0x28, 0x2C, 0x30, 0x40};
    const std::uint32_t kind = input.take(1), base = niu + (kind & 1) * 0x1'0000;
    const bool any = (kind & 0xC0) == 0xC0;
    const std::uint32_t which = input.take(1), initiator = input.take(1) % 4 * 0x800;
    const std::uint32_t offset = any ? (which * 256 + initiator) & 0xFFFC : of_requests[which % std::size(of_requests)] + initiator;
    std::uint32_t value = input.take(4);
    const NocPlace place = chip.coordinates(value % 2, value / 2 % 2).value();
    switch (kind >> 1 & 7) {
        case 0: value &= 0xFF; break;
        case 1: value &= 0x3'FFF0; break;
        case 2: value = place.x | place.y << 6; break;
        case 3: value = 1; break;
        case 4: value = (place.x | place.y << 6) << 4; break;
        default: break;
    }
    return {base + offset, value};
}

std::uint64_t end_of(Chip chip, unsigned threads) {
    const auto run = chip.run({.tile = {.max_cycles = 20'000}, .threads = threads});
    if (!run) {
        require(!run.error().code.empty(), "an error has a code");
        return 0;
    }
    if (run->fault) require(!run->fault->code.empty() && !run->fault->message.empty(), "a fault has a code");
    run->describe_waits();
    for (const TileRun& tile : run->tiles)
        for (const Finding& finding : tile.run.findings) require(!finding.code.empty(), "a finding has a code");
    // The acts of a tile after the cycle of another tile's fault are not defined.
    return run->fault ? 0 : state_digest(chip);
}

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    // Writes, reads and atomics, with and without an answer, with the registers in their order.
    for (const std::uint32_t command : {0x12u, 0x10u, 0x01u, 0x02u, 0x11u, 0x92u, 0x8032u})
        for (unsigned arch = 0; arch < 2; ++arch)
            for (unsigned place = 0; place < 4; ++place) {
                std::string seed(1, static_cast<char>(arch | place << 1 | 0x40));
                const auto put = [&](unsigned kind, unsigned which, std::uint32_t value) {
                    seed += static_cast<char>(kind << 1);
                    seed += static_cast<char>(which);
                    seed += '\0';
                    for (unsigned byte = 0; byte < 4; ++byte) seed += static_cast<char>(value >> 8 * byte);
                };
                const unsigned at = arch ? 1 : 2, place_kind = arch ? 4 : 2;
                for (const unsigned side : {0u, 3u}) {
                    put(1, side, 0x1'0000 + side * 0x800);
                    if (!arch) put(0, side + 1, 0);
                    put(place_kind, side + at, side ? place : place ^ 1);
                }
                put(5, 7, command);
                put(0, 8, 64);
                put(3, arch ? 10 : 13, 1);
                all.push_back(seed);
            }
    return all;
}

void run(std::string_view text) {
    Bytes input(text);
    const std::uint32_t start = input.take(1);
    const Arch arch = start & 1 ? Arch::wormhole : Arch::blackhole;
    ChipOptions options{.grid = ChipOptions::Size{2, 2}};
    options.translation = start & 0x80;
    Chip chip = Chip::make(arch, options).value();
    Kernels kernels;
    kernels.arch = arch;
    kernels.images[0] = storing();
    std::array<std::vector<std::uint32_t>, 4> stores;
    for (unsigned i = 0; i < most_stores && !input.empty(); ++i) {
        const auto [address, value] = store_of(input, chip);
        auto& own = stores[(start >> 1) % 4 ^ (i / 16) % 4];
        own.push_back(address);
        own.push_back(value);
    }
    for (unsigned tile = 0; tile < stores.size(); ++tile) {
        stores[tile].resize(stores[tile].size() + 2);
        require((*chip.tile(tile % 2, tile / 2))->write_l1(table, std::as_bytes(std::span(stores[tile]))).has_value(), "a table is in L1");
        require(chip.load(tile % 2, tile / 2, kernels).has_value(), "kernels fit");
    }
    const std::uint64_t end = end_of(chip, 1);
    if (start & 0x40) require(end == end_of(chip, 3), "the number of threads changes nothing");
}

}  // namespace

const Fuzzer noc_fuzzer{"noc", seeds, run};

}  // namespace tessera::fuzz
