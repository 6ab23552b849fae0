// SPDX-License-Identifier: Apache-2.0
#include "reports/chip_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "reports/run_report.hpp"
#include "reports/table.hpp"
#include "reports/terminal.hpp"

namespace tessera::cli {

namespace {

/// Findings of the same code and place, with the tiles that have them.
struct SharedFinding {
    const Finding* finding = nullptr;  ///< in the first tile
    std::uint64_t count = 0;
    std::vector<const TileRun*> tiles;
};

bool same_place(const Finding& a, const Finding& b) {
    const auto key = [](const Finding& finding) {
        const Where& at = finding.where;
        return std::tie(finding.code, finding.level, at.core, at.pc, at.thread, at.index, at.place, at.instruction);
    };
    return key(a) == key(b);
}

std::vector<SharedFinding> shared_findings(const ChipRun& run) {
    std::vector<SharedFinding> all;
    for (const TileRun& tile : run.tiles)
        for (const Finding& finding : tile.run.findings) {
            auto known =
                std::ranges::find_if(all, [&](const auto& other) { return same_place(*other.finding, finding); });
            if (known == all.end()) known = all.insert(all.end(), SharedFinding{&finding, 0, {}});
            known->count += finding.count;
            known->tiles.push_back(&tile);
        }
    return all;
}

std::string describe_shared(const SharedFinding& shared) {
    return level_text(shared.finding->level, shared.count) + " " + describe_tiles(shared.tiles) + ": " +
           shared.finding->describe() + "\n";
}

std::size_t above_info(const Run& run) {
    return static_cast<std::size_t>(
        std::ranges::count_if(run.findings, [](const Finding& finding) { return finding.level > Level::info; }));
}

}  // namespace

std::string describe_chip_run(const Chip& chip, const ChipRun& run) {
    std::array<std::uint64_t, 3> instructions{};
    for (const TileRun& tile : run.tiles)
        for (std::size_t thread = 0; thread < 3; ++thread) instructions[thread] += tile.run.instructions[thread];
    std::string text = fmt::format("cycles        {}\npackets       {}\ngrid          {} columns, {} rows\n",
                                   run.cycles, run.packets, chip.columns(), chip.rows()) +
                       instructions_text(instructions);
    if (!run.tiles.empty()) {
        Table tiles{"tile", "NoC 0", ">cycles", ">T0", ">T1", ">T2", ">findings"};
        for (const TileRun& tile : run.tiles) {
            std::vector<std::string> cells{fmt::format("({}, {})", tile.column, tile.row),
                                           fmt::format("({}, {})", tile.place.x, tile.place.y),
                                           std::to_string(tile.run.cycles)};
            for (const auto count : tile.run.instructions) cells.push_back(std::to_string(count));
            cells.push_back(std::to_string(above_info(tile.run)));
            tiles.add(std::move(cells));
        }
        text += "\n" + tiles.text();
    }
    if (const std::string diagnoses = describe_chip_diagnoses(run); !diagnoses.empty()) text += "\n" + diagnoses;
    return text;
}

std::string describe_chip_diagnoses(const ChipRun& run) {
    std::string text;
    for (const SharedFinding& shared : shared_findings(run)) text += describe_shared(shared);
    if (run.fault) text += coloured(Colour::red, "fault") + " " + run.fault->describe() + "\n";
    return text + run.describe_waits() + run.describe_blocked();
}

Json chip_run_json(const ChipJob& job, const Chip& chip, const ChipRun& run, std::span<const std::string> written) {
    Json json = {{"job", job.file},
                 {"arch", name(job.arch)},
                 {"timing", name(job.options.timing)},
                 {"reference", job.options.reference},
                 {"seed", maybe(job.options.seed)},
                 {"good", run.good()},
                 {"cycles", run.cycles},
                 {"packets", run.packets},
                 {"grid", {chip.columns(), chip.rows()}},
                 {"fault", maybe(run.fault)},
                 {"waits", Json::array()},
                 {"tiles", Json::array()},
                 {"outputs", written}};
    for (const TileWait& wait : run.waits) {
        Json by = nullptr;
        if (const auto& writer = wait.writer)
            by = {{"tile", {writer->column, writer->row}}, {"core", name(writer->core)}, {"pc", writer->pc},
                  {"place", writer->place},                {"cycle", writer->cycle},     {"times", writer->times}};
        json["waits"].push_back({{"tile", {wait.column, wait.row}},
                                 {"core", name(wait.core)},
                                 {"pc", wait.pc},
                                 {"polls", wait.polls},
                                 {"value", wait.value},
                                 {"counts_packets", wait.counts_packets},
                                 {"last_written_by", std::move(by)}});
    }
    for (const TileRun& tile : run.tiles) {
        Json of_tile = {{"tile", {tile.column, tile.row}}, {"place", {tile.place.x, tile.place.y}}};
        of_tile.update(to_json(tile.run));
        json["tiles"].push_back(std::move(of_tile));
    }
    return json;
}

}  // namespace tessera::cli
