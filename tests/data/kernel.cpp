// SPDX-License-Identifier: Apache-2.0
// A kernel to compile for scripts/check_lines: loops, inlined and removed functions, templates.
typedef unsigned int word;

volatile word tiles = 4;
volatile word result;

namespace {

inline __attribute__((always_inline)) word mixed(word value) {
    value ^= value << 13;
    value ^= value >> 17;
    return value ^ value << 5;
}

template <word Rounds>
__attribute__((noinline)) word rounds(word value) {
    for (word i = 0; i < Rounds; ++i) value = mixed(value) + i;
    return value;
}

}  // namespace

namespace layer {

__attribute__((noinline)) word sum(const word* values, word count) {
    word total = 0;
    for (word i = 0; i < count; ++i) {
        if (values[i] % 3 == 0) continue;
        total += mixed(values[i]);
    }
    return total;
}

// Never called: the linker removes it.
word left_out(word value) { return value % 10 ? value / 10 : left_out(value + 1); }

}  // namespace layer

struct Accumulator {
    word total = 0;
    void add(word value);
};

__attribute__((noinline)) void Accumulator::add(word value) {
    switch (value & 7) {
        case 0: total += 1; break;
        case 1: total ^= value; break;
        case 2: total -= rounds<3>(value); break;
        case 5: total = mixed(total); break;
        default: total += rounds<5>(value); break;
    }
}

int main() {
    word values[8];
    Accumulator all;
    for (word i = 0; i < 8; ++i) {
        values[i] = tiles + i;
        all.add(values[i]);
    }
    result = layer::sum(values, 8) + all.total;
    return 0;
}

extern "C" __attribute__((naked)) void _start() {
    asm volatile("li sp, 0xffb01000");
    main();
    for (;;) {
    }
}
