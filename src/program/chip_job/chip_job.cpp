// SPDX-License-Identifier: Apache-2.0
#include "tessera/chip_job.hpp"

#include <fmt/format.h>

#include <array>
#include <new>

#include "program/chip_job/tiles.hpp"
#include "program/job/files.hpp"
#include "program/job/memory.hpp"
#include "program/job/output_values.hpp"
#include "program/job/run_keys.hpp"
#include "program/job/text.hpp"
#include "tessera/output_file.hpp"
#include "util/output_paths.hpp"

namespace tessera {

namespace program {

namespace {

constexpr auto chip_keys = std::to_array<std::string_view>({"grid", "harvested", "translation"});

/// Those that only jobs of one tile have, with what to write in their place.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> keys_of_one_tile = {{
    {"l1", "an entry of 'tile' has it"},
    {"cores", "an entry of 'tile' has it"},
    {"in_reset", "an entry of 'tile' has it"},
    {"arguments", "an entry of 'tile' has it"},
    {"done", "an entry of 'tile' has it"},
    {"threads", "tiles of a grid run kernels"},
    {"symbols", "tiles of a grid run kernels"},
    {"host", "a grid has no host steps"},
}};

class ChipJobReader {
public:
    explicit ChipJobReader(const SchemaReader& schema) : schema_(schema) { job_.file = schema.file(); }

    Result<ChipJob> read(const Node& root) {
        auto done = check_job_keys(root, schema_);
        if (done) done = refuse_keys_of_one_tile(root);
        if (done) done = read_chip(root);
        for (const auto& member : root.members)
            if (done) done = read_member(member);
        job_.inputs = named_files(root, job_.file);
        if (done) done = check_outputs(root);
        if (!done) return tl::make_unexpected(std::move(done.error()));
        return std::move(job_);
    }

private:
    Result<void> refuse_keys_of_one_tile(const Node& root) const {
        for (const auto& [key, reason] : keys_of_one_tile)
            if (const auto* member = root.find(key))
                return schema_.error(
                    "job.value", fmt::format("'{}' is for jobs of one tile, and this one has 'chip': {}", key, reason),
                    member->position);
        return {};
    }

    /// Makes the chip that knows its grid, which all else depends on.
    Result<void> read_chip(const Node& root) {
        const auto arch = read_job_arch(root, schema_);
        if (!arch) return tl::make_unexpected(arch.error());
        job_.arch = *arch;
        const Node& node = root.find("chip")->value;
        if (auto keys = schema_.check_keys(node, "chip", chip_keys); !keys) return keys;
        for (const auto& [key, position, value] : node.members)
            if (auto done = read_of_chip(key, value); !done) return done;
        auto chip = Chip::make(job_.arch, job_.chip);
        if (!chip) {
            const auto* wrong = node.find(chip.error().code == "chip.harvested" ? "harvested" : "grid");
            return schema_.error(chip.error().code, chip.error().message,
                                 wrong ? wrong->value.position : node.position);
        }
        chip_.emplace(std::move(*chip));
        return {};
    }

    Result<void> read_of_chip(std::string_view key, const Node& value) {
        if (key == "translation") return schema_.boolean(value, key).map([&](bool on) { job_.chip.translation = on; });
        const auto items = schema_.array(value, key);
        if (!items) return tl::make_unexpected(items.error());
        std::vector<unsigned> numbers;
        for (const Node& item : *items) {
            const auto number = schema_.integer(item, key, UINT8_MAX);
            if (!number) return tl::make_unexpected(number.error());
            numbers.push_back(static_cast<unsigned>(*number));
        }
        if (key == "harvested") {
            job_.chip.harvested = std::move(numbers);
            return {};
        }
        if (numbers.size() != 2) return schema_.error("job.value", "grid must be [columns, rows]", value.position);
        job_.chip.grid = ChipOptions::Size{numbers[0], numbers[1]};
        return {};
    }

    Result<void> read_member(const Node::Member& member) {
        const auto& [key, position, value] = member;
        if (key == "dram") return read_each(value, key, [&](const Node& item) { return read_dram(item); });
        if (key == "output") return read_each(value, key, [&](const Node& item) { return read_chip_output(item); });
        if (key == "tile")
            return read_tiles(value, schema_, *chip_).map([&](std::vector<ChipJob::Tiles> tiles) {
                job_.tiles = std::move(tiles);
            });
        return read_run_key(member, schema_, job_.chip.reset, job_.options);
    }

    template <class Read>
    Result<void> read_each(const Node& node, std::string_view key, Read read) const {
        const auto items = schema_.array(node, key);
        if (!items) return tl::make_unexpected(items.error());
        for (const Node& item : *items)
            if (Result<void> done = read(item); !done) return done;
        return {};
    }

