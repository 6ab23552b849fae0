// SPDX-License-Identifier: Apache-2.0
// The table of configuration fields is complete. A field with an effect changes some instruction's result; the others
// change nothing. Setting an unexplained field gives a finding.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "plan/plan.hpp"
#include "registers/field.hpp"
#include "registers/field_family.hpp"
#include "support/random_state.hpp"
#include "support/stepper.hpp"
#include "support/timeline.hpp"
#include "tessera/assembly.hpp"
#include "tessera/registers.hpp"
#include "units/resolve.hpp"

namespace tessera {
namespace {

using registers::FieldSpec;
using registers::Place;
using registers::Space;

struct Declared {
    const FieldSpec* spec;
    Space space;
};

std::vector<Declared> fields_of(Arch arch) {
    std::vector<Declared> all;
    for (const FieldSpec& spec : registers::backend_fields)
        if (spec.at(arch).present() && registers::kind_of(spec, arch) != FieldKind::whole)
            all.push_back({&spec, Space::backend});
    for (const FieldSpec& spec : registers::thread_fields)
        if (spec.at(arch).present()) all.push_back({&spec, Space::thread});
    return all;
}

bool has_effect(const FieldSpec& spec, Arch arch) {
    return registers::place_of(spec.name, arch).place == Place::effect;
}

/// Values for some of the fields that random states leave alone.
void settle_rare_modes(state::State& state, test::Random& random) {
    for (const Declared& field : fields_of(state.arch().arch))
        if (random() % 16 == 0 && registers::kind_of(*field.spec, state.arch().arch) != FieldKind::data_format)
            test::set_field(state, field.spec->name, static_cast<std::uint32_t>(random()));
    test::set_field(state, "PCK_EDGE_TILE_FACE_SET_SELECT_select", static_cast<std::uint32_t>(random()));
    if (random() % 4 == 0)
        for (const Declared& field : fields_of(state.arch().arch))
            if (field.spec->name.find("Unpack_data_format") != std::string_view::npos)
                test::set_field(state, field.spec->name, static_cast<std::uint32_t>(random() & 5));
    if (random() % 4 == 0) {
        test::set_field(state, "PCK_DEST_RD_CTRL_Read_32b_data", 1);
        for (const char* format :
             {"ALU_FORMAT_SPEC_REG2_Dstacc", "THCON_SEC0_REG1_In_data_format", "THCON_SEC0_REG1_Out_data_format"})
            test::set_field(state, format, static_cast<std::uint32_t>(DataFormat::Int8));
        test::set_field(state, "PCK_DEST_RD_CTRL_Read_int8", 0);
        test::set_field(state, "PCK_EDGE_MODE_mode", 0);
    }
    for (const state::Adc counter : {state::Adc::x, state::Adc::y, state::Adc::z})
        state.write(state::cells::adc(0, state::AdcUnit::packers, 0, counter),
                    static_cast<std::uint32_t>(random() % (counter == state::Adc::x ? 3 : 64)));
    for (const char* rare : {"PCK_EDGE_TILE_FACE_SET_SELECT_enable", "INT_DESCALE_Enable", "INT_DESCALE_Mode",
                             "STACC_RELU_ApplyRelu", "ALU_FORMAT_SPEC_REG_Dstacc_override"})
        test::set_field(state, rare, random() % 2);
    test::set_field(state, "CFG_STATE_ID_StateID", 0);
}

/// An instruction's effect, without its findings.
plan::Plan deed(std::uint32_t word, unsigned thread, const state::State& state, units::Recorder* recorder = nullptr) {
    plan::Plan plan;
    const auto instruction = isa::decode(word, state.arch().arch);
    units::resolve(units::StateView(instruction, thread, state, units::costs(state.arch().arch, Timing::documented),
                                    nullptr, recorder),
                   plan);
    plan.findings.clear();
    return plan;
}

std::vector<std::string_view> instructions(Arch arch) {
    std::set<std::string_view> names;
    for (const auto& spec : isa::table)
        if (isa::includes(spec.archs, arch) &&
            units::has_behaviour(isa::decode(std::uint32_t{spec.opcode} << 24, arch).mnemonic))
            names.insert(spec.name);
    return {names.begin(), names.end()};
}

/// Fields whose effect is that of being written.
constexpr std::string_view when_written[] = {"STATE_RESET_EN", "PRNG_SEED_Seed_Val",
                                             "UNPACK_MISC_CFG_CfgContextCntReset_0",
                                             "UNPACK_MISC_CFG_CfgContextCntReset_1"};

/// They depend on every bit of configuration.
bool moves_words(std::string_view instruction) {
    return instruction == "RDCFG" || instruction == "CFGSHIFTMASK" || instruction.starts_with("RMWCIB");
}

class FieldPlaces : public testing::TestWithParam<Arch> {
protected:
    Arch arch = GetParam();

