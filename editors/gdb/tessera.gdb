# SPDX-License-Identifier: Apache-2.0
# For gdb-multiarch: gdb-multiarch -x editors/gdb/tessera.gdb -ex 'tessera :3333'

# All cores run when one does; without it gdb resumes only the selected one.
set schedule-multiple on
# Cores run no operating system. For Linux gdb would step with breakpoints of its own.
set osabi none

define tessera
    target extended-remote $arg0
    # gdb reads the description of registers for the first core alone by itself.
    thread apply all -q unset tdesc filename
end
document tessera
Attach to a run that "tessera gdb" serves: tessera HOST:PORT
end
