# SPDX-License-Identifier: Apache-2.0
# For gdb-multiarch: gdb-multiarch -x editors/gdb/tessera.gdb -ex 'tessera :3333'

# All cores run when one does; without it gdb resumes only the selected one.
set schedule-multiple on
# Cores run no operating system. For Linux gdb would step with breakpoints of its own.
set osabi none

# gdb names no core when it goes back, or in "monitor": the server would take the one that gdb has read last.
python
def name_core():
    thread = gdb.selected_thread()
    if thread is None:
        return
    process, core, _ = thread.ptid
    try:
        gdb.execute(f"maintenance packet Qtessera.core:p{process:x}.{core:x}", to_string=True)
    except gdb.error:
        pass  # not connected

for command in ("monitor", "reverse-continue", "reverse-finish", "reverse-next", "reverse-nexti", "reverse-step", "reverse-stepi"):
    gdb.execute(f"define hook-{command}\npython name_core()\nend")

# After "set exec-direction reverse" these go back, too.
def name_core_if_back():
    try:
        back = "everse" in gdb.execute("show exec-direction", to_string=True)
    except gdb.error:  # not connected
        return
    if back:
        name_core()

for command in ("continue", "finish", "next", "nexti", "step", "stepi"):
    gdb.execute(f"define hook-{command}\npython name_core_if_back()\nend")
end

define target hookpost-extended-remote
    # gdb reads the description of registers for the first core alone by itself.
    thread apply all -q unset tdesc filename
    # Moves nothing. Until it has resumed the first core itself, gdb takes a stop of that core for the one at connecting, and waits on.
    stepi 0
end

define tessera
    target extended-remote $arg0
end
document tessera
Attach to a run that "tessera gdb" serves: tessera HOST:PORT
end
