// SPDX-License-Identifier: Apache-2.0
// The registers of one request initiator, and where each chip has coordinates, addresses and lengths in them.
// Requests longer than a packet: NoC/Counters, automatic request splitting.
#pragma once

#include <array>
#include <cstdint>

#include "reference/noc/checked.hpp"
#include "reference/noc/chip/niu.hpp"
#include "reference/noc/coordinates.hpp"
#include "reference/noc/registers.hpp"

namespace tessera::reference::noc {

/// NOC_TARG_ADDR and NOC_RET_ADDR are named by their LO register. It is followed by MID and, on Blackhole, HI.
class Initiator {
public:
    Initiator(Niu& niu, unsigned index) : arch_(niu.arch), registers_(niu.initiators[index]) {}

    const Map& map() const { return map_of(arch_); }
    bool blackhole() const { return arch_ == Arch::blackhole; }
    std::uint32_t& word(std::uint32_t offset) const { return registers_[offset / 4]; }

    /// In HI on Blackhole, above 4 bits of the address in MID on Wormhole.
    Fields coordinates(std::uint32_t lo) const;
    /// Wormhole writes translated coordinates back.
    void write_back(std::uint32_t lo, const Fields& fields) const;
    std::uint64_t address(std::uint32_t lo) const;

    /// Bytes, if NOC_AT_LEN_BE contains a length.
    std::uint64_t length() const;
    /// Refused if the pages do not say what a request of this length does.
    Checked<> length_is_defined() const;
    /// Those that a request of this length is split into.
    std::uint32_t packets() const;
    /// Those that so many bytes of a packet have.
    std::uint32_t flits(std::uint64_t bytes) const;
    /// The registers after a packet that is not the last. Only Blackhole carries into MID.
    void advance() const;

private:
    Arch arch_;
    std::array<std::uint32_t, 16>& registers_;
};

}  // namespace tessera::reference::noc
