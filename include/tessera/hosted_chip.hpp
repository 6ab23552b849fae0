// SPDX-License-Identifier: Apache-2.0
/// @file
/// A chip that a host drives: it reads and writes tiles at any time, and says how far time goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/chip.hpp"

namespace tessera {

/// Something that a tile of a HostedChip met.
struct TileReport {
    NocPlace place;                  ///< of the tile
    bool is_fault = false;           ///< what met it has stopped
    std::optional<Finding> finding;  ///< of a core or an instruction; a core that faults stops, the tile goes on
    std::optional<Fault> fault;      ///< of the coprocessor, after which the tile stands still, or of a NoC request to memory

    /// The same as text: of either. Without both it is empty.
    const Diagnosis& what() const;
};

/// How a chip reaches its host's memory: addresses are those of requests to the PCI Express tile.
struct HostMemoryAccess {
    std::function<void(std::uint64_t, std::span<std::byte>)> read{};         ///< fills the bytes
    std::function<void(std::uint64_t, std::span<const std::byte>)> write{};  ///< takes the bytes
};

/// Options of a HostedChip.
struct HostedChipOptions {
    ChipOptions chip{};     ///< which tiles there are
    RunOptions tile{};      ///< for each tile. `max_cycles` is ignored, and a level "error" only reports
    unsigned threads = 1;   ///< as of ChipRunOptions
    /// By so many cycles tiles may stay behind HostedChip::cycle() as long as the host cannot notice it by reads and writes. It saves time
    /// where a host lets single cycles pass. Reports of these tiles come later.
    std::uint64_t lag = 0;
    /// A debugger may attach (GdbServer): cores' stores can be watched then.
    bool debugger = false;
    /// Both or neither, called in the thread that calls the HostedChip, in the order of the chip's time. They must not call the HostedChip.
    /// Without them the host's memory cannot be reached. Once a chip has used them, no tile stays behind.
    HostMemoryAccess host_memory{};
    /// ELF files that the host may load, and folders with files *.elf, also in folders within. Code in a tile's memory that has the bytes of
    /// one gives reports its lines and functions, also if a loader has moved it. They are read when a report needs them, and again when they
    /// change. Files that cannot be read are left out.
    std::vector<std::string> elf_files{};
    /// As of ChipRunOptions: changes the options of one tile, but not its timing. Called whenever a tile begins, also anew.
    std::function<void(unsigned, unsigned, RunOptions&)> for_tile{};
    std::function<void(const PacketEvent&)> on_packet{};  ///< as of ChipRunOptions
};

/// A chip as a host sees it through PCIe: no kernel is loaded from outside. The host writes memory and registers of tiles, as
/// RISCV_DEBUG_REG_SOFT_RESET_0, and clock() lets time pass. Between two calls the chip stands still.
///
/// It goes on whatever its software does. A RISC-V core that faults stops; the others go on. A fault of the coprocessor stops its tile
/// until a host puts all five cores into reset. A NoC request that cannot be made is left out.
class HostedChip {
public:
    /// Errors: those of Chip::make(); "chip.timing" for Timing::functional and Timing::instant; "host.call" if
    /// HostedChipOptions::host_memory has one function.
    static Result<HostedChip> make(Arch arch, const HostedChipOptions& options = {});
    HostedChip(HostedChip&&) noexcept;             ///< the source may only be assigned to or destroyed afterwards
    HostedChip& operator=(HostedChip&&) noexcept;  ///< the same
    ~HostedChip();

    /// The chip.
    Arch arch() const;
    /// Cycles since power-on.
    std::uint64_t cycle() const;
    /// Lets `cycles` pass, but no more than to cycle 2^60 - 1. An exception that leaves a function of the options comes through: cycle() is
    /// what it would be, and tiles come to it with the next call of clock().
    void clock(std::uint64_t cycles);
    /// Lets tiles that stayed behind (HostedChipOptions::lag) come to cycle().
    void catch_up();

    /// Reads from the tile at a place of NoC 0, without translation: L1 of Tensix and Ethernet tiles, DRAM, and registers of Tensix tiles
    /// as whole words. Takes no time. Errors "host.tile", "host.range", "host.register"; "host.call" for a register that a function of the
    /// options reads, in the middle of a cycle.
    Result<void> read(NocPlace place, std::uint64_t address, std::span<std::byte> bytes);
    /// Writes; errors as of read(), after which nothing is changed, or only registers before the one that was refused. "host.call" for all
    /// that a function of the options writes.
    Result<void> write(NocPlace place, std::uint64_t address, std::span<const std::byte> bytes);
    /// Writes to the Tensix tiles of a rectangle, which wraps around if its first column or row lies behind its last one. Errors as of write().
    Result<void> multicast(NocPlace first, NocPlace last, std::uint64_t address, std::span<const std::byte> bytes);
    /// The place that coordinates of a NoC (0, 1) mean to a host's requests: by the tables that the chip's own firmware leaves, with
    /// ChipOptions::translation. Coordinates outside of the NoC give a place outside of it.
    NocPlace place(unsigned noc, unsigned x, unsigned y) const;

    /// The report of all tiles that have begun, until now: of a tile that began anew, since then. `tell_waits`: RunOptions::on_wait gets the
    /// waits that go on, as at the end of a run.
    ChipRun so_far(bool tell_waits = false);
    /// The wait of each actor of a Tensix tile. Empty: the host has touched no register there, and nothing has come to it. Errors as of read().
    Result<std::vector<Blocked>> waiting(NocPlace place) const;

    /// The reports of tiles since the last call, in the order of their places; of tiles that have stayed behind, those
    /// until the cycle that they have reached.
    std::vector<TileReport> take_reports();

private:
    friend class chip::DebugView;
    struct Impl;
    explicit HostedChip(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
