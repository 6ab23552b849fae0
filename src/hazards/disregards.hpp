// SPDX-License-Identifier: Apache-2.0
// RunOptions::disregard, asked whenever somebody would learn something.
#pragma once

#include <utility>
#include <vector>

#include "tessera/ordering.hpp"

namespace tessera::hazards {

class Disregards {
public:
    Disregards() = default;
    explicit Disregards(std::vector<Disregarded> all) : all_(std::move(all)) {}
    /// Nobody goes by anything.
    static Disregards everything();

    /// Whether a thread may go by it; `which` as Disregarded has it, where the ordering has several.
    bool allow(Ordering ordering, unsigned thread) const { return all_.empty() || !listed(ordering, thread, {}, {}); }
    bool allow(Ordering ordering, unsigned thread, unsigned which) const {
        return all_.empty() || !listed(ordering, thread, {}, which);
    }
    /// The same of a RISC-V core.
    bool allow_core(Ordering ordering, unsigned core, std::optional<unsigned> which = {}) const {
        return all_.empty() || !listed(ordering, {}, RiscvCore(core), which);
    }

private:
    bool listed(Ordering ordering, std::optional<unsigned> thread, std::optional<RiscvCore> core,
                std::optional<unsigned> which) const;

    std::vector<Disregarded> all_;
};

}  // namespace tessera::hazards
