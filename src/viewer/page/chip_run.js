// SPDX-License-Identifier: Apache-2.0
// Texts about a grid's run: a tile, a packet, the findings, a table of all tiles.
"use strict";

const lineOf = text => make("div", {}, text);

function describeTile(group) {
    if (!group.run) return [make("b", {}, group.title)];
    const {run} = group, counts = run.instructions.map((count, t) => `T${t} ${count.toLocaleString("en")}`);
    return [make("b", {}, group.title), lineOf(`${run.cycles.toLocaleString("en")} cycles, instructions ${counts.join(", ")}`),
            run.findings.length ? lineOf(`findings: ${[...new Set(run.findings.map(one => one.code))].join(", ")}`) : null,
            run.fault ? lineOf(`fault ${run.fault.code}`) : null];
}

function describePacket(run, i) {
    const {packets} = run, place = number => run.byNumber.get(number)?.title ?? run.raw.places[number];
    const bytes = packets.bytes[i] ? `, ${packets.bytes[i].toLocaleString("en")} bytes` : "";
    return [make("b", {}, `${packets.kindOf(i)}${bytes}`), lineOf(`from ${place(packets.from[i])}`), lineOf(`to ${place(packets.to[i])}`),
            lineOf(`address 0x${packets.address[i].toString(16).toUpperCase()}`),
            lineOf(`NoC ${packets.noc[i]}, cycles ${packets.sent[i]} to ${packets.arrived[i]} (${packets.arrived[i] - packets.sent[i]})`),
            lineOf(`asked for by ${packets.texts[packets.core[i]]} of ${place(packets.asked_by[i])}, request ${packets.request[i]}`),
            lineOf(packets.texts[packets.place[i]] || `at 0x${packets.pc[i].toString(16).toUpperCase()}`)];
}

/** The panel of the run: timing and seed, the fault, findings by tile, and the tiles, which are links. */
class RunPanel {
    constructor(run, go) {
        Object.assign(this, {run, go});
        this.render();
    }
    link(group, cycle, text) { return make("button", {class: "link", onclick: () => this.go(group, cycle)}, text); }
    render() {
        const {raw, groups} = this.run, tiles = groups.filter(group => group.run);
        const findings = tiles.flatMap(group => [...group.run.findings, group.run.fault].filter(Boolean).map(one => ({group, one})));
        const blocked = tiles.filter(group => group.run.blocked.length);
        const facts = [["timing", raw.timing], ["seed", raw.seed ?? "none"]];
        fill(byId("run"),
             make("dl", {class: "facts"}, facts.map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])),
             raw.fault ? [make("h3", {class: "bad-text"}, raw.fault.code), make("p", {}, raw.fault.message)] : null,
             blocked.length ? make("h3", {}, "Not done") : null,
             blocked.map(group => [make("h4", {}, this.link(group, this.run.cycles, group.shortTitle)),
                                   group.run.blocked.filter(one => !one.finished)
                                       .map(one => lineOf(`${one.who} ${one.runs ? "runs" : "waits for " + one.waits_for}${one.place ? ` (${one.place})` : ""}`))]),
             findings.length ? make("h3", {}, "Findings") : null,
             findings.slice(0, 200).map(({group, one}) => make("p", {}, this.link(group, one.cycle, `${group.shortTitle} ${one.code}`), " ",
                                                               one.message, one.place ? ` (${one.place})` : "")),
             make("h3", {}, "Tiles"),
             make("table", {}, make("tr", {}, ["tile", "cycles", "T0", "T1", "T2"].map(text => make("th", {}, text))),
                  tiles.map(group => make("tr", {}, make("td", {}, this.link(group, 0, group.shortTitle)),
                                          [group.run.cycles, ...group.run.instructions].map(count => make("td", {}, count.toLocaleString("en")))))));
    }
}
