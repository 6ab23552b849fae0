// SPDX-License-Identifier: Apache-2.0
#include "tessera/chip_trace.hpp"

#include <algorithm>
#include <map>

#include "trace/chip_form.hpp"
#include "trace/observer.hpp"
#include "trace/tile_jobs.hpp"

namespace tessera {

namespace {

/// The observers of a tile. Tiles run in several host threads, so each collects text of its own.
struct TracedTile {
    trace::GridTile tile;
    RunOptions options;  ///< without the observers of the trace
    std::vector<std::unique_ptr<trace::Observer>> observers;
    std::vector<std::string> texts;  ///< by form, since they were last given away
    TileTraceReport report;
};

class TracedChip {
public:
    TracedChip(const ChipJob& job, Chip& chip, const ChipRunOptions& options, const ChipTraceForms& wanted)
        : chip_(chip), given_(options), wanted_(wanted), places_(chip), jobs_(job), tiles_(places_.tiles()),
          subject_{job, given_.tile, places_, [this](NocPlace at, RiscvCore core, std::uint32_t pc) {
                       const unsigned number = places_.number(at);
                       if (number >= places_.tiles()) return trace::CodePlace{};
                       return trace::place_of(job_of(number), -1, -1, static_cast<int>(core), pc);
                   }} {
        if (wanted.lines) forms_.push_back(trace::make_chip_lines(subject_, wanted.lines));
        if (wanted.perfetto) forms_.push_back(trace::make_chip_perfetto(subject_, wanted.perfetto));
    }

    Result<ChipRun> run() {
        ChipRunOptions options = given_;
        options.for_tile = [this](unsigned column, unsigned row, RunOptions& own) { watch(column, row, own); };
        if (!forms_.empty())
            options.on_packet = [this](const PacketEvent& packet) {
                give_texts();
                for (const auto& form : forms_) form->packet(packet);
                if (given_.on_packet) given_.on_packet(packet);
            };
        auto run = chip_.run(options);
        if (!run) return run;
        for (const TileRun& tile : run->tiles)
            for (const auto& observer : tiles_[places_.number(tile.column, tile.row)]->observers) observer->finish(tile.run);
        give_texts();
        for (const auto& form : forms_) form->finish(*run);
        if (wanted_.reports) {
            wanted_.reports->clear();
            for (auto& tile : tiles_)
                if (tile) wanted_.reports->push_back(std::move(tile->report));
        }
        return run;
    }

private:
    const Job& job_of(unsigned number) const { return jobs_.of(number % places_.columns(), number / places_.columns()); }

    void watch(unsigned column, unsigned row, RunOptions& own) {
        if (given_.for_tile) given_.for_tile(column, row, own);
        const unsigned number = places_.number(column, row);
        tiles_[number] = std::make_unique<TracedTile>();
        TracedTile& tile = *tiles_[number];
        tile.tile = {column, row, trace::chip_process(number)};
        tile.options = own;
        tile.report.column = column;
        tile.report.row = row;
        tile.texts.resize(forms_.size());
        const trace::Subject subject{job_of(number), **chip_.tile(column, row), tile.options, &tile.tile};
        std::size_t form = 0;
        const auto sink = [&tile, &form] { return [text = &tile.texts[form++]](std::string_view more) { *text += more; }; };
        auto& observers = tile.observers;
        if (wanted_.lines) observers.push_back(trace::make_lines(subject, sink(), wanted_.writes));
        if (wanted_.perfetto) observers.push_back(trace::make_perfetto(subject, sink()));
        if (wanted_.reports) observers.push_back(trace::make_report(subject, tile.report.report));
        if (observers.empty()) return;
        own.on_event = [&tile](const Event& event) {
            for (const auto& observer : tile.observers) observer->event(event);
            if (tile.options.on_event) tile.options.on_event(event);
        };
        own.on_wait = [&tile](const Wait& wait) {
            for (const auto& observer : tile.observers) observer->wait(wait);
            if (tile.options.on_wait) tile.options.on_wait(wait);
        };
        if (std::none_of(observers.begin(), observers.end(), [](const auto& observer) { return observer->wants_writes(); })) return;
        own.on_write = [&tile](const Write& write) {
            for (const auto& observer : tile.observers)
                if (observer->wants_writes()) observer->write(write);
            if (tile.options.on_write) tile.options.on_write(write);
        };
    }

    // Tiles rest while packets move, and how far each has come by then does not depend on host threads.
    void give_texts() {
        for (unsigned i = 0; i < tiles_.size(); ++i) {
            if (!tiles_[i]) continue;
            auto& texts = tiles_[i]->texts;
            for (std::size_t form = 0; form < texts.size(); ++form) {
                if (texts[form].empty()) continue;
                forms_[form]->tile(i, texts[form]);
                texts[form].clear();
            }
        }
    }

    Chip& chip_;
    const ChipRunOptions given_;
    const ChipTraceForms& wanted_;
    const trace::ChipPlaces places_;
    const trace::TileJobs jobs_;
    std::vector<std::unique_ptr<TracedTile>> tiles_;
    const trace::ChipSubject subject_;
    std::vector<std::unique_ptr<trace::ChipForm>> forms_;
};

}  // namespace

Result<ChipRun> trace_job(const ChipJob& job, Chip& chip, const ChipRunOptions& options, const ChipTraceForms& forms) {
    return TracedChip(job, chip, options, forms).run();
}

}  // namespace tessera
