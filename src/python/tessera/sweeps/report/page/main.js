// SPDX-License-Identifier: Apache-2.0
// Reads the columns, fills the choices, and draws again what a change concerns.
"use strict";

const said = number => number.toLocaleString("en");

function options(id, names, chosen, none) {
    const select = choice(id);
    select.append(...(none ? [element("option", none, {value: ""})] : []), ...names.map(name => element("option", name, {value: name})));
    select.value = chosen && names.includes(chosen) ? chosen : none ? "" : names[0] ?? "";
}

/** Whether a column's values are positive and far apart. */
function spreads(name) {
    let least = Infinity, most = 0;
    for (const value of column(name)?.values ?? []) {
        if (value <= 0) return false;
        if (value < least) least = value;
        if (value > most) most = value;
    }
    return most > 50 * least;
}

function fillChoices() {
    const numbers = columns.filter(each => each.isNumber).map(each => each.name), axes = columns.filter(each => each.role === "axis").map(each => each.name);
    const {error, cost, heat} = about.choice, several = axes.filter(name => groups(column(name)).labels.length > 1);
    options("x", numbers, cost);
    options("y", numbers, error);
    for (const id of ["x", "y"]) {
        choice(`${id}-log`).checked = spreads(choice(id).value);
        choice(id).addEventListener("change", () => { choice(`${id}-log`).checked = spreads(choice(id).value); });
    }
    options("colour", [...axes, "status"], heat[1] || several[0], "(none)");
    options("heat-rows", axes, heat[0] || axes[0]);
    options("heat-columns", axes, heat[1] || axes[1]);
    options("heat-measure", numbers, error || cost);
    choice("scatter-choices").addEventListener("change", drawScatter);
    choice("heat-choices").addEventListener("change", drawHeat);
}

function showSummary() {
    const status = column("status"), counts = new Uint32Array(status.texts.length);
    for (const code of status.values) ++counts[code];
    const told = status.texts.map((text, code) => `${said(counts[code])} ${text}`).join(", ");
    document.title = choice("name").textContent = about.name;
    choice("summary").textContent = `${said(rowCount)} of ${said(about.total)} runs${told ? `: ${told}` : ""}; Tessera ${about.version}; rows in ${about.results}`;
}

function showKept() {
    const wrong = [...view.wrong].map(index => columns[index].name);
    choice("kept").textContent = `${said(view.rows.length)} of ${said(rowCount)} runs shown` + (wrong.length ? `; not understood: filter of ${wrong.join(", ")}` : "");
    choice("kept").className = wrong.length ? "wrong" : "";
    choice("clear").hidden = view.filters.size === 0;
}

/** After a change of filters: everything. */
function refilter() {
    applyFilters();
    grid.scrollTop = 0;
    changed("filters");
}

let pending = 0;
function refilterSoon() {
    clearTimeout(pending);
    pending = setTimeout(refilter, 80);
}

view.listeners.push(what => {
    if (what === "filters") { showFilters(); showKept(); drawHeat(); }
    if (what !== "order") drawScatter();
    if (what === "selection") showDetails();
    drawTable();
});

async function begin() {
    for (const [index, described] of about.columns.entries()) columns.push(await Column.read(described, index));
    view.sort.by = column("number");
    showSummary();
    buildTable();
    fillChoices();
    refilter();
    choice("clear").onclick = () => { view.filters.clear(); refilter(); };
    for (const form of document.forms) form.addEventListener("submit", event => event.preventDefault());
    new ResizeObserver(() => requestAnimationFrame(drawScatter)).observe(plot);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawScatter);
    document.documentElement.dataset.ready = "yes";
}

begin().catch(error => {
    choice("kept").textContent = `This page cannot be read: ${error.message}. It needs a browser of 2023 or later.`;
    choice("kept").className = "wrong";
    throw error;
});
