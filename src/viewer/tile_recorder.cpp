// SPDX-License-Identifier: Apache-2.0
#include "viewer/tile_recorder.hpp"

#include <algorithm>

#include "viewer/report.hpp"

namespace tessera::viewer {

namespace {

constexpr std::uint64_t activity_parts = 1024;

}  // namespace

TileRecorder::TileRecorder(const Job& job, const Core& core)
    : paths_(job), sources_(job, paths_), instructions_(job, core, sources_, texts_), waits_(paths_, texts_), signals_(core) {}

void TileRecorder::watch(RunOptions& options) {
    options.on_event = [this](const Event& event) {
        instructions_.ended(event);
        const std::uint64_t end = std::max(event.end, event.start + 1);
        // Instructions end in nearly the order of their starts.
        if (!busy_.empty() && event.start <= busy_.back().end && event.start >= busy_.back().begin)
            busy_.back().end = std::max(busy_.back().end, end);
        else
            busy_.push_back({event.start, end});
    };
    options.on_wait = [this](const Wait& wait) { waits_.add(wait); };
    options.on_write = [this](const Write& write) {
        if (!write.by_core && write.at_issue) instructions_.issued(write);
        signals_.add(write);
    };
    options.elements.clear();
    options.explain = {};
    options.on_explanation = {};
}

// How busy the units were, from 0 to 255, in equal parts of the chip's run.
Json TileRecorder::activity(std::uint64_t cycles, Packer& packer) const {
    const std::uint64_t parts = std::clamp<std::uint64_t>(cycles, 1, activity_parts);
    std::vector<std::uint64_t> busy(parts);
    auto spans = busy_;
    std::sort(spans.begin(), spans.end(), [](const Busy& a, const Busy& b) { return a.begin < b.begin; });
    std::uint64_t until = 0;
    const auto first_of = [&](std::uint64_t part) { return part * cycles / parts; };
    for (const Busy& span : spans) {
        std::uint64_t begin = std::max(span.begin, until);
        const std::uint64_t end = std::min(span.end, cycles);
        if (begin >= end) continue;
        until = end;
        for (std::uint64_t part = begin * parts / cycles; part < parts && first_of(part) < end; ++part) {
            const std::uint64_t stop = std::min(first_of(part + 1), end);
            if (stop <= begin) continue;
            busy[part] += stop - begin;
            begin = stop;
        }
    }
    Column<std::uint8_t> column;
    for (std::uint64_t part = 0; part < parts; ++part) {
        const std::uint64_t length = first_of(part + 1) - first_of(part);
        column.add(static_cast<std::uint8_t>(busy[part] * 255 / std::max<std::uint64_t>(1, length)));
    }
    return column.json(packer);
}

Json TileRecorder::json(const TileRun& run, std::uint64_t cycles, Packer& packer) {
    waits_.resolve(instructions_);
    return {{"column", run.column},
            {"row", run.row},
            {"place", {run.place.x, run.place.y}},
            {"run", report(run.run, paths_)},
            {"activity", activity(cycles, packer)},
            {"instructions", instructions_.json(packer)},
            {"waits", waits_.json(packer)},
            {"signals", signals_.json(packer)},
            {"texts", packer.pack_json(texts_.all())},
            {"places", sources_.place_texts(packer)}};
}

}  // namespace tessera::viewer
