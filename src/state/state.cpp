// SPDX-License-Identifier: Apache-2.0
#include "state/state.hpp"

#include "state/resources.hpp"

namespace tessera::state {

namespace {

constexpr auto state_id = registers::field("CFG_STATE_ID_StateID");

// Constant LRegs at reset, as in the vendor's simulator; 15 holds twice the lane number.
struct ConstantLReg {
    unsigned index;
    std::uint32_t value;
};
constexpr ConstantLReg constant_lregs[] = {{8, 0x3F56594B},  {10, 0x3F800000}, {11, 0xBF800000},
                                           {12, 0x3B000000}, {13, 0xBF2CC4C7}, {14, 0xBEB08FF9}};

}  // namespace

StateBesideL1::StateBesideL1(Arch arch)
    : tile(arch),
      arch_(&describe(arch)),
      groups_(&cell_groups(arch)),
      masks_(&cell_masks(arch)) {
    dst.valid.set();
    for (const auto& [reg, value] : constant_lregs)
        for (unsigned lane = 0; lane < LRegs::lanes; ++lane) lregs.lane[reg * LRegs::lanes + lane] = value;
    for (unsigned lane = 0; lane < LRegs::lanes; ++lane) lregs.lane[15 * LRegs::lanes + lane] = 2 * lane;
    write(cells::cc_block[0], ~0u);
    write(cells::cc_enable_block[0], 1);
    for (unsigned i = 0; i < cells::max_packers; ++i)
        for (Packer stream : {Packer::data_needs_address, Packer::exp_needs_address, Packer::rsi_needs_address})
            write(cells::packer(i, stream), 1);
    for (unsigned t = 0; t < threads; ++t)
        for (unsigned i = 0; i < cells::instruction_classes; ++i)
            write(cells::declared_resources(t, i), resources::defaults[i]);
    iram.resize(iram_bytes(arch));
    for (unsigned i = 0; i < riscv_cores; ++i) riscv[i].local.resize(local_bytes(arch, static_cast<RiscvCore>(i)));
}

unsigned StateBesideL1::config_bank(unsigned thread) const {
    const auto& at = state_id[arch_->arch];
    return at.extract((*this)[cells::thread_config(thread, at.addr32)]);
}

std::uint32_t StateBesideL1::config(unsigned thread, const registers::Field& field) const {
    const auto& at = field[arch_->arch];
    if (!at.present()) return 0;
    const Cell cell = field.space == registers::Space::thread ? cells::thread_config(thread, at.addr32)
                                                              : cells::config(*arch_, config_bank(thread), at.addr32);
    return at.extract((*this)[cell]);
}

}  // namespace tessera::state
