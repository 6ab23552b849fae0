// SPDX-License-Identifier: Apache-2.0
#include "trace/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::trace {

std::vector<std::string_view> units_of(const Event& event) {
    constexpr std::string_view separator = ", ";
    std::vector<std::string_view> units;
    for (std::string_view rest = event.unit; !rest.empty();) {
        const std::size_t end = rest.find(separator);
        units.push_back(rest.substr(0, end));
        rest.remove_prefix(end == rest.npos ? rest.size() : end + separator.size());
    }
    return units;
}

std::string core_name(int thread, int core) {
    return core >= 0 ? std::string(name(RiscvCore(core))) : fmt::format("T{} core", thread);
}

std::string name_of(const Wait& wait) {
    switch (wait.who) {
        case Wait::Who::core: return core_name(wait.thread, wait.core);
        case Wait::Who::front_end: return fmt::format("T{} front end", wait.thread);
        case Wait::Who::unit: break;
    }
    return wait.unit;
}

CodePlace place_of(const Job& job, int thread, std::int64_t index, int core, std::uint32_t pc) {
    if (!job.kernels) {
        if (thread < 0 || index < 0) return {};
        return {job.program.place(static_cast<unsigned>(thread), static_cast<std::size_t>(index)), {}};
    }
    const bool known = core >= 0 && job.kernels->images[static_cast<std::size_t>(core)];
    if (!known) return {};
    CodePlace at{{}, job.kernels->images[static_cast<std::size_t>(core)]->frames(pc)};
    if (const Frame* users = users_frame(at.frames)) at.place = users->place;
    return at;
}

std::string one_line(std::string_view instruction) {
    std::string text(instruction);
    std::replace(text.begin(), text.end(), '\t', ' ');
    return text;
}

}  // namespace tessera::trace
