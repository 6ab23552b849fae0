# SPDX-License-Identifier: Apache-2.0
"""ttnn opens a device on a drop-in library (TT_METAL_SIMULATOR). Usage: ttnn_client.py LIBRARY; a line for each check.

The wheel lacks sfpi, the compiler for kernels. The device has been started when ttnn looks for it.
"""

import os
import sys

os.environ.update(TT_METAL_SIMULATOR=sys.argv[1], TT_METAL_SLOW_DISPATCH_MODE="1")

import ttnn  # noqa: E402: reads the environment


def main():
    try:
        device = ttnn.open_device(device_id=0)
    except RuntimeError as error:
        reached = "sfpi not found" in str(error)
        print(f"{'ok' if reached else 'FAILED'} the device is started, up to the compiler: {str(error).splitlines()[0]}")
        return
    print("ok the device is open")
    ttnn.close_device(device)
    print("ok the device is closed")


main()
