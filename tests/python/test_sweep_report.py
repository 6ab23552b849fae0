# SPDX-License-Identifier: Apache-2.0
"""The report of a sweep: data of the page, commands that repeat runs, pictures. tests/browser/sweep_report.mjs uses the page itself."""

import ast
import base64
import datetime
import json
import re
import shlex
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

import numpy as np
import pytest

import tessera
from sweeps import ENVIRONMENT, code_of
from tessera import arrays
from tessera.sweeps.arrays import random_array
from tessera.sweeps.measures import UNITS
from tessera.sweeps.report import pictures
from tessera.sweeps.report.choice import choose
from tessera.sweeps.report.columns import read_columns
from tessera.sweeps.report.profile import profile
from tessera.sweeps.summary import pareto, summary

ROOT = Path(__file__).resolve().parents[2]


class Page:
    """Reads a page without its scripts."""

    def __init__(self, path):
        self.text = Path(path).read_text(encoding="utf-8")
        (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', self.text)
        self.data = json.loads(found)
        self.rows = self.data["rows"]

    def block(self, number):
        (found,) = re.findall(rf'id="block-{number}">([^<]*)<', self.text)
        return zlib.decompress(base64.b64decode(found))

    def column(self, name):
        (about,) = [column for column in self.data["columns"] if column["name"] == name]
        data = self.block(about["block"])
        if about["kind"] == "digest":
            return [data[8 * row:8 * row + 8].hex() for row in range(self.rows)]
        size = 8 if about["kind"] == "number" else about["bytes"]
        values = [bytes(data[plane * self.rows + row] for plane in range(size)) for row in range(self.rows)]
        if about["kind"] == "number":
            numbers = [struct.unpack("<d", value)[0] for value in values]
            return [None if number != number else number for number in numbers]
        texts = json.loads(self.block(about["texts"]))
        return [texts[int.from_bytes(value, "little")] for value in values]

    def command(self, row):
        def text(part):
            if isinstance(part, str):
                return part
            setting = self.data["repeat"]["settings"][part["setting"]]
            value = self.column(setting["axis"])[row]
            shown = str(value if not isinstance(value, float) or setting.get("real") or not value.is_integer() else int(value))
            known = setting.get("texts", {})
            if shown in known and known[shown] is None:
                raise KeyError(shown)
            return known[shown] if shown in known else setting["before"] + shown + setting["after"]
        return "".join(map(text, self.data["repeat"]["parts"]))


def measure(n, unit):
    if n == 3:
        raise RuntimeError("</script><b>three</b>")
    return {"cycles": n * 10, "error_rms": 1 / n if unit == "m" else 2.0, "text": f"{n} {unit}"}


@pytest.fixture(autouse=True)
def functions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "measure.py").write_text("def f(word):\n    return len(word)\n\ndef g(n):\n    return n\n\ndef h(x):\n    return 1\n")


