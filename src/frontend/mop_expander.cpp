// SPDX-License-Identifier: Apache-2.0
#include "frontend/mop_expander.hpp"

#include <array>

#include "isa/opcode.hpp"
#include "isa/values/frontend.hpp"

namespace tessera::frontend {

namespace {

using state::Mop;
using state::MopActive;
using state::State;

constexpr auto mop_type = isa::operand("MOP", "mop_type");
constexpr auto loop_count = isa::operand("MOP", "loop_count");
constexpr auto mask_low = isa::operand("MOP", "zmask_lo16_or_loop_count", "zmask_lo16");
constexpr auto mask_high = isa::operand("MOP_CFG", "zmask_hi16");

// MOP registers by their use.
using isa::value, isa::values::mop_registers_0, isa::values::mop_registers_1;
enum Template0 : unsigned {
    flags0 = value(mop_registers_0, "flags0"),
    b = value(mop_registers_0, "b"),
    a0 = value(mop_registers_0, "a0"),
    skip_a0 = value(mop_registers_0, "skip_a0"),
    skip_b = value(mop_registers_0, "skip_b")
};
enum Template1 : unsigned {
    outer_count = value(mop_registers_1, "outer_count"),
    inner_count = value(mop_registers_1, "inner_count"),
    start_op = value(mop_registers_1, "start_op"),
    end_op0 = value(mop_registers_1, "end_op0"),
    end_op1 = value(mop_registers_1, "end_op1"),
    loop_op = value(mop_registers_1, "loop_op"),
    loop_op1 = value(mop_registers_1, "loop_op1"),
    loop0_last = value(mop_registers_1, "loop0_last"),
    loop1_last = value(mop_registers_1, "loop1_last")
};
constexpr std::uint32_t has_b = 1, has_a123 = 2;  // flags of template 0
constexpr std::uint32_t alternates = 1;           // flag of template 1

// Steps of one iteration. Template 0: A0, A1, A2, A3, B, with SkipA0 and SkipB in place of the first and the last.
// Template 1, outer loop: Step1.
constexpr std::uint32_t step_b = 4;
enum Step1 : std::uint32_t { start, loop, end0, end1 };

constexpr std::uint32_t erratum_adds = 128;  // to an outer count of 1

/// View of an expansion: of a thread's cells, or of a copy. Only the expander's rules depend on them.
class Expansion {
public:
    explicit Expansion(std::uint32_t* cells) : cells_(cells) {}
    Expansion(State& state, unsigned thread) : Expansion(state.data(state::cells::mop_expansion(thread, Mop(0)))) {}
    std::uint32_t& operator[](Mop item) { return cells_[static_cast<unsigned>(item)]; }

private:
    std::uint32_t* cells_;
};

std::uint32_t get(const State& state, unsigned thread, Mop item) {
    return state[state::cells::mop_expansion(thread, item)];
}

bool is_nop(MopRegisters registers, unsigned i) { return isa::is_word_of(isa::mnemonic("NOP"), registers[i]); }

bool emits0(std::uint32_t step, bool skipped, std::uint32_t flags) {
    if (step == 0) return true;
    if (step == step_b) return (flags & has_b) != 0;
    return !skipped && (flags & has_a123) != 0;
}

// Advances to the next step that emits an instruction, or to the end of the expansion.
void settle0(Expansion& left) {
    std::uint32_t step = left[Mop::step];
    while (step <= step_b && !emits0(step, (left[Mop::mask] & 1) != 0, left[Mop::flags])) ++step;
    if (step > step_b) {
        step = 0;
        left[Mop::mask] >>= 1;
        if (++left[Mop::outer_at] >= left[Mop::outer]) left[Mop::active] = static_cast<std::uint32_t>(MopActive::none);
    }
    left[Mop::step] = step;
}

void settle1(MopRegisters registers, Expansion& left) {
    const std::uint32_t outer = left[Mop::outer];
    std::uint32_t at = left[Mop::outer_at], step = left[Mop::step];
    while (at < outer) {
        if (step == start && !is_nop(registers, start_op)) break;
        if (step == loop && left[Mop::inner_at] < left[Mop::inner]) break;
        if (step == end0) {
            if (!is_nop(registers, end_op0)) break;
            step = end1;  // EndOp1 only ever follows EndOp0
        } else if (step == end1 && !is_nop(registers, end_op1)) {
            break;
        }
        if (step != end1) {
            ++step;
            continue;
        }
        step = start;
        ++at;
        left[Mop::inner_at] = 0;
    }
    left[Mop::outer_at] = at;
    left[Mop::step] = step;
    if (at >= outer) left[Mop::active] = static_cast<std::uint32_t>(MopActive::none);
}

}  // namespace

std::string_view mop_register_name(unsigned mop_template, unsigned item) {
    constexpr std::string_view names[2][9] = {{"unused", "the flags", "B", "A0", "A1", "A2", "A3", "SkipA0", "SkipB"},
                                              {"the outer count", "the inner count", "StartOp", "EndOp0", "EndOp1",
                                               "LoopOp", "LoopOp1", "Loop0Last", "Loop1Last"}};
    return names[mop_template][item];
}

void stop_mop(State& state, unsigned thread) {
    Expansion(state, thread)[Mop::active] = static_cast<std::uint32_t>(MopActive::none);
}

namespace {

bool has_erratum(MopRegisters registers, std::uint32_t outer, std::uint32_t inner) {
    return outer == 1 && inner == 0 && is_nop(registers, start_op) && !is_nop(registers, end_op0);
}

/// Counts have so many bits.
std::uint32_t count_mask(const state::ArchDescription& arch) { return (1u << arch.mop_count_bits) - 1; }

void begin(Expansion left, const isa::Instruction& mop, MopRegisters registers, std::uint32_t upper_mask,
           const state::ArchDescription& arch) {
    for (Mop item : {Mop::outer_at, Mop::inner_at, Mop::step, Mop::inner, Mop::mask, Mop::flags}) left[item] = 0;
    if (mop[mop_type] == 0) {
        left[Mop::active] = static_cast<std::uint32_t>(MopActive::template0);
        left[Mop::outer] = mop[loop_count] + 1;
        left[Mop::mask] = upper_mask << 16 | mop[mask_low];
        left[Mop::flags] = registers[flags0] & (has_b | has_a123);
        return settle0(left);
    }
    std::uint32_t outer = registers[outer_count] & count_mask(arch);
    std::uint32_t inner = registers[inner_count] & count_mask(arch);
    const bool alternating = !is_nop(registers, loop_op1);
    if (alternating) inner *= 2;
    if (has_erratum(registers, outer, inner)) outer += erratum_adds;
    left[Mop::active] = static_cast<std::uint32_t>(MopActive::template1);
    left[Mop::outer] = outer;
    left[Mop::inner] = inner;
    left[Mop::flags] = alternating ? alternates : 0;
    settle1(registers, left);
}

// The instruction that comes next has been emitted.
void advance(MopRegisters registers, Expansion left) {
    std::uint32_t& step = left[Mop::step];
    if (MopActive(left[Mop::active]) == MopActive::template0) {
        ++step;
        return settle0(left);
    }
    if (step == loop) {
        ++left[Mop::inner_at];
    } else if (step == end1) {
        step = start;
        left[Mop::inner_at] = 0;
        ++left[Mop::outer_at];
    } else {
        ++step;
    }
    settle1(registers, left);
}

/// The source of the next word of an expansion, whose cells `get` has.
template <class Get>
MopSource source_of(Get&& get) {
    const std::uint32_t step = get(Mop::step);
    if (MopActive(get(Mop::active)) == MopActive::template0) {
        if (get(Mop::mask) & 1) return {0, step == 0 ? skip_a0 : skip_b};
        return {0, step == step_b ? b : a0 + step};
    }
    switch (step) {
        case start: return {1, start_op};
        case end0: return {1, end_op0};
        case end1: return {1, end_op1};
        default: break;
    }
    const std::uint32_t at = get(Mop::inner_at);
    const bool last = get(Mop::outer_at) + 1 == get(Mop::outer);
    if (at + 1 == get(Mop::inner)) return {1, last ? loop0_last : loop1_last};
    const bool second = (get(Mop::flags) & alternates) && (at & 1);
    return {1, second ? loop_op1 : loop_op};
}

/// A copy of an expansion, to go through without a thread.
using Copy = std::array<std::uint32_t, static_cast<std::size_t>(Mop::count)>;

MopRest rest_of(MopRegisters registers, Copy& cells, unsigned most, unsigned told) {
    MopRest rest;
    for (Expansion left(cells.data()); MopActive(left[Mop::active]) != MopActive::none && rest.words <= most;
         advance(registers, left))
        if (rest.words++ < told) rest.registers |= 1u << source_of([&](Mop item) { return left[item]; }).item;
    return rest;
}

}  // namespace

void start_mop(State& state, unsigned thread, const isa::Instruction& mop, std::uint16_t stored,
               ExpanderListener& listener, const WordOrigin& origin) {
    const MopRegisters registers = mop_registers(state, thread);
    const auto tell = [&](const findings::Note& what) { listener.found(what, thread, origin); };
    const auto tell_unwritten = [&](unsigned i) {
        if (!(stored >> i & 1))
            tell({findings::id("frontend.mop-unwritten"), {i}, mop_register_name(mop[mop_type], i)});
    };
    begin(Expansion(state, thread), mop, registers, state[state::cells::mop_mask_block[thread]], state.arch());
    if (mop[mop_type] == 0) return tell_unwritten(flags0);

    if (const std::uint32_t unused = mop[loop_count] << 16 | mop[mask_low])
        tell({findings::id("frontend.mop-word-counts"), {unused}});
    const std::uint32_t mask = count_mask(state.arch());
    for (unsigned i : {outer_count, inner_count})
        if (const std::uint32_t count = registers[i]; count > mask) {
            tell({findings::id("frontend.mop-count"), {i, count, state.arch().mop_count_bits, count & mask}});
            break;
        }
    for (unsigned i : {outer_count, inner_count}) tell_unwritten(i);
    const std::uint32_t outer = registers[outer_count] & mask;
    if (!mop_active(state, thread))
        tell({findings::id("frontend.mop-empty"),
              {},
              outer ? "its inner count is 0, and neither StartOp nor EndOp0 is an instruction"
                    : "its outer count is 0"});
    if (has_erratum(registers, outer, registers[inner_count] & mask))
        tell({findings::id("frontend.mop-outer-erratum"), {outer + erratum_adds}});
}

MopRest mop_rest(const State& state, unsigned thread, unsigned most, unsigned told) {
    Copy cells;
    for (unsigned i = 0; i < cells.size(); ++i) cells[i] = get(state, thread, Mop(i));
    return rest_of(mop_registers(state, thread), cells, most, told);
}

MopRest mop_rest(const isa::Instruction& mop, MopRegisters registers, std::uint32_t upper_mask,
                 const state::ArchDescription& arch, unsigned most, unsigned told) {
    Copy cells{};
    begin(Expansion(cells.data()), mop, registers, upper_mask, arch);
    return rest_of(registers, cells, most, told);
}

MopSource mop_source(const State& state, unsigned thread) {
    return source_of([&](Mop item) { return get(state, thread, item); });
}

std::uint32_t mop_word(const State& state, unsigned thread) {
    return mop_registers(state, thread)[mop_source(state, thread).item];
}

void mop_advance(State& state, unsigned thread) { advance(mop_registers(state, thread), Expansion(state, thread)); }

std::uint32_t mop_mask(const isa::Instruction& mop_cfg) { return mop_cfg[mask_high]; }

void set_mop_mask(State& state, unsigned thread, const isa::Instruction& mop_cfg) {
    state.write(state::cells::mop_mask_block[thread], mop_mask(mop_cfg));
}

}  // namespace tessera::frontend
