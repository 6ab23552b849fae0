// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace tessera {

namespace core {
class RecordedRuns;
}

/// Where cores keep runs that answer later ones (RunOptions::recorded): some 16 MiB at most. A core has one of its own, or that which
/// it is made with, for cores that are made one by one to run the same program on one set of data each. A copy is the same one. May be used by
/// cores of several threads at a time.
class Recordings {
public:
    Recordings();
    Recordings(const Recordings&) = default;  // no moves, which would leave none
    Recordings& operator=(const Recordings&) = default;

private:
    friend class Core;
    std::shared_ptr<core::RecordedRuns> runs_;
};

}  // namespace tessera
