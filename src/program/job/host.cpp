// SPDX-License-Identifier: Apache-2.0
#include "program/job/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "program/job/kernels.hpp"
#include "program/job/memory.hpp"

namespace tessera::program {

namespace {

constexpr std::string_view entry = "an entry of host";
constexpr auto host_keys = std::to_array<std::string_view>({"at", "when", "write", "read", "reset", "start"});
constexpr auto condition_keys = std::to_array<std::string_view>({"addr", "value", "mask"});
constexpr auto acts = std::to_array<std::string_view>({"write", "read", "reset", "start"});

class StepReader {
public:
    StepReader(const SchemaReader& schema, Job& job) : schema_(schema), job_(job) {}

    Result<void> read(const Node& node) {
        if (auto keys = schema_.check_keys(node, entry, host_keys); !keys) return keys;
        step_ = {};
        step_.place = schema_.file();
        if (const int line = node.position.line; line > 0) step_.place += fmt::format(":{}", line);
        const Node::Member* act = nullptr;
        for (const auto& member : node.members) {
            const bool acts_by = std::find(acts.begin(), acts.end(), member.key) != acts.end();
            if (acts_by && act)
                return schema_.error(
                    "job.value",
                    fmt::format("'{}' and '{}' exclude each other: make two steps of them", act->key, member.key),
                    member.position);
            if (acts_by) act = &member;
            if (auto done = read_member(member); !done) return done;
        }
        job_.kernels->host.push_back(std::move(step_));
        if (auto done = check_kernels(*job_.kernels); !done)
            return schema_.error(done.error().code, done.error().message, node.position);
        return {};
    }

private:
    Result<void> read_member(const Node::Member& member) {
        const auto& [key, position, value] = member;
        if (key == "at") return schema_.integer(value, "at").map([&](std::uint64_t at) { step_.at = at; });
        if (key == "when") return read_condition(value);
        if (key == "write") return read_write(value);
        if (key == "read") return read_read(value);
        step_.what = key == "reset" ? HostStep::What::reset : HostStep::What::start;
        return read_cores_of(value, key, schema_, *job_.kernels).map([&](const auto& cores) { step_.cores = cores; });
    }

    Result<void> read_condition(const Node& node) {
        if (auto keys = schema_.check_keys(node, "when", condition_keys); !keys) return keys;
        WordCondition& when = step_.when.emplace();
        const auto address = read_word_address(node, "when", schema_, job_.arch);
        if (!address) return tl::make_unexpected(address.error());
        when.address = *address;
        const auto value = schema_.required(node, "when", "value").and_then([&](const Node* word) {
            return schema_.word(*word, "value");
        });
        if (!value) return tl::make_unexpected(value.error());
        when.value = *value;
        if (const auto* mask = node.find("mask"))
            return schema_.word(mask->value, "mask").map([&](std::uint32_t bits) { when.mask = bits; });
        return {};
    }

    Result<void> read_write(const Node& node) {
        return read_region(node, schema_, l1_of(job_.arch)).map([&](Job::Region region) {
            step_.what = HostStep::What::write;
            step_.address = static_cast<std::uint32_t>(region.address);
            step_.bytes = std::move(region.bytes);
        });
    }

    Result<void> read_read(const Node& node) {
        auto output = read_output(node, schema_, l1_of(job_.arch));
        if (!output) return tl::make_unexpected(output.error());
        const auto size = output_bytes(*output);
        if (!size) return schema_.error(size.error().code, size.error().message, node.position);
        step_.what = HostStep::What::read;
        step_.address = static_cast<std::uint32_t>(output->address);
        step_.size = static_cast<std::uint32_t>(*size);
        output->host_step = job_.kernels->host.size();
        job_.outputs.push_back(std::move(*output));
        return {};
    }

    const SchemaReader& schema_;
    Job& job_;
    HostStep step_;
};

}  // namespace

Result<void> read_host(const Node& node, const SchemaReader& schema, Job& job) {
    const auto items = schema.array(node, "host");
    if (!items) return tl::make_unexpected(items.error());
    StepReader reader(schema, job);
    for (const auto& item : *items)
        if (auto done = reader.read(item); !done) return done;
    return {};
}

}  // namespace tessera::program
