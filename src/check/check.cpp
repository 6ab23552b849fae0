// SPDX-License-Identifier: Apache-2.0
#include "tessera/check.hpp"

#include <filesystem>

#include "check/case_file.hpp"
#include "check/compare.hpp"

namespace tessera {

namespace {

std::string category_of(const std::filesystem::path& path) {
    const std::string stem = path.stem().string();
    return path.parent_path().filename().string() + "/" + stem.substr(0, stem.find('_'));
}

}  // namespace

Result<CheckResult> check_case(const std::string& path, bool reference) {
    auto loaded = check::load_case(path);
    if (!loaded) return tl::make_unexpected(loaded.error());
    auto located = [&](Error error) {
        error.file = path;
        return tl::make_unexpected(std::move(error));
    };

    Core core(loaded->arch, Reset::vendor_sim);
    for (const auto& region : loaded->l1)
        if (auto written = core.write_l1(region.address, region.bytes); !written) return located(written.error());
    RunOptions options;
    options.timing = loaded->timing;
    options.reference = reference;
    options.max_cycles = 100'000'000;
    auto run = core.run(loaded->program, options);
    if (!run) return located(run.error());

    CheckResult result;
    result.name = loaded->name;
    result.category = category_of(path);
    result.arch = loaded->arch;
    result.run = std::move(*run);
    if (result.run.fault) {
        result.verdict = result.run.fault->code == "not-implemented" ? Verdict::not_implemented : Verdict::failed;
        result.difference = result.run.fault->describe();
        if (result.verdict == Verdict::failed) result.difference += result.run.describe_blocked();
        return result;
    }
    auto difference = check::first_difference(core, loaded->expect);
    if (!difference) return located(difference.error());
    result.difference = std::move(*difference);
    result.verdict = result.difference.empty() ? Verdict::passed : Verdict::failed;
    return result;
}

}  // namespace tessera
