// SPDX-License-Identifier: Apache-2.0
// Two runs of a grid: what was asked of the NoCs, and the end states.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "diff/chip_memory.hpp"
#include "diff/state_diff.hpp"
#include "noc/packet.hpp"

namespace tessera {

namespace {

/// The requests of a run, by tile, NoC and number.
class Requests {
public:
    void add(const PacketEvent& packet) {
        if (noc::is_answer(packet.kind)) return;
        packets_[{packet.asked_by.y, packet.asked_by.x, packet.noc, packet.request}].push_back(packet);
    }

    static std::optional<RequestDifference> first_difference(Requests& a, Requests& b) {
        std::optional<RequestDifference> first;
        const auto sent = [](const RequestDifference& one) { return one.a ? one.a->sent : one.b->sent; };
        const auto note = [&](RequestDifference one) {
            if (!first || sent(one) < sent(*first)) first = std::move(one);
        };
        for (auto& [key, in_a] : a.packets_) {
            const auto in_b = b.packets_.find(key);
            if (in_b == b.packets_.end())
                note({in_a.front(), {}});
            else if (what(in_a) != what(in_b->second))
                note({in_a.front(), in_b->second.front()});
        }
        // Requests that only B has come behind all that A has: the times of two runs cannot be compared.
        if (first) return first;
        for (auto& [key, in_b] : b.packets_)
            if (!a.packets_.contains(key)) note({{}, in_b.front()});
        return first;
    }

private:
    using Key = std::tuple<unsigned, unsigned, unsigned, std::uint32_t>;
    using What = std::tuple<std::string_view, unsigned, unsigned, std::uint64_t, std::uint32_t, RiscvCore>;

    /// The packets of a request, in an order that does not depend on time.
    static std::vector<What> what(const std::vector<PacketEvent>& packets) {
        std::vector<What> all;
        for (const auto& one : packets) all.emplace_back(one.kind, one.to.x, one.to.y, one.address, one.bytes, one.core);
        std::sort(all.begin(), all.end());
        return all;
    }

    std::map<Key, std::vector<PacketEvent>> packets_;
};

/// Code and tile of the fault; empty: none.
std::string end_of(const ChipRun& run) {
    if (!run.fault) return {};
    for (const TileRun& tile : run.tiles)
        if (tile.run.fault) return run.fault->code + diff::tile_name(tile.column, tile.row);
    return run.fault->code;
}

std::string describe(const char* side, const ChipRun& run) {
    if (run.fault) return fmt::format("{}: fault {}: {}\n", side, run.fault->code, run.fault->message);
    return fmt::format("{}: {}, {} cycles, {} packets\n", side, run.good() ? "good" : "stopped at a finding", run.cycles, run.packets);
}

std::string describe(const char* side, const std::optional<PacketEvent>& packet) {
    if (!packet) return fmt::format("  {}: nothing there\n", side);
    const PacketEvent& one = *packet;
    return fmt::format("  {}: {} to ({}, {}), address 0x{:X}, {} bytes, cycle {}, by {} at 0x{:X}\n", side, one.kind, one.to.x, one.to.y,
                       one.address, one.bytes, one.sent, name(one.core), one.pc);
}

std::string describe(const std::vector<PlaceDifference>& places) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, places.size()); ++i) {
        const PlaceDifference& one = places[i];
        text += fmt::format("  {}: {} different, the first is {}\n    A: {}\n    B: {}\n", one.place, one.count, one.first.name,
                            one.first.a_text, one.first.b_text);
    }
    if (places.size() > most) text += fmt::format("  and {} more\n", places.size() - most);
    return text;
}

}  // namespace

Result<std::vector<PlaceDifference>> diff_chips(Chip& a, Chip& b) {
    if (auto same = diff::check_same_arch(a.arch(), b.arch()); !same) return tl::make_unexpected(same.error());
    if (a.columns() != b.columns() || a.rows() != b.rows())
        return fail("diff.grid", fmt::format("A has {} × {} tiles, B has {} × {}", a.columns(), a.rows(), b.columns(), b.rows()));
    std::vector<PlaceDifference> places;
    for (unsigned row = 0; row < a.rows(); ++row)
        for (unsigned column = 0; column < a.columns(); ++column) {
            Core &in_a = **a.tile(column, row), &in_b = **b.tile(column, row);
            diff::forget_remains(in_a);
            diff::forget_remains(in_b);
            const diff::Elements elements = diff::differing(in_a, in_b);
            if (!elements.section) continue;
            const Section& section = *elements.section;
            places.push_back({diff::tile_name(column, row),
                              diff::describe_element(section, elements.element, in_a.read(section, elements.element),
                                                     in_b.read(section, elements.element), a.arch()),
                              elements.count});
        }
    for (unsigned channel = 0; channel < a.dram_channels(); ++channel)
        if (auto difference = diff::compare_dram(a, b, channel); difference.count) places.push_back(std::move(difference));
    return places;
}

Result<ChipRunDifference> diff_runs(const ChipJob& a, const ChipJob& b, unsigned threads) {
    auto chip_a = prepare(a);
    if (!chip_a) return tl::make_unexpected(chip_a.error());
    auto chip_b = prepare(b);
    if (!chip_b) return tl::make_unexpected(chip_b.error());
    ChipRunDifference difference;
    auto before = diff_chips(*chip_a, *chip_b);
    if (!before) return tl::make_unexpected(before.error());
    difference.before = std::move(*before);
    Requests in_a, in_b;
    const auto run = [&](Chip& chip, const ChipJob& job, Requests& requests) {
        ChipRunOptions options;
        options.tile = job.options;
        options.threads = threads;
        options.on_packet = [&](const PacketEvent& packet) { requests.add(packet); };
        return chip.run(options);
    };
    auto run_a = run(*chip_a, a, in_a);
    if (!run_a) return tl::make_unexpected(run_a.error());
    auto run_b = run(*chip_b, b, in_b);
    if (!run_b) return tl::make_unexpected(run_b.error());
    difference.a = std::move(*run_a);
    difference.b = std::move(*run_b);
    if (difference.a.cut_short() || difference.b.cut_short())
        return fail("diff.interrupted", "a run was interrupted before it could be compared");
    difference.request = Requests::first_difference(in_a, in_b);
    difference.same_end = end_of(difference.a) == end_of(difference.b) && difference.a.good() == difference.b.good();
    difference.state = diff_chips(*chip_a, *chip_b).value();
    return difference;
}

std::string ChipRunDifference::describe() const {
    std::string text;
    if (!before.empty()) text += "before the run:\n" + tessera::describe(before);
    if (request) {
        const PacketEvent& one = request->a ? *request->a : *request->b;
        text += fmt::format("the first request that {}: number {} of the tile at ({}, {}) on NoC {}\n",
                            request->a && request->b ? "is another one" : "only one run has", one.request, one.asked_by.x, one.asked_by.y,
                            one.noc);
        text += tessera::describe("A", request->a) + tessera::describe("B", request->b);
    }
    text += state.empty() ? "the end states are equal\n" : "the end states differ:\n" + tessera::describe(state);
    return text + tessera::describe("A", a) + tessera::describe("B", b);
}

}  // namespace tessera
