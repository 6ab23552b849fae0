// SPDX-License-Identifier: Apache-2.0
// The data of a run of a grid: tiles, each unpacked when it is unfolded, and packets.
"use strict";

/** What the timeline of one tile asks for; nothing is chosen by a search here. */
const selection = {isShown: () => true, filtered: false, matches: null, row: -1};

/** A tile's run, with what lanesOf() and Timeline ask of a Trace. */
class TileTrace {
    constructor(raw, cycles) {
        const all = unpackedLater(raw);
        this.raw = all;
        this.cycles = cycles;
        this.rows = raw.instructions.count;
        for (const name of ["thread", "index", "position", "instruction", "unit", "issue", "start", "land", "end", "place"])
            Object.defineProperty(this, name, {get: () => all.instructions[name]});
        this.waits = all.waits;
        this.signals = all.signals;
    }
    get texts() { return this.raw.texts; }
    text(row) { return this.texts[this.instruction[row]]; }
    mnemonic(row) { return this.text(row).split(" ", 1)[0]; }
    unitName(row) { return this.texts[this.unit[row]]; }
    placeName(row) { return this.raw.places[this.place[row]]; }
    cycle(column, row) { return column[row] === NEVER ? null : this.issue[row] + column[row]; }
    name(row) {
        const position = this.position[row];
        return `T${this.thread[row]} #${this.index[row]}${position < 0 ? "" : "." + position}`;
    }
}

/** A tile, a channel of DRAM, or another place: what can be folded. */
class Group {
    constructor(number, title, raw, cycles) {
        Object.assign(this, {number, title, raw, cycles, open: false, y: 0, height: 0, selected: false});
        this.shortTitle = title.split(" at ")[0];
        this.run = raw ? raw.run : null;
    }
    get trace() { return this.unpackedTrace ??= this.raw ? new TileTrace(this.raw, this.cycles) : null; }
    get activity() { return this.unpackedActivity ??= this.raw ? unpackedPart(this.raw.activity) : new Uint8Array(1); }
    /** Lanes of both NoCs, and those that a run of one tile has. */
    lanes(packets) {
        return this.madeLanes ??= [...[0, 1].map(noc => packets.lane(this.number, noc)).filter(lane => lane.rows[0].length),
                                   ...(this.trace ? lanesOf(this.trace) : [])];
    }
}

/** All packets, in the order in which they left. */
class Packets {
    constructor(raw) {
        Object.assign(this, {raw: unpackedLater(raw), count: raw.count});
        for (const name of ["noc", "kind", "from", "to", "sent", "arrived", "address", "bytes", "asked_by", "core", "pc", "place", "request", "texts"])
            Object.defineProperty(this, name, {get: () => this.raw[name]});
        this.longest = 0;
        for (let i = 0; i < this.count; ++i) this.longest = Math.max(this.longest, this.arrived[i] - this.sent[i]);
    }
    /** Packets that one place sent or received, by number; packets are shared out to all places at once. */
    ofPlace(number) {
        if (!this.byPlace) {
            this.byPlace = new Map();
            const add = (place, i) => {
                if (!this.byPlace.has(place)) this.byPlace.set(place, []);
                this.byPlace.get(place).push(i);
            };
            for (let i = 0; i < this.count; ++i) {
                add(this.from[i], i);
                if (this.to[i] !== this.from[i]) add(this.to[i], i);
            }
        }
        return this.byPlace.get(number) ?? [];
    }
    /** What a place sent and received on a NoC, as slices of a cycle. */
    lane(number, noc) {
        const spans = new Spans();
        for (const i of this.ofPlace(number)) {
            if (this.noc[i] !== noc) continue;
            if (this.from[i] === number) spans.add(this.sent[i], this.sent[i] + 1, i);
            if (this.to[i] === number) spans.add(this.arrived[i], this.arrived[i] + 1, i);
        }
        return {title: `NoC ${noc}`, kind: "packet", noc, rows: spans.sort().intoRows(1), hint: `packets on NoC ${noc}`};
    }
    /** [number of the first, number behind the last] of those that may be under way in a time. */
    range(begin, end) { return [lastNotAfter(this.sent, begin - this.longest - 1) + 1, lastNotAfter(this.sent, end) + 1]; }
    kindOf(i) { return this.texts[this.kind[i]]; }
}

class ChipRun {
    constructor(raw) {
        if (raw.format !== "tessera-chip-viewer-1") throw new Error(`data of another version: ${raw.format}`);
        this.raw = raw;
        this.cycles = Math.max(1, raw.cycles);
        this.packets = new Packets(raw.packets);
        this.groups = [];
        this.byNumber = new Map();
        const [columns] = raw.grid;
        for (const tile of raw.tiles) this.add(tile.row * columns + tile.column, tile);
        // Channels of DRAM, and other places that packets came to.
        const {from, to, count} = this.packets, others = new Set();
        for (let i = 0; i < count; ++i) for (const number of [from[i], to[i]]) if (!this.byNumber.has(number)) others.add(number);
        for (const number of [...others].sort((a, b) => a - b)) this.add(number, null);
        this.instructions = raw.tiles.reduce((sum, tile) => sum + tile.instructions.count, 0);
    }
    add(number, raw) {
        const group = new Group(number, this.raw.places[number], raw, this.cycles);
        this.groups.push(group);
        this.byNumber.set(number, group);
    }
}
