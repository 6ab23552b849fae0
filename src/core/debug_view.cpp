// SPDX-License-Identifier: Apache-2.0
#include "core/debug_view.hpp"

#include "core/execution_impl.hpp"

namespace tessera::core {

DebugView::DebugView(Execution& execution)
    : execution_(execution),
      own_observer_(execution.impl_->tile.options->on_event),
      tile_({*execution.impl_->tile.core, execution.impl_->tile.inside->state, *execution.impl_->tile.engine, *execution.impl_->tile.options,
             *execution.impl_->tile.cores, *execution.impl_->source->kernels}) {}

bool DebugView::fits(const Execution& execution) { return execution.impl_->tile.cores && execution.impl_->source; }

Pause DebugView::run(const Breakpoints& breakpoints, const std::function<bool()>& enough) {
    return execution_.impl_->run_until(breakpoints, false, {}, enough);
}

std::uint64_t DebugView::written_at() const { return execution_.impl_->written_at; }

bool DebugView::run_fast_to(std::uint64_t cycle) { return execution_.impl_->run_fast_to(cycle); }

void DebugView::observe(std::function<void(const Event&)> on_event) {
    Execution::Impl& run = *execution_.impl_;
    run.leave();
    run.tile.options->on_event = on_event ? std::move(on_event) : own_observer_;
    run.look();
}

void DebugView::end_again(const Fault& fault) {
    tile_.engine().end_again(fault);
    execution_.impl_->end();
}

bool DebugView::is_observed() const { return static_cast<bool>(execution_.impl_->tile.options->on_event); }

bool DebugView::has_reached(std::uint64_t cycle) const { return execution_.impl_->steps->has_reached(cycle); }

void DebugView::write_l1(std::uint32_t address, std::span<const std::uint8_t> bytes) {
    if (execution_.ended())
        static_cast<void>(execution_.core().write_l1(address, std::as_bytes(bytes)));  // within L1, so it succeeds
    else
        tile_.engine().host_writes(address, std::as_bytes(bytes));
}

}  // namespace tessera::core
