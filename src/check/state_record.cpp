// SPDX-License-Identifier: Apache-2.0
// Writes the end of a run in the form of cases; rows, counters and registers that are zero are omitted.
#include <fmt/format.h>

#include <bit>

#include "check/state_form.hpp"
#include "formats/layouts.hpp"
#include "util/hex.hpp"

namespace tessera::check {

namespace {

using Json = nlohmann::ordered_json;

class Writer {
public:
    explicit Writer(const Core& core) : core_(core) {}

    const Section& section(std::string_view name) const { return *core_.find_section(name).value(); }
    std::uint64_t at(const Section& s, std::size_t element) const { return core_.read(s, element); }
    std::uint64_t at(std::string_view name, std::size_t element) const { return at(section(name), element); }

    /// Non-zero rows from `first` on; their numbers in the form start at `number`.
    void rows(Json& into, const Section& s, std::size_t first, std::size_t count, std::size_t number,
              unsigned word_bytes) const {
        const std::size_t width = s.dimensions.back().size;
        for (std::size_t row = 0; row < count; ++row) {
            std::vector<std::byte> bytes;
            bool any = false;
            for (std::size_t i = 0; i < width; ++i) {
                const std::uint64_t value = at(s, (first + row) * width + i);
                any |= value != 0;
                for (unsigned b = 0; b < word_bytes; ++b) bytes.push_back(std::byte(value >> 8 * b & 0xFF));
            }
            if (any) into[std::to_string(number + row)] = util::to_hex(bytes);
        }
    }

    Json l1(std::span<const L1Range> dump) const {
        Json regions = Json::array();
        for (const auto& [address, length] : dump)
            regions.push_back({{"addr", address}, {"hex", util::to_hex(core_.read_l1(address, length).value())}});
        return regions;
    }

    Json source(std::string_view name) const {
        Json banks = Json::object();
        for (unsigned bank = 0; bank < 2; ++bank) {
            Json& into = banks[std::to_string(bank)] = Json::object();
            rows(into, section(name), bank * 64, 64, 0, 4);
        }
        return banks;
    }

    Json dst() const {
        Json into = Json::object();
        const Section& s = section("dst");
        rows(into, s, 0, s.dimensions.front().size, 0, 2);
        return into;
    }

    Json invalid_rows() const {
        Json list = Json::array();
        const Section& s = section("dst_valid");
        for (std::size_t row = 0; row < s.size; ++row)
            if (!at(s, row)) list.push_back(row);
        return list;
    }

    // The fixed constants (8 to 10, 15) and the hidden register 16 are not part of the form.
    Json lregs() const {
        Json into = Json::object();
        rows(into, section("lregs"), 0, 8, 0, 4);
        rows(into, section("lregs"), 11, 4, 11, 4);
        return into;
    }

    Json rwc() const {
        Json list = Json::array();
        const Section& s = section("rwc");
        const auto& labels = s.dimensions.back().labels;
        for (unsigned t = 0; t < 3; ++t) {
            Json counters = Json::object();
            for (std::size_t i = 0; i < labels.size(); ++i) counters[labels[i]] = at(s, t * labels.size() + i);
            list.push_back(std::move(counters));
        }
        return list;
    }

    Json adc() const {
        Json list = Json::array();
        const Section& s = section("adc");
        const auto& counters = s.dimensions[3].labels;
        std::size_t element = 0;
        for (unsigned t = 0; t < 3; ++t) {
            Json units = Json::object();
            for (const auto& unit : s.dimensions[1].labels) {
                Json set = Json::object();
                for (unsigned channel = 0; channel < 2; ++channel)
                    for (const auto& counter : counters)
                        if (const auto value = at(s, element++)) set[fmt::format("ch{}_{}", channel, counter)] = value;
                units[unit] = std::move(set);
            }
            list.push_back(std::move(units));
        }
        return list;
    }

    Json gpr() const {
        Json threads = Json::object();
        const Section& s = section("gpr");
        for (unsigned t = 0; t < 3; ++t)
            for (unsigned i = 0; i < 64; ++i)
                if (const auto value = at(s, t * 64 + i)) threads[std::to_string(t)][std::to_string(i)] = value;
        return threads;
    }

    Json list(std::string_view name) const {
        Json values = Json::array();
        const Section& s = section(name);
        for (std::size_t i = 0; i < s.size; ++i) values.push_back(at(s, i));
        return values;
    }

    Json banks() const {
        Json sources = Json::object();
        const std::size_t items = section("unpacker").dimensions[1].size;
        for (unsigned src = 0; src < 2; ++src) {
            Json& one = sources[src ? "src_b" : "src_a"];
            one["valid"] = at("bank_owner", src * 2) | at("bank_owner", src * 2 + 1) << 1;
            one["unpack_bank"] = at("unpacker", src * items);
            one["matrix_bank"] = at("matrix_bank", src);
            if (core_.arch() == Arch::blackhole)
                one["implied_format"] = {at("implied_format", src * 2), at("implied_format", src * 2 + 1)};
        }
        return sources;
    }

    Json vector() const {
        Json stack = Json::array();
        for (std::uint64_t i = 0; i < at("lane_flag_stack_size", 0); ++i) stack.push_back(at("lane_flag_stack", 2 * i));
        return {{"cc", at("lane_flags", 0)},
                {"cc_en", at("lane_flags_enable", 0)},
                {"cc_stack", std::move(stack)},
                {"lane_config", at("lane_config", 0)}};
    }

    // All of bank 0, because omitted words are not compared.
    Json config() const {
        Json words = Json::object();
        const Section& s = section("config");
        for (std::size_t i = 0; i < s.dimensions[1].size; ++i) words[std::to_string(i)] = at(s, i);
        return words;
    }

    Json rest() const {
        Json all = Json::object();
        for (const char* name : {"config", "thread_config", "mop_config", "mop_mask", "replay", "lane_flag_stack",
                                 "lane_config", "prng"}) {
            Json& into = all[name] = Json::object();
            const Section& s = section(name);
            for (std::size_t i = 0; i < s.size; ++i)
                if (const auto value = at(s, i)) into[std::to_string(i)] = value;
        }
        return all;
    }

private:
    const Core& core_;
};

}  // namespace

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

nlohmann::ordered_json expected_state(const Core& core, std::span<const L1Range> dump) {
    const Writer writer(core);
    Json expect = Json::object();
    expect["l1"] = writer.l1(dump);
    expect["src_a"] = writer.source("src_a");
    expect["src_b"] = writer.source("src_b");
    expect["dst"] = writer.dst();
    expect["dst_invalid_rows"] = writer.invalid_rows();
    expect["lregs"] = writer.lregs();
    expect["rwc"] = writer.rwc();
    expect["adc"] = writer.adc();
    expect["gpr"] = writer.gpr();
    expect["banks"] = writer.banks();
    expect["semaphores"] = {{"value", writer.list("semaphore_value")}, {"max", writer.list("semaphore_max")}};
    expect["mutexes"] = writer.list("mutex");
    expect["vector"] = writer.vector();
    expect["cfg"] = writer.config();
    expect["sections"] = writer.rest();
    return expect;
}

}  // namespace tessera::check
