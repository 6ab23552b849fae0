// SPDX-License-Identifier: Apache-2.0
// A form of the trace of a chip: joins the texts of tiles, and adds packets.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tessera/chip_trace.hpp"
#include "trace/chip_places.hpp"
#include "trace/names.hpp"

namespace tessera::trace {

/// A chip's run; outlives its forms.
struct ChipSubject {
    const ChipJob& job;
    const RunOptions& options;
    const ChipPlaces& places;
    /// The place of an instruction of a tile's core in its kernel's text.
    std::function<CodePlace(NocPlace tile, RiscvCore core, std::uint32_t pc)> code_place;
};

/// A form of the trace of a chip. Texts of tiles come from observers of one tile.
class ChipForm {
public:
    virtual ~ChipForm() = default;

    /// Text that the observer of a tile has made, in whole lines.
    virtual void tile(unsigned number, const std::string& text) = 0;
    virtual void packet(const PacketEvent& packet) = 0;
    virtual void finish(const ChipRun& run) = 0;
};

std::unique_ptr<ChipForm> make_chip_lines(const ChipSubject& subject, TraceSink sink);
std::unique_ptr<ChipForm> make_chip_perfetto(const ChipSubject& subject, TraceSink sink);
/// The pid of a place in the timeline.
int chip_process(unsigned number);

}  // namespace tessera::trace
