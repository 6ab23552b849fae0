// SPDX-License-Identifier: Apache-2.0
// Making elements of the page.
"use strict";

const byId = id => document.getElementById(id);

/** An element with attributes (on… are listeners) and children (texts or elements). */
function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
    return element;
}

function fill(element, ...children) {
    element.replaceChildren(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
}

const CONTROLS = "button, input, select, summary, [tabindex]";
/** Does what makes controls in `parts` anew. The keyboard stays at the one that it was at, by its place among them. */
function keepingFocus(parts, change) {
    const part = parts.find(one => one?.contains(document.activeElement)), all = () => [...part.querySelectorAll(CONTROLS)];
    const at = part ? all().indexOf(document.activeElement) : -1;
    change();
    if (at >= 0 && !part.contains(document.activeElement)) all()[at]?.focus({preventScroll: true});
}

/** A button that shows an instruction. */
const rowLink = (row, text) =>
    make("button", {class: "link", "data-row": row, onclick: () => selection.select(row, {reveal: true})}, text);

const empty = text => make("p", {class: "empty"}, text);

/** A labelled choice; `choose` gets the value. */
function choice(label, values, current, choose) {
    const select = make("select", {"aria-label": label, onchange: () => choose(select.value)},
                        values.map(([value, text]) => make("option", {value, selected: value === current}, text)));
    return make("label", {class: "choice"}, label + " ", select);
}

/** Buttons of which one is chosen, as tabs: arrows move, keys are given to `panel`. */
class Tabs {
    constructor(bar, panel, pages, changed) {
        this.pages = pages;
        this.changed = changed;
        this.panel = panel;
        this.buttons = pages.map((page, i) => make("button", {
            role: "tab", id: `${bar.id}-${i}`, "aria-controls": panel.id, onclick: () => this.show(i),
            onkeydown: event => this.move(event, i)}, page.title));
        fill(bar, this.buttons);
        this.mark(0);
    }
    move(event, i) {
        const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (!step) return;
        event.stopPropagation();
        this.show((i + step + this.pages.length) % this.pages.length);
        this.buttons[this.current].focus();
    }
    mark(i) {
        this.current = i;
        this.buttons.forEach((button, k) => {
            button.setAttribute("aria-selected", String(k === i));
            button.tabIndex = k === i ? 0 : -1;
        });
        this.panel.setAttribute("aria-labelledby", this.buttons[i].id);
    }
    show(i) {
        if (!this.pages[i]) return;
        this.mark(i);
        this.changed();
    }
    showPage(page) { this.show(this.pages.indexOf(page)); }
    get page() { return this.pages[this.current]; }
}
