// SPDX-License-Identifier: Apache-2.0
// Scalar unit, mover, sync unit and reads of overlay streams: the units against the reference, on random states.
#include <string_view>

#include "isa/form.hpp"
#include "isa/names.hpp"
#include "reference/models.hpp"
#include "support/coverage.hpp"
#include "support/random_cases.hpp"
#include "support/reference_pair.hpp"

namespace tessera::test {
namespace {

using registers::field;
using registers::fields;
using state::Packer;
using state::Unpacker;

constexpr unsigned cases = 40000;
constexpr unsigned one_in_of_each_mode = 2000;

constexpr auto StateID = field("CFG_STATE_ID_StateID");
constexpr auto Source_address = field("THCON_SEC0_REG6_Source_address");
constexpr auto Destination_address = field("THCON_SEC0_REG6_Destination_address");
constexpr auto Buffer_size = field("THCON_SEC0_REG6_Buffer_size");
constexpr auto Transfer_direction = field("THCON_SEC0_REG6_Transfer_direction");

// Instructions that move data are more frequent.
constexpr std::string_view instructions[] = {
    "LOADIND",     "LOADIND",     "LOADIND",    "STOREIND",   "STOREIND",  "STOREIND", "STOREIND", "STOREIND",
    "STOREREG",    "STOREREG",    "LOADREG",    "LOADREG",    "ATINCGET",  "ATINCGET", "ATSWAP",   "ATCAS",
    "ATCAS",       "ATINCGETPTR", "SETDMAREG",  "SETDMAREG",  "SETDMAREG", "REG2FLOP", "REG2FLOP", "XMOV",
    "ATINCGETPTR", "ADDDMAREG",   "SUBDMAREG",  "MULDMAREG",  "FLUSHDMA",  "SEMINIT",  "SEMPOST",  "SEMGET",
    "ATGETM",      "ATRELM",      "STREAMWAIT", "STREAMWRCFG"};

class Generator {
public:
    explicit Generator(Arch arch) : pair(arch, random_seed(0x5343414C, arch)), choose(pair.choice) {
        declare_modes();
        pair.randomise_configuration();
        for (unsigned i = 0; i < state::cells::stream_register_block.count; ++i)
            pair.write(state::cells::stream_register_block[i], choose.word());
    }

    void run_one() {
        if (choose.one_in(4)) pair.stir_configuration();
        const unsigned thread = choose.below(3);
        pair.write(thread, StateID, choose.below(2));
        const std::string_view name = instructions[choose.below(std::size(instructions))];
        const auto* spec = isa::find_spec(name, pair.arch().arch);
        if (!spec) return;
        const std::uint32_t word = std::uint32_t{spec->opcode} << 24 | (choose.word() & 0xFFFFFF);
        // Addresses of lines of L1, offsets that stay in it, and a few that are wild.
        for (unsigned i = 0; i < 64; ++i)
            pair.write(state::cells::gpr(thread, i), choose.one_in(12) ? choose.word() : choose.below(0x10000));
        if (name == "XMOV" || choose.one_in(8)) prepare_mover(thread);
        if (choose.one_in(3)) prepare_units(thread);
        fit(name, thread, word);
    }

