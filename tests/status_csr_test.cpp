// SPDX-License-Identifier: Apache-2.0
// tt_cfg_qstatus and tt_cfg_bstatus (BlackholeA0, BabyRISCV/CSRs): T0 pushes instructions and reads both.
#include "support/assembly.hpp"
#include "support/hosted_chip.hpp"

namespace tessera::test {
namespace {

constexpr std::uint32_t qstatus = 0xBC0, bstatus = 0xBC1, instruction_buffer = 0xFFE4'0000, t0_begins = 0x6000, t0_runs = 0x4'6800;
constexpr std::uint32_t own_lanes = 1 << 11, all_lanes = 1 << 24, own_replay = 1;
constexpr std::uint32_t all_queued_replay = 1 << 13, all_busy_replay = 1 << 11;

class StatusCsrs : public HostedChipTest {
protected:
    /// Both, some time after T0 has pushed the instructions.
    std::pair<std::uint32_t, std::uint32_t> after(std::initializer_list<std::string> instructions) {
        power_on();
        auto code = words();
        for (const std::string& instruction : instructions) code.poke(instruction_buffer, word(instruction, GetParam()));
        code.spend(100);
        for (const std::uint32_t number : {qstatus, bstatus}) {
            code.code.push_back(rv::csr(rv::Op::csrrs, rv::a0, number, rv::zero));
            code.keep(rv::a0, answer + 4 * (number - qstatus));
        }
        place_code(first, code, t0_begins);
        write(first, soft_reset, t0_runs);
        chip->clock(2000);
        return {read(first, answer), read(first, answer + 4)};
    }
};

// "true if at least one Vector Unit lane is currently enabled"
TEST_P(StatusCsrs, LanesThatRowMaskTurnsOffAreNotEnabled) {
    constexpr std::uint32_t lanes = own_lanes | all_lanes;
    EXPECT_EQ(after({}).first, lanes);
    EXPECT_EQ(after({"SFPCONFIG imm16_math=0x7000 config_dest=15 instr_mod1=1"}).first, lanes);
    EXPECT_EQ(after({"SFPCONFIG imm16_math=0xF000 config_dest=15 instr_mod1=1"}).first, 0u);
    EXPECT_EQ(after({"SFPENCC imm12_math=1 instr_mod1=10"}).first, 0u);
}

// "REPLAY (provided that Exec is true, or Load is false)"
TEST_P(StatusCsrs, AReplayThatOnlyRecordsIsNone) {
    const auto with = [&](const std::string& replay) {
        const auto [queued, busy] = after({"SEMWAIT stall_res=0x1FF sem_sel=2 wait_sem_cond=1", "NOP", replay});
        return std::pair(queued & (own_replay | all_queued_replay), busy & (own_replay | all_busy_replay));
    };
    constexpr std::pair none(0u, 0u), some(own_replay | all_queued_replay, own_replay | all_busy_replay);
    EXPECT_EQ(with("NOP"), none);
    EXPECT_EQ(with("REPLAY len=1 load_mode=1 execute_while_loading=0"), none);
    EXPECT_EQ(with("REPLAY len=1 load_mode=1 execute_while_loading=1"), some);
    EXPECT_EQ(with("REPLAY len=1 load_mode=0 execute_while_loading=0"), some);
}

INSTANTIATE_TEST_SUITE_P(Chips, StatusCsrs, testing::Values(Arch::blackhole), [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera::test
