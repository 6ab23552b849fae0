// SPDX-License-Identifier: Apache-2.0
#include "program/job/memory.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "program/job/files.hpp"
#include "program/job/hex.hpp"
#include "program/job/threads.hpp"
#include "state/arch_description.hpp"
#include "tensor/host_file.hpp"
#include "tessera/format_name.hpp"

namespace tessera::program {

namespace {

constexpr auto region_keys =
    std::to_array<std::string_view>({"addr", "npy", "format", "layout", "digest_size", "compressed", "row_datums",
                                     "shared_exponent", "rounding", "hex", "file", "words"});
constexpr auto output_keys =
    std::to_array<std::string_view>({"addr", "shape", "format", "layout", "digest_size", "compressed", "row_datums",
                                     "shared_exponent", "npy", "size", "file", "tile", "channel"});
constexpr auto keys_of_chips = std::to_array<std::string_view>({"tile", "channel"});

/// For a missing input whose folder, or the folder above, has the script that makes it; otherwise empty.
std::string how_to_make(const std::string& path) {
    const std::string script = script_for(path, "prepare.py", 2);
    return script.empty() ? script : fmt::format("; python3 {} makes it", script);
}

class MemoryReader {
public:
    MemoryReader(const SchemaReader& schema, const EntryMemory& memory)
        : schema_(schema), memory_(memory), entry_(memory.in_chip ? "an entry of dram" : "an entry of l1") {}

    Result<Job::Region> region(const Node& node) const {
        std::vector<std::string_view> known(region_keys.begin(), region_keys.end());
        if (memory_.in_chip) known.push_back("channel");
        if (auto keys = schema_.check_keys(node, entry_, known); !keys)
            return tl::make_unexpected(std::move(keys.error()));
        const auto address = read_address(node, entry_);
        if (!address) return tl::make_unexpected(address.error());
        auto bytes = contents(node);
        if (!bytes) return tl::make_unexpected(std::move(bytes.error()));
        if (auto fits = check_fit(node, *address, bytes->size()); !fits)
            return tl::make_unexpected(std::move(fits.error()));
        Job::Region region{*address, std::move(*bytes)};
        if (!node.find("format")) return region;
        const auto form = read_form(node);
        if (!form) return tl::make_unexpected(form.error());
        return read_format(node, entry_).map([&](DataFormat format) {
            region.format = format;
            region.compressed = form->compressed;
            return std::move(region);
        });
    }

    Result<Job::Output> output(const Node& node) const {
        constexpr std::string_view what = "an entry of output";
        if (auto keys = schema_.check_keys(node, what, output_keys); !keys)
            return tl::make_unexpected(std::move(keys.error()));
        for (const auto key : keys_of_chips)
            if (const auto* member = node.find(key); member && !memory_.in_chip)
                return schema_.error("job.value", fmt::format("'{}' is for jobs with a grid: it needs 'chip'", key),
                                     member->position);
        Job::Output output;
        const auto address = read_address(node, what);
        if (!address) return tl::make_unexpected(address.error());
        output.address = *address;
        if (const auto* npy = node.find("npy"); npy && node.find("file"))
            return schema_.error("job.value", "'file' and 'npy' exclude each other", npy->position);
        if (node.find("file")) return raw_output(node, std::move(output));
        if (!node.find("npy"))
            return schema_.error("job.missing-key", fmt::format("{} needs npy or file", what), node.position);
        if (const auto* size = node.find("size"))
            return schema_.error("job.value", "'size' belongs to file, not to npy", size->position);
        const auto shape = schema_.required(node, what, "shape");
        if (!shape) return tl::make_unexpected(shape.error());
        if (auto done = read_shape(**shape, output); !done) return tl::make_unexpected(std::move(done.error()));
        const auto format = read_format(node, what);
        if (!format) return tl::make_unexpected(format.error());
        output.format = *format;
        const auto form = read_form(node);
        if (!form) return tl::make_unexpected(form.error());
        output.form = *form;
        const auto npy = read_path(node, what, "npy");
        if (!npy) return tl::make_unexpected(npy.error());
        output.path = *npy;

        const auto bytes = tensor_bytes(output.rows, output.cols, output.format, output.form);
        if (!bytes) return schema_.error(bytes.error().code, bytes.error().message, (*shape)->position);
        if (auto fits = check_fit(node, output.address, *bytes); !fits)
            return tl::make_unexpected(std::move(fits.error()));
        return output;
    }

private:
    Result<Job::Output> raw_output(const Node& node, Job::Output output) const {
        constexpr std::string_view what = "an entry of output with file";
        constexpr auto own = std::to_array<std::string_view>({"addr", "size", "file", "tile", "channel"});
        for (const auto& member : node.members)
            if (std::ranges::find(own, member.key) == own.end())
                return schema_.error("job.value", fmt::format("'{}' belongs to npy, not to file", member.key),
                                     member.position);
        const auto size = schema_.required(node, what, "size");
        if (!size) return tl::make_unexpected(size.error());
        const auto bytes = schema_.integer(**size, "size", memory_.bytes, 1);
        if (!bytes) return tl::make_unexpected(bytes.error());
        output.size = *bytes;
        auto path = read_path(node, what, "file");
        if (!path) return tl::make_unexpected(path.error());
        output.path = std::move(*path);
        if (auto fits = check_fit(node, output.address, output.size); !fits)
            return tl::make_unexpected(std::move(fits.error()));
        return output;
    }

