// SPDX-License-Identifier: Apache-2.0
// Matrix unit: the units against the reference, on random states.
#include "support/each_target.hpp"
#include "support/matrix_states.hpp"

namespace tessera::test {
namespace {

constexpr unsigned cases = std::size(matrix_instructions) * 8000, pool_cases = 8000;

class ReferenceMatrix : public testing::TestWithParam<Arch> {};

TEST_P(ReferenceMatrix, AgreesOnRandomStates) {
    MatrixStates generator(GetParam());
    for (unsigned i = 0; i < cases && !generator.pair.hopeless(); ++i) generator.run_one();
    expect_coverage(generator.pair, cases);
}

// MVMUL's and ELWMUL's loops have a test of their own for each set of vector instructions.
TEST_P(ReferenceMatrix, PoolsAgreeOnEachSetOfVectorInstructions) {
    constexpr MatrixInstruction pools[] = {
        {0x33, reference::gmpool}, {0x24, reference::mpool}, {0x34, reference::gapool}};
    on_each_target([&] {
        MatrixStates generator(GetParam());
        for (unsigned i = 0; i < pool_cases && !generator.pair.hopeless(); ++i)
            generator.run_one(pools[i % 16 ? 0 : 1 + i / 16 % 2]);
        expect_coverage(generator.pair, pool_cases);
    });
}

INSTANTIATE_TEST_SUITE_P(Archs, ReferenceMatrix, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
