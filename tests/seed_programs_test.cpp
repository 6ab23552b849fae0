// SPDX-License-Identifier: Apache-2.0
// examples/seeds: every sequence of seed "unpack data path" runs, and ends as seed and pages require. Expected values
// are computed here from the formulas of the jobs' data (examples/seeds/prepare.py).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "reference/numerics.hpp"
#include "state/cells.hpp"
#include "support/ended_job.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/job.hpp"
#include "tessera/registers.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using Ended = test::EndedJob;

constexpr auto folder = TESSERA_SOURCE_DIR "/examples/seeds";
constexpr unsigned by_matrix = 1, by_unpackers = 0;

std::uint32_t a(std::size_t i) { return 0x3F80 + static_cast<std::uint32_t>(i); }
std::uint32_t b(std::size_t i) { return 0x3F00 + static_cast<std::uint32_t>(i) * 7 % 4096; }
std::uint32_t f(std::size_t i) { return 0x3F800000 + static_cast<std::uint32_t>(i) * 0x2001; }

auto from(std::uint32_t (*datum)(std::size_t), std::size_t first) {
    return [=](std::size_t k) { return datum(first + k); };
}

void face_by_face(Ended& end) {
    end.expect_src('A', 0, 0, 64, from(a, 0));
    end.expect_owner(0, by_matrix, by_unpackers);
    EXPECT_EQ(end.adc(0, 0, 2), 4u);
    EXPECT_EQ(end.adc(0, 1, 2), 4u);
}

// An unpacker's row has 32 datums of more than 8 bits on Blackhole, 16 on Wormhole.
void tilize(Ended& end) {
    const unsigned row = end.blackhole() ? 32 : 16;
    end.expect_src('A', 0, 0, 64, [&](std::size_t k) { return a(k / row * 64 + k % row); });
    end.expect_owner(0, by_matrix, by_unpackers);
}

void tilize_a_and_b(Ended& end) {
    for (unsigned face = 0; face < 4; ++face) {
        const std::size_t corner = (face >> 1) * 16 * 64 + (face & 1) * 16;
        end.expect_dst(16 * face, 16, [&](std::size_t k) { return a(corner + k / 16 * 64 + k % 16); });
        end.expect_dst(64 + 16 * face, 16, from(b, 256 * face));
    }
}

void untilize(Ended& end) {
    for (unsigned row = 0; row < 16; ++row)
        for (unsigned tile = 0; tile < 2; ++tile)
            for (unsigned face = 0; face < 2; ++face)
                end.expect_src('A', 0, 4 * row + 2 * tile + face, 1, from(a, 1024 * tile + 256 * face + 16 * row));
    EXPECT_EQ(end.adc(0, 1, 1), 64u);  // Y1: a row of SrcA each
    EXPECT_EQ(end.adc(0, 0, 1), 16u);  // Y0
    EXPECT_EQ(end.adc(0, 0, 2), 0u);   // Z0, restored
}

void unpack_to_dest(Ended& end) {
    for (unsigned tile = 0; tile < 2; ++tile)
        for (unsigned lane = 0; lane < 32; ++lane)
            EXPECT_EQ(end.at("lregs", tile * 32 + lane), f(1024 * tile + lane / 8 * 16 + lane % 8 * 2)) << lane;
    const auto words = end.core().dst_words();
    for (unsigned k = 0; k < 1024; ++k) ASSERT_EQ(words[k], f(1024 + k)) << k;
    EXPECT_EQ(end.at("semaphore_value", 2), 0u);
}

// The data after Dst and the packer equal those in L1.
void through_the_packer(Ended& end) {
    const auto bytes = end.core().read_l1(0x40010, 2 * 1024 * 4).value();
    for (std::size_t i = 0; i < 2 * 1024; ++i) {
        std::uint32_t word = 0;
        for (unsigned at = 0; at < 4; ++at) word |= std::to_integer<std::uint32_t>(bytes[i * 4 + at]) << 8 * at;
        ASSERT_EQ(word, f(i)) << i;
    }
    EXPECT_EQ(end.at("semaphore_value", 2), 0u);
}

