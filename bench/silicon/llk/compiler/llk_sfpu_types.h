// SPDX-License-Identifier: Apache-2.0
// In place of a header of the kernel library's users: operations of the vector unit, of which none is chosen here.
#pragma once
enum class SfpuType { none };
