// SPDX-License-Identifier: Apache-2.0
// Transfers from L1 to L1 over the NoC: single ones, loops of requests, flows that share links or a tile, multicasts.
#include <fmt/format.h>

#include <algorithm>

#include "silicon/measurement.hpp"
#include "silicon/transfers.hpp"

namespace tessera::bench::silicon {

namespace {
namespace noc_rows {

constexpr Arch of_wormhole = Arch::wormhole, of_blackhole = Arch::blackhole;
using Transfers = std::vector<Transfer>;
using PredictTime = std::function<Result<double>(const Machine&)>;

NocPlace first_tile(Arch arch) { return arch == Arch::wormhole ? NocPlace{1, 1} : NocPlace{1, 2}; }
NocPlace beside(Arch arch, unsigned x, unsigned y) {
    const NocPlace at = first_tile(arch);
    return {at.x + x, at.y + y};
}

/// The longest of them, divided by `parts`.
PredictTime slowest(Transfers transfers, double parts = 1) {
    return [=](const Machine& machine) -> Result<double> {
        const auto cycles = cycles_of(machine, transfers);
        if (!cycles) return tl::make_unexpected(cycles.error());
        return *std::max_element(cycles->begin(), cycles->end()) / parts;
    };
}

PredictTime bytes_per_cycle(Transfers transfers, double bytes) {
    return [=](const Machine& machine) -> Result<double> {
        const auto cycles = slowest(transfers)(machine);
        if (!cycles) return cycles;
        return bytes / *cycles;
    };
}

std::string size_text(std::uint32_t bytes) {
    return bytes < 1024 ? fmt::format("{} bytes", bytes) : fmt::format("{} KiB", bytes / 1024);
}

struct Point {
    std::uint32_t bytes;
    double cycles;
};

class Rows {
public:
    explicit Rows(Measurements& all) : all_(all) {}

