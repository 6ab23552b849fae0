// SPDX-License-Identifier: Apache-2.0
#include "core/tile_view.hpp"

namespace tessera::core {

TileView::Counts TileView::executed() const {
    Counts counts{};
    for (unsigned core = 0; core < counts.size(); ++core) counts[core] = executed(core);
    return counts;
}

std::optional<std::uint32_t> TileView::peek(std::uint32_t address) {
    if (address % 4) return {};
    const state::SavedState state = parts_.state.save();
    const engine::Progress progress = parts_.engine.progress();
    const auto cores = parts_.cores.save();
    const auto access = parts_.engine.host_accesses(address, {});
    parts_.state.restore(state);
    parts_.engine.go_back_to(progress);
    parts_.cores.restore(*cores);
    if (!access.wrong.empty()) return {};
    return access.value;
}

void TileView::changed(RiscvCore core) {
    parts_.cores.forget_rounds(static_cast<unsigned>(core));
    parts_.engine.debugger_changed(core);
}

}  // namespace tessera::core
