// SPDX-License-Identifier: Apache-2.0
#include "units/state_view.hpp"

namespace tessera::units {

void StateView::note(state::Cell cell, std::uint32_t mask, Extent extent) const {
    if (recorder_) recorder_->add(cell);
    if (reads_) reads_->add(cell, mask, extent);
}

void StateView::note(const state::CellBlock& block) const {
    for (unsigned i = 0; recorder_ && i < block.count; ++i) recorder_->add(block[i]);
    if (reads_) reads_->add(block);
}

}  // namespace tessera::units
