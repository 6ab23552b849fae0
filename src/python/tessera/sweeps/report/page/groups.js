// SPDX-License-Identifier: Apache-2.0
// The values of a column as few groups: for colours, and for rows and columns of the heat map.
"use strict";

const MOST_VALUES = 40, RANGES = 20, MOST_TEXTS = 60, NO_GROUP = 65535;
const known = new Map();

/** of: group of each row, or NO_GROUP; labels; filters: the text that keeps a group alone; left: texts without a group. */
function groups(by) {
    if (!known.has(by.index)) known.set(by.index, by.kind === "number" ? groupNumbers(by) : groupTexts(by));
    return known.get(by.index);
}

function groupTexts(by) {
    const shown = by.texts.slice(0, MOST_TEXTS);
    const of = Uint16Array.from(by.values, code => code < MOST_TEXTS ? code : NO_GROUP);
    return {of, labels: shown, filters: shown.map(text => `= ${quoted(text)}`), left: by.texts.length - shown.length};
}

function groupNumbers(by) {
    const distinct = new Map(), of = new Uint16Array(rowCount).fill(NO_GROUP);
    let least = Infinity, most = -Infinity;
    for (let row = 0; row < rowCount; ++row) {
        const value = by.values[row];
        if (!Number.isFinite(value)) continue;
        if (distinct.size <= MOST_VALUES && !distinct.has(value)) distinct.set(value, 0);
        if (value < least) least = value;
        if (value > most) most = value;
    }
    if (distinct.size <= MOST_VALUES) {
        const values = [...distinct.keys()].sort((a, b) => a - b);
        values.forEach((value, number) => distinct.set(value, number));
        for (let row = 0; row < rowCount; ++row) if (Number.isFinite(by.values[row])) of[row] = distinct.get(by.values[row]);
        return {of, labels: values.map(brief), filters: values.map(value => `= ${value}`), left: 0};
    }
    const edges = Array.from({length: RANGES + 1}, (_, number) => number === RANGES ? most : least + (most - least) * number / RANGES);
    for (let row = 0; row < rowCount; ++row) {
        const value = by.values[row];
        if (!Number.isFinite(value)) continue;
        let number = Math.min(RANGES - 1, Math.floor((value - least) / (most - least) * RANGES));
        // The filter of a group compares with the edges: rounding must not put a value beside it.
        if (value < edges[number]) --number;
        else if (number < RANGES - 1 && value >= edges[number + 1]) ++number;
        of[row] = number;
    }
    return {of, left: 0, labels: edges.slice(0, -1).map((edge, number) => `${brief(edge)} to ${brief(edges[number + 1])}`),
        filters: edges.slice(0, -1).map((edge, number) => `>= ${edge} ${number === RANGES - 1 ? "<=" : "<"} ${edges[number + 1]}`)};
}

// Okabe and Ito's colours, which colour-blind readers can tell apart; each also has its own shape.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c", "#a08c00"];
const RAMP = [[0, 34, 78], [65, 77, 107], [124, 123, 120], [188, 175, 111], [255, 234, 70]];  // cividis

/** The ramp's colour at 0 to 1, as three numbers. */
function ramp(part) {
    const place = Math.max(0, Math.min(1, part)) * (RAMP.length - 1), step = Math.min(RAMP.length - 2, Math.floor(place));
    return RAMP[step].map((from, channel) => Math.round(from + (RAMP[step + 1][channel] - from) * (place - step)));
}
