// SPDX-License-Identifier: Apache-2.0
#include "tessera/check.hpp"

#include <chrono>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "check/chip_bytes.hpp"
#include "check/compare.hpp"
#include "tessera/case.hpp"
#include "util/host_limits.hpp"
#include "util/in_order.hpp"

namespace tessera {

namespace {

std::string category_of(const std::string& path) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error);
    const std::filesystem::path whole = (error ? std::filesystem::path(path) : absolute).lexically_normal();
    const std::string stem = whole.stem().string();
    return whole.parent_path().filename().string() + "/" + stem.substr(0, stem.find('_'));
}

/// The run of a grid as one: its cycles, and what all tiles have done and found.
Run joined(ChipRun run) {
    Run all;
    all.cycles = run.cycles;
    all.fault = std::move(run.fault);
    for (TileRun& tile : run.tiles) {
        for (std::size_t i = 0; i < all.instructions.size(); ++i) all.instructions[i] += tile.run.instructions[i];
        std::move(tile.run.findings.begin(), tile.run.findings.end(), std::back_inserter(all.findings));
    }
    return all;
}

/// The verdict about a run; `blocked`: its tables of waits. `compare` gives the first difference, or none.
template <class Compare>
Result<CheckResult> judged(const std::string& path, std::string name, Arch arch, Run run, std::string blocked,
                           Compare&& compare) {
    CheckResult result;
    result.name = std::move(name);
    result.category = category_of(path);
    result.arch = arch;
    result.run = std::move(run);
    if (const auto& fault = result.run.fault) {
        result.verdict = fault->code == "not-implemented" ? Verdict::not_implemented : Verdict::failed;
        result.difference = fault->describe();
        if (!blocked.empty()) blocked.pop_back();  // the end of its last line
        if (!blocked.empty() && result.verdict == Verdict::failed) result.difference += "\n" + blocked;
        return result;
    }
    Result<std::string> difference = compare();
    if (!difference) {
        difference.error().file = path;
        return tl::make_unexpected(std::move(difference.error()));
    }
    result.difference = std::move(*difference);
    result.verdict = result.difference.empty() ? Verdict::passed : Verdict::failed;
    return result;
}

void set_limits(RunOptions& run, const CheckOptions& options) {
    run.stop = options.stop;
    run.deadline = options.deadline;
    run.max_memory = options.max_memory;
}

Result<CheckResult> check_grid(const std::string& path, const CheckOptions& options) {
    auto loaded = load_chip_case(path);
    if (!loaded) return tl::make_unexpected(loaded.error());
    if (options.reference) return fail("job.chip", "the second implementation has no grids: leave the reference out", path);
    const auto located = [&](Error error) {
        error.file = path;
        return tl::make_unexpected(std::move(error));
    };
    auto chip = prepare(loaded->job);
    if (!chip) return located(chip.error());
    RunOptions tile = loaded->job.options;
    if (options.timing) tile.timing = *options.timing;
    set_limits(tile, options);
    auto run = chip->run({.tile = std::move(tile)});
    if (!run) return located(run.error());

    std::string blocked = run->describe_waits() + run->describe_blocked();
    return judged(path, loaded->name, loaded->job.arch, joined(std::move(*run)), std::move(blocked),
                  [&] { return check::first_difference(*chip, loaded->expect); });
}

Result<CheckResult> check_one(const std::string& path, const CheckOptions& options) {
    auto loaded = load_case(path);
    if (!loaded && loaded.error().code == "job.chip") return check_grid(path, options);
    if (!loaded) return tl::make_unexpected(loaded.error());
    auto located = [&](Error error) {
        error.file = path;
        return tl::make_unexpected(std::move(error));
    };

    auto core = prepare(loaded->job);
    if (!core) return located(core.error());
    loaded->job.options.reference = options.reference;
    if (options.timing) loaded->job.options.timing = *options.timing;
    set_limits(loaded->job.options, options);
    auto run = core->run(loaded->job.program, loaded->job.options);
    if (!run) return located(run.error());

    std::string blocked = run->describe_blocked();
    return judged(path, loaded->name, loaded->job.arch, std::move(*run), std::move(blocked),
                  [&] { return check::first_difference(*core, nlohmann::json::parse(loaded->expect)); });
}

Result<CheckResult> timed_check(const std::string& path, const CheckOptions& options) {
    const auto began = std::chrono::steady_clock::now();
    Result<CheckResult> result = check_one(path, options);
    if (result) result->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return result;
}

}  // namespace

Result<CheckResult> check_case(const std::string& path, bool reference) {
    return timed_check(path, {.reference = reference});
}

void check_cases(std::span<const std::string> paths, const CheckOptions& options,
                 const std::function<void(std::size_t, Result<CheckResult>)>& reported) {
    RunOptions own;
    set_limits(own, options);
    util::HostLimits host(own);
    util::in_order(
        paths.size(), options.threads, [&](std::size_t i) { return timed_check(paths[i], options); },
        [&](std::size_t i, Result<CheckResult> result) {
            if (result && result->run.cut_short()) return false;
            reported(i, std::move(result));
            // Short runs may end before they check the stop flag.
            return host.reached() == util::HostStop::none;
        });
}

}  // namespace tessera
