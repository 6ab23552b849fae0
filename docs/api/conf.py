# SPDX-License-Identifier: Apache-2.0
"""Sphinx settings of the API reference; scripts/api_reference builds it."""

import os
import re

import tessera

project = "Tessera"
release = version = tessera.__version__
html_title = f"Tessera {version}"
copyright = "the Tessera authors"
html_show_copyright = False

extensions = ["breathe", "sphinx.ext.autodoc"]
html_theme = "furo"
html_copy_source = False
smartquotes = False

breathe_projects = {"tessera": os.environ["TESSERA_DOXYGEN_XML"]}
breathe_default_project = "tessera"
breathe_show_include = False
cpp_id_attributes = []
toc_object_entries_show_parents = "hide"

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "inherited-members": False, "exclude-members": "with_traceback, name, value"}

FUNCTIONS = "|".join(name for name in tessera.__all__ if name.islower())
ROW = re.compile(r"(\S+(?:, [\w ]+)?)(\s{2,})(\S.*)")


def words(text):
    """Plain text as reStructuredText, with links to functions of the module."""
    text = re.sub(r"`+([^`]+)`+", r"``\1``", re.sub(r"([*|\\])", r"\\\1", text))
    text = re.sub(r"(?<=\w)_(?!\w)", r"\\_", text)
    return re.sub(rf"(?<![\w.`])(?:tessera\.)?({FUNCTIONS})\(\)", r":func:`~tessera.\1`", text)


def to_rst(lines):
    """Docstrings are plain text: indented lines are code, and lines of a name, blanks and a text are tables."""
    result, at = [], 0
    while at < len(lines):
        line = lines[at]
        row = ROW.fullmatch(line)
        if line.startswith("    "):
            result += ["::", ""]
            while at < len(lines) and (not lines[at].strip() or lines[at].startswith("    ")):
                result.append("    " + lines[at])
                at += 1
            result.append("")
        elif row and not re.match(r"\S+[.:;,]$", row[1]):
            result.append("")
            while at < len(lines) and (row := ROW.fullmatch(lines[at])):
                text, column = row[3], row.start(3)
                while at + 1 < len(lines) and re.match(rf" {{{column}}}\S", lines[at + 1]):
                    at += 1
                    text += " " + lines[at].strip()
                result.append(f"* ``{row[1].rstrip()}``: {words(text)}")
                at += 1
            result.append("")
        else:
            result.append(words(line))
            at += 1
    return result


def process_docstring(app, what, name, obj, options, lines):
    lines[:] = to_rst(lines)


def process_signature(app, what, name, obj, options, signature, result):
    def plain(text):
        return text and re.sub(r"\btessera\.(_core|core|state|tensors|errors|arrays)\.", "", text)

    return plain(signature), plain(result)


def setup(app):
    app.connect("autodoc-process-docstring", process_docstring)
    app.connect("autodoc-process-signature", process_signature)
