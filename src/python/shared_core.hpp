// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "bindings.hpp"

namespace tessera::python {

/// A core that other Python threads cannot use while it runs.
class SharedCore {
public:
    explicit SharedCore(Core core) : core_(std::move(core)) {}

    Core& idle() {
        if (running_) raise(Error{"run.busy", "the core is running", {}, 0, 0});
        return core_;
    }
    bool running() const { return running_; }

    /// Of a Program or of Kernels.
    template <class What>
    Run run(const What& what, RunOptions options);

private:
    struct Running {
        explicit Running(std::atomic<bool>& which) : flag(which) { flag = true; }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        ~Running() { flag = false; }
        std::atomic<bool>& flag;
    };

    Core core_;
    std::atomic<bool> running_ = false;
};

void bind_memories(py::class_<SharedCore>& core);
void bind_sections(py::class_<SharedCore>& core);

}  // namespace tessera::python
