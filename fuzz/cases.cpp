// SPDX-License-Identifier: Apache-2.0
// Fuzzes golden cases.
#include "fuzz/support/fuzzer.hpp"
#include "tessera/check.hpp"

namespace tessera::fuzz {

namespace {

std::vector<std::string> seeds() {
    return {R"({"format": "tessera-case-1", "name": "a_b", "category": "c", "arch": "blackhole", "timing": "instant",
 "l1": [{"addr": 4096, "hex": "00112233"}],
 "threads": [[{"cfg": [64, 5]}, {"ins": 33554432}], [{"gpr": [3, 4]}, {"ins": 2750414856}], [{"sem_post": 1}]],
 "expect": {"l1": [{"addr": 4096, "hex": "00112233"}], "src_a": {"0": {"3": "00ff"}, "1": {}}, "src_b": {"0": {}},
 "dst": {"0": "300e"}, "dst_invalid_rows": [16, 17], "lregs": {"11": "000080bf"}, "gpr": {"2": {"20": 1008}},
 "rwc": [{"src_a": 0, "dst_cr": 1}, {}, {}], "adc": [{"unpacker0": {"ch1_x": 511}, "packers": {}}, {}, {}],
 "banks": {"src_a": {"valid": 3, "unpack_bank": 0, "matrix_bank": 0, "implied_format": [5, 5]}},
 "semaphores": {"value": [0, 1, 0, 0, 0, 0, 0, 0], "max": [0, 0, 0, 0, 0, 0, 0, 0]}, "mutexes": [0, 0, 0, 0, 0],
 "vector": {"cc": 4294967295, "cc_en": 1, "cc_stack": [], "lane_config": 0}, "cfg": {"64": 5}}})",
            R"({"format": "tessera-case-1", "name": "x", "arch": "wormhole", "threads": [[], [], []], "expect": {}})"};
}

void run(std::string_view input) {
    const auto checked = check_case(write_file("case.json", input));
    if (!checked) return require(!checked.error().describe().empty(), "an error has a text");
    require(checked->verdict == Verdict::passed || !checked->difference.empty(), "a failure has a reason");
}

}  // namespace

const Fuzzer cases_fuzzer{"cases", seeds, run};

}  // namespace tessera::fuzz
