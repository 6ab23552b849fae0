// SPDX-License-Identifier: Apache-2.0
// The threads' instructions as lists, of which only what can be seen is made.
"use strict";

class ThreadList {
    constructor(trace, thread, marks) {
        this.trace = trace;
        this.thread = thread;
        this.marks = marks;  // row -> level of a finding
        this.all = trace.rowsOfThread(thread);
        this.count = make("span", {class: "dim"});
        this.lines = make("div", {class: "lines"});
        this.box = make("div", {class: "list", role: "listbox", tabindex: "0", "aria-label": `Instructions of T${thread}`,
                                onscroll: () => this.render(), onclick: event => this.click(event)}, this.lines);
        this.window = new LineWindow(this.box, this.lines);
        this.unissued = this.all.length - 1 - lastNotAfter(this.all, trace.rows - trace.unissued - 1);
        this.element = make("div", {class: "thread"}, make("h2", {}, `T${thread} `, this.count), this.box);
        new ResizeObserver(() => this.render()).observe(this.box);
        this.setRows();
    }
    setRows() {
        this.rows = selection.filtered && selection.matches ? this.all.filter(row => selection.isShown(row)) : this.all;
        this.count.textContent = this.rows.length === this.all.length
            ? (this.all.length - this.unissued).toLocaleString("en") : `${this.rows.length} of ${this.all.length.toLocaleString("en")}`;
        this.window.resize(this.rows.length);
    }
    /** Index of the last line not after a row of the trace; -1: none. */
    lineOf(row) { return lastNotAfter(this.rows, row); }
    reveal() {
        const row = selection.row < 0 ? selection.rowOfCycle(selection.atCycle) : selection.row;
        this.window.reveal(Math.max(0, this.lineOf(row)));
        this.render();
    }
    click(event) {
        const line = event.target.closest("[data-row]");
        if (line) selection.select(Number(line.dataset.row));
    }
    render() {
        const {box, rows} = this, {first, last} = this.window.range;
        const at = selection.row < 0 ? selection.rowOfCycle(selection.atCycle) : selection.row, current = rows[this.lineOf(at)];
        const lines = [];
        for (let i = first; i < last; ++i) lines.push(this.line(rows[i], i, current));
        if (!rows.length) lines.push(empty(this.all.length ? "no match" : "issued nothing"));
        this.lines.replaceChildren(...lines);
        const selected = this.lines.querySelector("[aria-selected=true]");
        if (selected) box.setAttribute("aria-activedescendant", selected.id);
        else box.removeAttribute("aria-activedescendant");
    }
    line(row, i, current) {
        const {trace} = this, text = trace.text(row), split = text.indexOf(" ");
        const mark = this.marks.get(row), chosen = row === selection.row;
        const line = make("div", {
            class: `line${row === current && !chosen ? " current" : ""}${mark ? " " + mark : ""}`, id: `row-${row}`, role: "option",
            "aria-selected": String(chosen), "data-row": row, style: `top:${this.window.top(i)}px`,
            title: `${text}\n${trace.placeName(row)}\nissued in cycle ${trace.issue[row]}`},
            make("span", {class: "chip", style: `background:${unitColor(trace.unitName(row))}`}),
            make("span", {class: "cycle"}, String(trace.issue[row])),
            make("b", {}, split < 0 ? text : text.slice(0, split)), split < 0 ? "" : text.slice(split));
        if (selection.isMatch(row)) line.classList.add("match");
        return line;
    }
}

function showLists(trace, marks) {
    const lists = [0, 1, 2].map(thread => new ThreadList(trace, thread, marks));
    fill(byId("lists"), lists.map(list => list.element));
    selection.listen(({filter}) => lists.forEach(list => {
        if (filter) list.setRows();
        list.reveal();
    }));
    theme.listeners.push(() => lists.forEach(list => list.render()));
    return lists;
}
