// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "check/joined_ranges.hpp"
#include "check/state_form.hpp"
#include "program/job/kernels.hpp"
#include "tessera/case.hpp"

namespace tessera {

namespace {

// Collects the bytes of L1 that a run writes.
class WrittenL1 {
public:
    explicit WrittenL1(const Core& core) : l1_(*core.find_section("l1").value()), written_(l1_.size) {}

    void note(const Write& write) {
        for (const StateElement& element : write.elements)
            if (element.section == l1_.id) written_[element.element] = true;
    }
    void add_to(std::vector<L1Range>& ranges) const {
        for (std::size_t i = 0; i < written_.size(); ++i) {
            if (!written_[i]) continue;
            const std::size_t first = i;
            while (i < written_.size() && written_[i]) ++i;
            ranges.push_back({first, i - first});
        }
    }

private:
    const Section& l1_;
    std::vector<bool> written_;
};

}  // namespace

Result<Recording> record(const Case& what, std::span<const L1Range> dump) {
    const Job& job = what.job;
    if (job.options.reference)
        return fail("record.reference", "a case records the engine's results only; leave reference out",
                    job.file);
    if (auto done = program::refuse_kernels(job, "record"); !done) return tl::make_unexpected(done.error());
    auto core = prepare(job);
    if (!core) return tl::make_unexpected(core.error());
    std::vector<L1Range> ranges(dump.begin(), dump.end());
    const bool given = !ranges.empty() || !what.expect.empty();
    if (!given && job.options.timing == Timing::functional)
        return fail("run.functional",
                    fmt::format("a case has the bytes of L1 that the run writes, and functional timing does not tell which: name them "
                                "(--dump ADDR:LEN), or use {} timing",
                                name(default_timing)),
                    job.file);
    if (ranges.empty()) ranges = what.dump;
    for (const L1Range& range : ranges)
        if (auto in_l1 = core->read_l1(range.address, range.length); !in_l1) return tl::make_unexpected(in_l1.error());

    RunOptions options = job.options;
    WrittenL1 written(*core);
    if (!given) options.on_write = [&](const Write& write) { written.note(write); };
    auto run = core->run(job.program, options);
    if (!run) return tl::make_unexpected(run.error());
    Recording recording{std::move(*run), std::nullopt};
    if (!recording.run.good()) return recording;

    if (!given) {
        for (const auto& output : job.outputs) {
            const auto bytes = output_bytes(output);
            if (!bytes) return tl::make_unexpected(bytes.error());
            ranges.push_back({output.address, *bytes});
        }
        written.add_to(ranges);
        ranges = check::joined_ranges(std::move(ranges), [](const L1Range&) { return 0; });
    }
    Case& recorded = recording.recorded.emplace(what);
    recorded.job.outputs.clear();
    recorded.dump = ranges;
    recorded.expect = check::expected_state(*core, ranges).dump();
    return recording;
}

}  // namespace tessera
