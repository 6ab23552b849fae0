// SPDX-License-Identifier: Apache-2.0
// Random NoC requests, by NIUs with time and links, and by the literal model (reference/noc/noc_model.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "reference/noc/noc_model.hpp"
#include "support/noc_bench.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using noc::Place;
using noc::TileKind;

// TESSERA_NOC_REQUESTS=1000000 for as many.
unsigned requests_to_try() {
    const char* text = std::getenv("TESSERA_NOC_REQUESTS");
    return text ? static_cast<unsigned>(std::atoi(text)) : 20'000;
}

class NocRandom : public testing::TestWithParam<Arch> {
protected:
    NocRandom() : arch(GetParam()), bench(arch), model(arch), map(noc::register_map(arch)), random(arch == Arch::blackhole ? 3 : 4) {
        for (unsigned i = 0; i < bench.layout.tiles(); ++i)
            if (bench.layout.kind(bench.layout.place(i)) == TileKind::tensix) tensix.push_back(bench.layout.place(i));
        std::shuffle(tensix.begin(), tensix.end(), random);
        tensix.resize(12);
        for (Place place : tensix)
            for (unsigned n = 0; n < noc::nocs; ++n)
                for (std::uint32_t offset = 0x100; offset < map.configuration_end; offset += 4) {
                    // The opt-out masks and the logical place, as the model has them after reset.
                    if (offset == noc::offset::niu_cfg_0) model.store(place.x, place.y, n, offset, 0);
                    bench.niu(place, n).store(offset, model.load(place.x, place.y, n, offset), {}, 0);
                }
        for (Place place : tensix) {
            auto& bytes = bench.l1(place).bytes;
            for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
            model.l1(place.x, place.y) = bytes;
        }
    }
    unsigned below(unsigned n) { return static_cast<unsigned>(random() % n); }
    bool chance(unsigned percent) { return below(100) < percent; }
    Place any_tile() { return tensix[below(static_cast<unsigned>(tensix.size()))]; }
    std::uint32_t coordinates(unsigned n, Place place) const {
        const Place seen = bench.layout.seen_by(n, place);
        return seen.x | seen.y << 6;
    }
    void put_place(std::uint32_t lo, std::uint64_t address, std::uint32_t place, std::vector<std::pair<std::uint32_t, std::uint32_t>>& stores) {
        stores.push_back({lo, static_cast<std::uint32_t>(address)});
        if (arch == Arch::blackhole) {
            stores.push_back({lo + 4, static_cast<std::uint32_t>(address >> 32)});
            stores.push_back({lo + 8, place});
        } else {
            stores.push_back({lo + 4, static_cast<std::uint32_t>(address >> 32 & 15) | place << 4});
        }
    }
    // One of several that are on their way together uses its own part of each memory.
    void request(unsigned part, unsigned parts, unsigned bad_percent);
    /// As software begins to use transactions, on Blackhole without what cleared counters have left in NIU_TRANS_COUNT_RTZ_SOURCE.
    void clear_outstanding() {
        const Place place = any_tile();
        const unsigned n = below(2);
        const auto store = [&](std::uint32_t offset, std::uint32_t value) {
            bench.niu(place, n).store(offset, value, {}, bench.now);
            model.store(place.x, place.y, n, offset, value);
        };
        store(map.clear_outstanding, below(1 << 16));
        if (arch == Arch::blackhole && chance(50)) store(noc::offset::rtz_clr, below(1 << 16));
    }
    void compare_registers(bool all);
    void compare_memory();

    const Arch arch;
    NocBench bench;
    reference::NocModel model;
    const noc::RegisterMap& map;
    std::mt19937_64 random;
    std::vector<Place> tensix;
    unsigned refused = 0, accepted = 0;
    unsigned kinds[4] = {};
};