    ReferencePair pair;
    Coverage modes;

private:
    void prepare_mover(unsigned thread) {
        const std::uint32_t direction = choose.below(4);
        const bool to_registers = direction == 1 || direction == 2;
        pair.write(thread, Transfer_direction, direction);
        pair.write(thread, Source_address, choose.one_in(10) ? choose.word() : choose.below(0x10000));
        pair.write(thread, Buffer_size, choose.one_in(10) ? choose.word() : choose.below(80));
        pair.write(thread, Destination_address,
                   choose.one_in(10)  ? choose.word()
                   : choose.one_in(8) ? choose.of({0x1000, 0x3FFF, 0x4000, 0x4FFF, 0x5000})
                   : to_registers     ? choose.below(choose.one_in(4) ? 0x1000 : 0xB0)
                                      : choose.below(0x10000));
        for (unsigned i = 0; i < 5; ++i)
            pair.write(state::cells::tdma_block[i], choose.below(choose.one_in(4) ? 0x80 : 0x8000));
    }
    void prepare_units(unsigned thread) {
        for (unsigned u = 0; u < 2; ++u) {
            const auto cell = [&](Unpacker item, unsigned t = 0) { return state::cells::unpacker(u, item, t); };
            const std::uint32_t bank = choose.below(2);
            pair.write(cell(Unpacker::bank), bank);
            pair.write(cell(Unpacker::next_bank), bank);
            pair.write(cell(Unpacker::src_row_t0, thread), choose.below(64));
            pair.write(cell(Unpacker::setreg_acc), choose.word() & 0x1FFFF);
        }
        for (unsigned i = 0; i < pair.arch().packers; ++i) {
            const auto cell = [i](Packer item, unsigned n = 0) {
                return state::cells::packer(i, Packer(static_cast<unsigned>(item) + n));
            };
            pair.write(cell(Packer::all_zero_flags), choose.word());
            pair.write(cell(Packer::last_tile_size), choose.word() & 0xFFFF);
            pair.write(cell(Packer::last_thread), choose.below(3));
            pair.write(cell(Packer::exp_histogram_max), choose.below(256));
            for (unsigned t = 0; t < 3; ++t) pair.write(cell(Packer::acc_tile_size_t0, t), choose.word() & 0xFFFF);
            for (unsigned b = 0; b < 32; ++b)
                pair.write(state::cells::exp_histogram_block[i * 32 + b], choose.below(256));
        }
        for (unsigned i = 0; i < 8; ++i) {
            pair.write(state::cells::semaphore_value(i), choose.of({0, 1, 7, 14, 15}));
            pair.write(state::cells::semaphore_max(i), choose.below(16));
            if (i < pair.arch().mutexes) pair.write(state::cells::mutex(i), choose.below(4));
        }
    }

    std::uint32_t register_address() {
        const bool bh = pair.blackhole();
        if (choose.one_in(16)) return 0xFFB00000 + (choose.word() & 0xFFFFC);
        if (choose.one_in(2))
            return 0xFFB11000 +
                   choose.of({0,    4,    8,    0xC,  0x10, 0x10, 0x10,  0x14,  0x18,  0x1C,  0x20,  0x24,
                              0x28, 0x2C, 0x38, 0x3C, 0x58, 0x5C, 0x11C, 0x13C, 0x118, 0x120, 0x31C, 0x320});
        const std::uint32_t index =
            bh ? choose.of({266, 4, 8, 10, 270, 297, 28, 29, 259}) : choose.of({22, 0, 3, 4, 34, 64});
        return 0xFFB40000 + choose.below(64) * 0x1000 + index * 4;
    }

    // Makes a word and what it names fit, mostly: registers that exist, commands, FIFOs that are not empty.
    void fit(std::string_view name, unsigned thread, std::uint32_t word) {
        const auto gpr = [&](std::uint32_t i) { return pair[state::cells::gpr(thread, i)]; };
        const auto set = [&](std::uint32_t i, std::uint32_t value) { pair.write(state::cells::gpr(thread, i), value); };
        if (name == "STOREREG" || name == "LOADREG") word = (word & ~0x3FFFFu) | (register_address() - 0xFFB00000) >> 2;
        const bool mmio = name == "STOREIND" && !(word >> 23 & 1) && (word >> 22 & 1);
        if (mmio) {
            const std::uint32_t half = word >> 14 & 127, base = word & 63;
            const std::uint32_t address = register_address() + choose.below(4);
            set(base, choose.word());
            set(half / 2, half / 2 == base ? address & 0xFFFFF : gpr(half / 2));
            if (half / 2 != base) set(base, (address & 0xFFFFF) - ((gpr(half / 2) >> half % 2 * 16 & 0xFFFF) >> 4));
        }
        if (name == "STOREREG" || mmio) {
            const std::uint32_t data = name == "STOREREG" ? word >> 18 & 63 : word >> 6 & 63;
            const bool own = mmio && (data == (word & 63) || data == (word >> 15 & 63));
            if (!own)
                set(data, choose.one_in(3) ? choose.word()
                                           : choose.of({0x40, 0x140, 0x46, 0x89, 0x80000089, 0x666, 0x766, 0x66, 0x67,
                                                        0xC0100240 | choose.below(64) << 24,
                                                        0x80100240 | choose.below(8) << 24, choose.word() << 6}));
        }
        if (name == "ATCAS" || name == "ATINCGETPTR") {
            const std::uint32_t which = word >> 12 & 3, line = gpr(word & 63) * 16;
            if (line + 16 <= pair.arch().l1_bytes) {
                std::uint32_t counters[2] = {choose.below(64), 0};
                counters[1] = counters[0] + 1;  // neither full nor empty
                const std::uint32_t width = word >> 14 & 15;
                if (which & 1 && (width == 1 || choose.one_in(2))) counters[1] = counters[0];
                if (name == "ATINCGETPTR") pair.write_l1(line, counters, sizeof counters);
                const std::uint32_t expected = word >> 14 & 15;
                if (name == "ATCAS") pair.write_l1(line + 4 * which, &expected, sizeof expected);
            }
        }
        if (name == "REG2FLOP" && choose.one_in(2)) word &= ~0x300000u;
        if (name == "ATGETM" || name == "ATRELM") word = (word & 0xFF000000) | choose.below(choose.one_in(8) ? 10 : 5);
        if (name == "STREAMWRCFG" && !choose.one_in(8))
            word = (word & 0xFF600000) | choose.of({4, 8, 10, 297, 28, 29, 259}) << 11 | choose.below(224);
        pair.run(thread, word, reference::model_of(isa::decode(word, pair.arch().arch)), false, 4);
        count_modes(name);
    }

