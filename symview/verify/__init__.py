"""A checker of certificates that shares nothing with what writes them: it imports nothing else of symview.

`verify(text)` reads a certificate, recomputes every witness in plain integers, walks small boxes, and asks a solver
through SMT-LIB text for what is left: an index that the answer misses, values about which it is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.verify.boxes import Outside
from symview.verify.chains import check_chains, check_guard
from symview.verify.conditions import check_conditions, check_merge
from symview.verify.document import BadCertificate, get, parsed
from symview.verify.formulas import NotLinear, Unsupported
from symview.verify.layouts import check_layout
from symview.verify.report import Report
from symview.verify.solvers import Solver
from symview.verify.theorems import check_premise, check_theorem

__all__ = ["BadCertificate", "Report", "Solver", "verify"]

_KINDS: dict[str, Callable[[Any, Any, Report], None]] = {
    "merge": check_merge, "conditions": check_conditions, "guard": check_guard, "chains": check_chains,
    "theorem": check_theorem, "premise": check_premise, "layout": check_layout,
}  # fmt: skip


def verify(text: str, solver: Solver) -> Report:
    """The findings about one certificate; raises BadCertificate where the text is none that can be checked.

    >>> with Solver("cvc5") as solver:
    ...     verify("{}", solver)
    Traceback (most recent call last):
    ...
    symview.verify.document.BadCertificate: no certificate: "format" has to be 'symview certificate'
    """
    document = parsed(text)
    kind = get(document, "kind", str)
    if kind not in _KINDS:
        raise BadCertificate(f"kind {kind[:40]!r}: this checker knows {', '.join(_KINDS)}")
    report = Report(solver)
    try:
        _KINDS[kind](get(document, "question", dict), get(document, "answer", dict), report)
    except KeyError as error:
        raise BadCertificate(f"{str(error)[:40]} is no name of the question") from None
    except Outside as error:
        report.refute(f"the address {str(error)[:40]} is out of bounds")
    except (ZeroDivisionError, NotLinear, Unsupported):
        report.leave("what has no value: something is divided by 0, or is too large")
    return report
