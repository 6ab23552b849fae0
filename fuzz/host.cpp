// SPDX-License-Identifier: Apache-2.0
// Fuzzes the ten C functions by which tt-umd drives a chip: any calls in any order, with and without a device.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "fuzz/support/fuzzer.hpp"

extern "C" {
void libttsim_init();
void libttsim_exit();
void libttsim_set_pci_dma_mem_callbacks(void (*read)(std::uint64_t, void*, std::uint32_t), void (*write)(std::uint64_t, const void*, std::uint32_t));
std::uint32_t libttsim_pci_config_rd32(std::uint32_t bdf, std::uint32_t offset);
void libttsim_pci_config_wr32(std::uint32_t bdf, std::uint32_t offset, std::uint32_t value);
void libttsim_pci_mem_rd_bytes(std::uint64_t address, void* bytes, std::uint32_t size);
void libttsim_pci_mem_wr_bytes(std::uint64_t address, const void* bytes, std::uint32_t size);
void libttsim_tile_rd_bytes(std::uint32_t x, std::uint32_t y, std::uint64_t address, void* bytes, std::uint32_t size);
void libttsim_tile_wr_bytes(std::uint32_t x, std::uint32_t y, std::uint64_t address, const void* bytes, std::uint32_t size);
void libttsim_clock(std::uint32_t steps);
}

namespace tessera::fuzz {

namespace {

constexpr unsigned most_calls = 64;

void dma_read(std::uint64_t, void* bytes, std::uint32_t size) { std::fill_n(static_cast<unsigned char*>(bytes), size, static_cast<unsigned char>(0x5A)); }
void dma_write(std::uint64_t, const void*, std::uint32_t) {}

/// Places of a tile that mean something, with small offsets; or any address.
std::uint64_t tile_address(Bytes& input) {
    constexpr std::uint64_t bases[] = {0, 0x6000, 0xFFB0'0000, 0xFFB1'2000, 0xFFB2'0000, 0xFFB3'0000, 0xFFB4'0000, 0xFFC0'0000, 0xFFE4'0000, 0xFFEF'0000, 0x1'0000'0000};
    const std::uint32_t which = input.take(1);
    if (which >= 250) return input.take(4) | std::uint64_t{input.take(4)} << 32;
    return bases[which % std::size(bases)] + input.take(2);
}

std::uint64_t pci_address(Bytes& input) {
    constexpr std::uint64_t sizes[] = {1 << 12, 1 << 21, 1 << 29, std::uint64_t{1} << 33};
    const std::uint32_t which = input.take(1);
    if (which >= 250) return input.take(4) | std::uint64_t{input.take(4)} << 32;
    return (input.take(4) * std::uint64_t{0x9E37}) % sizes[which % std::size(sizes)];
}

void call(Bytes& input) {
    static std::array<unsigned char, 4096> bytes;
    const auto size = [&] { return input.take(1) < 200 ? 4 * (1 + input.take(1) % 16) : input.take(2) % 4097; };
    const auto fill = [&](std::uint32_t n) {
        for (std::uint32_t i = 0; i < n; ++i) bytes[i] = static_cast<unsigned char>(i < 64 ? input.take(1) : 0);
        return bytes.data();
    };
    const auto xy = [&] {
        const std::uint32_t of = input.take(1);
        return of >= 250 ? input.take(4) : of % 26;
    };
    switch (input.take(1) % 16) {
        case 0: return libttsim_clock(input.take(2) % 2000);
        case 1: return libttsim_pci_config_wr32(input.take(1) % 2, input.take(2), input.take(4));
        case 2: return void(libttsim_pci_config_rd32(input.take(1) % 2, input.take(2)));
        case 3: {
            const std::uint64_t at = pci_address(input);
            return libttsim_pci_mem_rd_bytes(at, bytes.data(), size());
        }
        case 4: {
            const std::uint64_t at = pci_address(input);
            const std::uint32_t n = size();
            return libttsim_pci_mem_wr_bytes(at, fill(n), n);
        }
        case 5:
            libttsim_exit();
            return input.take(1) % 4 ? libttsim_init() : void();
        case 6: return libttsim_set_pci_dma_mem_callbacks(input.take(1) % 2 ? dma_read : nullptr, input.take(1) % 2 ? dma_write : nullptr);
        case 7:
        case 8:
        case 9: {
            const std::uint32_t x = xy(), y = xy();
            const std::uint64_t at = tile_address(input);
            return libttsim_tile_rd_bytes(x, y, at, bytes.data(), size());
        }
        default: {
            const std::uint32_t x = xy(), y = xy();
            const std::uint64_t at = tile_address(input);
            const std::uint32_t n = size();
            return libttsim_tile_wr_bytes(x, y, at, fill(n), n);
        }
    }
}

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    for (unsigned kind = 0; kind < 16; ++kind)
        for (unsigned base = 0; base < 11; ++base) {
            std::string seed;
            for (unsigned i = 0; i < 6; ++i) {
                seed += static_cast<char>(kind);
                seed += static_cast<char>(1 + i % 2);
                seed += static_cast<char>(2 + i / 2);
                seed += static_cast<char>(base);
                seed += std::string(1, static_cast<char>(16 * i)) + std::string("\0\1\3\xAA\x55\1\2", 7);
                seed += std::string("\0\x20\3", 3);
            }
            all.push_back(seed);
        }
    return all;
}

void run(std::string_view text) {
    static const bool is_silent = setenv("TESSERA_REPORT", "none", 1) == 0;
    require(is_silent, "reports go nowhere");
    Bytes input(text);
    if (input.take(1) % 8) libttsim_init();
    for (unsigned i = 0; i < most_calls && !input.empty(); ++i) call(input);
    libttsim_exit();
}

}  // namespace

const Fuzzer host_fuzzer{"host", seeds, run};

}  // namespace tessera::fuzz
