// SPDX-License-Identifier: Apache-2.0
#include "viewer/plans.hpp"

#include <bit>
#include <functional>

#include "util/golden_ratio.hpp"

namespace tessera::viewer {

namespace {

std::uint64_t hash_of(const Explanation& explanation) {
    std::uint64_t hash = 0;
    for (const auto& line : explanation.lines)
        for (const std::string* text : {&line.topic, &line.name, &line.value})
            hash = (std::rotl(hash, 7) ^ std::hash<std::string>{}(*text)) * util::golden_ratio;
    return hash;
}

}  // namespace

std::uint32_t Plans::line(const Explanation::Line& line) {
    const std::array<std::uint32_t, 3> key = {texts_.number(line.topic), texts_.number(line.name),
                                              texts_.number(line.value)};
    const auto [at, added] = numbers_.emplace(key, static_cast<std::uint32_t>(topics_.size()));
    if (added) {
        topics_.add(key[0]);
        names_.add(key[1]);
        values_.add(key[2]);
    }
    return at->second;
}

bool Plans::is_same(std::uint32_t plan, const Explanation& explanation) const {
    const std::size_t first = starts_[plan], end = plan + 1 < starts_.size() ? starts_[plan + 1] : plans_.size();
    if (end - first != explanation.lines.size()) return false;
    for (std::size_t i = first; i < end; ++i) {
        const auto& line = explanation.lines[i - first];
        const std::uint32_t known = plans_[i];
        if (texts_.text(values_[known]) != line.value || texts_.text(names_[known]) != line.name ||
            texts_.text(topics_[known]) != line.topic)
            return false;
    }
    return true;
}

std::int32_t Plans::add(const Explanation& explanation, std::uint64_t number) {
    if (number == 0) return add(explanation);
    if (number >= numbered_.size()) numbered_.resize(number + 1, -1);
    std::int32_t& plan = numbered_[number];
    if (plan < 0) plan = add(explanation);
    return plan;
}

std::int32_t Plans::add(const Explanation& explanation) {
    const std::uint64_t hash = hash_of(explanation);
    const auto [begin, end] = known_.equal_range(hash);
    for (auto at = begin; at != end; ++at)
        if (is_same(at->second, explanation)) return static_cast<std::int32_t>(at->second);
    const auto plan = static_cast<std::uint32_t>(starts_.size());
    starts_.add(static_cast<std::uint32_t>(plans_.size()));
    units_.push_back(0);
    for (const auto& one : explanation.lines) {
        plans_.add(line(one));
        if (one.topic == "unit") units_.back() = texts_.number(one.name);
    }
    known_.emplace(hash, plan);
    return static_cast<std::int32_t>(plan);
}

Json Plans::json(Packer& packer) const {
    return {{"count", starts_.size()},       {"texts", packer.pack_json(texts_.all())}, {"topics", topics_.json(packer)},
            {"names", names_.json(packer)},  {"values", values_.json(packer)},          {"starts", starts_.json(packer)},
            {"plans", plans_.json(packer)}};
}

}  // namespace tessera::viewer
