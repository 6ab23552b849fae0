// SPDX-License-Identifier: Apache-2.0
/// @file
/// A run of a chip in steps of one of its tiles.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tessera/chip.hpp"
#include "tessera/execution.hpp"

namespace tessera {

/// How far a tile of a chip is.
struct TileProgress {
    unsigned column = 0;      ///< of the grid
    unsigned row = 0;         ///< of the grid
    NocPlace place;           ///< in the NoC
    std::uint64_t cycle = 0;  ///< of its last act
    bool done = false;        ///< Kernels::done holds, and it has nothing left to do
    std::vector<Blocked> waiting;  ///< as Execution::waiting()
};

/// A run of a chip that stops between the steps of one tile, which is *looked at*. The other tiles and all packets go on beside it.
///
/// The sum of all steps is the run of Chip::run(): state, cycles, packets and findings are equal, whatever has been looked at. When it
/// stops, another tile may be some cycles behind or ahead, but no further than it could go without word from the others.
class ChipExecution {
public:
    /// Begins a run of the chip's loaded kernels and looks at a tile that has kernels. It keeps a copy of the chip for
    /// Execution::back(), and ChipRunOptions::on_packet is called again for packets that are sent again.
    ///
    /// Errors: those of Chip::run(); "chip.tile". As long as it is in use, `chip` must not be moved, run, loaded, restored or assigned to.
    static Result<ChipExecution> begin(Chip& chip, unsigned column, unsigned row, ChipRunOptions options = {});
    ChipExecution(ChipExecution&&) noexcept;             ///< the source may only be assigned to or destroyed afterwards
    ChipExecution& operator=(ChipExecution&&) noexcept;  ///< the source as after the move constructor
    ~ChipExecution();

    /// The tile that is looked at: its steps, breakpoints, watches, findings and instructions. The reference stays valid as long as the
    /// ChipExecution, which may be moved. Execution::ended() says whether the chip's run is over.
    Execution& tile();
    /// The same to read.
    const Execution& tile() const;
    /// Column of the tile that is looked at.
    unsigned column() const;
    /// Its row.
    unsigned row() const;
    /// Looks at another tile from now on. Error "chip.tile": there is none, or it has no kernels and nothing has come to it yet.
    Result<void> look_at(unsigned column, unsigned row);

    /// Runs until a packet leaves the tile that is looked at, or has reached it and taken effect. Empty: the run ended before.
    ///
    /// Of a packet that leaves, PacketEvent::arrived is 0: it is on its way. Several packets of one act come one by one.
    std::optional<PacketEvent> run_to_packet();

    /// Packets that took effect in the last act of the tile that is looked at, such as one that wrote what a watch stops at.
    const std::vector<PacketEvent>& arrived() const;
    /// The instruction of a core that asked for a packet, without a cycle. Default: a tile without kernels.
    Where where(const PacketEvent& packet) const;

    /// All tiles that have kernels or have received something, row by row.
    std::vector<TileProgress> tiles() const;
    /// The report of the run until now. At the end it is what Chip::run() returns.
    ChipRun run() const;

private:
    struct Impl;
    explicit ChipExecution(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
