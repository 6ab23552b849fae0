// SPDX-License-Identifier: Apache-2.0
// Fuzzes NumPy files; their arrays are converted to every format and layout.
#include "tensor/npy.hpp"
#include "fuzz/support/fuzzer.hpp"

namespace tessera::fuzz {

namespace {

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    Matrix floats{2, 16, std::vector<float>(32, 1.5F), {}}, integers{2, 3, {}, {1, -2, 3, 4, 5, 6}};
    for (const auto* matrix : {&floats, &integers})
        if (const auto file = tensor::format_npy(*matrix)) all.push_back(*file);
    for (const char* type :
         {"<f2", "<f4", "<f8", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "|b1", ">f4"}) {
        std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': True, 'shape': (2, 2), }";
        header.resize(117, ' ');
        header += '\n';
        all.push_back(std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header +
                      std::string(32, 'A'));
    }
    return all;
}

void run(std::string_view input) {
    const auto matrix = tensor::parse_npy(input);
    if (!matrix) return require(!matrix.error().code.empty(), "an error has a code");
    require(tensor::format_npy(*matrix).has_value(), "what was read can be written");
    for (const DataFormat format : all_data_formats)
        for (const Layout layout : {Layout::tiles, Layout::rows}) {
            const auto bytes = to_bytes(*matrix, format, layout);
            if (!bytes) continue;
            const auto again = from_bytes(*bytes, matrix->rows, matrix->cols, format, layout);
            require(again.has_value(), "what was packed can be unpacked");
        }
}

}  // namespace

const Fuzzer npy_fuzzer{"npy", seeds, run};

}  // namespace tessera::fuzz
