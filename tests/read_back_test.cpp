// SPDX-License-Identifier: Apache-2.0
// A core that loads a GPR or configuration behind its stores there: what it pushes then comes behind them (MemoryOrdering).
#include <gtest/gtest.h>

#include <algorithm>

#include "support/engine_cores.hpp"

namespace tessera::engine {
namespace {

// The core stores a GPR and pushes an instruction with it, which waits at the gate until everything is done.
class ReadBack : public EngineCores {
protected:
    enum class When : std::uint8_t { never, before_the_push, after_the_push };
    bool has_hazard(When when, hazards::CoreRegion region) {
        const std::uint32_t block = word("SEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1");
        const std::uint32_t add = word("ADDDMAREG OpBisConst=1 ResultRegIndex=2 OpBRegIndex=7 OpARegIndex=2");
        unsigned step = 0;
        cores.scripts[t1] = [&](Cycle now, Port& port) -> Turn {
            const Port::By by{t1, 0x40};
            if (step == 0) {
                EXPECT_TRUE(port.push(by, 1, {&block, 1}, false));
                port.store(by, state::cells::gpr(1, 2), plan::CellOp::set, 100);
                if (when != When::before_the_push) {
                    EXPECT_TRUE(port.push(by, 1, {&add, 1}, false));
                }
                step = 1;
            }
            if (step == 1) {
                if (!port.stores_done(by)) return wait(Signal::store);
                if (when != When::never && region == hazards::CoreRegion::gprs) port.loads_gpr(by);
                if (when != When::never && region == hazards::CoreRegion::config)
                    port.loads_config(by, std::nullopt, 0);
                if (when == When::before_the_push) {
                    EXPECT_TRUE(port.push(by, 1, {&add, 1}, false));
                }
                port.store(by, state::cells::semaphore_value(0), plan::CellOp::post, 0);
                step = 2;
                return again(now + 1);
            }
            return finished();
        };
        const tessera::Run result = run();
        EXPECT_FALSE(result.fault) << result.fault->describe();
        EXPECT_EQ(state[state::cells::gpr(1, 2)], 107u);
        return std::any_of(result.findings.begin(), result.findings.end(),
                           [](const Finding& each) { return each.code == "hazard.gpr-store"; });
    }
};

TEST_P(ReadBack, OrdersTheStoreBeforeWhatIsPushedLater) {
    EXPECT_FALSE(has_hazard(When::before_the_push, hazards::CoreRegion::gprs));
}
TEST_P(ReadBack, SaysNothingAboutWhatWasPushedBefore) {
    EXPECT_TRUE(has_hazard(When::after_the_push, hazards::CoreRegion::gprs));
}
TEST_P(ReadBack, OfAnotherRegionOrdersNothing) {
    EXPECT_TRUE(has_hazard(When::before_the_push, hazards::CoreRegion::config));
}
TEST_P(ReadBack, WithoutItTheStoreMayComeLater) { EXPECT_TRUE(has_hazard(When::never, hazards::CoreRegion::gprs)); }

INSTANTIATE_TEST_SUITE_P(Archs, ReadBack, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& each) { return std::string(name(each.param)); });

}  // namespace
}  // namespace tessera::engine
