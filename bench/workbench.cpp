// SPDX-License-Identifier: Apache-2.0
#include "workbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>

#include "findings/catalogue.hpp"
#include "tessera/assembly.hpp"
#include "units/resolve.hpp"

namespace tessera::bench {

namespace {

std::vector<Op> ops_of(std::string_view text, Arch chip) {
    const auto program = assemble(text, chip);
    if (!program) throw std::runtime_error(program.error().describe());
    return program->threads[0];
}

}  // namespace

Workbench::Workbench(Arch arch, unsigned seed, std::string_view setup) : state(arch) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    for (unsigned i = 0; i < state::LRegs::writable * state::LRegs::lanes; ++i)
        state.lregs.lane[i] = std::bit_cast<std::uint32_t>(normal(random));
    auto bf16 = [&] {
        const float value = normal(random);
        std::uint32_t word;
        std::memcpy(&word, &value, 4);
        return word & 0xFFFF0000;
    };
    for (auto& source : state.src)
        for (auto& bank : source) {
            for (auto& datum : bank.datums) datum = bf16();
            bank.written = ~std::uint64_t{0};
        }
    for (auto& datum : state.dst.datums) datum = static_cast<std::uint16_t>(bf16() >> 16);
    state.dst.valid.set();
    for (const Op& op : ops_of(setup, arch)) {
        if (op.kind == Op::Kind::cfg)
            state.write(state::cells::config(state.arch(), op.index / state.arch().config_words,
                                             op.index % state.arch().config_words),
                        op.value);
        else
            execute(isa::decode(op.value, arch));
    }
}

void Workbench::fill_l1(unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    const auto size = static_cast<std::uint32_t>(state.l1.bytes.size());
    std::uint8_t* const l1 = state.l1.write(0, size);
    for (std::size_t i = 0; i + 4 <= size; i += 4) {
        const float value = normal(random);
        // Both the FP32 number and its halves, read as BF16, are in range.
        std::uint32_t word;
        std::memcpy(&word, &value, 4);
        const float other = normal(random);
        std::uint32_t low;
        std::memcpy(&low, &other, 4);
        word = (word & 0xFFFF0000) | low >> 16;
        std::memcpy(l1 + i, &word, 4);
    }
}

void Workbench::write_blocks(std::uint32_t exponents, std::uint32_t datums, std::uint32_t count, unsigned bits) {
    constexpr std::uint32_t block = 16;
    std::mt19937 random(bits);
    std::normal_distribution<float> normal;
    std::uint8_t* const out = state.l1.write(datums, count * bits / 8);
    std::fill_n(out, count * bits / 8, 0);
    for (std::uint32_t first = 0; first < count; first += block) {
        std::array<float, block> values;
        float largest = 0;
        for (float& value : values) {
            value = normal(random);
            largest = std::max(largest, std::abs(value));
        }
        const int exponent = std::ilogb(largest);
        *state.l1.write_in_line(exponents + first / block) = static_cast<std::uint8_t>(127 + exponent);
        for (std::uint32_t i = 0; i < block; ++i) {
            const auto magnitude =
                static_cast<std::uint32_t>(std::ldexp(std::abs(values[i]), static_cast<int>(bits) - 2 - exponent));
            const std::uint32_t sign = magnitude && values[i] < 0 ? 1u << (bits - 1) : 0, bit = (first + i) * bits;
            out[bit / 8] |= static_cast<std::uint8_t>((sign | magnitude) << bit % 8);
        }
    }
}

std::vector<isa::Instruction> Workbench::instructions(std::string_view text) const {
    std::vector<isa::Instruction> result;
    for (const Op& op : ops_of(text, state.arch().arch)) result.push_back(isa::decode(op.value, state.arch().arch));
    return result;
}

plan::Plan Workbench::execute(const isa::Instruction& instruction) {
    plan::Plan plan;
    const auto& costs = units::costs(state.arch().arch, Timing::documented);
    units::resolve(units::StateView(instruction, 0, state, costs, slots_.get()), plan);
    if (plan.fault)
        throw std::runtime_error(fmt::format("{}: {} {}", disassemble(instruction.word, instruction.arch),
                                             findings::entry(plan.fault->id).code, plan.fault->detail));
    plan::run_whole(plan, state);
    return plan;
}

void Workbench::execute(std::string_view text) {
    for (const auto& instruction : instructions(text)) execute(instruction);
}

}  // namespace tessera::bench
