// SPDX-License-Identifier: Apache-2.0
// Reads a viewer's page according to docs/viewer.md, with independent code.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tessera::test {

using Json = nlohmann::json;

std::string base64_decoded(const std::string& text);

/// The bytes of a packed part, in the data as page_data() gives them.
std::string unpacked(const Json& packed);

/// A varint of a stream of bytes, and on behind it.
std::uint64_t varint(const std::string& bytes, std::size_t& at);

/// The numbers of a column, whatever its type.
std::vector<double> column(const Json& column);

/// The data of a page, each packed part with its block as "data"; null when there are none or they are no JSON.
Json page_data(const std::string& html);

/// State as the page makes it: values by section, sections as in the page.
class PageState {
public:
    explicit PageState(const Json& data);
    /// Applies all records, or the first few.
    void apply_records(std::size_t count);
    const std::vector<std::uint32_t>& values(const std::string& section) const { return values_.at(section); }
    /// Does by summaries what all records of the first blocks do; nothing has been applied yet.
    void apply_summaries(std::size_t blocks);
    std::vector<std::string> sections() const;

private:
    std::size_t apply(const std::string& bytes, std::size_t at);

    const Json& data_;
    std::map<std::string, std::vector<std::uint32_t>> values_;
    std::string log_;
    std::size_t at_ = 0;
};

}  // namespace tessera::test
