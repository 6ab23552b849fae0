// SPDX-License-Identifier: Apache-2.0
// No C library.
#pragma once
#define __GLIBC_PREREQ(major, minor) 0
