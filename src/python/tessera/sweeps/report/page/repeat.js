// SPDX-License-Identifier: Apache-2.0
// The selected run: its values, the file that it ran, and the command that repeats it (report/repeat.py has made the template).
"use strict";

/** A setting's text in the row. */
function settingText(setting, row) {
    const of = column(setting.axis), value = of.text(row);
    if (setting.texts) {
        if (value in setting.texts) return setting.texts[value];
        const same = of.isNumber && Object.keys(setting.texts).find(key => Number(key) === of.values[row]);
        return same ? setting.texts[same] : "";
    }
    const whole = setting.real && /^-?\d+$/.test(value) ? `${value}.0` : value;
    return setting.before + whole + setting.after;
}

const filled = (parts, row) => parts.map(part => typeof part === "string" ? part : settingText(about.repeat.settings[part.setting], row)).join("");
const repeatCommand = row => filled(about.repeat.parts, row);
const runFile = row => filled(about.repeat.file, row);

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
    const file = runFile(row), command = element("pre", repeatCommand(row), {id: "command", tabIndex: 0});
    const button = element("button", "copy the command", {type: "button", id: "copy"});
    button.onclick = async () => { button.textContent = await copy(command.textContent, command) ? "copied" : "select and copy it by hand"; };
    const link = element("p", file ? `${about.repeat.kind === "job" ? "Job file" : "File"}: ` : "");
    if (file) link.append(element("a", file, {href: `file://${file.split("/").map(encodeURIComponent).join("/")}`, id: "file"}));
    body.replaceChildren(list, link, element("p", "This repeats the run:"), command, button);
}