void NocRandom::request(unsigned part, unsigned parts, unsigned bad_percent) {
    Place own = any_tile();
    unsigned n = below(2);
    // While a request is split, no other one may follow it at its NIU.
    const auto is_busy = [&] {
        for (unsigned i = 0; i < noc::initiators; ++i)
            if (*bench.niu(own, n).load(i * map.initiator_stride + map.cmd_ctrl)) return true;
        return false;
    };
    while (is_busy()) own = any_tile(), n = below(2);
    const Place other = any_tile();
    const unsigned which = below(4);
    const std::uint32_t l1_part = bench.layout.l1_bytes / parts / 64 * 64, begin = part * l1_part;
    // Requests that travel together have halves of their part for the two ends: if both are in one tile and overlap, the order in which
    // packets copy depends on the traffic of others.
    const std::uint32_t half = parts > 1 ? l1_part / 128 * 64 : 0;
    const auto l1_address = [&](std::uint32_t room, std::uint32_t from) {
        const std::uint32_t bytes = half ? half : l1_part;
        return begin + from + below(std::max(1u, bytes - std::min(bytes, room)));
    };
    enum Kind { read, write, word, atomic, byte_enables } kind = static_cast<Kind>(below(5));
    if (kind == word && arch == Arch::blackhole && !chance(5)) kind = write;
    const bool broadcast = kind != read && chance(25);
    const bool dram = !broadcast && (kind == read || kind == write) && chance(30);
    std::uint32_t length = chance(20) ? 1 + below(3 * bench.layout.packet_bytes) : chance(50) ? 1 + below(300) : 1 + below(2048);
    length = std::min(length, l1_part / (half ? 5 : 2));
    std::uint32_t control = 0, at_len = length, at_data = static_cast<std::uint32_t>(random());
    if (chance(60)) control |= noc::ctrl::response_marked;
    if (chance(20)) {
        control |= noc::ctrl::static_vc | below(2) << 13 | (broadcast ? 2u : below(2)) << 14;
    }
    std::uint64_t near = l1_address(2 * length + 64, 0), far = dram ? (std::uint64_t{part} << 24) + below(1 << 20) : l1_address(2 * length + 64, half);
    const std::uint32_t alignment = dram ? bench.layout.dram_alignment : 16;
    if (!chance(bad_percent)) far = far - far % alignment + near % alignment;
    if (length > bench.layout.packet_bytes && !chance(bad_percent)) near -= near % 64, far -= far % 64;
    // NOC_ID_LOGICAL, which nothing else uses here.
    const bool may_be_register = parts == 1 && (kind == read || kind == write || kind == byte_enables) && !dram;
    const bool far_register = may_be_register && chance(15), near_register = may_be_register && chance(15);
    if (far_register || near_register) {
        const std::uint32_t id_logical = arch == Arch::blackhole ? 0x148 : 0x138;
        const auto end_at = [&](std::uint64_t address, bool in_registers) {
            if (in_registers) return std::uint64_t{0xFFB2'0000} + n * 0x1'0000 + id_logical + (chance(bad_percent) ? below(4) : 0);
            if (chance(bad_percent)) return address;
            // Byte enables have a whole flit.
            return kind == byte_enables && near_register ? address - address % 64 : address - address % 16 + id_logical % 16;
        };
        far = end_at(far, far_register);
        near = end_at(near, near_register);
        if (!chance(bad_percent)) length = at_len = 4;
    }
    std::uint32_t far_place = coordinates(n, other);
    const unsigned channel = below(bench.layout.dram_channels);
    const Place dram_place = bench.layout.dram_tiles(channel)[below(3)];
    if (dram) far_place = coordinates(n, dram_place);
    if (broadcast) {
        control |= noc::ctrl::broadcast;
        if (kind == atomic) control &= ~noc::ctrl::response_marked;  // whose response comes last is not documented
        if (chance(50)) control |= noc::ctrl::path_reserve;
        if (chance(50)) control |= noc::ctrl::y_major;
        if (chance(50)) control |= noc::ctrl::include_source;
        far_place = below(bench.layout.width) | below(bench.layout.height) << 6 | below(bench.layout.width) << 12 | below(bench.layout.height) << 18;
    }
    const std::uint32_t near_place = chance(90) ? coordinates(n, own) : coordinates(n, any_tile());
    std::uint64_t target = near, answer = far;
    std::uint32_t target_place = near_place, answer_place = far_place;
    std::uint32_t at_len_1 = 0;
    switch (kind) {
        case read:
            control |= noc::ctrl::read;
            std::swap(target, answer);
            std::swap(target_place, answer_place);
            break;
        case write: control |= noc::ctrl::write; break;
        case byte_enables:
            control |= noc::ctrl::write | noc::ctrl::byte_enable;
            at_len = static_cast<std::uint32_t>(random());
            if (arch == Arch::blackhole) at_len_1 = chance(50) ? static_cast<std::uint32_t>(random()) : 0;
            if (chance(30)) at_len &= 0xFFFF;
            break;
        case word:
            control |= noc::ctrl::write | noc::ctrl::write_inline;
            std::swap(target, answer);
            std::swap(target_place, answer_place);
            at_len = static_cast<std::uint32_t>(random());
            break;
        case atomic: {
            control |= noc::ctrl::atomic;
            std::swap(target, answer);
            std::swap(target_place, answer_place);
            target -= target % 4;
            answer -= answer % 4;
            constexpr unsigned operations[] = {1, 3, 4, 6, 7};
            at_len = (static_cast<std::uint32_t>(random()) & 0xFFF) | operations[below(5)] << 12;
            if (at_len >> 12 == 6 && !chance(bad_percent)) at_len |= 4;
            break;
        }
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stores;
    put_place(noc::offset::targ_addr_lo, target, target_place, stores);
    put_place(noc::offset::ret_addr_lo, answer, answer_place, stores);
    std::uint32_t tag = below(16) << 10;
    const bool refuses_header = kind == word || kind == byte_enables;
    if ((kind == write || refuses_header) && !(control & noc::ctrl::response_marked) && !dram && chance(refuses_header ? bad_percent : 10)) {
        tag |= noc::tag::header_store;
        at_data = (begin + half + below(l1_part - half - 64)) >> 4;
    }
    stores.push_back({noc::offset::packet_tag, tag});
    stores.push_back({noc::offset::ctrl, control});
    stores.push_back({noc::offset::at_len_be, at_len});
    if (arch == Arch::blackhole) stores.push_back({noc::offset::at_len_be_1, at_len_1});
    stores.push_back({map.at_data, at_data});
    stores.push_back({map.cmd_ctrl, 1});
    std::string wrong, wrong_model;
    for (const auto& [offset, value] : stores) {
        const std::uint32_t at = which * map.initiator_stride + offset;
        const auto stored = bench.niu(own, n).store(at, value, {own, 0, 0}, bench.now + part);
        ASSERT_TRUE(stored.known);
        wrong = stored.wrong.why;
        wrong_model = model.store(own.x, own.y, n, at, value);
    }
    ASSERT_EQ(wrong.empty(), wrong_model.empty()) << "NIU: " << wrong << "\nmodel: " << wrong_model << "\nkind " << kind << " control 0x" << std::hex
                                                   << control << " target 0x" << target << " answer 0x" << answer << " length 0x" << at_len
                                                   << " places 0x" << target_place << " 0x" << answer_place;
    ++(wrong.empty() ? accepted : refused);
}

void NocRandom::compare_registers(bool all) {
    for (Place place : tensix)
        for (unsigned n = 0; n < noc::nocs; ++n) {
            for (std::uint32_t counter = 0; counter < 62; ++counter) {
                const std::uint32_t offset = 0x200 + 4 * counter;
                ASSERT_EQ(bench.niu(place, n).load(offset), model.load(place.x, place.y, n, offset))
                    << "counter " << counter << " of NoC " << n << " at " << noc::describe(place);
            }
            for (unsigned i = 0; i < noc::initiators; ++i)
                for (std::uint32_t item = 0; item <= map.cmd_ctrl; item += 4) {
                    const std::uint32_t offset = i * map.initiator_stride + item;
                    const auto value = bench.niu(place, n).load(offset);
                    if (!value) continue;
                    ASSERT_EQ(*value, model.load(place.x, place.y, n, offset)) << std::hex << "register 0x" << offset;
                }
            if (!all || arch != Arch::blackhole) continue;
            ASSERT_EQ(bench.niu(place, n).load(noc::offset::rtz_source), model.load(place.x, place.y, n, noc::offset::rtz_source));
        }
}

void NocRandom::compare_memory() {
    for (Place place : noc::tensix_tiles(arch)) {
        if (!bench.memories.contains(bench.layout.index(place))) continue;
        const auto& ours = bench.l1(place).bytes;
        auto& theirs = model.l1(place.x, place.y);
        if (theirs.empty()) {
            ASSERT_TRUE(std::all_of(ours.begin(), ours.end(), [](auto byte) { return byte == 0; })) << noc::describe(place);
            continue;
        }
        const auto [a, b] = std::mismatch(ours.begin(), ours.end(), theirs.begin());
        ASSERT_EQ(a, ours.end()) << "L1 of " << noc::describe(place) << " at 0x" << std::hex << a - ours.begin() << ": " << +*a << " and " << +*b;
    }
    for (auto& [number, channel] : bench.channels) {
        const Place place = bench.layout.dram_tiles(number)[0];
        for (std::uint64_t part = 0; part < 8; ++part) {
            std::vector<std::uint8_t> ours((1 << 20) + (1 << 17));
            channel->memory().read(part << 24, ours);
            ASSERT_EQ(ours, model.read_dram(place.x, place.y, part << 24, ours.size())) << "channel " << number;
        }
    }
}

TEST_P(NocRandom, RequestsOneAfterTheOther) {
    const unsigned count = requests_to_try();
    for (unsigned i = 0; i < count; ++i) {
        ASSERT_NO_FATAL_FAILURE(request(0, 1, 4)) << "request " << i;
        bench.run();
        if (chance(5)) clear_outstanding();
        ASSERT_NO_FATAL_FAILURE(compare_registers(true)) << "request " << i;
        if (i % 2000 != 0 && i + 1 != count) continue;
        ASSERT_NO_FATAL_FAILURE(compare_memory()) << "request " << i;
    }
    EXPECT_GT(accepted, count / 2);
    EXPECT_GT(refused, count / 100);
}

TEST_P(NocRandom, RequestsThatTravelTogether) {
    constexpr unsigned parts = 8;
    const unsigned rounds = requests_to_try() / parts;
    for (unsigned i = 0; i < rounds; ++i) {
        for (unsigned part = 0; part < parts; ++part) {
            ASSERT_NO_FATAL_FAILURE(request(part, parts, 0)) << "round " << i;
        }
        bench.run();
        ASSERT_NO_FATAL_FAILURE(compare_registers(false)) << "round " << i;
        if (i % 500 != 0 && i + 1 != rounds) continue;
        ASSERT_NO_FATAL_FAILURE(compare_memory()) << "round " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, NocRandom, testing::ValuesIn(all_archs), [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