    // Declares the modes that must be met; an instruction by its forms.
    void declare_modes() {
        for (const std::string_view name : instructions) {
            const auto* spec = isa::find_spec(name, pair.arch().arch);
            for (std::size_t i = 0; spec && i < isa::form_count(*spec); ++i) {
                const std::string_view form = isa::form(*spec, i).name;
                if (form != "unspecified") modes.count("instruction", named(name, form), false);
            }
        }
        for (unsigned i = 0; i < 4; ++i)
            for (const char* group : {"LOADIND size", "STOREIND size", "increment", "SETDMAREG size"})
                modes.count(group, std::to_string(i), false);
        for (unsigned i = 0; i < 16; ++i) modes.count("SETDMAREG source", std::to_string(i), false);
        for (const char* mode : {"zeros to registers", "zeros to L1", "L1 to registers", "L1 to L1"})
            modes.count("mover", mode, false);
        for (const char* mode : {"empty", "full"}) modes.count("FIFO is not", mode, false);
    }
    static std::string named(std::string_view name, std::string_view form) {
        return std::string(name) + (form.empty() ? "" : "." + std::string(form));
    }
    void count_modes(std::string_view name) {
        const auto& plan = pair.last_plan();
        if (plan.fault) return modes.note("fault", findings::entry(plan.fault->id).code);
        for (const auto& reported : plan.findings) modes.note("finding", findings::entry(reported.id).code);
        const std::uint32_t word = plan.instruction.word;
        modes.count("instruction", named(name, isa::form_of(plan.instruction)->name));
        if (name == "LOADIND") modes.count("LOADIND size", std::to_string(word >> 22 & 3));
        if (name == "STOREIND" && word >> 23 & 1) modes.count("STOREIND size", std::to_string(word >> 21 & 3));
        if (name == "LOADIND" || name == "STOREIND") modes.count("increment", std::to_string(word >> 12 & 3));
        if (name == "ATINCGETPTR") modes.count("FIFO is not", word >> 12 & 1 ? "full" : "empty");
        if (name == "SETDMAREG" && word >> 7 & 1) {
            modes.count("SETDMAREG source", std::to_string(word >> 11 & 15));
            modes.count("SETDMAREG size", std::to_string(word >> 22 & 3));
        }
        if (const auto* work = std::get_if<plan::MoverWork>(&plan.work))
            modes.count("mover",
                        std::string(work->zeros ? "zeros" : "L1") + (work->to_config ? " to registers" : " to L1"));
    }

    Choice& choose;
};

class ReferenceScalar : public testing::TestWithParam<Arch> {};

TEST_P(ReferenceScalar, AgreesOnRandomStates) {
    Generator generator(GetParam());
    const unsigned asked = asked_cases(cases, "TESSERA_SCALAR_CASES");
    while (generator.pair.cases < asked && !generator.pair.hopeless()) generator.run_one();
    expect_coverage(generator.pair, asked);
    generator.pair.expect_same_l1();
    generator.modes.finish("scalar-" + std::string(name(GetParam())), asked, one_in_of_each_mode);
}

INSTANTIATE_TEST_SUITE_P(Archs, ReferenceScalar, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
