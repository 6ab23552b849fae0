// SPDX-License-Identifier: Apache-2.0
#include "trace/chip_tracer.hpp"

namespace tessera::trace {

/// Tiles run in several host threads, so each collects text of its own.
struct ChipTracer::TracedTile {
    GridTile tile;
    RunOptions options;  ///< without the observers of the trace
    Observers observers;
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
        TraceForms forms;
        forms.writes = wanted_.writes;
        std::size_t form = 0;
        const auto sink = [&tile, &form] { return [text = &tile.texts[form++]](std::string_view more) { *text += more; }; };
        if (wanted_.lines) forms.lines = sink();
        if (wanted_.perfetto) forms.perfetto = sink();
        if (wanted_.reports) forms.report = &tile.report.report;
        tile.observers = Observers(subject, forms);
    }
    tile.observers.watch(own, tile.options);
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
    for (const TileRun& tile : run.tiles) tiles_[places_.number(tile.column, tile.row)]->observers.finish(tile.run);
    give_texts();
    for (const auto& form : forms_) form->finish(run);
    if (!wanted_.reports) return;
    wanted_.reports->clear();
    for (auto& tile : tiles_)
        if (tile) wanted_.reports->push_back(std::move(tile->report));
}

}  // namespace tessera::trace
