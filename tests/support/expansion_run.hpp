// SPDX-License-Identifier: Apache-2.0
// Runs a thread's ops and lists the words at the wait gate.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tessera/core.hpp"

namespace tessera::test {

inline Op ins(std::uint32_t word) { return {Op::Kind::ins, 0, word, 0}; }
inline Op mop_register(unsigned i, std::uint32_t value) {
    return {Op::Kind::mop, static_cast<std::uint16_t>(i), value, 0};
}
inline Op drain() { return {Op::Kind::drain, 0, 0, 0}; }

constexpr std::uint32_t nop = 0x02000000;
constexpr std::uint32_t mop0(std::uint32_t count1, std::uint32_t mask = 0) { return 0x01000000 | count1 << 16 | mask; }
constexpr std::uint32_t mop1 = 0x01800000;
constexpr std::uint32_t mop_cfg(std::uint32_t mask_hi) { return 0x03000000 | mask_hi; }
constexpr std::uint32_t replay(std::uint32_t first, std::uint32_t count) {
    return 0x04000000 | first << 14 | count << 4;
}
constexpr std::uint32_t record(std::uint32_t first, std::uint32_t count) { return replay(first, count) | 1; }
constexpr std::uint32_t record_and_execute(std::uint32_t first, std::uint32_t count) {
    return record(first, count) | 2;
}
/// A SETC16 of an unused register, as a distinguishable instruction.
constexpr std::uint32_t mark(std::uint32_t value) { return 0xB2010000 | value; }

struct Expanded {
    Run run;
    std::vector<Event> events;  ///< in the order of issue
    Core core;

    std::vector<std::uint32_t> words() const {
        std::vector<std::uint32_t> list;
        for (const auto& event : events) list.push_back(event.word);
        return list;
    }
    const Finding* finding(const std::string& code) const {
        for (const auto& f : run.findings)
            if (f.code == code) return &f;
        return nullptr;
    }
    std::uint64_t read(std::string_view section, std::size_t element) const {
        for (const auto& s : core.sections())
            if (s.name == section) return core.read(s, element);
        return ~std::uint64_t{0};
    }
};

/// Thread 1 does `ops`, the other two nothing.
inline Expanded run_ops(Arch arch, std::vector<Op> ops, RunOptions options = {}) {
    Program program;
    program.arch = arch;
    program.threads[1] = std::move(ops);
    Expanded result{{}, {}, Core(arch, Reset::vendor_sim)};
    options.on_event = [&](const Event& event) { result.events.push_back(event); };
    result.run = result.core.run(program, options).value();
    std::stable_sort(result.events.begin(), result.events.end(),
                     [](const Event& a, const Event& b) { return a.issue < b.issue; });
    return result;
}

}  // namespace tessera::test
