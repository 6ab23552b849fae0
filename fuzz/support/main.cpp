// SPDX-License-Identifier: Apache-2.0
// A plain fuzzer for compilers without libFuzzer. It mutates its inputs for some seconds or a number of times, or tries the given files.
// An input that ends the process is left in ./crash-NUMBER. If the build counts edges (preset fuzz-gcc), inputs that reach new ones are
// mutated further, and kept in the folder KEEP.
//
//   tessera_fuzz NAME SECONDS [NUMBER [KEEP]]     NUMBER selects the run
//   tessera_fuzz NAME --times N
//   tessera_fuzz NAME FILE...
//   tessera_fuzz                                  the names
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "fuzz/support/edges.hpp"
#include "fuzz/support/fuzzer.hpp"

// Only in builds with AddressSanitizer.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

using tessera::fuzz::Fuzzer;
using Clock = std::chrono::steady_clock;
constexpr unsigned seconds_per_input = 60;
constexpr std::size_t longest = 4096, largest_pool = 4096;

std::string current;
unsigned long run_number = 0;

void leave_input() {
    char name[40];
    std::snprintf(name, sizeof name, "crash-%lu", run_number);
    if (FILE* file = std::fopen(name, "wb")) {
        std::fwrite(current.data(), 1, current.size(), file);
        std::fclose(file);
    }
    std::fprintf(stderr, "the input is in %s\n", name);
}

extern "C" void leave_input_and_end(int signal) {
    std::fprintf(stderr, "signal %d\n", signal);
    leave_input();
    _exit(1);
}

/// Changes a few bytes, or inserts a piece of another input.
std::string mutate(const std::vector<std::string>& pool, std::mt19937_64& random) {
    const auto below = [&](std::size_t n) { return n ? static_cast<std::size_t>(random() % n) : 0; };
    std::string input = pool[below(pool.size())];
    for (std::size_t changes = 1 + below(8); changes-- > 0;) {
        const std::size_t at = below(input.size() + 1);
        constexpr unsigned char special[] = {0, 1, 0x7F, 0x80, 0xFF};
        switch (below(6)) {
            case 0: input.insert(at, 1, static_cast<char>(random())); break;
            case 1: input.erase(at, below(8)); break;
            case 2: {
                const std::string& other = pool[below(pool.size())];
                const std::size_t from = below(other.size() + 1);
                input.insert(at, other.substr(from, below(64)));
                break;
            }
            case 3:
                if (at < input.size()) input[at] = static_cast<char>(special[below(std::size(special))]);
                break;
            case 4:
                if (at < input.size()) input[at] = static_cast<char>(input[at] ^ 1 << below(8));
                break;
            default:
                if (at < input.size()) input[at] = static_cast<char>(random());
        }
    }
    if (input.size() > longest) input.resize(longest);
    return input;
}

/// Tries inputs while `more(tried)` holds.
template <class More>
int fuzz(const Fuzzer& fuzzer, const std::string& keep, More&& more) {
    std::mt19937_64 random(run_number);
    auto pool = tessera::fuzz::inputs_of(fuzzer);
    const std::size_t seeds = pool.size();
    unsigned long tried = 0, kept = 0;
    for (; more(tried); ++tried) {
        current = tried < seeds ? pool[tried] : mutate(pool, random);
        alarm(seconds_per_input);
        fuzzer.run(current);
        const bool reached_more = tessera::fuzz::reached_more_edges() && tried >= seeds;
        if (reached_more && !keep.empty())
            std::ofstream(keep + "/" + std::to_string(run_number) + "-" + std::to_string(++kept), std::ios::binary) << current;
        // Without a count of edges some mutated inputs join, so that changes accumulate.
        if ((reached_more || (!tessera::fuzz::edges() && random() % 64 == 0)) && pool.size() < seeds + largest_pool) pool.push_back(current);
    }
    std::printf("%lu inputs", tried);
    if (const std::size_t edges = tessera::fuzz::edges()) std::printf(", %zu edges", edges);
    std::printf(", none found\n");
    return 0;
}

int try_files(const Fuzzer& fuzzer, int count, char** names) {
    for (int i = 0; i < count; ++i) {
        std::ifstream file(names[i], std::ios::binary);
        current.assign(std::istreambuf_iterator<char>(file), {});
        fuzzer.run(current);
        std::printf("%s: %zu bytes, fine\n", names[i], current.size());
    }
    return 0;
}

}  // namespace

// The death callback is AddressSanitizer's alone.
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

int main(int argc, char** argv) {
    if (argc == 1) {
        for (const Fuzzer* one : tessera::fuzz::fuzzers()) std::puts(std::string(one->name).c_str());
        return 0;
    }
    const Fuzzer* const fuzzer = tessera::fuzz::find_fuzzer(argv[1]);
    if (!fuzzer) {
        std::fprintf(stderr, "no fuzzer is called '%s'\n", argv[1]);
        return 2;
    }
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(leave_input);
    else
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, leave_input_and_end);
    for (const int signal : {SIGABRT, SIGALRM}) std::signal(signal, leave_input_and_end);
    if (argc == 4 && std::string_view(argv[2]) == "--times") {
        run_number = 1;
        const unsigned long times = std::strtoul(argv[3], nullptr, 10);
        return fuzz(*fuzzer, {}, [&](unsigned long tried) { return tried < times; });
    }
    char* end = nullptr;
    const double seconds = argc > 2 ? std::strtod(argv[2], &end) : 10;
    if (argc > 2 && *end) return try_files(*fuzzer, argc - 2, argv + 2);
    run_number = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1;
    const auto stop = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    return fuzz(*fuzzer, argc > 4 ? argv[4] : "", [&](unsigned long) { return Clock::now() < stop; });
}
