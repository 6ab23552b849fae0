// SPDX-License-Identifier: Apache-2.0
// The source text that instructions come from: the selected one's line, below it what the line's MOP or REPLAY expanded to.
"use strict";

const MOST_EXPANDED = 256;

class SourcePanel {
    /** `marks`: row -> class of a finding there. */
    constructor(trace, search, marks) {
        [this.trace, this.search] = [trace, search];
        this.files = trace.sources.files;
        this.lines = this.files.map(file => file.text === null ? null : file.text.replace(/\n$/, "").split("\n"));
        this.file = 0;
        this.line = 0;        // of the file, from 1 on; 0: none
        this.expanded = [];   // rows below it
        this.countPlaces(marks);
        this.title = make("span", {});
        this.where = make("span", {class: "dim"});  // the line, which may be far above what it expanded to
        this.box = make("div", {class: "list source", role: "listbox", tabindex: "0", "aria-label": "Source text",
                                onscroll: () => this.render(), onclick: event => this.click(event), onkeydown: event => this.key(event)});
        this.content = make("div", {class: "lines"});
        this.box.append(this.content);
        this.window = new LineWindow(this.box, this.content);
        fill(byId("source"), make("h2", {}, this.title, " ", this.where), this.box);
        new ResizeObserver(() => this.render()).observe(this.box);
        selection.listen(() => this.follow());
        this.showFile(0);
    }
    /** Of each file: line -> {places, count of instructions, class of a finding}. */
    countPlaces(marks) {
        const {place, places, rows} = this.trace, counts = new Uint32Array(places.texts.length);
        for (let row = 0; row < rows; ++row) ++counts[place[row]];
        this.ofLine = this.files.map(() => new Map());
        for (let number = 1; number < counts.length; ++number) {
            const line = places.line[number], lines = this.ofLine[places.file[number]];
            if (!line || !lines) continue;
            const one = lines.get(line) ?? {places: new Set(), count: 0};
            one.places.add(number);
            one.count += counts[number];
            lines.set(line, one);
        }
        for (const [row, mark] of marks) {
            const at = this.ofLine[places.file[place[row]]]?.get(places.line[place[row]]);
            if (at) at.mark = mark;
        }
    }

    showFile(file) {
        this.file = file;
        const choose = this.files.length > 1
            ? choice("file", this.files.map((one, i) => [String(i), one.name]), String(file), value => this.turnTo(Number(value)))
            : this.files[0]?.name ?? "no source";
        keepingFocus([this.title], () => fill(this.title, choose));
    }
    /** A file that the reader wants to see. */
    turnTo(file) {
        this.showFile(file);
        const of = this.trace, at = selection.row < 0 ? -1 : of.places.file[of.place[selection.row]];
        if (at === file) return this.follow();
        this.line = 0;
        this.expanded = [];
        this.box.scrollTop = 0;
        this.render();
    }
    /** To the line of the selected instruction. */
    follow() {
        const {trace} = this, row = selection.row < 0 ? selection.rowOfCycle(selection.atCycle) : selection.row;
        const place = row < 0 ? 0 : trace.place[row], line = trace.places.line[place];
        this.line = line;
        this.expanded = row < 0 ? [] : this.expansionOf(row);
        if (line && trace.places.file[place] !== this.file) this.showFile(trace.places.file[place]);
        fill(this.where, line && this.expanded.length ? `${line}: ${this.lines[this.file]?.[line - 1].trim() ?? ""}` : "");
        if (line) this.reveal(line - 1 + Math.max(0, this.expanded.indexOf(row) + 1));
        this.render();
    }
    /** The instructions that an op expanded to, when it was a MOP or REPLAY. */
    expansionOf(row) {
        const {thread, index, position, rows} = this.trace, found = [];
        if (position[row] < 0) return found;
        const isOf = other => thread[other] === thread[row] && index[other] === index[row];
        let first = row;
        for (let at = row; at >= 0 && row - at < 64 * MOST_EXPANDED; --at) {
            if (isOf(at)) first = at;
            else if (thread[at] === thread[row]) break;
        }
        for (let at = first; at < rows && (at <= row || found.length < MOST_EXPANDED); ++at) {
            if (isOf(at)) found.push(at);
            else if (thread[at] === thread[row]) break;
        }
        return found;
    }
    reveal(item) {
        this.window.resize(this.items());
        this.window.reveal(item, 2);
    }
    items() { return (this.lines[this.file]?.length ?? 0) + this.expanded.length; }