    EntryMemory dram_memory() const { return {"a channel of DRAM", chip_->dram_bytes(), true}; }

    Result<unsigned> read_channel(const Node& node) const {
        const auto number = schema_.integer(node, "channel", UINT32_MAX);
        if (!number) return tl::make_unexpected(number.error());
        const auto channel = static_cast<unsigned>(*number);
        if (const auto place = chip_->dram_place(channel); !place)
            return schema_.error(place.error().code, place.error().message, node.position);
        return channel;
    }

    Result<void> read_dram(const Node& node) {
        auto region = read_region(node, schema_, dram_memory());
        if (!region) return tl::make_unexpected(std::move(region.error()));
        return schema_.required(node, "an entry of dram", "channel")
            .and_then([&](const Node* value) { return read_channel(*value); })
            .map([&](unsigned channel) {
                job_.dram.push_back({channel, std::move(*region)});
            });
    }

    Result<void> read_chip_output(const Node& node) {
        ChipJob::Output output;
        const Node::Member *channel = node.find("channel"), *tile = node.find("tile");
        EntryMemory memory = dram_memory();
        if (!channel) {
            memory = l1_of(job_.arch);
            memory.in_chip = true;
        }
        auto read = read_output(node, schema_, memory);
        if (!read) return tl::make_unexpected(std::move(read.error()));
        output.what = std::move(*read);
        if (channel && tile)
            return schema_.error("job.value", "'channel' and 'tile' exclude each other", tile->position);
        if (!channel && !tile)
            return schema_.error("job.missing-key", "an output of a grid needs 'channel' or 'tile'", node.position);
        const Result<void> place =
            channel ? read_channel(channel->value).map([&](unsigned number) { output.channel = number; })
                    : read_tile_place(tile->value, schema_, *chip_).map([&](auto at) {
                          std::tie(output.column, output.row) = at;
                      });
        return place.map([&] { job_.outputs.push_back(std::move(output)); });
    }

    Result<void> check_outputs(const Node& root) const {
        std::vector<std::string> paths;
        std::vector<Position> places;
        for (const auto& output : job_.outputs) paths.push_back(output.what.path);
        if (const auto* outputs = root.find("output"))
            for (const Node& output : outputs->value.items) places.push_back(place_of_path(output));
        return check_output_files(paths, places, job_.inputs, schema_);
    }

    const SchemaReader& schema_;
    ChipJob job_;
    std::optional<Chip> chip_;
};

bool has_grid(const Node& root) { return root.kind == Node::Kind::table && root.find("chip"); }

Result<ChipJob> read_chip_job(const Node& root, const SchemaReader& schema, const JobChanges& changes) {
    if (!has_grid(root))
        return schema.error("job.missing-key", "a job with a grid needs the key 'chip'", root.position);
    if (!changes.symbols.empty() || !changes.registers.empty())
        return schema.error("job.value",
                            "values for symbols and registers are for assembly, and tiles of a grid run kernels", {});
    return ChipJobReader(schema).read(root);
}

template <class Any, class Read>
Result<Any> read_text(const JobText& text, const JobChanges& changes, Read read) {
    try {
        const SchemaReader schema(text.file);
        return parse_tree(text, changes).and_then([&](const Node& root) -> Result<Any> { return read(root, schema); });
    } catch (const std::bad_alloc&) {
        return fail("job.open", "not enough memory to read the job", text.file);
    }
}

Result<ChipJob> read_chip_text(const JobText& text, const JobChanges& changes) {
    return read_text<ChipJob>(text, changes, [&](const Node& root, const SchemaReader& schema) {
        return read_chip_job(root, schema, changes);
    });
}

Result<AnyJob> read_any_text(const JobText& text, const JobChanges& changes) {
    return read_text<AnyJob>(text, changes, [&](const Node& root, const SchemaReader& schema) -> Result<AnyJob> {
        if (has_grid(root))
            return read_chip_job(root, schema, changes).map([](ChipJob job) { return AnyJob(std::move(job)); });
        return read_job(root, schema, changes).map([](Job job) { return AnyJob(std::move(job)); });
    });
}

/// Fills one of the entry's tiles, which check_tiles() has checked; `number` is the tile's in places_of().
Result<void> fill_tile(Chip& chip, const ChipJob::Tiles& tiles, std::size_t number, std::pair<unsigned, unsigned> place) {
    const auto [column, row] = place;
    if (tiles.kernels && tiles.arguments.empty()) {
        if (auto done = chip.load(column, row, *tiles.kernels); !done) return done;
    } else if (tiles.kernels) {
        Kernels own = *tiles.kernels;
        for (const auto& argument : tiles.arguments) {
            KernelImage& image = *own.images[static_cast<std::size_t>(argument.core)];
            if (auto done = image.set_words(argument.symbol, argument.words[number]); !done) return done;
        }
        if (auto done = chip.load(column, row, own); !done) return done;
    }
    return chip.tile(column, row).and_then([&](Core* core) { return write_regions(*core, tiles.l1); });
}

/// The chip is one that the job could have run on: not of another architecture, and not without some of its tiles.
Result<void> check_chip(const ChipJob& job, const Chip& chip) {
    if (job.arch != chip.arch())
        return fail("run.arch", fmt::format("the job is for {}, but the chip is a {}", name(job.arch), name(chip.arch())));
    return Chip::make(job.arch, job.chip).and_then([&](const Chip& own) -> Result<void> {
        if (chip.columns() >= own.columns() && chip.rows() >= own.rows()) return {};
        return fail("chip.grid", fmt::format("the job is for a grid of {} × {} tiles, but the chip has {} × {}", own.columns(),
                                             own.rows(), chip.columns(), chip.rows()));
    });
}

Result<OutputValue> value_in_chip(const ChipJob::Output& output, Chip& chip) {
    return output_bytes(output.what)
        .and_then([&](std::size_t size) -> Result<std::vector<std::byte>> {
            if (output.channel) return chip.read_dram(*output.channel, output.what.address, size);
            return chip.tile(output.column, output.row).and_then([&](Core* core) {
                return core->read_l1(output.what.address, size);
            });
        })
        .and_then([&](std::vector<std::byte> bytes) { return output_value(output.what, std::move(bytes)); });
}

}  // namespace

}  // namespace program

