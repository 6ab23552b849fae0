// SPDX-License-Identifier: Apache-2.0
#include "tessera/op_place.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tessera/finding.hpp"

namespace tessera {

std::string OpPlace::describe() const {
    std::string text;
    if (thread >= 0) text = fmt::format("T{}{}", thread, by_core ? " core" : "");
    if (index >= 0) text += fmt::format("{}op {}", text.empty() ? "" : " ", index);
    const auto append = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (position >= 0) append(fmt::format("instruction {} of its expansion", position));
    if (cycle != no_cycle) append(fmt::format("cycle {}", cycle));
    if (!instruction.empty()) text += fmt::format("{}{}", text.empty() ? "" : ": ", instruction);
    if (!place.empty()) text += fmt::format("{}({})", text.empty() ? "" : " ", place);
    return text;
}

bool is_end_of_place(std::string_view end, std::string_view place) {
    if (end.empty() || !place.ends_with(end)) return false;
    const std::size_t before = place.size() - end.size();
    return before == 0 || end.front() == ':' || end.front() == '/' || place[before - 1] == '/';
}

bool is_end_of_place(std::string_view end, const Where& where) {
    return is_end_of_place(end, where.place) ||
           std::any_of(where.frames.begin(), where.frames.end(), [&](const Frame& frame) { return is_end_of_place(end, frame.place); });
}

}  // namespace tessera
