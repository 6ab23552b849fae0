// SPDX-License-Identifier: Apache-2.0
#include "state/arch_description.hpp"

#include <bit>

#include "isa/values/sync.hpp"

namespace tessera::state {

namespace {

/// The conditions of STALLWAIT's bits, by their names.
consteval std::array<Condition, ArchDescription::max_condition_bits> conditions(Arch arch) {
    struct Named {
        std::string_view name;
        Condition condition;
    };
    constexpr Named all[] = {
        {"thcon", Condition::thcon},       {"unpack0", Condition::unpack0},     {"unpack1", Condition::unpack1},
        {"pack0", Condition::pack0},       {"pack1", Condition::pack1},         {"pack2", Condition::pack2},
        {"pack3", Condition::pack3},       {"math", Condition::math},           {"srca_clr", Condition::srca_clr},
        {"srcb_clr", Condition::srcb_clr}, {"srca_vld", Condition::srca_vld},   {"srcb_vld", Condition::srcb_vld},
        {"xmov", Condition::xmov},         {"trisc_cfg", Condition::trisc_cfg}, {"sfpu", Condition::sfpu},
        {"cfgexu", Condition::cfgexu},
    };
    std::array<Condition, ArchDescription::max_condition_bits> result{};
    result.fill(Condition::count);
    for (const Named& one : all)
        for (const isa::ValueSpec& value : isa::values::conditions)
            if (value.name == one.name && isa::includes(value.archs, arch))
                result[static_cast<std::size_t>(std::countr_zero(value.on(arch)))] = one.condition;
    return result;
}

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
        .mop_count_bits = 10,
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
        .conditions = conditions(Arch::blackhole),
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
        .mop_count_bits = 7,
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
        .conditions = conditions(Arch::wormhole),
        .default_conditions = 0x007F,
    },
};

}  // namespace

const ArchDescription& describe(Arch arch) { return descriptions[static_cast<unsigned>(arch)]; }

}  // namespace tessera::state
