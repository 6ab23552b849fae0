// SPDX-License-Identifier: Apache-2.0
#include "support/unpack_undefined.hpp"

#include "reference/unpack.hpp"
#include "reference/unpacr_nop.hpp"

namespace tessera::test {

void UndefinedBench::execute(std::uint32_t word, unsigned thread) {
    state::State by_reference = state();
    const auto instruction = isa::decode(word, arch());
    reference::Outcome outcome{};
    const bool known = instruction.is(isa::mnemonic("UNPACR")) || instruction.is(isa::mnemonic("UNPACR_NOP")) ||
                       instruction.is(isa::mnemonic("SETDVALID"));
    if (instruction.is(isa::mnemonic("UNPACR"))) outcome = reference::unpacr(by_reference, thread, word);
    if (instruction.is(isa::mnemonic("UNPACR_NOP"))) outcome = reference::unpacr_nop(by_reference, thread, word);
    if (instruction.is(isa::mnemonic("SETDVALID"))) outcome = reference::setdvalid(by_reference, thread, word);
    step_.execute(word, thread);
    if (!known) return;
    EXPECT_EQ(step_.fault.empty(), outcome == reference::Outcome::done) << step_.fault;
    if (!step_.fault.empty()) return;
    for (const auto& place : state::inventory(arch()).places())
        for (std::size_t i = 0; i < place.section.size; ++i)
            ASSERT_EQ(state::read(state(), place.storage, place.element(i)),
                      state::read(by_reference, place.storage, place.element(i)))
                << place.section.describe(i);
}

void UndefinedBench::formats(F in, F out, unsigned u) {
    set("REG0_TileDescriptor_InDataFormat", static_cast<std::uint32_t>(in), u);
    set("REG2_Out_data_format", static_cast<std::uint32_t>(out), u);
}

void UndefinedBench::output(std::uint32_t datum, std::uint32_t datum_bytes) {
    set_field(state(), "UNP0_ADDR_BASE_REG_1_Base", datum * datum_bytes);
}

std::uint32_t UndefinedBench::stored(unsigned row, unsigned column, unsigned u) {
    return static_cast<std::uint32_t>(state::read(state(), storage(u), row * 16 + column));
}

std::uint32_t UndefinedBench::dst(unsigned row, unsigned column) {
    return static_cast<std::uint32_t>(state::read(state(), state::Storage::dst, row * 16 + column));
}

namespace {

constexpr std::string_view head = R"(# What UNPACR leaves undefined

Made by `scripts/reference_pages` from `tests/support/unpack_undefined_*.cpp`, where each row is a test of its own
(`UndefinedOfUnpacr`). First what UNPACR_Regular's functional model calls `UndefinedBehaviour()`, then what follows from
its bounds, missing cases and integers, then what newer pages, other instructions of the unpackers and decisions add. A
fault ends the run. A finding is noted at the level of [its row](findings.md), and the run goes on with the result.

| tag | undefined | chip | told as | result | source | test |
|---|---|---|---|---|---|---|
)";

}  // namespace

std::vector<Undefined> undefined_of_unpacr() {
    const auto model = undefined_in_the_model(), beside = undefined_beside_the_model();
    std::vector<Undefined> rows(model.begin(), model.end());
    rows.insert(rows.end(), beside.begin(), beside.end());
    return rows;
}

const findings::Entry* catalogue_row(std::string_view code) {
    for (const auto& entry : findings::catalogue)
        if (entry.code == code) return &entry;
    return nullptr;
}

std::string undefined_page() {
    std::string text(head);
    for (const auto& r : undefined_of_unpacr()) {
        const std::string_view chips = r.blackhole && r.wormhole ? "both" : r.blackhole ? "Blackhole" : "Wormhole";
        const auto* entry = catalogue_row(r.code);
        const std::string reported =
            entry ? fmt::format("{} `{}`", entry->kind == findings::Kind::fault ? "fault" : "finding", r.code)
                  : "nothing: defined";
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} | `{}` |\n", r.tag, r.what, chips, reported,
                            r.result.empty() ? "–" : r.result, r.source, r.name);
    }
    return text;
}

}  // namespace tessera::test
