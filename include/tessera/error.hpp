// SPDX-License-Identifier: Apache-2.0
/// @file
/// Errors are values: a function returns a Result, which holds a value or an Error.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace tessera {

/// Why something could not be read, built or started. Nothing ran and nothing was written.
struct Error {
    std::string code;     ///< stable, such as "job.unknown-key"
    std::string message;  ///< what is wrong, in one sentence; fail() shortens what it quotes
    std::string file;     ///< empty if no file is involved
    int line = 0;         ///< from 1; 0 if unknown
    int column = 0;       ///< from 1; 0 if unknown

    /// "file:line:column: message [code]". Unknown parts are omitted.
    std::string describe() const;
};

/// A value, or the reason why there is none.
template <class T>
using Result = tl::expected<T, Error>;

/// Makes the failed Result of an Error with these members. Of a message of more than 2,000 bytes, which quotes a long input, it keeps
/// the first and the last 1,000 with " … " between.
tl::unexpected<Error> fail(std::string code, std::string message, std::string file = {}, int line = 0, int column = 0);

}  // namespace tessera
