// SPDX-License-Identifier: Apache-2.0
// tt_cfg_qstatus and tt_cfg_bstatus (BlackholeA0, BabyRISCV/CSRs): T0 pushes instructions and reads both.
#include "support/assembly.hpp"
#include "support/hosted_chip.hpp"

namespace tessera::test {
namespace {

constexpr std::uint32_t qstatus = 0xBC0, bstatus = 0xBC1, instruction_buffer = 0xFFE4'0000, t0_begins = 0x6000, t0_runs = 0x4'6800;
constexpr std::uint32_t mop_registers = 0xFFB8'0000, own_mop = 1 << 1, own_sync = 1 << 7, own_matrix = 1 << 10;
constexpr std::uint32_t own_lanes = 1 << 11, all_lanes = 1 << 24, own_replay = 1;
constexpr std::uint32_t all_queued_replay = 1 << 13, all_busy_replay = 1 << 11;

class StatusCsrs : public HostedChipTest {
protected:
    /// Both, some time after T0 has pushed the instructions. `mop`: its MOP registers.
    std::pair<std::uint32_t, std::uint32_t> after(const std::vector<std::string>& instructions,
                                                  std::initializer_list<std::uint32_t> mop = {}) {
        power_on();
        auto code = words();
        std::uint32_t item = mop_registers;
        for (const std::uint32_t value : mop) {
            code.poke(item, value);
            item += 4;
        }
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

// "has been pushed and is still occupying queue space": a MOP until it is expanded, then its instructions in the FIFOs behind the
// expander, which hold ten. A latched wait holds them up.
TEST_P(StatusCsrs, AMopIsThereUntilItIsExpanded) {
    const std::uint32_t nop = word("NOP", GetParam()), matrix = word("INCRWC", GetParam()),
                        sync = word("SEMPOST sem_sel=4", GetParam());
    const auto with = [&](std::uint32_t loops, std::initializer_list<std::string> mops) {
        std::vector<std::string> all{"SEMWAIT stall_res=0x1FF sem_sel=2 wait_sem_cond=1", "NOP"};
        all.insert(all.end(), mops);
        // The last instruction of the loop is another one.
        const auto [queued, busy] = after(all, {1, loops, nop, nop, nop, matrix, nop, sync, sync});
        constexpr std::uint32_t kinds = own_mop | own_sync | own_matrix;
        EXPECT_EQ(queued >> 13 & kinds, queued & kinds);
        EXPECT_EQ(busy & kinds, queued & kinds);
        return queued & kinds;
    };
    const std::string mop = "MOP mop_type=1";
    EXPECT_EQ(with(3, {}), 0u);
    EXPECT_EQ(with(1, {mop}), own_sync) << "the loop has its last instruction alone";
    EXPECT_EQ(with(3, {mop}), own_matrix | own_sync);
    EXPECT_EQ(with(3, {mop, mop}), own_matrix | own_sync);
    EXPECT_EQ(with(30, {mop}), own_mop | own_matrix) << "its last instruction is still to come";
    EXPECT_EQ(with(8, {mop, mop}), own_mop | own_matrix | own_sync) << "the second one has no room";
}

// RISC-V B and NC have no thread of their own, and see those of all.
TEST_P(StatusCsrs, ACoreSeesItsOwnThreadBesideAll) {
    constexpr std::uint32_t begins[] = {0, 0x6000, 0xA000, 0xE000, 0x1'2000}, bits[] = {11, 12, 13, 14, 18};
    for (unsigned pushes = 1; pushes < 4; ++pushes)
        for (unsigned reads = 0; reads < 5; ++reads) {
            power_on();
            auto pusher = words(), reader = words();
            for (const char* const text : {"SEMWAIT stall_res=0x1FF sem_sel=2 wait_sem_cond=1", "NOP", "REPLAY len=1"})
                pusher.poke(instruction_buffer, word(text, GetParam()));
            if (reads == pushes) reader.code = pusher.code;
            reader.spend(300);
            for (const std::uint32_t number : {qstatus, bstatus}) {
                reader.code.push_back(rv::csr(rv::Op::csrrs, rv::a0, number, rv::zero));
                reader.keep(rv::a0, answer + 4 * (number - qstatus));
            }
            place_code(first, pusher, begins[pushes]);
            place_code(first, reader, begins[reads]);
            write(first, soft_reset, all_in_reset & ~(1u << bits[pushes]) & ~(1u << bits[reads]));
            chip->clock(3000);
            const bool own = reads == pushes || reads == 0 || reads == 4;
            const std::uint32_t queued = read(first, answer) & (own_replay | all_queued_replay);
            const std::uint32_t busy = read(first, answer + 4) & (own_replay | all_busy_replay);
            EXPECT_EQ(queued, all_queued_replay | (own ? own_replay : 0)) << pushes << ' ' << reads;
            EXPECT_EQ(busy, all_busy_replay | (own ? own_replay : 0)) << pushes << ' ' << reads;
        }
}

INSTANTIATE_TEST_SUITE_P(Chips, StatusCsrs, testing::Values(Arch::blackhole), [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera::test