void dest_address(Ended& end) {
    end.expect_dst(5, 16, from(a, 0));
    EXPECT_EQ(end.config(end.blackhole() ? 84 : 72) & 0xFFFF, 16u * (4 + 5)) << "16 * (4 + MAILBOX)";
    for (unsigned row : {4u, 21u}) EXPECT_EQ(end.at("dst_valid", row), end.at("dst_valid", 1000)) << row;
}

void write_order(Ended& end) {
    const auto words = end.core().dst_words();
    for (unsigned k = 0; k < 256; ++k) {
        const unsigned place = 7 * 16 + 8 + k, row = place / 16, column = place % 16;
        ASSERT_EQ(words[place], f(k)) << k;
        const unsigned high = (row & 0x1F8) << 1 | (row & 0x207);
        const std::uint32_t stored = reference::WriteDstFP32(f(k));
        ASSERT_EQ(end.at("dst", high * 16 + column), stored >> 16) << k;
        ASSERT_EQ(end.at("dst", (high + 8) * 16 + column), stored & 0xFFFF) << k;
    }
}

void rows_before_the_first(Ended& end) {
    end.expect_dst(1022, 2, from(a, 0));
    end.expect_dst(0, 14, from(a, 32));
}

void set_dvalid(Ended& end) {
    end.expect_src('A', 0, 0, 16, from(a, 0));
    end.expect_src('B', 0, 0, 16, from(b, 0));
    end.expect_owner(0, by_matrix, by_matrix);
    end.expect_owner(1, by_unpackers, by_unpackers);
    constexpr auto items = state::cells::size<state::Unpacker>;
    for (unsigned unpacker = 0; unpacker < 2; ++unpacker) EXPECT_EQ(end.at("unpacker", unpacker * items), 1u) << "bank";
    EXPECT_EQ(end.at("unpacker", 2), 32u) << "SrcRow of thread 0: SRCA_SET_Base << 4";
    EXPECT_EQ(end.at("unpacker", items + 2), 16u) << "SrcRow of thread 0: SRCB_SET_Base << 4";
}

void fill_banks(Core& core) {
    for (auto banks : {core.src_a(), core.src_b()})
        for (auto bank : banks)
            for (auto& datum : bank) datum = 0x3F800000;
}

void clear(Ended& end) {
    for (unsigned i = 0; i < 1024; ++i) {
        ASSERT_EQ(end.at("src_a", i), 0x7FFFFu) << i;
        ASSERT_EQ(end.at("src_a", 1024 + i), reference::WriteSrcTF32(0x3F800000 >> 13)) << "bank 1 stays, " << i;
        ASSERT_EQ(end.at("src_b", i), 0u) << i;
        ASSERT_EQ(end.at("src_b", 1024 + i), 0u) << i;
    }
    end.expect_owner(0, by_unpackers, by_unpackers);
}

void stream_pop(Ended& end) {
    for (unsigned stream = 0; stream < 64; ++stream)
        EXPECT_EQ(end.at("stream", stream), stream == 9 || stream == 21 ? 1u : 0u) << stream;
}

// Streams begin at 0x40000 of the window; STREAM_MSG_DATA_CLEAR is register 266 of each (spec-notes A80).
void lead_to_the_overlay(Core& core) {
    core.write(*core.find_section("unpacker_set_reg_base").value(), 2, 0x40000 + 266 * 4);
}

void register_write(Ended& end) {
    EXPECT_EQ(end.at("stream", 3), 0x7FFu + 5);
    EXPECT_EQ(end.at("unpacker", 8), 0x7FFu + 5) << "SetRegAcc";
}

void switch_context(Ended& end) {
    for (unsigned bank = 0; bank < 2; ++bank) {
        end.expect_src('A', bank, 0, 16, from(a, 256 * bank));
        end.expect_src('B', bank, 0, 16, from(b, 256 * bank));
        end.expect_owner(bank, by_matrix, by_matrix);
    }
    EXPECT_EQ(end.thread_config(end.blackhole() ? 41 : 39), 0u);
}

