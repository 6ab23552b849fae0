// SPDX-License-Identifier: Apache-2.0
// Small state as tables: counters, GPRs, configuration, synchronisation, what units remember.
"use strict";

/** The state before the run, to tell what has changed since. */
class Before {
    constructor(state) { this.values = state.values.map((values, s) => s === state.l1 ? null : values.slice()); }
}

class TablePage {
    constructor(title, {trace, log, state, before}, sections) {
        Object.assign(this, {title, trace, log, state, before, sections});
        this.story = make("div", {class: "story", "aria-live": "polite"});
        this.onlyChanged = false;
    }
    render(panel, head) {
        this.marks = new Marks(this.trace, this.log, selection.row);
        fill(head, this.choices());
        fill(panel, this.story, this.tables());
        refreshHistory(this.story);
    }
    choices() {
        return [make("label", {class: "choice"}, make("input", {type: "checkbox", checked: this.onlyChanged, onchange: event => {
            this.onlyChanged = event.target.checked;
            this.changed();
        }}), " changed only")];
    }
    show(section, element) { showHistory(this.story, this.trace, this.log, this.state, section, element); }

    number(name) { return this.trace.sectionNumber.get(name); }
    isChanged(section, element) { return this.state.values[section][element] !== this.before.values[section][element]; }
    /** A cell with an element's value; a click tells who wrote it. */
    cell(section, element, show = String) {
        const value = this.state.values[section][element], marks = this.marks.of(section, element);
        const classes = ["value", this.isChanged(section, element) ? "changed" : "", marks & MARK.WRITTEN ? "written" : "",
                         marks & MARK.READ ? "read" : "", value ? "" : "zero"].filter(Boolean).join(" ");
        return make("td", {class: classes, title: `${elementName(this.trace.sections[section], element)} = 0x${hex(value, 1)}, ${value}`},
                    make("button", {class: "plain", onclick: () => this.show(section, element)}, show(value)));
    }
    /** Rows are the product of all dimensions but the columns'. */
    grid(name, columnDimension, show) {
        const number = this.number(name);
        if (number === undefined) return null;
        const section = this.trace.sections[number], dims = section.dimensions, columns = dims[columnDimension];
        const label = (d, i) => d.labels.length ? d.labels[i] : `${d.name[0] === "t" ? "T" : d.name + " "}${i}`;
        const rows = [];
        const walk = (d, names, offset, stride, columnStride) => {
            if (d === dims.length) {
                const elements = Array.from({length: columns.size}, (_, i) => offset + i * columnStride);
                if (this.onlyChanged && !elements.some(element => this.isChanged(number, element))) return;
                return void rows.push(make("tr", {}, make("th", {scope: "row"}, names.join(" ")),
                                           elements.map(element => this.cell(number, element, show))));
            }
            const inner = stride / dims[d].size;
            if (d === columnDimension) return walk(d + 1, names, offset, inner, inner);
            for (let i = 0; i < dims[d].size; ++i) walk(d + 1, [...names, label(dims[d], i)], offset + i * inner, inner, columnStride);
        };
        walk(0, [], 0, section.size, 0);
        return this.table(name, Array.from({length: columns.size}, (_, i) => label(columns, i)), rows);
    }
    table(caption, columns, rows) {
        if (!rows.length) return make("section", {}, make("h4", {}, caption.replaceAll("_", " ")), empty("unchanged"));
        return make("table", {class: "values"}, make("caption", {}, caption.replaceAll("_", " ")),
                    make("thead", {}, make("tr", {}, make("td", {}), columns.map(name => make("th", {scope: "col"}, name)))),
                    make("tbody", {}, rows));
    }
}

class CountersPage extends TablePage {
    constructor(tools) { super("Counters", tools, ["rwc", "adc"]); }
    tables() { return [this.grid("rwc", 0), this.grid("adc", 3)]; }
}

class GprPage extends TablePage {
    constructor(tools) {
        super("GPRs", tools, ["gpr"]);
        this.decimal = false;
    }
    choices() {
        return [...super.choices(), choice("as", [["hex", "hex"], ["decimal", "decimal"]], this.decimal ? "decimal" : "hex", value => {
            this.decimal = value === "decimal";
            this.changed();
        })];
    }
    tables() { return [this.grid("gpr", 0, value => this.decimal ? String(value) : `0x${hex(value, 1)}`)]; }
}

