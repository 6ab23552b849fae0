// SPDX-License-Identifier: Apache-2.0
// Long lists, of which only what can be seen is made: where their lines are.
"use strict";

const LINE_HEIGHT = 20, TALLEST = 8e6;  // pixels; browsers have a limit

/** Which of many lines of one height are in sight. Beyond TALLEST pixels the scroll bar moves more than a line at a time. */
class LineWindow {
    constructor(box, content) {
        [this.box, this.content] = [box, content];
        this.items = 0;
    }
    resize(items) {
        this.items = items;
        this.content.style.height = `${this.height}px`;
    }
    get height() { return Math.min(TALLEST, Math.max(1, this.items) * LINE_HEIGHT); }
    /** How far all lines move for a pixel of the scroll bar. */
    get pace() {
        const seen = this.box.clientHeight;
        return this.height < TALLEST || seen >= this.height ? 1 : (this.items * LINE_HEIGHT - seen) / (this.height - seen);
    }
    /** {first, last}: lines to make. */
    get range() {
        const first = Math.max(0, (this.box.scrollTop * this.pace / LINE_HEIGHT | 0) - 4);
        return {first, last: Math.min(this.items, first + Math.ceil(this.box.clientHeight / LINE_HEIGHT) + 9)};
    }
    /** Where a line is in the scrolled height. */
    top(item) { return item * LINE_HEIGHT - this.box.scrollTop * (this.pace - 1); }
    /** Scrolls so that a line is in sight, and `above` lines over it. */
    reveal(item, above = 1) {
        const {scrollTop, clientHeight} = this.box, top = this.top(item);
        if (top < scrollTop + above * LINE_HEIGHT || top > scrollTop + clientHeight - (above + 1) * LINE_HEIGHT)
            this.box.scrollTop = (item * LINE_HEIGHT - clientHeight / 2) / this.pace;
    }
}
