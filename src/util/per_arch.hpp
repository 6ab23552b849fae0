// SPDX-License-Identifier: Apache-2.0
// Lazily built tables, one per architecture, because few processes need both.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

#include "tessera/arch.hpp"

namespace tessera::util {

namespace detail {

template <auto make, std::size_t arch>
const auto& made_once() {
    static const auto made = make(all_archs[arch]);
    return made;
}

}  // namespace detail

/// The result of the first make(arch).
template <auto make>
const auto& per_arch(Arch arch) {
    return [&]<std::size_t... i>(std::index_sequence<i...>)->const auto& {
        constexpr decltype(&detail::made_once<make, 0>) tables[] = {detail::made_once<make, i>...};
        return tables[static_cast<std::size_t>(arch)]();
    }
    (std::make_index_sequence<std::size(all_archs)>());
}

}  // namespace tessera::util
