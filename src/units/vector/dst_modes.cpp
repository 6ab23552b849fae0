// SPDX-License-Identifier: Apache-2.0
#include "units/vector/dst_modes.hpp"

namespace tessera::units::vector {

namespace {

bool is_32_bit(Mode mode) {
    return mode == Mode::fp32 || mode == Mode::int32 || mode == Mode::int32_all || mode == Mode::int32_sm;
}

}  // namespace

bool load_is_wide(Mode mode) { return is_32_bit(mode); }
bool store_is_wide(Mode mode) { return is_32_bit(mode) || mode == Mode::lo16 || mode == Mode::hi16; }

}  // namespace tessera::units::vector
