"""Checking a certificate: the obligations of an answer of each kind, and the report on them."""

from __future__ import annotations

from symview.trusted.document import BadCertificate, Object, maybe, parsed, sides, unread
from symview.trusted.work import Limits, TooMuchWork, Work
from symview.verify.derive import derive
from symview.verify.meaning import statement
from symview.verify.nodes import Node
from symview.verify.obligations import Obligation, Report, Steps
from symview.verify.solvers import Solver
from symview.verify.text import lines

__all__ = ["BadCertificate", "Limits", "Report", "Solver", "obligations", "verify"]
_CHARACTERS = 16  # how many characters of a line count as one term


def obligations(document: Object, work: Work | None = None) -> Steps:
    """The obligations of a certificate; raises BadCertificate if it cannot be checked."""
    claim, evidence = sides(document)
    yield from _obligations(claim, evidence, statement(claim), work or Work())


def _obligations(claim: Object, evidence: Object, stated: Node, work: Work) -> Steps:
    try:
        yield from derive(stated, claim, evidence, work)
    except ArithmeticError:
        yield Obligation("a value that cannot be computed: a division by 0, or a number that is too large", None)


def verify(text: str, solver: Solver, limits: Limits | None = None) -> Report:
    """Checks one certificate; raises BadCertificate if the text is not one that can be checked.

    If the check exceeds the limits, nothing is confirmed: the report leaves this open.

    >>> with Solver("cvc5") as solver:
    ...     verify("{}", solver)
    Traceback (most recent call last):
    ...
    symview.trusted.document.BadCertificate: "format" has to be 'symview certificate'
    """
    document, work = parsed(text), Work(limits)
    claim, evidence = sides(document)
    report = Report(solver, maybe(evidence, "refutations", list) or [], work)
    try:
        work.spend(len(text))  # to read it, and to state the claim
        stated = statement(claim)
        report.follow(_obligations(claim, evidence, stated, work))
        report.open += [f"{path}, which is not checked" for path in dict.fromkeys(unread(document))]
        for line in () if report.wrong else lines(stated):
            work.keep(len(line) // _CHARACTERS)
            report.claim.append(line)
    except TooMuchWork as error:
        report.open, report.vacuous, report.claim = [str(error)], [], []
    except RecursionError:
        raise BadCertificate("it is nested too deeply") from None
    return report
