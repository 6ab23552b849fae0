// SPDX-License-Identifier: Apache-2.0
#include "check/state_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "check/case_file.hpp"
#include "state/inventory.hpp"

namespace tessera::check {

namespace {

using Numbered = std::vector<std::pair<std::size_t, JsonValue>>;

// Visits the given values until the visitor stops.
class Reader {
public:
    Reader(Arch arch, const Visit& visit) : arch_(arch), inventory_(state::inventory(arch)), visit_(visit) {}

    Arch arch() const { return arch_; }
    bool done() const { return done_; }
    const state::SectionPlace* find(std::string_view name) const { return inventory_.find(name); }
    const Section& section(std::string_view name) const { return find(name)->section; }
    void element(const Section& s, std::size_t i, std::uint64_t value) {
        if (!done_) done_ = !visit_(s, i, value);
    }

private:
    Arch arch_;
    const state::Inventory& inventory_;
    const Visit& visit_;
    bool done_ = false;
};

std::uint32_t word_at(const std::vector<std::byte>& bytes, std::size_t i, unsigned size) {
    std::uint32_t word = 0;
    for (unsigned b = 0; b < size; ++b) word |= std::to_integer<std::uint32_t>(bytes[i * size + b]) << 8 * b;
    return word;
}

std::vector<std::string_view> views(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

// Rows in hex by number; absent rows are zero.
void rows(Reader& c, const Section& s, std::size_t first_row, std::size_t row_count, const Numbered& given,
          unsigned word_bytes) {
    const std::size_t width = s.dimensions.back().size, digits = 2 * width * word_bytes;
    std::vector<std::vector<std::byte>> hex(row_count);
    for (const auto& [row, value] : given) {
        hex[row] = value.bytes();
        if (value.text().size() != digits)
            value.refuse(fmt::format("has {} hexadecimal digits, and must have {}", value.text().size(), digits));
    }
    for (std::size_t row = 0; row < row_count; ++row)
        for (std::size_t i = 0; i < width; ++i)
            c.element(s, (first_row + row) * width + i, hex[row].empty() ? 0 : word_at(hex[row], i, word_bytes));
}

void source(Reader& c, const JsonValue& given, const char* name) {
    constexpr std::size_t bank_count = 2, bank_rows = 64;
    const Section& s = c.section(name);
    std::array<Numbered, bank_count> of_bank;
    for (const auto& [bank, value] : given.numbered(bank_count)) of_bank[bank] = value.numbered(bank_rows);
    for (std::size_t bank = 0; bank < bank_count; ++bank) rows(c, s, bank * bank_rows, bank_rows, of_bank[bank], 4);
}

void dst(Reader& c, const JsonValue& given) {
    const Section& s = c.section("dst");
    const std::size_t row_count = s.dimensions.front().size;
    rows(c, s, 0, row_count, given.numbered(row_count), 2);
}

void l1(Reader& c, const JsonValue& given) {
    const Section& s = c.section("l1");
    for (const JsonValue& one : given.list()) {
        const Job::Region region = read_l1_region(one, c.arch());
        for (std::size_t i = 0; i < region.bytes.size(); ++i)
            c.element(s, region.address + i, std::to_integer<std::uint64_t>(region.bytes[i]));
    }
}

// The fixed constants (8 to 10, 15) and the hidden register 16 are not part of a case.
void lregs(Reader& c, const JsonValue& given) {
    constexpr std::size_t work = 8, first_programmable = 11, programmable = 4;
    const Section& s = c.section("lregs");
    Numbered low, high;
    for (const auto& [number, value] : given.numbered(first_programmable + programmable)) {
        if (number < work)
            low.emplace_back(number, value);
        else if (number >= first_programmable)
            high.emplace_back(number - first_programmable, value);
        else
            value.refuse("is a constant, and no part of a case: leave it out");
    }
    rows(c, s, 0, work, low, 4);
    rows(c, s, first_programmable, programmable, high, 4);
}

void dst_validity(Reader& c, const JsonValue& given) {
    const Section& s = c.section("dst_valid");
    std::vector<bool> valid(s.size, true);
    for (const JsonValue& row : given.list()) valid[row.number(0, s.size - 1)] = false;
    for (std::size_t i = 0; i < s.size; ++i) c.element(s, i, valid[i]);
}

void rwc(Reader& c, const JsonValue& given) {
    const Section& s = c.section("rwc");
    const auto& counters = s.dimensions.back().labels;
    std::size_t element = 0;
    for (const JsonValue& thread : given.list(s.dimensions.front().size)) {
        thread.expect_keys(views(counters));
        for (const auto& counter : counters) {
            if (const auto value = thread.find(counter)) c.element(s, element, value->number());
            ++element;
        }
    }
}

void adc(Reader& c, const JsonValue& given) {
    const Section& s = c.section("adc");
    const auto& units = s.dimensions[1].labels;
    std::vector<std::string> counters;
    for (std::size_t channel = 0; channel < s.dimensions[2].size; ++channel)
        for (const auto& label : s.dimensions[3].labels) counters.push_back(fmt::format("ch{}_{}", channel, label));
    std::size_t element = 0;
    for (const JsonValue& thread : given.list(s.dimensions.front().size)) {
        thread.expect_keys(views(units));
        for (const auto& name : units) {
            const auto unit = thread.find(name);
            if (unit) unit->expect_keys(views(counters));
            for (const auto& counter : counters) {
                const auto value = unit ? unit->find(counter) : std::nullopt;
                c.element(s, element++, value ? value->number() : 0);
            }
        }
    }
}

void gpr(Reader& c, const JsonValue& given) {
    const Section& s = c.section("gpr");
    const std::size_t threads = s.dimensions[0].size, registers = s.dimensions[1].size;
    std::vector<std::uint64_t> values(s.size);
    for (const auto& [thread, of_thread] : given.numbered(threads))
        for (const auto& [i, value] : of_thread.numbered(registers)) values[thread * registers + i] = value.number();
    for (std::size_t i = 0; i < s.size; ++i) c.element(s, i, values[i]);
}

void list(Reader& c, const char* name, const JsonValue& given) {
    const Section& s = c.section(name);
    const auto values = given.list();
    if (values.size() > s.size) given.refuse(fmt::format("has the length {}, and must have {}", values.size(), s.size));
    for (std::size_t i = 0; i < values.size(); ++i) c.element(s, i, values[i].number());
}

void semaphores(Reader& c, const JsonValue& given) {
    given.expect_keys({"value", "max"});
    list(c, "semaphore_value", given.at("value"));
    list(c, "semaphore_max", given.at("max"));
}

void banks(Reader& c, const JsonValue& given) {
    constexpr std::string_view sources[] = {"src_a", "src_b"};
    const Section &owner = c.section("bank_owner"), &matrix = c.section("matrix_bank"),
                  &unpacker = c.section("unpacker"), &implied = c.section("implied_format");
    const std::size_t items = unpacker.dimensions[1].size;
    given.expect_keys(sources);
    for (std::size_t src = 0; src < std::size(sources); ++src) {
        const auto one = given.find(sources[src]);
        if (!one) continue;
        one->expect_keys({"valid", "unpack_bank", "matrix_bank", "implied_format"});
        if (const auto valid = one->find("valid"))
            for (unsigned bank = 0; bank < 2; ++bank) c.element(owner, src * 2 + bank, valid->number(0, 3) >> bank & 1);
        if (const auto bank = one->find("unpack_bank")) c.element(unpacker, src * items, bank->number());
        if (const auto bank = one->find("matrix_bank")) c.element(matrix, src, bank->number());
        if (const auto formats = one->find("implied_format")) {
            const auto of_bank = formats->list(2);
            for (unsigned bank = 0; bank < 2; ++bank) c.element(implied, src * 2 + bank, of_bank[bank].number());
        }
    }
}

void vector(Reader& c, const JsonValue& given) {
    given.expect_keys({"cc", "cc_en", "cc_stack", "lane_config"});
    const auto scalar = [&](const char* key, const char* name) {
        if (const auto value = given.find(key)) c.element(c.section(name), 0, value->number());
    };
    scalar("cc", "lane_flags");
    scalar("cc_en", "lane_flags_enable");
    scalar("lane_config", "lane_config");
    const auto stack = given.find("cc_stack");
    if (!stack) return;
    const Section& s = c.section("lane_flag_stack");
    const auto entries = stack->list();
    if (const std::size_t depth = s.dimensions.front().size; entries.size() > depth)
        stack->refuse(fmt::format("has the length {}, and the stack has {} entries", entries.size(), depth));
    c.element(c.section("lane_flag_stack_size"), 0, entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) c.element(s, 2 * i, entries[i].number());
}

void config(Reader& c, const JsonValue& given) {
    const Section& s = c.section("config");
    for (const auto& [i, value] : given.numbered(s.size)) c.element(s, i, value.number());
}

// Sections by name, for state without a key of its own.
void sections(Reader& c, const JsonValue& given) {
    for (const auto& [name, elements] : given.members()) {
        const auto* place = c.find(name);
        if (!place) given.refuse(fmt::format("has '{}', and the state has no section of that name", name));
        const Section& s = place->section;
        std::vector<std::uint64_t> values(s.size);
        for (const auto& [i, value] : elements.numbered(s.size)) values[i] = value.number();
        for (std::size_t i = 0; i < s.size; ++i) c.element(s, i, values[i]);
    }
}

using Read = void (*)(Reader&, const JsonValue&);

constexpr std::pair<std::string_view, Read> expected_keys[] = {
    {"l1", l1},
    {"src_a", [](Reader& c, const JsonValue& given) { source(c, given, "src_a"); }},
    {"src_b", [](Reader& c, const JsonValue& given) { source(c, given, "src_b"); }},
    {"dst", dst},
    {"dst_invalid_rows", dst_validity},
    {"lregs", lregs},
    {"rwc", rwc},
    {"adc", adc},
    {"gpr", gpr},
    {"banks", banks},
    {"semaphores", semaphores},
    {"mutexes", [](Reader& c, const JsonValue& given) { list(c, "mutex", given); }},
    {"vector", vector},
    {"cfg", config},
    {"sections", sections},
};

}  // namespace

Result<void> for_each_expected(Arch arch, const nlohmann::json& expect, const Visit& visit) {
    Reader reader(arch, visit);
    try {
        const JsonValue given(expect, "expect", {"case.expect", "case.expect"});
        std::vector<std::string_view> names;
        for (const auto& known : expected_keys) names.push_back(known.first);
        given.expect_keys(names);
        for (const auto& [key, value] : given.members()) {
            std::ranges::find(expected_keys, key, [](const auto& known) { return known.first; })->second(reader, value);
            if (reader.done()) break;
        }
    } catch (const Refused& refused) {
        return tl::make_unexpected(refused.error);
    }
    return {};
}

}  // namespace tessera::check
