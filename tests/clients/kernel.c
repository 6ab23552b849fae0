// SPDX-License-Identifier: Apache-2.0
// Answers the host: doubles each value that it writes to `question`.
#define WORD(address) (*(volatile unsigned*)(address))

unsigned answers;

static unsigned twice(unsigned value) { return 2 * value; }

__attribute__((naked, section(".init"))) void _start(void) { __asm__ volatile("li sp, 0xFFB00800\n\tj main"); }

int main(void) {
    for (;;) {
        unsigned asked;
        // Blackhole's cores have a cache.
        do __asm__ volatile("fence" ::: "memory");
        while (!(asked = WORD(0x10000)));
        WORD(0x10004) = twice(asked);
        WORD(0x10000) = 0;
        ++answers;
    }
}
