// SPDX-License-Identifier: Apache-2.0
// Included first: the vendor's compiler knows .ttinsn and replays, Debian's does not.
#pragma once
asm(".macro .ttinsn word\n.4byte (((\\word) & 0x3fffffff) << 2) | (((\\word) >> 30) & 3)\n.endm\n");
#define __builtin_rvtt_ttreplay(start, length, executes, records) TTI_REPLAY(start, length, executes, records)
