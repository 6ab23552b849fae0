// SPDX-License-Identifier: Apache-2.0
#include "check/chip_bytes.hpp"

namespace tessera {

Result<ChipRecording> record(const ChipCase& what, std::span<const ChipRange> dump) {
    const ChipJob& job = what.job;
    auto chip = prepare(job);
    if (!chip) return tl::make_unexpected(chip.error());
    std::vector<ChipRange> ranges(dump.begin(), dump.end());
    if (ranges.empty())
        for (const auto& one : what.expect) ranges.push_back(one.where);
    for (const ChipRange& range : ranges)
        if (const auto known = check::read_range(*chip, range); !known) return tl::make_unexpected(known.error());

    std::optional<Chip> before;
    if (ranges.empty()) before.emplace(*chip);
    auto run = chip->run({.tile = job.options});
    if (!run) return tl::make_unexpected(run.error());
    ChipRecording recording{std::move(*run), std::nullopt};
    if (!recording.run.good()) return recording;

    if (before) {
        ranges = check::changed_lines(*before, *chip, recording.run);
        for (const auto& output : job.outputs) {
            const auto bytes = output_bytes(output.what);
            if (!bytes) return tl::make_unexpected(bytes.error());
            ranges.push_back({output.channel, output.column, output.row, output.what.address, *bytes});
        }
        ranges = check::merged(std::move(ranges));
    }
    ChipCase& recorded = recording.recorded.emplace(what);
    recorded.job.outputs.clear();
    recorded.expect.clear();
    for (const ChipRange& range : ranges) {
        auto bytes = check::read_range(*chip, range);
        if (!bytes) return tl::make_unexpected(bytes.error());
        recorded.expect.push_back({range, std::move(*bytes)});
    }
    return recording;
}

}  // namespace tessera