def do(tmp_path, more=None, **options):
    return tessera.sweep({"python": measure, "name": "a <b> & c", "axes": {"n": [1, 2, 3, 2**60], "unit": ["m", "<s>"]}, **(more or {})},
                         results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html", **options)


def test_the_page_has_every_row(tmp_path):
    results = do(tmp_path)
    page = Page(tmp_path / "r.html")
    rows = list(results.rows())
    assert page.rows == len(rows) == 8
    for name in ("number", "seconds", "cycles", "error_rms"):
        stored = [row[name] for row in rows]
        kept = page.column(name)
        assert [None if a is None else float(a) for a in kept] == [None if b is None else float(b) for b in stored]
    for name in ("status", "code", "message", "unit"):
        assert page.column(name) == [row[name] for row in rows]
    # A number that float64 cannot hold keeps all its digits.
    assert page.column("n") == [str(row["n"]) for row in rows]
    assert page.column("text") == [row["text"] or "" for row in rows]
    assert page.data["choice"] == {"error": "error_rms", "cost": "cycles", "heat": ["n", "unit"]}


def test_no_text_ends_a_script(tmp_path):
    do(tmp_path)
    page = Page(tmp_path / "r.html")
    assert page.text.count("<script") == page.text.count("</script>") and "<b>three" not in page.text
    assert page.column("message")[4].startswith("</script><b>three</b>")


def test_the_page_needs_nothing_else(tmp_path):
    do(tmp_path)
    text = (tmp_path / "r.html").read_text()
    assert not re.search(r'(src|href)="', text) and "http:" not in text.replace("http-equiv", "") and "https:" not in text


def test_the_report_names_columns(tmp_path):
    do(tmp_path, {"report": {"error": "cycles", "cost": "error_rms", "heat": ["unit", "n"]}})
    assert Page(tmp_path / "r.html").data["choice"] == {"error": "cycles", "cost": "error_rms", "heat": ["unit", "n"]}
    code, message = code_of(do, tmp_path, {"report": {"error": "error_rm"}})
    assert code == "sweep.report" and "did you mean 'error_rms'" in message


@pytest.mark.parametrize("report, words", [({"error": "error_max"}, "need 'reference'"), ({"cost": "cycle"}, "did you mean 'cycles'?"),
                                           ({"cost": "busy.foo"}, "no run can have such a number"), ({"error": "waited.T3"}, "did you mean 'waited.T")])
def test_a_column_that_no_run_of_a_job_can_have_is_told_before_the_runs(tmp_path, report, words):
    code, message = code_of(tessera.sweep, {"job": str(JOB), "axes": {"seed": [1]}, "report": report}, results=tmp_path / "r.sqlite")
    assert code == "sweep.report" and words in message and not (tmp_path / "r.sqlite").exists()


@pytest.mark.parametrize("heat", [["n", ""], ["", "n"], ["n"]])
def test_a_heat_map_has_two_axes(tmp_path, heat):
    code, message = code_of(do, tmp_path, {"report": {"heat": heat}})
    assert code == "sweep.value" and "[report] heat is a list of two axes" in message


def test_parts_of_the_cycles_of_a_job_can_be_columns(tmp_path):
    results = tessera.sweep({"job": str(JOB), "axes": {"seed": [1]}, "report": {"error": "waited.T1", "cost": "busy.matrix"}},
                            results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html")
    assert results.counts() == {"good": 1}
    names = re.search(r"names\[\] = \{(.*?)\}", (ROOT / "src/plan/pipe.hpp").read_text(encoding="utf-8"), re.DOTALL)
    assert tuple(re.findall(r'"(.*?)"', names.group(1))) == UNITS


def test_failed_runs_alone_have_a_page(tmp_path):
    tessera.sweep({"python": measure, "axes": {"n": [3], "unit": ["m"]}, "report": {"cost": "cycles"}}, results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html",
                  svg=tmp_path / "r.svg")
    assert Page(tmp_path / "r.html").column("status") == ["error"]


JOB = ROOT / "examples/deadlock/runs/job.toml"


def state_after(command):
    """Digest of the end state of a command's job, by the options that it has."""
    words = shlex.split(command)
    assert words[:2] == ["tessera", "run"]
    values = {"--symbol": {}, "--register": {}, "--set": {}}
    for option, value in zip(words[3::2], words[4::2]):
        name, _, text = value.partition("=")
        values[option][name] = text
    job = tessera.load_job(words[2], {name: int(text, 0) for name, text in values["--symbol"].items()},
                           {name: int(text, 0) for name, text in values["--register"].items()}, values["--set"])
    core = tessera.Core(job)
    core.run(job)
    return core.digest()


def test_the_command_of_a_job_gives_the_same_run(tmp_path):
    results = tessera.sweep({"job": str(JOB), "axes": {"seed": {"from": 3, "to": 6}}},
                            results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html")
    page = Page(tmp_path / "r.html")
    cycles = set()
    for number, row in enumerate(results.rows()):
        command = page.command(number).replace("tessera run", f"{ROOT}/build/tessera run --json --no-output", 1)
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True, cwd=tmp_path)
        report = json.loads(done.stdout)
        assert report["cycles"] == row["cycles"] and sum(report["instructions"]) == row["instructions"]
        assert state_after(page.command(number)) == row["state"]
        cycles.add(row["cycles"])
    assert len(cycles) > 1


def test_the_command_of_a_function_gives_the_same_result(tmp_path):
    array = {"random": "normal", "shape": [32, 32]}
    results = tessera.sweep({"function": "elwadd", "values": {"a": array, "b": {**array, "seed": 1}}, "axes": {"format": ["Float16_b", "Bfp8_b"], "data.seed": [0, 7]}}, results=tmp_path / "r.sqlite",
                            workers=0, html=tmp_path / "r.html")
    page = Page(tmp_path / "r.html")
    seen = set()
    for number, row in enumerate(results.rows()):
        command = page.command(number).replace("python3", sys.executable, 1)
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True, cwd=tmp_path, env=ENVIRONMENT)
        drawn = [random_array(name, value, row["data.seed"]) for name, value in (("a", array), ("b", {**array, "seed": 1}))]
        assert done.stdout == f"{arrays.elwadd(*drawn, format=row['format'])}\n"
        seen.add(done.stdout)
    assert len(seen) == 4


def test_a_text_of_a_sweep_file_is_a_text_in_the_command(tmp_path):
    """Texts that look like repr() of an object, as a mapping's values may be."""
    (tmp_path / "show.py").write_text("def run(a, b):\n    return {'length': len(a + b)}\n")
    sweep_file = tmp_path / "s.toml"
    sweep_file.write_text('python = "show.py:run"\n[values]\na = "<x>"\n[axes]\nb = ["array(", "two\\nlines"]\n')
    tessera.sweep(sweep_file, results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html")
    page = Page(tmp_path / "r.html")
    for row, length in enumerate((9, 12)):
        command = page.command(row).replace("python3", sys.executable, 1)
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True, cwd=tmp_path, env=ENVIRONMENT)
        assert done.stdout == f"{{'length': {length}}}\n"


SHOW = "def run(**values):\n    return {'given': repr(values)}\n"


def printed(command, tmp_path):
    """The answer of a command of Python."""
    done = subprocess.run(["bash", "-c", command.replace("python3", sys.executable, 1)], capture_output=True, text=True, check=False, cwd=tmp_path,
                          env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("values", [
    {"x": float("inf")}, {"x": [1, {"y": -float("inf")}]}, {"x": np.array([1.5, 2], np.float32)}, {"x": [np.array([True])]},
    {"x": datetime.date(2020, 1, 1)}, {"x": "array(1)"}, {"x": "two\nlines"},
    {"a b": 1}, {"class": 1}, {"1.5": "x"}, {"ﬁ": 1}])
def test_the_command_has_any_setting_as_text_of_python(tmp_path, values):
    (tmp_path / "show.py").write_text(SHOW)
    results = tessera.sweep({"python": "show.py:run", "values": values, "axes": {"axis": ["one"]}}, results=tmp_path / "r.sqlite", workers=0,
                            html=tmp_path / "r.html")
    (row,) = results.rows()
    assert ast.literal_eval(printed(Page(tmp_path / "r.html").command(0), tmp_path)) == {"given": row["given"]}


def test_the_command_of_a_sweep_file_has_its_dates_and_infinities(tmp_path):
    (tmp_path / "show.py").write_text(SHOW)
    sweep_file = tmp_path / "s.toml"
    sweep_file.write_text('python = "show.py:run"\n[values]\nday = 2020-01-01T10:00:00Z\n[axes]\nx = [inf, 1.5, -inf]\n')
    results = tessera.sweep(sweep_file, results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html")
    page = Page(tmp_path / "r.html")
    for row in results.rows():
        assert ast.literal_eval(printed(page.command(row["number"]), tmp_path)) == {"given": row["given"]}


def test_the_command_of_a_function_has_arrays(tmp_path):
    a = np.arange(64, dtype=np.float32).reshape(2, 32)
    values = {"a": a, "b": [[1.5] * 32] * 2, "format": tessera.DataFormat.Float16_b}
    tessera.sweep({"function": "elwadd", "values": values, "axes": {"dst_bits": [16]}}, results=tmp_path / "r.sqlite", workers=0,
                  html=tmp_path / "r.html")
    assert printed(Page(tmp_path / "r.html").command(0), tmp_path) == f"{arrays.elwadd(a, np.full((2, 32), 1.5), format='Float16_b')}\n"


def test_the_command_of_a_job_has_numbers_as_it_takes_them(tmp_path):
    texts = ["0b11", "0o17", "1_0", " 7 ", "+7", "Float16_b", "0x1F", "-1"]
    numbers = [int(text, 0) if text != "Float16_b" else text for text in texts]
    (tmp_path / "math.tts").write_text("SETADCXX CntSetMask=1 x_end2=N&7\n.cfg ALU_FORMAT_SPEC_REG0_SrcA = 5\n")
    (tmp_path / "job.toml").write_text('arch = "blackhole"\n[threads]\nmath = "math.tts"\n[symbols]\nN = 3\n')
    results = tessera.sweep({"job": "job.toml", "axes": {"symbols.N": texts}}, results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html")
    assert results.counts() == {"good": len(texts)}
    page = Page(tmp_path / "r.html")
    assert [page.command(row) for row in range(len(texts))] == [f"tessera run {tmp_path}/job.toml --symbol N={number}" for number in numbers]
    for row, text in enumerate(texts):
        command = page.command(row).replace("tessera", f"{ROOT}/build/tessera", 1)
        subprocess.run(["bash", "-c", command], check=True, capture_output=True)
    tessera.sweep({"job": "job.toml", "axes": {"registers.ALU_FORMAT_SPEC_REG0_SrcA": ["0b11", "Float16_b"]}}, results=tmp_path / "s.sqlite",
                  workers=0, html=tmp_path / "s.html")
    for row, number in enumerate((3, "Float16_b")):
        command = Page(tmp_path / "s.html").command(row)
        assert command.endswith(f" --register ALU_FORMAT_SPEC_REG0_SrcA={number}")
        subprocess.run(["bash", "-c", command.replace("tessera", f"{ROOT}/build/tessera", 1)], check=True, capture_output=True)


def test_values_that_are_no_plain_data_are_marked_in_the_results_file(tmp_path):
    def measured(n, unit, k):
        return 1

    spec = {"python": measured, "values": {"unit": "<m>", "k": np.int64(3)}, "axes": {"n": [1]}}
    results = tessera.sweep(spec, results=tmp_path / "r.sqlite", workers=0)
    assert results.specification["values"] == {"unit": "<m>", "k": 3} and results.specification["python"] == {"repr()": repr(measured)}


def test_the_command_of_a_job_has_limits_and_whole_seeds(tmp_path):
    axes = {"seed": [2**64 - 1, 2**64 - 2, 3], "max_memory": [2**40]}
    results = tessera.sweep({"job": str(JOB), "values": {"timeout": 1e-05}, "axes": axes}, results=tmp_path / "r.sqlite", workers=0,
                            html=tmp_path / "r.html")
    assert [row["seed"] for row in results.rows()] == axes["seed"]
    page = Page(tmp_path / "r.html")
    for row, seed in enumerate(axes["seed"]):
        assert page.command(row) == f"tessera run {JOB} --timeout 0.00001 --set seed={seed} --max-memory {2**40}"


def test_commands_of_a_long_axis_of_long_numbers(tmp_path):
    axis = {"from": 2**63 - 5, "to": 2**63 + 1100}
    tessera.sweep({"python": "measure.py:g", "axes": {"n": axis}}, results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html")
    assert f"run(n={2**63 + 1090}, )" in Page(tmp_path / "r.html").command(1095)


def test_commands_of_a_long_axis(tmp_path):
    words = [f"word {n}" for n in range(1500)] + ["it's", 'a "b"\\']
    tessera.sweep({"python": "measure.py:f", "axes": {"word": words}}, results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html")
    page = Page(tmp_path / "r.html")
    for row in (0, 999, 1000, 1499, 1500, 1501):
        assert f"print(run(word={words[row]!r}, ))" in page.command(row)
    assert len(page.data["repeat"]["settings"]["word"]["texts"]) == 2  # all others are the word between two texts


def test_commands_of_a_long_axis_with_names_are_known_as_far_as_settings_are(tmp_path):
    values = [{"name": f"p{n}", "n": n} for n in range(1100)]
    tessera.sweep({"python": "measure.py:g", "axes": {"point": values}}, results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html")
    page = Page(tmp_path / "r.html")
    assert "run(n=999, )" in page.command(999)
    with pytest.raises(KeyError):
        page.command(1000)


@pytest.mark.parametrize("values, unknown", [([1, True, "1", 2], [0, 1, 2]), ([0, False, 0.5], [0, 1]), ([1, 1.0, "a"], [0, 1]),
                                             ([False, True, "a"], []), ([{"name": 1, "x": 1}, {"name": "1", "x": 2}], [0, 1])])
def test_commands_of_values_that_rows_show_alike_are_unknown(tmp_path, values, unknown):
    tessera.sweep({"python": "measure.py:h", "axes": {"x": values}}, results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html")
    page = Page(tmp_path / "r.html")
    for row, value in enumerate(values):
        if row in unknown:
            with pytest.raises(KeyError):
                page.command(row)
        else:
            assert f"print(run(x={value!r}, ))" in page.command(row)


def test_commands_of_a_long_axis_of_unlike_values(tmp_path):
    values = [*range(1100), "a"]
    tessera.sweep({"python": "measure.py:h", "axes": {"x": values}}, results=tmp_path / "r.sqlite", workers=0, html=tmp_path / "r.html")
    page = Page(tmp_path / "r.html")
    for row in (0, 999, 1000, 1100):
        assert f"print(run(x={values[row]!r}, ))" in page.command(row)


def test_pictures(tmp_path):
    results = do(tmp_path, png=tmp_path / "r.png", svg=tmp_path / "r.svg")
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert ElementTree.parse(tmp_path / "r.svg").getroot().tag.endswith("svg")
    assert 'id="pareto-front"' in (tmp_path / "r.svg").read_text()
    assert [row["error_rms"] for row in pareto(results, "cycles", "error_rms")] == [1.0, 0.5, 2.0**-60]


@pytest.mark.parametrize("axes", [{"$a^$": ["$x^$", "_b"], "_n": [1, 2]}, {"a": ["x" * 5000, "y"], "n": [1, 2]}])
def test_pictures_show_any_text(tmp_path, axes):
    tessera.sweep({"python": lambda **values: {"cycles": 1, "error_rms": 2}, "name": "$x^$", "axes": axes}, results=tmp_path / "r.sqlite",
                  workers=0, png=tmp_path / "r.png", svg=tmp_path / "r.svg")
    width, height = struct.unpack(">II", (tmp_path / "r.png").read_bytes()[16:24])
    assert (width, height) == (1800, 750)  # 12 by 5 inches
    assert pictures._label("x" * 41) == "x" * 39 + "…" and pictures._label("_b") == " _b"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_picture_that_cannot_be_drawn_is_told_after_the_runs(tmp_path):
    def extreme(n, m):
        return {"cycles": [1, 1e308, -1e308][n], "error_rms": 0.5}

    spec = {"python": extreme, "axes": {"n": [0, 1, 2], "m": [1, 2]}}
    with pytest.raises(tessera.Error, match=r"cannot draw '.*r\.png': .*without 'png'") as error:
        tessera.sweep(spec, results=tmp_path / "r.sqlite", workers=0, png=tmp_path / "r.png", csv=tmp_path / "r.csv")
    assert error.value.code == "sweep.write" and error.value.__notes__
    assert not (tmp_path / "r.png").exists()
    assert tessera.sweep(spec, results=tmp_path / "r.sqlite", workers=0, csv=tmp_path / "r.csv").counts() == {"good": 6}


def test_a_measure_with_texts_has_no_pareto_front(tmp_path):
    spec = {"python": lambda n: {"cycles": "long" if n else 1, "own": n}, "axes": {"n": [0, 1]}, "report": {"cost": "cycles", "error": "own"}}
    results = tessera.sweep(spec, results=tmp_path / "r.sqlite", workers=0)
    assert "2 runs, 2 good" in summary(results)
    assert [row["n"] for row in pareto(results, "own", "cycles")] == [0]


def test_the_heat_map_has_means(tmp_path):
    results = do(tmp_path)
    names = ["n", "unit", "cycles", "error_rms", "text", "seconds", "number"]
    profiles = profile(results, names)
    columns = {column.name: column for column in read_columns(results, names, profiles)}
    down, across, cells = pictures.heat_cells(columns, choose(results, profiles))
    assert (down, across) == (["1", "2", "3", str(2**60)], ["m", "<s>"])
    np.testing.assert_array_equal(cells, [[1, 2], [0.5, 2], [np.nan, np.nan], [2.0**-60, 2]])
