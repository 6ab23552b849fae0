// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "findings/catalogue.hpp"
#include "tessera/job.hpp"

namespace tessera {

bool is_diagnosis_code(std::string_view code) {
    return std::any_of(std::begin(findings::catalogue), std::end(findings::catalogue),
                       [&](const findings::Entry& entry) { return entry.code == code; });
}

}  // namespace tessera
