// SPDX-License-Identifier: Apache-2.0
// The interface of a fuzzer: seeds, and a function for an input. libFuzzer or support/main.cpp drives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::fuzz {

struct Fuzzer {
    std::string_view name;
    std::vector<std::string> (*seeds)();  ///< the initial inputs
    void (*run)(std::string_view input);  ///< tries one input. It must return: all errors are values
};

// Each fuzz/NAME.cpp has one; support/fuzzers.cpp lists them.
extern const Fuzzer assembly_fuzzer, cases_fuzzer, core_fuzzer, elf_fuzzer, gdb_packets_fuzzer, host_fuzzer, instructions_fuzzer, job_fuzzer,
    noc_fuzzer, npy_fuzzer, reference_fuzzer, snapshots_fuzzer, state_text_fuzzer, streams_fuzzer, tensors_fuzzer, words_fuzzer;

/// All of them.
std::span<const Fuzzer* const> fuzzers();
/// Null: there is none of that name.
const Fuzzer* find_fuzzer(std::string_view name);

/// The seeds, and the inputs that are kept in fuzz/corpus/NAME.
std::vector<std::string> inputs_of(const Fuzzer& fuzzer);

/// Aborts the process if `holds` is false.
void require(bool holds, const char* what);

/// Reads an input piece by piece; past the end, everything is 0.
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

/// Writes a file of this process, replaced for each input. Its name ends like `name`.
std::string write_file(const std::string& name, std::string_view contents);

}  // namespace tessera::fuzz
