"""What has to hold for answers, each kind in a file of its own; what several need is in `cases` and `maps`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from symview.verify.kinds.cases import of_cases, of_guard
from symview.verify.kinds.chains import of_chains, of_merge
from symview.verify.kinds.conditions import Merges
from symview.verify.kinds.layout_conditions import Layouts
from symview.verify.kinds.layouts import of_layout
from symview.verify.kinds.programs import of_rule
from symview.verify.kinds.statements import of_premise, of_theorem
from symview.verify.kinds.strides import Strides
from symview.verify.obligations import Steps

_SUBJECTS = {"views": Merges, "layouts": Layouts, "view": Strides}  # by what the question is about
KINDS: dict[str, Callable[[dict[str, Any], dict[str, Any]], Steps]] = {
    "merge": of_merge, "conditions": of_cases(Merges), "layout_conditions": of_cases(Layouts),
    "stride_conditions": of_cases(Strides), "guard": partial(of_guard, _SUBJECTS), "chains": of_chains,
    "rule": of_rule, "layout": of_layout, "theorem": of_theorem, "premise": of_premise,
}  # fmt: skip
