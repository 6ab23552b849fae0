// SPDX-License-Identifier: Apache-2.0
// The table: only the rows in sight are elements. Beyond TALLEST pixels, the scroll bar moves more than a row at a time.
"use strict";

const ROW_HEIGHT = 24, TALLEST = 8e6;
const grid = document.getElementById("grid"), above = document.getElementById("above"), below = document.getElementById("below");
let shownColumns = [];

function buildTable() {
    shownColumns = columns.filter(each => !each.isEmpty);
    const widths = grid.querySelector("colgroup"), heads = document.getElementById("heads");
    for (const each of shownColumns) {
        let longest = each.name.length + 3;
        for (let i = 0; i < 200; ++i) longest = Math.max(longest, rowCount ? each.cell(Math.floor(i / 200 * rowCount)).length : 0);
        const col = element("col");
        col.style.width = `${Math.min(40, longest) + 2}ch`;
        widths.append(col);
        const head = element("th", "", {scope: "col"}), sort = element("button", each.name, {type: "button", title: `sort by ${each.name}`});
        const filter = element("input", "", {type: "text", title: `filter ${each.name}`, spellcheck: false});
        filter.setAttribute("aria-label", `filter ${each.name}`);
        head.dataset.column = filter.dataset.column = each.name;
        sort.onclick = () => {
            view.sort = {by: each, descending: view.sort.by === each && !view.sort.descending};
            applyOrder();
            grid.scrollTop = 0;
            changed("order");
        };
        filter.oninput = () => {
            setFilter(each, filter.value);
            refilterSoon();
        };
        head.append(sort, filter);
        heads.append(head);
    }
}

/** Text fields say what the filters are, wherever they were set. */
function showFilters() {
    for (const head of document.getElementById("heads").children) {
        const of = column(head.dataset.column), input = head.querySelector("input"), text = view.filters.get(of.index) ?? "";
        if (input.value.trim() !== text.trim()) input.value = text;
        input.setAttribute("aria-invalid", view.wrong.has(of.index));
    }
}

const bodyHeight = () => Math.min(TALLEST, view.rows.length * ROW_HEIGHT);
const visibleRows = () => Math.max(1, Math.floor((grid.clientHeight - grid.querySelector("thead").offsetHeight) / ROW_HEIGHT));
const lastFirst = () => Math.max(0, view.rows.length - visibleRows());
const longestScroll = () => Math.max(1, bodyHeight() - visibleRows() * ROW_HEIGHT);
const firstRow = () => Math.min(lastFirst(), Math.round(grid.scrollTop / longestScroll() * lastFirst()));

function spacer(body, height) {
    body.replaceChildren();
    if (height <= 0) return;
    const row = element("tr"), cell = element("td", "", {colSpan: shownColumns.length});
    row.setAttribute("aria-hidden", "true");
    cell.style.cssText = `height:${height}px;padding:0`;
    row.append(cell);
    body.append(row);
}

function drawTable() {
    const first = firstRow(), count = Math.min(view.rows.length - first, visibleRows() + 2), made = [];
    for (let place = first; place < first + count; ++place) {
        const row = view.rows[place], line = element("tr", "", {id: `row-${row}`});
        line.dataset.row = row;
        line.setAttribute("aria-rowindex", place + 2);
        line.setAttribute("aria-selected", row === view.selected);
        for (const each of shownColumns) {
            const cell = element("td", each.cell(row), {className: each.isNumber ? "number" : ""});
            if (cell.textContent.length > 38) cell.title = each.text(row);
            line.append(cell);
        }
        made.push(line);
    }
    // The place of the first row in the scrolled height.
    const top = Math.min(grid.scrollTop, Math.max(0, bodyHeight() - count * ROW_HEIGHT));
    document.getElementById("rows").replaceChildren(...made);
    spacer(above, top);
    spacer(below, bodyHeight() - top - count * ROW_HEIGHT);
    grid.querySelector("table").setAttribute("aria-rowcount", view.rows.length + 1);
    for (const head of document.getElementById("heads").children) {
        const sorted = view.sort.by.name === head.dataset.column;
        head.setAttribute("aria-sort", !sorted ? "none" : view.sort.descending ? "descending" : "ascending");
        head.querySelector("button").textContent = head.dataset.column + (!sorted ? "" : view.sort.descending ? " ▼" : " ▲");
    }
    if (view.selected >= 0) grid.setAttribute("aria-activedescendant", `row-${view.selected}`);
}

/** Scrolls so that a place is in sight. */
function reveal(place) {
    const first = firstRow(), count = visibleRows();
    if (place >= first && place < first + count) return;
    const wanted = place < first ? place : place - count + 1;
    grid.scrollTop = wanted / Math.max(1, lastFirst()) * longestScroll();
}

let drawPending = false;
grid.addEventListener("scroll", () => {
    if (drawPending) return;
    drawPending = true;
    requestAnimationFrame(() => { drawPending = false; drawTable(); });
});
document.getElementById("rows").addEventListener("click", event => {
    const line = event.target.closest("tr");
    if (line) select(Number(line.dataset.row));
});
grid.addEventListener("keydown", event => {
    if (event.target !== grid || !view.rows.length) return;
    const place = view.rows.indexOf(view.selected), page = visibleRows();
    const to = {ArrowDown: place + 1, ArrowUp: place - 1, PageDown: place + page, PageUp: place - page, Home: 0, End: view.rows.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const reached = Math.max(0, Math.min(view.rows.length - 1, to));
    reveal(reached);
    select(view.rows[reached]);
});
