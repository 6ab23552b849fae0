// SPDX-License-Identifier: Apache-2.0
// A T core's access to its thread of the coprocessor: instructions, configuration, GPRs, MOPs, waits.
#pragma once

#include "memory.hpp"

namespace kernel {

/// Pushes an instruction that is known when the kernel is compiled, as one instruction of the core: .ttinsn, the word
/// rotated left by two.
template <std::uint32_t word>
[[gnu::always_inline]] inline void ttinsn() {
    static_assert(word < 0xC000'0000, "no instruction of the coprocessor: the core would take it for one of its own");
    asm volatile(".word %0" ::"i"(word << 2 | word >> 30) : "memory");
}

/// Pushes an instruction that is known only now.
inline void push(std::uint32_t word) { at(address::instrn_buf) = word; }

namespace detail {

/// Whether setting i is the first one of its word.
template <Setting... settings>
consteval bool is_first(unsigned i) {
    const Setting all[] = {settings...};
    for (unsigned j = 0; j < i; ++j)
        if (all[j].space == all[i].space && all[j].addr32 == all[i].addr32) return false;
    return true;
}

/// All fields of the word of setting i.
template <Setting... settings>
consteval std::uint32_t whole_word(unsigned i) {
    const Setting all[] = {settings...};
    std::uint32_t word = 0, mask = 0;
    for (const Setting& one : all) {
        if (one.space != all[i].space || one.addr32 != all[i].addr32) continue;
        if ((mask & one.mask) != 0) value_does_not_fit();  // a field twice
        mask |= one.mask;
        word |= one.value;
    }
    return word;
}

template <Setting one, bool first, std::uint32_t word>
[[gnu::always_inline]] inline void write() {
    if constexpr (!first)
        return;
    else if constexpr (one.space == Space::backend)
        at(address::config + 4 * one.addr32) = word;
    else
        ttinsn<0xB200'0000U | bits(one.addr32, 16, 8) | bits(word, 0, 16)>();  // SETC16
}

template <unsigned... i>
struct Indices {};

}  // namespace detail

/// Configures what the settings say; other fields of the same words become 0. Fields of one word are one store. Call
/// stores_done() to wait for the stores.
template <Setting... settings>
[[gnu::always_inline]] inline void configure() {
    constexpr auto write_all = []<unsigned... i>(detail::Indices<i...>) {
        (detail::write<settings, detail::is_first<settings...>(i), detail::whole_word<settings...>(i)>(), ...);
    };
    write_all(detail::Indices<__integer_pack(sizeof...(settings))...>{});
}

/// Configures one backend field that is alone in its word, with a value known only at run time.
inline void configure(const Field& field, std::uint32_t value) {
    at(address::config + 4 * field.addr32) = bits(value, field.lo, field.width);
}

/// GPRs of the core's thread.
inline Word& gpr(unsigned index) { return at(address::gprs + 4 * index); }

/// MOP template 1 with one instruction in its loop.
struct MopLoop {
    std::uint32_t outer = 1, inner = 1;
    std::uint32_t instruction = 0;
    std::uint32_t last_of_inner = 0;  ///< in its place where the inner loop ends
    std::uint32_t last = 0;           ///< in its place at the very end
};

/// Configures the MOP expander of the core's thread, which must have none of the thread's MOPs left.
inline void configure_mop(const MopLoop& loop) {
    constexpr std::uint32_t nop = 0x0200'0000;
    const std::uint32_t words[] = {loop.outer, loop.inner,        nop, nop, nop, loop.instruction, nop,
                                   loop.last,  loop.last_of_inner};
    std::uint32_t address = address::mop_cfg;
    for (const std::uint32_t word : words) {
        at(address) = word;
        address += 4;
    }
}

/// Waits until the coprocessor has done all that the thread has pushed (CoprocessorDoneCheck).
inline void wait_coprocessor() {
    Word& check = at(address::pc_buf + 4);
    check = 0;  // orders the load behind earlier pushes
    load_now(check);
}

}  // namespace kernel