class SyncPage extends TablePage {
    constructor(tools) {
        super("Sync", tools, ["semaphore_value", "semaphore_max", "mutex", "bank_owner", "implied_format", "matrix_bank"]);
    }
    choices() { return []; }
    tables() {
        const owner = value => value ? "matrix unit" : "unpacker", format = value => this.trace.formats[value] ?? String(value);
        return [this.semaphores(), this.grid("mutex", 0, value => value ? `T${value - 1}` : "free"),
                this.grid("bank_owner", 1, owner), this.grid("implied_format", 1, format), this.grid("matrix_bank", 0)];
    }
    semaphores() {
        const [value, max] = ["semaphore_value", "semaphore_max"].map(name => this.number(name));
        const rows = [["value", value], ["maximum", max]].map(([name, section]) => make("tr", {}, make("th", {scope: "row"}, name),
            Array.from({length: 8}, (_, i) => this.cell(section, i))));
        return this.table("semaphores", [0, 1, 2, 3, 4, 5, 6, 7].map(String), rows);
    }
}

class UnitsPage extends TablePage {
    constructor(tools) {
        super("Units", tools, ["unpacker", "packer", "lane_flags", "lane_flags_enable", "lane_config", "prng", "mop_config"]);
        this.onlyChanged = true;
    }
    tables() {
        const asHexadecimal = value => `0x${hex(value, 1)}`;
        return [this.single(["lane_flags", "lane_flags_enable"]), this.items("unpacker"), this.items("packer"),
                this.grid("lane_config", 0, asHexadecimal), this.grid("mop_config", 1, asHexadecimal)];
    }
    single(names) {
        return this.table("lane flags", ["bits"], names.map(name =>
            make("tr", {}, make("th", {scope: "row"}, name), this.cell(this.number(name), 0, value => `0x${hex(value, 8)}`))));
    }
    /** One row per item, one column per unit. */
    items(name) {
        const number = this.number(name), [units, items] = this.trace.sections[number].dimensions, rows = [];
        items.labels.forEach((label, i) => {
            const elements = Array.from({length: units.size}, (_, unit) => unit * items.size + i);
            if (this.onlyChanged && !elements.some(element => this.isChanged(number, element))) return;
            rows.push(make("tr", {}, make("th", {scope: "row"}, label), elements.map(element => this.cell(number, element, value => `0x${hex(value, 1)}`))));
        });
        return this.table(name, Array.from({length: units.size}, (_, i) => `${name} ${i}`), rows);
    }
}

/** Configuration by field: those that have changed since the run began, or all that are not 0. */
class ConfigPage extends TablePage {
    constructor(tools) {
        super("Config", tools, ["config", "thread_config"]);
        this.onlyChanged = true;
        this.query = "";
    }
    choices() {
        return [...super.choices(), make("label", {class: "choice"}, "field ", make("input", {type: "search", value: this.query, size: 14,
            "aria-label": "Field name", oninput: event => {
                this.query = event.target.value;
                fill(this.body, this.rows());
            }}))];
    }
    tables() {
        this.body = make("tbody", {}, this.rows());
        return [make("table", {class: "values fields"}, make("thead", {}, make("tr", {},
            ["field", "where", "value", "was"].map(name => make("th", {scope: "col"}, name)))), this.body)];
    }
    rows() {
        const rows = [], query = this.query.toLowerCase();
        for (const [space, addr32, lo, width, name, kind] of this.trace.fields) {
            if (query && !name.toLowerCase().includes(query)) continue;
            const number = this.number(space ? "thread_config" : "config");
            const [copies, words] = this.trace.sections[number].dimensions, told = new Set();
            for (let copy = 0; copy < copies.size; ++copy) {
                const element = copy * words.size + addr32;
                const of = word => width === 32 ? word : word >>> lo & (1 << width) - 1;
                const value = of(this.state.values[number][element]), was = of(this.before.values[number][element]);
                const marked = this.marks.of(number, element) & MARK.WRITTEN;
                if (this.onlyChanged ? value === was && !marked : value === 0 && was === 0) continue;
                const line = make("tr", {class: marked ? "written" : ""}, make("th", {scope: "row", title: `word ${addr32}, bits ${lo + width - 1}:${lo}`}, name),
                    make("td", {}, space ? `T${copy}` : `bank ${copy}`),
                    make("td", {class: value === was ? "value" : "value changed"},
                         make("button", {class: "plain", onclick: () => this.show(number, element)}, this.text(kind, value))),
                    make("td", {class: "value zero"}, value === was ? "" : this.text(kind, was)));
                rows.push(line);
                told.add(copy);
            }
        }
        return rows.length ? rows : [make("tr", {}, make("td", {colspan: 4}, empty(this.onlyChanged ? "No field has changed yet." : "No such field is set.")))];
    }
    text(kind, value) {
        if (kind === "data-format") return this.trace.formats[value] ?? String(value);
        if (kind === "flag") return value ? "on" : "off";
        if (kind === "address16") return `0x${hex(value * 16, 1)}`;
        if (kind === "address" || kind === "bits" || kind === "mask") return `0x${hex(value, 1)}`;
        if (kind === "size16") return `${value * 16} bytes`;
        return String(value);
    }
}
