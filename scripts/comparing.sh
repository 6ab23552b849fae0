# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts that compare. Their last line is "NAME: N same, M differ", and the status says whether any differs.
same=0 differ=0
is_same() { # what
    echo "same    $1"
    same=$((same + 1))
}
is_other() { # what, and how
    echo "DIFFER  $1: $2"
    differ=$((differ + 1))
}
compare() { # what, expected, actual
    if [[ $2 == "$3" ]]; then is_same "$1"; else is_other "$1" "expected '$2', got '$3'"; fi
}
finish() {
    echo "$(basename "$0"): $same same, $differ differ"
    ((differ == 0))
}
