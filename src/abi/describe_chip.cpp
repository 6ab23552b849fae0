// SPDX-License-Identifier: Apache-2.0
// Prints soc_descriptor.yaml of a chip: describe_chip blackhole|wormhole. The build writes it beside each library.
#include <fmt/format.h>

#include "host/soc_descriptor.hpp"

int main(int count, char** arguments) {
    const auto arch = count == 2 ? tessera::parse_arch(arguments[1]) : std::nullopt;
    if (!arch) {
        fmt::print(stderr, "usage: tessera_describe_chip blackhole|wormhole\n");
        return 2;
    }
    fmt::print("{}", tessera::host::soc_descriptor(*arch));
}
