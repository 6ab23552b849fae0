// SPDX-License-Identifier: Apache-2.0
#include "check/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "check/case_file.hpp"
#include "formats/layouts.hpp"

namespace tessera::check {

namespace {

using nlohmann::json;

const Section& section(const Core& core, std::string_view name) {
    const auto sections = core.sections();
    return *std::find_if(sections.begin(), sections.end(), [&](const Section& s) { return s.name == name; });
}

// What a stored pattern may mean, for people.
std::string meaning(const Section& section, std::uint64_t value) {
    if (section.name == "src_a" || section.name == "src_b") {
        return fmt::format(" ({} as TF32)",
                           std::bit_cast<float>(formats::src_from_stored(static_cast<std::uint32_t>(value))));
    }
    if (section.name == "dst") {
        const auto bits = formats::dst_from_stored(static_cast<std::uint32_t>(value));
        return fmt::format(" ({} as BF16, {} as FP16)", std::bit_cast<float>(bits << 16),
                           std::bit_cast<float>(formats::fp32_from_fp16(formats::fp16_from_dst(bits))));
    }
    if (section.name == "lregs")
        return fmt::format(" ({} as FP32)", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
    return {};
}

class Comparison {
public:
    explicit Comparison(const Core& core) : core_(core) {}

    bool different() const { return !text_.empty(); }
    const std::string& text() const { return text_; }

    void element(const Section& s, std::size_t i, std::uint64_t expected) {
        if (different()) return;
        const std::uint64_t is = core_.read(s, i);
        if (is == expected) return;
        text_ = fmt::format("{} is 0x{:X}{}, expected 0x{:X}{}", s.describe(i), is, meaning(s, is), expected,
                            meaning(s, expected));
    }
    const Core& core() const { return core_; }

private:
    const Core& core_;
    std::string text_;
};

std::uint32_t word_at(const std::vector<std::byte>& bytes, std::size_t i, unsigned size) {
    std::uint32_t word = 0;
    for (unsigned b = 0; b < size; ++b) word |= std::to_integer<std::uint32_t>(bytes[i * size + b]) << 8 * b;
    return word;
}

// Rows given as hex by number; rows that are absent are zero.
Result<void> rows(Comparison& c, const Section& s, std::size_t first_row, std::size_t row_count, const json& given,
                  unsigned word_bytes) {
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

Result<void> source(Comparison& c, const json& given, const char* name) {
    const Section& s = section(c.core(), name);
    for (unsigned bank = 0; bank < 2; ++bank)
        if (auto done = rows(c, s, bank * 64, 64, given.value(std::to_string(bank), json::object()), 4); !done)
            return done;
    return {};
}

Result<void> l1(Comparison& c, const json& given) {
    for (const auto& region : given) {
        auto bytes = parse_hex(region.at("hex").get<std::string>(), {});
        if (!bytes) return tl::make_unexpected(bytes.error());
        const Section& s = section(c.core(), "l1");
        const auto address = region.at("addr").get<std::size_t>();
        auto is = c.core().read_l1(address, bytes->size());
        if (!is) return tl::make_unexpected(is.error());
        if (*is == *bytes) continue;
        const auto at =
            static_cast<std::size_t>(std::mismatch(is->begin(), is->end(), bytes->begin()).first - is->begin());
        c.element(s, address + at, std::to_integer<std::uint64_t>((*bytes)[at]));
    }
    return {};
}

// The fixed constants (8 to 10, 15) and the hidden register 16 are not part of a case.
Result<void> lregs(Comparison& c, const json& given) {
    const Section& s = section(c.core(), "lregs");
    for (const auto& [first, count] : {std::pair{0u, 8u}, std::pair{11u, 4u}}) {
        json renumbered = json::object();
        for (unsigned i = 0; i < count; ++i)
            if (const auto it = given.find(std::to_string(first + i)); it != given.end())
                renumbered[std::to_string(i)] = *it;
        if (auto done = rows(c, s, first, count, renumbered, 4); !done) return done;
    }
    return {};
}

Result<void> dst_validity(Comparison& c, const json& given) {
    const Section& s = section(c.core(), "dst_valid");
    std::vector<bool> valid(s.size, true);
    for (const auto& row : given) valid.at(row.get<std::size_t>()) = false;
    for (std::size_t i = 0; i < s.size; ++i) c.element(s, i, valid[i]);
    return {};
}

Result<void> rwc(Comparison& c, const json& given) {
    const Section& s = section(c.core(), "rwc");
    const auto& labels = s.dimensions.back().labels;
    for (unsigned t = 0; t < 3; ++t)
        for (std::size_t i = 0; i < labels.size(); ++i)
            if (given.at(t).contains(labels[i]))
                c.element(s, t * labels.size() + i, given[t][labels[i]].get<std::uint64_t>());
    return {};
}

Result<void> adc(Comparison& c, const json& given) {
    const Section& s = section(c.core(), "adc");
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

Result<void> gpr(Comparison& c, const json& given) {
    const Section& s = section(c.core(), "gpr");
    for (unsigned t = 0; t < 3; ++t) {
        const json registers = given.value(std::to_string(t), json::object());
        for (unsigned i = 0; i < 64; ++i)
            c.element(s, t * 64 + i, registers.value(std::to_string(i), std::uint64_t{0}));
    }
    return {};
}

Result<void> list(Comparison& c, const char* name, const json& given) {
    const Section& s = section(c.core(), name);
    for (std::size_t i = 0; i < given.size() && i < s.size; ++i) c.element(s, i, given[i].get<std::uint64_t>());
    return {};
}

Result<void> semaphores(Comparison& c, const json& given) {
    if (auto done = list(c, "semaphore_value", given.at("value")); !done) return done;
    return list(c, "semaphore_max", given.at("max"));
}

Result<void> banks(Comparison& c, const json& given) {
    const Section &owner = section(c.core(), "bank_owner"), &matrix = section(c.core(), "matrix_bank"),
                  &unpacker = section(c.core(), "unpacker"), &implied = section(c.core(), "implied_format");
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

Result<void> vector(Comparison& c, const json& given) {
    auto scalar = [&](const char* key, const char* name) {
        if (given.contains(key)) c.element(section(c.core(), name), 0, given[key].get<std::uint64_t>());
    };
    scalar("cc", "lane_flags");
    scalar("cc_en", "lane_flags_enable");
    scalar("lane_config", "lane_config");
    if (!given.contains("cc_stack")) return {};
    const auto& stack = given["cc_stack"];
    c.element(section(c.core(), "lane_flag_stack_size"), 0, stack.size());
    for (std::size_t i = 0; i < stack.size(); ++i)
        c.element(section(c.core(), "lane_flag_stack"), 2 * i, stack[i].get<std::uint64_t>());
    return {};
}

Result<void> config(Comparison& c, const json& given) {
    const Section& s = section(c.core(), "config");
    for (const auto& [address, value] : given.items()) {
        const auto i = static_cast<std::size_t>(std::stoul(address));
        if (i >= s.size) return fail("case.expect", fmt::format("there is no configuration word {}", address));
        c.element(s, i, value.get<std::uint64_t>());
    }
    return {};
}

using Compare = Result<void> (*)(Comparison&, const json&);

constexpr std::pair<std::string_view, Compare> keys[] = {
    {"l1", l1},
    {"src_a", [](Comparison& c, const json& j) { return source(c, j, "src_a"); }},
    {"src_b", [](Comparison& c, const json& j) { return source(c, j, "src_b"); }},
    {"dst", [](Comparison& c, const json& j) { return rows(c, section(c.core(), "dst"), 0, 1024, j, 2); }},
    {"dst_invalid_rows", dst_validity},
    {"lregs", lregs},
    {"rwc", rwc},
    {"adc", adc},
    {"gpr", gpr},
    {"banks", banks},
    {"semaphores", semaphores},
    {"mutexes", [](Comparison& c, const json& j) { return list(c, "mutex", j); }},
    {"vector", vector},
    {"cfg", config},
};

}  // namespace

Result<std::string> first_difference(const Core& core, const json& expect) {
    Comparison comparison(core);
    try {
        for (const auto& item : expect.items()) {
            const std::string& key = item.key();
            const auto known =
                std::find_if(std::begin(keys), std::end(keys), [&](const auto& k) { return k.first == key; });
            if (known == std::end(keys)) return fail("case.expect", fmt::format("`{}` is not known", key));
            if (auto done = known->second(comparison, item.value()); !done) return tl::make_unexpected(done.error());
            if (comparison.different()) break;
        }
    } catch (const std::exception& e) {
        return fail("case.expect", e.what());
    }
    return comparison.text();
}

}  // namespace tessera::check
