# SPDX-License-Identifier: Apache-2.0
"""What help(tessera) says."""

import inspect

import pytest

import tessera


def test_every_public_name_has_a_docstring():
    assert inspect.getdoc(tessera)
    for name in tessera.__all__:
        assert inspect.getdoc(getattr(tessera, name)), name


@pytest.mark.parametrize("name", ["Core", "Execution", "Finding", "Job", "Pause", "Program", "Snapshot"])
def test_every_member_has_a_docstring(name):
    for member, value in inspect.getmembers(getattr(tessera, name)):
        if not member.startswith("_"):
            assert inspect.getdoc(value), member