Result<ChipJob> load_chip_job(const std::string& path, const JobChanges& changes) {
    auto job = program::read_job_file(path).and_then(
        [&](const program::JobText& text) { return program::read_chip_text(text, changes); });
    if (job) job->inputs.push_back(path);
    return job;
}

Result<ChipJob> parse_chip_job(std::string_view text, const std::string& name, const JobChanges& changes) {
    return program::read_chip_text(program::job_text(text, name), changes);
}

Result<AnyJob> load_any_job(const std::string& path, const JobChanges& changes) {
    auto job = program::read_job_file(path).and_then(
        [&](const program::JobText& text) { return program::read_any_text(text, changes); });
    if (job) std::visit([&](auto& read) { read.inputs.push_back(path); }, *job);
    return job;
}

Result<AnyJob> parse_any_job(std::string_view text, const std::string& name, const JobChanges& changes) {
    return program::read_any_text(program::job_text(text, name), changes);
}

Result<Chip> prepare(const ChipJob& job) {
    auto chip = Chip::make(job.arch, job.chip);
    if (!chip) return chip;
    if (auto done = program::check_tiles(job.tiles, *chip); !done) {
        done.error().file = job.file;
        return tl::make_unexpected(std::move(done.error()));
    }
    for (const auto& [channel, region] : job.dram)
        if (auto done = chip->write_dram(channel, region.address, region.bytes); !done)
            return tl::make_unexpected(done.error());
    for (const auto& tiles : job.tiles) {
        const auto places = program::places_of(tiles);
        for (std::size_t i = 0; i < places.size(); ++i)
            if (auto done = program::fill_tile(*chip, tiles, i, places[i]); !done) return tl::make_unexpected(done.error());
    }
    return chip;
}

Result<std::vector<OutputValue>> read_outputs(const ChipJob& job, Chip& chip) {
    if (auto same = program::check_chip(job, chip); !same) return tl::make_unexpected(std::move(same.error()));
    std::vector<OutputValue> values;
    for (const auto& output : job.outputs) {
        auto value = program::value_in_chip(output, chip);
        if (!value) return tl::make_unexpected(std::move(value.error()));
        values.push_back(std::move(*value));
    }
    return values;
}

Result<void> write_outputs(const ChipJob& job, Chip& chip) {
    if (auto same = program::check_chip(job, chip); !same) return same;
    std::vector<OutputFile> files;
    util::OutputPaths paths(job.inputs);
    for (const auto& output : job.outputs) {
        const std::string& path = output.what.path;
        if (auto done = paths.add(path); !done) return done;
        auto file =
            program::value_in_chip(output, chip).and_then(program::file_text).and_then([&](const std::string& text) {
                return OutputFile::with(path, text, "npy.open");
            });
        if (!file) return tl::make_unexpected(std::move(file.error()));
        files.push_back(std::move(*file));
    }
    return commit(files);
}

}  // namespace tessera