    Result<std::uint64_t> read_address(const Node& node, std::string_view what) const {
        return schema_.required(node, what, "addr").and_then([&](const Node* value) {
            return schema_.address(*value, "addr", memory_.bytes - 1);
        });
    }

    Result<void> check_fit(const Node& node, std::uint64_t address, std::size_t bytes) const {
        if (bytes <= memory_.bytes - address) return {};
        return schema_.error("job.range",
                             fmt::format("{} bytes from 0x{:X} go beyond the {} bytes of {}", bytes, address,
                                         memory_.bytes, memory_.name),
                             node.find("addr")->value.position);
    }

    Result<DataFormat> read_format(const Node& node, std::string_view what) const {
        return schema_.required(node, what, "format").and_then([&](const Node* value) {
            const auto text = schema_.string(*value, "format");
            if (!text) return Result<DataFormat>(tl::make_unexpected(text.error()));
            return read_data_format(*text).map_error([&](const Error& error) {
                return schema_.error("job.value", error.message, value->position).value();
            });
        });
    }

    Result<TensorForm> read_form(const Node& node) const {
        TensorForm form;
        constexpr std::uint64_t most_digest = 0xFF, most_row = 0xFFFF, most_exponent = 0xFF;
        const auto read = [&](std::string_view key, auto reader, auto& target) -> Result<void> {
            const auto* member = node.find(key);
            if (!member) return {};
            return reader(member->value, key).map([&](auto value) {
                target = static_cast<std::decay_t<decltype(target)>>(value);
            });
        };
        const auto up_to = [&](std::uint64_t most) {
            return [this, most](const Node& value, std::string_view key) { return schema_.integer(value, key, most); };
        };
        const auto one_of = [&](std::string_view known, auto parse) {
            return [this, known, parse](const Node& value, std::string_view key) {
                return schema_.choice(value, key, known, parse);
            };
        };
        const auto flag = [&](const Node& value, std::string_view key) { return schema_.boolean(value, key); };
        return read("layout", one_of("tiles or rows", parse_layout), form.layout)
            .and_then([&] { return read("digest_size", up_to(most_digest), form.digest_size); })
            .and_then([&] { return read("compressed", flag, form.compressed); })
            .and_then([&] { return read("row_datums", up_to(most_row), form.row_datums); })
            .and_then([&] { return read("shared_exponent", up_to(most_exponent), form.shared_exponent); })
            .and_then([&] { return read("rounding", one_of("host or device", parse_rounding), form.rounding); })
            .map([&] { return form; });
    }

    Result<std::string> read_path(const Node& node, std::string_view what, std::string_view key) const {
        return schema_.required(node, what, key)
            .and_then([&](const Node* value) { return schema_.file_name(*value, key); })
            .map([&](std::string_view path) { return beside(schema_.file(), path); });
    }

    Result<void> read_shape(const Node& node, Job::Output& output) const {
        const auto sizes = schema_.array(node, "shape");
        if (!sizes) return tl::make_unexpected(sizes.error());
        if (sizes->size() != 2) return schema_.error("job.value", "shape must be [rows, columns]", node.position);
        const auto rows = schema_.integer((*sizes)[0], "the number of rows");
        if (!rows) return tl::make_unexpected(rows.error());
        const auto cols = schema_.integer((*sizes)[1], "the number of columns");
        if (!cols) return tl::make_unexpected(cols.error());
        if (*rows == 0 || *cols == 0) return schema_.error("job.range", "a shape without elements", node.position);
        output.rows = *rows;
        output.cols = *cols;
        return {};
    }

