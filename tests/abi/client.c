// SPDX-License-Identifier: Apache-2.0
// A host program in C that drives libtessera_bh.so or libtessera_wh.so as tt-umd does (CHIP_FACTS 2). Usage: abi_client LIBRARY COMMAND.
// Prints nothing and exits with 0 if all is as it should be; otherwise the first difference, and 1.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct library {
    void* handle;
    void (*init)(void);
    void (*exit)(void);
    void (*callbacks)(void (*)(uint64_t, void*, uint32_t), void (*)(uint64_t, const void*, uint32_t));
    uint32_t (*config_read)(uint32_t, uint32_t);
    void (*config_write)(uint32_t, uint32_t, uint32_t);
    void (*read)(uint64_t, void*, uint32_t);
    void (*write)(uint64_t, const void*, uint32_t);
    void (*tile_read)(uint32_t, uint32_t, uint64_t, void*, uint32_t);
    void (*tile_write)(uint32_t, uint32_t, uint64_t, const void*, uint32_t);
    void (*clock)(uint32_t);
    int blackhole;
    uint64_t bar0;
};

#define EXPECT(condition)                                                   \
    do {                                                                    \
        if (!(condition)) {                                                 \
            printf("client.c:%d: %s\n", __LINE__, #condition);              \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

static void* symbol(struct library* l, const char* name) {
    void* found = dlsym(l->handle, name);
    EXPECT(found);
    return found;
}

static struct library load(const char* path) {
    struct library l;
    l.handle = dlopen(path, RTLD_LAZY);
    if (!l.handle) printf("%s\n", dlerror());
    EXPECT(l.handle);
    // tt-umd takes another way with a library that has these.
    EXPECT(!dlsym(l.handle, "libttsim_create_device_by_id"));
    EXPECT(!dlsym(l.handle, "libttsim_select_device_by_id"));
    *(void**)&l.init = symbol(&l, "libttsim_init");
    *(void**)&l.exit = symbol(&l, "libttsim_exit");
    *(void**)&l.callbacks = symbol(&l, "libttsim_set_pci_dma_mem_callbacks");
    *(void**)&l.config_read = symbol(&l, "libttsim_pci_config_rd32");
    *(void**)&l.config_write = symbol(&l, "libttsim_pci_config_wr32");
    *(void**)&l.read = symbol(&l, "libttsim_pci_mem_rd_bytes");
    *(void**)&l.write = symbol(&l, "libttsim_pci_mem_wr_bytes");
    *(void**)&l.tile_read = symbol(&l, "libttsim_tile_rd_bytes");
    *(void**)&l.tile_write = symbol(&l, "libttsim_tile_wr_bytes");
    *(void**)&l.clock = symbol(&l, "libttsim_clock");
    return l;
}

static void no_read(uint64_t address, void* bytes, uint32_t size) {
    (void)address;
    memset(bytes, 0, size);
}
static void no_write(uint64_t address, const void* bytes, uint32_t size) {
    (void)address;
    (void)bytes;
    (void)size;
}

static uint64_t bar(struct library* l, uint32_t offset) {
    return (l->config_read(0, offset) & ~0xFu) | (uint64_t)l->config_read(0, offset + 4) << 32;
}

static void start_with(struct library* l, void (*read)(uint64_t, void*, uint32_t)) {
    l->callbacks(read, no_write);
    l->init();
    const uint32_t id = l->config_read(0, 0);
    EXPECT(id == 0xB1401E52 || id == 0x401E1E52);
    l->blackhole = id == 0xB1401E52;
    l->bar0 = bar(l, 0x10);
    EXPECT(l->bar0 == 0x100000000);
    EXPECT(bar(l, 0x18) == 0x120000000);
    EXPECT(bar(l, 0x20) == 0x800000000);
    EXPECT(l->config_read(1 << 3, 0) == 0xFFFFFFFF);
    // As for a channel of host memory.
    const uint64_t iatu = bar(l, 0x18) + (l->blackhole ? 0x1000 : 0x1200);
    const uint32_t steps[][2] = {{4, 0}, {0, 0}, {8, 0}, {0xC, 0}, {0x10, 0x3FFFFFFF}, {0x14, 0}, {0x18, 0}, {4, 0x80000000}};
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; ++i) l->write(iatu + steps[i][0], &steps[i][1], 4);
}
static void start(struct library* l) { start_with(l, no_read); }

// Puts the entry of a window together: 2 MiB on Blackhole, 16 MiB on Wormhole, the first of its size.
static uint64_t window(struct library* l, uint64_t address, uint32_t first_x, uint32_t first_y, uint32_t x, uint32_t y, int multicast) {
    uint32_t words[3] = {0, 0, 0};
    const unsigned size_bits = l->blackhole ? 21 : 24, address_bits = (l->blackhole ? 64 : 36) - size_bits;
    unsigned bit = 0;
    const uint64_t fields[] = {address >> size_bits, x, y, first_x, first_y, 0, (uint64_t)multicast};
    const unsigned widths[] = {address_bits, 6, 6, 6, 6, l->blackhole ? 2u : 1u, 1};
    for (unsigned f = 0; f < 7; ++f)
        for (unsigned i = 0; i < widths[f]; ++i, ++bit) words[bit / 32] |= (uint32_t)(fields[f] >> i & 1) << bit % 32;
    const uint64_t entries = l->bar0 + 0x1FC00000;
    if (l->blackhole)
        for (unsigned i = 0; i < 3; ++i) l->write(entries + 4 * i, &words[i], 4);
    else
        l->write(entries + 8 * 166, words, 8);
    const uint64_t first = l->blackhole ? 0 : 0xB000000;
    return l->bar0 + first + (address & ((1u << size_bits) - 1));
}

static void put(struct library* l, uint32_t x, uint32_t y, uint64_t address, const void* bytes, uint32_t size) {
    l->write(window(l, address, 0, 0, x, y, 0), bytes, size);
}
static void put_word(struct library* l, uint32_t x, uint32_t y, uint64_t address, uint32_t word) { put(l, x, y, address, &word, 4); }
static void get(struct library* l, uint32_t x, uint32_t y, uint64_t address, void* bytes, uint32_t size) {
    l->read(window(l, address, 0, 0, x, y, 0), bytes, size);
    l->clock(1);
}
static uint32_t get_word(struct library* l, uint32_t x, uint32_t y, uint64_t address) {
    uint32_t word = 0;
    get(l, x, y, address, &word, 4);
    return word;
}

enum { soft_reset = 0xFFB121B0u, all_in_reset = 0x47800, b_runs = 0x47000, mailbox = 0x7000 };

// Waits in L1 for a word that is not 0, and answers in the next one with its double: once, or for ever.
static void put_kernel(struct library* l, uint32_t x, uint32_t y) {
    const uint32_t kernel[] = {
        0x000072B7,  // lui t0, 7
        0x0FF0000F,  // fence: Blackhole's core forgets what it has cached
        0x0002A303,  // lw t1, 0(t0)
        0xFE030CE3,  // beqz t1, -8
        0x00630333,  // add t1, t1, t1
        0x0062A223,  // sw t1, 4(t0)
        0x0000006F,  // j .
    };
    put(l, x, y, 0, kernel, sizeof kernel);
}

static void expect_answer(struct library* l, uint32_t x, uint32_t y, uint32_t question) {
    put_word(l, x, y, mailbox, question);
    for (unsigned i = 0; i < 1000 && get_word(l, x, y, mailbox + 4) == 0; ++i) {}
    EXPECT(get_word(l, x, y, mailbox + 4) == 2 * question);
}

static void run_kernel(struct library* l, uint32_t x, uint32_t y, uint32_t question) {
    put_word(l, x, y, soft_reset, all_in_reset);
    put_word(l, x, y, mailbox, 0);
    put_word(l, x, y, mailbox + 4, 0);
    put_kernel(l, x, y);
    put_word(l, x, y, soft_reset, b_runs);
    l->clock(1000);
    EXPECT(get_word(l, x, y, mailbox + 4) == 0);
    expect_answer(l, x, y, question);
}

static long resident_pages(void) {
    long all = 0, resident = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    EXPECT(file && fscanf(file, "%ld %ld", &all, &resident) == 2);
    fclose(file);
    return resident;
}

static void device(struct library* l) {
    start(l);
    run_kernel(l, 1, 2, 21);
    // DRAM, beyond 4 GiB of addresses of the chip, and an Ethernet tile.
    put_word(l, 0, 0, 0x40000000, 0xCAFEF00D);
    EXPECT(get_word(l, 0, 0, 0x40000000) == 0xCAFEF00D);
    EXPECT(get_word(l, 0, 1, 0x40000000) == 0xCAFEF00D);
    const uint32_t ethernet_y = l->blackhole ? 1 : 0;
    put_word(l, 1, ethernet_y, 0x1000, 5);
    EXPECT(get_word(l, 1, ethernet_y, 0x1000) == 5);
    // A rectangle of tiles.
    const uint32_t word = 0x600DF00D;
    l->write(window(l, 0x8000, 1, 2, 3, 4, 1), &word, 4);
    for (uint32_t y = 2; y <= 4; ++y)
        for (uint32_t x = 1; x <= 3; ++x) EXPECT(get_word(l, x, y, 0x8000) == word);
    EXPECT(get_word(l, 4, 4, 0x8000) == 0);
    uint32_t by_tile = 0;
    l->tile_read(2, 3, 0x8000, &by_tile, 4);
    EXPECT(by_tile == word);
    // The size of a BAR.
    l->config_write(0, 0x10, 0xFFFFFFFF);
    EXPECT(l->config_read(0, 0x10) == 0xE0000004);
    l->exit();
}

static void starts(struct library* l) {
    long after_some = 0;
    for (int i = 0; i < 100; ++i) {
        start(l);
        EXPECT(get_word(l, 1, 2, mailbox) == 0);
        EXPECT(get_word(l, 1, 2, soft_reset) == all_in_reset);
        run_kernel(l, 1, 2, 3 + i);
        put_word(l, 0, 0, 0x1000, 1);
        l->exit();
        if (i == 20) after_some = resident_pages();
    }
#if !defined(__SANITIZE_ADDRESS__)
    EXPECT(resident_pages() < after_some + 4096);
#endif
}

static void copy_file(const char* from, char* name) {
    FILE* in = fopen(from, "rb");
    const int descriptor = mkstemp(name);
    EXPECT(in && descriptor >= 0);
    FILE* out = fdopen(descriptor, "wb");
    char bytes[65536];
    size_t size;
    while ((size = fread(bytes, 1, sizeof bytes, in)) > 0) EXPECT(fwrite(bytes, 1, size, out) == size);
    fclose(in);
    EXPECT(fclose(out) == 0);
}

static void copies(struct library* one, const char* path) {
    char name[] = "/tmp/tessera_copy_XXXXXX";
    copy_file(path, name);
    struct library other = load(name);
    unlink(name);
    EXPECT(other.init != one->init);
    start(one);
    start(&other);
    run_kernel(one, 1, 2, 4);
    EXPECT(get_word(&other, 1, 2, mailbox + 4) == 0);
    run_kernel(&other, 1, 2, 5);
    EXPECT(get_word(one, 1, 2, mailbox + 4) == 8);
    one->exit();
    run_kernel(&other, 2, 2, 6);
    other.exit();
}

static void forks(struct library* l) {
    start(l);
    put_word(l, 1, 2, soft_reset, all_in_reset);
    put_kernel(l, 1, 2);
    put_word(l, 1, 2, soft_reset, b_runs);
    // Two tiles that always have something to do, for several threads.
    const uint32_t count[] = {0x00128293, 0xFFDFF06F};  // addi t0, t0, 1; j -4
    for (uint32_t x = 2; x <= 3; ++x) {
        put_word(l, x, 2, soft_reset, all_in_reset);
        put(l, x, 2, 0, count, sizeof count);
        put_word(l, x, 2, soft_reset, b_runs);
    }
    l->clock(500);
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (!child) alarm(60);
    l->clock(1000);
    expect_answer(l, 1, 2, child ? 7 : 8);
    l->exit();
    if (!child) _exit(0);  // no search for leaks: threads of the parent had memory
    int status = 1;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
}

// The host ends without libttsim_exit: in order, at once, or by a fault of a strict library. A core has pushed an instruction.
static void leave(struct library* l, const char* how) {
    const uint32_t last = !strcmp(how, "faults") ? 0xFFFFFFFF : 0x0000006F;
    const uint32_t kernel[] = {
        0xFFE402B7,  // lui t0, 0xFFE40
        0x02000337,  // lui t1, 0x02000: NOP
        0x0062A023,  // sw t1, 0(t0)
        last,        // j .
    };
    start(l);
    put_word(l, 1, 2, soft_reset, all_in_reset);
    put(l, 1, 2, 0, kernel, sizeof kernel);
    put_word(l, 1, 2, soft_reset, b_runs);
    l->clock(10000);
    if (!strcmp(how, "dies")) _exit(0);
}

// A debugger stops the first kernel, and asks the second one its question (scripts/check_gdb).
static void debugged(struct library* l) {
    start(l);
    l->clock(10);
    run_kernel(l, 1, 2, 21);
    put_kernel(l, 2, 2);
    put_word(l, 2, 2, soft_reset, b_runs);
    while (get_word(l, 2, 2, mailbox + 4) == 0) {}
    EXPECT(get_word(l, 2, 2, mailbox + 4) == 66);
    l->exit();
}

// One word from the host's memory to L1. The device calls the host's function at once.
static void transfer(struct library* l) {
    const uint64_t registers = bar(l, 0x18);
    const uint32_t to = (uint32_t)(window(l, mailbox, 0, 0, 1, 2, 0) - l->bar0), from = 0, size = 4, rings = l->blackhole;
    l->write(registers + (l->blackhole ? 0x128 : 0x314), &to, 4);
    l->write(registers + (l->blackhole ? 0x120 : 0x30C), &from, 4);
    l->write(registers + (l->blackhole ? 0x11C : 0x308), &size, 4);
    l->write(registers + (l->blackhole ? 0x104 : 0x030), &rings, 4);
}

// C functions have no object.
static struct library* called;

static void read_that_calls(uint64_t address, void* bytes, uint32_t size) {
    no_read(address, bytes, size);
    uint32_t word = 1;
    called->exit();
    called->init();
    called->clock(1);
    called->tile_read(1, 2, mailbox, &word, 4);
    EXPECT(word == 1);
    EXPECT(called->config_read(0, 0) == 0xFFFFFFFF);
}

// As a function in C++ may.
static void read_that_throws(uint64_t address, void* bytes, uint32_t size) {
    no_read(address, bytes, size);
    void (*throws)(const char*);
    *(void**)&throws = symbol(called, "_ZSt20__throw_length_errorPKc");
    throws("too long for the host");
}

static void callbacks(struct library* l) {
    called = l;
    start_with(l, read_that_calls);
    transfer(l);
    run_kernel(l, 1, 2, 5);
    l->exit();
    start_with(l, read_that_throws);
    transfer(l);
    run_kernel(l, 1, 2, 6);
    l->exit();
}

// Each of these ends a process that uses the vendor's library.
static void mistakes(struct library* l) {
    uint32_t word = 1;
    l->clock(1);  // before init
    start(l);
    l->init();
    l->tile_read(1, 2, 0, NULL, 4);
    l->write(l->bar0, NULL, 4);
    EXPECT(l->config_read(0, 1) == 0xFFFFFFFF);
    l->config_write(1 << 3, 0x10, 0);
    l->config_write(1 << 3, 0x10, 0);
    l->read(0x1000, &word, 4);
    l->read(l->bar0 + 0x1FC00000 - 2, &word, 4);
    l->write(window(l, 0, 0, 0, l->blackhole ? 8 : 0, l->blackhole ? 0 : 10, 0), &word, 4);
    l->write(window(l, 0x1FFFFF, 0, 0, 1, 2, 0), &word, 4);
    l->read(window(l, 0, 1, 2, 3, 4, 1), &word, 4);
    put(l, 1, 2, soft_reset + 1, &word, 3);
    l->write(window(l, 0, 0, 0, 63, 63, 0), &word, 4);
    // A core that loads from nowhere, and one that meets no instruction.
    const uint32_t loads[] = {0x80000537, 0x00052583, 0x0000006F}, nothing = 0xFFFFFFFF;
    put(l, 1, 2, 0, loads, sizeof loads);
    put(l, 2, 2, 0, &nothing, sizeof nothing);
    put_word(l, 1, 2, soft_reset, b_runs);
    put_word(l, 2, 2, soft_reset, b_runs);
    l->clock(1000);
    run_kernel(l, 3, 2, 9);
    run_kernel(l, 1, 2, 10);
    l->exit();
    l->exit();
}

// Of the processor: other programs of the computer do not count.
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Of a call that lets one cycle pass.
static double clock_seconds(struct library* l, int calls) {
    const double from = seconds();
    for (int i = 0; i < calls; ++i) l->clock(1);
    return (seconds() - from) / calls;
}

// All five cores of each tile begin with this code. Wormhole's grid is that of tt-metal, 6 by 9. Returns how many tiles there are.
static unsigned start_all(struct library* l, const uint32_t* code, uint32_t size) {
    const uint32_t xs[] = {1, 2, 3, 4, 6, 7, 5, 10, 11, 12, 13, 14, 15, 16}, ys[] = {2, 3, 4, 5, 7, 8, 9, 10, 11, 6};
    const unsigned columns = l->blackhole ? 14 : 6, rows = l->blackhole ? 10 : 9;
    const uint32_t entries[] = {0, 0x6000, 0xA000, 0xE000, 0x12000};
    for (unsigned x = 0; x < columns; ++x)
        for (unsigned y = 0; y < rows; ++y) {
            put_word(l, xs[x], ys[y], soft_reset, all_in_reset);
            for (unsigned core = 0; core < 5; ++core) put(l, xs[x], ys[y], entries[core], code, size);
            put_word(l, xs[x], ys[y], soft_reset, 0);
        }
    return columns * rows;
}

// Prints what a host waits for.
static void speed(struct library* l) {
    double from = seconds();
    start(l);
    printf("init: %.2f ms, resident %.1f MiB\n", 1e3 * (seconds() - from), (double)resident_pages() / 256);
    printf("clock, idle: %.3f us\n", 1e6 * clock_seconds(l, 20000));
    // The vendor's library knows no fence on Wormhole, where loads need none.
    const uint32_t fence = l->blackhole ? 0x0FF0000F : 0x00000013;
    const uint32_t poll[] = {0x000072B7, fence, 0x0002A303, 0xFE030CE3, 0x0000006F};
    from = seconds();
    const unsigned tiles = start_all(l, poll, sizeof poll);
    printf("start of five polling cores on %u tiles: %.1f ms, resident %.1f MiB\n", tiles, 1e3 * (seconds() - from),
           (double)resident_pages() / 256);
    printf("clock, first 2000 calls of all polling: %.3f us\n", 1e6 * clock_seconds(l, 2000));
    printf("clock, all polling: %.3f us\n", 1e6 * clock_seconds(l, 20000));
    static char page[4096];
    const uint64_t first_tile = window(l, 0x10000, 0, 0, 1, 2, 0);
    from = seconds();
    for (int i = 0; i < 20000; ++i) {
        l->read(first_tile, page, sizeof page);
        l->clock(1);
    }
    printf("read of 4 KiB with its clock: %.3f us\n", 1e6 * (seconds() - from) / 20000);
    const uint32_t count[] = {0x00128293, 0xFFDFF06F};  // addi t0, t0, 1; j -4
    start_all(l, count, sizeof count);
    clock_seconds(l, 1000);
    printf("clock, all counting: %.3f us\n", 1e6 * clock_seconds(l, 4000));
    l->exit();
}

int main(int count, char** words) {
    if (count != 3) {
        fprintf(stderr, "usage: abi_client LIBRARY device|starts|copies|forks|debugged|callbacks|leaves|dies|faults|mistakes|speed\n");
        return 2;
    }
    struct library l = load(words[1]);
    if (!strcmp(words[2], "device")) device(&l);
    else if (!strcmp(words[2], "starts")) starts(&l);
    else if (!strcmp(words[2], "copies")) copies(&l, words[1]);
    else if (!strcmp(words[2], "forks")) forks(&l);
    else if (!strcmp(words[2], "debugged")) debugged(&l);
    else if (!strcmp(words[2], "callbacks")) callbacks(&l);
    else if (!strcmp(words[2], "leaves") || !strcmp(words[2], "dies") || !strcmp(words[2], "faults")) leave(&l, words[2]);
    else if (!strcmp(words[2], "mistakes")) mistakes(&l);
    else if (!strcmp(words[2], "speed")) speed(&l);
    else return 2;
    dlclose(l.handle);
    return 0;
}
