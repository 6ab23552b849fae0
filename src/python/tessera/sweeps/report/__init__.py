# SPDX-License-Identifier: Apache-2.0
"""Pictures of a results file: a page, and files of matplotlib."""

from __future__ import annotations

from tessera.sweeps.report.choice import check_choice, check_results

__all__ = ["check_choice", "check_results"]
