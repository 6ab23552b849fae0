// SPDX-License-Identifier: Apache-2.0
#include "check/state_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "check/case_file.hpp"
#include "state/inventory.hpp"
#include "tessera/number.hpp"

namespace tessera::check {

namespace {

using nlohmann::json;

// Visits the given values until the visitor stops.
class Reader {
public:
    Reader(Arch arch, const Visit& visit) : inventory_(state::inventory(arch)), visit_(visit) {}

    bool done() const { return done_; }
    const state::SectionPlace* find(std::string_view name) const { return inventory_.find(name); }
    const Section& section(std::string_view name) const { return find(name)->section; }
    void element(const Section& s, std::size_t i, std::uint64_t value) {
        if (!done_) done_ = !visit_(s, i, value);
    }

private:
    const state::Inventory& inventory_;
    const Visit& visit_;
    bool done_ = false;
};

std::uint32_t word_at(const std::vector<std::byte>& bytes, std::size_t i, unsigned size) {
    std::uint32_t word = 0;
    for (unsigned b = 0; b < size; ++b) word |= std::to_integer<std::uint32_t>(bytes[i * size + b]) << 8 * b;
    return word;
}

// A number that the state does not have would be compared with nothing.
Result<void> numbers_below(std::string_view what, const json& given, std::size_t count) {
    for (const auto& [key, value] : given.items()) {
        const std::optional<std::uint64_t> number = parse_number(key);
        if (!number || *number >= count) return fail("case.expect", fmt::format("{} has no number '{}': they are 0 to {}", what, key, count - 1));
    }
    return {};
}

// Rows in hex by number; absent rows are zero.
Result<void> rows(Reader& c, const Section& s, std::size_t first_row, std::size_t row_count, const json& given,
                  unsigned word_bytes) {
    if (auto known = numbers_below(s.name, given, row_count); !known) return known;
    const std::size_t width = s.dimensions.back().size;
    for (std::size_t row = 0; row < row_count; ++row) {
        const auto it = given.find(std::to_string(row));
        std::vector<std::byte> bytes(width * word_bytes);
        if (it != given.end()) {
            auto parsed = parse_hex(it->get<std::string>(), {});
            if (!parsed) return tl::make_unexpected(parsed.error());
            if (parsed->size() != bytes.size())
                return fail("case.expect", fmt::format("{} row {} has {} bytes", s.name, row, parsed->size()));
            bytes = std::move(*parsed);
        }
        for (std::size_t i = 0; i < width; ++i)
            c.element(s, (first_row + row) * width + i, word_at(bytes, i, word_bytes));
    }
    return {};
}

Result<void> source(Reader& c, const json& given, const char* name) {
    const Section& s = c.section(name);
    if (auto known = numbers_below(s.name, given, 2); !known) return known;
    for (unsigned bank = 0; bank < 2; ++bank)
        if (auto done = rows(c, s, bank * 64, 64, given.value(std::to_string(bank), json::object()), 4); !done)
            return done;
    return {};
}

Result<void> l1(Reader& c, const json& given) {
    const Section& s = c.section("l1");
    for (const auto& region : given) {
        auto bytes = parse_hex(region.at("hex").get<std::string>(), {});
        if (!bytes) return tl::make_unexpected(bytes.error());
        const auto address = region.at("addr").get<std::size_t>();
        if (address > s.size || bytes->size() > s.size - address)
            return fail("l1.range", fmt::format("0x{:X} to 0x{:X} is not in L1, which has 0x{:X} bytes", address,
                                                address + bytes->size(), s.size));
        for (std::size_t i = 0; i < bytes->size(); ++i)
            c.element(s, address + i, std::to_integer<std::uint64_t>((*bytes)[i]));
    }
    return {};
}

// The fixed constants (8 to 10, 15) and the hidden register 16 are not part of a case.
Result<void> lregs(Reader& c, const json& given) {
    const Section& s = c.section("lregs");
    for (const auto& [first, count] : {std::pair{0u, 8u}, std::pair{11u, 4u}}) {
        json renumbered = json::object();
        for (unsigned i = 0; i < count; ++i)
            if (const auto it = given.find(std::to_string(first + i)); it != given.end())
                renumbered[std::to_string(i)] = *it;
        if (auto done = rows(c, s, first, count, renumbered, 4); !done) return done;
    }
    return {};
}

Result<void> dst_validity(Reader& c, const json& given) {
    const Section& s = c.section("dst_valid");
    std::vector<bool> valid(s.size, true);
    for (const auto& row : given) valid.at(row.get<std::size_t>()) = false;
    for (std::size_t i = 0; i < s.size; ++i) c.element(s, i, valid[i]);
    return {};
}

Result<void> rwc(Reader& c, const json& given) {
    const Section& s = c.section("rwc");
    const auto& labels = s.dimensions.back().labels;
    for (unsigned t = 0; t < 3; ++t)
        for (std::size_t i = 0; i < labels.size(); ++i)
            if (given.at(t).contains(labels[i]))
                c.element(s, t * labels.size() + i, given[t][labels[i]].get<std::uint64_t>());
    return {};
}

Result<void> adc(Reader& c, const json& given) {
    const Section& s = c.section("adc");
    const std::size_t per_channel = s.dimensions[3].size;
    for (unsigned t = 0; t < 3; ++t)
        for (unsigned u = 0; u < 3; ++u) {
            const json unit = given.at(t).value(s.dimensions[1].labels[u], json::object());
            for (unsigned channel = 0; channel < 2; ++channel)
                for (std::size_t i = 0; i < per_channel; ++i)
                    c.element(s, ((t * 3 + u) * 2 + channel) * per_channel + i,
                              unit.value(fmt::format("ch{}_{}", channel, s.dimensions[3].labels[i]), std::uint64_t{0}));
        }
    return {};
}

Result<void> gpr(Reader& c, const json& given) {
    const Section& s = c.section("gpr");
    if (auto known = numbers_below(s.name, given, 3); !known) return known;
    for (unsigned t = 0; t < 3; ++t) {
        const json registers = given.value(std::to_string(t), json::object());
        if (auto known = numbers_below(s.name, registers, 64); !known) return known;
        for (unsigned i = 0; i < 64; ++i)
            c.element(s, t * 64 + i, registers.value(std::to_string(i), std::uint64_t{0}));
    }
    return {};
}

Result<void> list(Reader& c, const char* name, const json& given) {
    const Section& s = c.section(name);
    for (std::size_t i = 0; i < given.size() && i < s.size; ++i) c.element(s, i, given[i].get<std::uint64_t>());
    return {};
}

Result<void> semaphores(Reader& c, const json& given) {
    if (auto done = list(c, "semaphore_value", given.at("value")); !done) return done;
    return list(c, "semaphore_max", given.at("max"));
}

Result<void> banks(Reader& c, const json& given) {
    const Section &owner = c.section("bank_owner"), &matrix = c.section("matrix_bank"),
                  &unpacker = c.section("unpacker"), &implied = c.section("implied_format");
    const std::size_t items = unpacker.dimensions[1].size;
    for (unsigned src = 0; src < 2; ++src) {
        const auto it = given.find(src ? "src_b" : "src_a");
        if (it == given.end()) continue;
        if (it->contains("valid"))
            for (unsigned bank = 0; bank < 2; ++bank)
                c.element(owner, src * 2 + bank, it->at("valid").get<std::uint64_t>() >> bank & 1);
        if (it->contains("unpack_bank")) c.element(unpacker, src * items, it->at("unpack_bank").get<std::uint64_t>());
        if (it->contains("matrix_bank")) c.element(matrix, src, it->at("matrix_bank").get<std::uint64_t>());
        if (it->contains("implied_format"))
            for (unsigned bank = 0; bank < 2; ++bank)
                c.element(implied, src * 2 + bank, it->at("implied_format").at(bank).get<std::uint64_t>());
    }
    return {};
}

Result<void> vector(Reader& c, const json& given) {
    auto scalar = [&](const char* key, const char* name) {
        if (given.contains(key)) c.element(c.section(name), 0, given[key].get<std::uint64_t>());
    };
    scalar("cc", "lane_flags");
    scalar("cc_en", "lane_flags_enable");
    scalar("lane_config", "lane_config");
    if (!given.contains("cc_stack")) return {};
    const auto& stack = given["cc_stack"];
    c.element(c.section("lane_flag_stack_size"), 0, stack.size());
    for (std::size_t i = 0; i < stack.size(); ++i)
        c.element(c.section("lane_flag_stack"), 2 * i, stack[i].get<std::uint64_t>());
    return {};
}

Result<void> config(Reader& c, const json& given) {
    const Section& s = c.section("config");
    for (const auto& [address, value] : given.items()) {
        const auto i = static_cast<std::size_t>(std::stoul(address));
        if (i >= s.size) return fail("case.expect", fmt::format("configuration word {} does not exist", address));
        c.element(s, i, value.get<std::uint64_t>());
    }
    return {};
}

// Sections by name, for state without a key of its own.
Result<void> sections(Reader& c, const json& given) {
    for (const auto& item : given.items()) {
        const auto* place = c.find(item.key());
        if (!place) return fail("case.expect", fmt::format("the state has no section '{}'", item.key()));
        const Section& s = place->section;
        std::map<std::size_t, std::uint64_t> values;
        for (const auto& [element, value] : item.value().items()) {
            const auto i = static_cast<std::size_t>(std::stoull(element));
            if (i >= s.size) return fail("case.expect", fmt::format("section {} has no element {}", s.name, element));
            values[i] = value.get<std::uint64_t>();
        }
        for (std::size_t i = 0; i < s.size; ++i) {
            const auto known = values.find(i);
            c.element(s, i, known == values.end() ? 0 : known->second);
        }
    }
    return {};
}

using Read = Result<void> (*)(Reader&, const json&);

constexpr std::pair<std::string_view, Read> keys[] = {
    {"l1", l1},
    {"src_a", [](Reader& c, const json& j) { return source(c, j, "src_a"); }},
    {"src_b", [](Reader& c, const json& j) { return source(c, j, "src_b"); }},
    {"dst", [](Reader& c, const json& j) { return rows(c, c.section("dst"), 0, 1024, j, 2); }},
    {"dst_invalid_rows", dst_validity},
    {"lregs", lregs},
    {"rwc", rwc},
    {"adc", adc},
    {"gpr", gpr},
    {"banks", banks},
    {"semaphores", semaphores},
    {"mutexes", [](Reader& c, const json& j) { return list(c, "mutex", j); }},
    {"vector", vector},
    {"cfg", config},
    {"sections", sections},
};

}  // namespace

Result<void> for_each_expected(Arch arch, const json& expect, const Visit& visit) {
    Reader reader(arch, visit);
    try {
        for (const auto& item : expect.items()) {
            const std::string& key = item.key();
            const auto known =
                std::find_if(std::begin(keys), std::end(keys), [&](const auto& k) { return k.first == key; });
            if (known == std::end(keys)) return fail("case.expect", fmt::format("`{}` is not known", key));
            if (auto done = known->second(reader, item.value()); !done) return done;
            if (reader.done()) break;
        }
    } catch (const std::exception& e) {
        return fail("case.expect", e.what());
    }
    return {};
}

}  // namespace tessera::check
