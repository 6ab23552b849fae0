// SPDX-License-Identifier: Apache-2.0
// Checks of Kernels that need no run: the end condition, the host's steps.
#include <fmt/format.h>

#include "state/arch_description.hpp"
#include "tessera/kernels.hpp"

namespace tessera {

namespace {

class StepChecker {
public:
    StepChecker(const Kernels& kernels, std::size_t index)
        : kernels_(kernels), index_(index), step_(kernels.host[index]), l1_(state::describe(kernels.arch).l1_bytes) {}

    Result<void> check() const {
        if (step_.when)
            if (auto done = check_condition(*step_.when); !done) return done;
        if (auto done = check_cycle(); !done) return done;
        switch (step_.what) {
            case HostStep::What::nothing:
                if (step_.at || step_.when) return {};
                return no("neither waits for anything nor does anything");
            case HostStep::What::write: return check_bytes(step_.bytes.size(), "writes");
            case HostStep::What::read: return check_bytes(step_.size, "reads");
            case HostStep::What::reset:
            case HostStep::What::start: return check_cores();
        }
        return {};
    }

private:
    Result<void> check_cycle() const {
        if (!step_.at) return {};
        std::size_t before = index_;  // the number of the last step before it that has a cycle; 0: none has
        while (before && !kernels_.host[before - 1].at) --before;
        if (!before || *kernels_.host[before - 1].at <= *step_.at) return {};
        return no(fmt::format("is at cycle {}, and step {} at {}", *step_.at, before, *kernels_.host[before - 1].at));
    }

    Result<void> check_condition(const WordCondition& when) const {
        auto done = tessera::check_condition(when, l1_);
        if (!done) return no("has a wrong condition: " + done.error().message);
        return {};
    }

    Result<void> check_bytes(std::uint64_t size, const char* does) const {
        if (size == 0) return no(fmt::format("{} nothing", does));
        if (step_.address < l1_ && size <= l1_ - step_.address) return {};
        return no(fmt::format("{} {} bytes from 0x{:X}, and L1 has 0x{:X}", does, size, step_.address, l1_));
    }

    Result<void> check_cores() const {
        bool any = false;
        for (std::size_t i = 0; i < riscv_cores; ++i) {
            if (!step_.cores[i]) continue;
            any = true;
            if (!kernels_.images[i])
                return no(fmt::format("names {}, which has no kernel", name(static_cast<RiscvCore>(i))));
        }
        if (!any) return no("names no core");
        return {};
    }

    tl::unexpected<Error> no(const std::string& why) const {
        const std::string place = step_.place.empty() ? std::string() : fmt::format(" ({})", step_.place);
        return fail("host.step", fmt::format("step {} of the host{} {}", index_ + 1, place, why));
    }

    const Kernels& kernels_;
    const std::size_t index_;
    const HostStep& step_;
    const std::uint64_t l1_;
};

}  // namespace

Result<void> check_condition(const WordCondition& condition, std::uint64_t l1_bytes) {
    const auto& [address, value, mask] = condition;
    if (address % 4 != 0 || address >= l1_bytes)
        return fail("l1.range", fmt::format("0x{:X} is not the address of a word of L1: these are multiples of 4 below 0x{:X}", address,
                                            l1_bytes));
    if (mask == 0) return fail("host.condition", "the mask is 0, which compares no bits; name those to compare");
    if (value & ~mask)
        return fail("host.condition",
                    fmt::format("the value 0x{:X} has bits outside of the mask 0x{:X}, which are not compared; clear them", value, mask));
    return {};
}

Result<void> check_kernels(const Kernels& kernels) {
    const std::uint64_t l1 = state::describe(kernels.arch).l1_bytes;
    for (const auto& word : kernels.done)
        if (word.address % 4 != 0 || word.address >= l1)
            return fail("kernels.range",
                        fmt::format("done: 0x{:X} is not a multiple of 4 within L1, which has 0x{:X} bytes", word.address, l1));
    for (std::size_t i = 0; i < kernels.host.size(); ++i)
        if (auto done = StepChecker(kernels, i).check(); !done) return done;
    return {};
}

}  // namespace tessera
