// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/initiator.hpp"

#include "reference/noc/bits.hpp"

namespace tessera::reference::noc {

Fields Initiator::coordinates(std::uint32_t lo) const {
    return parse_fields(blackhole() ? bits(word(lo + 8), 0, 24) : bits(word(lo + 4), 4, 24));
}

void Initiator::write_back(std::uint32_t lo, const Fields& fields) const {
    word(lo + 4) = (word(lo + 4) & ~0x0FFF'FFF0u) | pack_fields(fields) << 4;
}

std::uint64_t Initiator::address(std::uint32_t lo) const {
    return std::uint64_t{blackhole() ? word(lo + 4) : bits(word(lo + 4), 0, 4)} << 32 | word(lo);
}

std::uint64_t Initiator::length() const {
    return std::uint64_t{blackhole() ? word(NOC_AT_LEN_BE_1) : 0} << 32 | word(NOC_AT_LEN_BE);
}

Checked<> Initiator::length_is_defined() const {
    if (length() == 0) return refuse("the pages do not say what a request for 0 bytes does");
    const std::uint32_t unit = map().flit;
    if (length() > map().packet && (word(NOC_TARG_ADDR_LO) % unit || word(NOC_RET_ADDR_LO) % unit))
        return refuse("both addresses of a request that is split must be multiples of " + std::to_string(unit));
    return {};
}

std::uint32_t Initiator::packets() const {
    return static_cast<std::uint32_t>((length() + map().packet - 1) / map().packet);
}

std::uint32_t Initiator::flits(std::uint64_t bytes) const {
    return static_cast<std::uint32_t>((bytes + map().flit - 1) / map().flit);
}

void Initiator::advance() const {
    for (const std::uint32_t lo : {NOC_TARG_ADDR_LO, NOC_RET_ADDR_LO}) {
        const std::uint64_t next = std::uint64_t{word(lo)} + map().packet;
        word(lo) = static_cast<std::uint32_t>(next);
        if (blackhole()) word(lo + 4) += static_cast<std::uint32_t>(next >> 32);
    }
    const std::uint64_t rest = length() - map().packet;
    word(NOC_AT_LEN_BE) = static_cast<std::uint32_t>(rest);
    if (blackhole()) word(NOC_AT_LEN_BE_1) = static_cast<std::uint32_t>(rest >> 32);
}

}  // namespace tessera::reference::noc
