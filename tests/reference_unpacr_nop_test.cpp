// SPDX-License-Identifier: Apache-2.0
// UNPACR_NOP and SETDVALID: the units against the reference, on random states.
#include "reference/unpacr_nop.hpp"

#include "isa/form.hpp"
#include "support/coverage.hpp"
#include "support/random_cases.hpp"
#include "support/reference_pair.hpp"

namespace tessera::test {
namespace {

using registers::field;
using registers::fields;
using state::Src;
using state::Unpacker;

constexpr unsigned cases = 20000;
constexpr unsigned one_in_of_each_mode = 110;

constexpr auto StateID = field("CFG_STATE_ID_StateID");
constexpr auto out_format = fields<2>("THCON_SEC#_REG2_Out_data_format");

class Generator {
public:
    explicit Generator(Arch arch) : pair(arch, random_seed(0x4E4F5020, arch)), choose(pair.choice) {
        pair.writes_l1 = false;
        declare_modes();
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
        if (choose.one_in(8)) {
            const std::uint32_t word = 0x57000000 | (choose.one_in(2) ? random_bits & 3 : random_bits);
            pair.run(thread, word, reference::setdvalid, false, 1);
            return count_modes(word);
        }
        const std::uint32_t word = 0x43000000 | (choose.one_in(8) ? random_bits & ~0x7FF0u : random_bits);
        pair.run(thread, word, reference::unpacr_nop, false, 1);
        count_modes(word);
    }

    ReferencePair pair;
    Coverage modes;

private:
    /// Calls f(mode, form, operand, value) for each form and each value of its operands of at most three bits.
    template <class F>
    void for_each_form(std::uint32_t word, F&& f) const {
        const auto instruction = isa::decode(word, pair.arch().arch);
        for (std::size_t i = 0; i < isa::form_count(*instruction.spec); ++i) {
            const isa::Form form = isa::form(*instruction.spec, i);
            const std::string name =
                std::string(instruction.spec->name) + (form.name.empty() ? "" : ".") + std::string(form.name);
            f(name, "any", form, std::uint32_t{0}, std::uint32_t{0});
            for (const auto& operand : form.operands) {
                const std::uint32_t mask = operand.used_mask() & ~form.mask;
                for (std::uint32_t value = 0; operand.width() <= 3 && value < 1u << operand.width(); ++value) {
                    const std::uint32_t bits = value << operand.lo;
                    if (bits & ~mask || !is_of(form, (word & 0xFF000000) | form.value | bits)) continue;
                    f(name, fmt::format("{} {}", operand.name, value), form, mask, bits);
                }
            }
        }
    }
    // An earlier form takes the word otherwise.
    bool is_of(const isa::Form& form, std::uint32_t word) const {
        return isa::form_of(isa::decode(word, pair.arch().arch))->name == form.name;
    }
    void declare_modes() {
        for (const std::uint32_t opcode : {0x43000000u, 0x57000000u})
            for_each_form(opcode, [&](const std::string& form, const std::string& mode, const auto&...) {
                modes.count(form, mode, false);
            });
    }
    void count_modes(std::uint32_t word) {
        const auto& plan = pair.last_plan();
        if (plan.fault) return modes.count("fault", findings::entry(plan.fault->id).code);
        for (const auto& note : plan.findings) modes.count("finding", findings::entry(note.id).code);
        const auto own = isa::form_of(plan.instruction);
        for_each_form(word, [&](const std::string& name, const std::string& mode, const isa::Form& form,
                                std::uint32_t mask, std::uint32_t bits) {
            if (form.name == own->name) modes.count(name, mode, (word & mask) == bits);
        });
    }

    Choice& choose;
};

class ReferenceUnpacrNop : public testing::TestWithParam<Arch> {};

TEST_P(ReferenceUnpacrNop, AgreesOnRandomStates) {
    Generator generator(GetParam());
    const unsigned asked = asked_cases(cases);
    for (unsigned i = 0; i < asked && !generator.pair.hopeless(); ++i) generator.run_one();
    expect_coverage(generator.pair, asked);
    generator.pair.expect_same_l1();
    generator.modes.finish("unpacr_nop-" + std::string(name(GetParam())), asked, one_in_of_each_mode);
}

INSTANTIATE_TEST_SUITE_P(Archs, ReferenceUnpacrNop, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
