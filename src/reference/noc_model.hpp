// SPDX-License-Identifier: Apache-2.0
// The NIUs' request initiators and both NoCs, where every request completes at once. Slow and literal: each request
// goes through the steps of NoC/Counters in their order. It shares nothing with the rest but the name of the chip.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tessera/arch.hpp"

namespace tessera::reference {

/// All tiles of a chip without harvested parts, as firmware leaves it (NoC/MemoryMap, NoC/Coordinates).
/// Tiles are named by their coordinates on NoC 0; others than the chip has have no registers and no memory.
class NocModel {
public:
    explicit NocModel(Arch arch);

    /// A register of an NIU, at an offset from NIU_BASE; 0 where the page has none. Not const: a load of
    /// NIU_TRANS_COUNT_RTZ_NUM changes NIU_TRANS_COUNT_RTZ_SOURCE (BlackholeA0/NoC/MemoryMap).
    std::uint32_t load(unsigned x, unsigned y, unsigned noc, std::uint32_t offset);
    /// Stores to one. A store of 1 to NOC_CMD_CTRL performs the request. Not empty: why the pages do not say what
    /// happens; nothing is changed then.
    std::string store(unsigned x, unsigned y, unsigned noc, std::uint32_t offset, std::uint32_t value);
    /// L1 of a Tensix or Ethernet tile; empty for other tiles.
    std::vector<std::uint8_t>& l1(unsigned x, unsigned y);
    /// Bytes of the DRAM behind the DRAM tile at (x, y); three tiles share each. For other tiles, nothing and zeros.
    void write_dram(unsigned x, unsigned y, std::uint64_t address, std::span<const std::uint8_t> bytes);
    std::vector<std::uint8_t> read_dram(unsigned x, unsigned y, std::uint64_t address, std::size_t size) const;

private:
    enum class Kind : std::uint8_t { tensix, ethernet, dram, pcie, arc, l2cpu, security, empty };

    /// A transaction of several requests that waits for its next one (NOC_CMD_VC_LINKED).
    struct Transaction {
        bool broadcast = false, y_major = false;
        std::uint32_t destination = 0;        ///< coordinates, in the layout of the registers
        std::optional<unsigned> static_vc{};  ///< empty: the NIU chose it
    };

    struct Niu {
        std::array<std::array<std::uint32_t, 16>, 4> initiators{};
        std::array<std::uint32_t, 32> configuration{};  ///< from NIU_BASE + 0x100
        std::array<std::uint32_t, 62> counters{};       ///< by index on NoC/Counters
        std::uint32_t rtz_source = 0;                   ///< NIU_TRANS_COUNT_RTZ_SOURCE
        std::optional<Transaction> transaction{};
    };

    struct Tile {
        Kind kind = Kind::empty;
        unsigned x = 0, y = 0;              ///< on NoC 0
        unsigned index = 0, group = 0;      ///< those of NOC_ENDPOINT_ID; a DRAM tile's group is its memory
        std::array<Niu, 2> niu{};           ///< of NoC 0 and NoC 1
        std::vector<std::uint8_t> bytes{};  ///< L1, once it is used
    };

    class Request;

    Tile* tile(unsigned x, unsigned y);
    const Tile* tile(unsigned x, unsigned y) const;
    std::vector<std::uint8_t>& l1(Tile& tile);
    std::uint8_t dram_byte(unsigned group, std::uint64_t address) const;
    std::uint8_t& dram_byte(unsigned group, std::uint64_t address);
    void place_tiles();
    void configure(Tile& tile) const;
    std::uint32_t id_logical(const Tile& tile) const;
    std::uint32_t node_id(const Tile& tile, unsigned noc) const;
    std::uint32_t endpoint_id(const Tile& tile, unsigned noc) const;
    bool has_configuration(std::uint32_t offset) const;
    std::uint32_t load_configuration(const Niu& niu, std::uint32_t offset) const;
    void store_configuration(Niu& niu, std::uint32_t offset, std::uint32_t value) const;
    void set_outstanding(Niu& niu, unsigned id, std::uint32_t value) const;

    Arch arch_;
    unsigned width_, height_;
    std::vector<Tile> tiles_;
    /// By group, the 4096 bytes from a multiple of 4096 on.
    std::array<std::unordered_map<std::uint64_t, std::array<std::uint8_t, 4096>>, 8> dram_;
    std::vector<std::uint8_t> none_;
};

}  // namespace tessera::reference
