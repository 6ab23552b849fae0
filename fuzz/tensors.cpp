// SPDX-License-Identifier: Apache-2.0
// Fuzzes decoding of tiles, in every format, layout and form: compressed, with headers, of any size.
#include "fuzz/support/fuzzer.hpp"
#include "tessera/tensor.hpp"

#include <algorithm>

namespace tessera::fuzz {

namespace {

constexpr std::size_t head_bytes = 11, most_bytes = 1 << 16;

/// Settings from the first bytes of an input.
struct Asked {
    std::size_t rows = 0, cols = 0;
    DataFormat format{};
    TensorForm form;
};

Asked asked(Bytes& input) {
    Asked of;
    const std::uint32_t flags = input.take(1);
    of.format = DataFormat(input.take(1));
    of.rows = input.take(2);
    of.cols = input.take(2);
    of.form.row_datums = input.take(2);
    of.form.layout = flags & 1 ? Layout::rows : Layout::tiles;
    of.form.compressed = flags & 2;
    const auto digests = static_cast<std::uint8_t>(input.take(1)), exponent = static_cast<std::uint8_t>(input.take(1));
    if (flags & 4) of.form.digest_size = digests;
    if (flags & 8) of.form.shared_exponent = exponent;
    of.form.rounding = input.take(1) & 1 ? Rounding::device : Rounding::host;
    return of;
}

std::string head(std::uint8_t flags, DataFormat format, std::uint8_t rows, std::uint8_t cols) {
    std::string bytes(head_bytes, '\0');
    bytes[0] = static_cast<char>(flags);
    bytes[1] = static_cast<char>(format);
    bytes[2] = static_cast<char>(rows);
    bytes[4] = static_cast<char>(cols);
    return bytes;
}

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    for (const DataFormat format : all_data_formats)
        for (std::uint8_t flags = 0; flags < 8; ++flags) {
            const std::uint8_t side = flags & 1 ? 16 : 32;
            Matrix matrix{side, side, std::vector<float>(std::size_t{side} * side), {}};
            for (std::size_t i = 0; i < matrix.values.size(); i += 3) matrix.values[i] = 1.5F;
            std::string input = head(flags, format, side, side);
            Bytes bytes(input);
            const auto made = to_bytes(matrix, format, asked(bytes).form);
            if (made) all.push_back(input.append(reinterpret_cast<const char*>(made->data()), made->size()));
        }
    return all;
}

void run(std::string_view text) {
    Bytes input(text);
    const Asked of = asked(input);
    const auto size = tensor_bytes(of.rows, of.cols, of.format, of.form);
    if (!size) return require(!size.error().code.empty(), "an error has a code");
    // An allocation of its own, so that AddressSanitizer finds reads past its end.
    const std::string_view rest = text.substr(std::min(text.size(), head_bytes));
    std::vector<std::byte> bytes(std::min(*size, most_bytes));
    std::transform(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(std::min(rest.size(), bytes.size())),
                   bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    const auto sizes = tensor_sizes(bytes, of.rows, of.cols, of.format, of.form);
    const auto matrix = from_bytes(bytes, of.rows, of.cols, of.format, of.form);
    require(sizes || !sizes.error().code.empty(), "an error has a code");
    if (!matrix) return require(!matrix.error().code.empty(), "an error has a code");
    // The device cannot make every format from values.
    const bool packed = to_bytes(*matrix, of.format, of.form).has_value();
    require(packed || of.form.rounding == Rounding::device, "what was unpacked can be packed");
}

}  // namespace

const Fuzzer tensors_fuzzer{"tensors", seeds, run};

}  // namespace tessera::fuzz
