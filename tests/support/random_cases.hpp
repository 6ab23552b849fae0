// SPDX-License-Identifier: Apache-2.0
// Length of the random comparisons of unpackers and packers. The environment can raise it from a slice to millions.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "tessera/arch.hpp"

namespace tessera::test {

/// The number in the environment variable, or `cases` if it is not set.
inline unsigned asked_cases(unsigned cases, const char* variable = "TESSERA_UNPACK_CASES") {
    const char* asked = std::getenv(variable);
    const auto n = asked ? std::strtoul(asked, nullptr, 10) : 0;
    return n ? static_cast<unsigned>(n) : cases;
}

/// Another value of `variable`, another run.
inline std::uint64_t random_seed(std::uint64_t of_the_test, Arch arch, const char* variable = "TESSERA_UNPACK_SEED") {
    const char* asked = std::getenv(variable);
    return of_the_test + static_cast<unsigned>(arch) + (asked ? std::strtoull(asked, nullptr, 10) << 32 : 0);
}

}  // namespace tessera::test
