// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace tessera {

/// Why something could not be read, built or started. Nothing has run and nothing was written.
struct Error {
    std::string code;     ///< stable, e.g. "job.unknown-key"
    std::string message;  ///< what is wrong, in one sentence
    std::string file;     ///< empty when no file is involved
    int line = 0;         ///< 1-based; 0 when unknown
    int column = 0;       ///< 1-based; 0 when unknown

    /// "file:line:column: message [code]", leaving out what is unknown.
    std::string describe() const;
};

/// Either a value or the reason why there is none.
template <class T>
using Result = tl::expected<T, Error>;

/// An Error on its way into a Result.
inline tl::unexpected<Error> fail(std::string code, std::string message, std::string file = {}, int line = 0,
                                  int column = 0) {
    return tl::make_unexpected(Error{std::move(code), std::move(message), std::move(file), line, column});
}

}  // namespace tessera
