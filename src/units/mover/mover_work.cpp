// SPDX-License-Identifier: Apache-2.0
// Lines of 16 bytes from L1, or zeros, to L1, configuration or instruction RAM.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "plan/work.hpp"
#include "state/config_store.hpp"
#include "state/riscv_words.hpp"

namespace tessera::plan {

namespace {

constexpr std::uint32_t line_bytes = 16;

// Calls f(bank, addr32, i) for each writable word of configuration among `count` words of its map from `first` on; i
// counts the words. The map has both banks and, on Blackhole, a third part that means both at once.
template <class F>
void for_each_word(const state::ArchDescription& arch, std::uint32_t first, std::uint32_t count, F&& f) {
    const std::uint32_t words = arch.config_words;
    for (unsigned bank = 0; bank < 2; ++bank)
        for (const std::uint32_t part : {bank, 2u}) {
            if (part == 2 && !arch.config_dual_write) continue;
            const std::uint32_t begin = std::max(first, part * words);
            const std::uint32_t end = std::min(first + count, (part + 1) * words);
            for (std::uint32_t at = begin; at < end; ++at) f(bank, at - part * words, at - first);
        }
}

}  // namespace

void run(const MoverWork& work, state::State& state) {
    if (work.to == MoverWork::nowhere) return;
    const auto& l1 = state.l1.bytes;
    if (work.to_config)
        return for_each_word(state.arch(), work.to, work.bytes / 4, [&](unsigned bank, unsigned addr32, unsigned i) {
            std::uint32_t value = 0;
            if (!work.zeros) std::memcpy(&value, l1.data() + work.from + 4 * i, sizeof value);
            state::store_config(state, bank, addr32, value);
        });
    std::uint8_t* const target = work.to_iram ? state.iram.data() + work.to : state.l1.write(work.to, work.bytes);
    for (std::uint32_t i = 0; i < work.bytes; i += line_bytes) {
        std::array<std::uint8_t, line_bytes> line{};
        if (!work.zeros) std::memcpy(line.data(), l1.data() + work.from + i, line_bytes);
        std::memcpy(target + i, line.data(), line_bytes);
    }
}

void footprint(const MoverWork& work, Footprint& out) {
    if (!work.zeros) out.read(Storage::l1, work.from, work.bytes);
    if (work.to == MoverWork::nowhere) return;
    if (work.to_iram) return out.write(Storage::riscv_local, state::riscv_words::iram + work.to, work.bytes);
    if (!work.to_config) return out.write(Storage::l1, work.to, work.bytes);
    const auto& arch = state::describe(work.arch);
    for_each_word(arch, work.to, work.bytes / 4, [&](unsigned bank, unsigned addr32, unsigned) {
        if (state::resets_bank(arch, addr32))
            out.write(Storage::cell, state::index(state::cells::config(arch, bank, 0)), arch.shared_config_base);
        else
            out.write(state::cells::config(arch, bank, addr32));
        if (state::seeds_prng(arch, addr32))
            out.write(Storage::cell, state::cells::prng_block.first, state::cells::prng_block.count);
    });
}

void explain(const MoverWork& work, Lines& lines) {
    const std::string from = work.zeros ? "zeros" : fmt::format("L1 0x{:X}", work.from);
    std::string to = fmt::format("L1 0x{:X}", work.to);
    if (work.to == MoverWork::nowhere)
        to = "nowhere";
    else if (work.to_iram)
        to = fmt::format("instruction RAM 0x{:X}", work.to);
    else if (work.to_config)
        to = fmt::format("configuration, from word {} of its map on", work.to);
    lines.emplace_back("moves", fmt::format("{} bytes from {} to {}", work.bytes, from, to));
}

}  // namespace tessera::plan
