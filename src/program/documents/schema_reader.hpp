// SPDX-License-Identifier: Apache-2.0
// Reads values of given types from a job's tree; errors carry the place.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "program/documents/node.hpp"
#include "tessera/error.hpp"

namespace tessera::program {

class SchemaReader {
public:
    explicit SchemaReader(std::string file) : file_(std::move(file)) {}

    const std::string& file() const { return file_; }

    tl::unexpected<Error> error(std::string code, std::string message, Position position) const;

    /// Checks that a node is a table with no other keys. Errors "job.type", "job.unknown-key".
    Result<void> check_keys(const Node& node, std::string_view what, std::span<const std::string_view> keys) const;

    /// The value of a key. Error "job.missing-key".
    Result<const Node*> required(const Node& table, std::string_view what, std::string_view key) const;

    /// Errors "job.type", "job.range".
    Result<std::uint64_t> integer(const Node& node, std::string_view what,
                                  std::uint64_t max = std::numeric_limits<std::uint64_t>::max(), std::uint64_t min = 0) const;

    /// An integer that messages show in hexadecimal. Errors as integer().
    Result<std::uint64_t> address(const Node& node, std::string_view what, std::uint64_t max) const;

    /// A word, given as a signed or unsigned number. Errors "job.type", "job.range".
    Result<std::uint32_t> word(const Node& node, std::string_view what) const;

    /// Error "job.type".
    Result<bool> boolean(const Node& node, std::string_view what) const;
    Result<std::string_view> string(const Node& node, std::string_view what) const;
    /// The name of a file. Errors "job.type"; "job.value" for an empty name, and for a NUL byte: the system would end the name there.
    Result<std::string_view> file_name(const Node& node, std::string_view what) const;
    Result<std::span<const Node>> array(const Node& node, std::string_view what) const;

    /// A string accepted by `parse`. Errors "job.type", "job.value"; `known` lists the accepted values.
    template <class Parse>
    auto choice(const Node& node, std::string_view what, std::string_view known, Parse parse) const
        -> Result<typename decltype(parse(std::string_view{}))::value_type> {
        const auto text = string(node, what);
        if (!text) return tl::make_unexpected(text.error());
        if (const auto value = parse(*text)) return *value;
        return unknown_choice(node, what, known);
    }

private:
    tl::unexpected<Error> out_of_range(const Node& node, std::string_view what, std::string_view bounds) const;
    tl::unexpected<Error> unknown_choice(const Node& node, std::string_view what, std::string_view known) const;

    std::string file_;
};

}  // namespace tessera::program
