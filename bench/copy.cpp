// SPDX-License-Identifier: Apache-2.0
// A copy of memory, the yardstick for other lines.
#include <cstring>
#include <vector>

#include "cases.hpp"

namespace tessera::bench {

void add_copy(Cases& cases, long bytes) {
    cases.add(std::to_string(bytes), [size = static_cast<std::size_t>(bytes)](benchmark::State& run) {
        constexpr std::size_t blocks = 64;
        std::vector<char> from(blocks * size, 1), to(from.size());
        std::size_t i = 0;
        for (auto _ : run) {
            std::memcpy(&to[i % blocks * size], &from[i % blocks * size], size);
            benchmark::ClobberMemory();
            ++i;
        }
        describe(run, static_cast<double>(size));
    });
}

}  // namespace tessera::bench
