// SPDX-License-Identifier: Apache-2.0
#include "units/state_view.hpp"

namespace tessera::units {

// Most resolves note their reads, and hardly any has a recorder: without it, nothing is called from here.
void StateView::note(state::Cell cell, std::uint32_t mask, Extent extent) const {
    if (recorder_) [[unlikely]] return record(cell, mask, extent);
    reads_->add(cell, mask, extent);
}

[[gnu::noinline]] void StateView::record(state::Cell cell, std::uint32_t mask, Extent extent) const {
    recorder_->add(cell);
    if (reads_) reads_->add(cell, mask, extent);
}

void StateView::note(const state::CellBlock& block) const {
    for (unsigned i = 0; recorder_ && i < block.count; ++i) recorder_->add(block[i]);
    if (reads_) reads_->add(block);
}

}  // namespace tessera::units
