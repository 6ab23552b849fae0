# SPDX-License-Identifier: Apache-2.0
"""What help(tessera) and the API reference say."""

import inspect

import pytest

import tessera

CLASSES = [name for name in tessera.__all__ if inspect.isclass(getattr(tessera, name)) and name != "DataFormat"]


def test_every_public_name_has_a_docstring():
    assert inspect.getdoc(tessera)
    for name in tessera.__all__:
        assert inspect.getdoc(getattr(tessera, name)), name


@pytest.mark.parametrize("name", CLASSES)
def test_every_member_has_a_docstring(name):
    for member, value in vars(getattr(tessera, name)).items():
        if not member.startswith("_") and (callable(value) or inspect.isdatadescriptor(value)):
            assert inspect.getdoc(value), member
