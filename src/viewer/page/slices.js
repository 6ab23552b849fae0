// SPDX-License-Identifier: Apache-2.0
// What lanes show: slices of time in rows, so that slices of one row never overlap.
"use strict";

/** Where a lane has instructions and waits, a wait is told by a number below 0. */
const asWait = wait => -1 - wait;
const waitOf = (lane, what) => lane.kind === "wait" ? what : what < 0 ? asWait(what) : -1;

/** Slices of one row of a lane, sorted by their begin. `what` is a row of the trace, a wait, or a value. */
class SliceRow {
    constructor() {
        this.begins = [];
        this.ends = [];
        this.what = [];
    }
    add(begin, end, what) {
        this.begins.push(begin);
        this.ends.push(end);
        this.what.push(what);
    }
    get lastEnd() { return this.ends.length ? this.ends[this.ends.length - 1] : -1; }
    /** The first slice that ends after a time. */
    from(time) {
        let low = 0, high = this.ends.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.ends[middle] > time) high = middle;
            else low = middle + 1;
        }
        return low;
    }
    /** The slice at a time, or the nearest within a distance; -1: none. */
    at(time, distance) {
        let best = -1, least = distance;
        const first = this.from(time);
        for (let i = Math.max(0, first - 1); i <= first && i < this.begins.length; ++i) {
            const away = Math.max(this.begins[i] - time, time - this.ends[i], 0);
            if (away <= least) {
                least = away;
                best = i;
            }
        }
        return best;
    }
}

/** Puts items, sorted by begin, into as few rows as there are overlaps; what finds no room is in the last. */
function intoRows(items, most) {
    const rows = items.length ? [] : [new SliceRow()];
    for (const {begin, end, what} of items) {
        let row = rows.find(one => one.lastEnd <= begin);
        if (!row && rows.length < most) rows.push(row = new SliceRow());
        (row ?? rows[rows.length - 1]).add(begin, end, what);
    }
    return rows;
}

const byBegin = (a, b) => a.begin - b.begin;

/** Slices of constant value from changes [cycle, value], up to the end of the run. */
function valueSlices(changes, end) {
    const row = new SliceRow(), real = changes.filter(([, value], i) => i === 0 || value !== changes[i - 1][1]);
    real.forEach(([cycle, value], i) => {
        const next = i + 1 < real.length ? real[i + 1][0] : end;
        if (next > cycle) row.add(cycle, next, value);
    });
    return row;
}

const UNIT_ORDER = ["unpacker 0", "unpacker 1", "matrix", "vector", "packer 0", "packer 1", "packer 2", "packer 3",
                    "scalar", "mover", "config", "sync", "misc"];
const MOST_ROWS = 8;

/** The lanes of a run, from top to bottom: {title, kind, rows, hint}. */
function lanesOf(trace, log) {
    const lanes = [], end = trace.cycles, waitsOf = new Map();
    for (let i = 0; i < trace.waits.count; ++i) {
        const lane = trace.texts[trace.waits.lane[i]];
        if (!waitsOf.has(lane)) waitsOf.set(lane, []);
        const begin = trace.waits.begin[i];
        waitsOf.get(lane).push({begin, end: begin + trace.waits.length[i], what: i});
    }
    const issues = [[], [], []], units = new Map();
    for (let row = 0; row < trace.rows; ++row) {
        issues[trace.thread[row]]?.push({begin: trace.issue[row], end: trace.issue[row] + 1, what: row});
        const start = trace.cycle(trace.start, row);
        if (start === null) continue;
        const item = {begin: start, end: Math.max(start + 1, trace.cycle(trace.end, row) ?? end), what: row};
        for (const unit of trace.unitName(row).split(", ")) {
            if (!units.has(unit)) units.set(unit, []);
            units.get(unit).push(item);
        }
    }
    const addWaits = (title, name, hint) => {
        const items = waitsOf.get(name);
        if (!items) return;
        waitsOf.delete(name);
        lanes.push({title, kind: "wait", rows: intoRows(items.sort(byBegin), 2), hint});
    };
    issues.forEach((items, t) => {
        // A front end either issues or waits.
        for (const {begin, end, what} of waitsOf.get(`T${t}`) ?? []) items.push({begin, end, what: asWait(what)});
        waitsOf.delete(`T${t}`);
        lanes.push({title: `T${t}`, kind: "issue", rows: intoRows(items.sort(byBegin), 1), thread: t,
                    hint: `instructions that T${t} issued, and what it waited for`});
    });
    for (const unit of [...UNIT_ORDER, ...[...units.keys()].filter(name => !UNIT_ORDER.includes(name))]) {
        if (units.has(unit))
            lanes.push({title: unit || "no unit", kind: "unit", rows: intoRows(units.get(unit).sort(byBegin), MOST_ROWS),
                        hint: `instructions in ${unit}`});
        addWaits(`${unit} waits`, unit, `instructions that wait in or before ${unit}`);
    }
    lanes.push(...valueLanes(trace, log, end));
    // What feeds the threads: a program's cores, or those of kernels.
    for (const name of [...waitsOf.keys()].sort()) addWaits(`${name} waits`, name, `waits of ${name}`);
    return lanes;
}

/** Lanes of small state over time: who owns the banks, what semaphores hold. */
function valueLanes(trace, log, end) {
    const shown = ["bank_owner", "semaphore_value"].map(name => trace.sectionNumber.get(name));
    const changes = new Map();
    const note = cycle => (section, first, count, form, at) => {
        if (!shown.includes(section)) return;
        for (let element = first; element < first + count; ++element) {
            if (form === FORM.SAME) continue;
            reader.at = at + (form === FORM.FILL ? 0 : (element - first) * log.valueBytes[section]);
            const value = reader.number(log.valueBytes[section]);
            const key = `${section} ${element}`;
            if (!changes.has(key)) changes.set(key, [[0, 0]]);
            changes.get(key).push([cycle, value]);
        }
    };
    let reader = log.initial;
    forEachRun(reader, 0, log.valueBytes, note(0));
    reader = log.reader;
    for (let record = 0; record < log.records; ++record)
        forEachRun(reader, log.starts[record], log.valueBytes, note(log.cycle[record]));
    const lanes = [];
    for (let bank = 0; bank < 4; ++bank) {
        const of = changes.get(`${shown[0]} ${bank}`);
        if (of) lanes.push({title: `Src${"AB"[bank >> 1]} bank ${bank & 1}`, kind: "owner", rows: [valueSlices(of, end)],
                            hint: "whose the bank is"});
    }
    for (let i = 0; i < 8; ++i) {
        const of = changes.get(`${shown[1]} ${i}`);
        if (of && of.length > 1) lanes.push({title: `semaphore ${i}`, kind: "count", rows: [valueSlices(of, end)],
                                             hint: `value of semaphore ${i}`});
    }
    return lanes;
}
