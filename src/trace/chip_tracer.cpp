// SPDX-License-Identifier: Apache-2.0
#include "trace/chip_tracer.hpp"

#include <algorithm>

namespace tessera::trace {

/// Tiles run in several host threads, so each collects text of its own.
struct ChipTracer::TracedTile {
    GridTile tile;
    RunOptions options;  ///< without the observers of the trace
    std::vector<std::unique_ptr<Observer>> observers;
    std::vector<std::string> texts;  ///< by form, since they were last given away
    TileTraceReport report;
};

ChipTracer::ChipTracer(const ChipJob& job, const Chip& chip, const RunOptions& tile, const ChipTraceForms& wanted, CoreOf core_of)
    : wanted_(wanted), places_(chip), jobs_(job), core_of_(std::move(core_of)), tiles_(places_.tiles()),
      subject_{job, tile, places_, [this](NocPlace at, RiscvCore core, std::uint32_t pc) {
                   const unsigned number = places_.number(at);
                   return number < places_.tiles() ? place_of(job_of(number), -1, -1, static_cast<int>(core), pc) : CodePlace{};
               }} {
    if (wanted_.lines) forms_.push_back(make_chip_lines(subject_, wanted_.lines));
    if (wanted_.perfetto) forms_.push_back(make_chip_perfetto(subject_, wanted_.perfetto));
}

ChipTracer::~ChipTracer() = default;

void ChipTracer::watch(unsigned column, unsigned row, RunOptions& own) {
    const unsigned number = places_.number(column, row);
    const bool is_new = !tiles_[number];
    if (is_new) tiles_[number] = std::make_unique<TracedTile>();
    TracedTile& tile = *tiles_[number];
    tile.options = own;
    if (is_new) {
        tile.tile = {column, row, chip_process(number)};
        tile.report.column = column;
        tile.report.row = row;
        tile.texts.resize(forms_.size());
        const Subject subject{job_of(number), core_of_(column, row), tile.options, &tile.tile};
        std::size_t form = 0;
        const auto sink = [&tile, &form] { return [text = &tile.texts[form++]](std::string_view more) { *text += more; }; };
        if (wanted_.lines) tile.observers.push_back(make_lines(subject, sink(), wanted_.writes));
        if (wanted_.perfetto) tile.observers.push_back(make_perfetto(subject, sink()));
        if (wanted_.reports) tile.observers.push_back(make_report(subject, tile.report.report));
    }
    const auto& observers = tile.observers;
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

void ChipTracer::packet(const PacketEvent& packet) {
    give_texts();
    for (const auto& form : forms_) form->packet(packet);
}

// Tiles rest while packets move, and how far each has come by then does not depend on host threads.
void ChipTracer::give_texts() {
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

void ChipTracer::finish(const ChipRun& run) {
    for (const TileRun& tile : run.tiles)
        for (const auto& observer : tiles_[places_.number(tile.column, tile.row)]->observers) observer->finish(tile.run);
    give_texts();
    for (const auto& form : forms_) form->finish(run);
    if (!wanted_.reports) return;
    wanted_.reports->clear();
    for (auto& tile : tiles_)
        if (tile) wanted_.reports->push_back(std::move(tile->report));
}

}  // namespace tessera::trace
