// SPDX-License-Identifier: Apache-2.0
/// @file
/// The chip: many tiles, both NoCs and DRAM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/core.hpp"

namespace tessera {

/// @cond
namespace chip {
class DebugView;
}
/// @endcond

/// A place in the NoC, in the coordinates of NoC 0 without translation (WormholeB0/NoC/Coordinates).
struct NocPlace {
    unsigned x = 0;  ///< from the left
    unsigned y = 0;  ///< from the top

    friend bool operator==(const NocPlace&, const NocPlace&) = default;  ///< equal in both
};

/// Which tiles a chip has.
struct ChipOptions {
    /// A number of columns and rows.
    struct Size {
        unsigned columns = 1;  ///< from the left
        unsigned rows = 1;     ///< from the top
    };
    /// The Tensix tiles that exist, as the upper left part of those that work; empty: all. A request to another one is a fault.
    std::optional<Size> grid{};
    /// Columns (Blackhole) or rows (Wormhole) of Tensix tiles that are switched off, in coordinates of NoC 0.
    std::vector<unsigned> harvested{};
    /// NIUs translate coordinates, as after the chip's own firmware: the same ones on both NoCs.
    bool translation = false;
    Reset reset = Reset::silicon;  ///< the contents of memory before anything has run
};

/// A packet that has travelled.
struct PacketEvent {
    unsigned noc = 0;         ///< 0 or 1
    std::string_view kind;    ///< "read", "write", "inline write", "atomic", "read response", "write ack", "atomic response"
    NocPlace from;            ///< the NIU that sent it
    NocPlace to;              ///< the NIU that received it
    std::uint64_t sent = 0;   ///< cycle in which its first flit reached the router of its source
    std::uint64_t arrived = 0;  ///< cycle in which its last flit reached the NIU
    std::uint64_t address = 0;  ///< in the tile that received it
    std::uint32_t bytes = 0;    ///< of data
    NocPlace asked_by;        ///< the tile whose core asked for the request
    RiscvCore core{};         ///< that core
    std::uint32_t pc = 0;     ///< address of the core's instruction that wrote NOC_CMD_CTRL
    std::uint32_t request = 0;  ///< counts the requests of `asked_by` on that NoC, from 1
};

/// How a chip runs.
struct ChipRunOptions {
    /// For each tile. Observers are called from several threads if `threads` is more than 1. A seed delays each tile in its own way: a tile
    /// has a seed of its own, odd if this one is odd. It also delays packets, which keep their order between two NIUs of one NoC.
    RunOptions tile{};
    /// Of the host; their number changes no result. No more start than the grid has tiles. If the computer starts fewer, these do the work.
    unsigned threads = 1;
    /// Changes the options of one tile: column, row. Its timing is that of the chip: another one is error "chip.timing" of a tile with
    /// kernels, and has no effect on one without.
    std::function<void(unsigned, unsigned, RunOptions&)> for_tile{};
    /// Called for each packet when it is known when it arrives. Never from two threads at once.
    std::function<void(const PacketEvent&)> on_packet{};
};

/// The report of a tile.
struct TileRun {
    unsigned column = 0;  ///< of the grid
    unsigned row = 0;     ///< of the grid
    NocPlace place;       ///< in the NoC
    Run run;              ///< as of a tile alone
};

/// The poll of a core when no tile of a chip can go on, or when the run has reached its limit of cycles.
struct TileWait {
    /// The core whose request over the NoC wrote last what is polled.
    struct Writer {
        unsigned column = 0;      ///< its tile, of the grid
        unsigned row = 0;         ///< of the grid
        RiscvCore core{};         ///< the core
        std::uint32_t pc = 0;     ///< address of its instruction that wrote NOC_CMD_CTRL
        std::string place;        ///< of that instruction; empty if unknown
        std::uint64_t cycle = 0;  ///< when it was written
        std::uint64_t times = 0;  ///< writes by other tiles to the 16 bytes around it
    };
    unsigned column = 0;           ///< of the grid
    unsigned row = 0;              ///< of the grid
    RiscvCore core{};              ///< that polls
    std::uint32_t pc = 0;          ///< address of its load
    std::string polls;             ///< the location in words: "L1 0x600", a register's name
    std::uint32_t value = 0;       ///< what is there
    std::optional<Writer> writer;  ///< in another tile; empty: no other tile has written there
    bool counts_packets = false;   ///< it is a counter of an NIU: the tile's requests and answers to them change it
};

/// "tile (0, 0)", or "tiles (0, 0), (1, 0) and 3 more".
std::string describe_tiles(const std::vector<const TileRun*>& tiles);

/// The report of a chip's run.
struct ChipRun {
    /// Until the run ended: when all tiles were done, the first cycle in which they were (Chip::run()); otherwise the last act.
    std::uint64_t cycles = 0;
    std::optional<Fault> fault;      ///< why there is no result; its text names the tile
    std::vector<TileRun> tiles;      ///< those that had kernels or received something, row by row
    std::uint64_t packets = 0;       ///< that travelled
    /// With fault "deadlock" or "no-progress": who waits for whom. Of a tile, the cores that poll what another tile wrote last; if there is none, all that poll.
    std::vector<TileWait> waits;

