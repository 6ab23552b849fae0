// SPDX-License-Identifier: Apache-2.0
#include "program/ops/schema.hpp"

#include <fmt/format.h>
#include <array>

#include "program/ops/rules.hpp"
#include "program/ops/semaphore_condition.hpp"
#include "tessera/assembly.hpp"

namespace tessera::program {

namespace {

/// The form of the value after an op's key.
enum class Shape : std::uint8_t { word, index_and_word, truth, index, index_and_condition };

struct OpKey {
    std::string_view key;
    Op::Kind kind;
    Shape shape;
};

constexpr OpKey op_keys[] = {
    {"ins", Op::Kind::ins, Shape::word},           {"cfg", Op::Kind::cfg, Shape::index_and_word},
    {"gpr", Op::Kind::gpr, Shape::index_and_word}, {"mop", Op::Kind::mop, Shape::index_and_word},
    {"drain", Op::Kind::drain, Shape::truth},      {"sem_post", Op::Kind::sem_post, Shape::index},
    {"sem_get", Op::Kind::sem_get, Shape::index},  {"sem_wait", Op::Kind::sem_wait, Shape::index_and_condition},
};

constexpr auto op_key_names = [] {
    std::array<std::string_view, std::size(op_keys)> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = op_keys[i].key;
    return names;
}();

const OpKey* find_op_key(std::string_view key) {
    for (const auto& row : op_keys)
        if (row.key == key) return &row;
    return nullptr;
}

class OpReader {
public:
    OpReader(const OpKey& row, const SchemaReader& schema, Arch arch) : row_(row), schema_(schema), arch_(arch) {
        op_.kind = row.kind;
    }

    Result<Op> read(const Node& node) {
        auto done = read_shape(node);
        if (!done) return tl::make_unexpected(std::move(done.error()));
        op_.line = node.position.line;
        return op_;
    }

private:
    Result<void> read_shape(const Node& node) {
        switch (row_.shape) {
            case Shape::word: return read_word(node);
            case Shape::index: return read_index(node);
            case Shape::truth:
                if (node.kind != Node::Kind::boolean || !node.boolean)
                    return schema_.error("job.value", fmt::format("'{}' must be true", row_.key), node.position);
                return {};
            case Shape::index_and_word:
            case Shape::index_and_condition: break;
        }
        const auto pair = schema_.array(node, fmt::format("'{}'", row_.key));
        if (!pair) return tl::make_unexpected(pair.error());
        if (pair->size() != 2)
            return schema_.error("job.value", fmt::format("'{}' takes an index and a value", row_.key), node.position);
        if (auto index = read_index((*pair)[0]); !index) return index;
        return row_.shape == Shape::index_and_word ? read_word((*pair)[1]) : read_condition((*pair)[1]);
    }

    Result<void> read_index(const Node& node) {
        const auto index = schema_.integer(node, fmt::format("the index of '{}'", row_.key),
                                           std::numeric_limits<std::uint16_t>::max());
        if (!index) return tl::make_unexpected(index.error());
        op_.index = static_cast<std::uint16_t>(*index);
        if (const auto what = problem(op_, arch_)) return schema_.error("job.range", *what, node.position);
        return {};
    }

    Result<void> read_word(const Node& node) {
        const auto word = schema_.integer(node, fmt::format("the value of '{}'", row_.key),
                                          std::numeric_limits<std::uint32_t>::max());
        if (!word) return tl::make_unexpected(word.error());
        op_.value = static_cast<std::uint32_t>(*word);
        return {};
    }

    Result<void> read_condition(const Node& node) {
        const auto condition =
            schema_.choice(node, "the condition of 'sem_wait'", "nonzero or below_max", parse_semaphore_condition);
        if (!condition) return tl::make_unexpected(condition.error());
        op_.value = *condition;
        return {};
    }

    const OpKey& row_;
    const SchemaReader& schema_;
    Arch arch_;
    Op op_;
};

}  // namespace

Result<Op> read_op(const Node& node, const SchemaReader& schema, Arch arch) {
    if (auto keys = schema.check_keys(node, "an op", op_key_names); !keys)
        return tl::make_unexpected(std::move(keys.error()));
    if (node.members.size() != 1) return schema.error("job.value", "an op has exactly one key", node.position);
    const auto& member = node.members.front();
    return OpReader(*find_op_key(member.key), schema, arch).read(member.value);
}

Result<std::vector<Op>> read_ops(const Node& node, const SchemaReader& schema, Arch arch) {
    const auto items = schema.array(node, "a list of ops");
    if (!items) return tl::make_unexpected(items.error());
    std::vector<Op> ops;
    ops.reserve(items->size());
    for (const auto& item : *items) {
        auto op = read_op(item, schema, arch);
        if (!op) {
            op.error().message = fmt::format("op {}: {}", ops.size(), op.error().message);
            return tl::make_unexpected(std::move(op.error()));
        }
        ops.push_back(*op);
    }
    return ops;
}

}  // namespace tessera::program

namespace tessera {

std::string op_json(const Op& op) {
    using program::Shape;
    for (const auto& [key, kind, shape] : program::op_keys) {
        if (kind != op.kind) continue;
        switch (shape) {
            case Shape::word: return fmt::format("{{\"{}\": {}}}", key, op.value);
            case Shape::truth: return fmt::format("{{\"{}\": true}}", key);
            case Shape::index: return fmt::format("{{\"{}\": {}}}", key, op.index);
            case Shape::index_and_word: return fmt::format("{{\"{}\": [{}, {}]}}", key, op.index, op.value);
            case Shape::index_and_condition:
                return fmt::format("{{\"{}\": [{}, \"{}\"]}}", key, op.index, program::condition_name(op.value));
        }
    }
    return "{}";
}

}  // namespace tessera
