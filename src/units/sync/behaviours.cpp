// SPDX-License-Identifier: Apache-2.0
#include "units/sync/sync.hpp"

namespace tessera::units::sync {

namespace {

constexpr Behaviour table[] = {
    {isa::mnemonic("SEMINIT"), resolve_seminit},
    {isa::mnemonic("SEMPOST"), resolve_sempost},
    {isa::mnemonic("SEMGET"), resolve_semget},
    {isa::mnemonic("ATGETM"), resolve_atgetm},
    {isa::mnemonic("ATRELM"), resolve_atrelm},
    {isa::mnemonic("STALLWAIT"), resolve_stallwait},
    {isa::mnemonic("SEMWAIT"), resolve_semwait},
    {isa::mnemonic("STREAMWAIT"), resolve_streamwait},
    {isa::mnemonic("RESOURCEDECL"), [](const Look&, plan::Plan&) {}},
};

}  // namespace

constinit const std::span<const Behaviour> behaviours = table;

}  // namespace tessera::units::sync
