// SPDX-License-Identifier: Apache-2.0
// A request without a defined result is refused, with the reason as text.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace tessera::reference::noc {

/// A value, or why the request has no defined result.
template <typename T = void>
using Checked = tl::expected<T, std::string>;

/// Refuses a request for a reason.
inline tl::unexpected<std::string> refuse(std::string why) { return tl::make_unexpected(std::move(why)); }

/// Passes on why a part of a request is refused.
template <typename T>
tl::unexpected<std::string> refuse(const Checked<T>& part) {
    return tl::make_unexpected(part.error());
}

}  // namespace tessera::reference::noc
