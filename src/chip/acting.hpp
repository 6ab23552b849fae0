// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tessera::chip {

/// Sets a flag while it lives: tiles act, or a debugger's clock runs. Also if something throws.
class Acting {
public:
    /// Null: there is none.
    explicit Acting(bool* flag) : flag_(flag) {
        if (flag_) *flag_ = true;
    }
    ~Acting() {
        if (flag_) *flag_ = false;
    }
    Acting(const Acting&) = delete;
    Acting& operator=(const Acting&) = delete;

private:
    bool* const flag_;
};

}  // namespace tessera::chip