void double_buffer(Ended& end) {
    end.expect_dst(0, 6 * 16, from(a, 0));
    end.expect_dst(512, 6 * 16, from(b, 0));
    for (unsigned bank = 0; bank < 2; ++bank) {
        end.expect_src('B', bank, 0, 16, from(b, (4 + bank) * 256));
        end.expect_owner(bank, by_unpackers, by_unpackers);
    }
    EXPECT_EQ(end.at("semaphore_value", 5), 0u);
}

void context_counter(Ended& end) {
    end.expect_src('A', 0, 0, 12, from(a, 0));  // contexts 0, 1 and 2, of four rows each
    end.expect_src('A', 0, 12, 4, [](std::size_t) { return 0u; });
    EXPECT_EQ(end.at("unpacker", 5), 1u) << "from 3 to 0, and 1 after the last";
}

void initialization(Ended& end) {
    // Bytes 0 to 3 of word 1 and byte 0 of word 2: the bits of the masks become 0.
    EXPECT_EQ(end.config(1), ~(0x07u | 0x80u << 8 | 0x01u << 16 | 0x60u << 24));
    EXPECT_EQ(end.config(2), ~0x01u);
    EXPECT_EQ(end.config(57) & 0xFFFF, 512u);
    EXPECT_EQ(end.config(59) & 0xFFFF, 512u);
    EXPECT_EQ(end.config(64), 256u << 16 | 1u << 4 | 5u);
    EXPECT_EQ(end.config(86) & 0xFFFF, 256u);
    EXPECT_EQ(end.config(84) & 0xFFFF, 64u);
    EXPECT_EQ(end.adc(0, 1, 0), 255u);
    EXPECT_EQ(end.adc(1, 1, 0), 0u);
    EXPECT_EQ(end.thread_config(5), 4u);
    const auto fields = decode_register(RegisterSpace::thread, 5, 4, Arch::blackhole).value();
    for (const FieldValue& set : fields)
        EXPECT_EQ(set.value, set.field.name == "SRCA_SET_SetOvrdWithAddr" ? 1u : 0u) << set.field.name;
    EXPECT_EQ(end.thread_config(41), 0u);
    EXPECT_EQ(end.at("mutex", 0), 0u);
}

void tile_loop(Ended& end) {
    end.expect_dst(0, 2 * 64, [](std::size_t k) { return reference::elwadd(a(k) << 3, b(k) << 3, 0, {}) >> 16; });
    EXPECT_EQ(end.at("semaphore_value", 5), 0u);
    EXPECT_EQ(end.thread_config(41), 0u);
}

void matmul_srcb(Ended& end) {
    for (unsigned tile = 0; tile < 4; ++tile) end.expect_dst(16 * tile, 16, from(b, tile / 2 * 1024 + tile % 2 * 256));
    EXPECT_EQ(end.config(124), 0x20000u / 16 + 2 * 32);
    EXPECT_EQ(end.config(125), (0x20000u + 2048) / 16 + 2 * 32);
}

void matmul_srca(Ended& end) {
    end.expect_src('A', 0, 0, 16, from(a, 1024));
    end.expect_owner(0, by_matrix, by_unpackers);
    EXPECT_EQ(end.at("semaphore_value", 5), 0u);
    EXPECT_EQ(end.thread_config(41), 0u);
}

void context_pattern(Ended& end) {
    unsigned row = 0;
    for (unsigned first : {0u, 1024u, 256u, 1280u}) {
        end.expect_dst(row, 16, from(a, first));
        end.expect_dst(512 + row, 16, from(b, first));
        row += 16;
    }
}

struct SeedJob {
    const char* name;
    void (*check)(Ended&);
    bool also_wormhole = true;  ///< the same text runs there
    const char* reported = "";
    const char* waits_for = "";  ///< a mode that is not there yet: the job ends in "not-implemented", which names it
    void (*prepare_core)(Core&) = nullptr;
};

