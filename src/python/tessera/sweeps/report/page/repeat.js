// SPDX-License-Identifier: Apache-2.0
// The selected run: its values, the file that it ran, and the command that repeats it (report/repeat.py has made the template).
"use strict";

/** A setting's text in the row; null if it is unknown. */
function settingText(setting, row) {
    const of = column(setting.axis), value = of.text(row), texts = setting.texts ?? {};
    if (Object.hasOwn(texts, value)) return texts[value];
    const same = of.isNumber && Object.keys(texts).find(key => Number(key.replace("inf", "Infinity")) === of.values[row]);
    if (same) return texts[same];
    if (setting.before === undefined) return null;
    const whole = setting.real && /^-?\d+$/.test(value) ? `${value}.0` : value;
    return setting.before + whole + setting.after;
}

/** The parts in the row as one text; null if any is unknown. */
function filled(parts, row) {
    const texts = parts.map(part => typeof part === "string" ? part : settingText(about.repeat.settings[part.setting], row));
    return texts.includes(null) ? null : texts.join("");
}

const repeatCommand = row => filled(about.repeat.parts, row);
const runFile = row => filled(about.repeat.file, row);

/** Axes whose value in the row is not described by the results file, or shown as another value is. */
const unknownAxes = row => [...new Set(about.repeat.parts.filter(part => filled([part], row) === null).map(part => about.repeat.settings[part.setting].axis))];

function element(tag, text = "", properties = {}) {
    const made = Object.assign(document.createElement(tag), properties);
    made.textContent = text;
    return made;
}

/** Copies a text, also where the page has no clipboard. */
async function copy(text, source) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        getSelection().selectAllChildren(source);
        return document.execCommand("copy");
    }
}

function showDetails() {
    const row = view.selected, body = document.getElementById("details-body");
    if (row < 0) return;
    const list = element("dl");
    for (const each of columns) {
        const text = each.text(row);
        if (text !== "" && text !== "{}") list.append(element("dt", each.name), element("dd", text));
    }
    const file = runFile(row), text = repeatCommand(row);
    const link = element("p", file ? `${about.repeat.kind === "job" ? "Job file" : "File"}: ` : "");
    if (file) link.append(element("a", file, {href: `file://${file.split("/").map(encodeURIComponent).join("/")}`, id: "file"}));
    if (text === null) {
        body.replaceChildren(list, link, element("p", `The command that repeats the run is unknown: the results file has the settings of the first ${
            said(about.repeat.described)} values of ${unknownAxes(row).join(", ")}, apart from those that rows show alike.`, {id: "unknown"}));
        return;
    }
    const command = element("pre", text, {id: "command", tabIndex: 0});
    const button = element("button", "copy the command", {type: "button", id: "copy"});
    button.onclick = async () => { button.textContent = await copy(command.textContent, command) ? "copied" : "select and copy it by hand"; };
    body.replaceChildren(list, link, element("p", "This repeats the run:"), command, button);
}
