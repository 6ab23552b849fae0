// SPDX-License-Identifier: Apache-2.0
// The selection: an instruction or a cycle, before or after it. The page's views are its listeners.
"use strict";

class Selection {
    constructor() {
        this.row = -1;       // -1: a cycle is selected
        this.atCycle = 0;
        this.after = true;
        this.matches = null;  // rows that were searched for
        this.filtered = false;
        this.listeners = [];
    }
    bind(trace, log, state) {
        this.trace = trace;
        this.log = log;
        this.state = state;
    }
    /** `listener(options)` hears of every change. */
    listen(listener) { this.listeners.push(listener); }
    changed(options = {}) {
        this.state.go(this.moment());
        history.replaceState(null, "", this.row < 0 ? `#cycle=${this.atCycle}` : `#${this.row}`);
        for (const listener of this.listeners) listener(options);
    }
    select(row, options = {}) {
        if (row < 0 || row >= this.trace.rows) return;
        this.row = row;
        this.changed({reveal: true, ...options});
    }
    selectCycle(cycle) {
        this.row = -1;
        this.atCycle = Math.max(0, Math.min(this.trace.cycles, Math.floor(cycle)));
        this.changed();
    }
    setAfter(after) {
        this.after = after;
        this.changed();
    }

    /** How many records have been written. */
    moment() {
        const {log, trace, row} = this;
        if (row < 0) return log.momentOfCycle(this.atCycle);
        if (this.after && this.isForEver(row)) return log.records;
        const record = this.after ? log.last[row] : log.first[row];
        if (record >= 0) return record + (this.after ? 1 : 0);
        return log.momentOfCycle(this.after ? trace.cycle(trace.end, row) : trace.issue[row] - 1);
    }
    /** Cycle of the selected moment. */
    cycle() {
        const {trace, row} = this;
        if (row < 0) return this.atCycle;
        return this.after ? trace.cycle(trace.end, row) ?? trace.cycles : trace.issue[row];
    }
    /** What never ended has the run's end behind it. */
    isForEver(row) { return this.trace.end[row] === NEVER; }

    isShown(row) { return !this.filtered || !this.matches || this.isMatch(row); }
    isMatch(row) { return Boolean(this.matches) && this.matchBits[row] === 1; }
    /** `rows` ascend; null: nothing is searched for. */
    setMatches(rows) {
        this.matches = rows;
        this.matchBits = rows && new Uint8Array(this.trace.rows);
        if (rows) for (const row of rows) this.matchBits[row] = 1;
        this.changed({filter: true});
    }
    setFiltered(filtered) {
        this.filtered = filtered;
        this.changed({filter: true});
    }

    /** To the next instruction that is shown; `thread` keeps to one. */
    step(direction, thread = -1) {
        let row = this.row;
        if (row < 0) {
            row = this.rowOfCycle(this.atCycle);
            if (direction < 0) ++row;
        }
        for (row += direction; row >= 0 && row < this.trace.rows; row += direction)
            if (this.isShown(row) && (thread < 0 || this.trace.thread[row] === thread)) return this.select(row);
    }
    stepInThread(direction) { this.step(direction, this.row < 0 ? -1 : this.trace.thread[this.row]); }
    /** To the first (-1) or last (1) instruction that is shown. */
    end(direction) {
        for (let row = direction < 0 ? 0 : this.trace.rows - 1; row >= 0 && row < this.trace.rows; row -= direction)
            if (this.isShown(row)) return this.select(row);
    }
    /** The last instruction issued up to a cycle; -1: none. */
    rowOfCycle(cycle) { return lastNotAfter(this.trace.issue, cycle); }
    nextMatch(direction) {
        const {matches} = this;
        if (!matches || !matches.length) return;
        const at = this.row < 0 ? this.rowOfCycle(this.atCycle) : this.row;
        const before = lastNotAfter(matches, direction > 0 ? at : at - 1) + (direction > 0 ? 1 : 0);
        this.select(matches[(before + matches.length) % matches.length]);
    }
}

const selection = new Selection();
