// SPDX-License-Identifier: Apache-2.0
// One test per case that UNPACR's functional model leaves undefined: the finding and the chosen result, in units and
// reference.
#include "support/unpack_undefined.hpp"

#include <set>
#include <vector>

#include "support/reference_pages.hpp"

namespace tessera::test {
namespace {

struct Case {
    Undefined row;
    Arch arch;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const auto& row : undefined_of_unpacr())
        for (const Arch arch : all_archs)
            if (arch == Arch::blackhole ? row.blackhole : row.wormhole) all.push_back({row, arch});
    return all;
}

class UndefinedOfUnpacr : public testing::TestWithParam<Case> {};

TEST_P(UndefinedOfUnpacr, IsToldAndHasTheResultThatWasChosen) {
    const Undefined& row = GetParam().row;
    UndefinedBench bench(GetParam().arch);
    row.show(bench);
    const auto* entry = catalogue_row(row.code);
    if (row.code.empty()) {
        EXPECT_EQ(bench.step_.fault, "");
        EXPECT_THAT(bench.step_.findings, testing::IsEmpty());
        return;
    }
    ASSERT_TRUE(entry);
    if (entry->kind == findings::Kind::fault) {
        EXPECT_EQ(bench.step_.fault, row.code);
        EXPECT_EQ(row.result, "");
        return;
    }
    EXPECT_EQ(bench.step_.fault, "");
    EXPECT_THAT(bench.step_.findings, testing::Contains(row.code));
    EXPECT_NE(row.result, "");
}

INSTANTIATE_TEST_SUITE_P(Rows, UndefinedOfUnpacr, testing::ValuesIn(cases()), [](const auto& c) {
    return std::string(c.param.row.name) + "_" + std::string(name(c.param.arch));
});

// The tags of the functional model's UndefinedBehaviour(), in its order, and of what it implies.
TEST(UndefinedRows, HaveEveryTag) {
    std::set<std::string_view> tags;
    for (const auto& row : undefined_of_unpacr()) tags.insert(row.tag);
    for (const std::string_view tag : {"unpacker1-context",
                                       "context-adc-3",
                                       "out-address-misaligned",
                                       "in-address-misaligned",
                                       "tilize-with-upsample-or-compression",
                                       "dst-with-colshift-or-transpose",
                                       "srca-row-64",
                                       "srca-row-16",
                                       "l1-address",
                                       "fp32-to-other",
                                       "format-mismatch",
                                       "tf32-in-to-src",
                                       "int32-to-src",
                                       "fp32-to-src",
                                       "bfpa-exponent-range",
                                       "blob-index-8",
                                       "unknown-format",
                                       "count-negative",
                                       "srcb-row-wrap",
                                       "dst-with-set-ovrd",
                                       "tilize-sub-byte",
                                       "unpacr_nop-both-banks",
                                       "context-count-non-log2",
                                       "context-count-inc",
                                       "unpacr-bit5",
                                       "unpacr-bit14",
                                       "unpacr_nop-clear-one-or-immediate",
                                       "setc16-index"})
        EXPECT_TRUE(tags.count(tag)) << tag;
}

TEST(UndefinedRows, HaveEveryFaultAndFindingOfTheUnpackers) {
    std::set<std::string_view> codes;
    for (const auto& row : undefined_of_unpacr()) codes.insert(row.code);
    for (const auto& entry : findings::catalogue)
        if (entry.code.starts_with("unpack.")) {
            EXPECT_TRUE(codes.count(entry.code)) << entry.code;
        }
}

TEST(UndefinedRows, CiteRowsOfTheSpecNotes) {
    const std::string notes = source_text("docs/internals/spec-notes.md");
    for (const auto& row : undefined_of_unpacr()) {
        const auto at = row.source.find("spec-notes ");
        if (at == row.source.npos) continue;
        EXPECT_NE(notes.find("\n| " + std::string(row.source.substr(at + 11)) + " |"), notes.npos) << row.source;
    }
}

}  // namespace
}  // namespace tessera::test
