// SPDX-License-Identifier: Apache-2.0
#include "tessera/chip_trace.hpp"

#include "tessera/hosted_trace.hpp"
#include "trace/chip_tracer.hpp"

namespace tessera {

Result<ChipRun> trace_job(const ChipJob& job, Chip& chip, const ChipRunOptions& given, const ChipTraceForms& forms) {
    trace::ChipTracer tracer(job, chip, given.tile, forms,
                             [&](unsigned column, unsigned row) -> const Core& { return **chip.tile(column, row); });
    ChipRunOptions options = given;
    options.for_tile = [&](unsigned column, unsigned row, RunOptions& own) {
        if (given.for_tile) given.for_tile(column, row, own);
        tracer.watch(column, row, own);
    };
    if (tracer.wants_packets())
        options.on_packet = [&](const PacketEvent& packet) {
            tracer.packet(packet);
            if (given.on_packet) given.on_packet(packet);
        };
    auto run = chip.run(options);
    if (run) tracer.finish(*run);
    return run;
}

struct HostedTrace::Impl {
    Impl(const Chip& chip, const RunOptions& options, const ChipTraceForms& forms)
        : job(job_of(chip)), tile(options), some_core(chip.arch()),
          tracer(job, chip, tile, forms, [this](unsigned, unsigned) -> const Core& { return some_core; }) {}

    static ChipJob job_of(const Chip& chip) {
        ChipJob job;
        job.arch = chip.arch();
        return job;
    }

    const ChipJob job;
    const RunOptions tile;
    const Core some_core;  ///< for the names of its sections
    trace::ChipTracer tracer;
};

HostedTrace::HostedTrace(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HostedTrace::HostedTrace(HostedTrace&&) noexcept = default;
HostedTrace& HostedTrace::operator=(HostedTrace&&) noexcept = default;
HostedTrace::~HostedTrace() = default;

Result<HostedTrace> HostedTrace::begin(Arch arch, HostedChipOptions& options, const ChipTraceForms& forms) {
    const auto chip = Chip::make(arch, options.chip);
    if (!chip) return tl::make_unexpected(chip.error());
    HostedTrace trace(std::make_unique<Impl>(*chip, options.tile, forms));
    trace::ChipTracer& tracer = trace.impl_->tracer;
    options.for_tile = [&tracer, before = options.for_tile](unsigned column, unsigned row, RunOptions& own) {
        if (before) before(column, row, own);
        tracer.watch(column, row, own);
    };
    if (tracer.wants_packets())
        options.on_packet = [&tracer, before = options.on_packet](const PacketEvent& packet) {
            tracer.packet(packet);
            if (before) before(packet);
        };
    return trace;
}

void HostedTrace::give() { impl_->tracer.give_texts(); }
void HostedTrace::finish(const ChipRun& run) { impl_->tracer.finish(run); }

}  // namespace tessera
