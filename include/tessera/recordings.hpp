// SPDX-License-Identifier: Apache-2.0
/// @file
/// Recorded runs that several cores share.
#pragma once

#include <memory>

namespace tessera {

namespace core {
class RecordedRuns;
}

/// Recorded runs that answer later ones (RunOptions::recorded). Takes about 16 MiB at most.
///
/// Every core has Recordings of its own, unless it is made with given ones. Give the same to cores that run one program on different
/// inputs. Copies share the same runs. Cores in several threads may use them at the same time.
class Recordings {
public:
    Recordings();                                        ///< without any runs
    Recordings(const Recordings&) = default;             ///< shares the runs; there are no moves, which would leave none
    Recordings& operator=(const Recordings&) = default;  ///< shares the runs

private:
    friend class Core;
    std::shared_ptr<core::RecordedRuns> runs_;
};

}  // namespace tessera