constexpr SeedJob jobs[] = {
    {"4.4-face-by-face", face_by_face},
    {"5.2-tilize", tilize},
    {"5.3-tilize-a-and-b", tilize_a_and_b},
    {"6-untilize", untilize},
    {"7.3-unpack-to-dest", unpack_to_dest},
    {"7.3-through-the-packer", through_the_packer, false},
    {"7.4-dest-address", dest_address},
    {"7.5-rows-before-the-first", rows_before_the_first},
    {"7.5-write-order", write_order},
    {"8.2-set-dvalid", set_dvalid, false},
    {"8.2-set-dvalid-wormhole", set_dvalid, false},
    {"8.3-clear", clear, false, "unpack.both-banks", "", fill_banks},
    {"8.3-clear-wormhole", clear, false, "unpack.both-banks", "", fill_banks},
    {"8.4-stream-pop", stream_pop, false},
    {"8.5-register-write", register_write, false, "", "", lead_to_the_overlay},
    {"9.4-switch-context", switch_context},
    {"9.5-double-buffer", double_buffer},
    {"10-context-counter", context_counter},
    {"11.1-initialization", initialization, false},
    {"11.2-tile-loop", tile_loop, false},
    {"11.3-matmul-srcb", matmul_srcb, false},
    {"11.4-matmul-srca", matmul_srca, false},
    {"11.5-context-pattern", context_pattern, false},
};

std::string path_of(const SeedJob& job) { return fmt::format("{}/{}.toml", folder, job.name); }

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A copy of the folder in which every job is Wormhole's.
class WormholeFolder {
public:
    WormholeFolder() {
        constexpr std::string_view blackhole = "arch = \"blackhole\"";
        for (const auto& entry : fs::directory_iterator(folder)) {
            std::string text = contents(entry.path());
            if (const auto at = text.find(blackhole); entry.path().extension() == ".toml" && at != std::string::npos)
                text.replace(at, blackhole.size(), "arch = \"wormhole\"");
            directory_.write(entry.path().filename().string(), text);
        }
    }
    std::string path_of(const SeedJob& job) const { return directory_ / (std::string(job.name) + ".toml"); }

private:
    test::TemporaryDirectory directory_;
};

/// Wormhole's values of the symbols in a job's file.
JobSymbols wormhole_symbols(const std::string& path) {
    JobSymbols symbols = {{"TRISC_CFG", 1 << 13}, {"SFPU", 1 << 14}, {"REG7_OFFSET", 80}, {"UNPACK_MISC_CFG", 39}};
    const std::string text = contents(path);
    std::erase_if(symbols, [&](const auto& symbol) { return text.find(symbol.first) == text.npos; });
    return symbols;
}

void expect_end(const SeedJob& job, const std::string& path, const JobSymbols& symbols) {
    SCOPED_TRACE(path);
    Ended end(path, symbols, job.prepare_core);
    if (*job.waits_for) {
        ASSERT_TRUE(end.run().fault) << "it works now: take it off the waiting jobs";
        ASSERT_EQ(end.run().fault->code, "not-implemented") << end.run().fault->describe();
        EXPECT_EQ(end.run().fault->message.find(job.waits_for), 0u) << end.run().fault->message;
        return;
    }
    ASSERT_EQ(end.reported(), job.reported);
    job.check(end);
}

class SeedPrograms : public testing::TestWithParam<SeedJob> {};
class SeedProgramsOfBoth : public testing::TestWithParam<SeedJob> {};

std::vector<SeedJob> jobs_of_both() {
    std::vector<SeedJob> both;
    for (const SeedJob& job : jobs)
        if (job.also_wormhole) both.push_back(job);
    return both;
}

std::string test_name(const testing::TestParamInfo<SeedJob>& tested) {
    std::string name = tested.param.name;
    for (char& c : name)
        if (c == '.' || c == '-') c = '_';
    return name;
}

TEST_P(SeedPrograms, EndAsTheSeedSays) { expect_end(GetParam(), path_of(GetParam()), {}); }

