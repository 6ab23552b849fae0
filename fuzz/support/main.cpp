// SPDX-License-Identifier: Apache-2.0
// A plain fuzzer for compilers without libFuzzer. It mutates its seeds for some seconds, or tries the given files. An
// input that ends the process is left in ./crash-NUMBER.
//
//   fuzz_NAME SECONDS [NUMBER]     NUMBER selects the run
//   fuzz_NAME FILE...
#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "fuzz/support/fuzzer.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr unsigned seconds_per_input = 30;
constexpr std::size_t longest = 4096;

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

int try_files(int count, char** names) {
    for (int i = 0; i < count; ++i) {
        std::ifstream file(names[i], std::ios::binary);
        current.assign(std::istreambuf_iterator<char>(file), {});
        tessera::fuzz::run(current);
        std::printf("%s: %zu bytes, fine\n", names[i], current.size());
    }
    return 0;
}

}  // namespace

// The death callback is AddressSanitizer's alone.
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

int main(int argc, char** argv) {
    __sanitizer_set_death_callback(leave_input);
    for (const int signal : {SIGABRT, SIGALRM}) std::signal(signal, leave_input_and_end);
    char* end = nullptr;
    const double seconds = argc > 1 ? std::strtod(argv[1], &end) : 10;
    if (argc > 1 && *end) return try_files(argc - 1, argv + 1);
    run_number = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;

    std::mt19937_64 random(run_number);
    auto pool = tessera::fuzz::seeds();
    const auto stop =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    unsigned long tried = 0;
    for (; Clock::now() < stop; ++tried) {
        current = tried < pool.size() ? pool[tried] : mutate(pool, random);
        alarm(seconds_per_input);
        tessera::fuzz::run(current);
        // Some mutated inputs join the pool, so that changes accumulate.
        if (random() % 64 == 0 && pool.size() < 4096) pool.push_back(current);
    }
    std::printf("%lu inputs, none found\n", tried);
    return 0;
}
