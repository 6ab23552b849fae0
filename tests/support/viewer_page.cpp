// SPDX-License-Identifier: Apache-2.0
#include "support/viewer_page.hpp"

#include <zlib.h>

#include <stdexcept>

namespace tessera::test {

std::string base64_decoded(const std::string& text) {
    const auto digit = [](char c) -> std::uint32_t {
        if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
        if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a') + 26;
        if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0') + 52;
        if (c == '+') return 62;
        if (c == '/') return 63;
        throw std::runtime_error("no digit of base64");
    };
    if (text.size() % 4 != 0) throw std::runtime_error("base64 is cut off");
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned have = 0;
    for (const char c : text) {
        if (c == '=') break;
        bits = bits << 6 | digit(c);
        have += 6;
        if (have < 8) continue;
        have -= 8;
        bytes += static_cast<char>(bits >> have & 0xFF);
    }
    return bytes;
}

std::string unpacked(const Json& packed) {
    const std::string from = base64_decoded(packed.at("data"));
    std::string bytes;
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) throw std::runtime_error("zlib cannot begin");
    std::string piece(1 << 16, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
    stream.avail_in = static_cast<uInt>(from.size());
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        status = inflate(&stream, Z_NO_FLUSH);
        bytes.append(piece, 0, piece.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END) throw std::runtime_error("the compressed data are broken");
    if (bytes.size() != packed.at("size")) throw std::runtime_error("the size of a block is wrong");
    return bytes;
}

std::uint64_t varint(const std::string& bytes, std::size_t& at) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const auto one = static_cast<unsigned char>(bytes.at(at++));
        value |= std::uint64_t{one & 0x7Fu} << shift;
        if (one < 0x80) return value;
    }
}

std::vector<double> column(const Json& column) {
    const std::string bytes = unpacked(column);
    std::vector<double> values;
    double value = 0;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::uint64_t step = varint(bytes, at);
        value += step & 1 ? -static_cast<double>(step / 2 + 1) : static_cast<double>(step / 2);
        values.push_back(value);
    }
    if (values.size() != column.at("count")) throw std::runtime_error("a column is cut off");
    return values;
}

namespace {

/// The text of the element with this id.
std::string element(const std::string& html, const std::string& id) {
    const std::string begin = "id=\"" + id + "\">";
    const std::size_t at = html.find(begin);
    if (at == std::string::npos) return {};
    const std::size_t first = at + begin.size();
    return html.substr(first, html.find("</script>", first) - first);
}

void add_blocks(Json& part, const std::string& html) {
    if (part.is_object() && part.contains("size"))
        for (const char* coding : {"deltas", "bytes", "json"})
            if (part.contains(coding))
                part["data"] = element(html, "block-" + std::to_string(part[coding].get<int>()));
    if (part.is_structured())
        for (Json& inner : part) add_blocks(inner, html);
}

}  // namespace

Json page_data(const std::string& html) {
    Json data = Json::parse(element(html, "data"), nullptr, false);
    if (data.is_discarded()) return nullptr;
    add_blocks(data, html);
    if (data.contains("writes"))
        for (const char* list : {"logs", "summaries"})
            for (Json& one : data["writes"]["blocks"][list])
                one = {{"bytes", one.at(0)}, {"size", one.at(1)}, {"data", element(html, "block-" + std::to_string(one.at(0).get<int>()))}};
    return data;
}

PageState::PageState(const Json& data) : data_(data) {
    for (const Json& block : data.at("writes").at("blocks").at("logs")) log_ += unpacked(block);
    for (const Json& section : data.at("sections"))
        values_[section.at("name")].resize(section.at("size").get<std::size_t>());
    apply(unpacked(data.at("initial")), 0);
}

void PageState::apply_records(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) at_ = apply(log_, at_);
}

void PageState::apply_summaries(std::size_t blocks) {
    for (std::size_t i = 0; i < blocks; ++i) {
        const std::string summary = unpacked(data_.at("writes").at("blocks").at("summaries").at(i));
        if (apply(summary, 0) != summary.size()) throw std::runtime_error("a summary is more than one record");
    }
}

std::vector<std::string> PageState::sections() const {
    std::vector<std::string> names;
    for (const auto& [name, values] : values_) names.push_back(name);
    return names;
}

std::size_t PageState::apply(const std::string& bytes, std::size_t at) {
    const auto next = [&] { return static_cast<std::size_t>(varint(bytes, at)); };
    const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(bytes.at(i))}; };
    enum Form { one_each = 0, fill = 1, same = 2 };
    for (std::size_t runs = next(); runs > 0; --runs) {
        const Json& section = data_.at("sections").at(next());
        const std::size_t first = next(), count = next(), form = next();
        if (form == same) continue;
        const std::size_t size = (section.at("bits").get<std::size_t>() + 7) / 8, values = form == fill ? 1 : count;
        auto& of = values_.at(section.at("name"));
        for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t value = 0;
            for (std::size_t b = 0; b < size; ++b) value |= byte(at + b * values + (form == fill ? 0 : i)) << 8 * b;
            of.at(first + i) = value;
        }
        at += size * values;
    }
    return at;
}

}  // namespace tessera::test
