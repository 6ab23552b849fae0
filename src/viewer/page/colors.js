// SPDX-License-Identifier: Apache-2.0
// Colours: of units, of heat, and of the theme as scripts need them.
"use strict";

/** Hue and saturation of what a unit does, by the first word of its name. */
const UNIT_HUES = {unpacker: [212, 70], matrix: [14, 72], vector: [278, 46], packer: [152, 52], scalar: [44, 76],
                   config: [190, 42], sync: [334, 52], misc: [230, 16], mover: [86, 44]};

const theme = {
    dark: false,
    colors: {},
    listeners: [],
    /** Takes what the style sheets say now. */
    read() {
        const style = getComputedStyle(document.documentElement);
        for (const name of ["bg", "panel", "line", "text", "dim", "accent", "mark", "match", "wait", "bad", "warn"])
            this.colors[name] = style.getPropertyValue(`--${name}`).trim();
        this.dark = style.colorScheme === "dark" || style.getPropertyValue("--is-dark").trim() === "1";
        unitColors.clear();
        this.listeners.forEach(listener => listener());
    },
    toggle() {
        document.documentElement.dataset.theme = this.dark ? "light" : "dark";
        this.read();
    },
};

const unitColors = new Map();
/** The colour of a unit; `shade` 0 to 3 tells its instructions apart. */
function unitColor(unit, shade = 0) {
    const key = `${unit}/${shade}`;
    let color = unitColors.get(key);
    if (!color) {
        const [hue, saturation] = UNIT_HUES[unit.split(" ", 1)[0]] ?? [0, 0];
        const second = unit.startsWith("unpacker 1") ? -18 : 0;
        const lightness = (theme.dark ? 56 : 52) + [0, 8, -8, -14][shade & 3];
        color = `hsl(${hue + second} ${saturation}% ${lightness}%)`;
        unitColors.set(key, color);
    }
    return color;
}

/** Dark or light text on a colour of unitColor(). */
function inkOn(color) {
    const [hue, saturation, lightness] = color.match(/-?\d+/g).map(Number);
    const channel = shift => {  // of red 0, green 8, blue 4
        const at = (shift + hue / 30) % 12, reach = saturation / 100 * Math.min(lightness, 100 - lightness) / 100;
        return lightness / 100 - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    };
    return 0.299 * channel(0) + 0.587 * channel(8) + 0.114 * channel(4) > 0.62 ? "#15181d" : "#fff";
}

/** The same shade for the same instruction. */
function shadeOf(mnemonic) {
    let sum = 0;
    for (let i = 0; i < mnemonic.length; ++i) sum = sum * 31 + mnemonic.charCodeAt(i) | 0;
    return sum >>> 3 & 3;
}

/** Red, green and blue of a strength between -1 and 1: blue below 0, orange above, the ground at 0. */
function heat(value) {
    const ground = theme.dark ? [30, 34, 42] : [246, 246, 243];
    const end = value < 0 ? (theme.dark ? [86, 160, 255] : [28, 92, 196]) : (theme.dark ? [255, 158, 74] : [208, 84, 12]);
    const part = Math.min(1, Math.abs(value)) ** 0.75;
    return ground.map((low, i) => Math.round(low + (end[i] - low) * part));
}
const NOT_A_NUMBER = [214, 51, 132];