TEST_P(SeedProgramsOfBoth, EndTheSameOnWormhole) {
    const WormholeFolder copy;
    const std::string path = copy.path_of(GetParam());
    expect_end(GetParam(), path, wormhole_symbols(path));
}

TEST_P(SeedPrograms, NoDelayChangesTheEnd) {
    if (*GetParam().waits_for) return;  // EndAsTheSeedSays holds it to that
    const Ended calm(path_of(GetParam()), {}, GetParam().prepare_core);
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        const Ended delayed(path_of(GetParam()), {}, GetParam().prepare_core, seed);
        ASSERT_EQ(delayed.reported(), GetParam().reported);
        for (const char* name : {"src_a", "src_b", "dst", "bank_owner", "config", "adc"}) {
            const Section& section = *calm.core().find_section(name).value();
            for (std::size_t i = 0; i < section.size; ++i)
                ASSERT_EQ(delayed.at(name, i), calm.at(name, i)) << section.describe(i);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Jobs, SeedPrograms, testing::ValuesIn(jobs), test_name);
INSTANTIATE_TEST_SUITE_P(Jobs, SeedProgramsOfBoth, testing::ValuesIn(jobs_of_both()), test_name);

TEST(SeedFolder, EveryJobHasItsEndState) {
    std::set<std::string> there, tested;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".toml") there.insert(entry.path().stem().string());
    for (const SeedJob& job : jobs) tested.insert(job.name);
    EXPECT_EQ(there, tested);
}

TEST(SeedFolder, EveryJobIsInItsTable) {
    const std::string table = contents(fs::path(folder) / "README.md");
    for (const SeedJob& job : jobs)
        EXPECT_NE(table.find(fmt::format("({}.toml)", job.name)), std::string::npos) << job.name;
}

TEST(SeedFolder, DataAreWhatTheEndStatesAreComputedFrom) {
    std::string expected_a, expected_b, expected_f;
    auto add = [](std::string& to, std::uint32_t value, unsigned bytes) {
        for (unsigned i = 0; i < bytes; ++i) to += static_cast<char>(value >> 8 * i);
    };
    for (std::size_t i = 0; i < 4096; ++i) {
        add(expected_a, a(i), 2);
        add(expected_b, b(i), 2);
        if (i < 2048) add(expected_f, f(i), 4);
    }
    EXPECT_TRUE(contents(fs::path(folder) / "a.bin") == expected_a);
    EXPECT_TRUE(contents(fs::path(folder) / "b.bin") == expected_b);
    EXPECT_TRUE(contents(fs::path(folder) / "f.bin") == expected_f);
}

// The listing of 11.3 has ADDDMAREG right behind RDCFG, and the vendor's kernels rely on it (spec-notes B34).
TEST(SeedFolder, TheMatmulListingAsPrintedAddsWhatWasRead) {
    Ended end(fmt::format("{}/11.3-matmul-srcb.toml", folder), {{"GAP", 0}}, nullptr);
    EXPECT_EQ(end.reported(), "");
    EXPECT_TRUE(std::any_of(end.run().findings.begin(), end.run().findings.end(),
                            [](const Finding& finding) { return finding.code == "hazard.gpr-late-scalar"; }));
    matmul_srcb(end);
}

// SetRegBase is 0 after reset, and nothing is mapped where the write then goes.
TEST(SeedFolder, TheRegisterWriteWithoutABaseIsAFault) {
    const Ended end(fmt::format("{}/8.5-register-write.toml", folder), {}, nullptr);
    ASSERT_TRUE(end.run().fault);
    EXPECT_EQ(end.run().fault->code, "mmio-unmapped");
}

// The math thread's word is a symbol: another one, another place.
TEST(SeedFolder, TheMailboxOfTheDestAddressMovesTheTile) {
    Ended end(fmt::format("{}/7.4-dest-address.toml", folder), {{"MAILBOX", 100}}, nullptr);
    end.expect_dst(100, 16, from(a, 0));
}

}  // namespace
}  // namespace tessera
