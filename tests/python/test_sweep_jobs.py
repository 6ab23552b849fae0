# SPDX-License-Identifier: Apache-2.0
"""Sweeps of jobs: symbols, registers, keys, arrays, faults, references."""

import numpy as np
import pytest

import tessera
from sweeps import code_of

COPY = """
.cfg ALU_FORMAT_SPEC_REG0_SrcA = Float32
.gpr 2 = VALUE
.cfg THCON_SEC0_REG2_Out_data_format = Float32
"""
JOB = """
arch = "blackhole"
[symbols]
VALUE = 3
[[l1]]
addr = 0x4000
npy = "a.npy"
format = "Float32"
[threads]
unpack = "t.tts"
[[output]]
addr = 0x4000
shape = [32, 32]
format = "Float32"
npy = "c.npy"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.tts").write_text(COPY)
    (tmp_path / "job.toml").write_text(JOB)
    np.save(tmp_path / "a.npy", np.arange(1024, dtype=np.float32).reshape(32, 32))
    return tmp_path


def sweep(**specification):
    return list(tessera.sweep({"job": "job.toml", **specification}, results="r.sqlite").rows())


def test_symbols_registers_and_keys_reach_the_job(folder):
    rows = sweep(axes={"symbols.VALUE": [3, 4], "registers.THCON_SEC0_REG2_Out_data_format": ["Float32", "Float16_b"],
                       "arch": ["blackhole", "wormhole"]},
                 metrics=lambda run: {"value": int(run.core.gpr[0, 2]), "format": run.core.config["THCON_SEC0_REG2_Out_data_format"],
                                      "chip": run.job.arch})
    assert [row["status"] for row in rows] == ["good"] * 8, rows[0]["message"]
    for row in rows:
        assert row["value"] == row["symbols.VALUE"]
        assert row["format"] == tessera.DataFormat[row["registers.THCON_SEC0_REG2_Out_data_format"]]
        assert row["chip"] == row["arch"]
    assert len({row["state"] for row in rows}) == 8


def test_a_run_is_that_of_the_command_line(folder):
    (row,) = sweep(axes={"symbols.VALUE": [3]})
    job = tessera.load_job("job.toml")
    core = tessera.Core(job)
    run = core.run(job)
    assert (row["cycles"], row["instructions"], row["state"]) == (run.cycles, sum(run.instructions), core.digest())
    assert {use.unit: row["busy." + use.unit] for use in run.units} == {use.unit: use.busy for use in run.units}
    assert not (folder / "c.npy").exists()


def test_one_core_serves_all_runs_and_none_sees_another(folder):
    axes = {"symbols.VALUE": [5, 6, 7], "seed": range(1, 4), "timing": ["documented", "instant"]}
    rows = sweep(axes=axes)
    for row in rows:
        job = tessera.load_job("job.toml", symbols={"VALUE": row["symbols.VALUE"]}, keys={"seed": str(row["seed"]), "timing": row["timing"]})
        core = tessera.Core(job)
        try:
            run = core.run(job)
        except tessera.Error as error:
            assert row["status"] == "error" and row["code"] == error.code
            continue
        assert (row["state"], row["cycles"]) == (core.digest(), run.cycles)


def test_outputs_are_held_against_a_reference(folder):
    exact = np.load("a.npy").astype(np.float64)
    exact[3, 4] += 0.25
    np.save("exact.npy", exact)
    (row,) = sweep(axes={"symbols.VALUE": [3]}, reference="exact.npy")
    assert (row["error_max"], row["error_rms"]) == (0.25, 0.25 / 32)
    assert row["error_ulp"] == 0.25 / np.spacing(np.float32(100.25))
    (row,) = sweep(axes={"symbols.VALUE": [3]}, reference=lambda run: run.outputs[0] + 1)
    assert row["error_max"] == 1
    (row,) = sweep(axes={"symbols.VALUE": [3]}, reference="exact.npy", output=1)
    assert row["status"] == "error" and "there is no output 1" in row["message"]


def test_files_may_have_names_of_any_characters(folder):
    for name in ("del\x7f.npy", 'quote".npy', "line\n.npy"):
        np.save(name, np.full((32, 32), 1.0, np.float32))
    assert [row["status"] for row in sweep(axes={"l1.0.npy": {"files": "*[\x7f\"\n].npy"}})] == ["good"] * 3


def test_random_arrays_are_drawn_for_each_seed_of_data(folder):
    rows = sweep(values={"l1.0.npy": {"random": "normal", "shape": [32, 32]}}, axes={"data.seed": range(4), "symbols.VALUE": [3, 4]},
                 metrics=lambda run: {"same": bool(np.array_equal(run.outputs[0], run.arrays["l1.0.npy"])), "sum": float(run.outputs[0].sum())})
    assert all(row["same"] == 1 for row in rows), rows[0]
    sums = [row["sum"] for row in rows]
    assert sums[::2] == sums[1::2] and len(set(sums)) == 4


def test_a_fault_is_a_row_with_its_findings(folder):
    (folder / "t.tts").write_text("SEMWAIT stall_res=0x1FF sem_sel=1<<SEMAPHORE wait_sem_cond=1\nSETADCXX CntSetMask=1 x_end2=VALUE\n")
    rows = sweep(axes={"symbols.SEMAPHORE": [0, 1], "symbols.VALUE": [3]})
    assert [(row["status"], row["code"]) for row in rows] == [("fault", "deadlock")] * 2, rows[0]
    assert all(row["message"] and row["cycles"] > 0 and row["state"] for row in rows)


def test_a_fault_has_its_place_without_its_cycle(folder):
    (folder / "t.tts").write_text("NOP\nATGETM mutex_index=VALUE\n")
    rows = sweep(values={"symbols.VALUE": 9}, axes={"seed": [1, 2]})
    assert {row["code"] for row in rows} == {"sync.mutex-index"}
    (message,) = {row["message"] for row in rows}
    assert message.endswith(", at T0 op 1: ATGETM mutex_index=9 (t.tts:2)")


def test_a_limit_of_a_run_is_a_row_with_its_fault(folder):
    nops = "".join(f".mop {i} = ttnop\n" for i in range(2, 9))
    (folder / "t.tts").write_text(f".mop 0 = 127\n.mop 1 = 127\n{nops}.repeat 1000000\nMOP mop_type=1\n.end\n")
    for code, limit in (("limit.time", {"timeout": 0.2}), ("limit.memory", {"max_memory": 4096})):
        spec = {"job": "job.toml", "values": limit, "axes": {"symbols.VALUE": [3]}}
        (row,) = old = list(tessera.sweep(spec, results="old.sqlite").rows())
        # How far it came says nothing.
        assert (row["status"], row["code"], row["state"], row["findings"], row.get("cycles")) == ("fault", code, "", {}, None)
        assert not tessera.sweep(spec, results="new.sqlite", against="old.sqlite").changes
        assert list(tessera.sweep(spec, results="old.sqlite").rows()) != old  # done again: it took another time


@pytest.mark.parametrize("limit", [{"timeout": 0}, {"timeout": float("nan")}, {"timeout": "1"}, {"max_memory": 0}, {"max_memory": 1.5}])
def test_wrong_limits_are_refused(folder, limit):
    code, message = code_of(lambda: sweep(values=limit, axes={"symbols.VALUE": [3]}))
    assert code == "sweep.value" and str(*limit.values()) in message


def test_jobs_may_be_an_axis_and_a_broken_one_is_a_row(folder):
    (folder / "jobs").mkdir()
    for name, value in (("one", 1), ("two", 2)):
        (folder / f"jobs/{name}.toml").write_text(JOB.replace('"a.npy"', '"../a.npy"').replace('"t.tts"', '"../t.tts"').replace("= 3", f"= {value}"))
    (folder / "jobs/broken.toml").write_text("arch = 5\n")
    rows = list(tessera.sweep({"axes": {"job": {"files": "jobs/*.toml"}}}, results="r.sqlite").rows())
    assert [(row["job"], row["status"]) for row in rows] == [("jobs/broken.toml", "error"), ("jobs/one.toml", "good"), ("jobs/two.toml", "good")]
    assert rows[1]["state"] != rows[2]["state"]


def test_a_name_that_the_job_has_nowhere_is_not_likened_to_a_key(folder):
    _, message = code_of(sweep, axes={"BATCH": [1, 2]})
    assert "no key 'BATCH'" in message and "symbol" in message and "did you mean" not in message
    assert "did you mean timing?" in code_of(sweep, axes={"timin": ["instant"]})[1]


def test_a_changed_input_of_a_job_is_run_again_and_no_other(folder):
    np.save("b.npy", np.ones((32, 32), np.float32))
    spec = {"axes": {"l1.0.npy": ["a.npy", "b.npy"], "symbols.VALUE": [3, 4]}}
    before = [row["key"] for row in sweep(**spec)]
    assert [row["key"] for row in sweep(**spec)] == before
    np.save("b.npy", np.zeros((32, 32), np.float32))
    after = [row["key"] for row in sweep(**spec)]
    assert [a == b for a, b in zip(before, after)] == [True, True, False, False]
    (folder / "t.tts").write_text(COPY + "NOP\n")
    assert not set(after) & {row["key"] for row in sweep(**spec)}


def test_a_changed_file_beside_the_job_is_run_again_and_no_other(folder):
    (folder / "job").mkdir()
    for name in ("job.toml", "t.tts", "a.npy"):
        (folder / name).rename(folder / "job" / name)
    np.save("job/b.npy", np.ones((32, 32), np.float32))
    spec = {"job": "job/job.toml", "axes": {"l1.0.npy": ["a.npy", "b.npy"]}, "metrics": lambda run: float(run.outputs[0][0, 0])}
    before = sweep(**spec)
    assert len({row["inputs"] for row in before}) == 2
    np.save("job/b.npy", np.full((32, 32), 2, np.float32))
    after = sweep(**spec)
    assert [a["key"] == b["key"] for a, b in zip(before, after)] == [True, False]
    assert (before[1]["value"], after[1]["value"]) == (1, 2)


def test_a_refused_combination_does_not_stand_for_the_files_of_others(folder):
    spec = {"axes": {"symbols.VALUE": [2**40, 3]}, "metrics": lambda run: float(run.outputs[0][0, 0])}
    axes = {"job": ["job.toml"], **spec.pop("axes")}
    values = []
    for number in (1, 2):
        np.save("a.npy", np.full((32, 32), number, np.float32))
        rows = list(tessera.sweep({"axes": axes, **spec}, results="r.sqlite").rows())
        assert [row["status"] for row in rows] == ["error", "good"]
        values.append(rows[1]["value"])
    assert values == [1, 2]


@pytest.mark.parametrize("axes, words", [
    ({"symbols.VALUES": [1]}, "VALUES"), ({"registers.THCON_SEC0_REG2_Out_data_forma": [1]}, "THCON_SEC0_REG2_Out_data_forma"),
    ({"timin": ["instant"]}, "timin"), ({"timing": ["instnat"]}, "instnat"), ({"l1.0.npy": ["none.npy"]}, "none.npy"),
    ({"seed": [1, 2, True]}, "with seed = True"),
    ({"seed": [2**64]}, f"0 to {2**64 - 1}"), ({"VALUE": [1]}, "no key 'VALUE'; did you mean 'symbols.VALUE'?"),
    ({"VALUE": [1], "ALU_FORMAT_SPEC_REG0_SrcA": ["Float32"]}, "did you mean 'symbols.VALUE'?"),
    ({"ALU_FORMAT_SPEC_REG0_SrcA": ["Float32"]}, "did you mean 'registers.ALU_FORMAT_SPEC_REG0_SrcA'?"),
    ({"symbols.VALUE": [2**63]}, f"'symbols.VALUE' is a whole number of {-2**63} to {2**63 - 1}, not {2**63}"),
    ({"symbols.VALUE": ["0x10000000000000000"]}, f"'symbols.VALUE' is a whole number of {-2**63} to"),
    ({"registers.THCON_SEC0_REG2_Out_data_format": [-2**63 - 1]}, f"not {-2**63 - 1}"),
    ({"symbols.VALUE": ["three"]}, "'three'"), ({"symbols.VALUE": [1.5]}, "1.5"), ({"job.x": [1]}, "job")])
def test_wrong_axes_of_jobs_are_refused(folder, axes, words):
    code, message = code_of(sweep, axes=axes)
    assert code.startswith("sweep.") and words in message
