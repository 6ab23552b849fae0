// SPDX-License-Identifier: Apache-2.0
// Which rows are shown, in which order, and which one is selected. Table, scatter and heat map all draw from here.
"use strict";

const view = {
    filters: new Map(),  // text by column's index
    wrong: new Set(),    // columns whose text is no filter
    sort: {by: null, descending: false},
    mask: new Uint8Array(0),     // of each row: whether it is shown
    rows: new Uint32Array(0),    // shown rows, in order
    selected: -1,
    listeners: [],
};

/** Applies the filters. */
function applyFilters() {
    view.mask = new Uint8Array(rowCount).fill(1);
    view.wrong.clear();
    for (const [index, text] of view.filters) {
        const apply = compileFilter(columns[index], text);
        if (apply) apply(view.mask);
        else view.wrong.add(index);
    }
    applyOrder();
}

/** Puts the shown rows in order. */
function applyOrder() {
    const all = order(view.sort.by, view.sort.descending), rows = new Uint32Array(rowCount);
    let count = 0;
    for (let i = 0; i < rowCount; ++i) if (view.mask[all[i]]) rows[count++] = all[i];
    view.rows = rows.subarray(0, count);
}

function setFilter(of, text) {
    if (text.trim()) view.filters.set(of.index, text);
    else view.filters.delete(of.index);
}

const changed = what => view.listeners.forEach(listener => listener(what));

function select(row) {
    view.selected = row;
    changed("selection");
}
