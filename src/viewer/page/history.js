// SPDX-License-Identifier: Apache-2.0
// The last and the next write of an element, or of the two halves of a 32-bit value of Dst.
"use strict";

/** `low`: the element with the lower half, or undefined. */
function showHistory(story, trace, log, state, section, element, low) {
    const halves = low === undefined ? [element] : [element, low], name = elementName(trace.sections[section], element);
    const lowRow = low === undefined ? "" : `, lower half in row ${coordinates(trace.sections[section], low)[0]},`;
    story.refresh = () => {
        const {moment} = state, values = state.values[section];
        const before = Math.max(...halves.map(half => log.find(section, half, moment - 1, -1)));
        const after = Math.min(...halves.map(half => log.find(section, half, moment, 1)).filter(record => record >= 0));
        const who = record => {
            const row = log.row[record];
            return row === NEVER ? make("span", {}, log.writer(record)) : rowLink(row, log.writer(record));
        };
        const value = low === undefined ? values[element] : dstJoin(values[element], values[low]);
        const digits = Math.ceil(trace.sections[section].bits / 4) * halves.length;
        fill(story, make("b", {}, name), `${lowRow} is 0x${hex(value, digits)}. `,
             before < 0 ? "Nobody has written it yet. " : ["Last written by ", who(before), `, cycle ${log.cycle[before]}. `],
             after === Infinity ? (log.whole ? "Nobody will." : "Later writes may not be kept.") : ["Next by ", who(after), `, cycle ${log.cycle[after]}.`],
             make("button", {class: "link", "aria-label": "Close the history", onclick: () => {
                 story.refresh = null;
                 fill(story);
             }}, " ✕"));
    };
    story.refresh();
}

function refreshHistory(story) { story.refresh?.(); }
