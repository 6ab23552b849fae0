// SPDX-License-Identifier: Apache-2.0
// Contents of lanes: slices of time in rows. Slices of one row never overlap.
"use strict";

/** Where a lane has instructions and waits, a wait is told by a number below 0. */
const asWait = wait => -1 - wait;
/** Whether a wait lasted to the end of the run and kept an instruction from going on. */
const isStuck = ({waits, texts}, wait) => !waits.over[wait] && texts[waits.kind[wait]] !== "fifo-empty";
const waitOf = (lane, what) => lane.kind === "wait" ? what : what < 0 ? asWait(what) : -1;

/** Slices of one row of a lane, sorted by their begin. `what` is a row of the trace, a wait, or a value. */
class SliceRow {
    constructor(room = 64) {
        this.length = 0;
        this.begins = new Float64Array(room);
        this.ends = new Float64Array(room);
        this.what = new Int32Array(room);
    }
    add(begin, end, what) {
        const i = this.length++;
        if (i === this.begins.length)
            for (const name of ["begins", "ends", "what"]) {
                const grown = new this[name].constructor(i * 2);
                grown.set(this[name]);
                this[name] = grown;
            }
        this.begins[i] = begin;
        this.ends[i] = end;
        this.what[i] = what;
    }
    get lastEnd() { return this.length ? this.ends[this.length - 1] : -1; }
    /** The first slice from `low` on that ends after a time: looked for near `low` first. */
    from(time, low = 0) {
        let step = 1;
        while (low + step <= this.length && this.ends[low + step - 1] <= time) {
            low += step;
            step *= 2;
        }
        let high = Math.min(this.length, low + step);
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
        for (let i = Math.max(0, first - 1); i <= first && i < this.length; ++i) {
            const away = Math.max(this.begins[i] - time, time - this.ends[i], 0);
            if (away <= least) {
                least = away;
                best = i;
            }
        }
        return best;
    }
}

/** Times in which something was somewhere: columns of begin, end and `what`. */
class Spans {
    constructor(room) { this.slices = new SliceRow(room); }
    add(begin, end, what) { this.slices.add(begin, end, what); }
    get length() { return this.slices.length; }

    /** Sorts by begin; they nearly are. */
    sort() {
        const {length, begins, ends, what} = this.slices;
        for (let i = 1; i < length; ++i) {
            const begin = begins[i], end = ends[i], one = what[i];
            let k = i;
            for (; k > 0 && begins[k - 1] > begin; --k) {
                begins[k] = begins[k - 1];
                ends[k] = ends[k - 1];
                what[k] = what[k - 1];
            }
            begins[k] = begin;
            ends[k] = end;
            what[k] = one;
        }
        return this;
    }
    /** Both, sorted by begin, as these two are. */
    static merged(one, other) {
        const both = new Spans(one.length + other.length), a = one.slices, b = other.slices;
        for (let i = 0, k = 0; i < a.length || k < b.length;) {
            const first = k >= b.length || i < a.length && a.begins[i] <= b.begins[k];
            const from = first ? a : b, at = first ? i++ : k++;
            both.add(from.begins[at], from.ends[at], from.what[at]);
        }
        return both;
    }

    /** Whether any of them, sorted, begins before an earlier one has ended. */
    overlap() {
        const {length, begins, ends} = this.slices;
        for (let i = 1; i < length; ++i) if (ends[i - 1] > begins[i]) return true;
        return false;
    }

    /** In as few rows as there are overlaps; what finds no room is in the last. */
    intoRows(most) {
        const {length, begins, ends, what} = this.slices, rows = [new SliceRow()], last = [-1];
        if (most === 1 || !this.overlap()) return [this.slices];
        for (let i = 0; i < length; ++i) {
            let k = 0;
            while (k < rows.length && last[k] > begins[i]) ++k;
            if (k === rows.length) {
                if (k < most) rows.push(new SliceRow());
                else --k;
            }
            rows[k].add(begins[i], ends[i], what[i]);
            last[k] = ends[i];
        }
        return rows;
    }
}

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

