// SPDX-License-Identifier: Apache-2.0
// UNPACR_NOP and SETDVALID: the units against the reference, on random states.
#include "reference/unpacr_nop.hpp"

#include "support/reference_pair.hpp"

namespace tessera::test {
namespace {

using registers::field;
using registers::fields;
using state::Src;
using state::Unpacker;

constexpr unsigned cases = 20000;

constexpr auto StateID = field("CFG_STATE_ID_StateID");
constexpr auto out_format = fields<2>("THCON_SEC#_REG2_Out_data_format");

class Generator {
public:
    explicit Generator(Arch arch) : pair(arch, 0x4E4F5020 + static_cast<unsigned>(arch)), choose(pair.choice) {
        pair.randomise_configuration();
    }

    void run_one() {
        pair.stir_configuration();
        const unsigned thread = choose.below(3);
        pair.write(thread, StateID, choose.below(2));
        for (unsigned u = 0; u < 2; ++u) {
            const auto cell = [&](Unpacker item, unsigned t = 0) { return state::cells::unpacker(u, item, t); };
            pair.write(thread, out_format[u], choose.below(16));
            const std::uint32_t bank = choose.below(2);
            pair.write(cell(Unpacker::bank), bank);
            pair.write(cell(Unpacker::next_bank), bank);
            pair.write(cell(Unpacker::src_row_t0, thread), choose.below(64));
            pair.write(cell(Unpacker::setreg_acc), choose.word() & 0x1FFFF);
            pair.write(state::cells::matrix_bank(Src(u)), choose.below(2));
            for (unsigned b = 0; b < 2; ++b) pair.write(state::cells::bank_owner(Src(u), b), choose.below(2));
        }
        for (unsigned i = 0; i < 8; ++i)
            pair.write(choose.one_in(2) ? state::Storage::src_a : state::Storage::src_b, choose.below(2048),
                       choose.word() & 0x7FFFF);
        const std::uint32_t data_clear = pair.blackhole() ? 266 : 22;
        for (unsigned i = 0; i < 4; ++i)
            pair.write(state::cells::set_reg_base(i),
                       choose.one_in(8) ? choose.word() & 0xC0FFC : 0x40000 + 4 * data_clear);
        const std::uint32_t random_bits = choose.word() & 0xFFFFFF;
        if (choose.one_in(8)) return pair.run(thread, 0x57000000 | random_bits, reference::setdvalid, false);
        pair.run(thread, 0x43000000 | (choose.one_in(8) ? random_bits & ~0x7FF0u : random_bits), reference::unpacr_nop,
                 false);
    }

    ReferencePair pair;

private:
    Choice& choose;
};

class ReferenceUnpacrNop : public testing::TestWithParam<Arch> {};

TEST_P(ReferenceUnpacrNop, AgreesOnRandomStates) {
    Generator generator(GetParam());
    for (unsigned i = 0; i < cases && !generator.pair.hopeless(); ++i) generator.run_one();
    expect_coverage(generator.pair, cases);
}

INSTANTIATE_TEST_SUITE_P(Archs, ReferenceUnpacrNop, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
