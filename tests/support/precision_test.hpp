// SPDX-License-Identifier: Apache-2.0
// Programs of one thread, and the findings of a code in them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "registers/field.hpp"
#include "support/timeline.hpp"

namespace tessera::test {

class Precision : public testing::TestWithParam<Arch> {
protected:
    Arch arch = GetParam();
    bool blackhole() const { return arch == Arch::blackhole; }

    Timeline unpack(const std::string& text) const { return run(arch, {text, "", ""}); }
    std::string stores_wait(unsigned block = 8) const {
        return fmt::format("STALLWAIT stall_res={} wait_res=1<<{}\n", block, blackhole() ? 10 : 13);
    }
    registers::FieldPosition place(std::string_view field) const {
        return registers::find_field(field, arch)->spec->at(arch);
    }

    static std::vector<const Finding*> of(const Timeline& timeline, std::string_view code) {
        std::vector<const Finding*> found;
        for (const Finding& one : timeline.run.findings)
            if (one.code == code) found.push_back(&one);
        return found;
    }
    static const Finding& only(const Timeline& timeline, std::string_view code) {
        const auto found = of(timeline, code);
        if (found.size() != 1) throw std::runtime_error(fmt::format("{} times {}", found.size(), code));
        return *found[0];
    }
    static std::string nops(unsigned count) { return fmt::format(".repeat {}\nNOP\n.end\n", count); }
};

inline const std::string unpack_a = "UNPACR SetDatValid=1 Last=1\n";

}  // namespace tessera::test
