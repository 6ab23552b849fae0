// SPDX-License-Identifier: Apache-2.0
// A job that has run, with accessors for its end state.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

#include "tessera/job.hpp"

namespace tessera::test {

/// A core after the run of a job, with what tests ask of it.
class EndedJob {
public:
    EndedJob(const std::string& path, const JobSymbols& symbols, void (*prepare_core)(Core&),
             std::optional<std::uint64_t> seed = std::nullopt)
        : job_(load_job(path, {.symbols = symbols}).value()), core_(prepare(job_).value()) {
        if (prepare_core) prepare_core(core_);
        job_.options.max_cycles = 100'000;
        job_.options.seed = seed;
        run_ = core_.run(job_.program, job_.options).value();
    }

    const Run& run() const { return run_; }
    bool blackhole() const { return job_.arch == Arch::blackhole; }
    /// Codes of the fault and of the findings above info, with blanks between.
    std::string reported() const {
        std::set<std::string> codes;
        if (run_.fault) codes.insert(run_.fault->describe());
        for (const Finding& finding : run_.findings)
            if (finding.level > Level::info) codes.insert(finding.code);
        return fmt::format("{}", fmt::join(codes, " "));
    }

    std::uint64_t at(std::string_view section, std::size_t element) const {
        return core_.read(*core_.find_section(section).value(), element);
    }
    std::uint64_t config(std::size_t addr32) const { return at("config", addr32); }
    std::uint64_t thread_config(std::size_t addr32) const { return at("thread_config", addr32); }
    /// Of thread 0.
    std::uint64_t adc(unsigned unpacker, unsigned channel, unsigned xyzw) const {
        return at("adc", (unpacker * 2 + channel) * 8 + xyzw * 2);
    }

    /// Rows `first` to `first + rows` of a source bank hold BF16 datums: the k-th is `of(k)`.
    template <class Of>
    void expect_src(char src, unsigned bank, unsigned first, unsigned rows, Of&& of) {
        const auto datums = (src == 'A' ? core_.src_a() : core_.src_b())[bank];
        for (unsigned k = 0; k < rows * 16; ++k)
            ASSERT_EQ(datums[first * 16 + k], of(k) << 16)
                << "Src" << src << " bank " << bank << " row " << first + k / 16 << " column " << k % 16;
    }
    /// The same of Dst in 16 bits.
    template <class Of>
    void expect_dst(unsigned first, unsigned rows, Of&& of) {
        for (unsigned k = 0; k < rows * 16; ++k)
            ASSERT_EQ(core_.dst()[first * 16 + k], of(k)) << "Dst row " << first + k / 16 << " column " << k % 16;
    }
    void expect_owner(unsigned bank, unsigned owner_a, unsigned owner_b) const {
        EXPECT_EQ(at("bank_owner", bank), owner_a) << "SrcA bank " << bank;
        EXPECT_EQ(at("bank_owner", 2 + bank), owner_b) << "SrcB bank " << bank;
    }
    const Core& core() const { return core_; }

private:
    Job job_;
    Core core_;
    Run run_;
};

}  // namespace tessera::test
