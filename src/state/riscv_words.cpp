// SPDX-License-Identifier: Apache-2.0
#include "state/riscv_words.hpp"

#include <cstring>

namespace tessera::state::riscv_words {

namespace {

std::uint32_t half(std::uint64_t count, unsigned which) { return static_cast<std::uint32_t>(count >> 32 * which); }
void set_half(std::uint64_t& count, unsigned which, std::uint32_t value) {
    count = (count & ~(std::uint64_t{0xFFFF'FFFF} << 32 * which)) | std::uint64_t{value} << 32 * which;
}

}  // namespace

std::uint32_t read(const Riscv& core, unsigned word) {
    if (word < pc) return core.x[word - x];
    if (word < csr) return core.pc;
    if (word < counts) return core.csr[word - csr];
    if (word < l0_line) return half(word - counts < 2 ? core.cycles : core.retired, (word - counts) % 2);
    if (word < l0_next) {
        const auto& line = core.l0.line[(word - l0_line) / l0_items];
        const unsigned item = (word - l0_line) % l0_items;
        if (item == 0) return line.address;
        std::uint32_t bytes = 0;
        std::memcpy(&bytes, &line.bytes[(item - 1) * 4], 4);
        return bytes;
    }
    if (word == l0_next) return core.l0.next;
    if (word == l0_hits) return core.l0.hits;
    return word == running ? core.running : core.paused;
}

void write(Riscv& core, unsigned word, std::uint32_t value) {
    if (word < pc) {
        core.x[word - x] = value;
    } else if (word < csr) {
        core.pc = value;
    } else if (word < counts) {
        core.csr[word - csr] = value;
    } else if (word < l0_line) {
        set_half(word - counts < 2 ? core.cycles : core.retired, (word - counts) % 2, value);
    } else if (word < l0_next) {
        auto& line = core.l0.line[(word - l0_line) / l0_items];
        const unsigned item = (word - l0_line) % l0_items;
        if (item == 0)
            line.address = value;
        else
            std::memcpy(&line.bytes[(item - 1) * 4], &value, 4);
    } else if (word == l0_next) {
        core.l0.next = value % L0::lines;
    } else if (word == l0_hits) {
        core.l0.hits = value;
    } else {
        (word == running ? core.running : core.paused) = value & 1;
    }
}

}  // namespace tessera::state::riscv_words
