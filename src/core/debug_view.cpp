// SPDX-License-Identifier: Apache-2.0
#include "core/debug_view.hpp"

#include "core/execution_impl.hpp"

namespace tessera::core {

bool DebugView::fits(const Execution& execution) { return execution.impl_->tile.cores && execution.impl_->source; }

const Kernels& DebugView::kernels() const { return *execution_.impl_->source->kernels; }
state::State& DebugView::state() { return execution_.impl_->tile.inside->state; }
const state::State& DebugView::state() const { return execution_.impl_->tile.inside->state; }

void DebugView::set_watch(tile::CoreWatch* watch) { execution_.impl_->tile.cores->set_watch(watch); }
std::uint64_t DebugView::furthest() const { return execution_.impl_->tile.cores->furthest(); }
std::uint64_t DebugView::executed(unsigned core) const { return execution_.impl_->tile.cores->executed(core); }
unsigned DebugView::fused_words(unsigned core, std::uint32_t pc) const {
    return execution_.impl_->tile.cores->fused_words(core, pc);
}

bool DebugView::has_finished(unsigned core) const { return execution_.impl_->tile.engine->has_finished(static_cast<RiscvCore>(core)); }

bool DebugView::repeats(unsigned core) const { return execution_.impl_->tile.engine->repeats(static_cast<RiscvCore>(core)); }

std::string DebugView::waits_for(unsigned core) const { return execution_.impl_->tile.cores->waits_for(core); }

DebugView::Counts DebugView::executed() const {
    Counts counts{};
    for (unsigned core = 0; core < counts.size(); ++core) counts[core] = executed(core);
    return counts;
}

Pause DebugView::run(const Breakpoints& breakpoints, const std::function<bool()>& enough) {
    return execution_.impl_->run_until(breakpoints, false, {}, enough);
}

bool DebugView::run_fast_to(std::uint64_t cycle) { return execution_.impl_->run_fast_to(cycle); }

void DebugView::observe(std::function<void(const Event&)> on_event) {
    Execution::Impl& run = *execution_.impl_;
    run.leave();
    run.tile.options->on_event = std::move(on_event);
    run.look();
}

bool DebugView::has_reached(std::uint64_t cycle) const { return execution_.impl_->steps->has_reached(cycle); }

std::optional<std::uint32_t> DebugView::peek(std::uint32_t address) {
    Execution::Impl& run = *execution_.impl_;
    if (run.over || address % 4) return {};
    const Execution::Snapshot here = run.snapshot();
    const auto access = run.tile.engine->host_accesses(address, {});
    if (const auto back = execution_.restore(here); !back || !access.wrong.empty()) return {};
    return access.value;
}

void DebugView::write_l1(std::uint32_t address, std::span<const std::uint8_t> bytes) {
    Execution::Impl& run = *execution_.impl_;
    if (run.over)
        static_cast<void>(core().write_l1(address, std::as_bytes(bytes)));  // within L1, so it succeeds
    else
        run.tile.engine->host_writes(address, std::as_bytes(bytes));
}

void DebugView::changed(RiscvCore core) {
    Execution::Impl& run = *execution_.impl_;
    run.tile.cores->forget_rounds(static_cast<unsigned>(core));
    if (!run.over) run.tile.engine->debugger_changed(core);
}

std::string DebugView::place(unsigned core, std::uint32_t pc) const { return execution_.impl_->tile.cores->place_text(core, pc); }
std::string DebugView::instruction(unsigned core, std::uint32_t pc) const {
    return execution_.impl_->tile.cores->instruction(core, pc);
}

}  // namespace tessera::core