/**
 * The lanes of a run, from top to bottom: {title, kind, rows, hint}. A lane of a thread also has the layers of its row: instructions are
 * painted over waits, so that a pixel with both shows that something was issued.
 */
function lanesOf(trace) {
    const lanes = [], {cycles} = trace, waits = waitsByLane(trace), {issues, units} = instructionSpans(trace);
    const addWaits = (title, name, hint) => {
        const spans = waits.get(name);
        if (!spans) return;
        waits.delete(name);
        lanes.push({title, kind: "wait", rows: spans.sort().intoRows(2), hint});
    };
    issues.forEach((spans, t) => {
        // A front end either issues or waits.
        const waited = waits.get(`T${t}`), layers = waited ? [waited.slices, spans.slices] : [spans.slices];
        waits.delete(`T${t}`);
        lanes.push({title: `T${t}`, kind: "issue", rows: (waited ? Spans.merged(spans, waited) : spans).intoRows(1), layers, thread: t,
                    hint: `instructions that T${t} issued, and what it waited for`});
    });
    for (const unit of [...UNIT_ORDER, ...[...units.keys()].filter(name => !UNIT_ORDER.includes(name))]) {
        if (units.has(unit))
            lanes.push({title: unit || "no unit", kind: "unit", rows: units.get(unit).sort().intoRows(MOST_ROWS), hint: `instructions in ${unit}`});
        addWaits(`${unit} waits`, unit, `instructions that wait in or before ${unit}`);
    }
    lanes.push(...valueLanes(trace, cycles));
    // The cores that feed the threads: a program's, or those of kernels.
    for (const name of [...waits.keys()].sort()) addWaits(`${name} waits`, name, `waits of ${name}`);
    return lanes;
}

/** Lane's name -> spans. In lanes of threads, which issue, too, a wait is a number below 0. */
function waitsByLane(trace) {
    const {count, lane, begin, length} = trace.waits, byText = new Map();
    for (let i = 0; i < count; ++i) {
        let spans = byText.get(lane[i]);
        if (!spans) {
            byText.set(lane[i], spans = new Spans());
            spans.inThread = /^T\d$/.test(trace.texts[lane[i]]);
        }
        spans.add(begin[i], begin[i] + length[i], spans.inThread ? asWait(i) : i);
    }
    return new Map(Array.from(byText, ([text, spans]) => [trace.texts[text], spans]));
}

/** Instructions by thread, as they were issued, and by unit, as they executed. */
function instructionSpans(trace) {
    const {rows, cycles, thread, issue, start, end, unit, texts} = trace, counts = [0, 0, 0], units = new Map();
    for (let row = 0; row < rows; ++row) ++counts[thread[row]];
    const issues = counts.map(count => new Spans(count));
    const ofText = new Map();  // of a unit's text, which may name several
    for (let row = 0; row < rows; ++row) {
        issues[thread[row]].add(issue[row], issue[row] + 1, row);
        if (start[row] === NEVER) continue;
        let all = ofText.get(unit[row]);
        if (!all) {
            all = texts[unit[row]].split(", ").map(name => {
                if (!units.has(name)) units.set(name, new Spans());
                return units.get(name);
            });
            ofText.set(unit[row], all);
        }
        const begin = issue[row] + start[row];
        for (const spans of all) spans.add(begin, Math.max(begin + 1, end[row] === NEVER ? cycles : issue[row] + end[row]), row);
    }
    return {issues, units};
}

/** Lanes of small state over time: who owns the banks, what semaphores hold. */
function valueLanes(trace, end) {
    const {signals, signal, cycle, value} = trace.signals, changes = signals.map(() => []), lanes = [];
    signal.forEach((number, i) => changes[number].push([cycle[i], value[i]]));
    signals.forEach(([section, element], number) => {
        const of = changes[number], isOwner = section === "bank_owner";
        if (of.length < 2) return;
        const title = isOwner ? `Src${"AB"[element >> 1]} bank ${element & 1}` : `semaphore ${element}`;
        lanes.push({title, kind: isOwner ? "owner" : "count", rows: [valueSlices(of, end)], hint: isOwner ? "whose the bank is" : `value of ${title}`});
    });
    return lanes;
}