    void add(const char* row, Arch arch, std::string what, double published, PredictTime predict,
             std::string_view per = "transfer", std::string_view publication = "tt-metal estimator", char trust = 'A') {
        all_.push_back({.row = row,
                        .arch = arch,
                        .what = std::move(what),
                        .published = published,
                        .per = per,
                        .publication = publication,
                        .trust = trust,
                        .predict = std::move(predict)});
    }
    /// A transfer of several sizes.
    void curve(const char* row, Arch arch, const std::string& what, Transfer transfer,
               const std::vector<Point>& points) {
        for (const Point& point : points) {
            transfer.bytes = point.bytes;
            add(row, arch, fmt::format("{}, {}", what, size_text(point.bytes)), point.cycles, slowest({transfer}));
        }
    }

private:
    Measurements& all_;
};

/// tt-metal's data movement tests: NC reads by NoC 1, B writes by NoC 0.
Transfer reading(Arch arch, NocPlace from, unsigned count = 1, bool stateful = false) {
    return {.from = first_tile(arch), .to = from, .noc = 1, .count = count, .stateful = stateful, .zone = true};
}
Transfer writing(Arch arch, NocPlace to, unsigned count = 1, bool stateful = false) {
    return {.from = first_tile(arch),
            .to = to,
            .writes = true,
            .core = RiscvCore::b,
            .noc = 0,
            .count = count,
            .stateful = stateful,
            .zone = true};
}

void add_single_transfers(Rows& rows) {
    const auto same = [](Arch arch) { return beside(arch, 0, 1); };
    const auto other = [](Arch arch) { return beside(arch, 1, 1); };
    rows.curve("N1", of_wormhole, "a read, other column", reading(of_wormhole, other(of_wormhole)),
               {{64, 293}, {512, 309}, {1024, 333}, {4096, 437}, {16384, 880}, {65536, 2589}});
    rows.curve("N2", of_wormhole, "a read, same column", reading(of_wormhole, same(of_wormhole)),
               {{64, 205}, {512, 221}, {1024, 245}, {4096, 357}, {16384, 792}, {65536, 2525}});
    rows.curve("N3", of_blackhole, "a read, other column", reading(of_blackhole, other(of_blackhole)),
               {{64, 373}, {512, 379}, {1024, 388}, {4096, 439}, {16384, 636}, {65536, 1457}});
    rows.curve("N4", of_blackhole, "a read, same column", reading(of_blackhole, same(of_blackhole)),
               {{64, 226}, {512, 228}, {1024, 246}, {4096, 286}, {16384, 503}, {65536, 1300}});
    rows.curve("N8", of_wormhole, "a write, other column", writing(of_wormhole, other(of_wormhole)),
               {{64, 293}, {65536, 2501}});
    rows.curve("N8", of_wormhole, "a write, same column", writing(of_wormhole, same(of_wormhole)),
               {{64, 210}, {512, 222}, {1024, 248}, {4096, 351}, {16384, 805}, {65536, 2431}});
    rows.curve("N9", of_blackhole, "a write, other column", writing(of_blackhole, other(of_blackhole)),
               {{64, 358}, {512, 369}, {1024, 375}, {4096, 432}, {16384, 629}, {65536, 1441}});
    rows.curve("N9", of_blackhole, "a write, same column", writing(of_blackhole, same(of_blackhole)),
               {{64, 208}, {512, 236}, {1024, 224}, {4096, 271}, {16384, 484}, {65536, 1281}});
}

void add_many_transfers(Rows& rows) {
    const auto same = [](Arch arch) { return beside(arch, 0, 1); };
    rows.curve("N5", of_wormhole, "256 reads", reading(of_wormhole, same(of_wormhole), 256),
               {{64, 6579}, {1024, 9698}, {4096, 36922}, {16384, 146322}, {65536, 584548}});
    rows.curve("N6", of_wormhole, "256 stateful reads", reading(of_wormhole, same(of_wormhole), 256, true),
               {{64, 4635}, {512, 5083}, {1024, 9699}});
    rows.curve("N7", of_blackhole, "256 reads", reading(of_blackhole, same(of_blackhole), 256),
               {{64, 9129}, {2048, 9160}, {4096, 17489}, {16384, 68254}, {65536, 272369}});
    rows.curve("N10", of_wormhole, "256 writes", writing(of_wormhole, same(of_wormhole), 256),
               {{64, 5818}, {65536, 538160}});
    rows.curve("N10", of_wormhole, "256 stateful writes", writing(of_wormhole, same(of_wormhole), 256, true),
               {{64, 5317}});
}

// nocreadbench: B reads by NoC 0 from the tile at the end of its row.
Transfer loop_of_reads(Arch arch, unsigned count, bool stateful, std::uint32_t bytes = 64) {
    return {.from = first_tile(arch),
            .to = arch == Arch::wormhole ? NocPlace{9, 1} : NocPlace{15, 2},
            .core = RiscvCore::b,
            .count = count,
            .bytes = bytes,
            .stateful = stateful,
            .issue = Issue::strided};
}

void add_read_loops(Rows& rows) {
    const auto marginal = [](Arch arch, bool stateful) -> PredictTime {
        return [=](const Machine& machine) -> Result<double> {
            const auto few = slowest({loop_of_reads(arch, 64, stateful)})(machine);
            if (!few) return few;
            return slowest({loop_of_reads(arch, 128, stateful)})(machine).map(
                [&](double many) { return (many - *few) / 64; });
        };
    };
    const auto row = [&](const char* name, Arch arch, std::string what, double published, PredictTime predict,
                         std::string_view per) {
        rows.add(name, arch, std::move(what), published, std::move(predict), per, "tt-sim NoC");
    };
    const std::string one_more = "one more read of 64 bytes", stateful = ", stateful";
    row("N20", of_wormhole, one_more, 45.0, marginal(of_wormhole, false), "read");
    row("N20", of_wormhole, one_more + stateful, 29.0, marginal(of_wormhole, true), "read");
    row("N21", of_blackhole, one_more, 47.0, marginal(of_blackhole, false), "read");
    row("N21", of_blackhole, one_more + stateful, 29.0, marginal(of_blackhole, true), "read");
    const auto sizes = [&](const char* name, Arch arch, const std::vector<Point>& points) {
        for (const Point& point : points)
            row(name, arch, fmt::format("64 stateful reads, {}", size_text(point.bytes)), point.cycles,
                slowest({loop_of_reads(arch, 64, true, point.bytes)}), "burst");
    };
    sizes("N22", of_wormhole, {{64, 2024}, {512, 2041}, {1024, 2378}, {2048, 4481}, {4096, 8688}});
    sizes("N23", of_blackhole, {{64, 2071}, {512, 2079}, {1024, 2087}, {2048, 2431}, {4096, 4519}});
    struct Burst {
        unsigned reads;
        double wormhole, blackhole;
    };
    for (const Burst& burst : {Burst{4, 284, 331}, {16, 633, 679}, {64, 2025, 2071}, {128, 3880, 3927}})
        for (const Arch arch : {of_wormhole, of_blackhole})
            row("N24", arch, fmt::format("{} stateful reads of 64 bytes", burst.reads),
                arch == of_wormhole ? burst.wormhole : burst.blackhole,
                slowest({loop_of_reads(arch, burst.reads, true)}), "burst");
}

// nocbench: B, NoC 0, 64 requests.
Transfer flow(NocPlace from, NocPlace to, std::uint32_t bytes, bool writes = true) {
    return {.from = from,
            .to = to,
            .writes = writes,
            .core = RiscvCore::b,
            .count = 64,
            .bytes = bytes,
            .issue = Issue::computed};
}

void add_flows(Rows& rows) {
    const auto row = [&](const char* name, Arch arch, std::string what, double published, Transfers transfers,
                         double parts = 1) {
        rows.add(name, arch, std::move(what), published, slowest(std::move(transfers), parts),
                 parts == 1 ? "burst" : "request", "tt-sim NoC");
    };
    struct Way {
        const char* what;
        NocPlace to;
        double cycles;
    };
    const auto ways = [&](const char* name, Arch arch, const std::vector<Way>& all) {
        for (const Way& way : all)
            row(name, arch, fmt::format("64 writes of 4 KiB, {}", way.what), way.cycles,
                {flow(first_tile(arch), way.to, 4096)});
    };
    ways("N26", of_wormhole,
         {{"same row", {2, 1}, 8669},
          {"same row, far", {9, 1}, 8651},
          {"same column", {1, 2}, 8681},
          {"neither", {2, 2}, 8758},
          {"neither, far", {9, 10}, 8756}});
    ways("N27", of_blackhole, {{"same row", {2, 2}, 4514}, {"same column", {1, 3}, 4478}, {"neither", {2, 3}, 4630}});
    const auto sizes = [&](const char* name, Arch arch, const std::vector<Point>& points) {
        for (const Point& point : points)
            row(name, arch, fmt::format("64 writes, {}", size_text(point.bytes)), point.cycles,
                {flow(first_tile(arch), beside(arch, 1, 1), point.bytes)});
    };
    sizes("N28", of_wormhole, {{64, 2991}, {512, 3017}, {4096, 8795}, {16384, 33989}});
    sizes("N29", of_blackhole, {{64, 2534}, {512, 2547}, {4096, 4627}, {16384, 17234}});
    struct Shared {
        std::uint32_t bytes;
        double alone, shared;
    };
    const auto pairs = [&](const char* name, Arch arch, NocPlace from, NocPlace to, NocPlace apart, NocPlace apart_to,
                           NocPlace near, NocPlace near_to, const std::vector<Shared>& points) {
        for (const Shared& point : points) {
            const auto first = flow(from, to, point.bytes);
            row(name, arch, fmt::format("two writers with no link in common, {}", size_text(point.bytes)),
                point.alone / 64, {first, flow(apart, apart_to, point.bytes)}, 64);
            row(name, arch, fmt::format("two writers with one link in common, {}", size_text(point.bytes)),
                point.shared / 64, {first, flow(near, near_to, point.bytes)}, 64);
        }
    };
    pairs("N30", of_wormhole, {2, 1}, {6, 2}, {7, 1}, {1, 4}, {9, 1}, {3, 4},
          {{64, 2748, 2746}, {512, 2764, 2770}, {2048, 4589, 8695}, {8192, 17141, 33199}, {16384, 33911, 66169}});
    pairs("N31", of_blackhole, {15, 2}, {6, 3}, {6, 2}, {14, 4}, {5, 2}, {13, 4},
          {{64, 2557, 2556}, {512, 2554, 2553}, {2048, 2578, 4603}, {8192, 8827, 16905}, {16384, 17185, 33292}});
    for (const auto& [arch, first, second, alone, both] :
         {std::tuple(of_wormhole, NocPlace{2, 10}, NocPlace{3, 9}, 17219.0, 33958.0),
          std::tuple(of_blackhole, NocPlace{2, 11}, NocPlace{3, 10}, 8873.0, 17239.0)}) {
        const auto reads = flow(first, first_tile(arch), 8192, false);
        row("N32", arch, "one reader of a tile, 64 times 8 KiB", alone, {reads});
        row("N32", arch, "two readers of a tile, 64 times 8 KiB each", both,
            {reads, flow(second, first_tile(arch), 8192, false)});
    }
    for (const auto& [flows, cycles] : {std::pair(2u, 137.0), std::pair(4u, 268.0), std::pair(6u, 399.0)}) {
        Transfers writers;
        for (unsigned i = 0; i < flows; ++i) writers.push_back(flow({2 + i, 3 + i % 3}, {1, 2}, 4096));
        row("N33", of_blackhole, fmt::format("{} writers to one tile, 4 KiB", flows), cycles, writers, 64);
    }
    row("N34", of_blackhole, "two writers with one link in common, 16 KiB, two virtual channels", 519.9,
        {flow({15, 2}, {6, 3}, 16384), flow({5, 2}, {13, 4}, 16384)}, 64);
}

void add_waits_for_each(Rows& rows) {
    struct Waited {
        const char* row;
        Arch arch;
        double read_256, read_4096, write_256, write_4096;
    };
    for (const Waited& one :
         {Waited{"N35", of_wormhole, 303, 437, 301, 428}, {"N36", of_blackhole, 375, 437, 373, 433}}) {
        const auto add = [&](Transfer transfer, const char* what, std::uint32_t bytes, double cycles) {
            transfer.bytes = bytes;
            rows.add(one.row, one.arch, fmt::format("{} and its barrier, {}", what, size_text(bytes)), cycles,
                     slowest({transfer}), "transfer", "tt-sim NoC");
        };
        const NocPlace peer = beside(one.arch, 1, 1);
        add(reading(one.arch, peer), "a read", 256, one.read_256);
        add(reading(one.arch, peer), "a read", 4096, one.read_4096);
        add(writing(one.arch, peer), "a write", 256, one.write_256);
        add(writing(one.arch, peer), "a write", 4096, one.write_4096);
    }
}

void add_bandwidths(Rows& rows) {
    constexpr unsigned count = 64;
    const auto row = [&](const char* name, Arch arch, const char* what, double published, Transfer transfer,
                         unsigned tiles = 1) {
        transfer.count = count;
        transfer.bytes = arch == of_wormhole ? 8192 : 16384;
        rows.add(name, arch, what, published, bytes_per_cycle({transfer}, double{count} * transfer.bytes * tiles),
                 "bytes per cycle", "tt-metal bounds", 'C');
    };
    for (const Arch arch : {of_wormhole, of_blackhole}) {
        const bool wormhole = arch == of_wormhole;
        Transfer to_all = writing(arch, first_tile(arch));
        to_all.last_x = wormhole ? 9 : 14;
        to_all.last_y = wormhole ? 10 : 11;
        to_all.address = 0xC'0000;
        row("N43", arch, "multicast to all tiles", wormhole ? 14.5 : 24, to_all);
        to_all.linked = true;
        row("N43", arch, "multicast to all tiles, linked", wormhole ? 22 : 40, to_all);
        Transfer from_all = reading(arch, beside(arch, 1, 0));
        for (unsigned x = 2; x < 6; ++x) from_all.others.push_back(beside(arch, x % 4, x / 4 + 1));
        row("N44", arch, "reads from five tiles", wormhole ? 30 : 60, from_all, 5);
        Transfer loopback = writing(arch, first_tile(arch));
        row("N45", arch, "writes to itself", wormhole ? 30 : 60, loopback);
    }
}

}  // namespace noc_rows
}  // namespace

void add_noc(Measurements& all) {
    using namespace noc_rows;
    Rows rows(all);
    add_single_transfers(rows);
    add_many_transfers(rows);
    add_read_loops(rows);
    add_flows(rows);
    add_waits_for_each(rows);
    add_bandwidths(rows);
}

}  // namespace tessera::bench::silicon
