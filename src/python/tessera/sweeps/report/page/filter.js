// SPDX-License-Identifier: Apache-2.0
// The filter that a reader writes above a column, as a test of its rows. Alternatives are separated by |. In quotes a text is exact.
"use strict";

const NUMBER = String.raw`[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?`;
const CONDITION = new RegExp(String.raw`\s*(?:(${NUMBER})\s*\.\.\s*(${NUMBER})|(>=|<=|!=|>|<|=)?\s*(${NUMBER}))\s*(?:,|$|(?=[\s<>=!]))`, "iy");
const COMPARE = {
    ">=": (a, b) => a >= b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, "<": (a, b) => a < b, "=": (a, b) => a === b,
    "!=": (a, b) => a !== b && a === a,
};

/** Of "> 1 < 9": a function of a number; null if it is no such text. */
function numberTest(text) {
    if (text.trim().toLowerCase() === "none") return value => value !== value;
    const all = [];
    CONDITION.lastIndex = 0;
    while (CONDITION.lastIndex < text.trimEnd().length) {
        const found = CONDITION.exec(text);
        if (!found) return null;
        const [, from, to, operator = "=", number] = found;
        if (from !== undefined) all.push(value => value >= Number(from) && value <= Number(to));
        else all.push(value => COMPARE[operator](value, Number(number)));
    }
    if (all.length === 1) return all[0];
    return all.length ? value => all.every(each => each(value)) : null;
}

/** Texts between |, but for those within quotes. */
const alternatives = text => text.split(/\|(?=(?:[^"]*"[^"]*")*[^"]*$)/);
const quoted = text => JSON.stringify(text.replaceAll('"', "\u0000")).replaceAll("\\u0000", "\\u0022");

/** Same of a text. */
function textTest(text) {
    const [, operator, rest] = /^\s*(!=|=|!)?\s*(.*?)\s*$/s.exec(text), wanted = rest.toLowerCase();
    if (operator === "=" && /^"[^"]*"$/.test(rest)) {
        try {
            const exact = JSON.parse(rest);
            return value => value === exact;
        } catch { /* no quoted text: its quotes are characters */ }
    }
    if (operator === "=") return value => value.toLowerCase() === wanted;
    if (operator === "!=") return value => value.toLowerCase() !== wanted;
    if (operator === "!") return value => !value.toLowerCase().includes(wanted);
    return value => value.toLowerCase().includes(wanted);
}

/** A function that clears mask[row] of the rows that do not fit; null if the text is no filter of such a column. */
function compileFilter(of, text) {
    const tests = alternatives(text).map(of.kind === "number" ? numberTest : textTest);
    if (tests.includes(null)) return null;
    const fits = tests.length === 1 ? tests[0] : value => tests.some(test => test(value));
    if (of.kind === "number") return mask => { for (let row = 0; row < rowCount; ++row) if (mask[row] && !fits(of.values[row])) mask[row] = 0; };
    if (of.kind === "text") {
        const good = Uint8Array.from(of.texts, value => fits(value) ? 1 : 0);
        return mask => { for (let row = 0; row < rowCount; ++row) mask[row] &= good[of.values[row]]; };
    }
    return mask => { for (let row = 0; row < rowCount; ++row) if (mask[row] && !fits(of.text(row))) mask[row] = 0; };
}
