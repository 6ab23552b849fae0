// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/alignment.hpp"

#include "reference/noc/registers.hpp"

namespace tessera::reference::noc {

namespace {

/// The number modulo which both addresses must be congruent.
std::uint64_t congruence(const End& from, const End& to) {
    if (from.is_register()) return to.is_register() ? 1 : 4;
    if (from.memory == Memory::dram && !to.is_register()) return map_of(from.tile->niu[0].arch).dram_read_alignment;
    return 16;
}

}  // namespace

Checked<> aligned(const End& from, const End& to, std::uint64_t length) {
    if (from.is_register() || to.is_register()) {
        if (length != 4) return refuse("a request for MMIO has 4 bytes");
        if ((from.is_register() && from.address % 4) || (to.is_register() && to.address % 4))
            return refuse("MMIO addresses must be multiples of 4");
    }
    const std::uint64_t congruent = congruence(from, to);
    if (from.address % congruent != to.address % congruent)
        return refuse("both addresses must be congruent modulo " + std::to_string(congruent));
    // NoC/Ordering: the order of reads and writes of 16 bytes within a packet is not known.
    if (overlap(from, length, to, length) && from.address != to.address)
        return refuse("source and destination overlap, and the order of their reads and writes is not known");
    return {};
}

}  // namespace tessera::reference::noc
