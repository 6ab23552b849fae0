// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tessera::bench {

/// What was known when this was built. A text may be empty.
struct BuildFacts {
    const char *commit, *compiler, *type;
};

/// Made by cmake/BuildFacts.cmake.
extern const BuildFacts build_facts;

}  // namespace tessera::bench
