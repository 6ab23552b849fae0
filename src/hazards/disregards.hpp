// SPDX-License-Identifier: Apache-2.0
// RunOptions::disregard: orderings that the hazard checker ignores, asked at every acquire.
#pragma once

#include <utility>
#include <vector>

#include "tessera/ordering.hpp"

namespace tessera::hazards {

class Disregards {
public:
    Disregards() = default;
    explicit Disregards(std::vector<Disregarded> all) : all_(std::move(all)) {}
    /// Ignores every ordering.
    static Disregards everything();

    /// Whether the ordering counts for a thread. `which` is as in Disregarded, for orderings that have several
    /// objects.
    bool allow(Ordering ordering, unsigned thread, std::optional<unsigned> which = {}) const {
        return all_.empty() || !listed(ordering, thread, {}, which);
    }
    /// The same for a RISC-V core.
    bool allow_core(Ordering ordering, unsigned core, std::optional<unsigned> which = {}) const {
        return all_.empty() || !listed(ordering, {}, RiscvCore(core), which);
    }

private:
    bool listed(Ordering ordering, std::optional<unsigned> thread, std::optional<RiscvCore> core,
                std::optional<unsigned> which) const;

    std::vector<Disregarded> all_;
};

}  // namespace tessera::hazards
