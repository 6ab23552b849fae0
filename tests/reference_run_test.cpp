// SPDX-License-Identifier: Apache-2.0
// Runs by the reference (RunOptions::reference): the same end as by the units, and which instructions it executed.
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/models.hpp"
#include "support/add_example.hpp"
#include "support/matmul_example.hpp"

namespace tessera {
namespace {

struct End {
    Core core;
    Run run;
    std::uint64_t modelled = 0;  ///< instructions that have a functional model
};

End run(const Job& job, bool reference) {
    End end{prepare(job).value(), {}};
    RunOptions options = job.options;
    options.timing = Timing::instant;
    options.reference = reference;
    options.on_event = [&](const Event& event) {
        end.modelled += reference::model_of(isa::decode(event.word, job.arch)) != nullptr;
    };
    end.run = end.core.run(job.program, options).value();
    return end;
}

// Leftovers in a packer's buffers after a stream's end are meaningless, and differ between implementations.
bool means_something(const Section& section) { return !section.name.starts_with("packer"); }

void expect_same_end(const Job& job) {
    End units = run(job, false), reference = run(job, true);
    ASSERT_FALSE(units.run.fault || reference.run.fault);
    EXPECT_EQ(units.run.by_reference, 0u);
    EXPECT_EQ(reference.run.by_reference, reference.modelled);
    EXPECT_GT(reference.modelled, 300u);
    EXPECT_EQ(reference.run.instructions, units.run.instructions);
    EXPECT_EQ(reference.run.findings.size(), units.run.findings.size());
    EXPECT_TRUE(std::ranges::equal(reference.core.l1(), units.core.l1()));
    for (const Section& section : units.core.sections()) {
        if (!means_something(section) || section.name == "l1") continue;
        for (std::size_t i = 0; i < section.size; ++i)
            ASSERT_EQ(reference.core.read(section, i), units.core.read(section, i)) << section.name << " " << i;
    }
}

TEST(ReferenceRun, AddEndsTheSame) { expect_same_end(test::AddExample().load()); }

TEST(ReferenceRun, MatmulEndsTheSame) { expect_same_end(test::MatmulExample().load(JobSymbols{{"PHASES", 4}})); }

}  // namespace
}  // namespace tessera
