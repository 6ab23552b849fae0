// SPDX-License-Identifier: Apache-2.0
// Small values over time that the timeline shows: owners of the banks, semaphores.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "tessera/core.hpp"
#include "viewer/packing.hpp"

namespace tessera::viewer {

class SignalTable {
public:
    /// `core` is as it is before its run.
    explicit SignalTable(const Core& core);

    void add(const Write& write);
    /// Changes in their order: which of "signals", cycle, value; the ones before the run at cycle 0.
    Json json(Packer& packer) const;

private:
    struct Signal {
        std::string_view section;
        std::uint32_t element = 0, number = 0;
        std::uint64_t value = 0;
    };
    void note(const Signal& signal, double cycle);

    std::vector<std::uint32_t> sections_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Signal> signals_;  ///< by section and element
    Column<std::uint32_t> signal_, value_;
    Column<double> cycle_;
};

}  // namespace tessera::viewer
