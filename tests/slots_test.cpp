// SPDX-License-Identifier: Apache-2.0
// Plan cache: a plan is made again exactly when a word that it depends on is written.
#include "units/slots.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "registers/field.hpp"
#include "state/state.hpp"
#include "support/random_state.hpp"
#include "units/resolve.hpp"

namespace tessera {
namespace {

class Kept {
public:
    bool made_again() {
        bool made = false;
        const auto instruction = isa::decode(0x02000000, Arch::blackhole);
        const units::StateView view(instruction, 0, state, units::costs(Arch::blackhole, Timing::documented), nullptr);
        table_.get(1, units::stamp(state.generations, 0, 0, state::Group::alu, state::Group::packer), view,
                   [&](const units::StateView&) {
                       made = true;
                       return 0;
                   });
        return made;
    }
    /// Of a configuration bank, or of a thread.
    void write(std::string_view field_name, unsigned bank) {
        const auto field = registers::find_field(field_name, Arch::blackhole).value();
        const auto addr32 = field.spec->at(Arch::blackhole).addr32;
        const auto cell = field.space == registers::Space::thread ? state::cells::thread_config(bank, addr32)
                                                                  : state::cells::config(state.arch(), bank, addr32);
        state.write(cell, state[cell] ^ 1);
    }

    state::State state{Arch::blackhole};

private:
    units::SlotTable<int, 4, units::SlotPlace::matrix> table_;
};

TEST(Slots, MadeAgainForTheirOwnGroupsOnly) {
    Kept kept;
    EXPECT_TRUE(kept.made_again());
    EXPECT_FALSE(kept.made_again());
    kept.state.write(state::cells::rwc(0, state::Rwc::dst), 8);
    kept.state.write(state::cells::gpr(0, 3), 8);
    kept.write("THCON_SEC0_REG2_Out_data_format", 0);
    kept.write("ALU_FORMAT_SPEC_REG0_SrcA", 1);
    kept.state.write(state::cells::thread_config(1, 12), 8);
    EXPECT_FALSE(kept.made_again());
    kept.write("ALU_FORMAT_SPEC_REG0_SrcA", 0);
    EXPECT_TRUE(kept.made_again());
    kept.write("THCON_SEC0_REG1_In_data_format", 0);
    EXPECT_TRUE(kept.made_again());
    kept.state.write(state::cells::thread_config(0, 12), 8);
    EXPECT_TRUE(kept.made_again());
    EXPECT_FALSE(kept.made_again());
}

TEST(Slots, NotMadeAgainForWhereTilesAre) {
    for (const std::string_view name :
         {"THCON_SEC0_REG3_Base_address", "THCON_SEC1_REG3_Base_cntx1_address", "THCON_SEC0_REG1_L1_Dest_addr",
          "DEST_TARGET_REG_CFG_MATH_Offset", "UNPACK_MISC_CFG_CfgContextOffset_0"}) {
        Kept kept;
        EXPECT_TRUE(kept.made_again());
        kept.write(name, 0);
        EXPECT_FALSE(kept.made_again()) << name;
    }
}

// An input that no value's stamp covers must not be used by a value.
TEST(Slots, NothingIsMadeFromWhereTilesAre) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        test::Random random(11);
        const auto& groups = state::cell_groups(arch);
        const auto is_place = [&](unsigned cell) {
            for (unsigned which = 0; which < state::threads; ++which)
                if (groups.of[cell] == state::group_counter(state::Group::place, which)) return true;
            return false;
        };
        unsigned values = 0;
        for (unsigned i = 0; i < 8; ++i) {
            const state::State state = test::random_state(arch, random);
            for (const auto& spec : isa::table) {
                if (!isa::includes(spec.archs, arch)) continue;
                const auto instruction = isa::decode(test::random_word(arch, spec.name, random), arch);
                if (!units::has_behaviour(instruction.mnemonic)) continue;
                const auto slots = std::make_unique<units::Slots>();
                units::Reads reads;
                plan::Plan plan;
                const units::StateView view(instruction, i % state::threads, state,
                                            units::costs(arch, Timing::documented), slots.get());
                units::resolve(units::StateView(view, reads), plan);
                for (const auto& value : reads.values) {
                    ++values;
                    value.reads->for_each([&](const units::Reads::Bits& one) {
                        EXPECT_FALSE(is_place(one.cell)) << spec.name << " " << one.cell;
                    });
                }
            }
        }
        EXPECT_GT(values, 100u);
    }
}

}  // namespace
}  // namespace tessera
