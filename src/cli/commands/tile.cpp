// SPDX-License-Identifier: Apache-2.0
// tessera tile: a NumPy array as bytes of L1 in any format and layout, and back.
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <utility>

#include "command.hpp"
#include "options/output_paths.hpp"
#include "tessera/format_name.hpp"
#include "tessera/tensor.hpp"

namespace tessera::cli {

namespace {

struct Options {
    std::string from, to, format, shape;
    std::string layout = "tiles", rounding = "host";
    TensorForm form;
    unsigned digest_size = 0, shared_exponent = 0;
    const CLI::Option *digest_given = nullptr, *exponent_given = nullptr, *rounding_given = nullptr;
};

using Shape = std::pair<std::size_t, std::size_t>;

bool is_npy(const std::string& path) { return path.ends_with(".npy"); }

Result<TensorForm> read_form(const Options& options) {
    TensorForm form = options.form;
    const auto layout = parse_layout(options.layout);
    if (!layout) return fail("cli.layout", fmt::format("'{}' is not a layout: tiles, rows", options.layout));
    form.layout = *layout;
    const auto rounding = parse_rounding(options.rounding);
    if (!rounding) return fail("cli.rounding", fmt::format("'{}' is not a rounding: host, device", options.rounding));
    form.rounding = *rounding;
    if (options.digest_given->count()) form.digest_size = static_cast<std::uint8_t>(options.digest_size);
    if (options.exponent_given->count()) form.shared_exponent = static_cast<std::uint8_t>(options.shared_exponent);
    return form;
}

Result<Shape> read_shape(const std::string& text) {
    Shape shape;
    const char *first = text.data(), *last = first + text.size();
    const auto rows = std::from_chars(first, last, shape.first);
    if (rows.ec == std::errc{} && rows.ptr != last && *rows.ptr == 'x') {
        const auto cols = std::from_chars(rows.ptr + 1, last, shape.second);
        if (cols.ec == std::errc{} && cols.ptr == last) return shape;
    }
    return fail("cli.shape", fmt::format("'{}' is not a shape: ROWSxCOLUMNS, such as 64x32", text));
}

Error in_file(Error error, const std::string& path) {
    if (error.file.empty()) error.file = path;
    return error;
}

int to_tiles(const Options& options, DataFormat format, const TensorForm& form) {
    const Result<Matrix> matrix = read_npy(options.from);
    if (!matrix) return report(matrix.error());
    if (!options.shape.empty()) {
        const Result<Shape> shape = read_shape(options.shape);
        if (!shape) return report(shape.error());
        if (*shape != Shape{matrix->rows, matrix->cols})
            return report({"tensor.shape",
                           fmt::format("the array is {} x {}, not {} x {}", matrix->rows, matrix->cols, shape->first,
                                       shape->second),
                           options.from, 0, 0});
    }
    const auto bytes = to_bytes(*matrix, format, form);
    if (!bytes) return report(in_file(bytes.error(), options.from));
    const Result<void> written = write_bytes(options.to, *bytes);
    return written ? good : report(written.error());
}

int to_array(const Options& options, DataFormat format, const TensorForm& form) {
    if (options.shape.empty())
        return report({"cli.usage", "bytes have no shape of their own: give --shape ROWSxCOLUMNS", {}, 0, 0});
    const Result<Shape> shape = read_shape(options.shape);
    if (!shape) return report(shape.error());
    const auto size = tensor_bytes(shape->first, shape->second, format, form);
    if (!size) return report(size.error());
    const auto bytes = read_bytes(options.from, *size);
    if (!bytes) return report(bytes.error());
    const auto matrix = from_bytes(*bytes, shape->first, shape->second, format, form);
    if (!matrix) return report(in_file(matrix.error(), options.from));
    const Result<void> written = write_npy(options.to, *matrix);
    return written ? good : report(written.error());
}

int execute(const Options& options) {
    if (is_npy(options.from) == is_npy(options.to))
        return report({"cli.usage", "one of IN and OUT is a .npy file, and the other one is not", {}, 0, 0});
    if (const auto checked = check_outputs({options.to}, {&options.from, 1}); !checked) return report(checked.error());
    const Result<DataFormat> format = read_data_format(options.format);
    if (!format) return report(format.error());
    const Result<TensorForm> form = read_form(options);
    if (!form) return report(form.error());
    if (!is_npy(options.from) && options.rounding_given->count())
        return report({"cli.usage", "--rounding is for bytes to write: reading is exact", {}, 0, 0});
    return is_npy(options.from) ? to_tiles(options, *format, *form) : to_array(options, *format, *form);
}

}  // namespace

void add_tile(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("tile", "Turn a .npy file into bytes of L1, or such bytes into a .npy file");
    command->add_option("IN", options->from, "Input: a .npy file, or bytes")->required();
    command->add_option("OUT", options->to, "Output: bytes, or a .npy file; written whole or not at all")->required();
    command->add_option("--format", options->format, "Format of the bytes, such as Float16_b or Bfp8_b")
        ->type_name("F")
        ->required();
    command->add_option("--layout", options->layout, "tiles (32x32, of four faces) or rows")
        ->type_name("L")
        ->capture_default_str();
    command->add_option("--shape", options->shape, "Shape of the array; needed to read bytes")->type_name("ROWSxCOLS");
    options->digest_given =
        command->add_option("--digest-size", options->digest_size, "With a header of 1 + N lines of 16 bytes")
            ->type_name("N")
            ->check(CLI::Range(0u, 255u));
    command->add_flag("--compressed", options->form.compressed, "Zeros are left out, as packers do it");
    command
        ->add_option("--row-datums", options->form.row_datums, "Datums of a compressed row; 16, or a row of the array")
        ->type_name("N")
        ->check(CLI::Range(1u, 65535u));
    options->exponent_given = command
                                  ->add_option("--shared-exponent", options->shared_exponent,
                                               "One exponent for all blocks, which then store none")
                                  ->type_name("E")
                                  ->check(CLI::Range(0u, 255u));
    options->rounding_given =
        command->add_option("--rounding", options->rounding, "host (to nearest) or device (as a packer of FP32)")
            ->type_name("R")
            ->capture_default_str();
    command->footer(
        "A .npy file that is written holds float32, or int64 for integer formats.\n"
        "Examples: tessera tile examples/matmul/out/a.npy a.bin --format Bfp8_b\n"
        "          tessera tile a.bin b.npy --format Bfp8_b --shape 128x96\n"
        "Each tile, or the array of rows: header, starts of compressed rows, exponents, datums. A compressed tile has "
        "the\n"
        "room of one without zeros.");
    command->callback([&action, options] { action = [options] { return execute(*options); }; });
}

}  // namespace tessera::cli
