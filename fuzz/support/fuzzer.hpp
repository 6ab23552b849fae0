// SPDX-License-Identifier: Apache-2.0
// What every fuzzer consists of: seeds, and what is done with an input. libFuzzer or support/main.cpp does the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::fuzz {

/// Inputs to begin with. Each fuzzer has its own.
std::vector<std::string> seeds();

/// Tries one input. It must come back: whatever is wrong with an input is a value.
void run(std::string_view input);

/// Ends the process as a failure when something that must hold does not.
void require(bool holds, const char* what);

/// Takes an input to pieces; behind its end everything is 0.
class Bytes {
public:
    explicit Bytes(std::string_view input) : rest_(input) {}

    bool empty() const { return rest_.empty(); }
    std::uint32_t take(unsigned bytes) {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < bytes && !rest_.empty(); ++i) {
            value |= std::uint32_t{static_cast<std::uint8_t>(rest_.front())} << 8 * i;
            rest_.remove_prefix(1);
        }
        return value;
    }
    std::string_view text(std::size_t n) {
        const std::string_view taken = rest_.substr(0, n);
        rest_.remove_prefix(taken.size());
        return taken;
    }

private:
    std::string_view rest_;
};

/// A file of the process's own, written anew for each input. Its name ends as `name` does.
std::string write_file(const std::string& name, std::string_view contents);

}  // namespace tessera::fuzz
