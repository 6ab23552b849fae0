// SPDX-License-Identifier: Apache-2.0
// Sizes of the page's parts: splitters that are dragged, or moved by arrows.
"use strict";

/** `property` is a length of the style that the splitter changes; `sign` -1: it grows towards the beginning. */
function makeSplitter(id, property, axis, sign, least) {
    const splitter = byId(id), root = document.documentElement;
    const size = () => parseFloat(getComputedStyle(root).getPropertyValue(property));
    const set = value => root.style.setProperty(property, `${Math.max(least, value)}px`);
    const place = event => axis === "x" ? event.clientX : event.clientY;
    splitter.addEventListener("pointerdown", event => {
        splitter.setPointerCapture(event.pointerId);
        const from = place(event), was = current();
        splitter.onpointermove = move => set(was + sign * (place(move) - from));
    });
    splitter.addEventListener("pointerup", () => splitter.onpointermove = null);
    const target = {"split-timeline": "timeline", "split-lists": "lists", "split-source": "source", "split-details": "details"}[id];
    const current = () => byId(target)[axis === "x" ? "offsetWidth" : "offsetHeight"] || size();
    splitter.addEventListener("keydown", event => {
        const step = {ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1}[event.key];
        if (!step) return;
        set(current() + sign * step * 16);
        event.preventDefault();
        event.stopPropagation();
    });
}

function makeSplitters() {
    makeSplitter("split-timeline", "--timeline-height", "y", 1, 90);
    makeSplitter("split-lists", "--lists-width", "x", 1, 160);
    makeSplitter("split-source", "--source-width", "x", 1, 120);
    makeSplitter("split-details", "--details-width", "x", 1, 200);
}
