// SPDX-License-Identifier: Apache-2.0
// An instruction's reads and writes as ranges: rows and columns of the registers, addresses of L1.
"use strict";

const SECTION_NAMES = {l1: "L1", src_a: "SrcA", src_b: "SrcB", dst: "Dst", dst_valid: "Dst valid", lregs: "LRegs", gpr: "GPR", rwc: "RWC", adc: "ADC"};
const sectionName = section => SECTION_NAMES[section.name] ?? section.name.replaceAll("_", " ");

/** Ranges of one section that touch each other become one. */
function mergeRanges(ranges) {
    const sorted = ranges.map(range => ({...range})).sort((a, b) => a.section - b.section || a.first - b.first), merged = [];
    for (const range of sorted) {
        const last = merged[merged.length - 1];
        if (last && last.section === range.section && range.first <= last.first + last.count)
            last.count = Math.max(last.count, range.first + range.count - last.first);
        else merged.push(range);
    }
    return merged;
}

/** Merged ranges as areas {section, first, count, step, times}: `times` ranges, a `step` from first to first. */
function areasOf(ranges) {
    const areas = [];
    for (const range of mergeRanges(ranges)) {
        const last = areas[areas.length - 1];
        const step = last ? range.first - last.first - (last.times - 1) * last.step : 0;
        if (last && last.section === range.section && last.count === range.count && (last.times === 1 || step === last.step)) {
            last.step = step;
            ++last.times;
        } else areas.push({...range, step: 0, times: 1});
    }
    return areas;
}

const span = (name, first, last) => first === last ? `${name} ${first}` : `${name}s ${first}–${last}`;
const indexName = ({name, labels}, i) => labels.length ? labels[i] : `${name} ${i}`;

/** "SrcA bank 0 row 3 column 7"; labels stand for themselves. */
function elementName(section, element) {
    if (section.name === "l1") return `L1 0x${hex(element, 5)}`;
    return withSection(section, section.dimensions.map((dimension, d) => indexName(dimension, coordinates(section, element)[d])));
}

/** The section's name, which may be that of its first dimension, too. */
const withSection = (section, names) => [...(section.dimensions[0]?.name === section.name ? [] : [sectionName(section)]), ...names].join(" ");

function coordinates(section, element) {
    let stride = section.size;
    return section.dimensions.map(({size}) => {
        stride /= size;
        const i = Math.floor(element / stride);
        element %= stride;
        return i;
    });
}

/** "RWC thread 1 src_a, src_b, dst": few elements with names of their own. */
function namedElements(section, {first, count, step, times}) {
    const texts = [];
    for (let i = 0; i < times; ++i)
        for (let k = 0; k < count; ++k) {
            const names = section.dimensions.map((one, d) => indexName(one, coordinates(section, first + i * step + k)[d])), own = names.pop();
            texts.push(texts.length ? own : withSection(section, [...names, own]));
        }
    return texts.join(", ");
}

/** "Dst rows 0–7, columns 4–7", "L1 0x04000–0x043FF (1,024 bytes)". */
function areaText(section, {first, count, step, times}) {
    const all = (count * times).toLocaleString("en");
    if (section.name === "l1") {
        const range = `L1 0x${hex(first, 5)}–0x${hex(first + count - 1, 5)}`;
        return times === 1 ? `${range} (${all} bytes)` : `${range} and ${times - 1} more, every ${step} bytes, up to 0x${hex(first + step * (times - 1) + count - 1, 5)} (${all} bytes)`;
    }
    const {dimensions} = section, begin = coordinates(section, first), end = coordinates(section, first + count - 1 + step * (times - 1));
    const width = dimensions.length > 1 ? dimensions[dimensions.length - 1].size : 1;
    const isArea = times === 1 || step === width;
    const differ = begin.findIndex((i, d) => i !== end[d]);
    if (count * times === 1 || differ < 0) return elementName(section, first);
    // Behind the first dimension that differs either all is covered, or it is the columns, and the same ones in each row.
    const rest = dimensions.slice(differ + 1), full = rest.every((dimension, i) => begin[differ + 1 + i] === 0 && end[differ + 1 + i] === dimension.size - 1);
    const inColumns = rest.length === 1 && (times > 1 || full);
    if (dimensions[dimensions.length - 1].labels.length && count * times <= 8) return namedElements(section, {first, count, step, times});
    if (!isArea || !(full && times === 1) && !inColumns)
        return `${elementName(section, first)} to ${dimensions.map((one, d) => indexName(one, end[d])).slice(Math.max(0, differ)).join(" ")} (${all})`;
    const outer = dimensions.slice(0, differ).map((one, d) => indexName(one, begin[d]));
    const {name, labels} = dimensions[differ];
    const parts = [withSection(section, [...outer, labels.length ? `${labels[begin[differ]]}–${labels[end[differ]]}` : span(name, begin[differ], end[differ])])];
    if (!full) parts.push(span(dimensions[differ + 1].name, begin[differ + 1], end[differ + 1]));
    return parts.join(", ");
}

const VALUE_ROWS = 64, VALUES_PER_ROW = 16;
const VALUE_FORMATS = {src_a: ["src", "BF16/TF32"], src_b: ["src", "BF16/TF32"], dst: ["dst16", "BF16"], lregs: ["lreg", "FP32"]};

/** The values of an area at the selected moment, made when they are asked for. */
function areaValues(trace, state, {section, first, count, step, times}) {
    const box = make("details", {class: "range-values", ontoggle: () => box.open && box.childElementCount === 1 && box.append(table())},
                     make("summary", {}, "values"));
    const table = () => {
        const {name, bits} = trace.sections[section], values = state.values[section], [kind, format] = VALUE_FORMATS[name] ?? [];
        const show = kind ? FORMATS[kind][format].show : value => bits <= 8 ? hex(value, 2) : String(value), rows = [];
        for (let i = 0; i < times && rows.length < VALUE_ROWS; ++i)
            for (let at = 0; at < count && rows.length < VALUE_ROWS; at += VALUES_PER_ROW) {
                const begin = first + i * step + at, end = Math.min(begin + VALUES_PER_ROW, first + i * step + count);
                rows.push(make("tr", {}, make("th", {scope: "row"}, name === "l1" ? hex(begin, 5) : coordinates(trace.sections[section], begin).join(":")),
                               Array.from(values.subarray(begin, end), value => make("td", {}, show(value)))));
            }
        const left = count * times - Math.min(count * times, VALUE_ROWS * Math.min(count, VALUES_PER_ROW));
        return make("div", {class: "grid-box"}, make("table", {class: "values"}, make("tbody", {}, rows)), left > 0 ? make("p", {class: "dim"}, `and ${left.toLocaleString("en")} more`) : null);
    };
    return box;
}
