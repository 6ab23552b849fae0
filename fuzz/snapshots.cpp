// SPDX-License-Identifier: Apache-2.0
// Fuzzes images of cores and chips: changed, cut off, and with the sum of what they have become. An image that can
// be read runs, and can be read again.
#include <cstring>

#include "fuzz/support/states.hpp"
#include "tessera/assembly.hpp"
#include "tessera/chip.hpp"
#include "util/xxh64.hpp"

namespace tessera::fuzz {

namespace {

constexpr std::size_t sum_bytes = 8;

/// FNV-1a, which images of cores end with.
std::uint64_t core_sum(std::span<const std::byte> bytes) {
    std::uint64_t sum = 0xCBF29CE484222325;
    for (const std::byte byte : bytes) sum = (sum ^ static_cast<std::uint64_t>(byte)) * 0x100000001B3;
    return sum;
}

void change(Bytes& input, std::vector<std::byte>& image) {
    for (std::uint32_t changes = input.take(1) % 16; changes > 0 && !image.empty(); --changes) {
        const std::size_t at = input.take(4) % image.size();
        const std::string_view bytes = input.text(input.take(1) % 16);
        for (std::size_t i = 0; i < bytes.size() && at + i < image.size(); ++i) image[at + i] = static_cast<std::byte>(bytes[i]);
    }
}

void put_sum(std::span<std::byte> image, std::size_t end, std::uint64_t sum) { std::memcpy(image.data() + end, &sum, sum_bytes); }

const Program& program(Arch arch) {
    static const Program all[] = {assemble("MVMUL\nPACR\nUNPACR\nSFPLOAD\n", Arch::blackhole).value(), assemble("MVMUL\nPACR\nUNPACR\nSFPLOAD\n", Arch::wormhole).value()};
    return all[arch == Arch::wormhole];
}

void try_core(Bytes& input, Arch arch, bool damaged) {
    static std::array<std::array<std::vector<std::byte>, 2>, 2> images;
    const unsigned which = input.take(1) % 2;
    auto& begun = images[arch == Arch::wormhole][which];
    if (begun.empty()) begun = which ? core(arch, 1).image() : Core(arch).image();
    auto image = begun;
    change(input, image);
    if (input.take(1) % 8 == 7) image.resize(input.take(4) % (image.size() + 1));
    if (!damaged && image.size() >= sum_bytes) {
        const std::size_t end = image.size() - sum_bytes;
        put_sum(image, end, core_sum(std::span(image).first(end)));
    }
    auto restored = Core::of_image(image);
    if (!restored) return require(restored.error().code == "core.image", "an error has its code");
    const auto again = restored->image();
    const auto twice = Core::of_image(again);
    require(twice && twice->image() == again, "what was read is written in the same way");
    restored->run(program(restored->arch()), {.max_cycles = 2000});
    restored->run(program(restored->arch()), {.timing = Timing::functional, .max_cycles = 2000});
}

void try_chip(Bytes& input, Arch arch, bool damaged) {
    static std::array<std::vector<std::byte>, 2> images;
    auto& begun = images[arch == Arch::wormhole];
    Chip chip = Chip::make(arch, {.grid = ChipOptions::Size{2, 1}}).value();
    if (begun.empty()) {
        const std::array<std::byte, 4> bytes = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
        require((*chip.tile(1, 0))->write_l1(0x1000, bytes) && chip.write_dram(1, 0x1000, bytes), "there is memory");
        begun = chip.image();
    }
    auto image = begun;
    change(input, image);
    if (!damaged && image.size() >= sum_bytes) {
        const std::size_t end = image.size() - sum_bytes;
        put_sum(image, end, util::xxh64(std::span(image).first(end), 0));
    }
    const auto before = chip.image();
    if (const auto done = chip.restore(image); !done) {
        require(done.error().code == "chip.image", "an error has its code");
        require(chip.image() == before, "an error changes nothing");
        return;
    }
    const auto again = chip.image();
    require(chip.restore(again).has_value() && chip.image() == again, "what was read is written in the same way");
}

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    for (unsigned start = 0; start < 16; ++start)
        for (unsigned place = 0; place < 64; ++place) {
            std::string seed(1, static_cast<char>(start));
            seed += static_cast<char>(start);
            seed += '\4';
            for (unsigned i = 0; i < 4; ++i) {
                const std::uint32_t at = place < 32 ? place * 4 + i : (place * 4 + i) * 0x1F35;
                for (unsigned byte = 0; byte < 4; ++byte) seed += static_cast<char>(at >> 8 * byte);
                seed += '\1';
                seed += static_cast<char>(place * 37 + i);
            }
            all.push_back(seed);
        }
    return all;
}

void run(std::string_view text) {
    Bytes input(text);
    const std::uint32_t start = input.take(1);
    const Arch arch = start & 1 ? Arch::wormhole : Arch::blackhole;
    const bool damaged = (start & 0x70) == 0x70;
    if (start & 2)
        try_chip(input, arch, damaged);
    else
        try_core(input, arch, damaged);
}

}  // namespace

const Fuzzer snapshots_fuzzer{"snapshots", seeds, run};

}  // namespace tessera::fuzz
