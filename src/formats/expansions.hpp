// SPDX-License-Identifier: Apache-2.0
// Pairs of formats that UNPACR's page leaves undefined, since it requires equal formats, but that the vendor's kernel
// headers for both chips support: the output format can also name the unpacker's result (spec-notes A84).
#pragma once

#include <algorithm>
#include <iterator>

#include "tessera/data_format.hpp"

namespace tessera::formats {

struct Expansion {
    DataFormat in, out;
};

inline constexpr Expansion expansions[] = {
    {DataFormat::Bfp4_b, DataFormat::Bfp8_b},    {DataFormat::Bfp2_b, DataFormat::Bfp8_b},
    {DataFormat::Bfp8_b, DataFormat::Float16_b}, {DataFormat::Bfp4_b, DataFormat::Float16_b},
    {DataFormat::Bfp2_b, DataFormat::Float16_b}, {DataFormat::Bfp8_b, DataFormat::Tf32},
    {DataFormat::Bfp4_b, DataFormat::Tf32},      {DataFormat::Bfp2_b, DataFormat::Tf32},
    {DataFormat::Float16_b, DataFormat::Tf32},   {DataFormat::Bfp8, DataFormat::Float16},
    {DataFormat::Bfp4, DataFormat::Float16},     {DataFormat::Bfp2, DataFormat::Float16},
    {DataFormat::Lf8, DataFormat::Float16},
};

constexpr bool is_expansion(DataFormat in, DataFormat out) {
    return std::any_of(std::begin(expansions), std::end(expansions),
                       [&](const Expansion& each) { return each.in == in && each.out == out; });
}

}  // namespace tessera::formats