    /// Whether there is no fault and no finding at level error.
    bool good() const;
    /// Run::cut_short() of any tile.
    bool cut_short() const;
    /// `waits` in lines for people; empty: none.
    std::string describe_waits() const;
    /// Run::describe_blocked() of the tiles, once for all whose cores and threads wait at the same places; empty if nothing is blocked.
    std::string describe_blocked() const;
};

/// A chip: a grid of Tensix tiles, each with its Core, joined by two NoCs with DRAM.
///
/// Columns and rows count the Tensix tiles of the grid from the upper left, without gaps: column 0, row 0 is at place(0, 0). A tile
/// costs nothing before something uses it.
class Chip {
public:
    /// Errors "chip.grid", "chip.harvested".
    static Result<Chip> make(Arch arch, const ChipOptions& options = {});
    Chip(const Chip& other);             ///< a snapshot between two runs, with the same state and the same kernels
    Chip& operator=(const Chip& other);  ///< the same; ends the validity of pointers from tile()
    Chip(Chip&&) noexcept;             ///< the source may only be assigned to or destroyed afterwards
    Chip& operator=(Chip&&) noexcept;  ///< the same
    ~Chip();

    /// The chip.
    Arch arch() const;
    /// As make() got them.
    const ChipOptions& options() const;
    /// Columns of the grid.
    unsigned columns() const;
    /// Rows of the grid.
    unsigned rows() const;
    /// The place of a tile. Error "chip.tile" outside of the grid.
    Result<NocPlace> place(unsigned column, unsigned row) const;
    /// The coordinates that kernels write for a tile: its place, or with ChipOptions::translation its translated ones.
    /// Error "chip.tile".
    Result<NocPlace> coordinates(unsigned column, unsigned row) const;
    /// The Core of a tile: its memories and state. Its own run() knows no other tile. Error "chip.tile".
    Result<Core*> tile(unsigned column, unsigned row);
    /// The Core of a tile that something has used; null for another one, which is as after a reset, and outside of the grid.
    const Core* used_tile(unsigned column, unsigned row) const;

    /// Channels of DRAM: 8 on Blackhole, 6 on Wormhole.
    unsigned dram_channels() const;
    /// Bytes of a channel: 4 GiB, 2 GiB.
    std::uint64_t dram_bytes() const;
    /// The place that tt-metal uses for the channel. Error "chip.dram".
    Result<NocPlace> dram_place(unsigned channel) const;
    /// Writes to a channel. Errors "chip.dram", "dram.range".
    Result<void> write_dram(unsigned channel, std::uint64_t address, std::span<const std::byte> bytes);
    /// Reads from a channel; what was never written is 0. Errors "chip.dram", "dram.range".
    Result<std::vector<std::byte>> read_dram(unsigned channel, std::uint64_t address, std::uint64_t length) const;
    /// Bytes of a block that dram_blocks() counts.
    static constexpr std::uint64_t dram_block_bytes = 64 * 1024;
    /// Addresses of the blocks of a channel that hold anything but 0, in their order. Error "chip.dram".
    Result<std::vector<std::uint64_t>> dram_blocks(unsigned channel) const;

    /// Core::load() of the tile, whose cores run them in run(). Errors: those of Core::load() and check_kernels(); "chip.tile".
    Result<void> load(unsigned column, unsigned row, const Kernels& kernels);
    /// The state of all tiles and of DRAM between two runs as bytes, for another process with the same version of the library. Kernels are
    /// not included.
    std::vector<std::byte> image() const;
    /// Sets all state to that of image(). Loaded kernels stay: a chip that got the same kernels by load() before goes on as the first one
    /// would. Pointers from tile() stay valid. Error "chip.image" for other bytes, or those of a chip with another grid or other options;
    /// nothing is changed then.
    Result<void> restore(std::span<const std::byte> image);

    /// Runs the loaded kernels of all tiles until all are done (Kernels::done), or to a fault. Tiles without kernels receive what others
    /// send. Errors: those of Core::run(), of the options of any tile; "chip.timing" for Timing::functional and Timing::instant.
    ///
    /// The run ends in the first cycle in which all tiles are done at once and no packet is on its way. Each tile is done as in a run of it
    /// alone, and its NIUs have nothing left to do. Beside other tiles that run, a tile whose kernels go on when it is done may be ahead of
    /// that cycle, with its memory: by less than a packet takes to it from another tile, or to another one and back. Its Run::cycles say how
    /// far it came. If all tiles are done before anything has run, the run ends at once, with the warning kernel.done-before on each.
    ///
    /// An exception that leaves a function of the options ends the run: of several tiles, that of the first one in the order in which they
    /// began. Any number of threads gives the same one. The chip can be used afterwards; its state is that of a run that was left.
    Result<ChipRun> run(const ChipRunOptions& options = {});

private:
    friend class chip::DebugView;
    friend class ChipExecution;
    friend class HostedChip;
    struct Impl;
    explicit Chip(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
