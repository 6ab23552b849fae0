// SPDX-License-Identifier: Apache-2.0
// There is one packer. The other chip has a header of the same name.
#pragma once

namespace kernel::chip {

inline void configure_other_packers() {}

}  // namespace kernel::chip
