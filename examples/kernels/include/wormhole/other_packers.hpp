// SPDX-License-Identifier: Apache-2.0
// Packers 1 to 3 are unused, and have the formats of packer 0: the vendor's simulator rejects others. The other chip has a
// header of the same name.
#pragma once

#include "coprocessor.hpp"

namespace kernel::chip {

inline void configure_other_packers() {
    configure<cfg::THCON_SEC0_REG8_In_data_format(Float16_b), cfg::THCON_SEC0_REG8_Out_data_format(Float16_b),
              cfg::THCON_SEC0_REG8_Disable_zero_compress(1), cfg::THCON_SEC1_REG1_In_data_format(Float16_b),
              cfg::THCON_SEC1_REG1_Out_data_format(Float16_b), cfg::THCON_SEC1_REG1_Disable_zero_compress(1),
              cfg::THCON_SEC1_REG8_In_data_format(Float16_b), cfg::THCON_SEC1_REG8_Out_data_format(Float16_b),
              cfg::THCON_SEC1_REG8_Disable_zero_compress(1), cfg::PACK_COUNTERS_SEC1_pack_reads_per_xy_plane(16),
              cfg::PACK_COUNTERS_SEC2_pack_reads_per_xy_plane(16), cfg::PACK_COUNTERS_SEC3_pack_reads_per_xy_plane(16)>();
}

}  // namespace kernel::chip