    render() {
        const lines = this.lines[this.file];
        if (!lines) {
            this.content.style.height = "auto";
            return fill(this.content, make("p", {class: "empty note"}, this.files.length
                ? `The text of ${this.files[this.file].name} could not be read when the page was made.` : "The program has no source text: it names no file."));
        }
        this.window.resize(this.items());
        const {first, last} = this.window.range, made = [];
        for (let item = first; item < last; ++item) {
            const below = item - this.line, expansion = this.line && below >= 0 && below < this.expanded.length;
            const style = `top:${this.window.top(item)}px`;
            made.push(expansion ? this.expandedLine(this.expanded[below], style)
                                : this.sourceLine(item < this.line || !this.line ? item + 1 : item + 1 - this.expanded.length, style));
        }
        fill(this.content, made);
    }
    sourceLine(number, style) {
        const text = this.lines[this.file][number - 1], known = this.ofLine[this.file].get(number), chosen = number === this.line;
        const comment = text.search(this.files[this.file].name.endsWith(".tts") ? /(^|\s)#/ : /\/\//);
        return make("div", {class: `line${known ? " known" : ""}${known?.mark ? " " + known.mark : ""}${chosen && selection.row < 0 ? " current" : ""}`, role: "option", "data-line": number, style,
                            "aria-selected": String(chosen && selection.row >= 0), title: known ? `${known.count.toLocaleString("en")} instructions of this line: a click selects the next one` : ""},
                    make("span", {class: "cycle"}, String(number)), make("span", {class: "code"}, comment < 0 ? text : text.slice(0, comment)),
                    comment < 0 ? null : make("span", {class: "dim"}, text.slice(comment)),
                    known && known.count > 1 ? make("span", {class: "times-run"}, `×${known.count.toLocaleString("en")}`) : null);
    }
    expandedLine(row, style) {
        const {trace} = this;
        return make("div", {class: "line expanded", role: "option", "data-row": row, style, "aria-selected": String(row === selection.row)},
                    make("span", {class: "cycle"}, `.${trace.position[row]}`), make("span", {class: "chip", style: `background:${unitColor(trace.unitName(row))}`}), trace.text(row));
    }

    click(event) {
        const line = event.target.closest(".line");
        if (line?.dataset.row) selection.select(Number(line.dataset.row));
        else if (line) this.choose(Number(line.dataset.line));
    }
    /** Finds the line's instructions, and selects the next one of them. */
    choose(number) {
        const known = this.ofLine[this.file].get(number), {place, rows} = this.trace;
        if (!known) return;
        const found = [];
        for (let row = 0; row < rows; ++row) if (known.places.has(place[row])) found.push(row);
        this.search.showRows(`${this.files[this.file].name}:${number}`, found);
        selection.nextMatch(1);
    }
    key(event) {
        const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
        if (!step && event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        if (!step) return this.choose(this.line);
        const lines = [...this.ofLine[this.file].keys()].sort((a, b) => a - b), at = lastNotAfter(lines, this.line);
        const next = lines[step > 0 ? at + 1 : lines[at] === this.line ? at - 1 : at];
        if (next) this.choose(next);
    }
    /** To the next or previous instruction of the selected one's line. */
    step(direction) {
        const {place, rows} = this.trace, {row} = selection;
        if (row < 0) return;
        for (let at = row + direction; at >= 0 && at < rows; at += direction) if (place[at] === place[row]) return selection.select(at);
    }
}
