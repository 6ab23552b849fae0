// SPDX-License-Identifier: Apache-2.0
#include "findings/examples.hpp"

#include <algorithm>
#include <span>

#include "findings/examples/config_and_sync.hpp"
#include "findings/examples/cores.hpp"
#include "findings/examples/front_end.hpp"
#include "findings/examples/hazards.hpp"
#include "findings/examples/matrix.hpp"
#include "findings/examples/packers.hpp"
#include "findings/examples/run.hpp"
#include "findings/examples/unpackers.hpp"
#include "findings/examples/vector.hpp"

namespace tessera::findings {

namespace {

constexpr std::span<const Example> lists[] = {
    examples::run,       examples::unpackers, examples::packers,
    examples::matrix,    examples::vector,    examples::config_and_sync,
    examples::front_end, examples::hazards,   examples::cores,
};

}  // namespace

const Example* example_of(std::string_view code) {
    for (const auto list : lists) {
        const auto found =
            std::find_if(list.begin(), list.end(), [&](const Example& each) { return each.code == code; });
        if (found != list.end()) return &*found;
    }
    return nullptr;
}

std::size_t example_count() {
    std::size_t count = 0;
    for (const auto list : lists) count += list.size();
    return count;
}

}  // namespace tessera::findings
