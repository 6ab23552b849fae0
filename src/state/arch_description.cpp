// SPDX-License-Identifier: Apache-2.0
#include "state/arch_description.hpp"

namespace tessera::state {

namespace {

using C = Condition;

constexpr ArchDescription descriptions[] = {
    {
        .arch = Arch::blackhole,
        .l1_bytes = 1536 * 1024,
        .config_words = 224,
        .shared_config_base = 180,
        .thread_config_words = 68,
        .packers = 1,
        .mutexes = 5,
        .stream_data_clear = 266,
        .adc_zw_bits = 13,
        .fp8_saturated = true,
        .unpack_wide_rows = true,
        .unpacks_broadcast = true,
        .implied_formats = true,
        .drops_unnamed_config_bits = false,
        .addr_mod_set = false,
        .packs_wide_to_fp16 = true,
        .config_dual_write = true,
        .semwait_replaces = false,
        .conditions = {C::thcon, C::unpack0, C::unpack1, C::pack0, C::math, C::srca_clr, C::srcb_clr, C::srca_vld,
                       C::srcb_vld, C::xmov, C::trisc_cfg, C::sfpu, C::cfgexu, C::count, C::count},
        .default_conditions = 0x000F,
    },
    {
        .arch = Arch::wormhole,
        .l1_bytes = 1464 * 1024,
        .config_words = 188,
        .shared_config_base = 152,
        .thread_config_words = 57,
        .packers = 4,
        .mutexes = 8,
        .stream_data_clear = 22,
        .adc_zw_bits = 8,
        .fp8_saturated = false,
        .unpack_wide_rows = false,
        .unpacks_broadcast = false,
        .implied_formats = false,
        .drops_unnamed_config_bits = true,
        .addr_mod_set = true,
        .packs_wide_to_fp16 = false,
        .config_dual_write = false,
        .semwait_replaces = true,
        .conditions = {C::thcon, C::unpack0, C::unpack1, C::pack0, C::pack1, C::pack2, C::pack3, C::math, C::srca_clr,
                       C::srcb_clr, C::srca_vld, C::srcb_vld, C::xmov, C::trisc_cfg, C::sfpu},
        .default_conditions = 0x007F,
    },
};

}  // namespace

const ArchDescription& describe(Arch arch) { return descriptions[static_cast<unsigned>(arch)]; }

}  // namespace tessera::state
