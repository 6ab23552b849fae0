// SPDX-License-Identifier: Apache-2.0
// Findings, the fault, and after a deadlock each waiting actor with the one that it waits for.
"use strict";

class FindingsPage {
    constructor(trace, log, showElement) {
        [this.trace, this.log, this.showElement] = [trace, log, showElement];
        const {fault, findings} = trace.run;
        this.all = [...(fault ? [{...fault, level: "fault", count: 1}] : []), ...findings];
        const shown = this.all.filter(one => one.level !== "info").length;
        this.title = shown ? `Findings ${shown}` : "Findings";
        for (const one of this.all) {
            one.row = this.rowAt(one.thread, one.index, one.position, one.cycle);
            one.rival = this.rivalOf(one);
            one.store = this.storeOf(one);
        }
    }
    /** The row of an op: of its expansion, and of those the last one issued up to a cycle. */
    rowAt(thread, index, position, cycle) {
        const {trace} = this;
        let first = -1, any = -1;
        for (let row = 0; row < trace.rows; ++row) {
            if (trace.index[row] !== index || trace.thread[row] !== thread) continue;
            if (any < 0) any = row;
            if (position !== undefined && trace.position[row] !== position) continue;
            if (first >= 0 && trace.issue[row] > cycle) break;
            first = row;
        }
        return first < 0 ? any : first;
    }
    /** The other instruction that a hazard is about. */
    rivalOf({values, cycle, row, thread}) {
        if (values.other_index === undefined) return -1;
        const other = values.other_thread ?? thread, {trace} = this;
        if (!trace.job.kernels) return this.rowAt(other, values.other_index, undefined, cycle);
        // Of kernels the value is the core and the word address of its instruction.
        const pc = (values.other_index & 0x7FFFF) * 4;
        for (let at = row < 0 ? trace.rows - 1 : row; at >= 0; --at)
            if (trace.thread[at] === other && trace.pc[at] === pc && at !== row) return at;
        return -1;
    }
    /** The core's store to a word of configuration that a hazard is about: {element, record}. It may be on its way at the time. */
    storeOf({code, values, cycle}) {
        if (code !== "hazard.config-store") return null;
        const onItsWay = 16, moment = this.log.momentOfCycle(cycle + onItsWay);
        const {log, trace} = this, section = trace.sectionNumber.get("config"), words = trace.section("config").dimensions[1].size;
        for (const element of [values.addr32, words + values.addr32]) {
            let record = log.find(section, element, moment - 1, -1);
            while (record >= 0 && log.row[record] !== NEVER) record = log.find(section, element, record - 1, -1);
            if (record >= 0) return {section, element, record};
        }
        return null;
    }
    storeLink({section, element, record}) {
        const {log} = this;
        return make("button", {class: "link", onclick: () => {
            this.showElement(section, element);
            selection.selectCycle(log.cycle[record]);
        }}, `${log.writer(record)}, cycle ${log.cycle[record]}`);
    }
    /** Row -> class of the worst finding there. */
    marks() {
        const marks = new Map();
        for (const {row, level} of this.all)
            if (row >= 0 && level !== "info") marks.set(row, level === "warning" && marks.get(row) !== "bad" ? "warn" : "bad");
        return marks;
    }
    cycles() { return this.all.filter(one => one.level !== "info").map(one => one.cycle); }
    of(row) {
        const items = this.all.filter(one => one.row === row || one.rival === row);
        return items.length ? make("section", {}, items.map(one => this.item(one))) : null;
    }

    render(panel) {
        const {blocked} = this.trace.run;
        const faults = this.all.filter(one => one.level === "fault"), others = this.all.filter(one => one.level !== "fault");
        fill(panel, faults.map(one => this.item(one)), blocked.length ? this.blocked(blocked) : null, others.map(one => this.item(one)),
             this.all.length ? null : empty("No findings: no fault, no hazard, nothing undefined or unwise was met."));
    }
    item(one) {
        const {trace} = this, lines = [["silicon", one.hardware], ["cure", one.cure], ["source", one.source]];
        const where = [one.thread >= 0 ? `T${one.thread}` : "", one.core, one.function, one.index >= 0 ? `op ${one.index}` : "",
                       `cycle ${one.cycle}`, one.inlined || one.place].filter(Boolean).join(", ");
        const registers = Object.entries(one.registers ?? {}).filter(([, value]) => value);
        return make("article", {class: `finding ${one.level}`},
            make("h4", {}, make("span", {class: `badge ${one.level}`}, one.level), make("code", {}, one.code),
                 one.count > 1 ? make("span", {class: "dim"}, ` ×${one.count}`) : null),
            make("p", {}, one.message), make("p", {class: "dim"}, where),
            make("p", {}, one.row >= 0 ? rowLink(one.row, `${trace.name(one.row)} ${trace.text(one.row)}`) : one.instruction,
                 one.store ? [" with ", this.storeLink(one.store)] : null,
                 one.rival >= 0 ? [" with ", rowLink(one.rival, `${trace.name(one.rival)} ${trace.text(one.rival)}`)] : null),
            lines.filter(([, text]) => text).map(([name, text]) =>
                make("p", {class: name}, make("span", {class: "dim"}, name + " "), text)),
            registers.length ? make("p", {class: "code"}, registers.map(([name, value]) => `${name} 0x${hex(value, 8)}`).join("  ")) : null);
    }
    blocked(list) {
        const cell = text => make("td", {}, text || "–"), names = which => list.filter(which).map(one => one.who).join(", ");
        return make("section", {class: "blocked"}, make("h3", {}, "Who waits for whom"),
            list.filter(one => !one.finished).map(one => make("article", {class: "finding error"},
                make("h4", {}, one.who, one.since === null || one.runs ? null : make("span", {class: "dim"}, ` since cycle ${one.since}`)),
                make("p", {}, one.runs ? "runs" : ["waits for ", make("b", {}, one.waits_for)]),
                make("table", {class: "facts"}, make("tbody", {}, [
                    ["held by", one.holder], ["last touched by", one.last_touched], ["instruction", one.instruction],
                    ["at", one.place]].filter(([, text]) => text).map(([name, text]) =>
                        make("tr", {}, make("th", {scope: "row"}, name), cell(text))))),
                this.unfinished(one))),
            make("p", {class: "dim"}, "Nothing left to do: ", names(one => one.finished && !one.in_reset) || "nobody"),
            names(one => one.in_reset) ? make("p", {class: "dim"}, "In reset: ", names(one => one.in_reset)) : null);
    }
    /** The instruction that waits in a unit, if it was issued. */
    unfinished(one) {
        const row = this.rowOfBlocked(one);
        return row < 0 ? null : make("p", {}, rowLink(row, `show ${this.trace.name(row)}`));
    }
    rowOfBlocked({who, since, instruction}) {
        const {trace} = this, {waits} = trace;
        for (let i = waits.count - 1; i >= 0; --i)
            if (!waits.over[i] && waits.row[i] !== NEVER && trace.texts[waits.lane[i]] === who && (since === null || waits.begin[i] === since) &&
                trace.text(waits.row[i]) === instruction) return waits.row[i];
        // A wait that begins in the last cycle has no slice. It is of the unit's oldest instruction.
        for (let row = 0; row < trace.rows; ++row)
            if (selection.isForEver(row) && trace.text(row) === instruction && trace.unitName(row).split(", ").includes(who)) return row;
        return -1;
    }
}
