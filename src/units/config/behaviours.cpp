// SPDX-License-Identifier: Apache-2.0
#include "units/config/config.hpp"

namespace tessera::units::config {

namespace {

constexpr Behaviour table[] = {
    {isa::mnemonic("SETC16"), resolve_setc16},
    {isa::mnemonic("WRCFG"), resolve_wrcfg},
    {isa::mnemonic("RDCFG"), resolve_rdcfg},
    {isa::mnemonic("RMWCIB0"), resolve_rmwcib0},
    {isa::mnemonic("RMWCIB1"), resolve_rmwcib1},
    {isa::mnemonic("RMWCIB2"), resolve_rmwcib2},
    {isa::mnemonic("RMWCIB3"), resolve_rmwcib3},
    {isa::mnemonic("CFGSHIFTMASK"), resolve_cfgshiftmask},
    {isa::mnemonic("STREAMWRCFG"), resolve_streamwrcfg},
};

}  // namespace

constinit const std::span<const Behaviour> behaviours = table;

}  // namespace tessera::units::config
