// SPDX-License-Identifier: Apache-2.0
#include "util/vector_targets.hpp"

#include <hwy/highway.h>

#include <atomic>
#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace tessera::util {

namespace {

#if HWY_ARCH_X86
// The compilers' __builtin_cpu_supports() knows neither everywhere.
bool has_lzcnt_and_f16c() {
    unsigned a = 0, b = 0, basic = 0, extended = 0, d = 0;
    constexpr unsigned lzcnt = 1u << 5, f16c = 1u << 29;
    return __get_cpuid(1, &a, &b, &basic, &d) && (basic & f16c) && __get_cpuid(0x8000'0001, &a, &b, &extended, &d) && (extended & lzcnt);
}

// With what Highway asks of each set. The operating system must save the registers, too, which the compilers' function knows.
std::int64_t beyond_baseline() {
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2") && has_lzcnt_and_f16c();
    const bool avx3 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return (avx2 ? HWY_AVX2 : 0) | (avx3 ? HWY_AVX3 : 0);
}
#else
std::int64_t beyond_baseline() { return 0; }
#endif

class Targets {
public:
    Targets() { use(HWY_STATIC_TARGET | beyond_baseline()); }
    void use(std::int64_t targets) {
        all_ = targets;
        chosen_.Update(targets);
    }
    std::int64_t all() const { return all_; }
    const hwy::ChosenTarget& chosen() const { return chosen_; }

private:
    std::atomic<std::int64_t> all_;
    hwy::ChosenTarget chosen_;
};

Targets& targets() {
    static Targets of_process;
    return of_process;
}

}  // namespace

std::int64_t vector_targets() { return targets().all(); }
void use_vector_targets(std::int64_t some) { targets().use(some); }
const hwy::ChosenTarget& chosen_vector_target() { return targets().chosen(); }

}  // namespace tessera::util
