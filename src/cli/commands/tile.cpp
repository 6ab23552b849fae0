// SPDX-License-Identifier: Apache-2.0
// tessera tile: a NumPy array as bytes of L1 in any format and layout, and back.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "command.hpp"
#include "options/output_paths.hpp"
#include "options/words.hpp"
#include "tessera/format_name.hpp"
#include "tessera/tensor.hpp"

namespace tessera::cli {

namespace {

struct TileArguments {
    std::string from, to, format, shape;
    std::string layout = "tiles", rounding = "host";
    TensorForm form;
    unsigned digest_size = 0, shared_exponent = 0;
    std::optional<Option> digest_given, exponent_given, rounding_given;
};

using Shape = std::pair<std::size_t, std::size_t>;

bool is_npy(const std::string& path) { return path.ends_with(".npy"); }

Result<TensorForm> read_form(const TileArguments& options) {
    TensorForm form = options.form;
    const auto layout = parse_layout(options.layout);
    if (!layout) return fail("cli.layout", fmt::format("'{}' is not a layout: tiles, rows", options.layout));
    form.layout = *layout;
    const auto rounding = parse_rounding(options.rounding);
    if (!rounding) return fail("cli.rounding", fmt::format("'{}' is not a rounding: host, device", options.rounding));
    form.rounding = *rounding;
    if (options.digest_given->given()) form.digest_size = static_cast<std::uint8_t>(options.digest_size);
    if (options.exponent_given->given()) form.shared_exponent = static_cast<std::uint8_t>(options.shared_exponent);
    return form;
}

Result<Shape> read_shape(const std::string& text) {
    if (const auto shape = parse_pair<std::size_t>(text, 'x')) return *shape;
    return fail("cli.shape", fmt::format("'{}' is not a shape: ROWSxCOLUMNS, such as 64x32", text));
}

Error in_file(Error error, const std::string& path) {
    if (error.file.empty()) error.file = path;
    return error;
}

int to_tiles(const TileArguments& options, DataFormat format, const TensorForm& form) {
    const Result<Matrix> matrix = read_npy(options.from, format);
    if (!matrix) return report(matrix.error());
    if (!options.shape.empty()) {
        const Result<Shape> shape = read_shape(options.shape);
        if (!shape) return report(shape.error());
        if (*shape != Shape{matrix->rows, matrix->cols})
            return refuse("tensor.shape",
                          fmt::format("the array is {} x {}, not {} x {}", matrix->rows, matrix->cols, shape->first,
                                      shape->second),
                          options.from);
    }
    const auto bytes = to_bytes(*matrix, format, form);
    if (!bytes) return report(in_file(bytes.error(), options.from));
    const Result<void> written = write_bytes(options.to, *bytes);
    return written ? good : report_unwritten(written.error());
}

int to_array(const TileArguments& options, DataFormat format, const TensorForm& form) {
    if (options.shape.empty())
        return refuse("cli.usage", "bytes have no shape of their own: give --shape ROWSxCOLUMNS");
    const Result<Shape> shape = read_shape(options.shape);
    if (!shape) return report(shape.error());
    const auto size = tensor_bytes(shape->first, shape->second, format, form);
    if (!size) return report(size.error());
    const auto bytes = read_bytes(options.from, *size);
    if (!bytes) return report(bytes.error());
    const auto matrix = from_bytes(*bytes, shape->first, shape->second, format, form);
    if (!matrix) return report(in_file(matrix.error(), options.from));
    const Result<void> written = write_npy(options.to, *matrix);
    return written ? good : report_unwritten(written.error());
}

int execute(const TileArguments& options) {
    if (is_npy(options.from) == is_npy(options.to))
        return refuse("cli.usage", "one of IN and OUT is a .npy file, and the other one is not");
    if (const auto checked = check_outputs({options.to}, {&options.from, 1}); !checked) return report(checked.error());
    const Result<DataFormat> format = read_data_format(options.format);
    if (!format) return report(format.error());
    const Result<TensorForm> form = read_form(options);
    if (!form) return report(form.error());
    if (!is_npy(options.from) && options.rounding_given->given())
        return refuse("cli.usage", "--rounding is for bytes to write: reading is exact");
    return is_npy(options.from) ? to_tiles(options, *format, *form) : to_array(options, *format, *form);
}

}  // namespace

void add_tile(CommandLine& program) {
    auto options = std::make_shared<TileArguments>();
    const Command command = program.add("tile", "Turn a .npy file into bytes of L1, or such bytes into a .npy file");
    command.option("IN", options->from, "Input: a .npy file, or bytes").required();
    command.option("OUT", options->to, "Output: bytes, or a .npy file; written whole or not at all").required();
    command.option("--format", options->format, "Format of the bytes, such as Float16_b or Bfp8_b")
        .value_name("F")
        .required();
    command.option("--layout", options->layout, "tiles (32x32, of four faces) or rows").value_name("L").show_default();
    command.option("--shape", options->shape, "Shape of the array; needed to read bytes").value_name("ROWSxCOLS");
    options->digest_given =
        command.option("--digest-size", options->digest_size, "With a header of 1 + N lines of 16 bytes")
            .value_name("N")
            .in_range(0, 255);
    command.flag("--compressed", options->form.compressed, "Zeros are left out, as packers do it");
    command.option("--row-datums", options->form.row_datums, "Datums of a compressed row; 16, or a row of the array")
        .value_name("N")
        .in_range(1, 65535);
    options->exponent_given =
        command
            .option("--shared-exponent", options->shared_exponent, "One exponent for all blocks, which then store none")
            .value_name("E")
            .in_range(0, 255);
    options->rounding_given =
        command.option("--rounding", options->rounding, "host (to nearest) or device (as a packer of FP32)")
            .value_name("R")
            .show_default();
    command.footer(
        "A .npy file that is written holds float32, or int64 for integer formats. One that is read becomes float32 first,\n"
        "to nearest; integer formats take whole numbers of 64 bits, and round float64 once.\n"
        "Examples: tessera tile examples/matmul/out/a.npy a.bin --format Bfp8_b\n"
        "          tessera tile a.bin b.npy --format Bfp8_b --shape 128x96\n"
        "Each tile, or the array of rows: header, starts of compressed rows, exponents, datums. A compressed tile has "
        "the\n"
        "room of one without zeros.");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