    Result<std::vector<std::byte>> contents(const Node& node) const {
        constexpr auto sources = std::to_array<std::string_view>({"npy", "hex", "file", "words"});
        const auto is_source = [&](std::string_view key) {
            return std::find(sources.begin(), sources.end(), key) != sources.end();
        };
        const auto is_format_of_bytes = [&](std::string_view key) {
            return (key == "format" || (key == "compressed" && node.find("format"))) && !memory_.in_chip;
        };
        const Node::Member* source = nullptr;
        for (const auto key : sources) {
            const auto* member = node.find(key);
            if (member && source)
                return schema_.error("job.value", fmt::format("'{}' and '{}' exclude each other", source->key, key),
                                     member->position);
            if (member) source = member;
        }
        if (!source) return schema_.error("job.missing-key", fmt::format("{} needs npy, hex, file or words", entry_), node.position);
        if (source->key == "npy") return npy_contents(node, source->value);
        for (const auto key : region_keys)
            if (const auto* member = node.find(key); member && key != "addr" && !is_source(key) && !is_format_of_bytes(key))
                return schema_.error("job.value", fmt::format("'{}' belongs to npy, not to {}", key, source->key),
                                     member->position);
        if (source->key == "words") return word_contents(source->value);
        return source->key == "hex" ? hex_contents(source->value) : file_contents(source->value);
    }

    Result<std::vector<std::byte>> npy_contents(const Node& node, const Node& source) const {
        const auto path = read_path(node, entry_, "npy");
        if (!path) return tl::make_unexpected(path.error());
        const auto format = read_format(node, fmt::format("{} with npy", entry_));
        if (!format) return tl::make_unexpected(format.error());
        const auto form = read_form(node);
        if (!form) return tl::make_unexpected(form.error());
        return read_npy(*path, *format)
            .and_then([&](const Matrix& matrix) { return to_bytes(matrix, *format, *form); })
            .map_error([&](const Error& error) {
                return schema_.error(error.code, fmt::format("{}: {}{}", *path, error.message, how_to_make(*path)), source.position)
                    .value();
            });
    }

    Result<std::vector<std::byte>> hex_contents(const Node& source) const {
        const auto text = schema_.string(source, "hex");
        if (!text) return tl::make_unexpected(text.error());
        auto bytes = parse_hex(*text);
        if (!bytes) return schema_.error("job.value", "hex must be pairs of hexadecimal digits", source.position);
        return std::move(*bytes);
    }

    Result<std::vector<std::byte>> word_contents(const Node& source) const {
        const auto items = schema_.array(source, "words");
        if (!items) return tl::make_unexpected(items.error());
        std::vector<std::byte> bytes;
        for (const Node& item : *items) {
            const auto word = schema_.word(item, "an item of words");
            if (!word) return tl::make_unexpected(word.error());
            for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(*word >> 8 * i & 0xFF));
        }
        return bytes;
    }

    Result<std::vector<std::byte>> file_contents(const Node& source) const {
        const auto name = schema_.file_name(source, "file");
        if (!name) return tl::make_unexpected(name.error());
        const std::string path = beside(schema_.file(), *name);
        const auto text = tensor::read_file(path, "job.open");
        if (!text)
            return schema_.error(text.error().code,
                                 fmt::format("'{}' {}{}", path, text.error().message, how_to_make(path)), source.position);
        std::vector<std::byte> bytes(text->size());
        std::transform(text->begin(), text->end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
        return bytes;
    }

    const SchemaReader& schema_;
    EntryMemory memory_;
    std::string_view entry_;  ///< what messages call an entry of contents
};

/// All entries of a key of a job of one tile.
template <class Entry>
Result<std::vector<Entry>> read_entries(const Node& node, const SchemaReader& schema, Arch arch, std::string_view key,
                                        Result<Entry> (MemoryReader::*read)(const Node&) const) {
    const auto items = schema.array(node, key);
    if (!items) return tl::make_unexpected(items.error());
    const MemoryReader reader(schema, l1_of(arch));
    std::vector<Entry> entries;
    for (const auto& item : *items) {
        auto entry = (reader.*read)(item);
        if (!entry) return tl::make_unexpected(std::move(entry.error()));
        entries.push_back(std::move(*entry));
    }
    return entries;
}

}  // namespace

EntryMemory l1_of(Arch arch) { return {"L1", state::describe(arch).l1_bytes}; }

Result<Job::Region> read_region(const Node& node, const SchemaReader& schema, const EntryMemory& memory) {
    return MemoryReader(schema, memory).region(node);
}

Result<Job::Output> read_output(const Node& node, const SchemaReader& schema, const EntryMemory& memory) {
    return MemoryReader(schema, memory).output(node);
}

Result<std::vector<Job::Region>> read_regions(const Node& node, const SchemaReader& schema, Arch arch) {
    return read_entries(node, schema, arch, "l1", &MemoryReader::region);
}

Result<void> write_regions(Core& core, std::span<const Job::Region> regions) {
    for (const auto& region : regions)
        if (auto done = region.format ? core.write_l1(region.address, region.bytes, *region.format, region.compressed)
                                      : core.write_l1(region.address, region.bytes);
            !done)
            return done;
    return {};
}

Result<std::vector<Job::Output>> read_outputs(const Node& node, const SchemaReader& schema, Arch arch) {
    return read_entries(node, schema, arch, "output", &MemoryReader::output);
}

}  // namespace tessera::program
