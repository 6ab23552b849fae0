// SPDX-License-Identifier: Apache-2.0
// The last and the next write of an element.
"use strict";

function showHistory(story, trace, log, state, section, element) {
    story.refresh = () => {
        const moment = state.moment, before = log.find(section, element, moment - 1, -1), after = log.find(section, element, moment, 1);
        const who = record => {
            const row = log.row[record];
            return row === NEVER ? make("span", {}, log.writer(record)) : rowLink(row, log.writer(record));
        };
        const value = state.values[section][element], digits = Math.ceil(trace.sections[section].bits / 4);
        fill(story, make("b", {}, elementName(trace.sections[section], element)), ` is 0x${hex(value, digits)}. `,
             before < 0 ? "Nobody has written it yet. " : ["Last written by ", who(before), `, cycle ${log.cycle[before]}. `],
             after < 0 ? "Nobody will." : ["Next by ", who(after), `, cycle ${log.cycle[after]}.`],
             make("button", {class: "link", "aria-label": "Close the history", onclick: () => {
                 story.refresh = null;
                 fill(story);
             }}, " ✕"));
    };
    story.refresh();
}

function refreshHistory(story) { story.refresh?.(); }
