// SPDX-License-Identifier: Apache-2.0
#include "tessera/chip_viewer.hpp"

#include "tessera/output_file.hpp"
#include "viewer/packet_table.hpp"
#include "viewer/page.hpp"
#include "viewer/tile_recorder.hpp"

namespace tessera {

namespace {

constexpr std::string_view chip_data_version = "tessera-chip-viewer-1";

}  // namespace

Result<ChipViewerPage> view(const ChipJob& job, unsigned threads) {
    using viewer::Json;
    Result<Chip> chip = prepare(job);
    if (!chip) return tl::make_unexpected(chip.error());
    const trace::ChipPlaces places(*chip);
    const trace::TileJobs jobs(job);
    viewer::PacketTable packets(places, jobs);
    std::vector<std::unique_ptr<viewer::TileRecorder>> tiles(places.tiles());
    ChipRunOptions options;
    options.tile = job.options;
    options.threads = threads;
    options.for_tile = [&](unsigned column, unsigned row, RunOptions& own) {
        auto& tile = tiles[places.number(column, row)];
        tile = std::make_unique<viewer::TileRecorder>(jobs.of(column, row), **chip->tile(column, row));
        tile->watch(own);
    };
    options.on_packet = [&](const PacketEvent& packet) { packets.add(packet); };
    Result<ChipRun> run = chip->run(options);
    if (!run) return tl::make_unexpected(run.error());

    const std::function<bool()> never;
    const viewer::GoOn go_on(never);
    viewer::Packer packer(go_on);
    Json data = {{"format", chip_data_version},
                 {"job", job.file},
                 {"arch", name(job.arch)},
                 {"timing", name(job.options.timing)},
                 // A text, since numbers of a browser have 53 bits.
                 {"seed", job.options.seed ? Json(std::to_string(*job.options.seed)) : Json(nullptr)},
                 {"grid", {chip->columns(), chip->rows()}},
                 {"cycles", run->cycles},
                 {"packet_count", run->packets},
                 {"good", run->good()},
                 {"fault", nullptr},
                 {"places", Json::array()},
                 {"tiles", Json::array()}};
    if (run->fault) {
        std::string message = run->fault->message;
        for (const TileRun& tile : run->tiles)
            if (tile.run.fault) message = viewer::Paths(jobs.of(tile.column, tile.row)).shorten(std::move(message));
        data["fault"] = {{"code", run->fault->code}, {"message", std::move(message)}};
    }
    for (unsigned i = 0; i < places.count(); ++i) data["places"].push_back(places.name(i));
    for (const TileRun& tile : run->tiles) {
        auto& recorder = tiles[places.number(tile.column, tile.row)];
        data["tiles"].push_back(recorder->json(tile, run->cycles, packer));
        recorder.reset();  // a tile's tables are large
    }
    data["packets"] = packets.json(packer);
    return ChipViewerPage{std::move(*run), viewer::join_page("chip.html", viewer::text_of(data, go_on), packer.blocks())};
}

Result<void> write_page(const ChipViewerPage& page, const std::string& path) {
    return write_file(path, page.html, "viewer.write");
}

}  // namespace tessera
