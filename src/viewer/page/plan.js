// SPDX-License-Identifier: Apache-2.0
// The selected instruction's plan, and the times at which it was executed.
"use strict";

class PlanPage {
    constructor(trace, log, showElement) {
        this.title = "Instruction";
        [this.trace, this.log, this.showElement] = [trace, log, showElement];
    }
    render(panel) {
        const {trace} = this, {row} = selection;
        if (row < 0)
            return fill(panel, empty(`Cycle ${selection.atCycle} is selected, no instruction. → goes to the next one.`));
        fill(panel,
             make("h3", {class: "code"}, make("span", {class: "chip", style: `background:${unitColor(trace.unitName(row))}`}),
                  trace.text(row)),
             this.facts(row), this.timing(row), this.findings?.(row), this.ranges("writes", this.log.writesOf(row)),
             this.log.keeps(row) ? null : make("p", {class: "note"}, "What it wrote may not be kept: the page's limit of state was reached."),
             this.ranges("reads", trace.accesses.of(row)), this.waits(row), this.plan(row));
    }
    facts(row) {
        const {trace} = this, place = trace.placeName(row);
        const facts = [["thread", `T${trace.thread[row]}`], ["op", String(trace.index[row])],
                       ["unit", trace.unitName(row) || "none"], ["word", `0x${hex(trace.word[row], 8)}`]];
        if (trace.position[row] >= 0) facts.splice(2, 0, ["expansion", `word ${trace.position[row]}`]);
        if (place) facts.push(["at", place]);
        if (trace.core[row] >= 0) facts.push(["pc", `0x${hex(trace.pc[row], 5)}`]);
        return make("dl", {class: "facts"}, facts.map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    }
    timing(row) {
        const {trace} = this;
        if (!trace.isIssued(row)) return make("p", {class: "bad-text"}, "It was never issued: the run stopped here.");
        const steps = [["issue", trace.issue[row]], ...this.executed(row)];
        return make("ol", {class: "times"}, steps.map(([name, cycle]) =>
            make("li", {class: cycle === null ? "never" : ""}, make("span", {}, name), make("b", {}, cycle ?? "not before the run's end"))));
    }
    /** Of an instruction that has not ended only that is known. */
    executed(row) {
        const {trace} = this, {start, land, end} = trace;
        return selection.isForEver(row) ? [["end", null]]
                                        : [["start", trace.cycle(start, row)], ["land", trace.cycle(land, row)], ["end", trace.cycle(end, row)]];
    }
    /** Ranges by section; a click shows the section. */
    ranges(title, ranges) {
        if (!ranges.length) return null;
        const {trace} = this, areas = areasOf(ranges), most = 24;
        const items = areas.slice(0, most).map(area => make("li", {},
            make("button", {class: `link ${title}`, onclick: () => this.showElement(area.section, area.first)},
                 areaText(trace.sections[area.section], area)),
            area.count * area.times > 1 ? areaValues(trace, selection.state, area) : null));
        if (areas.length > most) items.push(make("li", {class: "dim"}, `and ${areas.length - most} more`));
        return make("section", {class: "ranges"}, make("h4", {}, title), make("ul", {}, items));
    }
    waits(row) {
        const {trace} = this, {waits} = trace, items = [];
        for (let i = 0; i < waits.count && items.length < 8; ++i)
            if (waits.row[i] === row)
                items.push(make("li", {}, make("b", {}, `${waits.length[i]} cycles `),
                                `${trace.texts[waits.lane[i]]}: ${trace.texts[waits.reason[i]]}`,
                                waits.by[i] !== NEVER ? [", ended by ", rowLink(waits.by[i], trace.name(waits.by[i]))] : null));
        return items.length ? make("section", {class: "ranges"}, make("h4", {}, "waited"), make("ul", {}, items)) : null;
    }
    plan(row) {
        const {trace} = this, plan = trace.plan[row];
        if (plan < 0)
            return empty(trace.plans.whole ? "It has no plan: no thread issued it."
                                           : `The page has plans of the first ${trace.plans.of.toLocaleString("en")} instructions, not of this one.`);
        const body = [];
        let topic = "";
        for (const line of trace.plans.lines(plan)) {
            body.push(make("tr", {class: topicClass(line.topic)},
                           make("th", {scope: "row"}, line.topic === topic ? "" : line.topic),
                           make("td", {}, line.name), make("td", {}, line.value)));
            topic = line.topic;
        }
        return make("table", {class: "plan"}, make("caption", {}, "Plan"), make("colgroup", {}, make("col"), make("col"), make("col")), make("tbody", {}, body));
    }
}

const topicClass = topic => /finding|fault/.test(topic) ? "bad-text" : /should be|cure/.test(topic) ? "cure" : "";
