// SPDX-License-Identifier: Apache-2.0
// Summary of the run: units, waits, the job.
"use strict";

class RunPage {
    constructor(trace, log) {
        this.title = "Run";
        [this.trace, this.log] = [trace, log];
    }
    render(panel) {
        const {job, run} = this.trace, cycles = run.cycles || 1;
        const facts = [["job", job.file], ["architecture", job.arch], ["timing", job.timing], ["seed", job.seed ?? "none"],
                       ["cycles", run.cycles.toLocaleString("en")],
                       ["issued", run.instructions.map((count, t) => `T${t} ${count.toLocaleString("en")}`).join(", ")],
                       ["end", run.fault ? run.fault.code : run.good ? "good" : "a finding at level error"]];
        fill(panel, make("dl", {class: "facts"}, facts.map(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))])),
             this.limits(), make("h4", {}, "Busy cycles of units"),
             run.units.length ? this.bars(run.units.map(one => [one.unit, one.busy / cycles, `${one.instructions.toLocaleString("en")} ×`, unitColor(one.unit)]))
                              : empty("No unit did anything."),
             make("h4", {}, "Cycles that threads waited"),
             run.waits.length ? this.bars(run.waits.slice(0, 20).map(one => [`T${one.thread} ${one.reason}`, one.cycles / cycles,
                                                                            one.cycles.toLocaleString("en"), theme.colors.wait]))
                              : empty("No thread waited."));
    }
    /** What the page does not have. */
    limits() {
        const {log} = this, {plans} = this.trace, untold = Object.entries(log.untold), notes = [];
        if (!log.whole)
            notes.push(`State is kept up to cycle ${log.cycle[log.records - 1]}: there the page's limit was reached.`);
        if (untold.length)
            notes.push("Written by nobody who tells, and shown from the end of the run only: " +
                       untold.map(([name, count]) => `${count} of ${name}`).join(", ") + ".");
        if (!plans.whole) notes.push(`Plans are kept of the first ${plans.of.toLocaleString("en")} instructions: there the page's limit was reached.`);
        return notes.map(text => make("p", {class: "note"}, text));
    }
    bars(rows) {
        return make("table", {class: "bars"}, make("tbody", {}, rows.map(([name, part, text, color]) => make("tr", {},
            make("th", {scope: "row"}, name),
            make("td", {}, make("div", {class: "bar", style: `width:${Math.min(100, part * 100).toFixed(1)}%;background:${color}`})),
            make("td", {class: "number"}, `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`),
            make("td", {class: "number dim"}, text)))));
    }
}