    /// Changes a field in every way that is tried; true when one of them changes the deed.
    bool matters(const Declared& field, std::uint32_t word, unsigned thread, const plan::Plan& plan,
                 state::State& state, state::Cell cell, test::Random& random) {
        const auto& at = field.spec->at(arch);
        const std::uint32_t old = state[cell];
        bool changed = false;
        for (int i = 0; i < (at.width == 1 ? 1 : 4) && !changed; ++i) {
            const std::uint32_t flips = at.width == 1 ? 1 : static_cast<std::uint32_t>(random()) & at.mask();
            state.write(cell, at.insert(old, at.extract(old) ^ (flips ? flips : 1)));
            changed = !(deed(word, thread, state) == plan);
        }
        state.write(cell, old);
        return changed;
    }
};

TEST_P(FieldPlaces, FieldsWithAnEffectHaveOneAndOthersHaveNone) {
    std::map<unsigned, std::vector<Declared>> by_cell;  // of bank 0 and of thread 0
    std::set<std::string_view> to_show;
    const auto& description = state::describe(arch);
    for (const Declared& field : fields_of(arch)) {
        const auto& at = field.spec->at(arch);
        const auto cell = field.space == Space::backend ? state::cells::config(description, 0, at.addr32)
                                                        : state::cells::thread_config(0, at.addr32);
        by_cell[state::index(cell)].push_back(field);
        if (has_effect(*field.spec, arch) &&
            !std::count(std::begin(when_written), std::end(when_written), field.spec->name))
            to_show.insert(field.spec->name);
    }
    const auto names = instructions(arch);
    test::Random random(20261121);
    for (int round = 0; round < 1500 && !to_show.empty(); ++round) {
        state::State state = test::random_state(arch, random);
        settle_rare_modes(state, random);
        for (const auto name : names)
            for (int i = 0; i < (name == "PACR" || name == "UNPACR" ? 12 : 2); ++i) {
                std::uint32_t word = test::random_word(arch, name, random);
                if (i % 2) word = (word & 0xFF000000) | static_cast<std::uint32_t>(random() & 0xFFFFFF);
                units::Recorder recorder;
                const plan::Plan plan = deed(word, 0, state, &recorder);
                if (plan.fault) continue;
                std::set<unsigned> cells;
                for (const auto cell : recorder.cells()) cells.insert(state::index(cell));
                for (const unsigned cell : cells) {
                    const auto found = by_cell.find(cell);
                    if (found == by_cell.end()) continue;
                    for (const Declared& field : found->second) {
                        const bool effect = has_effect(*field.spec, arch);
                        if (effect && !to_show.count(field.spec->name)) continue;
                        if (moves_words(name) && !std::string_view(field.spec->name).starts_with("SCRATCH_")) continue;
                        const bool it_does = matters(field, word, 0, plan, state, state::Cell(cell), random);
                        if (it_does) to_show.erase(field.spec->name);
                        ASSERT_TRUE(effect || !it_does) << field.spec->name << " changes " << name;
                    }
                }
            }
    }
    for (const auto name : to_show) ADD_FAILURE() << name << " changed nothing";
}

TEST_P(FieldPlaces, SomeHaveTheirEffectWhenTheyAreWritten) {
    test::Stepper step(arch);
    for (const std::string_view name : when_written) {
        const auto field = registers::find_field(name, arch);
        ASSERT_TRUE(field) << name;
        const auto& at = field->spec->at(arch);
        std::uint32_t word = 0;
        if (field->space == Space::thread) {
            word = assemble(fmt::format("SETC16 setc16_reg={} setc16_value={}\n", at.addr32, 1u << at.lo), arch)
                       ->threads[0][0]
                       .value;
        } else {
            step.state.write(state::cells::gpr(0, 4), 1u << at.lo);
            word = assemble(fmt::format("WRCFG GprAddress=4 CfgReg={}\n", at.addr32), arch)->threads[0][0].value;
        }
        const plan::Plan plan = deed(word, 0, step.state);
        const bool more = plan.effects.size() > 1 || !std::holds_alternative<plan::NoWork>(plan.work);
        EXPECT_TRUE(more) << name << " is written like any other word";
    }
}

// Seed pack-unpack-registers, sections 1 and 3: the fields without a documented effect are listed. A packer with such a
// field set, or a write to it, gives a finding.
TEST_P(FieldPlaces, OfThePackersFieldsOnlyTheseAreUndocumented) {
    const std::set<std::string> known = {"pack_per_xy_plane",
                                         "pack_xys_per_tile",
                                         "auto_ctxt_inc_xys_cnt",
                                         "pack_per_xy_plane_offset",
                                         "pack_concat_mask",
                                         "Enable_out_fifo",
                                         "Downsample_rate",
                                         "pack_start_intf_pos",
                                         "pack_dis_y_pos_start_offset",
                                         "Read_mode",
                                         "Force_pack_per_max_xy_plane",
                                         "Unused1",
                                         "pack_disable_fast_tile_end_drain",
                                         "GS_LF",
                                         "Bfp8_HF",
                                         "Padding",
                                         "Packer_Reg_Wr_Addr",
                                         "SCBD_BANK_MASK_32b_Enable"};
    std::set<std::string> found;
    for (const Declared& field : fields_of(arch)) {
        const std::string name(field.spec->name);
        const auto group = registers::group_of(name);
        if ((group != "pack" && group != "alu") || has_effect(*field.spec, arch)) continue;
        if (registers::place_of(name, arch).place != Place::undocumented) continue;
        const auto end = std::find_if(known.begin(), known.end(), [&](const auto& one) { return name.ends_with(one); });
        EXPECT_NE(end, known.end()) << name;
        found.insert(name);
    }
    EXPECT_GE(found.size(), arch == Arch::blackhole ? 30u : 20u);
}

TEST_P(FieldPlaces, WhatIsUndocumentedIsToldWhenItIsWritten) {
    std::size_t reported = 0;
    for (const Declared& field : fields_of(arch)) {
        if (registers::place_of(field.spec->name, arch).place != Place::undocumented) continue;
        if (field.space == Space::thread) continue;
        if (++reported % 4) continue;
        const auto stored = test::run(arch, {fmt::format(".cfg {} = 1\n", field.spec->name), "", ""});
        EXPECT_TRUE(stored.has_finding("config.undocumented-field")) << field.spec->name;
    }
    EXPECT_GE(reported, 30u);
    const auto& addr = registers::find_field("FPU_BIAS_SEL_Pointer", arch)->spec->at(arch);
    const auto set = fmt::format("SETC16 setc16_reg={} setc16_value=1\n", addr.addr32);
    EXPECT_TRUE(test::run(arch, {set, "", ""}).has_finding("config.undocumented-field"));
    const auto gpr = registers::find_field("CG_SRC_PIPELINE_GateSrcAPipeEn", arch)->spec->at(arch).addr32;
    const auto move = fmt::format(".gpr 4 = 1\nSTALLWAIT stall_res=1<<7 wait_res=1<<{}\nWRCFG GprAddress=4 CfgReg={}\n",
                                  arch == Arch::blackhole ? 10 : 13, gpr);
    EXPECT_TRUE(test::run(arch, {move, "", ""}).has_finding("config.undocumented-field"));
    EXPECT_FALSE(test::run(arch, {".cfg STACC_RELU_ApplyRelu = 1\n", "", ""}).has_finding("config.undocumented-field"));
}

INSTANTIATE_TEST_SUITE_P(Archs, FieldPlaces, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
